"""The way down to the leaf that comes first, by the order in which children are tried."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator

from zermelo.problems.graph import Node


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
