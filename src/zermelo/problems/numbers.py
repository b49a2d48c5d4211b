"""Proof numbers of the nodes of a problem, for searches that keep them all up to date.

pn is the least cost that is left to solve a node, with edges and leaves as they are estimated:

    any:  pn = min (cost(c) + pn(c))    dn = sum dn(c)
    all:  pn = sum (cost(c) + pn(c))    dn = min dn(c)

over the children c that are not solved (Kishimoto et al. 2019 for the costs). A node that is needed
in two places counts twice. pn is exact in cycles (see ``least``); dn leaves out edges that close
one. Neither proves anything: what is solved or dead stands in the node's status.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from heapq import heappop, heappush

from zermelo.problems.amounts import as_float, held
from zermelo.problems.answers import ALL
from zermelo.problems.graph import Node
from zermelo.problems.least import Least
from zermelo.problems.status import Status


def left_to_do(node: Node) -> float | None:
    """pn of a node that does not follow from its children."""
    if node.status == Status.SOLVED:
        return 0
    if node.status == Status.DEAD:
        return math.inf
    return node.pn if node.kind is None else None


class ProofNumbers:
    """pn and dn of all nodes; with ``R``, DeepPN's ``deep`` too."""

    def __init__(self, R: float | None = None) -> None:
        self.R = R
        self.least = Least(left_to_do, sunk=True, leveled=True)
        self.dn: list[float] = []
        self.deep: list[float] = []

    def pn(self, node: Node) -> float:
        """The proof number."""
        return self.least[node]

    def update(self, nodes: Iterable[Node]) -> list[Node]:
        """``nodes`` are new, or their children, status or leaf numbers have changed; these, and all
        nodes with new numbers."""
        changed = list(nodes)
        touched = dict.fromkeys(changed)
        for node in changed:
            touched |= dict.fromkeys(node.parents)
        for node in self.least.update(touched):
            changed.append(node)
            touched[node] = None
            if self.R is not None:
                touched |= dict.fromkeys(node.parents)
        heap: list[tuple[int, int, Node]] = []
        waiting: set[int] = set()

        def due(node: Node) -> None:
            if node.number not in waiting:
                waiting.add(node.number)
                heappush(heap, (-node.level, node.number, node))

        for node in touched:
            due(node)
        while heap:
            _, number, node = heappop(heap)
            waiting.discard(number)
            if self._refresh(node):
                changed.append(node)
                for parent in node.parents:
                    if parent.status == Status.UNKNOWN and number not in parent.back:
                        due(parent)
        return changed

    def _refresh(self, node: Node) -> bool:
        """Whether dn or deep have changed."""
        number = node.number
        while len(self.dn) <= number:
            self.dn.append(-1)
            self.deep.append(0.0)
        dn, deep = self._disproof(node), self.deep[number]
        if self.R is not None:
            best = next(iter(self._ahead(node)), None) if node.kind is not None else None
            deep = 1.0 / max(node.depth, 1) if best is None else self.deep[best.number]
        if dn == self.dn[number] and deep == self.deep[number]:
            return False
        self.dn[number], self.deep[number] = dn, deep
        return True

    def _disproof(self, node: Node) -> float:
        if node.status != Status.UNKNOWN:
            return 0 if node.status == Status.DEAD else math.inf
        if node.kind is None:
            return held(node.dn + max(node.dn, 1) if node.waiting else node.dn)
        below = [self.dn[child.number] for child in node.distinct
                 if child.status == Status.UNKNOWN and child.number not in node.back]
        if not below:
            return 1  # it leads nowhere but round in a circle
        return min(below) if node.kind == ALL else held(sum(below))

    def _ahead(self, node: Node) -> list[Node]:
        return [child for child in self.order(node) if child.number not in node.back][:1]

    def order(self, node: Node) -> list[Node]:
        """The unsolved children, most promising first: least pn or dn, leftmost of equals."""
        keyed = []
        ways = [] if node.kind == ALL else self.least.ways(node)
        for place, child in enumerate(node.children):
            if child.status == Status.UNKNOWN:
                circle = child.number in node.back and node.kind == ALL
                delta = self.dn[child.number] if node.kind == ALL else ways[place][0]
                if self.R is not None:
                    one = 1 if node.kind == ALL else self.least.units.one
                    delta = ((1.0 - 1.0 / (as_float(delta, one) + 1.0)) * self.R
                             + self.deep[child.number] * (1.0 - self.R))
                tie = place if node.order is None else node.order[place]
                keyed.append((circle, delta, tie, child))
        keyed.sort(key=lambda item: item[:3])
        return [item[3] for item in keyed]
