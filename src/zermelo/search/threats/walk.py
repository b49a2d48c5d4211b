"""Walking through a win by threats: what the table has is taken, the rest is searched again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.core.winning_lines import EMPTY, Array, Lines
from zermelo.search.common.status import UNKNOWN, WON
from zermelo.search.reasons import SLICE
from zermelo.search.threats.hunt import Hunter

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.search.threats.run import Run

AGAIN_SLICE = 1 << 14


class Guide:
    """Answers about positions below a win, with a hunt of its own that knows the question's table.

    Searches beside the question leave its counts alone.
    """

    def __init__(self, question: Run) -> None:
        own, search = question.hunter, question.search
        self.hunter = Hunter(own.lines, own.attacker, search.depth, search.free == "anywhere", 0)
        self.hunter.hunt = self.hunter.hunt._replace(table=own.hunt.table)
        self.hunter.most_entries = len(own.hunt.table)
        self.attacker = own.attacker

    def win(self, owners: Array, left: int, most: int) -> tuple[int, list[int]]:
        """The least number of turns to a win where the attacker moves, and the first of them; 0 if
        there is none within ``most``."""
        self.hunter.aim(owners, self.attacker, left, most)
        while self.hunter.go(AGAIN_SLICE) == SLICE:  # short ones, so that Ctrl-C is heard
            pass
        if self.hunter.control["status"] != WON:
            return 0, []
        return int(self.hunter.control["turns"]), self.hunter.turn()

    def reply(self, owners: Array, left: int, most: int) -> list[int]:
        """The defender's turn that lasts longest, among those that stop all threats; if none does,
        one that stops many."""
        best, longest = list[int](), 0
        for stones in self.hunter.stops(owners, left):
            turns, _ = self.win(after(owners, stones, 1 - self.attacker), self.per_turn, most)
            if turns > longest:
                best, longest = stones, turns
        return best or self.stopping(owners, left)

    @property
    def per_turn(self) -> int:
        """Stones a turn."""
        return self.hunter.lines.stones

    def stopping(self, owners: Array, left: int) -> list[int]:
        """Stones on the squares that stop most threats, one after the other."""
        found: list[int] = []
        for _ in range(min(left, int((owners == EMPTY).sum()))):
            now = after(owners, found, 1 - self.attacker)
            squares = live_lines(self.hunter.lines, now, self.attacker).ravel()
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

    def __init__(self, question: Run) -> None:
        self.question, self.position, self.plan = question, question.position, list[int]()
        self.most = int(question.hunter.control["turns"])
        self.guide: Any = None

    @property
    def prover(self) -> int:
        """Who has something to show."""
        return self.question.attacker

    def best(self) -> int | None:
        """The next stone: of a shortest win, or of the longest reply; None at the end."""
        if self.question.status == UNKNOWN or self.position.outcome is not None:
            return None
        if not self.plan:
            self.plan = self._turn()
        return self.plan[0] if self.plan else None

    def _turn(self) -> list[int]:
        if self.guide is None:
            self.guide = Guide(self.question)
        owners, left = self.guide.hunter.lines.read(self.position.state[0])
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
