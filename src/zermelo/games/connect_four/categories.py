"""Categories of moves in Connect Four: what a stone does, and how near to the middle it falls."""

from collections.abc import Callable
from itertools import product
from typing import Any

from zermelo.games.connect_four.knowledge import completing_of
from zermelo.kernel.bits import ZERO, word

Function = Callable[..., Any]
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
