"""LineCounts: the stones on each line, kept up stone by stone, and the threats that they make.

For each line the stones of both sides are counted. A line is *open* to a side if the other has
no stone in it, and no guard of it is the side's own. An open line is *live* if one turn completes
it, and *rich* if two do. Both are kept as lists, so that a stone costs the lines through it and a
threat is never looked for on the whole board.
"""

from functools import cache
from typing import NamedTuple

import numpy as np

from zermelo.core.winning_lines import EMPTY, Array, Lines
from zermelo.kernel.bits import mix

SEED = 0x7468726561747321
LIVE, RICH = 0, 1
NOWHERE = -1


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
    hash                  two words that tell positions apart
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


CHANGING = ("owner", "stones", "barred", "lists", "places", "sizes", "hash")


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
    """For each square the numbers of the rows that hold it, one list after the other."""
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
    """See to it that the lists of a side are right about a line."""
    missing = c.sets.shape[1] - c.stones[side, line]
    closed = c.stones[1 - side, line] > 0 or c.barred[side, line] > 0
    enlist(c, side, LIVE, line, not closed and missing <= c.per_turn[0])
    enlist(c, side, RICH, line, not closed and missing <= 2 * c.per_turn[0])


def change(c, square, side, by):
    """``by`` = 1 puts a stone of ``side`` on an empty square, -1 takes it away."""
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


def put(c, square, side):
    """A stone of ``side`` on an empty square."""
    change(c, square, side, 1)


def lift(c, square, side):
    """Take a stone of ``side`` away again."""
    change(c, square, side, -1)
