"""Best-first searches of problems: PN and DeepPN, leaf by leaf or in batches; cheapest first; all.

A frontier says which leaves to expand next. Where a batch is asked for, a leaf that has been handed
out looks harder from then on (its virtual numbers), until its expansion is there.

A descent leads to the leaf that comes first, by the order in which children are tried.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from zermelo.problems.graph import ALL, SOLVED, Graph, Node, Status
from zermelo.problems.numbers import Least, ProofNumbers


class Descent:
    """A path from the root on which every node is the first choice of the one before it.

    It is kept from one leaf to the next, up to the first node that may choose otherwise, so that a
    long path is not walked again where nothing has changed. The leaves are those that a walk from
    the root finds, depth first, with every node entered once.
    """

    def __init__(self, root: Node, order: Callable[[Node], list[Node]]) -> None:
        self.order = order  # the children of a node that may be entered, first choice first
        self.path = [root]
        self.places = {root.number: 0}  # on the path

    def changed(self, nodes: Iterable[Node]) -> None:
        """Something about ``nodes`` is different, so those above them choose anew."""
        for node in nodes:
            for parent in node.parents:
                place = self.places.get(parent.number)
                if place is not None:
                    self._cut(place + 1)

    def leaf(self) -> Node | None:
        """The first leaf that is not waiting; None if there is none."""
        root, kept = self.path[0], math.inf  # how much of the path has first choices only
        entered: set[int] = set()  # and left again
        ways: list[Iterator[Node]] = []  # of the last nodes of the path: which children are left
        while True:
            node = self.path[-1]
            if node.kind is None and not node.waiting:
                break
            ways.append(self._children(node))
            while (below := self._next(ways[-1], entered)) is None:
                ways.pop()
                entered.add(self.path[-1].number)
                self._cut(len(self.path) - 1)
                kept = min(kept, len(self.path))
                if not self.path:
                    self._enter(root)
                    return None
                if not ways:
                    ways.append(self._children(self.path[-1]))
            self._enter(below)
        self._cut(kept)
        return node

    def _children(self, node: Node) -> Iterator[Node]:
        return iter(()) if node.kind is None else iter(self.order(node))

    def _next(self, children: Iterator[Node], entered: set[int]) -> Node | None:
        """The next child that is neither on the path nor was entered before."""
        return next((child for child in children if child.number not in self.places
                     and child.number not in entered), None)

    def _enter(self, node: Node) -> None:
        self.places[node.number] = len(self.path)
        self.path.append(node)

    def _cut(self, length: float) -> None:
        """Leave the nodes at the end of the path, down to this length."""
        while len(self.path) > length:
            del self.places[self.path.pop().number]


class Frontier(Protocol):
    """What a search knows about a graph, and the leaves that it wants expanded."""

    def update(self, nodes: Iterable[Node]) -> None:
        """``nodes`` are new, or have been expanded, or their status has changed."""

    def leaves(self, most: int) -> list[Node]:
        """Up to ``most`` leaves to be expanded next; at least one while it is not done."""

    @property
    def done(self) -> bool:
        """Whether the question is answered."""

    def numbers(self, node: Node) -> dict[str, float]:
        """The numbers of a node, by name."""


class MostProving:
    """The leaves that PN or, with ``R``, DeepPN would expand.

    An unknown root has a leaf below unknown nodes; the numbers lead to it at once, but for cycles
    and for leaves that wait.
    """

    def __init__(self, graph: Graph, R: float | None = None) -> None:
        self.graph, self.proof_numbers = graph, ProofNumbers(R)
        self.descent = Descent(graph.root, self.proof_numbers.order)
        self.update([graph.root])

    def update(self, nodes: Iterable[Node]) -> None:
        """New nodes, new children, new status."""
        self.descent.changed(self.proof_numbers.update(nodes))

    @property
    def done(self) -> bool:
        """Whether the root is solved or dead."""
        return self.graph.root.status != Status.UNKNOWN

    def leaves(self, most: int) -> list[Node]:
        """The most-proving leaf, and others as if it were harder than it looks."""
        found: list[Node] = []
        while len(found) < most:
            leaf = self.descent.leaf()
            if leaf is None:
                break
            found.append(leaf)
            leaf.waiting = True
            if most > 1:
                self.update([leaf])
        for leaf in found:
            leaf.waiting = False
        return found

    def numbers(self, node: Node) -> dict[str, float]:
        """pn and dn."""
        return {"pn": self.proof_numbers.pn(node), "dn": self.proof_numbers.dn[node.number]}


class Cheapest:
    """The leaves of a solution that may be the cheapest (AO*), until one is proved to be it.

    ``lower`` takes leaves at their estimates, ``upper`` counts what is solved only. Where estimates
    are never too high, no solution costs less than the root's ``lower``, nor is it dearer than its
    ``upper``.
    """

    def __init__(self, graph: Graph, estimated: bool) -> None:
        self.graph = graph
        self.lower = Least(_lower if estimated else _lower_of_nothing, sunk=False)
        self.upper = Least(solution_cost, sunk=False)
        self.update([graph.root])

    def update(self, nodes: Iterable[Node]) -> None:
        """New nodes, new children, new status."""
        changed = list(nodes)
        self.lower.update(changed)
        self.upper.update(changed)

    @property
    def done(self) -> bool:
        """Whether the root is dead, or no solution can be cheaper than the one that is known."""
        root = self.graph.root
        return root.status == Status.DEAD or self._finished(root)

    def _finished(self, node: Node) -> bool:
        # both were told of the same amounts, so that they have the same unit
        return self.upper.numbers[node.number][0] <= self.lower.numbers[node.number][0]

    def leaves(self, most: int) -> list[Node]:
        """Leaves of the solution that looks cheapest."""
        found: dict[Node, None] = {}
        waiting, seen = [self.graph.root], {self.graph.root.number}
        while waiting and len(found) < most:
            node = waiting.pop()
            if node.kind is None:
                found[node] = None
                continue
            below = self._of_the_cheapest(node)
            for child in reversed(below):
                if child.number not in seen:
                    seen.add(child.number)
                    waiting.append(child)
        return list(found)

    def _of_the_cheapest(self, node: Node) -> list[Node]:
        """The unfinished children that the cheapest solution of ``node`` may need."""
        if node.kind == ALL:
            return [child for child in node.distinct if not self._finished(child)]
        ways = self.lower.ways(node)
        return [node.children[min(range(len(ways)), key=ways.__getitem__)]]

    def numbers(self, node: Node) -> dict[str, float]:
        """What a solution costs at least, and at most."""
        return {"least": self.lower[node], "most": self.upper[node]}


class Everything:
    """All leaves in the order in which they were found, so that every route is known in the end."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.expanded = 0  # nodes before this one are

    def update(self, nodes: Iterable[Node]) -> None:
        """Step over what is expanded."""
        known = self.graph.nodes
        while self.expanded < len(known) and known[self.expanded].kind is not None:
            self.expanded += 1

    @property
    def done(self) -> bool:
        """Whether the root is dead, or nothing is left to be expanded."""
        return (self.graph.root.status == Status.DEAD
                or self.expanded == len(self.graph.nodes))

    def leaves(self, most: int) -> list[Node]:
        """The leaves that were found first; batches are expanded whole, so they follow one
        another."""
        return self.graph.nodes[self.expanded: self.expanded + most]

    def numbers(self, node: Node) -> dict[str, float]:
        """None."""
        return {}


def solution_cost(node: Node) -> float | None:
    """What the solutions found of a node cost, where that does not follow from its children."""
    if node.kind == SOLVED:
        return node.cost
    return None if node.status == Status.SOLVED else math.inf


def _lower(node: Node) -> float | None:
    if node.kind is None:
        return node.pn
    if node.kind == SOLVED:
        return node.cost
    return math.inf if node.status == Status.DEAD else None


def _lower_of_nothing(node: Node) -> float | None:
    return 0 if node.kind is None else _lower(node)
