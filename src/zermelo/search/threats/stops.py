"""What it takes to stop threats: the least number of stones, and all ways to do it.

A threat is a live line; a stone on any of its empty squares stops it. All threats are stopped by a
set of squares that meets each of them, and the *number of threats* is the size of a smallest such
set. A line has few empty squares, so trying those of the first line that is not met, then those of
the next, is exact and fast.
"""

from typing import NamedTuple

import numpy as np

from zermelo.core.winning_lines import EMPTY, Array
from zermelo.search.threats.line_counts import LIVE

FULL = -1  # instead of a stone: the turn has no more


class Stops(NamedTuple):
    """Working space.

    squares, sizes  the empty squares of each threat, and how many
    chosen          the squares taken, from the first to the last
    line, next      at each of them: which threat it stops, and which square of it comes next
    """

    squares: Array
    sizes: Array
    chosen: Array
    line: Array
    next: Array


def stops_for(lines: int, per_turn: int, squares: int) -> Stops:
    """Room for that many threats."""
    return Stops(np.zeros((lines, per_turn), np.int16), np.zeros(lines, np.int64),
                 np.zeros(squares + 1, np.int16), np.zeros(squares + 1, np.int64),
                 np.zeros(squares + 1, np.int64))


def collect(c, h, side):
    """Note the empty squares of all live lines of ``side``; how many lines there are."""
    n = c.sizes[side, LIVE]
    for i in range(n):
        line = c.lists[side, LIVE, i]
        size = 0
        for j in range(c.sets.shape[1]):
            square = c.sets[line, j]
            if c.owner[square] == EMPTY:
                h.squares[i, size] = square
                size += 1
        h.sizes[i] = size
    return n


def first_open(h, n, taken):
    """The first of ``n`` threats that no chosen square stops; -1 if there is none."""
    for i in range(n):
        met = False
        for j in range(h.sizes[i]):
            for q in range(taken):
                met |= h.squares[i, j] == h.chosen[q]
        if not met:
            return i
    return -1


def begin_stops(h):
    """Let ``next_stop`` begin anew."""
    h.line[0], h.next[0] = 0, 0


def tried(h, level, square):
    """Whether an earlier stone has had its turn with ``square`` already: sets come once only."""
    for above in range(level):
        for j in range(h.next[above] - 1):
            if h.squares[h.line[above], j] == square:
                return True
    return False


def next_stop(h, n, most, level):
    """The next way to stop ``n`` >= 1 threats with at most ``most`` >= 1 stones, in ``h.chosen``.

    ``level``: 0 at first, then one less than the number of stones of the last way. The number of
    stones, or 0 when there is no further way.
    """
    while level >= 0:
        line = h.line[level]
        if h.next[level] >= h.sizes[line]:
            level -= 1
            continue
        square = h.squares[line, h.next[level]]
        h.next[level] += 1
        if tried(h, level, square):
            continue
        h.chosen[level] = square
        rest = first_open(h, n, level + 1)
        if rest < 0:
            return level + 1
        if level + 1 < most:
            level += 1
            h.line[level], h.next[level] = rest, 0
    return 0


def stones_to_stop(h, n, most):
    """The number of the ``n`` threats noted; ``most`` + 1 if it is larger than ``most``."""
    if n == 0:
        return 0
    for stones in range(1, most + 1):
        begin_stops(h)
        if next_stop(h, n, stones, 0) > 0:
            return stones
    return most + 1


def threats(c, h, side, most):
    """How many stones the other side needs against ``side``; ``most`` + 1 for more than that."""
    return stones_to_stop(h, collect(c, h, side), most)


def list_stops(c, h, side, m, out):
    """Write all ways to stop the threats of ``side`` with ``m`` stones; how many there are."""
    lines, n, level = collect(c, h, side), 0, 0
    begin_stops(h)
    while lines > 0:
        stones = next_stop(h, lines, m, level)
        if stones == 0:
            break
        for i in range(out.shape[1]):
            out[n, i] = h.chosen[i] if i < stones else FULL
        n, level = n + 1, stones - 1
    return n
