"""Zones: the squares that a proof depends on, and what may be left out because of them.

A zone belongs to a solved node and its winner: the strategy that was found puts stones on squares
of the zone only, or needs the winner's stones that are there. ``zones-of-proofs.md`` has the
argument for what follows from it:

- at a node whose mover loses, a move outside the zone of another one that was refuted is refuted by
  the same strategy (``sweep``), unless its stone may serve a win of its own (``rival``);
- a node's zone is that of the winner's move and its square, or that of some refuted moves together,
  if each move is outside the zone of one of them (``zone_of``);
- where players can't both win (no ``rival``), a zone holds in every position in which the winner
  has the same stones in it and the other side none: it is kept as a *pattern*, by whether the
  winner has to move first. If the other side's pattern with its own move first holds now, the
  mover must play in its zone.

Where a game has a ``rival``, not to win has no zone: it depends on every line of the board.

A node is expanded as ``expand`` does, but a child may be solved by the rules, by the table, by a
pattern or by what the game foresees, and moves that can't help are no children. Nothing else that a
game knows is used: it would settle positions without a zone.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from zermelo.core.rules import FIRST_WINS, ONGOING, SECOND_WINS, Function, Rules
from zermelo.kernel.bits import ONE, ZERO, popcount, prefetch, word
from zermelo.search.common.rules import PATH_FREE, ending_of
from zermelo.search.common.table import bucket_of
from zermelo.search.depth_first.plan import Plan
from zermelo.search.depth_first.table import address_of, look_zoned, zone_at
from zermelo.search.reasons import LOST, UNKNOWN, WON

OVERFULL, CROWDED = -1, -2
EVERYTHING = ~ZERO
WAITS, BEGINS = 0, 1  # kinds of patterns: the other side moves first, or the winner does
STONES, ZONE = 0, 1  # of a pattern: the winner's stones in the zone, and the zone
SIZE_WEIGHT = 4  # one move more that needs no answer is worth so many squares


def alone(stack, first, k):
    """Make child ``k``, which decides the node, its only child; the number of children, 1."""
    if k != first:
        stack.children[first] = stack.children[k]
    return 1


def zone_expand_of(rules: Rules, plan: Plan, whole: bool = False) -> Function:
    """Return ``expand(g, o, stack, table, depth) -> count`` for games with zones."""
    play, mover, outcome, most_moves = rules.play, rules.mover, rules.outcome, rules.max_moves
    dependence = rules.dependence
    assert dependence is not None
    square, ending_zone = dependence.move, dependence.ending
    moves = dependence.moves or rules.moves
    ending, address, judge = ending_of(rules), address_of(rules, plan), judge_of(rules)
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

    def by_judgement(g, o, stack, k, t, depth):
        """Solve child ``k`` by patterns and sight, or give it its first numbers."""
        attacker_moves = mover(g, t) == stack.control[0].attacker
        verdict, zone, helpful = judge(g, stack, t)
        if verdict != 0:
            solve(stack, k, WON if (verdict > 0) == attacker_moves else LOST, zone,
                  empty_in(g, t, zone))
        elif counts_moves:
            delta = max(popcount(helpful), 1)
            pn, dn = (1, delta) if attacker_moves else (delta, 1)
            stack.children[k].pn, stack.children[k].dn = pn, dn
        else:
            pn, dn = leaf(g, o, stack, t, attacker_moves, depth + 1)
            stack.children[k].pn, stack.children[k].dn = pn, dn

    def lost(g, stack, s, first, frame, refuted, zone):
        """The mover loses whatever it plays: one move is enough to know it."""
        move = stack.moves[0]
        stack.children[first].move, stack.children[first].anchor = move, PATH_FREE
        stack.children[first].known, stack.children[first].tries = 0, 0
        frame.zone = zone
        solve(stack, first, refuted, zone & ~square(g, move), empty_in(g, s, zone))
        return 1

    def worth_trying(g, stack, n, helpful):
        """Keep the moves on ``helpful``."""
        count = 0
        for i in range(n):
            if square(g, stack.moves[i]) & helpful != ZERO:
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
        verdict, zone, helpful = judge(g, stack, s)
        if verdict < 0 and n > 0:
            return lost(g, stack, s, first, frame, WON + LOST - decisive, zone)
        if verdict == 0:
            frame.zone = zone
            n = worth_trying(g, stack, n, helpful)
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
                    by_judgement(g, o, stack, k, stack.child_states[i], depth)
                if children[k].status == decisive and not whole:
                    return alone(stack, first, k)
        return n

    return expand


class Zoning(NamedTuple):
    """The functions that the driver calls, for one game."""

    judge: Function
    sweep: Function
    zone: Function
    learn: Function
    empty_in: Function


def zone_rule(rules: Rules) -> bool:
    """Return True if both players' wins have zones, else only those of the attacker have."""
    return rules.dependence is not None and rules.dependence.rival is None


