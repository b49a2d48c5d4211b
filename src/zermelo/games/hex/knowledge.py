"""What the rules of Hex imply on boards of one word: chains that can't be cut any more.

Two stones with two empty cells next to both are a bridge: whoever enters one of the cells, the
other keeps the stones together. The same holds for a stone in the second row and two empty cells of
the edge. Stones and edges linked by bridges of which no two share a cell hold together for good;
``docs/games/hex.md`` says what follows.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from zermelo.core.rules import NO_MOVE
from zermelo.kernel.bits import ONE, ZERO, popcount, word

Function = Callable[..., Any]


class Knowledge(NamedTuple):
    """The optional functions of ``Rules`` that Hex has."""

    forced: Function
    estimate: Function
    remaining: Function
    finish: Function


def knowledge_of(size: int) -> Knowledge:
    """The functions for a board of ``size`` x ``size`` cells."""
    cells = size * size
    full = word((1 << cells) - 1)
    left_edge = word(sum(1 << (row * size) for row in range(size)))
    right_edge = word(int(left_edge) << (size - 1))
    top, bottom = word((1 << size) - 1), word(((1 << size) - 1) << (cells - size))
    not_left, not_right = full ^ left_edge, full ^ right_edge
    # The six neighbours in turn, right, up right, up, left, down left, down: twice round.
    masks = (not_right, not_right, full, not_left, not_left, full) * 2
    forth = (word(1), ZERO, ZERO, ZERO, word(size - 1), word(size)) * 2
    back = (ZERO, word(size - 1), word(size), word(1), ZERO, ZERO) * 2

    # From the centre outwards: row and column distance, and along the third direction.
    order = tuple(sorted(range(cells), key=lambda i: (_off_centre(size, i), i)))

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
        """Whether the edges of ``side`` hold together though the other side moves; on which cells
        that depends."""
        start, goal, way = top, bottom, 4
        if side == 1:
            start, goal, way = left_edge, right_edge, 0
        used, new, reached = ZERO, stones & start, ZERO
        while True:
            reached = filled(stones, reached | new)
            if reached & goal:
                return True, used
            new, pair = link(stones, reached, empty & ~used, start, goal, way)
            if new == ZERO:
                return False, used
            used |= pair

    def region(own, opp, turn):
        """The moves to try: one if it wins or if all lose, else those that stop the other side."""
        empty = full & ~(own | opp)
        must, todo, tried, mine = empty, empty, ZERO, False
        while True:
            side = turn if mine else 1 - turn
            safe, pairs = holds((own if mine else opp) | tried, empty ^ tried, side)
            if safe and mine:
                return tried
            if safe:
                must &= pairs | tried
                if tried == ZERO:
                    return first_of(empty)
            mine = not mine and tried != ZERO
            if not mine:
                if todo == ZERO:
                    return must if must != ZERO else first_of(empty)
                tried = first_of(todo)
                todo ^= tried
                mine = must == ZERO

    def forced(g, s, out):
        own, opp = s.x, s.o
        if s.turn:
            own, opp = s.o, s.x
        moves = region(own, opp, s.turn)
        n = 0
        for cell in order:
            out[n] = cell
            n += (moves >> word(cell)) & ONE != ZERO
        return n

    def estimate(g, s):
        own, opp = s.x, s.o
        if s.turn:
            own, opp = s.o, s.x
        return 1, popcount(region(own, opp, s.turn))

    def remaining(g, s):
        return popcount(full & ~(s.x | s.o))

    def finish(g, s):
        """The move after which the edges hold together by the fewest bridges: it makes one solid
        where nothing else is needed, so that the game does not last as long as the board."""
        own, opp = s.x, s.o
        if s.turn:
            own, opp = s.o, s.x
        empty = full & ~(own | opp)
        best, fewest = NO_MOVE, cells + 1
        for cell in order:
            stone = ONE << word(cell)
            if empty & stone:
                safe, pairs = holds(own | stone, empty ^ stone, s.turn)
                if safe and popcount(pairs) < fewest:
                    best, fewest = cell, popcount(pairs)
        return best

    return Knowledge(forced, estimate, remaining, finish)


def _off_centre(size: int, cell: int) -> int:
    """How far a cell is from the centre, in steps, twice."""
    row, column = 2 * (cell // size) - size + 1, 2 * (cell % size) - size + 1
    return max(abs(row), abs(column), abs(row + column))
