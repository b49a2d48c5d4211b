"""LineCounts: the stones on each line, kept up stone by stone, and the threats that they make.

For each line the stones of both sides are counted. A line is *open* to a side if the other has
no stone in it, and no guard of it is the side's own. An open line is *live* if one turn completes
it, and *rich* if two do. Both are kept as lists, so that a stone costs the lines through it and a
threat is never looked for on the whole board.

A threat is a live line; a stone on any of its empty squares stops it. All threats are stopped by a
set of squares that meets each of them, and the *number of threats* is the size of a smallest such
set. A line has few empty squares, so trying those of the first line that is not met, then those of
the next, is exact and fast (``Stops``).
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from zermelo.compiler.jit import outlined
from zermelo.core.rules import EMPTY, Array, Lines
from zermelo.kernel.bits import mix

SEED = 0x7468726561747321
LIVE, RICH = 0, 1
NOWHERE = -1
CHANGING = ("owner", "stones", "barred", "lists", "places", "sizes", "hash")
FULL = -1  # instead of a stone: the turn has no more


class LineCounts(NamedTuple):
    """Constants of a game first, then the stones and what follows from them.

    sets, guards          squares of each line; its guards
    through, through_at   the lines through square i: ``through[through_at[i] : through_at[i + 1]]``
    guarded, guarded_at   the lines that square i guards, likewise
    zobrist               (2 words, 2 sides, squares): hashes of stones
    per_turn              one number: stones per turn
    owner                 of each square: 0, 1 or EMPTY
    stones, barred        (2 sides, lines): stones in the line; stones on its guards
    lists, places, sizes  (2 sides, LIVE or RICH, lines): the lines of that kind; where a line
                          stands in the list, or NOWHERE; how many there are
    hash                  two words that identify the position
    """

    sets: Array
    guards: Array
    through: Array
    through_at: Array
    guarded: Array
    guarded_at: Array
    zobrist: Array
    per_turn: Array
    owner: Array
    stones: Array
    barred: Array
    lists: Array
    places: Array
    sizes: Array
    hash: Array


def line_counts_of(lines: Lines) -> LineCounts:
    """The counts of an empty board of a game."""
    blank = _blank(lines)
    return blank._replace(**{name: getattr(blank, name).copy() for name in CHANGING})


@cache
def _blank(lines: Lines) -> LineCounts:
    """The counts that all of a game's begin as."""
    sets = np.ascontiguousarray(lines.sets, np.int16)
    n, squares = len(sets), lines.squares
    guards = np.full((n, 1), -1) if lines.guards is None else lines.guards
    through, through_at = _inverse(sets, squares)
    guarded, guarded_at = _inverse(guards, squares)
    zobrist = [mix(SEED + i) for i in range(4 * squares)]
    counts = LineCounts(
        sets=sets, guards=np.ascontiguousarray(guards, np.int16), through=through,
        through_at=through_at, guarded=guarded, guarded_at=guarded_at,
        zobrist=np.array(zobrist, np.uint64).reshape(2, 2, squares),
        per_turn=np.array([lines.stones], np.int64), owner=np.full(squares, EMPTY, np.int8),
        stones=np.zeros((2, n), np.int16), barred=np.zeros((2, n), np.int16),
        lists=np.zeros((2, 2, n), np.int32), places=np.full((2, 2, n), NOWHERE, np.int32),
        sizes=np.zeros((2, 2), np.int64), hash=np.zeros(2, np.uint64),
    )
    if sets.shape[1] <= 2 * lines.stones:  # then an empty line is rich already
        counts.lists[:, RICH], counts.sizes[:, RICH] = np.arange(n), n
        counts.places[:, RICH] = np.arange(n)
    if sets.shape[1] <= lines.stones:
        counts.lists[:, LIVE], counts.sizes[:, LIVE] = np.arange(n), n
        counts.places[:, LIVE] = np.arange(n)
    return counts


def _inverse(rows: Array, squares: int) -> tuple[Array, Array]:
    """List for each square the numbers of the rows that contain it, one after the other."""
    found: list[list[int]] = [[] for _ in range(squares)]
    for number, row in enumerate(rows.tolist()):
        for square in row:
            if square >= 0:
                found[square].append(number)
    starts = np.cumsum([0, *map(len, found)])
    return (np.array([i for part in found for i in part], np.int32), starts.astype(np.int32))


def enlist(c, side, kind, line, wanted):
    """Put a line on a list or take it off, if it is not where it should be."""
    at = c.places[side, kind, line]
    if wanted == (at != NOWHERE):
        return
    if wanted:
        c.places[side, kind, line] = c.sizes[side, kind]
        c.lists[side, kind, c.sizes[side, kind]] = line
        c.sizes[side, kind] += 1
    else:
        c.sizes[side, kind] -= 1
        last = c.lists[side, kind, c.sizes[side, kind]]
        c.lists[side, kind, at] = last
        c.places[side, kind, last] = at
        c.places[side, kind, line] = NOWHERE


def relist(c, side, line):
    """Put a line on the lists of a side, or take it off, by its stones."""
    missing = c.sets.shape[1] - c.stones[side, line]
    closed = c.stones[1 - side, line] > 0 or c.barred[side, line] > 0
    enlist(c, side, LIVE, line, not closed and missing <= c.per_turn[0])
    enlist(c, side, RICH, line, not closed and missing <= 2 * c.per_turn[0])


def change(c, square, side, by):
    """Put a stone of ``side`` on an empty square (``by`` = 1), or take it away (-1)."""
    c.owner[square] = side if by > 0 else EMPTY
    c.hash[0] ^= c.zobrist[0, side, square]
    c.hash[1] ^= c.zobrist[1, side, square]
    for i in range(c.through_at[square], c.through_at[square + 1]):
        line = c.through[i]
        before = c.stones[side, line]
        c.stones[side, line] = before + by
        if c.stones[1 - side, line] == 0:
            relist(c, side, line)
        if before + c.stones[side, line] == 1:  # the first stone closes the line to the other side
            relist(c, 1 - side, line)
    for i in range(c.guarded_at[square], c.guarded_at[square + 1]):
        line = c.guarded[i]
        c.barred[side, line] += by
        relist(c, side, line)


@outlined
def change_row(c, rows, row, side, by):
    """Put the stones of turn number ``row`` (``by`` = 1), or lift them again, the last first (-1).
    Called from many places, so not inlined."""
    last = rows.shape[1] - 1
    for i in range(last + 1):
        square = rows[row, i if by > 0 else last - i]
        if square != FULL:
            change(c, np.int64(square), side, by)


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
    """Make room for the threats of ``lines`` lines."""
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
    """Let ``next_stop`` begin with the first way."""
    h.line[0], h.next[0] = 0, 0


def tried(h, level, square):
    """Return True if an earlier stone has been tried on ``square``: sets come once only."""
    for above in range(level):
        for j in range(h.next[above] - 1):
            if h.squares[h.line[above], j] == square:
                return True
    return False


def next_stop(h, n, most, level):
    """The next way to stop ``n`` >= 1 threats with at most ``most`` >= 1 stones, in ``h.chosen``.

    ``level``: 0 at first, then one less than the number of stones of the last way. The number of
    stones, or 0 after the last way.
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
    """The stones that the other side needs against ``side``; ``most`` + 1 for more than that."""
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
