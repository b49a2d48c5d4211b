"""An analysis as text: a table of the moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.cli.show import board, number, plies, signed, table
from zermelo.errors import counted
from zermelo.search.reasons import STOPPED
from zermelo.solving.result import Value

if TYPE_CHECKING:
    from zermelo.playing import Guess
    from zermelo.solving.analysis import Analysis, MoveAnalysis

FEW = 8  # this many moves without a value have a line each


def analyzed(analysis: Analysis, asked_unique: bool, guess: Guess | None = None) -> str:
    """An analysis for people."""
    parts = board(analysis.position, analysis.position.diagram)
    if analysis.moves:
        parts += ["", *_moves(analysis)] if parts[-1] else _moves(analysis)
    state = "proved" if analysis.proved else f"not proved ({analysis.stopped})"
    lasting = "" if analysis.length is None else f" in {plies(analysis.length)}"
    parts += ["", f"value: {analysis.value}{lasting}, {state}{_number(analysis)}; "
              f"{counted(analysis.nodes, 'node')}, "
              f"{analysis.seconds:.3f} s (and {analysis.compile_seconds:.2f} s to compile or load)"]
    if guess is not None:
        parts.append(f"best guess: {guess}")
    if asked_unique:
        parts.append(uniqueness(analysis))
    return "\n".join(parts)


def _moves(analysis: Analysis) -> list[str]:
    """The table, and one line for the many moves about which nothing is known."""
    unknown = [row for row in analysis.moves if row.value == Value.UNKNOWN]
    if len(unknown) <= FEW:
        unknown = []
    told = [row for row in analysis.moves if row not in unknown]
    more = {"score": ["score"], "shortest": ["length"]}.get(analysis.goal, [])
    header = ["move", "value", *more, "how", "line", "nodes"]
    lines = [table(header, [_row(row) for row in told])] if told else []
    for stopped in dict.fromkeys(row.stopped for row in unknown):
        alike = [row for row in unknown if row.stopped == stopped]
        count = f"and {len(alike)} more" if lines else f"{len(alike)}"
        lines.append(f"{count} {'move' if len(alike) == 1 else 'moves'}: unknown ({stopped}), "
                     f"{counted(sum(row.nodes for row in alike), 'node')}")
    return lines


def _row(row: MoveAnalysis) -> list[str]:
    more = {"score": [signed(row.score)], "shortest": [number(row.length)]}.get(row.goal, [])
    return [row.move, str(row.value), *more, "proved" if row.proved else row.stopped,
            " ".join(row.line), f"{row.nodes:,}"]


def _number(analysis: Analysis) -> str:
    """The score, if asked for; for a length, whether it is not known."""
    if analysis.goal == "score" and analysis.score is not None:
        return f"; score {signed(analysis.score)}"
    decided = analysis.value in (Value.WIN, Value.LOSS)
    if analysis.goal == "score" or (analysis.goal == "shortest" and decided
                                    and analysis.length is None):
        what = "score" if analysis.goal == "score" else "length"
        return f"; {what} unknown{_why(analysis)}"
    return ""


def _why(analysis: Analysis) -> str:
    stopped = STOPPED.get(analysis.stopped)
    return f": stopped by {stopped}" if analysis.proved and stopped else ""


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
