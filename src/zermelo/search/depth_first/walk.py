"""Walking through a proof that lies in a table. What the table has lost is searched again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.kernel.pool import UNKNOWN, WON

if TYPE_CHECKING:
    from zermelo.position import Position
    from zermelo.search.depth_first.question import Question


class Walk:
    """A place in the proof of one question.

    Lengths are those of the proof, as far as the table knows them: what a quick search or a rule of
    thumb has settled counts as the end.
    """

    def __init__(self, question: Question) -> None:
        self.question, self.position, self.plies = question, question.position, 0
        self.won = question.status == WON

    @property
    def prover(self) -> int:
        """Who has something to show: the attacker if it wins, else the other."""
        return self.question.attacker if self.won else 1 - self.question.attacker

    def best(self) -> int | None:
        """The move to play: shortest for the prover, longest for the other; None at the end."""
        status, kids = self.question.look_again(self.position.state[0], self.plies)
        if status == UNKNOWN or not kids:
            return None
        same = [(length, index) for index, (_, kid, length) in enumerate(kids) if kid == status]
        if not same:
            return None
        if self.position.mover == self.prover:
            return kids[min(same)[1]][0]
        return kids[max(same, key=lambda pair: (pair[0], -pair[1]))[1]][0]

    def follow(self, move: int, position: Position) -> bool:
        """Go on after ``move``, which leads to ``position``."""
        self.position = position
        self.plies += 1
        return True
