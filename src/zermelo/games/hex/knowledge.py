"""What the rules of Hex imply on boards of one word, where chains can't be cut any more.

``docs/games/hex.md`` gives the reasons.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from zermelo.core.rules import NO_MOVE
from zermelo.games.hex.chains import chains_of
from zermelo.kernel.bits import ONE, ZERO, popcount, word

Function = Callable[..., Any]


class Knowledge(NamedTuple):
    """The optional functions of ``Rules`` that Hex has."""

    forced: Function
    estimate: Function
    remaining: Function
    finish: Function


def knowledge_of(size: int) -> Knowledge:
    """The functions for a board of ``size`` x ``size`` cells."""
    cells = size * size
    full = word((1 << cells) - 1)
    holds = chains_of(size)

    # From the centre outwards: row and column distance, and along the third direction.
    order = from_the_centre(size)

    def first_of(x):
        return x & ~(x - ONE)

    def region(own, opp, turn):
        """The moves to try: one if it wins or if all lose, else those that stop the other side."""
        empty = full & ~(own | opp)
        must, todo, tried, mine = empty, empty, ZERO, False
        while True:
            side = turn if mine else 1 - turn
            safe, pairs, _ = holds((own if mine else opp) | tried, empty ^ tried, side)
            if safe and mine:
                return tried
            if safe:
                must &= pairs | tried
                if tried == ZERO:
                    return first_of(empty)
            mine = not mine and tried != ZERO
            if not mine:
                if todo == ZERO:
                    return must if must != ZERO else first_of(empty)
                tried = first_of(todo)
                todo ^= tried
                mine = must == ZERO

    def forced(g, s, out):
        own, opp = s.x, s.o
        if s.turn:
            own, opp = s.o, s.x
        moves = region(own, opp, s.turn)
        n = 0
        for cell in order:
            out[n] = cell
            n += (moves >> word(cell)) & ONE != ZERO
        return n

    def estimate(g, s):
        own, opp = s.x, s.o
        if s.turn:
            own, opp = s.o, s.x
        return 1, popcount(region(own, opp, s.turn))

    def remaining(g, s):
        return popcount(full & ~(s.x | s.o))

    def finish(g, s):
        """The move after which the edges hold together by the fewest bridges: it makes one solid
        where nothing else is needed, so that the game does not last as long as the board."""
        own, opp = s.x, s.o
        if s.turn:
            own, opp = s.o, s.x
        empty = full & ~(own | opp)
        best, fewest = NO_MOVE, cells + 1
        for cell in order:
            stone = ONE << word(cell)
            if empty & stone:
                safe, pairs, _ = holds(own | stone, empty ^ stone, s.turn)
                if safe and popcount(pairs) < fewest:
                    best, fewest = cell, popcount(pairs)
        return best

    return Knowledge(forced, estimate, remaining, finish)


def from_the_centre(size: int) -> tuple[int, ...]:
    """The cells in the order in which moves are tried."""
    return tuple(sorted(range(size * size), key=lambda i: (_off_centre(size, i), i)))


def _off_centre(size: int, cell: int) -> int:
    """How far a cell is from the centre, in steps, twice."""
    row, column = 2 * (cell // size) - size + 1, 2 * (cell % size) - size + 1
    return max(abs(row), abs(column), abs(row + column))
