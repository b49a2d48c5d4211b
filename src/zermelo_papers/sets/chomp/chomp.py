"""Chomp, as a game in a file of its own, for ``lab run all-searches``.

A bar of chocolate: a move eats a square with all that is above it and to its right, and whoever
takes the last one, bottom left, loses. A state is the length of each row, from the bottom.
"""

import numpy as np

from zermelo import FIRST_WINS, ONGOING, SECOND_WINS, BadPosition, Game, Rules

SIDE = 8  # columns and rows at most


def moves(g, s, out):
    """Every square that is left: row * SIDE + column."""
    n = 0
    for row in range(SIDE):
        for column in range(s.rows[row]):
            out[n] = row * SIDE + column
            n += 1
    return n


def play(g, s, move, t):
    """From the row of the square upwards, no row is longer than its column."""
    row, column = move // SIDE, move % SIDE
    for r in range(SIDE):
        t.rows[r] = s.rows[r] if r < row else min(s.rows[r], column)
    t.turn = 1 - s.turn


def mover(g, s):
    """0 or 1."""
    return s.turn


def outcome(g, s):
    """When nothing is left, the other player has just taken the last square."""
    if s.rows[0] > 0:
        return ONGOING
    return FIRST_WINS if s.turn == 0 else SECOND_WINS


def key(g, s):
    """The rows and the turn as the digits of one number."""
    number = s.turn
    for row in range(SIDE):
        number = number * (SIDE + 1) + s.rows[row]
    return np.uint64(number)


class Chomp(Game):
    """The rules above; a position is written as its rows from the bottom, ``4,4,2 first``."""

    def define(self):
        """What the searches need to know."""
        return Rules(
            state=[("rows", "i8", (SIDE,)), ("turn", "i8")],
            max_moves=SIDE * SIDE, max_length=SIDE * SIDE,
            moves=moves, play=play, mover=mover, outcome=outcome, key=key, exact_key=True,
        )

    def start(self):
        """A small bar."""
        return self.read("4,4,4 first")

    def read(self, text):
        """As ``format`` writes it."""
        bar, _, side = text.partition(" ")
        numbers = bar.split(",")
        rows = [int(number) for number in numbers if number.isdecimal() and len(number) == 1]
        fits = len(rows) == len(numbers) <= SIDE and [SIDE, *rows] == sorted([SIDE, *rows])[::-1]
        if not fits or side not in self.players:
            raise BadPosition(f"chomp: {text[:40]!r} is not a bar, such as '4,4,2 first'.")
        return self.position(rows=[*rows, *[0] * (SIDE - len(rows))],
                             turn=self.players.index(side))

    def format(self, position):
        """The rows that are left, and who moves."""
        rows = [str(n) for n in position.state[0]["rows"] if n > 0]
        return f"{','.join(rows) or '0'} {position.to_move}"

    def move_name(self, position, move):
        """A letter for the column, a number for the row."""
        return f"{'abcdefgh'[move % SIDE]}{move // SIDE + 1}"
