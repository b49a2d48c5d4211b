"""The part of a problem that is known: nodes, each once, with their children and parents.

Joins and cycles are part of it. An edge that closes a cycle when it is added is remembered as a
``back`` edge; the others run from a lower ``level`` to a higher one. What ``expand`` and
``estimate`` return is read and checked here.

What is proved about a node follows by logic alone, whatever the numbers say:

*Solved*: an end that is solved; an ``any`` node with a solved child; an ``all`` node whose children
are all solved. Nodes become solved one after the other, so no solution rests on itself.

*Dead*: a node that would not be solved even if everything not yet expanded were. That takes in
nodes whose only hope is a cycle, and it holds on every path: nothing that is expanded later can
change it. Every node that is neither has a support: an ``any`` node rests on its ``source``, an
``all`` node on all its children, and no support goes round in a circle. When a support is lost, all
that rests on it looks for another one; what finds none is dead.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Hashable, Iterable, Sequence
from enum import IntEnum
from typing import Any, NamedTuple

from zermelo.errors import BadProblem, counted, quoted

SOLVED, DEAD, ANY, ALL = "solved", "dead", "any", "all"
VALID = ('"solved", "dead", ("any", children) or ("all", children), with a third part for the '
         'costs of the children, or ("solved", cost)')

Expand = Callable[[Any], Any]
ExpandMany = Callable[[list[Any]], Sequence[Any]]
Estimate = Callable[[Any], tuple[float, float]]


class Expansion(NamedTuple):
    """A node that was expanded. ``costs`` are those of the children; ``cost`` that of an end."""

    kind: str
    children: tuple[Hashable, ...] = ()
    costs: tuple[float, ...] = ()
    cost: float = 0


def read_expansion(node: Any, said: Any) -> Expansion:
    """Read what ``expand(node)`` returned, or raise BadProblem."""
    if isinstance(said, str) and said in (SOLVED, DEAD):
        return Expansion(said)
    parts = tuple(said) if isinstance(said, tuple | list) else ()
    if len(parts) == 2 and isinstance(parts[0], str) and parts[0] == SOLVED:
        return Expansion(SOLVED, cost=_cost(node, parts[1]))
    if len(parts) in (2, 3) and isinstance(parts[0], str) and parts[0] in (ANY, ALL):
        children = _children(node, parts[1])
        costs = _costs(node, parts[2], len(children)) if len(parts) == 3 else (0,) * len(children)
        return Expansion(parts[0], children, costs)
    raise BadProblem(f"expand({quoted(node)}) returned {quoted(said)}; it is {VALID}.")


def read_expansions(nodes: Sequence[Any], said: Any) -> list[Expansion]:
    """Read what ``expand_many(nodes)`` returned, or raise BadProblem."""
    answers = list(said) if isinstance(said, Iterable) and not isinstance(said, str) else None
    if answers is None or len(answers) != len(nodes):
        count = "no list" if answers is None else f"{counted(len(answers), 'answer')}"
        raise BadProblem(f"expand_many returned {count} for {counted(len(nodes), 'node')}; it is "
                         "one answer for each, in their order.")
    return [read_expansion(node, answer) for node, answer in zip(nodes, answers, strict=True)]


def read_estimate(node: Any, said: Any) -> tuple[float, float]:
    """Read what ``estimate(node)`` returned, pn and dn, or raise BadProblem."""
    parts = tuple(said) if isinstance(said, tuple | list) else ()
    amounts = tuple(map(_amount, parts))
    if len(amounts) != 2 or None in amounts:
        raise BadProblem(f"estimate({quoted(node)}) returned {quoted(said)}; it is (pn, dn), two "
                         "finite numbers that are not negative.")
    pn, dn = amounts
    assert pn is not None
    assert dn is not None
    return pn, dn


def check_hashable(node: Any) -> None:
    """Refuse a node without a hash: nodes are distinguished by hash and equality."""
    try:
        hash(node)
    except TypeError:
        raise BadProblem(f"the node {quoted(node)} is not hashable; nodes are texts, numbers, "
                         "tuples, frozensets or other hashable objects.") from None


def _children(node: Any, given: Any) -> tuple[Hashable, ...]:
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise BadProblem(f"expand({quoted(node)}) returned {quoted(given)} as children; they are "
                         "a list of nodes.")
    children = tuple(given)
    for child in children:
        check_hashable(child)
    return children


def _costs(node: Any, given: Any, count: int) -> tuple[float, ...]:
    costs = tuple(given) if isinstance(given, Iterable) and not isinstance(given, str) else None
    if costs is None or len(costs) != count:
        raise BadProblem(f"expand({quoted(node)}) returned {quoted(given)} as costs of {count} "
                         "children; they are a list with a number for each.")
    return tuple(_cost(node, cost) for cost in costs)


def _cost(node: Any, given: Any) -> float:
    cost = _amount(given)
    if cost is None:
        raise BadProblem(f"expand({quoted(node)}) returned the cost {quoted(given)}; it is a "
                         "finite number that is not negative.")
    return cost


def _amount(given: Any) -> float | None:
    """A number that is not negative, as Python's own; None for anything else."""
    if isinstance(given, bool | str | bytes):
        return None
    try:
        number: float = given.__index__() if hasattr(given, "__index__") else float(given)
        return number if number >= 0 and math.isfinite(number) else None
    except (TypeError, ValueError, OverflowError):
        return None


