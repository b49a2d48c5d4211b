"""Random games of Connect Four: one at a time, or many side by side.

Both keep a list of the columns that are not full, packed into a word, from which 32 random bits
pick one without a loop; a column that fills up is replaced by the list's last. Side by side, each
game is a lane of a few arrays and all lanes move together, which the compiler turns into vector
instructions; lanes that have ended are dropped now and then. A lane may play on past its end
meanwhile: the first line decides, and stones for a full board vanish.
"""

from collections.abc import Callable
from typing import Any

from zermelo.core.rules import DRAW, FIRST_WINS, SECOND_WINS
from zermelo.kernel.bits import ALL, ONE, ZERO, mix, word
from zermelo.kernel.rng import next_counter

Function = Callable[..., Any]
FEW = 16  # below this many games the lanes do not pay
ROUNDS = 2  # of two plies each, before ended lanes are dropped
OWN_LINE, OTHER_LINE = word(1), word(2)
LOW_HALF, ONES = word(0xFFFFFFFF), word(ALL)
BYTE, HALF = word(3), word(32)  # shift counts: bytes to bits, the upper half of a word


def playouts_of(columns: int, rows: int, line: Function) -> tuple[Function, Function | None]:
    """``playout`` and ``playouts`` for a board; ``line(stones)`` is not 0 where there is a line.

    More than eight columns do not fit a list of bytes: such boards have no ``playouts``.
    """
    pitch = rows + 1
    bottom = sum(1 << (c * pitch) for c in range(columns))
    column, tops = word((1 << rows) - 1), word(bottom << (rows - 1))
    wide = columns > 8
    width, scale = (word(4), word(pitch)) if wide else (word(8), ONE)
    entry = word((1 << int(width)) - 1)
    all_columns = word(sum((c if wide else c * pitch) << (int(width) * c) for c in range(columns)))

    def without(packed, n, slot):
        """The list with its last entry, number ``n``, in the place at ``slot``."""
        last = (packed >> (width * n)) & entry
        return packed ^ ((last ^ ((packed >> slot) & entry)) << slot)

    def open_list(mask):
        """The list of columns that are not full, and its length."""
        packed, n = all_columns, word(columns)
        c = columns - 1
        while c >= 0:
            if (mask >> word(c * pitch + rows - 1)) & ONE:
                n -= ONE
                packed = without(packed, n, width * word(c))
            c -= 1
        return packed, n

    def playout(g, s, rng, scratch):
        own, other, mask, x = s.own, s.own ^ s.mask, s.mask, rng[0]
        packed, n = open_list(mask)
        end = DRAW
        while n != ZERO:
            x = next_counter(x)
            r = mix(x)  # serves two plies
            slot = (((r >> HALF) * n) >> HALF) * width
            shift = ((packed >> slot) & entry) * scale
            stone = (mask + (ONE << shift)) & (column << shift)
            own |= stone
            if line(own) != ZERO:
                end = FIRST_WINS + s.turn
                break
            mask |= stone
            if stone & tops:
                n -= ONE
                packed = without(packed, n, slot)
                if n == ZERO:
                    break
            slot = (((r & LOW_HALF) * n) >> HALF) * width
            shift = ((packed >> slot) & entry) * scale
            stone = (mask + (ONE << shift)) & (column << shift)
            other |= stone
            if line(other) != ZERO:
                end = SECOND_WINS - s.turn
                break
            mask |= stone
            if stone & tops:
                n -= ONE
                packed = without(packed, n, slot)
        rng[0] = x
        return end

    def ply(live, lanes, side, code):
        """One stone for ``side`` in every lane; a first line is noted as ``code``."""
        board, mask, packed = lanes[side], lanes[2], lanes[3]
        left, random, result = lanes[4], lanes[5], lanes[6]
        for k in range(live):
            r = random[k]
            r ^= r << word(13)
            r ^= r >> word(7)
            r ^= r << word(17)
            random[k] = r
            n, columns_left, stones = left[k], packed[k], mask[k]
            slot = (((r >> HALF) * n) >> HALF) << BYTE
            shift = (columns_left >> slot) & entry
            stone = (stones + (ONE << shift)) & (column << shift)
            mine = board[k] | stone
            board[k] = mine
            mask[k] = stones | stone
            filled = ONES if (stone & tops) != ZERO else ZERO
            n -= filled & ONE
            left[k] = n
            last = (columns_left >> (n << BYTE)) & entry
            packed[k] = columns_left ^ (((last ^ shift) & filled) << slot)
            note = code if (line(mine) != ZERO) & (result[k] == ZERO) else ZERO
            result[k] |= note

    def fill(s, rng, lanes, count):
        """Start ``count`` lanes from ``s``, each with random bits of its own."""
        packed, n = open_list(s.mask)
        x = rng[0]
        for k in range(count):
            x = next_counter(x)
            lanes[0][k] = s.own
            lanes[1][k] = s.own ^ s.mask
            lanes[2][k] = s.mask
            lanes[3][k] = packed
            lanes[4][k] = n
            lanes[5][k] = mix(x) | ONE
            lanes[6][k] = ZERO
        rng[0] = x

    def drop(live, lanes, wanted, wanted_draw):
        """Count the wanted results among ended lanes and close the gaps; what is still live."""
        kept, hits = 0, 0
        for k in range(live):
            result, n = lanes[6][k], lanes[4][k]
            over = (result != ZERO) | (n == ZERO)
            hits += over & ((result == wanted) | (wanted_draw & (result == ZERO)))
            for row in range(7):
                lanes[row][kept] = lanes[row][k]
            kept += not over
        return kept, hits

    def playouts(g, s, rng, n, won, scratch):
        wins = 0
        if n < FEW:
            for _ in range(n):
                wins += playout(g, s, rng, scratch) == won
            return wins
        lanes = scratch.lanes
        wanted = OWN_LINE if won == FIRST_WINS + s.turn else OTHER_LINE
        if won == DRAW:
            wanted = OWN_LINE | OTHER_LINE  # which no lane has
        done = 0
        while done < n:
            live = min(n - done, lanes.shape[1])
            done += live
            fill(s, rng, lanes, live)
            while live > 0:
                for _ in range(ROUNDS):
                    ply(live, lanes, 0, OWN_LINE)
                    ply(live, lanes, 1, OTHER_LINE)
                live, hits = drop(live, lanes, wanted, won == DRAW)
                wins += hits
        return wins

    return playout, None if wide else playouts
