"""Which cells a win in Hex depends on, on boards of one word.

A player who has joined the edges has done so with the stones of one chain, whatever else is on the
board, and no chain of the other player can get past it. So zones are sets of cells that hold a
chain, or in which a chain will be made.
"""

from zermelo.core.dependence import MOST_THREATS, Dependence
from zermelo.games.hex.chains import chains_of
from zermelo.games.hex.knowledge import from_the_centre
from zermelo.kernel.bits import ONE, ZERO, popcount, word


def dependence_of(size: int) -> Dependence:
    """The functions for a board of ``size`` x ``size`` cells."""
    cells = size * size
    full = word((1 << cells) - 1)
    holds, order = chains_of(size), from_the_centre(size)

    def zone_of(stones, empty, side):
        """The zone of edges that hold together, or 0."""
        held, pairs, reached = holds(stones, empty, side)
        return (reached & stones) | pairs if held else ZERO

    def stones(g, s, side):
        return s.o if side == 1 else s.x

    def ending(g, s):
        # Who has won is the one who moved last; the whole component of stones will do.
        return zone_of(s.x if s.turn else s.o, ZERO, 1 - s.turn)

    def move(g, move):
        return ONE << word(move)

    def best_win(own, empty, moves, turn):
        """The smallest zone of a win by one of ``moves``, or 0."""
        best = ZERO
        for cell in order:
            stone = ONE << word(cell)
            if moves & stone:
                zone = zone_of(own | stone, empty ^ stone, turn)
                if zone != ZERO and (best == ZERO or popcount(zone) < popcount(best)):
                    best = zone
        return best

    def sight(g, s, zones):
        own, opp = s.x, s.o
        if s.turn:
            own, opp = s.o, s.x
        empty = full & ~(own | opp)
        zone = zone_of(opp, empty, 1 - s.turn)
        if zone != ZERO:
            return -1, zone, 0
        must, n = empty, 0
        for cell in order:
            stone = ONE << word(cell)
            if empty & stone:
                zone = zone_of(opp | stone, empty ^ stone, 1 - s.turn)
                if zone != ZERO and n < MOST_THREATS:
                    zones[n] = zone
                    must &= zone
                    n += 1
        best = best_win(own, empty, must, s.turn)
        if best != ZERO:
            return 1, best, 0
        return 0, must, n

    def moves(g, s, out):
        empty = full & ~(s.x | s.o)
        n = 0
        for cell in order:
            out[n] = cell
            n += (empty >> word(cell)) & ONE != ZERO
        return n

    return Dependence(cells, stones, ending, move, sight=sight, moves=moves)
