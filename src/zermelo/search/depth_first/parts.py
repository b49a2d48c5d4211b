"""The kernels and stacks of a search on a game, which its runs share.

One kernel expands a position beside the search, only to see what is known about its children.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any

from zermelo.compiler.jit import kernel
from zermelo.core.rules import ONGOING, Rules
from zermelo.kernel.bits import bare, mix, word
from zermelo.search.base import Task
from zermelo.search.common.rules import repetition_of
from zermelo.search.depth_first.address import address_of
from zermelo.search.depth_first.driver import run_of, verdict
from zermelo.search.depth_first.expand import expand_of
from zermelo.search.depth_first.plan import Plan, Planned
from zermelo.search.depth_first.proof_kernel import extract_of
from zermelo.search.depth_first.stacks import Stacks
from zermelo.search.reasons import UNKNOWN

Function = Callable[..., Any]


def peek_of(rules: Rules, plan: Plan) -> Function:
    """``peek(g, o, stack, table, path) -> count``: all children of the position that ``path`` leads
    to, from the first place of ``stack.children`` on; none where the game is over or repeats."""
    play, mover, outcome, cyclic = rules.play, rules.mover, rules.outcome, rules.cyclic
    address, repetition = address_of(rules, plan), repetition_of(rules)
    expand = expand_of(rules, plan, whole=True)

    def over(g, stack, depth):
        if outcome(g, stack.states[depth]) != ONGOING:
            return True
        if cyclic and depth > 0:
            end, _ = repetition(g, stack, stack.words, depth - 1, stack.keys[depth], stack.states,
                                stack.words, depth)
            return end != ONGOING
        return False

    def look(g, o, stack, table, path):
        frames = stack.frames
        for depth in range(len(path) + 1):
            before = word(0)
            if depth > 0:
                play(g, stack.states[depth - 1], path[depth - 1], stack.states[depth])
                before = frames[depth - 1].path_hash
            hash, check, key = address(g, stack, stack.words, depth, stack.states[depth], depth)
            stack.keys[depth] = key
            frames[depth].hash, frames[depth].check = hash, check
            frames[depth].path_hash = mix(before ^ check)
            frames[depth].mover = mover(g, stack.states[depth])
            frames[depth].first = 0
        if over(g, stack, len(path)):
            return 0
        return expand(g, o, stack, table, len(path))

    def peek(g, o, stack, table, path):
        return look(bare(g), o, bare(stack), bare(table), bare(path))

    return peek


def weigh_of(plan: Plan) -> Function:
    """``weigh(o, children, first, count, attacker_moves) -> (status, pn, dn, best)`` of a node."""
    backup, (top_pn, top_dn) = plan.backup, plan.top

    def weigh(o, children, first, count, attacker_moves):
        status, _, _ = verdict(children, first, count, attacker_moves)
        if status != UNKNOWN:
            return status, top_pn, top_dn, -1
        found = backup(o, children, first, count, attacker_moves)
        return status, found.pn, found.dn, found.best

    return weigh


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
