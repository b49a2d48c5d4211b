"""What helps searches in Connect Four: moves that decide, random games, an evaluation, categories.

Moves that decide and lines that can't come about keep the value of a position;
``docs/games/connect-four.md`` gives the reasons.

Random games are played one at a time, or many side by side. Both ways keep a list of the columns
that are not full, packed into a word, from which 32 random bits pick one without a loop; a column
that fills up is replaced by the list's last. Side by side, each game is a lane of a few arrays and
all lanes move together, which the compiler turns into vector instructions; lanes that have ended
are dropped now and then. A lane may play on past its end: the first line decides, and stones for a
full board vanish.

The evaluation counts the lines that the stones of each side could still be part of. A square is
worth as many points as lines of the right length run through it on the empty board: on 7 x 6 from 3
in a corner to 13 in the middle.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product
from typing import Any, NamedTuple

from zermelo.core.rules import DRAW, FIRST_WINS, SECOND_WINS
from zermelo.kernel.bits import ALL, ONE, ZERO, mix, popcount, word
from zermelo.kernel.rng import next_counter

Function = Callable[..., Any]


class Knowledge(NamedTuple):
    """The optional functions of ``Rules`` that Connect Four has."""

    forced: Function
    estimate: Function
    cannot_win: Function
    foreseen: Function
    remaining: Function


def completing_of(rows: int, steps: tuple[int, ...], length: int) -> Function:
    """``completing(stones)``: the squares, taken or not, that make a line with ``stones``.

    A square counts where the stones next to it, on both sides along a line, are enough. Bits above
    the board may be set too.
    """
    pitch, every = rows + 1, word(ALL)

    def completing(stones):
        found = ZERO
        for step in steps:
            for before in range(length):
                squares = every
                for i in range(1, before + 1):
                    squares &= stones << (step * i)
                for i in range(1, length - before):
                    squares &= stones >> (step * i)
                found |= squares
        return found

    if not steps:

        def completing(stones):
            return ZERO

    elif length == 4:

        def along(stones, step):
            next_one, pairs = stones >> step, stones & (stones >> step)
            below = (pairs >> step) & ((stones >> (3 * step)) | (stones << step))
            return below | ((pairs << (2 * step)) & ((stones << (3 * step)) | next_one))

        def completing(stones):
            found = (stones << 1) & (stones << 2) & (stones << 3)
            found |= along(stones, pitch) | along(stones, pitch - 1) | along(stones, pitch + 1)
            return found

    return completing


def knowledge_of(
    columns: int, rows: int, length: int, steps: tuple[int, ...], line: Function
) -> Knowledge:
    """The functions for a board; ``line(stones)`` is not 0 where there is a line."""
    pitch = rows + 1
    first_bits = sum(1 << (c * pitch) for c in range(columns))
    bottom, full = word(first_bits), word(first_bits * ((1 << rows) - 1))
    above = word(first_bits << rows)  # the bit over each column
    # With an even number of empty squares in a column, these are the first of each pair.
    lower = word(sum(first_bits << row for row in range(rows) if row % 2 == rows % 2))
    by_centre = sorted(range(columns), key=lambda c: (abs(2 * c - columns + 1), c))
    order = tuple((c, word(((1 << rows) - 1) << (c * pitch))) for c in by_centre)
    completing = completing_of(rows, steps, length)

    def worth_trying(own, mask):
        """Squares of the moves to try: one if it wins, or if all others lose at once.

        No branches: they would depend on nothing that a processor could foresee.
        """
        playable = (mask + bottom) & full
        theirs = completing(own ^ mask) & full
        wins, threats = completing(own) & playable, theirs & playable
        safe = playable & ~(theirs >> 1)
        one = wins if wins != ZERO else threats
        one = one if (one | safe) != ZERO else playable
        return one & ~(one - ONE) if one != ZERO else safe

    def forced(g, s, out):
        squares = worth_trying(s.own, s.mask)
        n = 0
        for c, column in order:
            out[n] = c
            n += (squares & column) != ZERO
        return n

    def estimate(g, s):
        return 1, popcount(worth_trying(s.own, s.mask))

    def barred(own, mask, moving):
        """No line is left to the mover (``moving``) or to the other side, or follow-up bars all."""
        empty = full & ~mask
        stones, reach = own, empty
        if not moving:
            stones = own ^ mask
        if (popcount(empty) + (not moving)) & 1 == 0:
            odd = (mask + bottom) & full & ~lower
            if not moving and odd & (odd - ONE) == ZERO:
                odd = ZERO  # the mover takes that square now
            reach = (empty & lower) | odd
        return line(stones | reach) == ZERO

    def follower_wins(own, mask):
        """The side that does not move wins by follow-up alone."""
        other, empty = own ^ mask, full & ~mask
        odd = (mask + bottom) & full & ~lower
        low = (empty & lower) | odd
        if popcount(empty) & 1 == 0:
            return line(other | (empty & ~low)) != ZERO and line(own | low) == ZERO
        goals = completing(other) & empty & lower & (above - odd)
        if goals == ZERO:
            return False
        for _, column in order:
            squares = goals & column
            while squares != ZERO:
                goal = squares & ~(squares - ONE)
                squares ^= goal
                under = empty & ~lower & column & (goal - ONE)
                if line(own | (low & ~column) | under) == ZERO:
                    return True
        return False

    def after_forced(own, mask):
        """(own, mask, plies, end) once nothing is forced.

        ``end``: 1 if the mover wins at once, 2 if the other side does after any move, 3 if the
        board is full; 0 if there is a choice.
        """
        plies = 0
        while True:
            playable = (mask + bottom) & full
            theirs = completing(own ^ mask) & full
            if completing(own) & playable != ZERO:
                return own, mask, plies, 1
            threats, squares = theirs & playable, playable & ~(theirs >> 1)
            if threats != ZERO:
                squares &= threats if threats & (threats - ONE) == ZERO else ZERO
            if squares == ZERO:
                return own, mask, plies, 2 if playable != ZERO else 3
            if squares & (squares - ONE) != ZERO:
                return own, mask, plies, 0
            own, mask, plies = own ^ mask, mask | squares, plies + 1

    def cannot_win(g, s, side):
        return barred(s.own, s.mask, side == s.turn)

    def foreseen(g, s, side):
        own, mask, plies, end = after_forced(s.own, s.mask)
        moving = (side == s.turn) == (plies & 1 == 0)
        if end != 0:
            return 1 if end < 3 and (end == 1) == moving else -1
        if barred(own, mask, moving):
            return -1
        if follower_wins(own, mask):
            return -1 if moving else 1
        return 0

    def remaining(g, s):
        return popcount(full & ~s.mask)

    return Knowledge(forced, estimate, cannot_win, foreseen, remaining)


# In this order: a move is of the first kind that fits. One that gives lets the other side complete
# a line just above; one that threatens makes a square where a line would be complete.
KINDS = ("wins", "blocks", "gives", "threatens", "quiet")
PLACES = ("middle", "next to the middle", "outside")
NAMES = tuple(", ".join(words) for words in product(KINDS, PLACES))


def categories_of(columns: int, rows: int, length: int, steps: tuple[int, ...]) -> Function:
    """``categories(g, s, moves, n, out)`` for a board; ``steps``: the directions of lines."""
    pitch = rows + 1
    first_bits = sum(1 << (c * pitch) for c in range(columns))
    bottom, full = word(first_bits), word(first_bits * ((1 << rows) - 1))
    in_column = tuple(word(((1 << rows) - 1) << (c * pitch)) for c in range(columns))
    # Steps from the middle, where an even number of columns has two of them.
    places = tuple(min(max(c - columns // 2, (columns - 1) // 2 - c), 2) for c in range(columns))
    completing = completing_of(rows, steps, length)

    def categories(g, s, moves, n, out):
        own, other = s.own, s.own ^ s.mask
        playable, empty = (s.mask + bottom) & full, full & ~s.mask
        wins, losses = completing(own) & empty, completing(other) & empty
        for i in range(n):
            stone = playable & in_column[moves[i]]
            if wins & stone != ZERO:
                kind = 0
            elif losses & stone != ZERO:
                kind = 1
            elif losses & (stone << 1) != ZERO:
                kind = 2
            elif completing(own | stone) & empty & ~wins & ~stone != ZERO:
                kind = 3
            else:
                kind = 4
            out[i] = 3 * kind + places[moves[i]]

    return categories


DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def lines_through(columns: int, rows: int, length: int) -> dict[tuple[int, int], int]:
    """Return how many lines run through each square (column, row)."""
    counts = {(c, r): 0 for c in range(columns) for r in range(rows)}
    for c, r in counts.copy():
        for right, up in DIRECTIONS:
            line = [(c + k * right, r + k * up) for k in range(length)]
            if all(square in counts for square in line):
                for square in line:
                    counts[square] += 1
    return counts


def evaluate_of(columns: int, rows: int, length: int) -> Function:
    """``evaluate(g, s)`` for a board of this size."""
    counts = lines_through(columns, rows, length)
    # Bit k of the worth of every square: the points are 2**k for each stone on a plane.
    planes = tuple(
        word(sum(1 << (c * (rows + 1) + r) for (c, r), n in counts.items() if n >> k & 1))
        for k in range(max(max(counts.values()).bit_length(), 1))
    )

    def evaluate(g, s):
        other, points, weight = s.own ^ s.mask, 0, 1
        for plane in planes:
            points += weight * (popcount(s.own & plane) - popcount(other & plane))
            weight *= 2
        return points

    return evaluate


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
