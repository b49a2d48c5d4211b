"""guess(): a move to play where nothing is proved, and what speaks for it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from zermelo.errors import BadOption, quoted
from zermelo.solving.result import Limits, Value
from zermelo.solving.session import Session

BY_EVALUATION = "pvs"
SHARE, MOST_SECONDS, MOST_NODES = 10, 1.0, 100_000  # a tenth of the limits, and never more
LEAST_SECONDS, LEAST_NODES = 0.01, 100  # less is not worth the loading
MEMORY = 1 << 26


@dataclass(frozen=True)
class Guess:
    """A move that is not proved to be best. ``by``: the search that would play it.

    ``depth``: how many plies a search with the game's evaluation has looked ahead; None where the
    move is the one that the proof search finds most promising, or the ``only`` one that is not
    proved to lose.
    """

    move: str
    by: str
    depth: int | None = None
    only: bool = False

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON output."""
        return {"move": self.move, "by": self.by, "depth": self.depth, "only": self.only}

    def __str__(self) -> str:
        if self.only:
            return f"{self.move} (every other move loses)"
        how = f"{self.by} to depth {self.depth}" if self.depth else f"most promising to {self.by}"
        return f"{self.move} (not proved; {how})"


def guess(session: Session, limits: Limits | None = None, *,
          losing: Collection[str] = ()) -> Guess | None:
    """A move for a session that has not proved which is best; None if there is no telling.

    PVS looks ahead with the game's evaluation, for a tenth of the ``limits`` of the session and at
    most 100,000 nodes where there is one on nodes, else one second. Where the game has no
    evaluation, or the session is plain or was interrupted, it is the move that its own search finds
    most promising. ``losing``: moves that are known to lose, beside those that the session knows.
    """
    if not isinstance(session, Session):
        raise BadOption(f"guess needs a Session, such as zermelo.start(position), not "
                        f"{quoted(session)}.")
    position, own = session.position, session.search.id
    if position.outcome is not None:
        return None
    known = [row.move for row in session.answer.moves()
             if session.player == position.mover and row.value == Value.LOSS]
    lost = {*losing, *known}
    left = [move for move in position.moves() if move not in lost]
    if len(left) == 1:
        return Guess(left[0], own, only=True)
    found = [_by_evaluation(session, limits or Limits()), _own(session)]
    return next((each for each in found if each is not None and each.move in left), None)


def _by_evaluation(session: Session, limits: Limits) -> Guess | None:
    position = session.position
    if position.game.rules.evaluate is None or session.by_rules or (
            session.runs and session.stopped == "interrupted"):
        return None
    nodes, seconds = _budget(limits)
    if (nodes is not None and nodes < LEAST_NODES) or (
            seconds is not None and seconds < LEAST_SECONDS):
        return None
    ahead = Session(position, BY_EVALUATION, seed=session.seed)
    ahead.prepare(Limits(memory=MEMORY))  # compiling takes nothing of the budget
    ahead.advance(Limits(nodes=nodes, time=seconds, memory=MEMORY))
    run = ahead.runs[-1]
    chosen, depth = run.chosen(), run.numbers().get("depth")
    if chosen is None or not depth:
        return None
    return Guess(ahead.answer.move_name(chosen), BY_EVALUATION, depth)


def _budget(limits: Limits) -> tuple[int | None, float | None]:
    """Nodes and seconds: no seconds where nodes alone are limited, so that it is the same move."""
    nodes = None if limits.nodes is None else min(limits.nodes // SHARE, MOST_NODES)
    if limits.time is None:
        return nodes, (MOST_SECONDS if nodes is None else None)
    return nodes, min(limits.time / SHARE, MOST_SECONDS)


def _own(session: Session) -> Guess | None:
    """What the search itself would play, as far as it has come."""
    chosen = next((code for run in reversed(session.runs)
                   if (code := run.chosen()) is not None), None)
    if chosen is None:
        return None
    return Guess(session.answer.move_name(chosen), session.search.id)
