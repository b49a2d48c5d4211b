"""What the rules of Hex imply on boards of one word: chains that can't be cut any more.

Bit size * row + column of a word is a cell, rows from the top. Two stones with two empty cells next
to both are a bridge: whoever enters one of the cells, the other keeps the stones together. The same
holds for a stone in the second row and two empty cells of the edge. Stones and edges linked by
bridges of which no two share a cell hold together for good. ``docs/games/hex.md`` gives the reasons
for what is concluded.

A player who has joined the edges has done so with the stones of one chain, whatever else is on the
board, and no chain of the other player can get past it. So a win depends on the cells that hold a
chain, or in which a chain will be made.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from zermelo.core.rules import MOST_THREATS, NO_MOVE, Dependence
from zermelo.kernel.bits import ONE, ZERO, popcount, word

Function = Callable[..., Any]


class Edges(NamedTuple):
    """Sets of cells."""

    full: Any
    top: Any
    bottom: Any
    left: Any
    right: Any


def edges_of(size: int) -> Edges:
    """Those of ``size`` x ``size`` cells."""
    cells, row = size * size, (1 << size) - 1
    column = sum(1 << (size * k) for k in range(size))
    return Edges(word((1 << cells) - 1), word(row), word(row << (cells - size)), word(column),
                 word(column << (size - 1)))


def first_of(x):
    """The lowest bit."""
    return x & ~(x - ONE)


def by_turn(s):
    """The stones of the player to move, and the other's."""
    if s.turn:
        return s.o, s.x
    return s.x, s.o


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
        """Return True if the edges of ``side`` hold together though the other side moves; the cells
        of the bridges, and the stones and cells that these link with the first edge."""
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
    holds = chains_of(size)

    # From the centre outwards: row and column distance, and along the third direction.
    order = from_the_centre(size)

    def region(own, opp, turn):
        """The moves to try: one if it wins or if all lose, else those that stop the other side."""
        empty = full & ~(own | opp)
        must, todo, tried, mine = empty, empty, ZERO, False
        while True:
            side = turn if mine else 1 - turn
            safe, pairs, _ = holds((own if mine else opp) | tried, empty ^ tried, side)
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
        own, opp = by_turn(s)
        moves = region(own, opp, s.turn)
        n = 0
        for cell in order:
            out[n] = cell
            n += (moves >> word(cell)) & ONE != ZERO
        return n

    def estimate(g, s):
        own, opp = by_turn(s)
        return 1, popcount(region(own, opp, s.turn))

    def remaining(g, s):
        return popcount(full & ~(s.x | s.o))

    def finish(g, s):
        """The move after which the edges hold together by the fewest bridges: it makes one solid
        where nothing else is needed, so that the game does not last as long as the board."""
        own, opp = by_turn(s)
        empty = full & ~(own | opp)
        best, fewest = NO_MOVE, cells + 1
        for cell in order:
            stone = ONE << word(cell)
            if empty & stone:
                safe, pairs, _ = holds(own | stone, empty ^ stone, s.turn)
                if safe and popcount(pairs) < fewest:
                    best, fewest = cell, popcount(pairs)
        return best

    return Knowledge(forced, estimate, remaining, finish)


def from_the_centre(size: int) -> tuple[int, ...]:
    """The cells in the order in which moves are tried."""
    return tuple(sorted(range(size * size), key=lambda i: (_off_centre(size, i), i)))


def _off_centre(size: int, cell: int) -> int:
    """Return how far a cell is from the centre, in steps, twice."""
    row, column = 2 * (cell // size) - size + 1, 2 * (cell % size) - size + 1
    return max(abs(row), abs(column), abs(row + column))


def dependence_of(size: int) -> Dependence:
    """The functions for a board of ``size`` x ``size`` cells."""
    cells = size * size
    full = word((1 << cells) - 1)
    holds, order = chains_of(size), from_the_centre(size)

    def zone_of(stones, empty, side):
        """The zone of edges that hold together, or 0."""
        held, pairs, reached = holds(stones, empty, side)
        return (reached & stones) | pairs if held else ZERO

    def stones(g, s, side):
        return s.o if side == 1 else s.x

    def ending(g, s):
        # Who has won is the one who moved last; the whole component of stones will do.
        return zone_of(s.x if s.turn else s.o, ZERO, 1 - s.turn)

    def move(g, move):
        return ONE << word(move)

    def best_win(own, empty, moves, turn):
        """The smallest zone of a win by one of ``moves``, or 0."""
        best = ZERO
        for cell in order:
            stone = ONE << word(cell)
            if moves & stone:
                zone = zone_of(own | stone, empty ^ stone, turn)
                if zone != ZERO and (best == ZERO or popcount(zone) < popcount(best)):
                    best = zone
        return best

    def sight(g, s, zones):
        own, opp = by_turn(s)
        empty = full & ~(own | opp)
        zone = zone_of(opp, empty, 1 - s.turn)
        if zone != ZERO:
            return -1, zone, 0
        must, n = empty, 0
        for cell in order:
            stone = ONE << word(cell)
            if empty & stone:
                zone = zone_of(opp | stone, empty ^ stone, 1 - s.turn)
                if zone != ZERO and n < MOST_THREATS:
                    zones[n] = zone
                    must &= zone
                    n += 1
        best = best_win(own, empty, must, s.turn)
        if best != ZERO:
            return 1, best, 0
        return 0, must, n

    def moves(g, s, out):
        empty = full & ~(s.x | s.o)
        n = 0
        for cell in order:
            out[n] = cell
            n += (empty >> word(cell)) & ONE != ZERO
        return n

    return Dependence(cells, stones, ending, move, sight=sight, moves=moves)
