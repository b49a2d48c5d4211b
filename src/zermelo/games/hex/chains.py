"""Chains of Hex on boards of one word that can't be cut any more.

Two stones with two empty cells next to both are a bridge: whoever enters one of the cells, the
other keeps the stones together. The same holds for a stone in the second row and two empty cells of
the edge. Stones and edges linked by bridges of which no two share a cell hold together for good.
"""

from collections.abc import Callable
from typing import Any

from zermelo.games.hex.edges import edges_of
from zermelo.kernel.bits import ONE, ZERO, word

Function = Callable[..., Any]


def chains_of(size: int) -> Function:
    """``holds(stones, empty, side) -> (held, pairs, reached)`` on ``size`` x ``size`` cells."""
    full, top, bottom, left_edge, right_edge = edges_of(size)
    not_left, not_right = full ^ left_edge, full ^ right_edge
    # The six neighbours in turn, right, up right, up, left, down left, down: twice round.
    masks = (not_right, not_right, full, not_left, not_left, full) * 2
    forth = (word(1), ZERO, ZERO, ZERO, word(size - 1), word(size)) * 2
    back = (ZERO, word(size - 1), word(size), word(1), ZERO, ZERO) * 2

    def step(x, way):
        return (((x & masks[way]) << forth[way]) >> back[way]) & full

    def filled(stones, reached):
        """``reached`` and the stones that touch it, directly or through others."""
        while True:
            right = reached | ((reached & not_right) << 1)
            left = reached | ((reached & not_left) >> 1)
            more = reached | (stones & (left | right | (left << size) | (right >> size)))
            if more == reached:
                return reached
            reached = more

    def first_of(x):
        return x & ~(x - ONE)

    def link(stones, reached, free, start, goal, way):
        """One more stone or edge that a bridge of ``free`` cells links with ``reached``.

        Returns the stone, or a cell of the goal, and the cells of the bridge; 0 if there is none.
        ``way`` is one of the two neighbours through which the goal is reached, way + 1 the other.
        """
        edge = free & goal
        found = reached & step(edge, way + 3) & step(edge, way + 4)
        if found != ZERO:
            one = first_of(found)
            pair = step(one, way) | step(one, way + 1)
            return pair, pair
        others = stones & ~reached
        edge = free & start
        found = others & step(edge, way) & step(edge, way + 1)
        if found != ZERO:
            one = first_of(found)
            return one, step(one, way + 3) | step(one, way + 4)
        for turned in (0, 1, 5, 2, 4, 3):  # towards the goal first
            k = (way + turned) % 6
            beside, next_to_it = step(reached, k) & free, step(reached, k + 1) & free
            found = step(beside, k + 1) & step(next_to_it, k) & others
            if found != ZERO:
                one = first_of(found)
                return one, step(one, k + 3) | step(one, k + 4)
        return ZERO, ZERO

    def holds(stones, empty, side):
        """Whether the edges of ``side`` hold together though the other side moves; the cells of the
        bridges, and the stones and cells that these link with the first edge."""
        start, goal, way = top, bottom, 4
        if side == 1:
            start, goal, way = left_edge, right_edge, 0
        used, new, reached = ZERO, stones & start, ZERO
        while True:
            reached = filled(stones, reached | new)
            if reached & goal:
                return True, used, reached
            new, pair = link(stones, reached, empty & ~used, start, goal, way)
            if new == ZERO:
                return False, used, reached
            used |= pair

    return holds
