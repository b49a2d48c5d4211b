"""Turn results into text for people, and into JSON."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from zermelo.cli.terminal import LiveLine, Ticker
from zermelo.compiler.compile_stats import listener
from zermelo.errors import counted
from zermelo.search.reasons import STOPPED
from zermelo.solving.result import Progress, Result, Value
from zermelo.storage.whole_files import json_line
from zermelo.version import __version__

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.jobs.workers import JobProgress
    from zermelo.playing import Guess
    from zermelo.proof.write import Written
    from zermelo.search.base import Search

LONG = 30.0  # seconds without an answer
NUMERIC = re.compile(r"[+-]?([0-9]|inf$)")  # how a cell begins that stands to the right


def as_json(record: dict[str, Any]) -> str:
    """Return one line of JSON, with the version that made it."""
    return json_line({**record, "version": __version__})


def verdict(result: Result) -> str:
    """Return the answer in a sentence."""
    players, mover = result.position.game.players, result.position.mover
    me, you = players[mover], players[1 - mover]
    words = {
        Value.WIN: f"{me} wins", Value.LOSS: f"{you} wins", Value.DRAW: "draw",
        Value.NOT_WIN: f"{me} does not win", Value.UNKNOWN: "unknown",
    }[result.value]
    if (result.value == Value.UNKNOWN and result.stopped == "candidates"
            and result.search.exhausted):
        return f"unknown: {result.search.exhausted}"
    if result.value == Value.UNKNOWN:
        return f"unknown: stopped by {STOPPED[result.stopped]}"
    how = f": {result.known}" if result.known else (
        f": concluded at precision {result.search.pr}, not proved")  # type: ignore[attr-defined]
    rest = ""
    if result.by is not None and not result.proved:
        how, rest = f", {result.known}", "; --proof makes it certain"
    if result.distance:
        words += f" in {plies(result.distance)}"
    if result.partial or (result.value == Value.NOT_WIN and result.goal != "win"):
        stopped = STOPPED.get(result.stopped, "precision")
        rest += f"; {result.missing} is unknown: stopped by {stopped}"
    return f"{words}{how}{rest}"


def plies(count: int) -> str:
    """Return ``1 ply``, or ``9 plies``."""
    return f"{count} {'ply' if count == 1 else 'plies'}"


def numbers(values: dict[str, Any]) -> str:
    """Return numbers with their names: ``pn 12, dn 7``."""
    return ", ".join(f"{name} {number(value)}" for name, value in values.items())


def number(value: Any) -> str:
    """Return a number as people write it."""
    if isinstance(value, bool) or value is None:
        return "-" if value is None else str(value).lower()
    if isinstance(value, int):
        return f"{value:,}"
    return f"{value:.6g}" if isinstance(value, float) else str(value)


def choices(flag: str, known: dict[str, dict[str, Any]]) -> list[str]:
    """Return a line for each parameter or option with its default, as they are typed."""
    lines = []
    for name, facts in known.items():
        default = facts["default"]
        typed = str(default).lower() if default is None or default in (True, False) else default
        valid = f"; {facts['valid']}" if "valid" in facts else ""
        lines.append(f"    {flag} {name}={typed}  {facts['help']}{valid}")
    return lines


def compiling(row: dict[str, Any]) -> str:
    """Return what compilation took, in words."""
    return f"{row['compiled']} compiled, {row['loaded']} loaded, {row['seconds']:.2f} s"


def board(position: Position, diagram: str) -> list[str]:
    """Return the lines of the board and of the player to move, whom some diagrams name already."""
    over = position.outcome is not None
    turn = "the game is over" if over else f"{position.to_move} to move"
    named = not over and diagram.rpartition("\n")[2].startswith(turn)
    return [diagram, "", *([] if named else [turn])]


def solved(result: Result, seen: str = "", guess: Guess | None = None) -> str:
    """Return a result for people, who have ``seen`` a diagram before."""
    known = [] if result.diagram == seen else board(result.position, result.diagram)
    parts = [*known, verdict(result)]
    if result.score is not None:
        parts.append(score(result))
    if result.move is not None:
        parts.append(f"move {' '.join(result.turn)}")
    if result.line:
        parts.append(f"line {' '.join(map(''.join, result.turns))}")
    if guess is not None:
        parts.append(f"best guess: {guess}")
    parts.append(cost(result))
    return "\n".join(parts)


def score(result: Result) -> str:
    """Return ``score -10 for X``, or what is left of the range."""
    low, high = result.score or (0, 0)
    exact = signed(low) if low == high else f"from {low:+d} to {high:+d}"
    return f"score {exact} for {result.position.to_move}"


def signed(score: int | None) -> str:
    """Return a score as ``+4`` or ``0``; a dash where there is none."""
    return "-" if score is None else f"{score:+d}" if score else "0"


def name_of(search: Search) -> str:
    """Return a search with the options that differ from their defaults: ``ppn:theta=0.01``."""
    options = ",".join(f"{name}={value}" for name, value in search.options.items())
    return f"{search.id}:{options}" if options else search.id


def cost(result: Result) -> str:
    """Return what a search took, in words."""
    options = "".join(f" {name}={value}" for name, value in result.search.options.items())
    root = f", root {numbers(result.root)}" if result.root else ""
    return (
        f"{result.search.id}{options}: {counts(result)}, {result.seconds:.3f} s (and "
        f"{result.compile_seconds:.2f} s to compile or load){root}"
    )


def counts(result: Result) -> str:
    """Return the counts in words; where a table lost entries, first visits were counted again."""
    if "visits" not in result.counters:
        return f"{counted(result.nodes, 'node')}, {counted(result.iterations, 'iteration')}"
    most, least = ("", "") if result.counters["exact"] else ("<= ", ">= ")
    threats = result.counters.get("threat_visits")
    more = "" if threats is None else f", {counted(threats, 'visit')} of threat searches"
    return (f"{counted(result.counters['visits'], 'visit')}, "
            f"{most}{counted(result.counters['expansions'], 'expansion')}, "
            f"seesaw {least}{result.counters['seesaw']:,}{more}")


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return columns under their names; numbers to the right."""
    widths = [max(len(str(row[i])) for row in [header, *rows]) for i in range(len(header))]
    right = [all(NUMERIC.match(str(row[i])) or row[i] in ("-", "") for row in rows) and bool(rows)
             for i in range(len(header))]

    def line(row: Sequence[str]) -> str:
        cells = [str(cell).rjust(w) if r else str(cell).ljust(w)
                 for cell, w, r in zip(row, widths, right, strict=True)]
        return "  ".join(cells).rstrip()

    return "\n".join([line(header), line(["-" * w for w in widths]), *map(line, rows)])


