"""Walking through a win by threats: what the table has is taken, the rest is searched again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from zermelo.core.rules import EMPTY, Array, Lines
from zermelo.search.reasons import SLICE, UNKNOWN, WON
from zermelo.search.threats.threat_search import ThreatSearch

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.search.threats.vcdt import Run

AGAIN_SLICE = 1 << 14


class Guide:
    """Answers about positions below a win, by a search of its own that knows the run's table.

    Searches beside the run leave its node counts alone.
    """

    def __init__(self, run: Run) -> None:
        own, search = run.threat_search, run.search
        self.threat_search = ThreatSearch(own.lines, own.attacker, search.depth,
                                          search.free == "anywhere", 0)
        self.threat_search.arrays = self.threat_search.arrays._replace(table=own.arrays.table)
        self.threat_search.most_entries = len(own.arrays.table)
        self.attacker = own.attacker

    def win(self, owners: Array, left: int, most: int) -> tuple[int, list[int]]:
        """The least number of turns to a win where the attacker moves, and the first of them; 0 if
        there is none within ``most``."""
        self.threat_search.aim(owners, self.attacker, left, most)
        while self.threat_search.go(AGAIN_SLICE) == SLICE:  # short ones, so that Ctrl-C is heard
            pass
        if self.threat_search.control["status"] != WON:
            return 0, []
        return int(self.threat_search.control["turns"]), self.threat_search.turn()

    def reply(self, owners: Array, left: int, most: int) -> list[int]:
        """The defender's turn that lasts longest, among those that stop all threats; if none does,
        one that stops many."""
        best, longest = list[int](), 0
        for stones in self.threat_search.stops(owners, left):
            turns, _ = self.win(after(owners, stones, 1 - self.attacker), self.per_turn, most)
            if turns > longest:
                best, longest = stones, turns
        return best or self.stopping(owners, left)

    @property
    def per_turn(self) -> int:
        """Stones a turn."""
        return self.threat_search.lines.stones

    def stopping(self, owners: Array, left: int) -> list[int]:
        """Stones on the squares that stop most threats, one after the other."""
        found: list[int] = []
        for _ in range(min(left, int((owners == EMPTY).sum()))):
            now = after(owners, found, 1 - self.attacker)
            squares = live_lines(self.threat_search.lines, now, self.attacker).ravel()
            counts = np.bincount(squares, minlength=len(now))
            found.append(int(np.argmax(np.where(now == EMPTY, counts, -1))))
        return found


def live_lines(lines: Lines, owners: Array, side: int, left: int | None = None) -> Array:
    """The lines that one turn of ``side``, or ``left`` stones of it, completes."""
    held = owners[lines.sets]
    most = lines.stones if left is None else left
    live = (held != 1 - side).all(1) & ((held == EMPTY).sum(1) <= most)
    if lines.guards is not None:
        live &= ~((lines.guards >= 0) & (owners[lines.guards] == side)).any(1)
    found: Array = lines.sets[live]
    return found


def after(owners: Array, stones: Sequence[int], side: int) -> Array:
    """The squares with further stones of ``side``."""
    copy = owners.copy()
    copy[list(stones)] = side
    return copy


class Walk:
    """A place in a win by threats, stone by stone."""

    def __init__(self, run: Run) -> None:
        self.run, self.position, self.plan = run, run.position, list[int]()
        self.most = int(run.threat_search.control["turns"])
        self.guide: Guide | None = None

    @property
    def prover(self) -> int:
        """The player whose win is proved: the attacker."""
        return self.run.attacker

    def best(self) -> int | None:
        """The next stone: of a shortest win, or of the longest reply; None at the end."""
        if self.run.status == UNKNOWN or self.position.outcome is not None:
            return None
        if not self.plan:
            self.plan = self._turn()
        return self.plan[0] if self.plan else None

    def _turn(self) -> list[int]:
        if self.guide is None:
            self.guide = Guide(self.run)
        owners, left = self.guide.threat_search.lines.read(self.position.state[0])
        if self.position.mover != self.prover:
            return list(self.guide.reply(owners, left, self.most))
        turns, stones = self.guide.win(owners, left, self.most)
        self.most = turns - 1
        return list(stones)

    def follow(self, move: int, position: Position) -> bool:
        """Go on after ``move``, which leads to ``position``."""
        self.plan = self.plan[1:] if self.plan[:1] == [move] else []
        self.position = position
        return True
