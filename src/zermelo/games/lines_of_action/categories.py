"""Categories of moves in Lines of Action: how moves are told apart by how likely they are played.

A move is a capture or not; it leads from one region of the board to another; it ends nearer to the
centre of mass of the player's pieces than it began, or further away; and the piece has more
neighbours of its own side there than before, as many, or fewer. These are the features by which
programs of the literature tell moves apart; regions and steps are our own.

A category is a number with a digit for each feature, in the order of ``FEATURES``; the last one is
the pass. All of it is the same for all images of a position under the symmetries of the board, but
for the rounding of the centre of mass.
"""

from itertools import product

from zermelo.games.lines_of_action.evaluation import centre_of_mass
from zermelo.games.lines_of_action.rules import PASS
from zermelo.kernel.bits import ONE, ZERO, popcount, word

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