def how_far(progress: Progress) -> list[str]:
    """Return how far a search is, most telling numbers first, and the path being searched."""
    settled, moves = progress.settled
    steps = [f"{move} ({'/'.join(number(value) for value in values.values())})"
             for move, values in progress.path]
    return [
        f"{progress.question} {progress.seconds:.0f} s", roughly(progress.nodes, "node"),
        numbers(progress.root),
        *([f"{settled} of {counted(moves, 'move')} settled"] if moves else []),
        f"{short(progress.nodes_per_second)}/s", f"{progress.bytes / 1e6:,.0f} MB",
        *([f"path {steps[0]}", *steps[1:]] if steps else []),
    ]


def short(count: float) -> str:
    """Return a count as ``12,345`` or ``12.3 M``."""
    return f"{count:,.0f}" if count < 1e5 else f"{count / 1e6:,.2f} M"


def roughly(count: int, thing: str) -> str:
    """Return a rounded count with its noun: ``1 node``, ``12.3 M nodes``."""
    return f"{short(count)} {thing}{'' if count == 1 else 's'}"


def certificate(written: Written, goal: str = "value") -> str:
    """Return a sentence about the certificate written for ``goal``, and about its check."""
    zones = written.report is not None and written.report.claims[0].wins is not None
    positions = written.positions
    checked = "" if positions is None else f"; verified: {counted(positions, 'position')}"
    size = counted(written.records, "node" if zones else "record")
    missing = {"score": "; it proves who wins, not the score",
               "shortest": "; it proves who wins, not the length"}.get(goal, "")
    return f"certificate {written.path}: {size}, {written.bytes:,} bytes{checked}{missing}"


def warn(sentence: str) -> None:
    """Print a sentence on standard error."""
    print(f"zermelo: {sentence}", file=sys.stderr, flush=True)


class Live(LiveLine):
    """Progress of a search, and then of its certificate."""

    def __init__(self, quiet: bool, what: str, unlimited: bool = False) -> None:
        super().__init__(quiet, f"loading {what} ...")
        self.what, self.unlimited = what, unlimited
        self.ticker: Ticker | None = None
        listener.tell = self.compiling

    def compiling(self, begins: bool) -> None:
        """Show how long a kernel has been compiled; in a log, the answer has the time."""
        if begins and self.ticker is None and self.terminal:
            self.ticker = Ticker(self, f"compiling {self.what}, once for this machine")
        elif not begins and self.ticker is not None:
            self.ticker.stop()
            self.ticker = None

    def close(self) -> None:
        """Wipe the line, and stop listening."""
        listener.tell = None
        super().close()

    def __call__(self, progress: Progress) -> None:
        """Show the progress, if it is time."""
        if self.unlimited and progress.seconds > LONG:
            self.unlimited = False
            self.note("no answer yet, and no limit: --time sets one, Ctrl-C stops and shows what "
                      "is known, 'zermelo analyze' looks at one move at a time.")
        if self.is_time():
            self.parts(how_far(progress))

    def note(self, sentence: str) -> None:
        """Print a sentence that stays, above the line that is rewritten, unless quiet."""
        if not self.quiet:
            self.say(sentence)

    def say(self, sentence: str) -> None:
        """Print a sentence that stays, quiet or not."""
        super().close()
        warn(sentence)

    def certificate(self, what: str, count: int) -> None:
        """Show the progress of the certificate."""
        things = "records" if what == "writing" else "positions"
        self.line(f"{what} the certificate: {count:,} {things}")


class JobLive(LiveLine):
    """Progress of the jobs of a run."""

    def __call__(self, progress: JobProgress) -> None:
        """Show the progress, if it is time."""
        if self.is_time():
            self.line(progress_text(progress))


def progress_text(progress: JobProgress) -> str:
    """Return ``jobs 12 of 600, 9 proved, 0:31, about 24:10 left``."""
    parts = [f"{progress.what} {progress.done:,} of {progress.total:,}",
             so_far(progress) if progress.values else f"{progress.solved:,} proved"]
    if progress.failed:
        parts.append(f"{progress.failed:,} failed")
    parts.append(clock(progress.seconds))
    if progress.eta is not None:
        parts.append(f"about {clock(progress.eta)} left")
    if progress.waiting:
        parts.append("waiting for another run")
    return ", ".join(parts)


def so_far(progress: JobProgress) -> str:
    """Return games won, drawn and lost as ``+6 =1 -5``."""
    won, drawn, lost = (progress.values[value] for value in ("win", "draw", "loss"))
    return f"+{won} ={drawn} -{lost}"


def clock(seconds: float) -> str:
    """Return seconds as ``1:02:03``."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
