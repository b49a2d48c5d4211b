"""The rules of Lines of Action as bit operations, for all sizes and rules in one kernel.

Square (row, column) is bit 8 * row + column, rows from the bottom: a1 is bit 0, b1 bit 1, a2 bit 8.
A board of another size is the lower left corner of this one. ``own`` holds the pieces of the player
to move, ``opp`` those of the other, ``turn`` says who moves. The code of a move is 64 * from + to;
0, which would lead from a1 to a1, is the pass.

What depends on the parameters is in ``Tables``, so that nothing is compiled twice.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, Rules
from zermelo.games.othello.game import flipped, transposed
from zermelo.kernel.bits import ONE, ZERO, lowest, mix, popcount, word
from zermelo.kernel.rng import GAMMA

SMALLEST, LARGEST = 3, 8
WIDTH, PASS = 8, 0
NOT_A, NOT_H = word(0xFEFEFEFEFEFEFEFE), word(0x7F7F7F7F7F7F7F7F)
# Right and left, up right and down left, up and down, up left and down right: bits, rows, columns.
STEPS = (1, -1, 9, -9, 8, -8, 7, -7)
WAYS = ((0, 1), (0, -1), (1, 1), (-1, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
MOST_PIECES = 2 * (LARGEST - 2)
LONGEST = 2_000


class Tables(NamedTuple):
    """What the rules look up.

    rays        ``rays[square, way]``: the squares from there to the edge of the board
    boxes       ``boxes[square, k]``: the squares up to k steps away, for the evaluation
    inner       the squares at least 1, 2 and 3 steps from the edge, for the evaluation
    last        the highest row, and column
    both_draw   both sides connected by one move is a draw, else a win of the player who moved
    passes      a player without a move passes, else has lost
    """

    rays: NDArray[np.uint64]
    boxes: NDArray[np.uint64]
    inner: NDArray[np.uint64]
    last: int
    both_draw: int
    passes: int


def bits_where(size: int, test: Callable[[int, int], bool]) -> int:
    """The squares of the board for which ``test(row, column)`` is true."""
    return sum(1 << (WIDTH * row + column) for row in range(size) for column in range(size)
               if test(row, column))


def tables_for(size: int, both_draw: bool, passes: bool) -> Tables:
    """The tables of a board of ``size`` x ``size`` squares."""
    rays, boxes = np.zeros((64, 8), np.uint64), np.zeros((64, 8), np.uint64)
    for row in range(size):
        for column in range(size):
            square = WIDTH * row + column
            for way, (up, right) in enumerate(WAYS):
                cells = ((row + k * up, column + k * right) for k in range(1, size))
                rays[square, way] = sum(1 << (WIDTH * r + c) for r, c in cells
                                        if 0 <= r < size and 0 <= c < size)
            for k in range(8):
                boxes[square, k] = bits_where(size, _near(row, column, k))
    inner = [bits_where(size, _inside(size, k)) for k in (1, 2, 3)]
    return Tables(rays, boxes, np.array(inner, np.uint64), size - 1, int(both_draw), int(passes))


def _near(row: int, column: int, k: int) -> Callable[[int, int], bool]:
    return lambda r, c: max(abs(r - row), abs(c - column)) <= k


def _inside(size: int, k: int) -> Callable[[int, int], bool]:
    return lambda r, c: k <= min(r, c) and max(r, c) < size - k


def connected(pieces):
    """Whether the pieces are one group, diagonal neighbours included. Pre-condition: at least one.
    """
    reached = pieces & ~(pieces - ONE)
    while True:
        row = reached | ((reached & NOT_H) << 1) | ((reached & NOT_A) >> 1)
        more = pieces & (row | (row << 8) | (row >> 8))
        if more == reached:
            return more == pieces
        reached = more


def target(g, own, opp, at, way, distance):
    """Where a piece comes to stand ``distance`` steps from square ``at``; -1 if it may not.

    Enemy pieces may not be jumped over, and no move ends on an own piece or beside the board.
    """
    ray = g.rays[at, way]
    if distance > popcount(ray):
        return -1
    to = at + STEPS[way] * distance
    # The squares on the way, and the last one.
    way_there = ray ^ g.rays[to, way]
    end = ONE << word(to)
    if (own & end) | (opp & way_there & ~end) != ZERO:
        return -1
    return to


def moves(g, s, out):
    """Piece by piece in the order of the bits, each in the order of WAYS."""
    own, opp = s.own, s.opp
    taken, rest, n = own | opp, own, 0
    while rest != ZERO:
        at = lowest(rest)
        rest &= rest - ONE
        for way in range(0, 8, 2):
            # A piece moves as many squares as there are pieces on its line, itself included.
            distance = 1 + popcount(taken & (g.rays[at, way] | g.rays[at, way + 1]))
            to = target(g, own, opp, at, way, distance)
            if to >= 0:
                out[n] = 64 * at + to
                n += 1
            to = target(g, own, opp, at, way + 1, distance)
            if to >= 0:
                out[n] = 64 * at + to
                n += 1
    if n == 0 and g.passes:
        out[0] = PASS
        n = 1
    return n


def play(g, s, move, t):
    """A piece goes, and what stands where it ends is taken off."""
    own, opp, turn = s.own, s.opp, s.turn
    if move != PASS:
        end = ONE << word(move & 63)
        own ^= (ONE << word(move >> 6)) | end
        opp &= ~end
    t.own, t.opp, t.turn = opp, own, 1 - turn


def mover(g, s):
    """Part of the state."""
    return s.turn


def outcome(g, s):
    """Who is connected. ``opp`` are the pieces of the player who moved last; a capture may connect
    the other side."""
    if connected(s.opp):
        if g.both_draw and connected(s.own):
            return DRAW
        return SECOND_WINS - s.turn
    return FIRST_WINS + s.turn if connected(s.own) else ONGOING


def key(g, s):
    """A hash of all three fields."""
    return mix(s.opp ^ mix(s.own ^ (GAMMA if s.turn else ZERO)))


def canonical(g, s, t):
    """Of all images the one with the lowest ``own``, then ``opp``.

    Turning upside down and transposing in turn leads through all 8; k is how many such steps.
    """
    own, opp, down = s.own, s.opp, word(8 * (7 - g.last))
    least_own, least_opp, least = own, opp, 0
    for k in range(1, 8):
        if k % 2:
            own, opp = flipped(own) >> down, flipped(opp) >> down
        else:
            own, opp = transposed(own), transposed(opp)
        if own < least_own or (own == least_own and opp < least_opp):
            least_own, least_opp, least = own, opp, k
    t.own, t.opp, t.turn = least_own, least_opp, s.turn
    return least


def square_image(g, k, square):
    """The square that step k, k - 1, ..., 1 backwards lead to."""
    for step in range(k, 0, -1):
        row, column = square >> 3, square & 7
        square = 8 * (g.last - row) + column if step % 2 else 8 * column + row
    return square


def move_image(g, k, move):
    """A move of the representative, back on the board that it represents."""
    if move == PASS:
        return move
    return 64 * square_image(g, k, move >> 6) + square_image(g, k, move & 63)


def rules_for(size: int, both_draw: bool, passes: bool) -> Rules:
    """The rules on a board of ``size`` x ``size`` squares."""
    return Rules(
        state=[("own", "u8"), ("opp", "u8"), ("turn", "i8")], max_moves=8 * MOST_PIECES,
        max_length=LONGEST, moves=moves, play=play, mover=mover, outcome=outcome, key=key,
        data=tables_for(size, both_draw, passes), canonical=canonical, move_image=move_image,
        cyclic=True,
    )
