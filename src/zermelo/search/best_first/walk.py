"""Walking through a proof that lies in a tree.

Where a search threw part of its proof away (PN2), that part is searched again.
"""

from __future__ import annotations

from zermelo.core.position import Position
from zermelo.search.base import Task
from zermelo.search.best_first.pn import PN
from zermelo.search.best_first.run import Run
from zermelo.search.common.status import UNKNOWN, WON
from zermelo.search.reasons import SLICE

AGAIN_BYTES = 1 << 26
AGAIN_SLICE, AGAIN_SLICES = 1 << 16, 1 << 8


class Walk:
    """A place in the proof of one question."""

    def __init__(self, question: Run) -> None:
        self.question, self.node = question, 0

    @property
    def prover(self) -> int:
        """Who has something to show: the attacker if it wins, else the other."""
        won = self.question.status == WON
        return self.question.attacker if won else 1 - self.question.attacker

    def best(self) -> int | None:
        """The move to play: shortest for the prover, longest for the other; None at the end."""
        question = self.question
        nodes, lengths = question.tree.nodes, question.lengths
        status = int(nodes[self.node]["status"])
        same = [c for c in question.children(self.node) if nodes[c]["status"] == status]
        if not same:
            return None
        shorten = (int(nodes[self.node]["mover"]) == question.attacker) == (status == WON)
        pick = min if shorten else max
        return self._move(pick(same, key=lambda c: int(lengths[c])))

    def _move(self, child: int) -> int:
        return int(self.question.tree.nodes[child]["move"])

    def follow(self, move: int, position: Position) -> bool:
        """Go on after ``move``, which leads to ``position``; False if the proof ends there."""
        for child in self.question.children(self.node):
            if self._move(child) == move:
                self.node = child
                return self._children_or_again(position)
        return False

    def _children_or_again(self, position: Position) -> bool:
        """True if the current node has children, if need be after searching it again."""
        question = self.question
        if question.children(self.node) or position.outcome is not None:
            return True
        won = int(question.tree.nodes[self.node]["status"]) == WON
        by_path = question.rules.cyclic and (question.rules.repeat is not None or not won)
        if by_path or question.plan.nested is None:
            return True  # a repetition, or a part that another path would not prove alike
        memory = max(AGAIN_BYTES, 2 * question.inner.nodes.nbytes)
        fresh = PN().start(Task(position, question.attacker, memory, plain=question.plain,
                              candidates=question.candidates))
        for _ in range(AGAIN_SLICES):  # short ones, so that Ctrl-C is heard
            if fresh.advance(AGAIN_SLICE) != SLICE:
                break
        if fresh.status == UNKNOWN:
            return False
        self.question, self.node = fresh, 0
        return True
