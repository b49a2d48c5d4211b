"""Expanding a position beside the search, only to see what is known about its children."""

from collections.abc import Callable
from typing import Any

from zermelo.core.rules import ONGOING, Rules
from zermelo.kernel.bits import bare, mix, word
from zermelo.search.common.repetition import repetition_of
from zermelo.search.common.status import UNKNOWN
from zermelo.search.depth_first.address import address_of
from zermelo.search.depth_first.driver import verdict
from zermelo.search.depth_first.expand import expand_of
from zermelo.search.depth_first.plan import Plan

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