def judge_of(rules: Rules) -> Function:
    """Return ``judge(g, stack, s) -> (verdict, zone, helpful)``, by patterns and ``sight``.

    The verdict is 1 if the mover wins, with this zone; -1 if the other side does; 0 if neither is
    known. Then only moves on the squares ``helpful`` can help, and ``zone`` is what that depends
    on. Where one square is left it is played, and the next position judged.
    """
    play, outcome, dependence = rules.play, rules.outcome, rules.dependence
    assert dependence is not None
    judge_one = judge_one_of(rules)
    moves, square = dependence.moves or rules.moves, dependence.move

    def follow(g, stack, level, helpful):
        """Play the only move that helps."""
        n = moves(g, stack.quick_states[level], stack.quick_moves[0])
        for i in range(n):
            if square(g, stack.quick_moves[0, i]) == helpful:
                play(g, stack.quick_states[level], stack.quick_moves[0, i],
                     stack.quick_states[level + 1])

    def judge(g, stack, s):
        first = judge_one(g, stack, s)
        verdict, zone, helpful = first
        level, last = 0, len(stack.forced) - 1
        while verdict == 0 and helpful & (helpful - ONE) == ZERO and level < last:
            if level == 0:
                stack.quick_states[0] = s
            stack.forced[level, ZONE], stack.forced[level, STONES] = zone, helpful
            follow(g, stack, level, helpful)
            level += 1
            if outcome(g, stack.quick_states[level]) != ONGOING:
                return first
            verdict, zone, helpful = judge_one(g, stack, stack.quick_states[level])
        if verdict == 0:
            return first
        while level > 0:
            level -= 1
            zone |= stack.forced[level, ZONE] if verdict > 0 else stack.forced[level, STONES]
            verdict = -verdict
        return verdict, zone, helpful

    return judge


def judge_one_of(rules: Rules) -> Function:
    """Return ``judge_one(g, stack, s)``, which judges a position without playing on."""
    dependence, mover = rules.dependence, rules.mover
    assert dependence is not None
    stones, two_sided = dependence.stones, dependence.rival is None
    full = word((1 << dependence.squares) - 1)
    has_sight = dependence.sight is not None
    sight = dependence.sight if has_sight else rules.outcome

    def matched(stack, kind, winner, own, other):
        """The zone of a pattern of ``winner`` that holds, or 0."""
        known = stack.patterns[kind, winner]
        for i in range(min(stack.learned[kind, winner], len(known))):
            if known[i, STONES] & ~own == ZERO and known[i, ZONE] & other == ZERO:
                return known[i, ZONE]
        return ZERO

    def after_threats(stack, n, helpful):
        """(helpful, zone) after the first ``n`` threats: those first that leave the least."""
        zone = ZERO
        while helpful != ZERO:
            best, least = -1, popcount(helpful)
            for i in range(n):
                left = popcount(helpful & stack.threats[i])
                if left < least:
                    best, least = i, left
            if best < 0:
                break
            helpful &= stack.threats[best]
            zone |= stack.threats[best]
        return helpful, zone

    def after_patterns(stack, side, own, other, helpful, zone):
        """(helpful, zone) after patterns with which the other side would win if it moved."""
        known = stack.patterns[BEGINS, 1 - side]
        for i in range(min(stack.learned[BEGINS, 1 - side], len(known))):
            if (helpful & ~known[i, ZONE] != ZERO and known[i, STONES] & ~other == ZERO
                    and known[i, ZONE] & own == ZERO):
                helpful &= known[i, ZONE]
                zone |= known[i, ZONE]
        return helpful, zone

    def judge_one(g, stack, s):
        side = mover(g, s)
        own, other = stones(g, s, side), stones(g, s, 1 - side)
        helpful, zone = full & ~(own | other), ZERO
        if two_sided:
            found = matched(stack, WAITS, 1 - side, other, own)
            if found != ZERO:
                return -1, found, ZERO
            found = matched(stack, BEGINS, side, own, other)
            if found != ZERO:
                return 1, found, ZERO
        if has_sight:
            verdict, found, n = sight(g, s, stack.threats)
            if verdict != 0:
                return verdict, found, ZERO
            helpful, zone = after_threats(stack, n, helpful)
        if two_sided:
            helpful, zone = after_patterns(stack, side, own, other, helpful, zone)
        return (-1 if helpful == ZERO else 0), zone, helpful

    return judge_one


def empty_in_of(rules: Rules) -> Function:
    """Return ``empty_in(g, s, zone)``: the number of empty squares in a zone, which is the most
    plies that a win by it takes."""
    dependence = rules.dependence
    assert dependence is not None
    stones = dependence.stones

    def empty_in(g, s, zone):
        return popcount(zone & ~(stones(g, s, 0) | stones(g, s, 1)))

    return empty_in


