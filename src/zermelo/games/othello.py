"""Othello on 8x8, 6x6 and 4x4 boards.

A state is two words, ``own`` for the discs of the player to move and ``opp`` for the other's, and
``turn``, who moves. Bit 8 * row + column is a square, rows from the top and columns from the left;
smaller boards stand in the middle, so that all sizes share their shifts and their symmetries:

             a  b  c  d  e  f  g  h
          1  0  1  2  3  4  5  6  7
          2  8  9 10 11 12 13 14 15      a 6x6 board is the bits 9..14, 17..22, ..., 49..54,
          3 16 17 18 19 20 21 22 23      a 4x4 board the bits 18..21, ..., 42..45
          .  .  .  .  .  .  .  .  .
          8 56 57 58 59 60 61 62 63

The code of a move is the bit of its square; 64 is the pass. Moves come in the order of the bits.
"""

import re
from typing import ClassVar

from zermelo import svg
from zermelo.errors import BadMove, BadOption, BadPosition, quoted
from zermelo.game import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, Game, Parameter, Rules
from zermelo.kernel.bits import ONE, ZERO, lowest, mix, popcount, word
from zermelo.kernel.rng import GAMMA, next_counter
from zermelo.position import Position

PASS = 64
PASSES = ("pass", "pa", "ps", "--")
SIDES = {"X": 0, "x": 0, "0": 0, "O": 1, "o": 1, "1": 1}
LETTERS = {"X": 0, "x": 0, "O": 1, "o": 1, "-": None, ".": None}
DIGITS = {"0": 0, "1": 1, "*": None}
GGF = {"*": 0, "O": 1, "-": None}
SWAPS = tuple(
    (word(shift), word(mask))
    for shift, mask in ((7, 0x00AA00AA00AA00AA), (14, 0x0000CCCC0000CCCC), (28, 0x00000000F0F0F0F0))
)


def transposed(x):  # type: ignore[no-untyped-def]
    """The board ``x`` with rows and columns exchanged."""
    for shift, mask in SWAPS:
        swap = (x ^ (x >> shift)) & mask
        x ^= swap ^ (swap << shift)
    return x


def mirrored(x):  # type: ignore[no-untyped-def]
    """The board ``x`` with left and right exchanged."""
    x = ((x >> 1) & word(0x5555555555555555)) | ((x & word(0x5555555555555555)) << 1)
    x = ((x >> 2) & word(0x3333333333333333)) | ((x & word(0x3333333333333333)) << 2)
    return ((x >> 4) & word(0x0F0F0F0F0F0F0F0F)) | ((x & word(0x0F0F0F0F0F0F0F0F)) << 4)


def flipped(x):  # type: ignore[no-untyped-def]
    """The board ``x`` with top and bottom exchanged."""
    x = ((x >> 8) & word(0x00FF00FF00FF00FF)) | ((x & word(0x00FF00FF00FF00FF)) << 8)
    x = ((x >> 16) & word(0x0000FFFF0000FFFF)) | ((x & word(0x0000FFFF0000FFFF)) << 16)
    return (x >> 32) | (x << 32)


def squares(size: int) -> list[int]:
    """The bits of a board of ``size``, row by row from the top."""
    first = (8 - size) // 2
    return [8 * row + column for row in range(first, first + size)
            for column in range(first, first + size)]


