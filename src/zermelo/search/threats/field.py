"""Field: stones on lines, kept up stone by stone, and the threats that they make.

Of each line the field counts the stones of both sides. A line is *open* to a side if the other has
no stone in it, and no guard of it is the side's own. An open line is *live* if one turn completes
it, and *rich* if two do. Both are kept as lists, so that a stone costs the lines through it and a
threat is never looked for on the whole board.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from zermelo.core.winning_lines import EMPTY, Array, Lines
from zermelo.kernel.bits import mix

SEED = 0x7468726561747321
LIVE, RICH = 0, 1
NOWHERE = -1


class Field(NamedTuple):
    """Constants of a game first, then the stones and what follows from them.

    sets, guards          squares of each line; its guards
    through, through_at   the lines through square i: ``through[through_at[i] : through_at[i + 1]]``
    guarded, guarded_at   the lines that square i guards, likewise
    zobrist               (2 words, 2 sides, squares): hashes of stones
    per_turn              one number: stones a turn
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


def field_of(lines: Lines) -> Field:
    """An empty field of a game."""
    blank = _blank(lines)
    return blank._replace(**{name: getattr(blank, name).copy() for name in CHANGING})


@cache
def _blank(lines: Lines) -> Field:
    """The empty field that all of a game's begin as."""
    sets = np.ascontiguousarray(lines.sets, np.int16)
    n, squares = len(sets), lines.squares
    guards = np.full((n, 1), -1) if lines.guards is None else lines.guards
    through, through_at = _inverse(sets, squares)
    guarded, guarded_at = _inverse(guards, squares)
    zobrist = [mix(SEED + i) for i in range(4 * squares)]
    field = Field(
        sets=sets, guards=np.ascontiguousarray(guards, np.int16), through=through,
        through_at=through_at, guarded=guarded, guarded_at=guarded_at,
        zobrist=np.array(zobrist, np.uint64).reshape(2, 2, squares),
        per_turn=np.array([lines.stones], np.int64), owner=np.full(squares, EMPTY, np.int8),
        stones=np.zeros((2, n), np.int16), barred=np.zeros((2, n), np.int16),
        lists=np.zeros((2, 2, n), np.int32), places=np.full((2, 2, n), NOWHERE, np.int32),
        sizes=np.zeros((2, 2), np.int64), hash=np.zeros(2, np.uint64),
    )
    if sets.shape[1] <= 2 * lines.stones:  # then an empty line is rich already
        field.lists[:, RICH], field.sizes[:, RICH] = np.arange(n), n
        field.places[:, RICH] = np.arange(n)
    if sets.shape[1] <= lines.stones:
        field.lists[:, LIVE], field.sizes[:, LIVE] = np.arange(n), n
        field.places[:, LIVE] = np.arange(n)
    return field


def _inverse(rows: Array, squares: int) -> tuple[Array, Array]:
    """For each square the numbers of the rows that hold it, one list after the other."""
    found: list[list[int]] = [[] for _ in range(squares)]
    for number, row in enumerate(rows.tolist()):
        for square in row:
            if square >= 0:
                found[square].append(number)
    starts = np.cumsum([0, *map(len, found)])
    return (np.array([i for part in found for i in part], np.int32), starts.astype(np.int32))


def enlist(f: Any, side: Any, kind: Any, line: Any, wanted: Any) -> None:
    """Put a line on a list or take it off, if it is not where it should be."""
    at = f.places[side, kind, line]
    if wanted == (at != NOWHERE):
        return
    if wanted:
        f.places[side, kind, line] = f.sizes[side, kind]
        f.lists[side, kind, f.sizes[side, kind]] = line
        f.sizes[side, kind] += 1
    else:
        f.sizes[side, kind] -= 1
        last = f.lists[side, kind, f.sizes[side, kind]]
        f.lists[side, kind, at] = last
        f.places[side, kind, last] = at
        f.places[side, kind, line] = NOWHERE


def relist(f: Any, side: Any, line: Any) -> None:
    """See to it that the lists of a side are right about a line."""
    missing = f.sets.shape[1] - f.stones[side, line]
    closed = f.stones[1 - side, line] > 0 or f.barred[side, line] > 0
    enlist(f, side, LIVE, line, not closed and missing <= f.per_turn[0])
    enlist(f, side, RICH, line, not closed and missing <= 2 * f.per_turn[0])


def change(f: Any, square: Any, side: Any, by: Any) -> None:
    """``by`` = 1 puts a stone of ``side`` on an empty square, -1 takes it away."""
    f.owner[square] = side if by > 0 else EMPTY
    f.hash[0] ^= f.zobrist[0, side, square]
    f.hash[1] ^= f.zobrist[1, side, square]
    for i in range(f.through_at[square], f.through_at[square + 1]):
        line = f.through[i]
        before = f.stones[side, line]
        f.stones[side, line] = before + by
        if f.stones[1 - side, line] == 0:
            relist(f, side, line)
        if before + f.stones[side, line] == 1:  # the first stone closes the line to the other side
            relist(f, 1 - side, line)
    for i in range(f.guarded_at[square], f.guarded_at[square + 1]):
        line = f.guarded[i]
        f.barred[side, line] += by
        relist(f, side, line)


def put(f: Any, square: Any, side: Any) -> None:
    """A stone of ``side`` on an empty square."""
    change(f, square, side, 1)


def lift(f: Any, square: Any, side: Any) -> None:
    """Take a stone of ``side`` away again."""
    change(f, square, side, -1)
