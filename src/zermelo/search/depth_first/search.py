"""DepthFirst: what all searches of this wing have in common."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

from zermelo.core.rules import Rules
from zermelo.search.base import Search, Task
from zermelo.search.depth_first.inspector import PathRecorder
from zermelo.search.depth_first.plan import Plan
from zermelo.search.depth_first.run import Run


@dataclass(frozen=True)
class DepthFirst(Search):
    """A search that keeps one path and a table."""

    goals: ClassVar[tuple[str, ...]] = ("win", "value", "score", "shortest")
    threaded: ClassVar[bool] = True
    narrows: ClassVar[bool] = True
    shares: ClassVar[bool] = True
    keeps: ClassVar[str] = "table"
    replays: ClassVar[bool] = True
    follows: ClassVar[str] = ("the least pn where {me} moves and the least dn where {you} does, "
                              "and stays below a node until a threshold is reached")

    def plan(self, rules: Rules) -> Plan:
        """The parts of this search for a game."""
        raise NotImplementedError

    def data(self, rules: Rules, plain: bool) -> tuple[Any, ...]:
        """The options that the compiled parts read, as a NamedTuple."""
        return ()

    def show(self, pn: Any, dn: Any) -> dict[str, Any]:
        """A node's numbers, for people and JSON."""
        raise NotImplementedError

    def show_solved(self, won: bool) -> dict[str, Any]:
        """The numbers of a solved node."""
        raise NotImplementedError

    def show_thresholds(self, th_pn: Any, th_dn: Any) -> dict[str, Any]:
        """The thresholds of a node, by name."""
        return self.show(th_pn, th_dn)

    def recorder(self, run: Run) -> PathRecorder:
        """One that follows the visits."""
        return PathRecorder(run)

    def start(self, task: Task) -> Run:
        """A new run."""
        return Run(self, task)
