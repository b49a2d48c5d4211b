"""What the rules of k in a row imply: lines to complete, lines to stop, and no line left.

A line that a single stone completes wins at once. If there is none and the turn has one stone left,
a line that the other side would complete must be stopped now. ``docs/games/k-in-a-row.md`` gives
the reasons.
"""

from typing import NamedTuple

import numpy as np

from zermelo.games.k_in_a_row.shape import LARGEST, Function, Shape, directions, line_finder
from zermelo.kernel.bits import ONE, ZERO, lowest, popcount, word


class Knowledge(NamedTuple):
    """The optional functions of ``Rules`` that these games have."""

    forced: Function
    estimate: Function
    remaining: Function
    cannot_win: Function | None = None


def completing_of(shape: Shape) -> Function:
    """``completing(stones)``: the squares, taken or not, that make a line with ``stones``."""
    ways = directions(shape)
    count, length, exactly = len(ways), shape.line, shape.exactly
    steps, starts, befores, afters = zip(*ways, strict=True)

    def completing(stones):
        found = ZERO
        for d in range(count):
            step, begin = steps[d], starts[d]
            if exactly:
                begin &= ~((stones << word(step)) & befores[d])
                begin &= ~(((stones >> word(step * (length - 1))) >> word(step)) & afters[d])
            for missing in range(length):
                lines = begin
                for i in range(length):
                    if i != missing:
                        lines &= stones >> word(step * i)
                found |= lines << word(step * missing)
        return found

    return completing


def word_knowledge(shape: Shape) -> Knowledge:
    """For boards of up to 64 squares."""
    full = word((1 << shape.cells) - 1)
    completing = completing_of(shape)
    has_line = line_finder(shape._replace(exactly=False))

    def urgent(s):
        """A square that wins or must be taken, or 0."""
        own, other = s.x, s.o
        if s.turn == 1:
            own, other = other, own
        empty = full & ~(own | other)
        squares = completing(own) & empty
        if squares == ZERO and s.left == 1:
            squares = completing(other) & empty
        return squares & ~(squares - ONE) if squares != ZERO else ZERO

    def forced(g, s, out):
        square = urgent(s)
        out[0] = lowest(square)
        return 1 if square != ZERO else 0

    def remaining(g, s):
        return popcount(full & ~(s.x | s.o))

    def estimate(g, s):
        return 1, 1 if urgent(s) != ZERO else remaining(g, s)

    def cannot_win(g, s, side):
        # A longer line than allowed may still be one: do not ask for exactly k here.
        stones = s.x if side == 0 else s.o
        return not has_line(stones | (full & ~(s.x | s.o)))

    return Knowledge(forced, estimate, remaining, cannot_win)


def gap_of(shape: Shape) -> Function:
    """``gap(stones, base, other)``: a square that makes a line for one side, on rows; -1 for none.

    The rows of that side begin at ``base``, those of the other at ``other``.
    """
    columns, rows, length, exactly = shape.columns, shape.rows, shape.line, shape.exactly
    span, every = length - 1, (1 << columns) - 1
    to_the_right, to_the_left = every >> span, every >> span << span
    # From row to row, sideways per row, where lines begin; and how many rows they take.
    ways = ((0, 1, to_the_right), (1, 0, every), (1, 1, to_the_right), (1, -1, to_the_left))

    def moved(row, by):
        return (np.int64(row) << LARGEST) >> (LARGEST + by)

    def ends(stones, base, row, down, aside):
        """The lines from ``row`` that are longer than they may be: a stone before or after."""
        before, after = row - down, row + length * down
        found = np.int64(0)
        if before >= 0:
            found |= moved(stones[base + before], -aside)
        if after < rows:
            found |= moved(stones[base + after], length * aside)
        return found

    def gap(stones, base, other):
        for down, aside, starts in ways:
            for row in range(rows - span * down):
                complete, lacking = np.int64(starts), np.int64(0)
                for i in range(length):
                    own = moved(stones[base + row + i * down], i * aside)
                    taken = moved(stones[other + row + i * down], i * aside)
                    lacking = ((lacking & own) | (complete & ~own)) & ~taken
                    complete &= own
                    if complete | lacking == 0:
                        break
                if exactly and lacking != 0:
                    lacking &= ~ends(stones, base, row, down, aside)
                if lacking != 0:
                    column, i = lowest(lacking), 0
                    while (moved(stones[base + row + i * down], i * aside) >> column) & 1:
                        i += 1
                    return (row + i * down) * columns + column + i * aside
        return -1

    return gap


def row_knowledge(shape: Shape) -> Knowledge:
    """For boards of more than 64 squares; that no line is left would not be worth a look there."""
    rows, cells = shape.rows, shape.cells
    gap = gap_of(shape)

    def urgent(s):
        """A square that wins or must be taken, or -1."""
        own, other = 0, rows
        if s.turn == 1:
            own, other = rows, 0
        square = gap(s.stones, own, other)
        if square < 0 and s.left == 1:
            square = gap(s.stones, other, own)
        return square

    def forced(g, s, out):
        out[0] = urgent(s)
        return 1 if out[0] >= 0 else 0

    def remaining(g, s):
        return np.int64(cells - s.count)

    def estimate(g, s):
        return 1, np.int64(1) if urgent(s) >= 0 else remaining(g, s)

    return Knowledge(forced, estimate, remaining)
