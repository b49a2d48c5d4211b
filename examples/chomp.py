"""Chomp: two players eat a bar of chocolate, and whoever takes the poisoned square loses.

    zermelo solve examples/chomp.py:Chomp 4x3

A move names a square: it is eaten with all that is above it and to its right. The square a1, bottom
left, is the poisoned one. A state is the length of each row, from the bottom, and whose turn it is.
"""

import re

import numpy as np

from zermelo import FIRST_WINS, ONGOING, SECOND_WINS, BadPosition, Game, Rules

SIDE = 8  # the largest bar has 8 columns and 8 rows


def moves(g, s, out):
    """Every square that is left, as a number: row * SIDE + column, both from 0."""
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
    """Who moves: 0, the first player, or 1."""
    return s.turn


def outcome(g, s):
    """When nothing is left, the other player has just taken the poisoned square."""
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
    """The rules above, and how positions and moves are written."""

    def define(self):
        """What the searches need to know."""
        return Rules(
            state=[("rows", "i8", (SIDE,)), ("turn", "i8")],
            max_moves=SIDE * SIDE, max_length=SIDE * SIDE,
            moves=moves, play=play, mover=mover, outcome=outcome, key=key, exact_key=True,
        )

    def start(self):
        """A small bar."""
        return self.read("4x3")

    def read(self, text):
        """``4x3``, 4 columns and 3 rows, or the rows from the bottom: ``4,4,2 second``."""
        bar, *side = text.split()
        full = re.fullmatch("([1-8])x([1-8])", bar)
        try:
            rows = [int(full[1])] * int(full[2]) if full else [int(n) for n in bar.split(",")]
            turn = self.players.index(" ".join(side) or "first")
            if sorted([SIDE, *rows, 0], reverse=True) != [SIDE, *rows, 0] or len(rows) > SIDE:
                raise ValueError
        except ValueError:
            raise BadPosition(f"chomp: {text[:40]!r} is not a bar; try 4x3 or 4,4,2 second."
                              ) from None
        return self.position(rows=rows + [0] * (SIDE - len(rows)), turn=turn)

    def format(self, position):
        """The rows that are left, and who moves."""
        rows = [str(n) for n in position.state[0]["rows"] if n > 0]
        return f"{','.join(rows) or '0'} {position.to_move}"

    def move_name(self, position, move):
        """A letter for the column, a number for the row."""
        return f"{'abcdefgh'[move % SIDE]}{move // SIDE + 1}"
