"""Whether a win depends on the squares that a game says, and a move on its square.

Random games in plain Python. Each stone must be where its move says, and every empty square a move.
Then each finished game is played again with other stones: the winner gets the squares of the win,
and everybody else goes anywhere outside them. However that goes, the same player must win as soon
as these squares are taken, unless the game has ended before.
"""

from __future__ import annotations

from random import Random
from typing import Any

import numpy as np

from zermelo.checks.findings import Findings
from zermelo.core.rules import FIRST_WINS, ONGOING, SECOND_WINS, Rules
from zermelo.core.watched import State

AGAIN = 4  # how often a game is played again with other stones
FEW = 20  # games


def check_dependence(rules: Rules, start: State, chance: Random, findings: Findings) -> int:
    """``dependence``; how many finished games were played again."""
    checked = 0
    with np.errstate(over="ignore"):
        for _ in range(FEW):
            table = _Table(rules, start)
            problem = table.play_on(chance)
            end = table.outcome()
            if problem is None and end in (FIRST_WINS, SECOND_WINS):
                problem = _other_games(table, start, end - FIRST_WINS, chance)
                checked += 1
            if problem is not None:
                findings.add("dependence", problem, table.state, fatal=True)
                return 0
    return checked


def _other_games(table: _Table, start: State, winner: int, chance: Random) -> str | None:
    """What is wrong with the squares of a win."""
    zone = table.ending()
    if zone == 0 or zone & ~table.stones(winner):
        return ("dependence.ending must return squares of the winner's stones, and some; it "
                "does not at {at}.")
    for _ in range(AGAIN):
        again = _Table(table.rules, start)
        again.play_for(winner, zone, chance)
        if again.outcome() == ONGOING and not zone & ~again.stones(winner):
            return ("dependence.ending: the squares that it returns at {at} do not win with other "
                    "stones elsewhere.")
    return None


class _Table:
    """A game being played."""

    def __init__(self, rules: Rules, start: State) -> None:
        assert rules.dependence is not None
        self.rules, self.about = rules, rules.dependence
        self.states: Any = np.zeros(2, rules.dtype).view(np.recarray)
        self.states[0] = start[0]
        self.out = np.zeros(2 * rules.max_moves + 64, np.int64)

    @property
    def state(self) -> State:
        """The position, as findings show it."""
        return np.array(self.states[:1], self.rules.dtype)

    def outcome(self) -> int:
        return int(self.rules.outcome(self.rules.data, self.states[0]))

    def mover(self) -> int:
        return int(self.rules.mover(self.rules.data, self.states[0]))

    def stones(self, side: int) -> int:
        return int(self.about.stones(self.rules.data, self.states[0], side))

    def square(self, move: int) -> int:
        return int(self.about.move(self.rules.data, move))

    def ending(self) -> int:
        return int(self.about.ending(self.rules.data, self.states[0]))

    def moves(self) -> list[int]:
        n = int(self.rules.moves(self.rules.data, self.states[0], self.out))
        return [int(move) for move in self.out[:n]]

    def play(self, move: int) -> None:
        self.rules.play(self.rules.data, self.states[0], move, self.states[1])
        self.states[0] = self.states[1]

    def play_on(self, chance: Random) -> str | None:
        """Random moves to the end; what is wrong with stones and squares."""
        full = (1 << self.about.squares) - 1
        while self.outcome() == ONGOING:
            moves, side = self.moves(), self.mover()
            own, other = self.stones(side), self.stones(1 - side)
            squares = [self.square(move) for move in moves]
            if sorted(squares) != [1 << i for i in range(self.about.squares)
                                   if (full & ~(own | other)) >> i & 1]:
                return ("dependence: moves must be the empty squares, one each, by "
                        "dependence.stones and dependence.move; they are not at {at}.")
            at = chance.randrange(len(moves))
            self.play(moves[at])
            if (self.stones(side), self.stones(1 - side)) != (own | squares[at], other):
                return ("dependence: a move must put one stone of its mover on its square, and "
                        "change nothing else; the last one before {at} does not.")
        return None

    def play_for(self, winner: int, zone: int, chance: Random) -> None:
        """Until ``winner`` has all of ``zone`` or the game is over; others go elsewhere."""
        while self.outcome() == ONGOING and zone & ~self.stones(winner):
            mine = self.mover() == winner
            moves = [move for move in self.moves() if bool(self.square(move) & zone) == mine]
            if not moves:
                return
            self.play(chance.choice(moves))
