"""The attacker's turns: those that make enough threats and leave the defender none.

A turn of two stones makes lines live in three ways: one stone alone does it, the other does, or
both stones stand in one line. So a pair that makes ``need`` threats is a pair of *hot* squares, on
which a single stone makes threats; or two squares of a line that lacks two stones to be live; or
one hot square that makes enough threats by itself, and another stone that is free. It goes to a
square of a rich line, or ``anywhere``. Turns of another length are found by trying all sets of such
squares.
"""

from typing import NamedTuple

import numpy as np

from zermelo.compiler.jit import outlined
from zermelo.core.rules import EMPTY, Array
from zermelo.search.threats.line_counts import FULL, LIVE, RICH, stones_to_stop

MOST_STONES = 4  # a turn; moves are kept in words of four squares


class Turns(NamedTuple):
    """The turns found, one node's after the other's, and working space.

    moves, words   the stones of each turn; the same as one word a turn
    scores         what orders turns
    made           how many threats a turn makes
    hot, alone     squares; threats that a stone there makes, where ``hot_at`` is this node's number
    hot_at, pair_at, pair_lines, pairs   marks by the number of the node, and the marked pairs
    useful, useful_at   squares that may matter, and their marks
    stones         the stones of the turn being tried
    joint          one number: stones that stop all lines through two squares, at most
    anywhere       one number: 1 if a stone that is not needed may go anywhere
    node           one number: counts nodes, so that marks need not be wiped
    """

    moves: Array
    words: Array
    scores: Array
    made: Array
    hot: Array
    alone: Array
    hot_at: Array
    pairs: Array
    pair_at: Array
    pair_lines: Array
    useful: Array
    useful_at: Array
    stones: Array
    joint: Array
    anywhere: Array
    node: Array


def turns_for(squares: int, joint: int, anywhere: bool, room: int) -> Turns:
    """Make room for ``room`` turns."""
    words = np.zeros(room, np.uint64)
    return Turns(
        moves=words.view(np.int16).reshape(room, MOST_STONES), words=words,
        scores=np.zeros(room, np.int32), made=np.zeros(room, np.int16),
        hot=np.zeros(squares + MOST_STONES, np.int16),
        alone=np.zeros(squares, np.int64), hot_at=np.zeros(squares, np.int64),
        pairs=np.zeros((squares * squares, 2), np.int16),
        pair_at=np.zeros((squares, squares), np.int64),
        pair_lines=np.zeros((squares, squares), np.int16), useful=np.zeros(squares + 1, np.int16),
        useful_at=np.zeros(squares, np.int64), stones=np.zeros(MOST_STONES, np.int16),
        joint=np.array([joint], np.int64), anywhere=np.array([anywhere], np.int64),
        node=np.zeros(1, np.int64),
    )


def open_to(c, side, line):
    """Return True if ``side`` can still complete ``line``."""
    return c.stones[1 - side, line] == 0 and c.barred[side, line] == 0


def collect_line(c, h, n, line, stones, m, i):
    """Note ``line`` as threat number ``n`` if ``m`` further stones make it live; 1 if so.

    Lines are found through the stones, one after the other: one that has a stone before number
    ``i`` was noted there.
    """
    size, most = 0, c.per_turn[0]
    for j in range(c.sets.shape[1]):
        square = c.sets[line, j]
        if c.owner[square] != EMPTY:
            continue
        at = 0
        while at < m and stones[at] != square:
            at += 1
        if at < i:
            return 0
        if at == m:
            if size == most:
                return 0
            h.squares[n, size] = square
            size += 1
    for j in range(c.guards.shape[1]):
        for at in range(m):
            if c.guards[line, j] == stones[at]:
                return 0
    h.sizes[n] = size
    return 1


def collect_after(c, h, side, stones, m):
    """Note the live lines that ``side`` would have with ``m`` further stones; their number."""
    n, lacking = 0, c.sets.shape[1] - c.per_turn[0] - m
    for i in range(m):
        for at in range(c.through_at[stones[i]], c.through_at[stones[i] + 1]):
            line = c.through[at]
            if c.stones[side, line] >= lacking and open_to(c, side, line):
                n += collect_line(c, h, n, line, stones, m, i)
    return n


