"""The edges of a board of one word: size * row + column is the bit of a cell, rows from the top."""

from typing import Any, NamedTuple

from zermelo.kernel.bits import word


class Edges(NamedTuple):
    """Sets of cells."""

    full: Any
    top: Any
    bottom: Any
    left: Any
    right: Any


def edges_of(size: int) -> Edges:
    """Those of ``size`` x ``size`` cells."""
    cells, row = size * size, (1 << size) - 1
    column = sum(1 << (size * k) for k in range(size))
    return Edges(word((1 << cells) - 1), word(row), word(row << (cells - size)), word(column),
                 word(column << (size - 1)))
