"""The shape of a k-in-a-row game: its numbers, symmetries and lines (see ``k_in_a_row_rules``)."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from zermelo.kernel.bits import ZERO, mix, word

Function = Callable[..., Any]
WORD, LARGEST = 64, 26
SEED = 0x6B2D696E2D612D72


class Tables(NamedTuple):
    """Where a symmetry takes a square and where it came from; hashes of stones and of turns."""

    images: np.ndarray[Any, Any]
    sources: np.ndarray[Any, Any]
    zobrist: np.ndarray[Any, Any]


class Shape(NamedTuple):
    """The parameters as numbers, with what follows from them."""

    columns: int
    rows: int
    line: int
    stones: int
    first: int
    exactly: bool

    @property
    def cells(self) -> int:
        """The number of squares."""
        return self.columns * self.rows

    @property
    def jumps(self) -> tuple[int, ...]:
        """``a &= a >> jump`` for each leaves the squares where a line of k begins.

        From lines of n, a jump by n leads to lines of 2n; the last jump to k.
        """
        found, have = [], 1
        while have < self.line:
            found.append(min(have, self.line - have))
            have += found[-1]
        return tuple(found)

    @property
    def symmetries(self) -> int:
        """Mirrors and half turn; on a square board also the reflections in the diagonals."""
        return 8 if self.columns == self.rows else 4

    def image(self, k: int, cell: int) -> int:
        """The square to which symmetry ``k`` takes ``cell``."""
        row, column = divmod(cell, self.columns)
        if k & 4:
            row, column = column, row
        if k & 1:
            column = self.columns - 1 - column
        if k & 2:
            row = self.rows - 1 - row
        return row * self.columns + column

    def tables(self) -> Tables:
        """The same on every machine: the hashes come from a fixed seed."""
        images = [[self.image(k, i) for i in range(self.cells)] for k in range(self.symmetries)]
        sources = [[image.index(i) for i in range(self.cells)] for image in images]
        turns = 2 * (max(self.stones, self.first) + 1)
        zobrist = [mix(SEED + i) for i in range(2 * self.cells + turns)]
        return Tables(
            np.array(images, np.int16), np.array(sources, np.int16), np.array(zobrist, np.uint64)
        )


class Direction(NamedTuple):
    """Lines in one direction, on boards of one word: ``step`` from a bit to the next of a line.

    A line begins at one of ``starts``, or it runs over an edge. ``befores`` and ``afters``: the
    starts of lines that have a square before them, or after them.
    """

    step: int
    starts: np.uint64
    befores: np.uint64
    afters: np.uint64


def directions(shape: Shape) -> list[Direction]:
    """Across, up, and both diagonals, as far as a line fits."""
    columns, rows, k = shape.columns, shape.rows, shape.line
    found = []
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        mask = [0, 0, 0]
        for i in range(shape.cells):
            for m, far in enumerate((k - 1, -1, k)):
                row, column = i // columns + far * dr, i % columns + far * dc
                mask[m] |= (0 <= row < rows and 0 <= column < columns) << i
        if mask[0]:
            found.append(Direction(dr * columns + dc, *(word(bits) for bits in mask)))
    return found


def line_finder(shape: Shape) -> Function:
    """``has_line(stones)`` for boards of one word."""
    ways = directions(shape)
    count, exactly, last, jumps = len(ways), shape.exactly, shape.line - 1, shape.jumps
    steps, starts, befores, afters = zip(*ways, strict=True)

    def has_line(stones):
        found = ZERO
        for d in range(count):
            step, begin = steps[d], stones
            for jump in jumps:
                begin &= begin >> word(step * jump)
            begin &= starts[d]
            if exactly:
                begin &= ~((stones << word(step)) & befores[d])
                begin &= ~(((stones >> word(step * last)) >> word(step)) & afters[d])
            found |= begin
        return found != ZERO

    return has_line
