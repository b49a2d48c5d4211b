"""Run: one threat search in progress, seen from Python. Does the attacker win by threats?"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from zermelo.core.rules import OUTCOMES
from zermelo.errors import BadOption
from zermelo.search.base import Task
from zermelo.search.common.status import LOST, UNKNOWN, WON
from zermelo.search.reasons import NEVER, SOLVED
from zermelo.search.threats.hunt import Hunter
from zermelo.search.threats.stops import FULL
from zermelo.search.threats.turns import MOST_STONES

if TYPE_CHECKING:
    from zermelo.search.threats.vcdt import VCDT
    from zermelo.search.threats.walk import Walk


class Run:
    """A hunt for a win; ``status`` is UNKNOWN or WON for the attacker, and LOST only where the
    game is over: that there is no win by threats says nothing about other wins."""

    arrived = False  # no conclusion short of a proof
    leans_to_win = False

    def __init__(self, search: VCDT, task: Task) -> None:
        self.search, self.task = search, task
        self.position, self.attacker, self.plain = task.position, task.attacker, task.plain
        self.rules = task.position.game.rules
        self.hunter = Hunter(search.lines_of(task.position.game), task.attacker, search.depth,
                             search.free == "anywhere", task.memory)
        self.owners, self.left = self.hunter.lines.read(task.position.state[0])
        if self.left > MOST_STONES:  # the first turn of a game may be longer than the others
            raise BadOption(f"{search.id} knows turns of up to {MOST_STONES} stones, and "
                            f"{self.left} are left in this one; use another search.")
        if self.finished == UNKNOWN:
            self.hunter.aim(self.owners, task.position.mover, self.left, search.depth)

    @cached_property
    def finished(self) -> int:
        """The status of a game that is over, else UNKNOWN."""
        end = self.position.outcome
        return UNKNOWN if end is None else WON if end == OUTCOMES[1 + self.attacker] else LOST

    def advance(self, budget: int, node_limit: int = NEVER, pause: int = NEVER) -> int:
        """At most ``budget`` visits; why the loop came back (see ``reasons``)."""
        if self.finished != UNKNOWN:
            return SOLVED
        self.hunter.control["limit"] = node_limit
        self.hunter.control["pause"] = pause
        return self.hunter.go(budget)

    def grow(self, memory: int) -> None:
        """Use up to ``memory`` bytes from now on."""
        self.hunter.allow(memory)
        self.hunter.set_full()

    @property
    def status(self) -> int:
        """UNKNOWN, WON or LOST."""
        return self.finished if self.finished != UNKNOWN else int(self.hunter.control["status"])

    @property
    def nodes(self) -> int:
        """Visits: turns played on the board, and the root once for each number of turns tried."""
        return int(self.hunter.control["nodes"])

    @property
    def iterations(self) -> int:
        """Visits at which turns or replies had to be found."""
        return int(self.hunter.control["expansions"])

    @property
    def counters(self) -> dict[str, Any]:
        """What is counted beside nodes and iterations: nothing."""
        return {}

    @property
    def bytes(self) -> int:
        """The memory in use."""
        return self.hunter.bytes

    def numbers(self) -> dict[str, Any]:
        """The attacker's turns: to the win, or how many were tried."""
        return {} if self.finished != UNKNOWN else {"turns": int(self.hunter.control["turns"])}

    @cached_property
    def turn(self) -> list[int]:
        """The attacker's winning turn in the root, if it moves there and wins."""
        won = self.finished == UNKNOWN and self.status == WON
        return self.hunter.turn() if won and self.position.mover == self.attacker else []

    def moves(self) -> list[tuple[int, int, dict[str, Any]]]:
        """The root's moves that are known to win: the stones of the turn, in either order."""
        return [(stone, WON, self.numbers()) for stone in self.turn]

    def chosen(self) -> int | None:
        """The root's move that would be played now; None while there is none."""
        return self.turn[0] if self.turn else None

    @property
    def path(self) -> list[tuple[int, dict[str, Any]]]:
        """The stones on the board beyond those of the root, with the turns allowed."""
        found: list[tuple[int, dict[str, Any]]] = []
        frames, turns = self.hunter.hunt.frames, self.hunter.hunt.turns
        for level in range(int(self.hunter.control["level"])):
            numbers = {"turns": int(frames[level]["turns"])}
            row = turns.moves[int(frames[level]["at"])]
            found += [(int(stone), numbers) for stone in row if stone != FULL]
        return found

    def walk(self) -> Walk:
        """A walk through the win found."""
        from zermelo.search.threats.walk import Walk

        return Walk(self)
