"""The lines of a k-in-a-row game as data, for searches that follow threats."""

from typing import Any

import numpy as np

from zermelo.core.winning_lines import EMPTY, Array, Lines
from zermelo.games.k_in_a_row.shape import WORD, Shape

WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))


def lines_of(shape: Shape) -> Lines:
    """All k squares in a row; with exactly k, the squares before and after guard the line."""
    sets, guards = [], []
    for square in range(shape.cells):
        for way in WAYS:
            row = [_step(shape, square, way, i) for i in range(shape.line)]
            if -1 not in row:
                sets.append(row)
                guards.append([_step(shape, square, way, i) for i in (-1, shape.line)])

    def read(state: Any) -> tuple[Array, int]:
        return owners_of(shape, state), int(state["left"])

    return Lines(
        squares=shape.cells, sets=np.array(sets, np.int16), stones=shape.stones, read=read,
        guards=np.array(guards, np.int16) if shape.exactly else None,
        joint=2,  # lines through two squares lie in one row: the next free square on either side
    )


def _step(shape: Shape, square: int, way: tuple[int, int], i: int) -> int:
    """The square ``i`` steps on, or -1 beyond the edge."""
    row, column = square // shape.columns + i * way[0], square % shape.columns + i * way[1]
    inside = 0 <= row < shape.rows and 0 <= column < shape.columns
    return row * shape.columns + column if inside else -1


def owners_of(shape: Shape, state: Any) -> Array:
    """Whose stone is on each square."""
    owners = np.full(shape.cells, EMPTY, np.int8)
    if shape.cells <= WORD:
        bits = np.arange(shape.cells, dtype=np.uint64)
        for side, name in enumerate("xo"):
            owners[(np.uint64(state[name]) >> bits) & np.uint64(1) == 1] = side
        return owners
    stones = np.asarray(state["stones"], np.int64).reshape(2, shape.rows, 1)
    taken = (stones >> np.arange(shape.columns) & 1).reshape(2, shape.cells)
    for side in (0, 1):
        owners[taken[side] == 1] = side
    return owners
