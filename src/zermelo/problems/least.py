"""Least numbers in a graph with joins and cycles, kept up to date as it changes.

The number of an ``any`` node is the least of cost + number over its children, that of an ``all``
node the sum. Beside it stands a height, one more than that of the child it comes from, or of the
highest one: by number, then height, a node is above every child it rests on, so that numbers never
go round in a circle. Whatever can't be finished has infinity. The height of a leaf may be anything
that stays: with 0 that of a node says how far it is to the leaves; with less the deeper the leaf
was found, it stays as it is while a tree below it grows.

Numbers are exact (see ``amounts``): with rounded sums a parent could stay as it is while its child
goes up, and heights would chase each other for ever.

This is the algorithm of Ramalingam and Reps (1996) for the incremental single-source problem with
strict weakly superior functions: what it does is bounded by what changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from heapq import heappop, heappush

from zermelo.problems.amounts import Units
from zermelo.problems.answers import ALL
from zermelo.problems.graph import Node
from zermelo.problems.status import Status

Number = tuple[float, int]  # the number in units, or infinity; and the height
NEVER: Number = (math.inf, 0)
LOWEST = -(1 << 62)


class Least:
    """The numbers of all nodes. ``fixed(node)`` is the number of a node that does not follow from
    its children, None for others; ``sunk``: an edge to a solved child costs nothing any more;
    ``leveled``: leaves have heights by how deep they were found, and what is solved the lowest, so
    that it counts for nothing; else both have 0."""

    def __init__(self, fixed: Callable[[Node], float | None], sunk: bool,
                 leveled: bool = False) -> None:
        self.fixed, self.sunk, self.leveled = fixed, sunk, leveled
        self.units = Units()
        self.numbers: list[Number] = []
        self._due: list[Number] = []  # what follows from the children as they are now
        self._place: list[Number | None] = []  # in the heap
        self._costs: list[list[int]] = []  # of the children, in units

    def __getitem__(self, node: Node) -> float:
        """The number as people write it."""
        return self.units.shown(self.numbers[node.number][0])

    def ways(self, node: Node) -> list[Number]:
        """What each child costs, with its edge."""
        found = []
        for child, cost in zip(node.children, self._costs[node.number], strict=True):
            number, height = self.numbers[child.number]
            found.append(NEVER if number == math.inf else (number + cost, height))
        return found

    def follow(self, node: Node) -> Number:
        """What is due to a node."""
        fixed = self.fixed(node)
        if fixed is not None:
            return self._leaf(node, fixed)
        numbers, sunk, costs = self.numbers, self.sunk, self._costs[node.number]
        if node.kind == ALL:
            total: float = 0
            heights = []
            for child, cost in zip(node.children, costs, strict=True):
                number, below = numbers[child.number]
                if number == math.inf:
                    return NEVER
                total += number if sunk and child.status == Status.SOLVED else number + cost
                heights.append(below)
            return total, max(heights, default=0) + 1
        best = NEVER
        for child, cost in zip(node.children, costs, strict=True):
            number, below = numbers[child.number]
            if number < math.inf:
                best = min(best, (number + cost, below + 1))
        return best

    def _leaf(self, node: Node, fixed: float) -> Number:
        """A leaf that has been handed out looks harder, so that others are handed out beside it."""
        if fixed == math.inf:
            return NEVER
        number, height = self.units.of(fixed), 0
        if self.leveled:
            height = LOWEST if node.status == Status.SOLVED else -node.depth
        return number + max(number, self.units.one) if node.waiting else number, height

    def update(self, nodes: Iterable[Node]) -> list[Node]:
        """``nodes`` are new, or something about them has changed; all nodes with new numbers."""
        heap: list[tuple[Number, int, Node]] = []
        changed: dict[Node, None] = {}
        given = list(nodes)
        self._make_room(given)
        for node in given:
            self._look(node, heap)
        while heap:
            place, number, node = heappop(heap)
            if self._place[number] != place:
                continue
            self._place[number] = None
            changed[node] = None
            if self._due[number] < self.numbers[number]:
                self.numbers[number] = self._due[number]
            else:
                self.numbers[number] = NEVER
                self._look(node, heap)
            for parent in node.parents:
                self._look(parent, heap)
        return list(changed)

    def _make_room(self, given: list[Node]) -> None:
        """For new nodes, and for the costs of those that were expanded."""
        room = max((node.number for node in given), default=-1) + 1 - len(self.numbers)
        self.numbers += [NEVER] * room
        self._due += [NEVER] * room
        self._place += [None] * room
        self._costs += [[] for _ in range(room)]
        finer = sum(self.units.cover(amount) for node in given
                    for amount in (node.pn, node.cost, *node.costs))
        if finer:
            self.numbers = [_finer(number, finer) for number in self.numbers]
            self._due = [_finer(number, finer) for number in self._due]
            self._costs = [[cost << finer for cost in costs] for costs in self._costs]
        for node in given:
            if len(self._costs[node.number]) < len(node.costs):
                self._costs[node.number] = [self.units.of(cost) for cost in node.costs]

    def _look(self, node: Node, heap: list[tuple[Number, int, Node]]) -> None:
        """Put ``node`` into its place in the heap, or take it out."""
        number = node.number
        due = self._due[number] = self.follow(node)
        if due == self.numbers[number]:
            self._place[number] = None
            return
        place = min(due, self.numbers[number])
        if self._place[number] != place:
            self._place[number] = place
            heappush(heap, (place, number, node))


def _finer(number: Number, bits: int) -> Number:
    """The same in units that are smaller by ``bits``."""
    units, height = number
    return number if isinstance(units, float) else (units << bits, height)
