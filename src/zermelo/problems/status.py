"""What is proved about the nodes of a problem: by logic alone, whatever the numbers say.

*Solved*: an end that is solved; an ``any`` node with a solved child; an ``all`` node whose children
are all solved. Nodes become solved one after the other, so no solution rests on itself.

*Dead*: a node that would not be solved even if everything not yet expanded were. That takes in
nodes whose only hope is a cycle, and it holds on every path: nothing that is expanded later can
change it. Every node that is neither has a support: an ``any`` node rests on its ``source``, an
``all`` node on all its children, and no support goes round in a circle. When a support is lost, all
that rests on it looks for another one; what finds none is dead.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import TYPE_CHECKING

from zermelo.problems.answers import ALL, ANY, DEAD, SOLVED

if TYPE_CHECKING:
    from zermelo.problems.graph import Node


class Status(IntEnum):
    """What is proved about a node."""

    UNKNOWN = 0
    SOLVED = 1
    DEAD = 2


class Logic:
    """Keeps the status of all nodes of a graph."""

    def __init__(self) -> None:
        self.solved = 0

    def expanded(self, node: Node) -> list[Node]:
        """``node`` has been expanded: the nodes whose status is known now and was not before."""
        settled: list[Node] = []
        node.unsolved = sum(child.status != Status.SOLVED for child in node.distinct)
        node.alive = sum(child.status != Status.DEAD for child in node.distinct)
        children, kind = len(node.distinct), node.kind
        if kind == SOLVED or (kind == ALL and node.unsolved == 0) or (
                kind == ANY and node.unsolved < children):
            self._solve(node, settled)
        elif kind == DEAD or (kind == ANY and node.alive == 0) or (
                kind == ALL and node.alive < children):
            self._bury([node], settled)
        elif not _rests_on_leaves(node):
            self._bury(_unfounded([node]), settled)
        return settled

    def _solve(self, node: Node, settled: list[Node]) -> None:
        waiting = [node]
        while waiting:
            node = waiting.pop()
            if node.status != Status.UNKNOWN:
                continue
            self.solved += 1
            node.status, node.rank = Status.SOLVED, self.solved
            settled.append(node)
            for parent in node.parents:
                parent.unsolved -= 1
                if parent.status == Status.UNKNOWN and (parent.kind == ANY or not parent.unsolved):
                    waiting.append(parent)

    def _bury(self, dead: list[Node], settled: list[Node]) -> None:
        """Mark nodes as dead, and whatever follows from that."""
        while dead:
            doubtful: list[Node] = []
            while dead:
                node = dead.pop()
                if node.status != Status.UNKNOWN:
                    continue
                node.status = Status.DEAD
                settled.append(node)
                for parent in node.parents:
                    parent.alive -= 1
                    if parent.status != Status.UNKNOWN:
                        continue
                    if parent.kind == ALL or parent.alive == 0:
                        dead.append(parent)
                    elif parent.source is node:
                        doubtful.append(parent)
            dead = _unfounded(node for node in doubtful if node.status == Status.UNKNOWN)


def _rests_on_leaves(node: Node) -> bool:
    """Whether children that rest on nothing else are enough; an ``any`` node gets its source."""
    sure = [child for child in node.distinct if child.kind is None or child.status == Status.SOLVED]
    if node.kind == ANY and sure:
        node.source = sure[0]
        return True
    return len(sure) == len(node.distinct)


def _unfounded(doubtful: Iterable[Node]) -> list[Node]:
    """Of nodes that lost their support, and all that rests on them: those that find no other."""
    in_doubt: dict[Node, None] = {}
    waiting = list(doubtful)
    while waiting:
        node = waiting.pop()
        if node not in in_doubt:
            in_doubt[node] = None
            waiting += [parent for parent in node.parents if parent.status == Status.UNKNOWN and (
                parent.kind == ALL or parent.source is node)]
    waiting = list(in_doubt)
    while waiting:
        node = waiting.pop()
        if node in in_doubt and _finds_support(node, in_doubt):
            del in_doubt[node]
            waiting += [parent for parent in node.parents if parent in in_doubt]
    return list(in_doubt)


def _finds_support(node: Node, in_doubt: dict[Node, None]) -> bool:
    if node.kind == ALL:
        return not any(child in in_doubt for child in node.distinct)
    for child in node.distinct:
        if child.status != Status.DEAD and child not in in_doubt:
            node.source = child
            return True
    return False
