"""Depth-first searches of problems: df-pn with the 1 + epsilon rule, weak and deep df-pn.

The numbers are those of ``numbers``, with costs, but kept along one path at a time: a node is left
when its pn or dn reaches a threshold, and what it had then is remembered with it. A child that
stands on the path counts as not solved there. In the names of df-pn, phi is the number by which
children are compared and delta the one that adds up; see ``zermelo.search.depth_first``.

On a path that repeats a node numbers may stop to say anything: after as many visits without an
expansion as there are nodes, the next leaf is the first one below unsolved nodes.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import NamedTuple

from zermelo.problems.graph import ALL, Graph, Node, Status
from zermelo.problems.numbers import HIGHEST, held

Total = Callable[[list[float]], float]
Share = Callable[[float, list[float]], float]


class Rule(NamedTuple):
    """How numbers add up, and how far beyond the second best child the best one is searched.

    ``total`` of the deltas of the unsolved children; ``share(th, others)`` what a threshold leaves
    to one child beside ``others``; ``leaf(number, depth)`` a new leaf's number.
    """

    epsilon: float
    total: Total
    share: Share
    leaf: Callable[[float, int], float]


class Option(NamedTuple):
    """A child as its parent compares it; an edge's cost is part of its pn."""

    phi: float
    delta: float
    cost: float
    child: Node


class Visit:
    """A node on the path, with its thresholds."""

    __slots__ = ("node", "th_dn", "th_pn")

    def __init__(self, node: Node, th_pn: float, th_dn: float) -> None:
        self.node, self.th_pn, self.th_dn = node, th_pn, th_dn


class Thresholds:
    """The leaf that a depth-first search expands next, one at a time."""

    def __init__(self, graph: Graph, rule: Rule) -> None:
        self.graph, self.rule = graph, rule
        self.seen: list[tuple[float, float]] = []  # (pn, dn) as they were when last left
        self.path = [Visit(graph.root, math.inf, math.inf)]
        self.on_path = {graph.root.number}
        self.next = graph.root
        self.visits = self.idle = 0
        self.update([graph.root])

    def update(self, nodes: Iterable[Node]) -> None:
        """New nodes get the numbers of a leaf."""
        for node in self.graph.nodes[len(self.seen):]:
            leaf = self.rule.leaf
            self.seen.append((leaf(node.pn, node.depth), leaf(node.dn, node.depth)))

    @property
    def done(self) -> bool:
        """Whether the root is solved or dead."""
        return self.graph.root.status != Status.UNKNOWN

    def leaves(self, most: int) -> list[Node]:
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

    def _order(self, node: Node) -> list[Option]:
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
                found.append((phi, tie, Option(phi, delta, cost, child)))
        found.sort(key=lambda item: item[:2])
        return [option for _, _, option in found]

    def _numbers(self, node: Node, order: list[Option]) -> tuple[float, float]:
        """pn and dn by the children."""
        least, total = order[0].phi, held(self.rule.total([option.delta for option in order]))
        return (total, least) if node.kind == ALL else (least, total)

    def _descend(self, visit: Visit, order: list[Option]) -> None:
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

    def _any_leaf(self) -> Node:
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

    def numbers(self, node: Node) -> dict[str, float]:
        """pn and dn as they were when the node was last left."""
        if node.status != Status.UNKNOWN:
            solved = node.status == Status.SOLVED
            return {"pn": 0 if solved else math.inf, "dn": math.inf if solved else 0}
        pn, dn = self.seen[node.number]
        return {"pn": pn, "dn": dn}


def rule_of(epsilon: float, backup: str = "sum", k: int = 1, E: int = 1, D: int = 0) -> Rule:
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

    return Rule(epsilon, *totals[backup], leaf)
