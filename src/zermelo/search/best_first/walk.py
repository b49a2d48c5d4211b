"""Walking through a proof that lies in a tree.

Where a search threw part of its proof away (PN2), that part is searched again.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.search.common.status import UNKNOWN, WON
from zermelo.search.reasons import SLICE

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.search.best_first.run import Run

AGAIN_BYTES = 1 << 26
AGAIN_SLICE, AGAIN_SLICES = 1 << 16, 1 << 8


class Walk:
    """A place in the proof of one run."""

    def __init__(self, run: Run) -> None:
        self.run, self.node = run, 0

    @property
    def prover(self) -> int:
        """Who has something to show: the attacker if it wins, else the other."""
        won = self.run.status == WON
        return self.run.attacker if won else 1 - self.run.attacker

    def best(self) -> int | None:
        """The move to play: shortest for the prover, longest for the other; None at the end."""
        run = self.run
        nodes, lengths = run.tree.nodes, run.lengths
        status = int(nodes[self.node]["status"])
        same = [c for c in run.children(self.node) if nodes[c]["status"] == status]
        if not same:
            return None
        shorten = (int(nodes[self.node]["mover"]) == run.attacker) == (status == WON)
        pick = min if shorten else max
        return self._move(pick(same, key=lambda c: int(lengths[c])))

    def _move(self, child: int) -> int:
        return int(self.run.tree.nodes[child]["move"])

    def follow(self, move: int, position: Position) -> bool:
        """Go on after ``move``, which leads to ``position``; False if the proof ends there."""
        for child in self.run.children(self.node):
            if self._move(child) == move:
                self.node = child
                return self._children_or_again(position)
        return False

    def _children_or_again(self, position: Position) -> bool:
        """True if the current node has children, if need be after searching it again."""
        run = self.run
        if run.children(self.node) or position.outcome is not None:
            return True
        won = int(run.tree.nodes[self.node]["status"]) == WON
        by_path = run.rules.cyclic and (run.rules.repeat is not None or not won)
        fresh = None if by_path else run.again(position, AGAIN_BYTES)
        if fresh is None:
            return True  # a repetition, or a part that another path would not prove alike
        for _ in range(AGAIN_SLICES):  # short ones, so that Ctrl-C is noticed
            if fresh.advance(AGAIN_SLICE) != SLICE:
                break
        if fresh.status == UNKNOWN:
            return False
        self.run, self.node = fresh, 0
        return True