class Status(IntEnum):
    """The proved status of a node."""

    UNKNOWN = 0
    SOLVED = 1
    DEAD = 2


class Logic:
    """Keeps the status of all nodes of a graph."""

    def __init__(self) -> None:
        self.solved = 0

    def expanded(self, node: ProblemNode) -> list[ProblemNode]:
        """Take in a node that was expanded; return the nodes whose status is known only now."""
        settled: list[ProblemNode] = []
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

    def _solve(self, node: ProblemNode, settled: list[ProblemNode]) -> None:
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

    def _bury(self, dead: list[ProblemNode], settled: list[ProblemNode]) -> None:
        """Mark nodes as dead, and whatever follows from that."""
        while dead:
            doubtful: list[ProblemNode] = []
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


def _rests_on_leaves(node: ProblemNode) -> bool:
    """Return True if children that rest on nothing else are enough; set the source of ``any``."""
    sure = [child for child in node.distinct if child.kind is None or child.status == Status.SOLVED]
    if node.kind == ANY and sure:
        node.source = sure[0]
        return True
    return len(sure) == len(node.distinct)


def _unfounded(doubtful: Iterable[ProblemNode]) -> list[ProblemNode]:
    """Return the nodes that find no other support, of those that lost theirs and all above them."""
    in_doubt: dict[ProblemNode, None] = {}
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


def _finds_support(node: ProblemNode, in_doubt: dict[ProblemNode, None]) -> bool:
    if node.kind == ALL:
        return not any(child in in_doubt for child in node.distinct)
    for child in node.distinct:
        if child.status != Status.DEAD and child not in in_doubt:
            node.source = child
            return True
    return False


RECORD_BYTES, EDGE_BYTES = 760, 80  # about what a node and an edge take up, numbers included


class ProblemNode:
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
        self.children: list[ProblemNode] = []
        self.distinct: list[ProblemNode] = []
        self.costs: tuple[float, ...] = ()
        self.cost: float = 0
        self.parents: list[ProblemNode] = []
        self.back: set[int] = set()
        self.source: ProblemNode | None = None
        self.unsolved = self.alive = 0
        self.waiting = False
        self.pn: float = 1  # as a leaf; what searches make of it they keep themselves
        self.dn: float = 1
        self.order: list[int] | None = None  # in which children are tried, where it is not theirs


class ProblemGraph:
    """The nodes that are known. ``joins`` counts the edges to nodes that were known already."""

    def __init__(self, root: Hashable) -> None:
        self.nodes: list[ProblemNode] = []
        self.numbers: dict[Hashable, int] = {}
        self.joins = self.edges = self.expansions = self.bytes = 0
        self.logic = Logic()
        self.root = self._new(root, 0)

    def expand(self, node: ProblemNode,
               expansion: Expansion) -> tuple[list[ProblemNode], list[ProblemNode]]:
        """Give ``node`` its children; return the new nodes, and those whose status is known now."""
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

    def _new(self, thing: Hashable, depth: int) -> ProblemNode:
        node = ProblemNode(len(self.nodes), thing, depth)
        self.nodes.append(node)
        self.numbers[thing] = node.number
        self.bytes += RECORD_BYTES + sys.getsizeof(thing)
        return node

    def _level(self, parent: ProblemNode, child: ProblemNode) -> None:
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


def _unknown_below(node: ProblemNode) -> list[ProblemNode]:
    """The children that edges upward lead to; those that are solved or dead have no level."""
    return [child for child in node.distinct
            if child.status == Status.UNKNOWN and child.number not in node.back]


def _leads_to(start: ProblemNode, goal: ProblemNode) -> bool:
    """Return True if edges upward lead from ``start`` to ``goal``."""
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
