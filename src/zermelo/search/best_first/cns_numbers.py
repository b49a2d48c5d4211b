"""Conspiracy numbers of a node, and how those of its children add up: the parts of CNS's plan.

The equations are in ``cns``. Numbers are floats: infinity comes from finished games alone.
"""

from typing import Any, NamedTuple

import numpy as np

from zermelo.core.rules import MOST_POINTS
from zermelo.search.common.status import WON

WIN_POINTS = 2 * MOST_POINTS  # a win, as a value; no estimate comes near
ZERO, ONE, INF = np.float32(0), np.float32(1), np.float32(np.inf)


class Options(NamedTuple):
    """What the compiled parts read; ``work`` has a place for each bin."""

    thresholds: np.ndarray[Any, Any]
    work: np.ndarray[Any, Any]
    conspirators: int
    by_value: bool
    far: bool


def no_points(g, s):
    """``evaluate`` of a game that has none."""
    return 0


def bin_of(thresholds, points):
    """The bin of a value that is neither a win nor a loss: 1 to len(thresholds) + 1."""
    at = 1
    for i in range(len(thresholds)):
        at += points >= thresholds[i]
    return at


def put(nodes, n, points, at, others):
    """A node without children: 0 for its own bin, ``others`` for all others."""
    node = nodes[n]
    node.points = points
    node.at = at
    numbers = node.cn
    for v in range(len(numbers)):
        numbers[v] = others
    numbers[at] = ZERO


def settle(o, nodes, n):
    """A finished game that one side has won."""
    if nodes[n].status == WON:
        put(nodes, n, WIN_POINTS, len(o.thresholds) + 2, INF)
    else:
        put(nodes, n, -WIN_POINTS, 0, INF)


def drawn(o, nodes, n):
    """A finished game without a winner: 0 points, for good."""
    put(nodes, n, 0, bin_of(o.thresholds, 0), INF)


def best_child(nodes, n, attacker_moves):
    """The leftmost child with the minimax value of ``n``."""
    first = nodes[n].first
    best = first
    for c in range(first + 1, first + nodes[n].count):
        more = nodes[c].points > nodes[best].points
        less = nodes[c].points < nodes[best].points
        if more if attacker_moves else less:
            best = c
    return best


def gather(work, nodes, n, m, attacker_moves):
    """Minima and sums over the children of ``n``, whose value is in bin ``m``, into ``work``.

    A child of MAX lies at m or below, of MIN at m or above.
    """
    first = nodes[n].first
    bins = len(nodes[n].cn)
    for v in range(bins):
        work[v] = INF if v != m and (v > m) == attacker_moves else ZERO
    for c in range(first, first + nodes[n].count):
        numbers, at = nodes[c].cn, nodes[c].at
        if attacker_moves:
            for v in range(bins):
                x, so_far = numbers[v], work[v]
                least = x if x < so_far else so_far
                total = so_far + (x if v < at else ZERO)
                work[v] = least if v > m else total
        else:
            for v in range(bins):
                x, so_far = numbers[v], work[v]
                least = x if x < so_far else so_far
                total = so_far + (x if v > at else ZERO)
                work[v] = least if v < m else total


def backup(o, nodes, n, leaf, attacker_moves):
    """The minimax value and the conspiracy numbers; unchanged ones end the backup."""
    if nodes[n].count == 0:  # no move: lost for its mover, as the driver has found
        settle(o, nodes, n)
        return True
    best = best_child(nodes, n, attacker_moves)
    points, m = nodes[best].points, np.int64(nodes[best].at)
    gather(o.work, nodes, n, m, attacker_moves)
    node = nodes[n]
    changed = node.points != points
    node.points = points
    node.at = m
    numbers, work = node.cn, o.work
    for v in range(len(numbers)):
        changed |= numbers[v] != work[v]
        numbers[v] = work[v]
    return changed


def aim(o, nodes):
    """A bin that the fewest conspirators can bring the root to, the farthest or the nearest one.

    The numbers grow with the distance from the root's own bin: the fewest are those of a neighbour.
    Of two bins that are equally far it is the higher one.
    """
    numbers, m = nodes[0].cn, np.int64(nodes[0].at)
    bins = len(numbers)
    up = numbers[m + 1] if m + 1 < bins else INF
    down = numbers[m - 1] if m > 0 else INF
    least = min(up, down)
    high = m
    while high + 1 < bins and numbers[high + 1] == least and (o.far or high == m):
        high += 1
    low = m
    while low > 0 and numbers[low - 1] == least and (o.far or low == m):
        low -= 1
    return high if high - m >= m - low else low


def select(o, nodes, n, attacker_moves):
    """A child in the smallest conspiracy: the one that needs fewest, or any that has to change.

    Of equal ones the one that looks best to its mover, or the leftmost.
    """
    v = aim(o, nodes)
    up = v > nodes[0].at
    one_is_enough = up == attacker_moves
    first = nodes[n].first
    best, least = -1, INF
    for c in range(first, first + nodes[n].count):
        number = nodes[c].cn[v]
        if not one_is_enough:
            number = ZERO if (nodes[c].at < v if up else nodes[c].at > v) else INF
        if number < least:
            best, least = c, number
        elif o.by_value and best >= 0 and number == least:
            more = nodes[c].points > nodes[best].points
            less = nodes[c].points < nodes[best].points
            if more if attacker_moves else less:
                best = c
    return best


def choose(o, nodes, n, attacker_moves):
    """The child with the best value; of equals the one hardest to bring down, then the leftmost."""
    best, hardest = best_child(nodes, n, attacker_moves), -ONE
    points, chosen = nodes[best].points, best
    for c in range(nodes[n].first, nodes[n].first + nodes[n].count):
        if nodes[c].points == points:
            worse = np.int64(nodes[c].at) + (-1 if attacker_moves else 1)
            inside = 0 <= worse < len(nodes[c].cn)
            number = nodes[c].cn[worse] if inside else INF
            if number > hardest:
                chosen, hardest = c, number
    return chosen


def arrived(o, nodes):
    """Every other value of the root needs as many conspirators as asked for."""
    if o.conspirators == 0:
        return False
    return nodes[0].cn[aim(o, nodes)] >= o.conspirators
