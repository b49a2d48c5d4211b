"""What annotate() returns: plain frozen records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from zermelo.core.position import Position
from zermelo.errors import counted
from zermelo.game_records.views import annotation_html
from zermelo.search.base import Search
from zermelo.search.reasons import STOPPED
from zermelo.solving.result import Value


@dataclass(frozen=True)
class Note:
    """One position of the record and the move that was played there.

    ``value`` is for the side to move, ``first`` the same for the first player; where they are not
    exact, ``at_least`` and ``at_most`` (for the side to move) are what is proved. ``kept``: whether
    the move played kept the value, None if that is not known or there was none. Where it did not,
    ``best`` are the moves that do, and ``unsettled`` those about which that is not known. With
    ``goal`` score it is the ``score``, for the side to move, that is kept or not; with shortest
    there is the ``length`` of a win or loss in plies. Both are None where they are not known.
    """

    ply: int
    position: Position
    value: Value
    first: Value
    at_least: Value
    at_most: Value
    proved: bool
    concluded: bool
    stopped: str
    nodes: int
    move: str | None = None
    kept: bool | None = None
    best: tuple[str, ...] = ()
    unsettled: tuple[str, ...] = ()
    goal: str = "value"
    score: int | None = None
    length: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON output."""
        return {
            "ply": self.ply, "position": self.position.text, "to_move": self.position.to_move,
            "value": str(self.value), "first": str(self.first), "at_least": str(self.at_least),
            "at_most": str(self.at_most), "proved": self.proved, "concluded": self.concluded,
            "stopped": self.stopped, "nodes": self.nodes, "move": self.move, "kept": self.kept,
            "best": list(self.best), "unsettled": list(self.unsettled),
            **({"score": self.score} if self.goal == "score" else {}),
            **({"length": self.length} if self.goal == "shortest" else {}),
        }


@dataclass(frozen=True)
class Turn:
    """A move that gave value away: what the position was worth to its player before and after.

    With ``goal`` score, a move that gave away some of the score: ``scores`` before and after. With
    shortest, the ``lengths`` of the win or loss before and after.
    """

    ply: int
    player: str
    move: str
    before: Value
    after: Value
    best: tuple[str, ...]
    unsettled: tuple[str, ...]
    goal: str = "value"
    scores: tuple[int | None, int | None] = (None, None)
    lengths: tuple[int | None, int | None] = (None, None)

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON output."""
        return {"ply": self.ply, "player": self.player, "move": self.move,
                "before": str(self.before), "after": str(self.after), "best": list(self.best),
                "unsettled": list(self.unsettled),
                **({"scores": list(self.scores)} if self.goal == "score" else {}),
                **({"lengths": list(self.lengths)} if self.goal == "shortest" else {})}

    def __str__(self) -> str:
        rest = f", perhaps also {' '.join(self.unsettled)}" if self.unsettled else ""
        who = f"move {self.ply} ({self.player} {self.move})"
        better = " ".join(self.best)
        if self.goal == "score":
            before, after = self.scores
            lost = "points" if before is None or after is None else counted(before - after,
                                                                                  "point")
            now = "less" if after is None else signed(after)
            return f"{who} gave away {lost}: {now}; better: {better} ({signed(before)}){rest}"
        earlier, later = self.lengths
        now = "not a win" if self.after == Value.NOT_WIN else str(self.after)
        return (f"{who} threw away a {self.before}{lasting(earlier)}: {now}{lasting(later)}; "
                f"better: {better}{rest}")


def signed(score: int | None) -> str:
    """A score as people write it: ``+4``, ``0``; ``?`` where it is not known."""
    return "?" if score is None else f"{score:+d}" if score else "0"


def lasting(length: int | None) -> str:
    """`` in 9 plies``; nothing where the length is not known."""
    return "" if length is None else f" in {length} {'ply' if length == 1 else 'plies'}"


@dataclass(frozen=True)
class Annotation:
    """A game record with the value of each of its positions, and its turns."""

    search: Search
    moves: list[str]
    positions: list[Note]
    turns: list[Turn]
    nodes: int
    seconds: float
    compile_seconds: float
    seed: int = 0
    goal: str = "value"

    _repr_html_ = annotation_html

    @property
    def proved(self) -> bool:
        """Every position has a proved value."""
        return all(note.proved for note in self.positions)

    @property
    def concluded(self) -> bool:
        """Every position has a value, proved or within the precision that was asked for."""
        return all(note.concluded for note in self.positions)

    @property
    def stopped(self) -> str:
        """``solved``, or why the last position without a proved value has none."""
        reasons = [note.stopped for note in self.positions if not note.proved]
        return reasons[-1] if reasons else "solved"

    @property
    def exit_status(self) -> int:
        """0 proved, 11 concluded at a precision, 10 unknown."""
        return 0 if self.proved else 11 if self.concluded else 10

    def __str__(self) -> str:
        unknown = sum(not note.proved for note in self.positions)
        if self.turns:
            lines = [str(turn) for turn in self.turns]
        else:
            lines = [f"no move {'is known to have thrown' if unknown else 'threw'} anything away"]
        if unknown:
            wanted = {"score": "score", "shortest": "value or length"}.get(self.goal, "value")
            lines.append(f"{unknown} of {counted(len(self.positions), 'position')} have no proved "
                         f"{wanted}: stopped by {STOPPED.get(self.stopped, self.stopped)}")
        return "\n".join(lines)

    def to_dict(self) -> dict[str, Any]:
        """The JSON object that ``zermelo annotate --json`` prints."""
        begin = self.positions[0].position
        return {
            "game": begin.game.name, "parameters": begin.game.changed, "start": begin.text,
            "moves": self.moves, "search": self.search.id, "options": self.search.options,
            "seed": self.seed, "goal": self.goal, "proved": self.proved,
            "concluded": self.concluded,
            "stopped": self.stopped, "nodes": self.nodes, "seconds": round(self.seconds, 6),
            "compile_seconds": round(self.compile_seconds, 6),
            "turns": [turn.to_dict() for turn in self.turns],
            "positions": [note.to_dict() for note in self.positions],
        }
