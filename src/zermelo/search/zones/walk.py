"""Walking through a win found by zones: turns of the search first, then a win by threats."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.search.base import Task
from zermelo.search.reasons import SLICE, UNKNOWN, WON
from zermelo.search.threats.vcdt import VCDT
from zermelo.search.threats.vcdt import Run as ThreatRun
from zermelo.search.threats.walk import Walk as ThreatWalk
from zermelo.search.zones.game import VICTORY

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.search.zones.generator import Turn
    from zermelo.search.zones.run import Run

THREAT_MEMORY, THREAT_SLICE = 1 << 24, 1 << 14


def threats_of(position: Position, attacker: int, depth: int) -> ThreatRun:
    """An answered run about a win by threats."""
    run = VCDT(depth=depth).start(Task(position, attacker, THREAT_MEMORY))
    while run.advance(THREAT_SLICE) == SLICE:  # short ones, so that Ctrl-C is heard
        pass
    return run


class Walk:
    """A place in the win, stone by stone."""

    def __init__(self, run: Run) -> None:
        self.run, self.position = run, run.position
        self.game, self.attacker = run.game, run.attacker
        self.inner = run.inner.walk()
        self.place: Position | None = run.inner.position
        self.plan, self.child = list[int](), -1
        self.threats: ThreatWalk | None = None

    def best(self) -> int | None:
        """The next stone: of a shortest win, or of the longest reply; None at the end."""
        if self.run.status == UNKNOWN or self.position.outcome is not None:
            return None
        if self.threats is None and not self.plan:
            self._plan()
        if self.threats is not None:
            return self.threats.best()
        return self.plan[0] if self.plan else None

    def _plan(self) -> None:
        """The next turn, or the win by threats that ends the game."""
        place = self.place
        node = None if place is None else self.game.node_of(place)
        if place is None or node is None or VICTORY in node.children:
            won = threats_of(self.position, self.attacker, self.run.zones.depth)
            self.threats = won.walk() if won.status == WON else None
            return
        turn: Turn = node.longest
        self.child = -1
        if node.children:
            best = self.inner.best()
            if best is None:
                return
            turn, self.child = self.game.turn_to(place, best), best
        self.plan = list(turn)

    def follow(self, move: int, position: Position) -> bool:
        """Go on after ``move``, which leads to ``position``."""
        self.position = position
        if self.threats is not None:
            return self.threats.follow(move, position)
        if self.plan[:1] != [move]:
            return False
        self.plan = self.plan[1:]
        if not self.plan:
            place, self.place = self.place, None
            if place is not None and self.child >= 0:
                self.place = place.play_code(self.child)
                self.inner.follow(self.child, self.place)
        return True
