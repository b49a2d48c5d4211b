"""What comes out of a problem: plain frozen records."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.errors import BadOption, check_whole, counted
from zermelo.problems.amounts import written
from zermelo.problems.routes import Route, cheapest_route, cheapest_routes
from zermelo.problems.solution import Part
from zermelo.proof.write_problem import certificate_of, write_problem
from zermelo.search.base import Search
from zermelo.search.reasons import STOPPED

if TYPE_CHECKING:
    from zermelo.problems.problem import Problem


def numbers_shown(numbers: dict[str, float]) -> dict[str, Any]:
    """Numbers for people and JSON."""
    return {name: "inf" if value == math.inf else value for name, value in numbers.items()}


@dataclass(frozen=True)
class ProblemProgress:
    """Where the search of a problem stands."""

    nodes: int
    iterations: int
    seconds: float
    bytes: int
    root: dict[str, Any]


@dataclass(frozen=True)
class ProblemResult:
    """The answer to a problem.

    ``status``: ``solved``, ``dead`` (there is no solution) or ``unknown``; it follows from what
    ``expand`` said alone. ``complete``: the goal is reached; for ``cheapest`` and ``all`` that is
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
    part: Part | None = field(default=None, repr=False)

    @property
    def solved(self) -> bool:
        """Whether the root is proved to be solved."""
        return self.status == "solved"

    @property
    def dead(self) -> bool:
        """Whether the root is proved to have no solution."""
        return self.status == "dead"

    @cached_property
    def route(self) -> Route | None:
        """The cheapest route among all that was expanded; None if the root is not solved."""
        return None if self.part is None or not self.solved else cheapest_route(self.part)

    def routes(self, most: int = 10) -> list[Route]:
        """Up to ``most`` routes in what was expanded, cheapest first; none if it is not solved."""
        check_whole("most", most, 1)
        if self.part is None or not self.solved:
            return []
        return list(islice(cheapest_routes(self.part), most))

    def certificate(self) -> dict[str, Any]:
        """What the answer rests on, for JSON; ``zermelo.verify_problem`` checks it."""
        if self.part is None:
            raise BadOption("there is nothing to certify: it is unknown whether the root can be "
                            "solved.")
        return certificate_of(self.part)

    def write_certificate(self, path: str | Path) -> None:
        """Write ``certificate()`` to a file that ``verify`` and ``show`` read: all of it, or the
        file stays as it was."""
        write_problem(path, self.certificate())

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
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
