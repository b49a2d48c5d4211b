"""Compiled functions of the generator: the zone of a win by threats, and the attacker's best turns.

The zone (``mark``) is all squares where a stone of the defender could disturb the win.
The counts are those of a position in which the attacker is to move and wins by threats, as the
table of the threat search knows. The win is a tree: a turn of the attacker, every way to stop the
threats it makes, and so on. A further stone of the defender, on a square that is empty now, leaves
the tree as it is unless

- the attacker wants to put a stone there, or the square belongs to a line that is live after one of
  the attacker's turns (those are the threats), or
- after one of the attacker's turns the defender could complete a line through it at once: a line
  without a stone of the attacker that lacks at most one stone more than a turn has.

These squares are ``near``. Two further stones may also stand in one line that lacks two stones more
than a turn has; such lines are ``far``. ``docs/searches/zones.md`` has the whole argument.

The attacker's turns (``rank``) are those that make most of its own lines and spoil most others. A
line that is open to a side counts the more the more stones of that side it has. The squares on
which that adds up to most are put together to turns; a turn is worth what it adds to own lines and
takes from the other side's, and more if it makes threats.
"""

from typing import NamedTuple

import numpy as np

from zermelo.core.board import records
from zermelo.core.rules import EMPTY, Array, Lines
from zermelo.kernel.bits import bare
from zermelo.search.threats.driver import find_entry, win_known
from zermelo.search.threats.line_counts import (
    FULL,
    LIVE,
    RICH,
    change_row,
    list_stops,
    stones_to_stop,
)
from zermelo.search.threats.turns import MOST_STONES, collect_with, open_to, stops_all

WALK = np.dtype([("turns", "i8"), ("begin", "i8"), ("end", "i8"), ("at", "i8")])
ROOM = 1 << 16
MISSED = -1  # a position of the win is not in the table, or there are too many replies
SQUARES = 28  # how many of the best squares are put together
OWN, OTHER, THREAT = 6, 4, 600


class Zone(NamedTuple):
    """Working space.

    near, far      squares and lines of the zone
    words, moves   the attacker's turns on the path of the walk; the same, stone by stone
    walk, replies  the walk's path: frames, and the defender's replies, one node's after the other's
    """

    near: Array
    far: Array
    words: Array
    moves: Array
    walk: Array
    replies: Array


def zone_for(lines: Lines, depth: int) -> Zone:
    """Make room for wins of up to ``depth`` turns."""
    words = np.zeros(depth + 2, np.uint64)
    return Zone(
        near=np.zeros(lines.squares, np.int8), far=np.zeros(len(lines.sets), np.int8), words=words,
        moves=words.view(np.int16).reshape(-1, MOST_STONES),
        walk=records(WALK, depth + 2),
        replies=np.zeros((ROOM, MOST_STONES), np.int16),
    )


def mark_line(z, c, line):
    """Put the empty squares of a line into the zone."""
    for j in range(c.sets.shape[1]):
        if c.owner[c.sets[line, j]] == EMPTY:
            z.near[c.sets[line, j]] = 1


def mark_turn(z, c, side, spare):
    """Add to the zone what a turn of ``side``, just played, needs: threats, and defender's lines.

    ``spare``: the further stones that the defender may have.
    """
    for at in range(c.sizes[side, LIVE]):
        mark_line(z, c, c.lists[side, LIVE, at])
    for at in range(c.sizes[1 - side, RICH]):
        line = c.lists[1 - side, RICH, at]
        lacking = c.sets.shape[1] - c.stones[1 - side, line] - c.per_turn[0]
        if lacking <= 1:
            mark_line(z, c, line)
        elif lacking <= spare:
            z.far[line] = 1


def enter(z, c, h, table, level, side, spare):
    """Play the win's turn at ``level``, mark it and list the replies; False if it is not known."""
    frame = z.walk[level]
    if level > 0:
        at = find_entry(table, c.hash)
        if at < 0 or not 0 < win_known(table, at) <= frame.turns:
            return False
        frame.turns, z.words[level] = win_known(table, at), table[at, 2]
    if frame.begin + len(c.owner) >= len(z.replies):
        return False
    for i in range(MOST_STONES):
        if z.moves[level, i] != FULL:
            z.near[z.moves[level, i]] = 1
    change_row(c, z.moves, level, side, 1)
    mark_turn(z, c, side, spare)
    n = list_stops(c, h, side, c.per_turn[0], z.replies[frame.begin :])
    frame.end, frame.at = frame.begin + n, frame.begin
    return True


