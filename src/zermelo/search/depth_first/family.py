"""Making the children of a node, with what the rules, the table and the search say about them."""

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.core.rules import FIRST_WINS, ONGOING, Rules
from zermelo.kernel.bits import ZERO, mix, prefetch, word
from zermelo.search.common.status import LOST, UNKNOWN, WON
from zermelo.search.depth_first.plan import FREE, Plan
from zermelo.search.depth_first.rules import ending_of, legal_of, quick_of, repetition_of
from zermelo.search.depth_first.table import (
    address_exact,
    address_hashed,
    bucket_of,
    look_narrow,
    look_wide,
    state_hash,
)
from zermelo.search.reasons import NEVER

Function = Callable[..., Any]
OVERFULL, CROWDED = -1, -2
DEPTH_SALT, LEFT_SALT = word(0xD1B54A32D192ED03), word(0x8CB92BA72F3D8DD7)


def as_it_is(g, s, t):
    """``canonical`` of a game that has none; never called."""
    return 0


def address_of(rules: Rules, plan: Plan) -> Function:
    """``address(g, stack, words, at, s, depth) -> (hash, check, key)`` of a state for the table.

    ``s`` is state number ``at`` of ``words``.
    """
    key_of, exact, by_depth = rules.key, rules.exact_key, plan.by_depth
    fold = plan.fold if rules.canonical is not None else -1
    canonical = rules.canonical or as_it_is

    def address(g, stack, words, at, s, depth):
        control = stack.control[0]
        depth += control.origin
        key = first = word(key_of(g, s))
        width = len(stack.folded_words)
        second = ZERO
        if depth <= fold:
            canonical(g, s, stack.folded[0])
            first = word(key_of(g, stack.folded[0]))
            if not exact:
                second = state_hash(stack.folded_words, 0, width)
        elif not exact:
            second = state_hash(words, at * width, width)
        if by_depth:
            first ^= mix(DEPTH_SALT ^ word(depth))
        if control.horizon != NEVER:  # both hashes: few bits of the first are kept
            salt = mix(LEFT_SALT ^ word(control.horizon - depth))
            first, second = first ^ salt, second ^ salt
        if exact:
            hash, check = address_exact(first)
        else:
            hash, check = address_hashed(first, second)
        return hash, check, key

    return address


def family_of(rules: Rules, plan: Plan, plain: bool) -> Function:
    """``family(g, o, stack, table, depth) -> count``: the children of the node at ``depth``.

    A child that decides the node is left alone: the node then has no other. OVERFULL: more moves
    than the game said; CROWDED: no room left in ``stack.kids``.
    """
    play, mover, cyclic, most_moves = rules.play, rules.mover, rules.cyclic, rules.max_moves
    key_of, exact, moves = rules.key, rules.exact_key, rules.moves
    anywhere = 0 if rules.repeat is not None else FREE
    legal, ending = legal_of(rules, plain), ending_of(rules, plain)
    repetition, address, leaf = repetition_of(rules), address_of(rules, plan), plan.leaf
    look = look_wide if plan.wide else look_narrow
    hurried = plan.quick > 0 and rules.remaining is not None and not cyclic and not plain
    remaining = rules.remaining if hurried else rules.outcome
    quick, quick_plies = quick_of(rules, plain), plan.quick

    def end_or_repeat(g, stack, depth, i):
        """(status, lean) of child ``i`` by the rules."""
        control = stack.control[0]
        status = ending(g, control, stack.nursery[i])
        if status == UNKNOWN and cyclic:
            key = word(key_of(g, stack.nursery[i]))
            end, at = repetition(g, stack, depth, i, key)
            if end != ONGOING:
                return (WON if end == FIRST_WINS + control.attacker else LOST), at
        if status == UNKNOWN and control.horizon <= control.origin + depth + 1:
            if moves(g, stack.nursery[i], stack.scratch.moves) > 0:
                return LOST, FREE
            return (LOST if mover(g, stack.nursery[i]) == control.attacker else WON), FREE
        return status, FREE

    def alone(stack, first, k):
        """Child ``k`` decides: it becomes the only one."""
        if k != first:
            stack.kids[first] = stack.kids[k]
        return 1

    def consult(stack, table, depth, k):
        """What the table says about child ``k``; in a cyclic game also about this path to it."""
        kids, control = stack.kids, stack.control[0]
        at = bucket_of(len(table), kids[k].hash)
        found, status, a, b = look(table, at, kids[k].check, control.generation, stack.readings)
        if found:
            kids[k].known = 1
            kids[k].status = status
            kids[k].a, kids[k].b = a, b
            if status != UNKNOWN:
                kids[k].length = np.int64(a)
                kids[k].lean = anywhere
        if cyclic and kids[k].status == UNKNOWN:
            trail = mix(stack.frames[depth].trail ^ kids[k].check)
            hash, check = address_exact(trail) if exact else address_hashed(trail, trail)
            at = bucket_of(len(table), hash)
            found, status, a, b = look(table, at, check, control.generation, stack.readings)
            if found and status != UNKNOWN:
                kids[k].status = status
                kids[k].lean = np.int64(a)

    def guess(g, o, stack, depth, k, i):
        """The status of child ``k`` by a quick search, or its first numbers."""
        kids, control, s = stack.kids, stack.control[0], stack.nursery[i]
        if hurried and control.horizon == NEVER and remaining(g, s) <= quick_plies:
            kids[k].status = quick(g, stack, s)
            if kids[k].status != UNKNOWN:
                return
        attacker_moves = mover(g, s) == control.attacker
        kids[k].a, kids[k].b = leaf(g, o, stack, s, attacker_moves, depth + 1)

    def family(g, o, stack, table, depth):
        kids, control, s = stack.kids, stack.control[0], stack.states[depth]
        first = stack.frames[depth].first
        if first + most_moves > len(kids):
            return CROWDED
        n = legal(g, control, s, stack.moves)
        if n > most_moves:
            return OVERFULL
        decisive = WON if stack.frames[depth].mover == control.attacker else LOST
        for i in range(n):
            k = first + i
            play(g, s, stack.moves[i], stack.nursery[i])
            status, lean = end_or_repeat(g, stack, depth, i)
            kids[k].move, kids[k].status, kids[k].lean = stack.moves[i], status, lean
            kids[k].length, kids[k].known, kids[k].tries = 0, 0, 0
            if status == decisive and lean == FREE:
                return alone(stack, first, k)
            if status == UNKNOWN:
                hash, check, _ = address(
                    g, stack, stack.nursery_words, i, stack.nursery[i], depth + 1)
                kids[k].hash, kids[k].check = hash, check
                prefetch(table, bucket_of(len(table), hash))
        for i in range(n):
            k = first + i
            if kids[k].status == UNKNOWN:
                consult(stack, table, depth, k)
                if kids[k].status == decisive and kids[k].lean == FREE:
                    return alone(stack, first, k)
        for i in range(n):
            k = first + i
            if kids[k].status == UNKNOWN and kids[k].known == 0:
                guess(g, o, stack, depth, k, i)
                if kids[k].status == decisive:
                    return alone(stack, first, k)
        return n

    return family
