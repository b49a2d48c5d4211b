"""From results to text: what people read, and JSON."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from zermelo.cli.live import LiveLine
from zermelo.search.reasons import STOPPED
from zermelo.solving.result import Progress, Result, Value

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.solving.analysis import Analysis
    from zermelo.solving.certify import Written

NUMERIC = re.compile(r"[+-]?([0-9]|inf$)")  # how a cell begins that stands to the right


def as_json(record: dict[str, Any]) -> str:
    """One line of JSON."""
    return json.dumps(record, ensure_ascii=False)


def verdict(result: Result) -> str:
    """The answer in a sentence."""
    players, mover = result.position.game.players, result.position.mover
    me, you = players[mover], players[1 - mover]
    said = {
        Value.WIN: f"{me} wins", Value.LOSS: f"{you} wins", Value.DRAW: "draw",
        Value.NOT_WIN: f"{me} does not win", Value.UNKNOWN: "unknown",
    }[result.value]
    if (result.value == Value.UNKNOWN and result.stopped == "candidates"
            and result.search.exhausted):
        return f"unknown: {result.search.exhausted}"
    if result.value == Value.UNKNOWN:
        return f"unknown: stopped by {STOPPED[result.stopped]}"
    known = result.proved or result.partial
    how = "proved" if known else f"concluded at precision {result.search.pr}, not proved"  # type: ignore[attr-defined]
    rest = ""
    if result.distance:
        said += f" in {result.distance} {'ply' if result.distance == 1 else 'plies'}"
    if result.value == Value.NOT_WIN and result.goal != "win":
        rest = f"; draw or loss is unknown: stopped by {STOPPED.get(result.stopped, 'precision')}"
    return f"{said}: {how}{rest}"


def numbers(values: dict[str, Any]) -> str:
    """``pn 12, dn 7``."""
    return ", ".join(f"{name} {number(value)}" for name, value in values.items())


def number(value: Any) -> str:
    """A number as people write it."""
    if isinstance(value, bool) or value is None:
        return "-" if value is None else str(value).lower()
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def choices(flag: str, known: dict[str, dict[str, Any]]) -> list[str]:
    """Parameters or options with their defaults, as they are typed."""
    lines = []
    for name, facts in known.items():
        default = facts["default"]
        typed = str(default).lower() if default is None or default in (True, False) else default
        valid = f"; {facts['valid']}" if "valid" in facts else ""
        lines.append(f"    {flag} {name}={typed}  {facts['help']}{valid}")
    return lines


def compiling(row: dict[str, Any]) -> str:
    """What compilation took."""
    return f"{row['compiled']} compiled, {row['loaded']} loaded, {row['seconds']:.2f} s"


def whose_turn(position: Position) -> str:
    """Who moves, if anyone."""
    return "the game is over" if position.outcome is not None else f"{position.to_move} to move"


def board(position: Position, diagram: str) -> list[str]:
    """The board and who moves, which some diagrams say themselves."""
    turn = whose_turn(position)
    said = position.outcome is None and diagram.rpartition("\n")[2].startswith(turn)
    return [diagram, "", *([] if said else [turn])]


def solved(result: Result) -> str:
    """A result for people."""
    parts = [*board(result.position, result.diagram), verdict(result)]
    if result.score is not None:
        parts.append(score(result))
    if result.move is not None:
        parts.append(f"move {result.move}")
    if result.line:
        parts.append(f"line {' '.join(map(''.join, result.turns))}")
    parts.append(cost(result))
    return "\n".join(parts)


def score(result: Result) -> str:
    """``score -10 for X``, or what is left of the range."""
    low, high = result.score or (0, 0)
    exact = f"{low:+d}" if low else "0"
    return f"score {exact if low == high else f'from {low:+d} to {high:+d}'} for " \
           f"{result.position.to_move}"


def cost(result: Result) -> str:
    """What it took."""
    options = "".join(f" {name}={value}" for name, value in result.search.options.items())
    root = f", root {numbers(result.root)}" if result.root else ""
    return (
        f"{result.search.id}{options}: {counts(result)}, {result.seconds:.3f} s (and "
        f"{result.compile_seconds:.2f} s to compile or load){root}"
    )


def counts(result: Result) -> str:
    """What was counted; where a table lost entries, first visits were counted again."""
    if "visits" not in result.counters:
        return f"{result.nodes:,} nodes, {result.iterations:,} iterations"
    most, least = ("", "") if result.counters["exact"] else ("<= ", ">= ")
    threats = result.counters.get("threat_visits")
    more = "" if threats is None else f", {threats:,} visits of threat searches"
    return (f"{result.counters['visits']:,} visits, {most}{result.counters['expansions']:,} "
            f"expansions, seesaw {least}{result.counters['seesaw']:,}{more}")


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Columns under their names; numbers to the right."""
    widths = [max(len(str(row[i])) for row in [header, *rows]) for i in range(len(header))]
    right = [all(NUMERIC.match(str(row[i])) or row[i] in ("-", "") for row in rows) and bool(rows)
             for i in range(len(header))]

    def line(row: Sequence[str]) -> str:
        cells = [str(cell).rjust(w) if r else str(cell).ljust(w)
                 for cell, w, r in zip(row, widths, right, strict=True)]
        return "  ".join(cells).rstrip()

    return "\n".join([line(header), line(["-" * w for w in widths]), *map(line, rows)])


