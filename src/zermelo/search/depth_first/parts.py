"""The kernels and stacks of a search on a game, which its runs share."""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Any

from zermelo.kernel.jit import kernel
from zermelo.search.base import Task
from zermelo.search.depth_first.driver import run_of
from zermelo.search.depth_first.peek import peek_of, weigh_of
from zermelo.search.depth_first.plan import Plan, Planned
from zermelo.search.depth_first.stacks import Stacks
from zermelo.search.depth_first.strategy import extract_of


def may_have_zones(task: Task) -> bool:
    """Whether zones can answer the question: who wins, and neither how soon nor by how much."""
    return (task.rules.dependence is not None and not task.plain and not task.candidates
            and task.horizon is None and task.threshold == 1)


def with_zones(plan: Plan) -> Plan:
    """The plan with room for zones, if it has any."""
    if not plan.zones:
        return plan
    return replace(plan, frame_fields=(*plan.frame_fields, ("zone", "u8")),
                   child_fields=(*plan.child_fields, ("zone", "u8")))


class Parts:
    """What the runs of a search on a game have in common."""

    def __init__(self, search: Planned, task: Task) -> None:
        self.rules = task.rules
        plan = search.plan(self.rules)
        self.plan = with_zones(plan) if may_have_zones(task) else replace(plan, zones=False)
        self.stacks = Stacks(self.rules, self.plan)

    @cached_property
    def run(self) -> Any:
        """The kernel."""
        return kernel(run_of(self.rules, self.plan))

    @cached_property
    def extract(self) -> Any:
        """The kernel that writes a certificate's records."""
        return kernel(extract_of(self.rules, self.plan))

    @cached_property
    def peek(self) -> Any:
        """What expands a position beside the search."""
        return kernel(peek_of(self.rules, self.plan))

    @cached_property
    def weigh(self) -> Any:
        """What a node's children come to."""
        return kernel(weigh_of(self.plan))
