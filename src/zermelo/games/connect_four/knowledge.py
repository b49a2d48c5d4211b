"""What Connect Four's rules imply: moves that decide, and lines that can't come about.

All of it keeps the value of a position; ``docs/games/connect-four.md`` gives the reasons.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from zermelo.kernel.bits import ALL, ONE, ZERO, popcount, word

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