def collect_with(c, h, side, stones, m):
    """Do what ``collect_after`` does for a side that has live lines already."""
    n = collect_after(c, h, side, stones, m)
    for at in range(c.sizes[side, LIVE]):
        line, fresh = c.lists[side, LIVE, at], True
        for j in range(c.sets.shape[1]):
            for i in range(m):
                fresh &= c.sets[line, j] != stones[i]
        if fresh:
            n += collect_line(c, h, n, line, stones, m, 0)
    return n


def stops_all(c, side, stones, m):
    """Return True if the stones stop every threat of ``side``."""
    for at in range(c.sizes[side, LIVE]):
        line, met = c.lists[side, LIVE, at], False
        for j in range(c.sets.shape[1]):
            for i in range(m):
                met |= c.sets[line, j] == stones[i]
        if not met:
            return False
    return True


def find_hot(c, h, w, side):
    """The squares on which one stone makes threats, and how many; their number."""
    n, node = 0, w.node[0]
    wanted = c.sets.shape[1] - c.per_turn[0] - 1
    for at in range(c.sizes[side, RICH]):
        line = c.lists[side, RICH, at]
        if c.stones[side, line] != wanted:
            continue
        for j in range(c.sets.shape[1]):
            square = c.sets[line, j]
            if c.owner[square] == EMPTY and w.hot_at[square] != node:
                w.hot_at[square] = node
                w.hot[n] = square
                w.stones[0] = square
                lines = collect_after(c, h, side, w.stones, 1)
                w.alone[square] = stones_to_stop(h, lines, c.per_turn[0])
                n += lines > 0  # guards may leave none
    return n


def find_pairs(c, w, side, need):
    """Mark the pairs of squares in lines that lack two stones to be live; their number.

    Those that can't make ``need`` threats are passed over.
    """
    n, node, alone = 0, w.node[0], need - w.joint[0]
    wanted = c.sets.shape[1] - c.per_turn[0] - 2
    for at in range(c.sizes[side, RICH]):
        line = c.lists[side, RICH, at]
        if c.stones[side, line] != wanted:
            continue
        for i in range(c.sets.shape[1]):
            a = c.sets[line, i]
            if c.owner[a] != EMPTY:
                continue
            for j in range(i + 1, c.sets.shape[1]):
                b = c.sets[line, j]
                if c.owner[b] != EMPTY or single(w, a) + single(w, b) < alone:
                    continue
                low, high = min(a, b), max(a, b)
                if w.pair_at[low, high] != node:
                    w.pair_at[low, high], w.pair_lines[low, high] = node, 0
                    w.pairs[n, 0], w.pairs[n, 1] = low, high
                    n += 1
                w.pair_lines[low, high] += 1
    return n


def try_turn(c, h, w, side, m, need, used):
    """Keep the turn in ``w.stones`` as number ``used`` if it will do; how many there are then."""
    if c.sizes[1 - side, LIVE] > 0 and not stops_all(c, 1 - side, w.stones, m):
        return used
    if c.sizes[side, LIVE] > 0:
        lines = collect_with(c, h, side, w.stones, m)
    else:
        lines = collect_after(c, h, side, w.stones, m)
    made = stones_to_stop(h, lines, c.per_turn[0])
    if made < need or used >= len(w.moves):
        return used
    for i in range(MOST_STONES):
        w.moves[used, i] = w.stones[i] if i < m else FULL
    w.made[used], w.scores[used] = made, lines
    return used + 1


def decided(c, w, begin, used):
    """Return True if the last turn kept, from number ``begin`` on, can't be stopped."""
    return used > begin and w.made[used - 1] > c.per_turn[0]


def single(w, square):
    """The threats that a stone makes by itself."""
    return w.alone[square] if w.hot_at[square] == w.node[0] else 0


def find_hot_pairs(w, hot, need, n):
    """Add the pairs of hot squares that are not marked to ``n`` pairs; their number."""
    for i in range(hot):
        for j in range(i + 1, hot):
            a, b = min(w.hot[i], w.hot[j]), max(w.hot[i], w.hot[j])
            if w.alone[a] + w.alone[b] >= need and w.pair_at[a, b] != w.node[0]:
                w.pairs[n, 0], w.pairs[n, 1] = a, b
                n += 1
    return n


