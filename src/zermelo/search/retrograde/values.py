"""Values from the ends backwards, over numbers of positions alone; no game is known here.

A result is a whole number: plies + 1 where the first player wins, -(plies + 1) where the second
does, 0 for a draw. The winner plays for the shortest win, the loser for the longest. Where all
moves lead to later numbers the positions are gone through once, from the last to the first. Else
each position whose result has been found hands it to those before it, the nearest ends first: one
whose mover wins there is won, one whose last move that was not lost is lost. What nothing reaches
is a draw: nobody can force an end.

All steps go on where they were: ``work`` has one record, ``at`` is the position that is next, and
``edge`` the move that is next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from zermelo.compiler.jit import jit_enabled, kernel
from zermelo.core.rules import FIRST_WINS, SECOND_WINS
from zermelo.kernel.bits import bare, prefetch
from zermelo.search.common.table import Array

END_MASK, MOVER_BIT = 3, 2  # of a byte of ``ends``: the outcome, and who moves
WORK = np.dtype([("at", "i8"), ("edge", "i8"), ("tail", "i8")])
AHEAD = 64  # moves whose results are requested before they are needed
BATCH = 1 << 16  # records
APART = 1 << 12  # positions


class Backwards(NamedTuple):
    """What is worked with. ``ends``, ``degrees``, ``children``: see ``Space``; ``first``: where the
    moves of a position begin among all. ``results`` are what comes out.

    Only where moves lead back: ``before`` and ``parents``, the positions that lead to each; how
    many moves are not ``left`` to be lost; and the ``queue`` of those with results.
    """

    ends: Array
    degrees: Array
    children: Array
    results: Array
    before: Array
    parents: Array
    left: Array
    queue: Array
    work: Array


def own(end):
    """Return the result of a finished game."""
    return np.int64(1 if end == FIRST_WINS else -1 if end == SECOND_WINS else 0)


def better(value, than):
    """Return True if a result is better for the player from whose side both are: a win soon, a
    draw, a loss late."""
    if value > 0:
        return than <= 0 or value < than
    return than < 0 and (value == 0 or value < than)


def further(value):
    """Return a result one ply earlier."""
    return value + 1 if value > 0 else value - 1 if value < 0 else value


def once(back, budget):
    """From the last position to the first: all that a position leads to comes after it."""
    back = bare(back)
    work, results, children = back.work[0], back.results, back.children
    at, edge, stop = work.at, work.edge, max(work.at - budget, 0)
    while at > stop:
        at -= 1
        end, n = back.ends[at], np.int64(back.degrees[at])
        if edge >= AHEAD:
            for i in range(edge - AHEAD, edge - AHEAD + n):
                prefetch(results, children[i])
        if n == 0:
            results[at] = own(end & END_MASK)
            continue
        side = 1 - 2 * np.int64(end >> MOVER_BIT)
        best = -1
        for i in range(edge - n, edge):
            value = side * results[children[i]]
            if i == edge - n or better(value, best):
                best = value
        edge -= n
        results[at] = side * further(best)
    work.at, work.edge = at, edge
    return at == 0


def count(back, budget):
    """Count the moves that lead to each position, in ``before``."""
    back = bare(back)
    work, children, before = back.work[0], back.children, back.before
    stop = min(work.edge + budget, len(children))
    for i in range(work.edge, stop):
        before[children[i]] += 1
    work.edge = stop
    return stop == len(children)


def fill(back, budget):
    """Write the parents of each position, whose places end at ``before`` and come to begin there.
    """
    back = bare(back)
    work, children, before, parents = back.work[0], back.children, back.before, back.parents
    at, edge, stop = work.at, work.edge, min(work.at + budget, len(back.degrees))
    while at < stop:
        for _ in range(back.degrees[at]):
            child = children[edge]
            edge += 1
            before[child] -= 1
            parents[before[child]] = at
        at += 1
    work.at, work.edge = at, edge
    return at == len(back.degrees)


def spread(back, budget):
    """Hand results to the positions before, those with the fewest plies first."""
    back = bare(back)
    work, results, queue = back.work[0], back.results, back.queue
    head, tail = work.at, work.tail
    stop = head + budget
    while head < min(tail, stop):
        at = queue[head]
        head += 1
        result = results[at]
        winner = 0 if result > 0 else 1
        for i in range(back.before[at], back.before[at + 1]):
            parent = back.parents[i]
            if results[parent] != 0:
                continue
            back.left[parent] -= 1
            if back.ends[parent] >> MOVER_BIT == winner or back.left[parent] == 0:
                results[parent] = further(result)
                queue[tail] = parent
                tail += 1
    work.at, work.tail = head, tail
    return head == tail


def strategy(back, first, prover, seen, todo, numbers, places, work):
    """Follow the best moves of ``prover`` and all moves of the other side; return how many
    positions of the prover were written into ``numbers``, with the places of the moves."""
    back, first, todo = bare(back), bare(first), bare(todo)
    n, tail = 0, work[0]
    while tail > 0 and n < len(numbers):
        tail -= 1
        at = np.int64(todo[tail])
        begin, end = first[at], first[at + 1]
        if begin == end:
            continue
        side = 1 - 2 * np.int64(back.ends[at] >> MOVER_BIT)
        if back.ends[at] >> MOVER_BIT == prover:
            chosen = begin
            for i in range(begin + 1, end):
                if better(side * back.results[back.children[i]],
                          side * back.results[back.children[chosen]]):
                    chosen = i
            numbers[n], places[n] = at, chosen - begin
            n += 1
            begin, end = chosen, chosen + 1
        for i in range(begin, end):
            child = back.children[i]
            if not seen[child]:
                seen[child] = True
                todo[tail] = child
                tail += 1
    work[0] = tail
    return n


@cache
def _compiled(function: Callable[..., Any], on: bool) -> Any:
    return kernel(function)


def call(function: Callable[..., Any], *arguments: Any) -> Any:
    """Call an entry point that all games share."""
    return _compiled(function, jit_enabled())(*arguments)


def size_of(nodes: int, edges: int, back: bool) -> int:
    """Return the memory that working out values takes."""
    return nodes * (4 + 8 + 2 + 4) + 4 * edges if back else 4 * nodes


class Values:
    """The results of all positions, worked out step by step.

    ``back``: a move leads to an earlier position, or to its own.
    """

    def __init__(self, ends: Array, degrees: Array, children: Array, back: bool) -> None:
        nodes, edges = len(ends), len(children)
        self.first: Array | None = None
        self.steps = [count, fill, spread] if back else [once]
        work = np.zeros(1, WORK)
        if not back:
            work["at"], work["edge"] = nodes, edges
        several, many = (nodes, edges) if back else (0, 0)
        self.arrays = Backwards(
            ends=ends, degrees=degrees, children=children, results=np.zeros(nodes, np.int32),
            before=np.zeros(several + 1, np.int64), parents=np.empty(many, np.uint32),
            left=np.empty(several, np.uint16), queue=np.empty(several, np.uint32),
            work=work if jit_enabled() else work.view(np.recarray))

    def advance(self, budget: int) -> bool:
        """Work on about ``budget`` positions or moves; return True if all is done."""
        while self.steps:
            if not call(self.steps[0], self.arrays, budget):
                return False
            self._next()
            budget = 0
        return True

    def _next(self) -> None:
        """Make ready for the next step; an interrupt on the way leaves all as it was."""
        back, more = self.arrays, dict[str, Array]()
        work = np.zeros_like(back.work)
        if self.steps[0] is count:
            more["before"] = np.cumsum(back.before)
        elif self.steps[0] is fill:
            ended = np.flatnonzero(back.degrees == 0)
            outcomes = back.ends[ended] & END_MASK
            won = ended[(outcomes == FIRST_WINS) | (outcomes == SECOND_WINS)]
            back.left[:] = back.degrees
            back.results[won] = np.where(back.ends[won] & END_MASK == FIRST_WINS, 1, -1)
            back.queue[:len(won)] = won
            work["tail"] = len(won)
        else:
            empty = np.empty(0, np.uint32)
            more = {"before": np.empty(0, np.int64), "parents": empty, "queue": empty}
        arrays, steps = back._replace(work=work, **more), self.steps[1:]
        self.arrays = arrays
        self.steps = steps

    @property
    def bytes(self) -> int:
        """The memory in use beside that of the positions."""
        back = self.arrays
        arrays = (back.results, back.before, back.parents, back.left, back.queue)
        return sum(array.nbytes for array in arrays)

    def result(self, number: int) -> int:
        """Return the result of a position."""
        return int(self.arrays.results[number])

    def children(self, number: int) -> Array:
        """Return the numbers that the moves of a position lead to."""
        degrees = self.arrays.degrees
        if self.first is None:  # where the moves begin of one position in so many
            sums = np.add.reduceat(degrees, np.arange(0, len(degrees), APART), dtype=np.int64)
            self.first = np.cumsum(sums) - sums
        place = number // APART
        begin = self.first[place] + degrees[APART * place : number].sum(dtype=np.int64)
        return self.arrays.children[begin : begin + degrees[number]]

    def strategy(self, prover: int) -> Iterator[tuple[Array, Array]]:
        """Yield the positions of ``prover`` that can come up when it plays its best moves, and the
        places of these moves."""
        nodes = len(self.arrays.ends)
        first = np.zeros(nodes + 1, np.int64)
        np.cumsum(self.arrays.degrees, out=first[1:])
        seen, todo = np.zeros(nodes, np.bool_), np.zeros(nodes, np.uint32)
        seen[0], work = True, np.ones(1, np.int64)
        numbers, places = np.empty(BATCH, np.int64), np.empty(BATCH, np.int64)
        while work[0] > 0:
            n = call(strategy, self.arrays, first, prover, seen, todo, numbers, places, work)
            yield numbers[:n].copy(), places[:n].copy()
