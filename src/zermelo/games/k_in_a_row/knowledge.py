"""What the rules of k in a row imply: lines to complete, lines to stop, and what a win depends on.

A line that a single stone completes wins at once. If there is none and the turn has one stone left,
a line that the other side would complete must be stopped now. ``docs/games/k-in-a-row.md`` gives
the reasons.

A win depends on the squares of its line. But while one player makes a line the other may make one
first, with stones that the winner need not have answered: a search must not leave out moves that
belong to such a line (``rival``).
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from zermelo.core.dependence import MOST_THREATS, Dependence
from zermelo.core.winning_lines import EMPTY, Array, Lines
from zermelo.games.k_in_a_row.shape import LARGEST, WORD, Function, Shape, directions, line_finder
from zermelo.kernel.bits import ONE, ZERO, lowest, popcount, word

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


def dependence_of(shape: Shape) -> Dependence:
    """The functions for boards of up to 64 squares."""
    ways = directions(shape)
    count, length, per_turn, exactly = len(ways), shape.line, shape.stones, shape.exactly
    steps, starts, befores, afters = zip(*ways, strict=True)
    lines = tuple(word(sum(1 << (step * i) for i in range(length))) for step in steps)
    full = word((1 << shape.cells) - 1)

    def stones(g, s, side):
        return s.x if side == 0 else s.o

    def move(g, move):
        return ONE << word(move)

    def begins(own, d):
        """Where lines in direction ``d`` may begin that are not too long as it is."""
        begin = starts[d]
        if exactly:
            begin &= ~((own << word(steps[d])) & befores[d])
            begin &= ~(((own >> word(steps[d] * (length - 1))) >> word(steps[d])) & afters[d])
        return begin

    def ending(g, s):
        own = s.x if s.result == 1 else s.o
        for d in range(count):
            begin = begins(own, d)
            for i in range(length):
                begin &= own >> word(steps[d] * i)
            if begin != ZERO:
                return lines[d] << word(lowest(begin))
        return ZERO

    def lacking_one(own, empty, out):
        """Write the lines of ``own`` that lack one stone, on an empty square."""
        n = 0
        for d in range(count):
            first = begins(own, d)
            for missing in range(length):
                begin = first & (empty >> word(steps[d] * missing))
                for i in range(length):
                    if i != missing:
                        begin &= own >> word(steps[d] * i)
                while begin != ZERO and n < MOST_THREATS:
                    out[n] = lines[d] << word(lowest(begin))
                    begin &= begin - ONE
                    n += 1
        return n

    def sight(g, s, zones):
        own, other = s.x, s.o
        if s.turn == 1:
            own, other = s.o, s.x
        empty = full & ~(own | other)
        if lacking_one(own, empty, zones) > 0:
            return 1, zones[0], 0
        return 0, ZERO, lacking_one(other, empty, zones) if s.left == 1 else 0

    def rival(g, s, side, plies):
        own, other = s.x, s.o
        if side == 1:
            own, other = s.o, s.x
        mine = min(plies, s.left) if s.turn == side else 0
        rest = max(plies - s.left, 0)
        round = 2 * per_turn
        late = per_turn if s.turn == side else 0  # the other player's turn comes first
        mine += rest // round * per_turn + min(max(rest % round - late, 0), per_turn)
        found = ZERO
        for d in range(count):
            begin = starts[d]
            for i in range(length):
                begin &= ~(other >> word(steps[d] * i))
            while begin != ZERO:
                line = lines[d] << word(lowest(begin))
                begin &= begin - ONE
                if popcount(line & ~own) <= mine:
                    found |= line
        return found

    return Dependence(shape.cells, stones, ending, move, rival, sight)
