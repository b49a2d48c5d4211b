"""Expanding a node where proofs have zones: as ``expand`` does, and what is seen without a search.

A child may be solved by the rules, by the table, by a pattern or by what the game sees (see
``zones``); moves that can't help are no children at all. Nothing else that a game knows is asked:
it would settle positions without a zone.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.core.rules import FIRST_WINS, SECOND_WINS, Rules
from zermelo.kernel.bits import ZERO, popcount, prefetch
from zermelo.search.common.repetition import PATH_FREE
from zermelo.search.common.rules import ending_of
from zermelo.search.common.status import LOST, UNKNOWN, WON
from zermelo.search.common.table import bucket_of
from zermelo.search.depth_first.address import address_of
from zermelo.search.depth_first.plan import Plan
from zermelo.search.depth_first.table import look_zoned, zone_at
from zermelo.search.depth_first.zones import EVERYTHING, empty_in_of, seen_of

Function = Callable[..., Any]
OVERFULL, CROWDED = -1, -2


def zone_expand_of(rules: Rules, plan: Plan, whole: bool = False) -> Function:
    """``expand(g, o, stack, table, depth) -> count``, as in ``expand``."""
    play, mover, outcome, most_moves = rules.play, rules.mover, rules.outcome, rules.max_moves
    dependence = rules.dependence
    assert dependence is not None
    square, ending_zone = dependence.move, dependence.ending
    moves = dependence.moves or rules.moves
    ending, address, seen = ending_of(rules), address_of(rules, plan), seen_of(rules)
    leaf, counts_moves, empty_in = plan.leaf, plan.counts_moves, empty_in_of(rules)

    def solve(stack, k, status, zone, length):
        child = stack.children[k]
        child.status, child.zone, child.length = status, zone, length

    def by_rules(g, stack, k, t):
        """The status and the zone of child ``k``, if its game is over or decided."""
        status, zone = ending(g, stack.control[0], t), EVERYTHING
        if status != UNKNOWN:
            end = outcome(g, t)
            if end in (FIRST_WINS, SECOND_WINS):
                zone = ending_zone(g, t)
            solve(stack, k, status, zone, 0)

    def by_table(g, stack, table, k):
        child = stack.children[k]
        at = bucket_of(len(table), child.hash)
        found, status, pn, dn = look_zoned(table, at, child.check, stack.control[0].generation,
                                           stack.readings)
        if found:
            child.known, child.status, child.pn, child.dn = 1, status, pn, dn
            if status != UNKNOWN:
                zone = zone_at(table, at, child.check)
                solve(stack, k, status, zone if zone != ZERO else EVERYTHING, np.int64(pn))

    def by_sight(g, o, stack, k, t, depth):
        """What is seen of child ``k``, or its first numbers."""
        attacker_moves = mover(g, t) == stack.control[0].attacker
        verdict, zone, must = seen(g, stack, t)
        if verdict != 0:
            solve(stack, k, WON if (verdict > 0) == attacker_moves else LOST, zone,
                  empty_in(g, t, zone))
        elif counts_moves:
            delta = max(popcount(must), 1)
            pn, dn = (1, delta) if attacker_moves else (delta, 1)
            stack.children[k].pn, stack.children[k].dn = pn, dn
        else:
            pn, dn = leaf(g, o, stack, t, attacker_moves, depth + 1)
            stack.children[k].pn, stack.children[k].dn = pn, dn

    def alone(stack, first, k):
        """Child ``k`` decides: it becomes the only one."""
        if k != first:
            stack.children[first] = stack.children[k]
        return 1

    def lost(g, stack, s, first, frame, refuted, zone):
        """The mover loses whatever it plays: one move is enough to know it."""
        move = stack.moves[0]
        stack.children[first].move, stack.children[first].anchor = move, PATH_FREE
        stack.children[first].known, stack.children[first].tries = 0, 0
        frame.zone = zone
        solve(stack, first, refuted, zone & ~square(g, move), empty_in(g, s, zone))
        return 1

    def worth_trying(g, stack, n, must):
        """Keep the moves on ``must``."""
        count = 0
        for i in range(n):
            if square(g, stack.moves[i]) & must != ZERO:
                stack.moves[count] = stack.moves[i]
                count += 1
        return count

    def expand(g, o, stack, table, depth):
        children, control, s = stack.children, stack.control[0], stack.states[depth]
        frame = stack.frames[depth]
        first = frame.first
        if first + most_moves > len(children):
            return CROWDED
        n = moves(g, s, stack.moves)
        if n > most_moves:
            return OVERFULL
        frame.zone = ZERO
        decisive = WON if frame.mover == control.attacker else LOST
        verdict, zone, must = seen(g, stack, s)
        if verdict < 0 and n > 0:
            return lost(g, stack, s, first, frame, WON + LOST - decisive, zone)
        if verdict == 0:
            frame.zone = zone
            n = worth_trying(g, stack, n, must)
        for i in range(n):
            k = first + i
            play(g, s, stack.moves[i], stack.child_states[i])
            children[k].move, children[k].status = stack.moves[i], UNKNOWN
            children[k].anchor, children[k].zone = PATH_FREE, ZERO
            children[k].length, children[k].known, children[k].tries = 0, 0, 0
            by_rules(g, stack, k, stack.child_states[i])
            if children[k].status == decisive and not whole:
                return alone(stack, first, k)
            if children[k].status == UNKNOWN:
                hash, check, _ = address(
                    g, stack, stack.child_words, i, stack.child_states[i], depth + 1)
                children[k].hash, children[k].check = hash, check
                prefetch(table, bucket_of(len(table), hash))
        for i in range(n):
            k = first + i
            if children[k].status == UNKNOWN:
                by_table(g, stack, table, k)
                if children[k].status == UNKNOWN and children[k].known == 0:
                    by_sight(g, o, stack, k, stack.child_states[i], depth)
                if children[k].status == decisive and not whole:
                    return alone(stack, first, k)
        return n

    return expand
