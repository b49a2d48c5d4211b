"""Conspiracy numbers of a node, and how those of its children add up.

For a threshold T a node has three numbers, all about its value for the root's player reaching T:
``scn``, the least number of leaves that must change for it (thesis, 4.2), and ``yes`` and ``no``,
the logarithms of the chance that it does and of the chance that it does not, with the leaves as
independent events. Both logarithms are kept: of a chance of 1 - 1e-200 the other one tells it.

A MAX node needs one child: the least scn; ``no`` is the sum of the children's. A MIN node needs all
of them: the sum of scn; ``yes`` is the sum. The other logarithm follows from the sum, and where the
sum is too near 0 for that, from the logarithm of the sum of the children's chances.
"""

import math

from zermelo.search.minimax.score import SURE

# Reached by finished games alone; sums end below it.
NO_WAY = 1 << 60
SURELY, NEVER = 0.0, -math.inf
NEAR_NOTHING = -1e-9  # sums above have lost the digits that the other logarithm needs
LOG_2 = math.log(2.0)


def other(x):
    """log(1 - e**x) for x <= 0."""
    if x >= 0.0:
        return NEVER
    return math.log(-math.expm1(x)) if x > -LOG_2 else math.log1p(-math.exp(x))


def either(x, y):
    """log(e**x + e**y)."""
    if x < y:
        x, y = y, x
    return x if y == NEVER else x + math.log1p(math.exp(y - x))


def add_up(x, y):
    """The sum of two scn; it stays below NO_WAY unless one of them is NO_WAY."""
    if x == NO_WAY or y == NO_WAY:
        return NO_WAY
    return min(x + y, NO_WAY - 1)


def leaf(o, stack, ply, value, over):
    """The numbers of a node without children: ``value`` is its value for the root's player."""
    for k in range(len(o.T)):
        if value >= o.T[k]:
            stack.scn[ply, k], stack.yes[ply, k], stack.no[ply, k] = 0, SURELY, NEVER
        elif over:
            stack.scn[ply, k], stack.yes[ply, k], stack.no[ply, k] = NO_WAY, NEVER, SURELY
        elif o.T[k] >= SURE:  # no points say how near a win is
            stack.scn[ply, k] = 1
            stack.yes[ply, k], stack.no[ply, k] = o.unseen_yes, o.unseen_no
        else:
            chance = (value - o.T[k]) * o.decay
            stack.scn[ply, k], stack.yes[ply, k] = 1, chance
            stack.no[ply, k] = other(chance)


def open_numbers(o, stack, ply, is_max):
    """The numbers of a node before its first child."""
    for k in range(len(o.T)):
        if is_max:
            stack.scn[ply, k], stack.yes[ply, k], stack.no[ply, k] = NO_WAY, NEVER, SURELY
        else:
            stack.scn[ply, k], stack.yes[ply, k], stack.no[ply, k] = 0, SURELY, NEVER


def receive_numbers(o, stack, ply, is_max):
    """One child more: its numbers are those at the next ply."""
    scn, yes, no, below = stack.scn, stack.yes, stack.no, ply + 1
    for k in range(len(o.T)):
        if is_max:
            scn[ply, k] = min(scn[ply, k], scn[below, k])
            no[ply, k] += no[below, k]
            yes[ply, k] = either(yes[ply, k], yes[below, k])
        else:
            scn[ply, k] = add_up(scn[ply, k], scn[below, k])
            yes[ply, k] += yes[below, k]
            no[ply, k] = either(no[ply, k], no[below, k])


def close_numbers(o, stack, ply, is_max, pruned):
    """No more children but ``pruned`` ones, which are leaves that nobody has looked at."""
    scn, yes, no = stack.scn, stack.yes, stack.no
    for k in range(len(o.T)):
        if pruned > 0 and is_max:
            scn[ply, k] = min(scn[ply, k], o.pruned)
            no[ply, k] += pruned * o.unseen_no
            yes[ply, k] = either(yes[ply, k], o.unseen_yes + math.log(pruned))
        elif pruned > 0:
            scn[ply, k] = add_up(scn[ply, k], min(pruned * o.pruned, NO_WAY - 1))
            yes[ply, k] += pruned * o.unseen_yes
            no[ply, k] = either(no[ply, k], o.unseen_no + math.log(pruned))
        if is_max and no[ply, k] < NEAR_NOTHING:
            yes[ply, k] = other(no[ply, k])
        elif not is_max and yes[ply, k] < NEAR_NOTHING:
            no[ply, k] = other(yes[ply, k])
