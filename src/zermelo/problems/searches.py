"""Searches of problems: PN, DeepPN, batches, AO* and all there is; df-pn, weak df-pn, deep df-pn.

A frontier says which leaves to expand next. Where a batch is asked for, a leaf that has been handed
out looks harder from then on (its virtual numbers), until its expansion is there. A descent leads
to the leaf that comes first, by the order in which children are tried.

The depth-first searches have the numbers of ``numbers``, with costs, but keep them along one path
at a time: a node is left when its pn or dn reaches a threshold, and its numbers then are remembered
with it. A child that stands on the path counts as not solved there. In the names of df-pn, phi is
the number by which children are compared and delta the one that adds up; see
``zermelo.search.depth_first``. On a path that repeats a node numbers may be of no use: after as
many visits without an expansion as there are nodes, the next leaf is the first one below unsolved
nodes.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from zermelo.problems.graph import ALL, SOLVED, ProblemGraph, ProblemNode, Status
from zermelo.problems.numbers import HIGHEST, ExactNumbers, Least, held


class Descent:
    """A path from the root on which every node is the first choice of the one before it.

    It is kept from one leaf to the next, up to the first node that may choose otherwise, so that a
    long path is not walked again where nothing has changed. The leaves are those that a walk from
    the root finds, depth first, with every node entered once.
    """

    def __init__(self, root: ProblemNode,
                 order: Callable[[ProblemNode], list[ProblemNode]]) -> None:
        self.order = order  # the children of a node that may be entered, first choice first
        self.path = [root]
        self.places = {root.number: 0}  # on the path

    def changed(self, nodes: Iterable[ProblemNode]) -> None:
        """Take in nodes that have changed, so that those above them choose again."""
        for node in nodes:
            for parent in node.parents:
                place = self.places.get(parent.number)
                if place is not None:
                    self._cut(place + 1)

    def leaf(self) -> ProblemNode | None:
        """The first leaf that is not waiting; None if there is none."""
        root, kept = self.path[0], math.inf  # how much of the path has first choices only
        entered: set[int] = set()  # and left again
        ways: list[Iterator[ProblemNode]] = []  # the children left of the path's last nodes
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

    def _children(self, node: ProblemNode) -> Iterator[ProblemNode]:
        return iter(()) if node.kind is None else iter(self.order(node))

    def _next(self, children: Iterator[ProblemNode], entered: set[int]) -> ProblemNode | None:
        """The next child that is neither on the path nor was entered before."""
        return next((child for child in children if child.number not in self.places
                     and child.number not in entered), None)

    def _enter(self, node: ProblemNode) -> None:
        self.places[node.number] = len(self.path)
        self.path.append(node)

    def _cut(self, length: float) -> None:
        """Leave the nodes at the end of the path, down to this length."""
        while len(self.path) > length:
            del self.places[self.path.pop().number]


class Frontier(ABC):
    """The knowledge of a search about a graph, and the leaves that it wants expanded."""

    graph: ProblemGraph

    @abstractmethod
    def update(self, nodes: Iterable[ProblemNode]) -> None:
        """Take in nodes that are new, or were expanded, or have another status."""

    @abstractmethod
    def leaves(self, most: int) -> list[ProblemNode]:
        """Return up to ``most`` leaves to be expanded next; at least one while it is not done."""

    @abstractmethod
    def numbers(self, node: ProblemNode) -> dict[str, float]:
        """Return the numbers of a node, by name."""

    @property
    def done(self) -> bool:
        """True if the question is answered: here, if the root is solved or dead."""
        return self.graph.root.status != Status.UNKNOWN


class MostProving(Frontier):
    """The leaves that PN or, with ``R``, DeepPN would expand.

    An unknown root has a leaf below unknown nodes; the numbers lead to it at once, but for cycles
    and for leaves that wait.
    """

    def __init__(self, graph: ProblemGraph, R: float | None = None) -> None:
        self.graph, self.proof_numbers = graph, ExactNumbers(R)
        self.descent = Descent(graph.root, self.proof_numbers.order)
        self.update([graph.root])

    def update(self, nodes: Iterable[ProblemNode]) -> None:
        """Take in nodes that are new, or were expanded, or have another status."""
        self.descent.changed(self.proof_numbers.update(nodes))

    def leaves(self, most: int) -> list[ProblemNode]:
        """The most-proving leaf, and others as if it were harder than it looks."""
        found: list[ProblemNode] = []
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

    def numbers(self, node: ProblemNode) -> dict[str, float]:
        """pn and dn."""
        return {"pn": self.proof_numbers.pn(node), "dn": self.proof_numbers.dn[node.number]}


class Cheapest(Frontier):
    """The leaves of a solution that may be the cheapest (AO*), until one is proved to be it.

    ``lower`` takes leaves at their estimates, ``upper`` counts what is solved only. Where estimates
    are never too high, no solution costs less than the root's ``lower``, nor is it dearer than its
    ``upper``.
    """

    def __init__(self, graph: ProblemGraph, estimated: bool) -> None:
        self.graph = graph
        self.lower = Least(_lower if estimated else _lower_of_nothing, sunk=False)
        self.upper = Least(solution_cost, sunk=False)
        self.update([graph.root])

    def update(self, nodes: Iterable[ProblemNode]) -> None:
        """Take in nodes that are new, or were expanded, or have another status."""
        changed = list(nodes)
        self.lower.update(changed)
        self.upper.update(changed)

    @property
    def done(self) -> bool:
        """True if the root is dead, or no solution can be cheaper than the one that is known."""
        root = self.graph.root
        return root.status == Status.DEAD or self._finished(root)

    def _finished(self, node: ProblemNode) -> bool:
        # both were told of the same amounts, so that they have the same unit
        return self.upper.numbers[node.number][0] <= self.lower.numbers[node.number][0]

    def leaves(self, most: int) -> list[ProblemNode]:
        """Leaves of the solution that looks cheapest."""
        found: dict[ProblemNode, None] = {}
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

    def _of_the_cheapest(self, node: ProblemNode) -> list[ProblemNode]:
        """The unfinished children that the cheapest solution of ``node`` may need."""
        if node.kind == ALL:
            return [child for child in node.distinct if not self._finished(child)]
        ways = self.lower.ways(node)
        return [node.children[min(range(len(ways)), key=ways.__getitem__)]]

    def numbers(self, node: ProblemNode) -> dict[str, float]:
        """Return the least and the most that a solution costs."""
        return {"least": self.lower[node], "most": self.upper[node]}


class Everything(Frontier):
    """All leaves in the order in which they were found, so that every route is known in the end."""

    def __init__(self, graph: ProblemGraph) -> None:
        self.graph = graph
        self.expanded = 0  # nodes before this one are

    def update(self, nodes: Iterable[ProblemNode]) -> None:
        """Step over what is expanded."""
        known = self.graph.nodes
        while self.expanded < len(known) and known[self.expanded].kind is not None:
            self.expanded += 1

    @property
    def done(self) -> bool:
        """True if the root is dead, or nothing is left to be expanded."""
        return (self.graph.root.status == Status.DEAD
                or self.expanded == len(self.graph.nodes))

    def leaves(self, most: int) -> list[ProblemNode]:
        """The leaves that were found first; batches are expanded whole, so they follow one
        another."""
        return self.graph.nodes[self.expanded: self.expanded + most]

    def numbers(self, node: ProblemNode) -> dict[str, float]:
        """Return no numbers."""
        return {}


def solution_cost(node: ProblemNode) -> float | None:
    """Return the cost of a node's solutions, where that does not follow from its children."""
    if node.kind == SOLVED:
        return node.cost
    return None if node.status == Status.SOLVED else math.inf