def analyzed(analysis: Analysis, asked_unique: bool) -> str:
    """An analysis for people."""
    rows = [[row.move, str(row.value), "proved" if row.proved else row.stopped,
             " ".join(row.line), f"{row.nodes:,}"] for row in analysis.moves]
    parts = board(analysis.position, analysis.position.diagram)
    if rows:
        parts += ["", table(["move", "value", "how", "line", "nodes"], rows)]
    state = "proved" if analysis.proved else f"not proved ({analysis.stopped})"
    parts += ["", f"value: {analysis.value}, {state}; {analysis.nodes:,} nodes, "
              f"{analysis.seconds:.3f} s (and {analysis.compile_seconds:.2f} s to compile or load)"]
    if asked_unique:
        parts.append(uniqueness(analysis))
    return "\n".join(parts)


def uniqueness(analysis: Analysis) -> str:
    """Whether the solution is unique, in a sentence."""
    if not analysis.moves:
        return "unique: the game is over"
    if analysis.unique is None:
        return "unique: not settled within the limits"
    if analysis.unique:
        return "unique: yes, each move of the solving side along the main line is the only one"
    for step in analysis.decisions:
        if step.also:
            return f"unique: no, at ply {step.ply} {step.move} and {', '.join(step.also)} all do"
    return "unique: no, every move loses"


def where(progress: Progress) -> str:
    """How many of the root's moves are settled, and the path being searched with its numbers."""
    settled, moves = progress.settled
    text = f", {settled} of {moves} settled" if moves else ""
    steps = [f"{move} ({'/'.join(number(value) for value in values.values())})"
             for move, values in progress.path]
    return f"{text}, path {' '.join(steps)}" if steps else text


def certificate(written: Written) -> str:
    """What was written, and what its check said."""
    zones = written.report is not None and written.report.claims[0].wins is not None
    checked = "" if written.positions is None else f"; verified: {written.positions:,} positions"
    return (f"certificate {written.path}: {written.records:,} {'nodes' if zones else 'records'}, "
            f"{written.bytes:,} bytes{checked}")


class Live(LiveLine):
    """How far a search is, and then its certificate."""

    def __init__(self, quiet: bool) -> None:
        super().__init__(quiet, "compiling or loading ...")

    def __call__(self, progress: Progress) -> None:
        """Show it, if it is time."""
        if self.is_time():
            self.line(
                f"{progress.question} {progress.nodes:,} nodes, "
                f"{progress.nodes_per_second / 1e6:.2f} M/s, {progress.bytes / 1e6:,.0f} MB, "
                f"{progress.seconds:.0f} s, root {numbers(progress.root)}{where(progress)}"
            )

    def certificate(self, what: str, count: int) -> None:
        """Show how far the certificate is."""
        things = "records" if what == "writing" else "positions"
        self.line(f"{what} the certificate: {count:,} {things}")
