"""Walking through a proof that lies in a table. What the table has lost is searched again."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.search.common.status import UNKNOWN, WON
from zermelo.search.reasons import SLICE

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.search.depth_first.run import Run

AGAIN_SLICE, AGAIN_SLICES = 1 << 16, 1 << 12
AGAIN = AGAIN_SLICES * AGAIN_SLICE
WORTH = 4  # visits for a line, as a multiple of those for the proof
LITTLE = 1 << 10  # visits for a shorter line, beside a quarter of those for the proof
MOST = 1 << 18  # and at most this many: nobody waits for a line as long as for the proof


def nearing(run: Run, most: int = MOST) -> Run:
    """A run that proves the same win, in whose proof every step leads nearer to the end.

    In a cyclic game a winning move may lead back to where the winner was before. There the win is
    searched for again, within as many plies as the proof takes and then within fewer, down to the
    shortest: with plies to spare the winner could still go round in a circle. That may take
    WORTH times the work of the proof, and at most ``most`` visits; if it takes more, the shortest
    found so far has to do.
    """
    if not run.rules.cyclic or run.status != WON or run.task.horizon is not None:
        return run
    best, visits = run, min(WORTH * run.nodes + AGAIN_SLICE, most)
    shorter, longer = 0, run.proof_length
    horizon = longer
    while horizon > shorter and visits > 0:
        again = _within(run, horizon, visits)
        visits -= again.nodes
        if again.status == UNKNOWN:
            break
        if again.status == WON:
            best, longer = again, horizon
        else:
            shorter = horizon
        horizon = (shorter + longer) // 2
    return best


def sooner(run: Run, plies: int) -> Run | None:
    """A run that proves the same win within fewer than ``plies``, if little work finds one.

    Where a game foresees who wins, a proof says nothing about how soon. Two plies more each time,
    since the winner makes the last move.
    """
    if not run.rules.keeps_length or run.status != WON or run.task.horizon is not None:
        return None
    visits = spare_visits(run)
    for horizon in range(2 - (run.position.mover == run.attacker), plies, 2):
        again = _within(run, horizon, visits)
        visits -= again.nodes
        if again.status == WON:
            return again
        if again.status == UNKNOWN:
            break
    return None


def spare_visits(run: Run) -> int:
    """What a better line may cost, where the proof has one already."""
    return min(run.nodes // 4, MOST) + LITTLE


def _within(run: Run, horizon: int, visits: int) -> Run:
    """A win in ``horizon`` plies, searched for with some visits."""
    again = run.within(horizon)
    while again.status == UNKNOWN and again.nodes < visits:
        if again.advance(min(AGAIN_SLICE, visits)) != SLICE:  # short ones, so that Ctrl-C is heard
            break
    return again


class Walk:
    """A place in the proof of one run.

    Lengths are those of the proof, as far as the table knows them: what a quick search or a game's
    own knowledge has settled counts as the end.
    """

    def __init__(self, run: Run) -> None:
        self.run, self.position, self.plies = nearing(run), run.position, 0
        self.won, self.spare_visits = run.status == WON, spare_visits(run)

    @property
    def prover(self) -> int:
        """Who has something to show: the attacker if it wins, else the other."""
        return self.run.attacker if self.won else 1 - self.run.attacker

    def best(self) -> int | None:
        """The move to play: shortest for the prover, longest for the other; None at the end."""
        status, children = self.run.look_again(self.position.state[0], self.plies)
        if status == UNKNOWN or not children:
            return None
        same = [(length, index) for index, (_, child, length) in enumerate(children)
                if child == status]
        if not same:
            return None
        if self.position.mover == self.prover:
            return children[min(same)[1]][0]
        same.sort(key=lambda pair: (-pair[0], pair[1]))
        replies = [children[index][0] for _, index in same]
        return self._lasting(replies) if self.run.task.horizon is not None else replies[0]

    def _lasting(self, replies: list[int]) -> int:
        """Of replies to a win within a horizon, one after which it takes all plies left, as far
        as little work shows that: a win with a ply to spare can be much harder to rule out."""
        left = (self.run.task.horizon or 0) - self.plies - 1
        for move in replies:
            child = self.position.play_code(move)
            if child.outcome is None and (left <= 1 or not self._sooner(child)):
                return move
        return replies[0]

    def _sooner(self, child: Position) -> bool:
        """Whether the game after a reply is seen to be won with a ply to spare."""
        if self.spare_visits <= 0:
            return False
        before = self.run.looked
        status, _ = self.run.look_again(child.state[0], self.plies + 2, self.spare_visits)
        self.spare_visits -= self.run.looked - before
        return status == WON

    def follow(self, move: int, position: Position) -> bool:
        """Go on after ``move``, which leads to ``position``."""
        self.position = position
        self.plies += 1
        return True
