"""The rules of Lines of Action as bit operations, an evaluation, and the categories of moves.

Square (row, column) is bit 8 * row + column, rows from the bottom: a1 is bit 0, b1 bit 1, a2 bit 8.
A board of another size is the lower left corner of this one. ``own`` holds the pieces of the player
to move, ``opp`` those of the other, ``turn`` says who moves. The code of a move is 64 * from + to;
0, which would lead from a1 to a1, is the pass.

What depends on the parameters is in ``Tables``, so that nothing is compiled twice.

The features of the evaluation are those of the literature (Winands, van den Herik & Uiterwijk, "An
evaluation function for Lines of Action", 2004): concentration around the centre of mass,
centralisation, the Euler number, quads near the centre of mass, neighbours, mobility with captures
counted double, and the move. How each feature is counted, and the weights, are our own. The weights
come from small matches at depth 3 (some twenty sets, 120 to 200 games each): better than a first
guess, 59 to 41 in a hundred, and no better than their neighbours. All of it is whole numbers, so
that it is the same on every machine.

A category says how a move looks: it is a capture or not; it leads from one region of the board to
another; it ends nearer to the centre of mass of the player's pieces than it began, or further away;
and the piece has more neighbours of its own side there than before, as many, or fewer. These are
the features by which programs of the literature tell moves apart; regions and steps are our own. A
category is a number with a digit for each feature, in the order of ``FEATURES``; the last one is
the pass. All of it is the same for all images of a position under the symmetries of the board, but
for the rounding of the centre of mass.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, Rules
from zermelo.games.othello.game import least_image
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
    """Arrays that the rules look up.

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
    """Return True if the pieces are one group, diagonal neighbours included. Pre-condition: at
    least one."""
    reached = pieces & ~(pieces - ONE)
    while True:
        row = reached | ((reached & NOT_H) << 1) | ((reached & NOT_A) >> 1)
        more = pieces & (row | (row << 8) | (row >> 8))
        if more == reached:
            return more == pieces
        reached = more


