"""Least numbers in a graph with joins and cycles, kept up to date as it changes.

The number of an ``any`` node is the least of cost + number over its children, that of an ``all``
node the sum. Beside it stands a height, one more than that of the child it comes from, or of the
highest one: by number, then height, a node is above every child it rests on, so that numbers never
go round in a circle. Whatever can't be finished has infinity.

This is the algorithm of Ramalingam and Reps (1996) for the incremental single-source problem with
strict weakly superior functions: what it does is bounded by what changes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from heapq import heappop, heappush

from zermelo.problems.answers import ALL
from zermelo.problems.graph import Node
from zermelo.problems.status import Status

Number = tuple[float, int]  # the number and the height
NEVER: Number = (math.inf, 0)


class Least:
    """The numbers of all nodes. ``fixed(node)`` is the number of a node that does not follow from
    its children, None for others; ``sunk``: an edge to a solved child costs nothing any more."""

    def __init__(self, fixed: Callable[[Node], Number | None], sunk: bool) -> None:
        self.fixed, self.sunk = fixed, sunk
        self.numbers: list[Number] = []
        self._due: list[Number] = []  # what follows from the children as they are now
        self._place: list[Number | None] = []  # in the heap

    def __getitem__(self, node: Node) -> float:
        return self.numbers[node.number][0]

    def follow(self, node: Node) -> Number:
        """What is due to a node."""
        fixed = self.fixed(node)
        if fixed is not None:
            return fixed
        numbers, sunk = self.numbers, self.sunk
        if node.kind == ALL:
            total: float = 0
            height = 0
            for child, cost in zip(node.children, node.costs, strict=True):
                number, below = numbers[child.number]
                if number == math.inf:
                    return NEVER
                total += number if sunk and child.status == Status.SOLVED else number + cost
                height = max(height, below)
            return total, height + 1
        best = NEVER
        for child, cost in zip(node.children, node.costs, strict=True):
            number, below = numbers[child.number]
            if number < math.inf:
                best = min(best, (number + cost, below + 1))
        return best

    def update(self, nodes: Iterable[Node]) -> list[Node]:
        """``nodes`` are new, or something about them has changed; all nodes with new numbers."""
        heap: list[tuple[Number, int, Node]] = []
        changed: dict[Node, None] = {}
        given = list(nodes)
        room = max((node.number for node in given), default=-1) + 1 - len(self.numbers)
        self.numbers += [NEVER] * room
        self._due += [NEVER] * room
        self._place += [None] * room
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