def mark(counts, stops, table, zone, side, turns, spare):
    """Mark the zone of a win in ``turns`` > 1 turns whose first is ``zone.words[0]``.

    1, or MISSED: then the position that is not known is still what is counted.
    """
    c, h, z = bare(counts), bare(stops), bare(zone)
    z.near[:], z.far[:] = 0, 0
    level, entering = 0, True
    z.walk[0].turns, z.walk[0].begin = turns, 0
    while level >= 0:
        if entering and not enter(z, c, h, table, level, side, spare):
            return MISSED
        frame = z.walk[level]
        entering = frame.at < frame.end
        if entering:
            change_row(c, z.replies, frame.at, 1 - side, 1)
            z.walk[level + 1].turns, z.walk[level + 1].begin = frame.turns - 1, frame.end
            level += 1
        else:
            change_row(c, z.moves, level, side, -1)
            level -= 1
            if level >= 0:
                change_row(c, z.replies, z.walk[level].at, 1 - side, -1)
                z.walk[level].at += 1
    return 1


def worth(stones):
    """The worth of an open line with this number of stones."""
    return stones * stones * stones


def gain_in(c, side, line, more):
    """The worth that ``more`` stones add to a line, or take from the other side."""
    own, other, gain = np.int64(c.stones[side, line]), np.int64(c.stones[1 - side, line]), 0
    if open_to(c, side, line):
        gain += OWN * (worth(own + more) - worth(own))
    if open_to(c, 1 - side, line):
        gain += OTHER * worth(other)
    return gain


def find_best(c, side, scores, best):
    """The squares of the other side's threats and those that score most; their number."""
    n = 0
    scores[:] = 0
    for line in range(len(c.sets)):
        gain = gain_in(c, side, line, 1)
        for j in range(c.sets.shape[1]):
            scores[c.sets[line, j]] += gain
    for square in range(len(c.owner)):
        if c.owner[square] != EMPTY:
            scores[square] = -1
    for at in range(c.sizes[1 - side, LIVE]):
        for j in range(c.sets.shape[1]):
            square = c.sets[c.lists[1 - side, LIVE, at], j]
            if scores[square] >= 0:
                best[n], n = square, n + 1
                scores[square] = -1
    while n < SQUARES:
        top = np.argmax(scores)
        if scores[top] <= 0:
            break
        best[n], n = top, n + 1
        scores[top] = -1
    return n


def in_line(c, line, square):
    """Return True if a line has this square."""
    found = False
    for j in range(c.sets.shape[1]):
        found |= c.sets[line, j] == square
    return found


def gain_of(c, side, stones, m):
    """The worth that a turn adds to own lines and takes from the other's."""
    total = 0
    for which in range(m):
        a, b = stones[which], stones[1 - which] if m == 2 else -1
        for i in range(c.through_at[a], c.through_at[a + 1]):
            both = m == 2 and in_line(c, c.through[i], b)
            if not both or which == 0:
                total += gain_in(c, side, c.through[i], 2 if both else 1)
    return total


def rank(counts, stops, stones, side, m, scores, best, pairs, values):
    """Write the turns of ``m`` (1 or 2) stones that stop all threats, and what they are worth; how
    many there are."""
    c, h = bare(counts), bare(stops)
    squares, n = find_best(c, side, scores, best), 0
    for i in range(squares):
        for j in range(i + 1, squares if m == 2 else i + 2):
            stones[0], stones[1] = best[i], best[j] if m == 2 else -1
            if c.sizes[1 - side, LIVE] > 0 and not stops_all(c, 1 - side, stones, m):
                continue
            made = stones_to_stop(h, collect_with(c, h, side, stones, m), c.per_turn[0])
            pairs[n, 0], pairs[n, 1] = stones[0], stones[1]
            values[n] = gain_of(c, side, stones, m) + THREAT * made
            n += 1
    return n