class Othello(Game):
    """X begins; a disc must enclose discs of the other colour, which turn; more discs win."""

    name = "othello"
    players = ("X", "O")
    parameters: ClassVar[dict[str, Parameter]] = {
        "size": Parameter(8, "rows and columns: 4, 6 or 8", low=4, high=8),
        "no_move": Parameter("pass", "a player who can't move: passes, or loses at once",
                             choices=("pass", "loses")),
    }

    def check_parameters(self) -> None:
        """Odd boards have no middle."""
        if self["size"] % 2:
            raise BadOption(f"othello: size={self['size']} is not one of 4, 6, 8.")

    def define(self) -> Rules:
        """The rules as bit operations; runs of discs are followed in all directions at once."""
        size, passes = self["size"], self["no_move"] == "pass"
        cells = squares(size)
        board = word(sum(1 << bit for bit in cells))
        # A run that can be enclosed never stands on the rim in the direction of the run; without
        # the first and last column no shift runs into the next row.
        middle = word(sum(1 << bit for bit in cells if cells[0] % 8 < bit % 8 < 7 - cells[0] % 8))
        doublings = (size - 4) // 2

        def run_up(start, through, d):  # type: ignore[no-untyped-def]
            """The squares of ``through`` in unbroken runs from ``start`` in steps of +d bits."""
            run = through & (start << d)
            run |= through & (run << d)
            pairs = through & (through << d)
            for _ in range(doublings):
                run |= pairs & (run << (2 * d))
            return run

        def run_down(start, through, d):  # type: ignore[no-untyped-def]
            run = through & (start >> d)
            run |= through & (run >> d)
            pairs = through & (through >> d)
            for _ in range(doublings):
                run |= pairs & (run >> (2 * d))
            return run

        def mobility(own, opp):  # type: ignore[no-untyped-def]
            """The squares where the owner of ``own`` can move."""
            inner = opp & middle
            ends = (run_up(own, inner, 1) << 1) | (run_down(own, inner, 1) >> 1)
            ends |= (run_up(own, opp, 8) << 8) | (run_down(own, opp, 8) >> 8)
            ends |= (run_up(own, inner, 7) << 7) | (run_down(own, inner, 7) >> 7)
            ends |= (run_up(own, inner, 9) << 9) | (run_down(own, inner, 9) >> 9)
            return ends & board & ~(own | opp)

        def turned_up(own, through, disc, d):  # type: ignore[no-untyped-def]
            run = run_up(disc, through, d)
            return run if (run << d) & own else ZERO

        def turned_down(own, through, disc, d):  # type: ignore[no-untyped-def]
            run = run_down(disc, through, d)
            return run if (run >> d) & own else ZERO

        def turned(own, opp, disc):  # type: ignore[no-untyped-def]
            """The discs of ``opp`` that ``disc``, a single bit, turns."""
            inner = opp & middle
            return (
                turned_up(own, inner, disc, 1) | turned_down(own, inner, disc, 1)
                | turned_up(own, opp, disc, 8) | turned_down(own, opp, disc, 8)
                | turned_up(own, inner, disc, 7) | turned_down(own, inner, disc, 7)
                | turned_up(own, inner, disc, 9) | turned_down(own, inner, disc, 9)
            )

        def count(own, opp, turn):  # type: ignore[no-untyped-def]
            """Who has more discs."""
            lead = popcount(own) - popcount(opp)
            if lead == 0:
                return DRAW
            return FIRST_WINS + turn if lead > 0 else SECOND_WINS - turn

        def moves(g, s, out):  # type: ignore[no-untyped-def]
            free = mobility(s.own, s.opp)
            n = 0
            while free != ZERO:
                out[n] = lowest(free)
                free &= free - ONE
                n += 1
            if passes and n == 0:
                out[0] = PASS
                n = 1
            return n

        def play(g, s, move, t):  # type: ignore[no-untyped-def]
            own, opp, turn = s.own, s.opp, s.turn
            if move != PASS:
                disc = ONE << word(move)
                change = turned(own, opp, disc)
                own |= disc | change
                opp ^= change
            t.own, t.opp, t.turn = opp, own, 1 - turn

        def mover(g, s):  # type: ignore[no-untyped-def]
            return s.turn

        def outcome(g, s):  # type: ignore[no-untyped-def]
            own, opp = s.own, s.opp
            if mobility(own, opp) != ZERO:
                return ONGOING
            if mobility(opp, own) == ZERO:
                return count(own, opp, s.turn)
            return ONGOING if passes else SECOND_WINS - s.turn

        def key(g, s):  # type: ignore[no-untyped-def]
            return mix(s.opp ^ mix(s.own ^ (GAMMA if s.turn else ZERO)))

        def canonical(g, s, t):  # type: ignore[no-untyped-def]
            # Symmetry k exchanges rows and columns (4), then left and right (1), top and bottom (2).
            best_own, best_opp, best = s.own, s.opp, 0
            own, opp = best_own, best_opp
            for k in range(1, 8):
                own = flipped(own) if k % 2 == 0 else mirrored(own)
                opp = flipped(opp) if k % 2 == 0 else mirrored(opp)
                if k == 4:
                    own, opp = transposed(s.own), transposed(s.opp)
                image = k ^ (k >> 1) & 1
                if own < best_own or (own == best_own and opp < best_opp):
                    best_own, best_opp, best = own, opp, image
            t.own, t.opp, t.turn = best_own, best_opp, s.turn
            return best

        return Rules(
            state=[("own", "u8"), ("opp", "u8"), ("turn", "i8")],
            max_moves=size * size, max_length=2 * size * size, moves=moves, play=play, mover=mover,
            outcome=outcome, key=key, 
        )
