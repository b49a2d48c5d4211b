"""Which squares a win in k in a row depends on, on boards of one word.

A win depends on the squares of its line. But while one player makes a line the other may make one
first, with stones that the winner need not have answered: a search must not leave out moves that
belong to such a line (``rival``).
"""

from zermelo.core.dependence import MOST_THREATS, Dependence
from zermelo.games.k_in_a_row.shape import Shape, directions
from zermelo.kernel.bits import ONE, ZERO, lowest, popcount, word


def dependence_of(shape: Shape) -> Dependence:
    """The functions for boards of up to 64 squares."""
    ways = directions(shape)
    count, length, per_turn, exactly = len(ways), shape.line, shape.stones, shape.exactly
    steps, starts, befores, afters = zip(*ways, strict=True)
    lines = tuple(word(sum(1 << (step * i) for i in range(length))) for step in steps)
    full = word((1 << shape.cells) - 1)

    def stones(g, s, side):
        return s.x if side == 0 else s.o

    def move(g, move):
        return ONE << word(move)

    def begins(own, d):
        """Where lines in direction ``d`` may begin that are not too long as it is."""
        begin = starts[d]
        if exactly:
            begin &= ~((own << word(steps[d])) & befores[d])
            begin &= ~(((own >> word(steps[d] * (length - 1))) >> word(steps[d])) & afters[d])
        return begin

    def ending(g, s):
        own = s.x if s.result == 1 else s.o
        for d in range(count):
            begin = begins(own, d)
            for i in range(length):
                begin &= own >> word(steps[d] * i)
            if begin != ZERO:
                return lines[d] << word(lowest(begin))
        return ZERO

    def lacking_one(own, empty, out):
        """Write the lines of ``own`` that lack one stone, on an empty square."""
        n = 0
        for d in range(count):
            first = begins(own, d)
            for missing in range(length):
                begin = first & (empty >> word(steps[d] * missing))
                for i in range(length):
                    if i != missing:
                        begin &= own >> word(steps[d] * i)
                while begin != ZERO and n < MOST_THREATS:
                    out[n] = lines[d] << word(lowest(begin))
                    begin &= begin - ONE
                    n += 1
        return n

    def sight(g, s, zones):
        own, other = s.x, s.o
        if s.turn == 1:
            own, other = s.o, s.x
        empty = full & ~(own | other)
        if lacking_one(own, empty, zones) > 0:
            return 1, zones[0], 0
        return 0, ZERO, lacking_one(other, empty, zones) if s.left == 1 else 0

    def rival(g, s, side, plies):
        own, other = s.x, s.o
        if side == 1:
            own, other = s.o, s.x
        mine = min(plies, s.left) if s.turn == side else 0
        rest = max(plies - s.left, 0)
        round = 2 * per_turn
        late = per_turn if s.turn == side else 0  # the other player's turn comes first
        mine += rest // round * per_turn + min(max(rest % round - late, 0), per_turn)
        found = ZERO
        for d in range(count):
            begin = starts[d]
            for i in range(length):
                begin &= ~(other >> word(steps[d] * i))
            while begin != ZERO:
                line = lines[d] << word(lowest(begin))
                begin &= begin - ONE
                if popcount(line & ~own) <= mine:
                    found |= line
        return found

    return Dependence(shape.cells, stones, ending, move, rival, sight)