def find_loose_pairs(w, a, others, n):
    """Add the pairs of ``a``, which makes threats enough, and a stone that need not make any."""
    for at in range(others):
        b = w.useful[at]
        hot = w.hot_at[b] == w.node[0]
        if b != a and not hot and w.pair_at[min(a, b), max(a, b)] != w.node[0]:
            w.pairs[n, 0], w.pairs[n, 1] = a, b
            n += 1
    return n


def find_turns_of_two(c, h, w, side, need, used):
    """Pairs for a side without live lines; stops at one that can't be stopped."""
    hot, begin, others = find_hot(c, h, w, side), used, -1
    if hot == 0 and need > w.joint[0]:
        return used
    joint = find_pairs(c, w, side, need)
    n = find_hot_pairs(w, hot, need, joint)
    for i in range(hot):
        if w.alone[w.hot[i]] >= need:
            others = find_useful(c, w, side, w.anywhere[0] > 0) if others < 0 else others
            n = find_loose_pairs(w, w.hot[i], others, n)
    for at in range(n):
        a, b = w.pairs[at, 0], w.pairs[at, 1]
        both = min(np.int64(w.pair_lines[a, b]), w.joint[0]) if at < joint else need
        if single(w, a) + single(w, b) + both >= need:
            w.stones[0], w.stones[1] = a, b
            used = try_turn(c, h, w, side, 2, need, used)
            if decided(c, w, begin, used):
                break
    return used


def note_useful(c, w, line, n):
    """Add the empty squares of a line to the ``n`` useful ones; their number."""
    for j in range(c.sets.shape[1]):
        square = c.sets[line, j]
        if c.owner[square] == EMPTY and w.useful_at[square] != w.node[0]:
            w.useful_at[square] = w.node[0]
            w.useful[n] = square
            n += 1
    return n


def sort_turns(w, begin, end):
    """The turns that make most lines live first; equal ones stay in order."""
    for i in range(begin + 1, end):
        at, turn, score, made = i, w.words[i], w.scores[i], w.made[i]
        while at > begin and score > w.scores[at - 1]:
            w.words[at], w.scores[at] = w.words[at - 1], w.scores[at - 1]
            w.made[at] = w.made[at - 1]
            at -= 1
        w.words[at], w.scores[at], w.made[at] = turn, score, made


def find_useful(c, w, side, every):
    """The squares of own rich lines and of threats to stop, or all empty ones; their number."""
    n = 0
    if every:
        for square in range(len(c.owner)):
            w.useful[n] = square
            n += c.owner[square] == EMPTY
        return n
    for at in range(c.sizes[1 - side, LIVE]):
        n = note_useful(c, w, c.lists[1 - side, LIVE, at], n)
    for at in range(c.sizes[side, RICH]):
        n = note_useful(c, w, c.lists[side, RICH, at], n)
    return n


@outlined
def find_turns_of_any(c, h, w, side, m, need, used):
    """Turns of ``m`` stones, all sets of squares being tried; also in the middle of a turn."""
    every = c.sizes[side, LIVE] > 0 or m < c.per_turn[0] or w.anywhere[0] > 0
    n = find_useful(c, w, side, every)
    if n < m:
        return used
    begin, index = used, w.hot  # which is free here
    for i in range(m):
        index[i] = i
    at = m - 1
    while at >= 0:
        for i in range(m):
            w.stones[i] = w.useful[index[i]]
        used = try_turn(c, h, w, side, m, need, used)
        if decided(c, w, begin, used):
            return used
        at = m - 1
        while at >= 0 and index[at] == n - m + at:
            at -= 1
        if at >= 0:
            index[at] += 1
            for i in range(at + 1, m):
                index[i] = index[i - 1] + 1
    return used


def find_turns(c, h, w, side, m, need, used):
    """Turns of ``m`` stones that make ``need`` threats or more and stop all of the other side's.

    They are kept from number ``used`` on; the number after the last. A turn that can't be stopped
    comes last, and then the rest is not looked for.
    """
    w.node[0] += 1
    if m == 2 and c.per_turn[0] == 2 and c.sizes[side, LIVE] == 0:
        return find_turns_of_two(c, h, w, side, need, used)
    return find_turns_of_any(c, h, w, side, m, need, used)
