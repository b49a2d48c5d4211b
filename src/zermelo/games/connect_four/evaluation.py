"""An evaluation of Connect Four: how many lines the stones of each side could still be part of.

A square is worth as many points as lines of the right length run through it on the empty board: on
7 x 6 from 3 in a corner to 13 in the middle. Simple, whole numbers, and the same seen from the
other side with the sign changed.
"""

from collections.abc import Callable
from typing import Any

from zermelo.kernel.bits import popcount, word

Function = Callable[..., Any]
DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))


def lines_through(columns: int, rows: int, length: int) -> dict[tuple[int, int], int]:
    """How many lines run through each square (column, row)."""
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
