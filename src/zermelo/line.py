"""From proved trees to a line of play.

The side that proves picks a shortest way through the proof found, the other side the reply that
lasts longest in it. A draw is two proofs, one for each side, walked side by side. Where a search
threw part of its proof away (PN2), that part is searched again.
"""

from __future__ import annotations

from zermelo.kernel.pool import UNKNOWN, WON
from zermelo.position import Position
from zermelo.search.best_first.driver import SLICE
from zermelo.search.best_first.pn import PN
from zermelo.search.best_first.question import Question

AGAIN_BYTES = 1 << 26
AGAIN_SLICE, AGAIN_SLICES = 1 << 16, 1 << 8


class Walk:
    """A place in the proof of one question."""

    def __init__(self, question: Question) -> None:
        self.question, self.node = question, 0

    def best(self) -> int | None:
        """The child to play: shortest for the prover, longest for the other; None at the end."""
        question = self.question
        nodes, lengths = question.tree.nodes, question.lengths
        status = int(nodes[self.node]["status"])
        same = [c for c in question.children(self.node) if nodes[c]["status"] == status]
        if not same:
            return None
        shorten = (int(nodes[self.node]["mover"]) == question.attacker) == (status == WON)
        pick = min if shorten else max
        return pick(same, key=lambda c: int(lengths[c]))

    def move(self, child: int) -> int:
        """The code of the move to ``child``."""
        return int(self.question.tree.nodes[child]["move"])

    def follow(self, move: int, position: Position) -> bool:
        """Go on after ``move``, which leads to ``position``; False if the proof ends there."""
        for child in self.question.children(self.node):
            if self.move(child) == move:
                self.node = child
                return self.children_or_again(position)
        return False

    def children_or_again(self, position: Position) -> bool:
        """True if the current node has children, if need be after searching it again."""
        question = self.question
        if question.children(self.node) or position.outcome is not None:
            return True
        won = int(question.tree.nodes[self.node]["status"]) == WON
        by_path = question.rules.cyclic and (question.rules.repeat is not None or not won)
        if by_path or question.plan.nested is None:
            return True  # a repetition, or a part that another path would not prove alike
        memory = max(AGAIN_BYTES, 2 * question.inner.nodes.nbytes)
        fresh = PN().ask(position, question.attacker, 0, question.plain, memory)
        for _ in range(AGAIN_SLICES):  # short ones, so that Ctrl-C is heard
            if fresh.advance(AGAIN_SLICE) != SLICE:
                break
        if fresh.status == UNKNOWN:
            return False
        self.question, self.node = fresh, 0
        return True


def proof_line(questions: list[Question]) -> list[str]:
    """The line of one proved question, or of the two that make a draw."""
    walks = [Walk(question) for question in questions]
    position, line = questions[0].position, []
    while position.outcome is None:
        walk = _who_leads(walks, position)
        child = walk.best()
        if child is None:
            break
        move = walk.move(child)
        line.append(position.game.move_name(position, move))
        position = position.play_code(move)
        if not all(walk.follow(move, position) for walk in walks):
            break
    return line


def _who_leads(walks: list[Walk], position: Position) -> Walk:
    """In a draw each side follows the proof in which it holds the other back."""
    if len(walks) == 1:
        return walks[0]
    return next(walk for walk in walks if walk.question.attacker != position.mover)
