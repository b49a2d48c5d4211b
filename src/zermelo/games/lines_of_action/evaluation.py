"""An evaluation of Lines of Action, and the categories of its moves.

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

from itertools import product

from zermelo.games.lines_of_action.rules import NOT_H, PASS, target
from zermelo.kernel.bits import ONE, ZERO, lowest, popcount, word

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
    """What the pieces of one side are worth by how they stand."""
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
    """How many steps a king needs from one square to another."""
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
