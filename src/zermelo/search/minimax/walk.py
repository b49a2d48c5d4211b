"""Walking through a proof: every position on the way is searched again, with the same table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.search.common.status import UNKNOWN, WON
from zermelo.search.minimax.engine import Engine
from zermelo.search.minimax.score import DRAW, LOSS, WIN, plies_to_end

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.search.minimax.run import Run

WORTH, LEAST = 4, 1 << 16  # nodes for a move of the line: a multiple of those for the proof


class Walk:
    """A place in the proof of one run. Each step of a win leads nearer to its end."""

    def __init__(self, run: Run) -> None:
        self.run, self.position = run, run.position
        cyclic = run.engine.rules.cyclic  # else every way through a won game has an end
        self.within = plies_to_end(run.engine.value) if cyclic else None
        self.nodes = WORTH * run.engine.nodes + LEAST
        self.engine = Engine(run.search, run.task, run.engine)

    @property
    def prover(self) -> int:
        """Who has something to show: the attacker if it wins, else the other."""
        won = self.run.status == WON
        return self.run.attacker if won else 1 - self.run.attacker

    def best(self) -> int | None:
        """The move to play: shortest for the winner, longest for the loser; None at the end."""
        if self.run.status == UNKNOWN or self.position.outcome is not None:
            return None
        mover, won = self.position.mover, self.run.status == WON
        mine = mover == self.run.attacker
        # Until the claim is proved that the run's answer makes about this position.
        lo, hi = WIN + 1, LOSS - 1
        if won:
            lo, hi = (WIN, hi) if mine else (lo, LOSS)
        else:
            lo, hi = (lo, DRAW) if mine else (DRAW, hi)
        found = self.engine.look(self.position.state[0], mover, lo, hi, self.within, self.nodes)
        return None if found is None else found[1]

    def follow(self, move: int, position: Position) -> bool:
        """Go on after ``move``, which leads to ``position``."""
        self.position = position
        if self.within is not None:
            self.within -= 1
        return True
