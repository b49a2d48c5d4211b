"""The part of a problem that an answer rests on, apart from the search: what is solved, or dead.

A solved root has all solved nodes that it can use, with every solved way; a dead one as many dead
nodes as show that it is dead. From here come routes and certificates.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import NamedTuple

from zermelo.problems.answers import ANY
from zermelo.problems.graph import Graph, Node
from zermelo.problems.status import Status


class Step(NamedTuple):
    """A node of the part.

    ``places`` are those of its children that count here, in the order that ``expand`` gives them;
    ``uses`` their numbers in the part, ``costs`` the edges' costs, ``cost`` that of an end.
    """

    thing: Hashable
    kind: str
    places: tuple[int, ...]
    uses: tuple[int, ...]
    costs: tuple[float, ...]
    cost: float


class Part(NamedTuple):
    """Steps by number. If the root is solved, they stand in the order in which they were."""

    claim: str
    root: int
    steps: tuple[Step, ...]


def part_of(graph: Graph) -> Part | None:
    """What the status of the root rests on; None while it is unknown."""
    status = graph.root.status
    if status == Status.UNKNOWN:
        return None
    found, waiting = {graph.root}, [graph.root]
    while waiting:
        node = waiting.pop()
        for place in _places(node):
            child = node.children[place]
            if child not in found:
                found.add(child)
                waiting.append(child)
    ordered = sorted(found, key=lambda node: (node.rank, node.number))
    numbers = {node: i for i, node in enumerate(ordered)}
    steps = tuple(_step(node, numbers) for node in ordered)
    return Part(status.name.lower(), numbers[graph.root], steps)


def _places(node: Node) -> list[int]:
    """The children with the status of their parent; one is enough where ``all`` are needed."""
    same = [i for i, child in enumerate(node.children) if child.status == node.status]
    return same if node.status == Status.SOLVED or node.kind == ANY else same[:1]


def _step(node: Node, numbers: dict[Node, int]) -> Step:
    assert node.kind is not None
    places = tuple(_places(node))
    return Step(node.thing, node.kind, places, tuple(numbers[node.children[i]] for i in places),
                tuple(node.costs[i] for i in places), node.cost)