def _lower(node: ProblemNode) -> float | None:
    if node.kind is None:
        return node.pn
    if node.kind == SOLVED:
        return node.cost
    return math.inf if node.status == Status.DEAD else None


def _lower_of_nothing(node: ProblemNode) -> float | None:
    return 0 if node.kind is None else _lower(node)


Total = Callable[[list[float]], float]
Share = Callable[[float, list[float]], float]


class BackupRule(NamedTuple):
    """The way numbers add up, and how far beyond the second best child the best one is searched.

    ``total`` of the deltas of the unsolved children; ``share(th, others)`` what a threshold leaves
    to one child beside ``others``; ``leaf(number, depth)`` a new leaf's number.
    """

    epsilon: float
    total: Total
    share: Share
    leaf: Callable[[float, int], float]


class ChildOption(NamedTuple):
    """A child as its parent compares it; an edge's cost is part of its pn."""

    phi: float
    delta: float
    cost: float
    child: ProblemNode


class Visit(NamedTuple):
    """A node on the path, with its thresholds."""

    node: ProblemNode
    th_pn: float
    th_dn: float


class Thresholds(Frontier):
    """The leaf that a depth-first search expands next, one at a time."""

    def __init__(self, graph: ProblemGraph, rule: BackupRule) -> None:
        self.graph, self.rule = graph, rule
        self.seen: list[tuple[float, float]] = []  # (pn, dn) as they were when last left
        self.path = [Visit(graph.root, math.inf, math.inf)]
        self.on_path = {graph.root.number}
        self.next = graph.root
        self.visits = self.idle = 0
        self.update([graph.root])

    def update(self, nodes: Iterable[ProblemNode]) -> None:
        """Give new nodes the numbers of a leaf."""
        for node in self.graph.nodes[len(self.seen):]:
            leaf = self.rule.leaf
            self.seen.append((leaf(node.pn, node.depth), leaf(node.dn, node.depth)))

    def leaves(self, most: int) -> list[ProblemNode]:
        """The next leaf. The path stays as it is, so that the search goes on from there."""
        while self.next.kind is not None:  # else it was handed out in vain
            node = self.path[-1].node
            if node.kind is None:
                self.next = node
            elif self.idle > len(self.graph.nodes):
                self.next = self._any_leaf()
            else:
                self._step()
        self.idle = 0
        return [self.next]

    def _step(self) -> None:
        """Go down to the best child, or back up."""
        visit = self.path[-1]
        node = visit.node
        if node.status == Status.UNKNOWN:
            order = self._order(node)
            if order:
                pn, dn = self.seen[node.number] = self._numbers(node, order)
                if len(self.path) == 1 or (pn < visit.th_pn and dn < visit.th_dn):
                    self._descend(visit, order)
                    return
            elif len(self.path) == 1:  # it has no child but itself
                self.idle = len(self.graph.nodes) + 1
                return
            else:  # not solved on this path; on others it may be: as if a threshold were reached
                self.seen[node.number] = visit.th_pn, self.seen[node.number][1]
        if len(self.path) > 1:
            self.on_path.discard(self.path.pop().node.number)

    def _order(self, node: ProblemNode) -> list[ChildOption]:
        """The unsolved children, least phi first; none where repetitions leave no hope."""
        is_all = node.kind == ALL
        found = []
        for place, (child, cost) in enumerate(zip(node.children, node.costs, strict=True)):
            if child.status == Status.UNKNOWN:
                if child.number in self.on_path:
                    if is_all:
                        return []
                    continue
                pn, dn = self.seen[child.number]
                pn = held(pn + cost)
                phi, delta = (dn, pn) if is_all else (pn, dn)
                tie = place if node.order is None else node.order[place]
                found.append((phi, tie, ChildOption(phi, delta, cost, child)))
        found.sort(key=lambda item: item[:2])
        return [option for _, _, option in found]

    def _numbers(self, node: ProblemNode, order: list[ChildOption]) -> tuple[float, float]:
        """pn and dn by the children."""
        least, total = order[0].phi, held(self.rule.total([option.delta for option in order]))
        return (total, least) if node.kind == ALL else (least, total)

    def _descend(self, visit: Visit, order: list[ChildOption]) -> None:
        _, delta, cost, child = order[0]
        is_all = visit.node.kind == ALL
        th_phi, th_delta = (visit.th_dn, visit.th_pn) if is_all else (visit.th_pn, visit.th_dn)
        if len(order) > 1:
            second = order[1].phi
            th_phi = min(th_phi, second + max(1, self.rule.epsilon * second))
        if th_delta < math.inf:
            others = [option.delta for option in order[1:]]
            # more than the child has, or nothing would be done there
            th_delta = max(self.rule.share(th_delta, others), delta + 1)
        th_pn, th_dn = (th_delta - cost, th_phi) if is_all else (th_phi - cost, th_delta)
        self.path.append(Visit(child, th_pn, th_dn))
        self.on_path.add(child.number)
        self.visits += 1
        self.idle += 1

    def _any_leaf(self) -> ProblemNode:
        """The first leaf below unsolved nodes, from the left; an unknown root has one."""
        waiting, seen = [self.graph.root], {self.graph.root.number}
        while True:
            node = waiting.pop()
            if node.kind is None:
                return node
            for child in reversed(node.distinct):
                if child.status == Status.UNKNOWN and child.number not in seen:
                    seen.add(child.number)
                    waiting.append(child)

    def numbers(self, node: ProblemNode) -> dict[str, float]:
        """pn and dn as they were when the node was last left."""
        if node.status != Status.UNKNOWN:
            solved = node.status == Status.SOLVED
            return {"pn": 0 if solved else math.inf, "dn": math.inf if solved else 0}
        pn, dn = self.seen[node.number]
        return {"pn": pn, "dn": dn}


def rule_of(epsilon: float, backup: str = "sum", k: int = 1, E: int = 1, D: int = 0) -> BackupRule:
    """The rule of df-pn, weak df-pn (``backup``, ``k``) or deep df-pn (``E``, ``D``)."""
    totals: dict[str, tuple[Total, Share]] = {
        "sum": (sum, lambda th, others: th - sum(others)),
        "max": (max, lambda th, others: th),
        "max+unsolved-1": (lambda deltas: max(deltas) + len(deltas) - 1,
                           lambda th, others: th - len(others)),
        "max+(sum-max)/k": (lambda deltas: max(deltas) + (sum(deltas) - max(deltas)) / k,
                            lambda th, others: th - sum(others) / k),
    }

    def leaf(number: float, depth: int) -> float:
        return held(number * min(E ** (D - depth), int(HIGHEST)) if depth < D else number)

    return BackupRule(epsilon, *totals[backup], leaf)