def target(g, own, opp, at, way, distance):
    """Return where a piece comes to stand ``distance`` steps from square ``at``; -1 if it may not.

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
    """Return who is connected. ``opp`` are the pieces of the player who moved last; a capture may
    connect the other side."""
    if connected(s.opp):
        if g.both_draw and connected(s.own):
            return DRAW
        return SECOND_WINS - s.turn
    return FIRST_WINS + s.turn if connected(s.own) else ONGOING


def key(g, s):
    """A hash of all three fields."""
    return mix(s.opp ^ mix(s.own ^ (GAMMA if s.turn else ZERO)))


def canonical(g, s, t):
    """Of all 8 images the one with the lowest ``own``, then ``opp``."""
    own, opp, k = least_image(s.own, s.opp, word(8 * (7 - g.last)))
    t.own, t.opp, t.turn = own, opp, s.turn
    return k


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


# Bits 0, 1, 2 of the column and of the row of every square.
COLUMN_1, COLUMN_2, COLUMN_4 = (
    word(0xAAAAAAAAAAAAAAAA), word(0xCCCCCCCCCCCCCCCC), word(0xF0F0F0F0F0F0F0F0))
ROW_1, ROW_2, ROW_4 = (
    word(0xFF00FF00FF00FF00), word(0xFFFF0000FFFF0000), word(0xFFFFFFFF00000000))
FULL_BOX = 9  # pieces that fit the box one step around a square
NEAR = 2  # steps from the centre of mass within which quads count
# Points: for a step too far from the centre of mass and a step from the edge (mean over the
# pieces), for a group too many, a quad of three or four pieces, a neighbour (mean), half a move.
CONCENTRATION, CENTRALISATION, GROUP, QUAD, NEIGHBOUR, MOBILITY = 320, 20, 15, 6, 20, 4
TO_MOVE = 20


def centre_of_mass(pieces, n):
    """The square nearest to the mean row and column of ``n`` pieces."""
    columns = (popcount(pieces & COLUMN_1) + 2 * popcount(pieces & COLUMN_2)
               + 4 * popcount(pieces & COLUMN_4))
    rows = popcount(pieces & ROW_1) + 2 * popcount(pieces & ROW_2) + 4 * popcount(pieces & ROW_4)
    return 8 * ((2 * rows + n) // (2 * n)) + (2 * columns + n) // (2 * n)


def spread(g, pieces, n, centre):
    """The steps from ``centre`` to all pieces, less the fewest that this many pieces can need."""
    total = 0
    for k in range(8):
        outside = n - popcount(pieces & g.boxes[centre, k])
        if outside == 0:
            break
        total += outside
    return total - (n - 1) - max(0, n - FULL_BOX)


def pairs_and_quads(pieces):
    """Pairs of neighbours; the lower left squares of quads with three pieces, and with four."""
    right = (pieces >> 1) & NOT_H
    up, aslant = pieces >> 8, right >> 8
    low, high = pieces & right, up & aslant
    pairs = (popcount(low) + popcount(pieces & up) + popcount(pieces & aslant)
             + popcount(right & up))
    either = (low & (up ^ aslant)) | (high & (pieces ^ right))
    return pairs, either, low & high


def weighted_mobility(g, own, opp):
    """Half moves: 2 for a move, 4 for a capture, 1 less for one to the edge."""
    taken, rest, edge, total = own | opp, own, ~g.inner[0], 0
    while rest != ZERO:
        at = lowest(rest)
        rest &= rest - ONE
        for way in range(0, 8, 2):
            distance = 1 + popcount(taken & (g.rays[at, way] | g.rays[at, way + 1]))
            for there in range(way, way + 2):
                to = target(g, own, opp, at, there, distance)
                if to >= 0:
                    end = ONE << word(to)
                    total += 2
                    if opp & end != ZERO:
                        total += 2
                    if edge & end != ZERO:
                        total -= 1
    return total


def shape(g, pieces):
    """Return what the pieces of one side are worth by how they stand."""
    n = popcount(pieces)
    centre = centre_of_mass(pieces, n)
    pairs, three, four = pairs_and_quads(pieces)
    # Groups less holes: pieces, less pairs, plus triples that touch, less quads, as for any figure
    # made of points, edges, triangles and tetrahedra. A quad of four has four triples.
    groups = n - pairs + popcount(three) + 3 * popcount(four)
    near = g.boxes[centre, NEAR]
    inside = (popcount(pieces & g.inner[0]) + popcount(pieces & g.inner[1])
              + popcount(pieces & g.inner[2]))
    means = (CENTRALISATION * inside + NEIGHBOUR * 2 * pairs
             - CONCENTRATION * spread(g, pieces, n, centre)) // n
    return means + QUAD * popcount((three | four) & near) - GROUP * (groups - 1)


def evaluate(g, s):
    """Points for the player to move; above 0 is good. Pre-condition: an ongoing position."""
    own, opp = s.own, s.opp
    mobility = weighted_mobility(g, own, opp) - weighted_mobility(g, opp, own)
    return shape(g, own) - shape(g, opp) + MOBILITY * mobility + TO_MOVE


REGIONS = ("edge", "next ring", "inside")
CHANGES = ("2 nearer", "1 nearer", "as near", "1 further", "2 further")
FEATURES = (("quiet", "capture"), tuple(f"from {place}" for place in REGIONS),
            tuple(f"to {place}" for place in REGIONS), CHANGES, ("joins", "stays", "leaves"))
NAMES = (*(", ".join(words) for words in product(*FEATURES)), "pass")
PASSING = len(NAMES) - 1


def region(g, bit):
    """0 for a square at the edge, 1 for one next to those, 2 for the others."""
    if g.inner[0] & bit == ZERO:
        return 0
    return 1 if g.inner[1] & bit == ZERO else 2


def steps(one, other):
    """Return how many steps a king needs from one square to another."""
    return max(abs((one >> 3) - (other >> 3)), abs((one & 7) - (other & 7)))


def categories(g, s, moves, n, out):
    """Write the category of each of the ``n`` moves into ``out``."""
    own, opp = s.own, s.opp
    centre = centre_of_mass(own, popcount(own))
    for i in range(n):
        move = moves[i]
        if move == PASS:
            out[i] = PASSING
            continue
        at, to = move >> 6, move & 63
        start, end = ONE << word(at), ONE << word(to)
        capture = 1 if opp & end != ZERO else 0
        further = min(max(steps(to, centre) - steps(at, centre), -2), 2)
        others = own ^ start
        change = popcount(others & g.boxes[at, 1]) - popcount(others & g.boxes[to, 1])
        lost = 1 if change > 0 else -1 if change < 0 else 0
        kind = (3 * capture + region(g, start)) * 3 + region(g, end)
        out[i] = (5 * kind + further + 2) * 3 + lost + 1
