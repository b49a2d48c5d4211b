"""The depth-first loop: df-pn with an explicit stack. It knows neither game nor search.

The node at the end of the path chooses a child and searches it with thresholds of its own; when the
child's numbers leave these, or it is solved, the result goes to the table and to the parent's copy.
A node keeps its children's numbers for the whole visit: whatever the table loses meanwhile, the
least of them rises from visit to visit, so the loop ends however small the table is.

Proof status starts at finished games (see ``rules``) and follows the AND/OR rules; no number can
set it. In a cyclic game a status may lean on a repetition, that is on a node further up the path.
If that node is above the one solved, the status holds on this path only and is stored for this
path only (graph-history interaction); if it is the node itself or below, the status is final.
Where a game has a rule of its own for repetitions, on another path a move may run into one and win
or lose by it: there only what follows from finished games in one move is final.

Between visits the whole state is in the arrays: the loop can stop there and go on later.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.core.rules import Rules
from zermelo.kernel.bits import bare, mix, word
from zermelo.search.common.status import LOST, UNKNOWN, WON
from zermelo.search.depth_first.family import CROWDED, address_of, family_of
from zermelo.search.depth_first.plan import FREE, Plan
from zermelo.search.depth_first.table import (
    address_exact,
    address_hashed,
    bucket_of,
    keep_narrow,
    keep_wide,
    log_work,
    look_narrow,
    look_wide,
)
from zermelo.search.reasons import DEEPER, GO, GROW, NODES, SLICE, SOLVED, TOO_MANY

Function = Callable[..., Any]
MOST_TRIES = 40
BEGIN = -1  # the depth before the root has been entered


def verdict(kids, first, count, attacker_moves):
    """(status, lean, length) of a node from its children."""
    decisive = WON if attacker_moves else LOST
    status, lean, length = WON + LOST - decisive, FREE, 0
    shortest, freest = 1 << 30, -1
    for k in range(first, first + count):
        if kids[k].status == decisive:
            status = decisive
            if kids[k].lean > freest or (kids[k].lean == freest and kids[k].length < shortest):
                freest, shortest = kids[k].lean, kids[k].length
        elif kids[k].status == UNKNOWN:
            if status != decisive:
                status = UNKNOWN
        else:
            lean = min(lean, kids[k].lean)
            length = max(length, kids[k].length)
    if status == decisive:
        return status, freest, shortest + 1
    return status, lean, length + 1


def run_of(rules: Rules, plan: Plan, plain: bool) -> Function:
    """``run(g, o, stack, table, budget) -> reason``: at most ``budget`` further visits.

    At ``control.depth`` BEGIN the search of ``stack.states[0]`` begins.
    """
    play, mover, cyclic, exact = rules.play, rules.mover, rules.cyclic, rules.exact_key
    key_of, anywhere = rules.key, 0 if rules.repeat is not None else FREE
    combine, bounds, outside, virtual = plan.combine, plan.bounds, plan.outside, plan.virtual
    look = look_wide if plan.wide else look_narrow
    keep = keep_wide if plan.wide else keep_narrow
    address, family = address_of(rules, plan), family_of(rules, plan, plain)
    (top_1, top_2), stubborn = plan.top, plan.stubborn or cyclic  # round a cycle numbers only climb

    def enter(g, o, stack, table, depth):
        """Make the frame of the state at ``depth``; its thresholds and address are set."""
        frames, control = stack.frames, stack.control[0]
        frames[depth].mover = mover(g, stack.states[depth])
        frames[depth].entered = control.visits
        frames[depth].chosen = -1
        before = depth - 1
        frames[depth].first = frames[before].first + frames[before].count if depth > 0 else 0
        n = family(g, o, stack, table, depth)
        if n >= 0:
            frames[depth].count = n
            control.depth = depth
            control.visits += 1
            control.deepest = max(control.deepest, depth)
        return n

    def prepare_root(g, stack):
        """Address and thresholds of the root."""
        frames = stack.frames
        hash, check, key = address(g, stack, stack.words, 0, stack.states[0], 0)
        frames[0].hash, frames[0].check = hash, check
        frames[0].trail, stack.keys[0] = mix(check), key
        frames[0].t1, frames[0].t2 = top_1, top_2

    def least(kid, control):
        """How many visits child ``kid`` makes before it may be left."""
        if not stubborn or (kid.known == 0 and kid.tries == 0):
            return 1
        if control.evicted + control.lost == 0:
            return 2
        return 1 << (kid.tries + 1)

    def prepare(g, stack, k, t1, t2):
        """State, address and thresholds of child ``k`` of the current node."""
        frames, kids, control = stack.frames, stack.kids, stack.control[0]
        depth = control.depth
        play(g, stack.states[depth], kids[k].move, stack.states[depth + 1])
        child = depth + 1
        frames[child].hash, frames[child].check = kids[k].hash, kids[k].check
        frames[child].t1, frames[child].t2 = t1, t2
        frames[child].least = least(kids[k], control)
        if cyclic:
            frames[child].trail = mix(frames[depth].trail ^ kids[k].check)
            stack.keys[child] = word(key_of(g, stack.states[child]))

    def book(stack, table, depth, k):
        """The node at ``depth`` has been entered, as child ``k`` of the one above."""
        frames, kids, control = stack.frames, stack.kids, stack.control[0]
        if depth == 0:
            control.expansions += 1
            return
        frames[depth - 1].chosen = k
        if kids[k].known == 0:
            control.expansions += 1
            kids[k].known = 1
        kids[k].tries = min(kids[k].tries + 1, MOST_TRIES)
        if control.threads > 1:
            attacker_moves = frames[depth - 1].mover == control.attacker
            a, b = virtual(kids[k], frames[depth].t1, frames[depth].t2, attacker_moves)
            keep(table, bucket_of(len(table), kids[k].hash), kids[k].check, UNKNOWN, a, b, 1,
                 control.generation)

    def refreshed(stack, table, k, attacker_moves):
        """Learn what the table has got to know about child ``k`` meanwhile; True if anything.

        Only a status, or a larger number of those that are compared: what falls back could go
        round in circles where the table forgets.
        """
        kids, control = stack.kids, stack.control[0]
        at = bucket_of(len(table), kids[k].hash)
        found, status, a, b = look(table, at, kids[k].check, control.generation, stack.readings)
        if not found:
            return False
        kids[k].known = 1
        if status != UNKNOWN:
            kids[k].status, kids[k].length, kids[k].lean = status, np.int64(a), anywhere
            return True
        if (a > kids[k].a) if attacker_moves else (b > kids[k].b):
            kids[k].a, kids[k].b = a, b
            return True
        return False

    def leave(stack, table, depth, status, lean, length, a, b):
        """Store what the visit found, tell the parent, and go back to it."""
        frames, kids, control = stack.frames, stack.kids, stack.control[0]
        work = log_work(control.visits - frames[depth].entered)
        hash, check = frames[depth].hash, frames[depth].check
        if lean >= depth and anywhere == FREE:
            lean = FREE
        if status != UNKNOWN:
            a, b = (length, 0) if lean == FREE else (lean, 0)
            if lean != FREE:
                trail = frames[depth].trail
                hash, check = address_exact(trail) if exact else address_hashed(trail, trail)
        if keep(table, bucket_of(len(table), hash), check, status, a, b, work,
                control.generation):
            control.evicted += 1
        if depth > 0:
            k = frames[depth - 1].chosen
            kids[k].status, kids[k].length = status, length
            kids[k].lean = min(lean, anywhere)
            kids[k].a, kids[k].b = a, b
        control.depth = depth - 1 if depth > 0 else 0

    def may_leave(o, frame, visits, a, b):
        if stubborn and visits - frame.entered < frame.least:
            return False
        return outside(o, frame, a, b)

    def pause(stack, end):
        """Why to come back now, before the next visit; GO if there is no reason to."""
        control = stack.control[0]
        if control.visits >= control.limit:
            return NODES
        if control.evicted >= control.patience:
            return GROW
        if control.visits >= end or control.expansions >= control.pause or stack.stop[0] != 0:
            return SLICE
        return DEEPER if control.depth + 3 > len(stack.frames) else GO

    def loop(g, o, stack, table, budget):
        frames, kids, control = stack.frames, stack.kids, stack.control[0]
        end, k = control.visits + budget, 0
        entering = control.depth == BEGIN
        if entering:
            if control.visits >= control.limit or budget <= 0:
                return NODES if control.visits >= control.limit else SLICE
            prepare_root(g, stack)
        while True:
            if entering:
                depth = control.depth + 1
                n = enter(g, o, stack, table, depth)
                if n < 0:
                    return DEEPER if n == CROWDED else TOO_MANY
                book(stack, table, depth, k)
                entering = False
            depth = control.depth
            first, count = frames[depth].first, frames[depth].count
            attacker_moves = frames[depth].mover == control.attacker
            status, lean, length = verdict(kids, first, count, attacker_moves)
            leaving = status != UNKNOWN
            a, b, x, y, z = top_1, top_2, top_1, top_2, 0
            if not leaving:
                a, b, k, x, y, z = combine(o, kids, first, count, attacker_moves)
                if depth == 0:
                    stack.root[0], stack.root[1] = a, b
                else:
                    leaving = may_leave(o, frames[depth], control.visits, a, b)
            if leaving:
                leave(stack, table, depth, status, lean, length, a, b)
                if depth == 0:
                    control.status = status
                    return SOLVED
                continue
            if refreshed(stack, table, k, attacker_moves):
                continue
            reason = pause(stack, end)
            if reason != GO:
                return reason
            t1, t2 = bounds(o, frames[depth], kids[k], a, b, x, y, z, attacker_moves)
            prepare(g, stack, k, t1, t2)
            entering = True

    def run(g, o, stack, table, budget):
        return loop(bare(g), o, bare(stack), bare(table), budget)

    return run