def sweep_of(rules: Rules) -> Function:
    """Return ``sweep(g, stack, depth)``, which refutes the moves that another one's refutation
    refutes too."""
    dependence = rules.dependence
    assert dependence is not None
    square, two_sided = dependence.move, dependence.rival is None
    rival = rules.outcome if dependence.rival is None else dependence.rival

    def in_the_way(g, stack, depth, j):
        """The squares where a move may spoil what refutes child ``j``."""
        zone = stack.children[j].zone
        if two_sided:
            return zone
        side, plies = stack.frames[depth].mover, np.int64(stack.children[j].length) + 1
        return zone | rival(g, stack.states[depth], side, plies)

    def sweep(g, stack, depth):
        children, frame = stack.children, stack.frames[depth]
        attacker_moves = frame.mover == stack.control[0].attacker
        if attacker_moves and not two_sided:
            return
        refuted = LOST if attacker_moves else WON
        end = frame.first + frame.count
        for j in range(frame.first, end):
            if children[j].status != refuted or children[j].zone == EVERYTHING:
                continue
            zone = in_the_way(g, stack, depth, j)
            for k in range(frame.first, end):
                if children[k].status == UNKNOWN and square(g, children[k].move) & zone == ZERO:
                    children[k].status, children[k].anchor = refuted, PATH_FREE
                    children[k].length, children[k].zone = children[j].length, children[j].zone

    return sweep


def zone_of(rules: Rules) -> Function:
    """Return ``zone(g, stack, depth, status)`` of the solved node at ``depth``; EVERYTHING where
    there is none."""
    dependence, two_sided = rules.dependence, zone_rule(rules)
    assert dependence is not None
    square = dependence.move

    def of_winner(g, stack, depth, status):
        """The smallest; where lengths matter, that of the shortest win, which is the node's."""
        children, frame = stack.children, stack.frames[depth]
        best, least = EVERYTHING, 1 << 40
        for k in range(frame.first, frame.first + frame.count):
            if children[k].status == status:
                zone = children[k].zone | square(g, children[k].move)
                rank = popcount(zone) + (0 if two_sided else np.int64(children[k].length) << 8)
                if rank < least:
                    best, least = zone, rank
        return best

    def of_all(stack, frame):
        zone = frame.zone
        for k in range(frame.first, frame.first + frame.count):
            zone |= stack.children[k].zone
        return zone

    def of_few(g, stack, frame):
        """Refutations that leave no move without one, few and small."""
        children, zone, open_moves = stack.children, frame.zone, ZERO
        for k in range(frame.first, frame.first + frame.count):
            open_moves |= square(g, children[k].move)
        while open_moves != ZERO:
            best, most = -1, 0
            for k in range(frame.first, frame.first + frame.count):
                answered = popcount(open_moves & ~children[k].zone)
                worth = SIZE_WEIGHT * answered - popcount(children[k].zone & ~zone)
                if answered > 0 and (best < 0 or worth > most):
                    best, most = k, worth
            if best < 0:
                return EVERYTHING
            zone |= children[best].zone
            open_moves &= children[best].zone
        return zone

    def zone(g, stack, depth, status):
        frame = stack.frames[depth]
        if status == LOST and not two_sided:
            return EVERYTHING
        if (status == WON) == (frame.mover == stack.control[0].attacker):
            return of_winner(g, stack, depth, status)
        return of_few(g, stack, frame) if two_sided else of_all(stack, frame)

    return zone


def learn_of(rules: Rules) -> Function:
    """Return ``learn(g, stack, depth, status, zone)``: keep the zone of a solved node."""
    dependence, two_sided = rules.dependence, zone_rule(rules)
    assert dependence is not None
    stones = dependence.stones

    def learn(g, stack, depth, status, zone):
        if not two_sided or zone == EVERYTHING:
            return
        attacker, s = stack.control[0].attacker, stack.states[depth]
        winner = attacker if status == WON else 1 - attacker
        kind = BEGINS if stack.frames[depth].mover == winner else WAITS
        at = stack.learned[kind, winner] % stack.patterns.shape[2]
        stack.patterns[kind, winner, at, STONES] = stones(g, s, winner) & zone
        stack.patterns[kind, winner, at, ZONE] = zone
        stack.learned[kind, winner] += 1

    return learn


def zoning_of(rules: Rules, plan: Plan) -> Zoning:
    """Return the functions for a game; where the plan has no zones, they are never called."""
    if not plan.zones:
        return Zoning(*[rules.outcome] * 5)
    return Zoning(judge_of(rules), sweep_of(rules), zone_of(rules), learn_of(rules),
                  empty_in_of(rules))
