"""The attacker's turns by a heuristic: those that make most of its own lines and spoil most others.

A line that is open to a side counts the more the more stones of that side it has. The squares on
which that adds up to most are put together to turns; a turn is worth what it adds to own lines and
takes from the other side's, and more if it makes threats.
"""


import numpy as np

from zermelo.core.winning_lines import EMPTY
from zermelo.kernel.bits import bare
from zermelo.search.threats.line_counts import LIVE
from zermelo.search.threats.stops import stones_to_stop
from zermelo.search.threats.turns import collect_with, open_to, stops_all

SQUARES = 28  # how many of the best squares are put together
OWN, OTHER, THREAT = 6, 4, 600


def worth(stones):
    """What an open line with this number of stones counts."""
    return stones * stones * stones


def gain_in(c, side, line, more):
    """What ``more`` stones in a line add to it, or take from the other side."""
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
    """Whether a line has this square."""
    found = False
    for j in range(c.sets.shape[1]):
        found |= c.sets[line, j] == square
    return found


def gain_of(c, side, stones, m):
    """What a turn adds to own lines and takes from the other's."""
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
