"""Results of problems, as plain frozen records: the solved or dead part, and its routes.

The part that an answer rests on stands apart from the search. A solved root has all solved nodes
that it can use, with every solved way; a dead one as many dead nodes as show that it is dead.
Routes and certificates are made from it.

A route is one way in which a root was solved; routes come cheapest first. A route chooses one child
of every ``any`` node that it needs, the same wherever the node is needed, and never leads in a
circle. Its cost is that of a tree: what is needed twice is paid twice.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from zermelo.errors import BadOption, check_whole, counted
from zermelo.problems.graph import ANY, SOLVED, ProblemGraph, ProblemNode, Status
from zermelo.problems.numbers import Units, written
from zermelo.proof.write import certificate_of, write_problem
from zermelo.search.base import Search
from zermelo.search.reasons import STOPPED

if TYPE_CHECKING:
    from zermelo.problems.problem import Problem

class PartStep(NamedTuple):
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


class ProvedPart(NamedTuple):
    """Steps by number. If the root is solved, they stand in the order in which they were."""

    claim: str
    root: int
    steps: tuple[PartStep, ...]


def part_of(graph: ProblemGraph) -> ProvedPart | None:
    """Return the part that the status of the root rests on; None while it is unknown."""
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
    return ProvedPart(status.name.lower(), numbers[graph.root], steps)


def _places(node: ProblemNode) -> list[int]:
    """The children with the status of their parent; one is enough where ``all`` are needed."""
    same = [i for i, child in enumerate(node.children) if child.status == node.status]
    return same if node.status == Status.SOLVED or node.kind == ANY else same[:1]


def _step(node: ProblemNode, numbers: dict[ProblemNode, int]) -> PartStep:
    assert node.kind is not None
    places = tuple(_places(node))
    return PartStep(node.thing, node.kind, places, tuple(numbers[node.children[i]] for i in places),
                tuple(node.costs[i] for i in places), node.cost)


Choices = dict[int, int]  # of any nodes: which of their ways


class Costs:
    """The costs of a part, exact, in units."""

    def __init__(self, part: ProvedPart) -> None:
        self.part, self.units = part, Units()
        for step in part.steps:
            for amount in (step.cost, *step.costs):
                self.units.cover(amount)
        self.own = [self.units.of(step.cost) for step in part.steps]
        self.edges = [[self.units.of(cost) for cost in step.costs] for step in part.steps]

    def ways(self, number: int, known: dict[int, int]) -> Iterator[tuple[int, int]]:
        """The ways of a step whose costs are known, each with its cost."""
        for way, below in enumerate(self.part.steps[number].uses):
            if below in known:
                yield known[below] + self.edges[number][way], way

    def least(self) -> tuple[dict[int, int], Choices]:
        """Return the least cost of each step, and the ways that cost it, which never go in a circle
        (Knuth 1977, a generalization of Dijkstra's algorithm)."""
        steps = self.part.steps
        parents: list[list[int]] = [[] for _ in steps]
        missing = [len(set(step.uses)) for step in steps]
        for number, step in enumerate(steps):
            for below in set(step.uses):
                parents[below].append(number)
        known: dict[int, int] = {}
        chosen: Choices = {}
        heap = [(self.own[number], number) for number, step in enumerate(steps) if not step.uses]
        heap.sort()
        while heap:
            cost, number = heappop(heap)
            if number in known:
                continue
            if steps[number].kind == ANY:
                chosen[number] = next(way for one, way in self.ways(number, known) if one == cost)
            known[number] = cost
            for parent in parents[number]:
                missing[parent] -= 1
                if steps[parent].kind == ANY:
                    heappush(heap, (min(self.ways(parent, known))[0], parent))
                elif missing[parent] == 0:
                    heappush(heap, (sum(one for one, _ in self.ways(parent, known)), parent))
        return known, chosen


def cheapest_routes(part: ProvedPart) -> Iterator[Route]:
    """All routes of a solved root, one after the other, cheapest first.

    Routes that are begun are kept by what they cost at least, with every node that they have not
    chosen a way for at its least cost.
    """
    costs = Costs(part)
    least, _ = costs.least()
    begun: list[tuple[int, int, int | None, Choices]] = []

    def keep(choices: Choices, serial: int) -> None:
        measured = measure(costs, choices, least)
        if measured is not None:
            heappush(begun, (measured[0], serial, measured[1], choices))

    keep({}, 0)
    serial = 1
    while begun:
        cost, _, undecided, choices = heappop(begun)
        if undecided is None:
            yield Route(part, choices, costs.units.shown(cost))
            continue
        for way in range(len(part.steps[undecided].uses)):
            keep({**choices, undecided: way}, serial)
            serial += 1


def measure(of: Costs, choices: Choices, least: dict[int, int]) -> tuple[int, int | None] | None:
    """The cost of a route that is begun, and the first node whose way it has not chosen; None if it
    leads in a circle."""
    costs: dict[int, int] = {}
    above: set[int] = set()
    undecided: int | None = None
    part = of.part
    waiting = [part.root]
    while waiting:
        number = waiting[-1]
        step, edges = part.steps[number], of.edges[number]
        if number in costs:
            above.discard(waiting.pop())
            continue
        if step.kind == ANY and number not in choices and len(step.uses) > 1:
            undecided = number if undecided is None else undecided
            costs[number] = least[number]
            continue
        ways = [choices.get(number, 0)] if step.kind == ANY else range(len(step.uses))
        below = next((step.uses[way] for way in ways if step.uses[way] not in costs), None)
        if below is None:
            costs[number] = of.own[number] + sum(costs[step.uses[way]] + edges[way] for way in ways)
            continue
        above.add(number)
        if below in above:
            return None
        waiting.append(below)
    return costs[part.root], undecided


@dataclass(frozen=True, repr=False)
class Route:
    """One way to solve the root. ``str(route)`` draws it as a tree.

    ``choices``: by step of the part, which of its ways; the first for steps without an entry.
    """

    part: ProvedPart
    choices: Choices
    cost: float

    def way(self, number: int) -> list[tuple[int, float]]:
        """Return what a step of the part needs on this route, with the costs of the edges."""
        step = self.part.steps[number]
        edges = list(zip(step.uses, step.costs, strict=True))
        return [edges[self.choices.get(number, 0)]] if step.kind == ANY else edges

    @property
    def ends(self) -> list[Any]:
        """The ends that it rests on, each once, from left to right."""
        return [self.part.steps[number].thing for number in self._numbers()
                if self.part.steps[number].kind == SOLVED]

    def graph(self) -> dict[Hashable, list[Any]]:
        """Return all nodes that are needed, with the children needed for each; the root first."""
        steps = self.part.steps
        return {steps[number].thing: [steps[below].thing for below, _ in self.way(number)]
                for number in self._numbers()}

    def _numbers(self) -> list[int]:
        found: dict[int, None] = {}
        waiting = [self.part.root]
        while waiting:
            number = waiting.pop()
            if number not in found:
                found[number] = None
                waiting += [below for below, _ in reversed(self.way(number))]
        return list(found)

    def text(self, name: Callable[[Any], str] = str) -> str:
        """The route as a tree, costs of edges and ends in brackets; what comes again is drawn
        once."""
        lines, drawn = [f"cost {written(self.cost)}"], set[int]()
        waiting = [(self.part.root, 0.0, "", "")]
        while waiting:
            number, edge, before, after = waiting.pop()
            again = number in drawn and bool(self.way(number))
            cost = edge + self.part.steps[number].cost
            paid, seen = f" ({written(cost)})" if cost else "", " (as above)" if again else ""
            lines.append(before + name(self.part.steps[number].thing) + paid + seen)
            drawn.add(number)
            below = [] if again else self.way(number)
            for place in reversed(range(len(below))):
                last = place == len(below) - 1
                waiting.append((*below[place], f"{after}{'└─ ' if last else '├─ '}",
                                f"{after}{'   ' if last else '│  '}"))
        return "\n".join(lines)

    def __str__(self) -> str:
        return self.text()

    def __repr__(self) -> str:
        return f"<route of {counted(len(self._numbers()), 'node')}, cost {written(self.cost)}>"


def numbers_shown(numbers: dict[str, float]) -> dict[str, Any]:
    """Numbers for people and JSON."""
    return {name: "inf" if value == math.inf else value for name, value in numbers.items()}


@dataclass(frozen=True)
class ProblemProgress:
    """The state of the search of a problem."""

    nodes: int
    iterations: int
    seconds: float
    bytes: int
    root: dict[str, Any]


@dataclass(frozen=True)
class ProblemResult:
    """The answer to a problem.

    ``status``: ``solved``, ``dead`` (there is no solution) or ``unknown``; it follows from what
    ``expand`` returned. ``complete``: the goal is reached; for ``cheapest`` and ``all`` that is
    more than ``solved``. ``stopped``: ``solved``, or the limit that was met. ``nodes`` counts every
    node once, ``edges`` the children of all nodes, ``joins`` those that were known already,
    ``iterations`` the expansions. ``root``: its numbers, which prove nothing.
    """

    problem: Problem
    search: Search
    goal: str
    seed: int
    status: str
    complete: bool
    stopped: str
    nodes: int
    iterations: int
    edges: int
    joins: int
    seconds: float
    peak_bytes: int
    root: dict[str, Any]
    part: ProvedPart | None = field(default=None, repr=False)

    @property
    def solved(self) -> bool:
        """True if the root is proved to be solved."""
        return self.status == "solved"

    @property
    def dead(self) -> bool:
        """True if the root is proved to have no solution."""
        return self.status == "dead"

    @cached_property
    def route(self) -> Route | None:
        """The cheapest route among all that was expanded; None if the root is not solved."""
        if self.part is None or not self.solved:
            return None
        costs = Costs(self.part)
        known, chosen = costs.least()
        return Route(self.part, chosen, costs.units.shown(known[self.part.root]))

    def routes(self, most: int = 10) -> list[Route]:
        """Up to ``most`` routes in what was expanded, cheapest first; none if it is not solved."""
        check_whole("most", most, 1)
        if self.part is None or not self.solved:
            return []
        return list(islice(cheapest_routes(self.part), most))

    def certificate(self) -> dict[str, Any]:
        """Return what the answer rests on, for JSON; ``zermelo.verify_problem`` checks it."""
        if self.part is None:
            raise BadOption("there is nothing to certify: it is unknown whether the root can be "
                            "solved.")
        return certificate_of(self.part)

    def write_certificate(self, path: str | Path) -> None:
        """Write ``certificate()`` to a file that ``verify`` and ``show`` read: all of it, or the
        file stays as it was."""
        write_problem(path, self.certificate())

    def to_dict(self) -> dict[str, Any]:
        """Return the result for JSON."""
        return {
            "status": self.status, "goal": self.goal, "complete": self.complete,
            "stopped": self.stopped, "search": self.search.id, "options": self.search.options,
            "seed": self.seed, "cost": None if self.route is None else self.route.cost,
            "nodes": self.nodes, "iterations": self.iterations, "edges": self.edges,
            "joins": self.joins, "seconds": round(self.seconds, 6), "peak_bytes": self.peak_bytes,
            "root": self.root,
        }

    def __str__(self) -> str:
        how = f"stopped by {STOPPED.get(self.stopped, self.stopped)}"
        words = [self.status + ("" if self.complete else f", {how}")]
        if self.route is not None:
            best = self.goal != "solve" and self.complete
            words.append(f"{'least cost' if best else 'cost'} {written(self.route.cost)}")
        words.append(f"{self.search.id}: {counted(self.nodes, 'node')}, "
                     f"{counted(self.joins, 'join')}, "
                     f"{counted(self.iterations, 'expansion')}, {self.seconds:.3f} s")
        return "\n".join(words)
