"""The part of a problem that is known: nodes, each once, with their children and parents.

Joins and cycles are part of it. An edge that closes a cycle when it is added is remembered as a
``back`` edge; the others run from a lower ``level`` to a higher one.
"""

from __future__ import annotations

import sys
from collections.abc import Hashable

from zermelo.problems.answers import Expansion
from zermelo.problems.status import Logic, Status

RECORD_BYTES, EDGE_BYTES = 760, 80  # about what a node and an edge take up, numbers included


class Node:
    """A node of the graph.

    thing        the user's node
    kind         None until it is expanded, then solved, dead, any or all
    status       what is proved; ``rank``: nodes were solved in this order
    children     as they were given, one edge each; ``costs`` of the edges; ``cost`` of an end
    distinct     the children, each once
    parents      each once
    source       of an ``any`` node: the child on which its hope rests (see ``status``)
    unsolved, alive   how many distinct children are not solved, and not dead
    depth        how far from the root it was found
    waiting      it has been handed out, and its expansion is not back yet
    """

    __slots__ = ("alive", "back", "children", "cost", "costs", "depth", "distinct", "dn", "kind",
                 "level", "number", "order", "parents", "pn", "rank", "source", "status", "thing",
                 "unsolved", "waiting")

    def __init__(self, number: int, thing: Hashable, depth: int) -> None:
        self.number, self.thing, self.depth, self.level = number, thing, depth, depth
        self.kind: str | None = None
        self.status = Status.UNKNOWN
        self.rank = 0
        self.children: list[Node] = []
        self.distinct: list[Node] = []
        self.costs: tuple[float, ...] = ()
        self.cost: float = 0
        self.parents: list[Node] = []
        self.back: set[int] = set()
        self.source: Node | None = None
        self.unsolved = self.alive = 0
        self.waiting = False
        self.pn: float = 1  # as a leaf; what searches make of it they keep themselves
        self.dn: float = 1
        self.order: list[int] | None = None  # in which children are tried, where it is not theirs


class Graph:
    """The nodes that are known. ``joins`` counts the edges to nodes that were known already."""

    def __init__(self, root: Hashable) -> None:
        self.nodes: list[Node] = []
        self.numbers: dict[Hashable, int] = {}
        self.joins = self.edges = self.expansions = self.bytes = 0
        self.logic = Logic()
        self.root = self._new(root, 0)

    def expand(self, node: Node, expansion: Expansion) -> tuple[list[Node], list[Node]]:
        """Give ``node`` its children; the new nodes, and those whose status is known now."""
        new = []
        node.kind, node.costs, node.cost = expansion.kind, expansion.costs, expansion.cost
        for thing in expansion.children:
            number = self.numbers.get(thing)
            if number is None:
                child = self._new(thing, node.depth + 1)
                new.append(child)
            else:
                child = self.nodes[number]
                self.joins += 1
            node.children.append(child)
        node.distinct = list(dict.fromkeys(node.children))
        for child in node.distinct:
            child.parents.append(node)
            self._level(node, child)
        self.expansions += 1
        self.edges += len(node.children)
        self.bytes += EDGE_BYTES * len(node.children)
        return new, self.logic.expanded(node)

    def _new(self, thing: Hashable, depth: int) -> Node:
        node = Node(len(self.nodes), thing, depth)
        self.nodes.append(node)
        self.numbers[thing] = node.number
        self.bytes += RECORD_BYTES + sys.getsizeof(thing)
        return node

    def _level(self, parent: Node, child: Node) -> None:
        """Put ``child`` above ``parent``, or call the edge one that closes a cycle."""
        if child.level > parent.level or child.status != Status.UNKNOWN:
            return
        if _leads_to(child, parent):
            parent.back.add(child.number)
            return
        child.level = parent.level + 1
        raised = [child]
        while raised:
            node = raised.pop()
            for below in _unknown_below(node):
                if below.level <= node.level:
                    below.level = node.level + 1
                    raised.append(below)


def _unknown_below(node: Node) -> list[Node]:
    """The children that edges upward lead to; those that are solved or dead have no level."""
    return [child for child in node.distinct
            if child.status == Status.UNKNOWN and child.number not in node.back]


def _leads_to(start: Node, goal: Node) -> bool:
    """Whether edges upward lead from ``start`` to ``goal``."""
    waiting, seen = [start], {start.number}
    while waiting:
        node = waiting.pop()
        if node is goal:
            return True
        for below in _unknown_below(node):
            if below.level <= goal.level and below.number not in seen:
                seen.add(below.number)
                waiting.append(below)
    return False
