"""The depth-first loop: df-pn with an explicit stack. It knows neither game nor search.

The node at the end of the path chooses a child and searches it with thresholds of its own; when the
child's numbers leave these, or it is solved, the result goes to the table and to the parent's copy.
A node keeps its children's numbers for the whole visit: whatever the table loses until then, the
least of them rises from visit to visit, so the loop ends however small the table is.

Proof status starts at finished games (see ``expand``) and follows the AND/OR rules; no number can
set it. In a cyclic game a status may rest on a repetition, that is on a node further up the path,
its *anchor*. If the anchor is above the node solved, the status holds on this path only and is
stored for this path only (graph-history interaction); if it is the node itself or below, the status
is final. Where a game has a rule of its own for repetitions, on another path a move may run into
one and win or lose by it: there only what follows from finished games in one move is final.

A position that the table does not know gets the search's first numbers, or, near the end of the
game, is settled by a *quick search*: plain depth-first search to the end. A game may bring one of
its own, ``endgame``. That is asked for positions with some more plies to go: it is made for nothing
else, and much faster.

Between visits the whole state is in the arrays: the loop can stop there and go on later.
"""

from __future__ import annotations

import numpy as np

from zermelo.compiler.jit import outlined
from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, Function, Rules
from zermelo.kernel.bits import ZERO, bare, mix, prefetch, word
from zermelo.search.common.rules import (
    PATH_FREE,
    ahead_of,
    ending_of,
    legal_of,
    playout_wins_of,
    repetition_of,
)
from zermelo.search.common.table import bucket_of
from zermelo.search.depth_first.plan import Plan
from zermelo.search.depth_first.table import (
    KEEPS,
    LOOKS,
    address_of,
    keep_zone,
    log_work,
    path_address_of,
    zone_at,
)
from zermelo.search.depth_first.zones import (
    CROWDED,
    EVERYTHING,
    OVERFULL,
    alone,
    zone_expand_of,
    zoning_of,
)
from zermelo.search.reasons import (
    DEEPER,
    GO,
    GROW,
    LOST,
    NEVER,
    NODES,
    SLICE,
    SOLVED,
    TOO_MANY,
    UNKNOWN,
    WON,
)

ENDED = (1 << DRAW + 1) - (1 << FIRST_WINS)  # the outcomes of games that are over, as bits
MORE_PLIES = 5
NEXT, COUNT, DECISIVE = 0, 1, 2  # columns of `quick_places`


def unit_leaf(g, o, stack, s, attacker_moves, depth):
    """One leaf to prove, one to disprove."""
    return 1, 1


def mobility_leaf_of(rules: Rules) -> Function:
    """One move to find for the side that moves, all of them to answer for the other.

    A game's own ``estimate`` stands in for that, unless plain.
    """
    legal = legal_of(rules)
    knows = rules.estimate is not None
    estimate = rules.estimate if knows else rules.outcome

    def mobility_leaf(g, o, stack, s, attacker_moves, depth):
        if knows and stack.control[0].plain == 0:
            phi, delta = estimate(g, s)
        else:
            phi, delta = 1, max(legal(g, stack.control[0], s, stack.scratch.moves), 1)
        if attacker_moves:
            return phi, delta
        return delta, phi

    return mobility_leaf


def playout_leaf_of(rules: Rules, weight: int) -> Function:
    """1 + (1 - R) weight to prove, 1 + R weight to disprove, R the attacker's share of playouts."""
    playout_wins = playout_wins_of(rules)

    def playout_leaf(g, o, stack, s, attacker_moves, depth):
        wins = playout_wins(g, stack, s, o.playouts)
        return 1 + (o.playouts - wins) * weight // o.playouts, 1 + wins * weight // o.playouts

    return playout_leaf


def expand_of(rules: Rules, plan: Plan, whole: bool = False) -> Function:
    """Return ``expand(g, o, stack, table, depth) -> count``: the children of the node at ``depth``.

    A child that decides the node is left alone: the node then has no other, unless it is to be
    seen ``whole``. OVERFULL: more moves than ``max_moves``; CROWDED: no room left in
    ``stack.children``. The table is read only.
    """
    if plan.zones:
        return zone_expand_of(rules, plan, whole)
    play, mover, cyclic, most_moves = rules.play, rules.mover, rules.cyclic, rules.max_moves
    key_of, moves, path_address = rules.key, rules.moves, path_address_of(rules)
    anywhere = 0 if rules.repeat is not None else PATH_FREE
    legal, ending, ahead = legal_of(rules), ending_of(rules), ahead_of(rules)
    repetition, address, leaf = repetition_of(rules), address_of(rules, plan), plan.leaf
    look, counted = LOOKS[plan.kind], plan.counts_moves
    hurried = plan.quick is not None and rules.remaining is not None and not cyclic
    remaining = rules.remaining if hurried else rules.outcome
    quick = quick_of(rules)
    orderly = hurried and has_endgame(rules)

    def end_or_repeat(g, stack, depth, i):
        """(status, anchor) of child ``i`` by the rules."""
        control = stack.control[0]
        status = ending(g, control, stack.child_states[i])
        if status == UNKNOWN and cyclic:
            key = word(key_of(g, stack.child_states[i]))
            end, at = repetition(g, stack, stack.words, depth, key, stack.child_states,
                                 stack.child_words, i)
            if end != ONGOING:
                return (WON if end == FIRST_WINS + control.attacker else LOST), at
        if status == UNKNOWN and control.horizon <= control.origin + depth + 1:
            if moves(g, stack.child_states[i], stack.scratch.moves) > 0:
                return LOST, PATH_FREE
            return (LOST if mover(g, stack.child_states[i]) == control.attacker else WON), PATH_FREE
        return status, PATH_FREE

    def deciding(attacker, decisive):
        """The outcomes that decide a node, as bits; where points count, they are others."""
        won = 1 << FIRST_WINS + attacker
        return won if decisive == WON else ENDED - won

    def consult(stack, table, depth, k):
        """Read the table about child ``k``; in a cyclic game also about this path to it."""
        children, generation = stack.children, stack.control[0].generation
        at = bucket_of(len(table), children[k].hash)
        found, status, pn, dn = look(table, at, children[k].check, generation, stack.readings)
        if found:
            children[k].known = 1
            children[k].status = status
            children[k].pn, children[k].dn = pn, dn
            if status != UNKNOWN:
                children[k].length = np.int64(pn)
                children[k].anchor = anywhere
        if cyclic and children[k].status == UNKNOWN:
            hash, check = path_address(mix(stack.frames[depth].path_hash ^ children[k].check))
            at = bucket_of(len(table), hash)
            found, status, pn, _ = look(table, at, check, generation, stack.readings)
            if found and status != UNKNOWN:
                children[k].status = status
                children[k].anchor = np.int64(pn)

    def guess(g, o, stack, depth, k, i):
        """The status of child ``k`` by a quick search, or its first numbers."""
        children, control, s = stack.children, stack.control[0], stack.child_states[i]
        if (hurried and not orderly and control.quick > 0 and control.horizon == NEVER
                and remaining(g, s) <= control.quick):
            children[k].status = quick(g, stack, s)
            if children[k].status != UNKNOWN:
                return
        attacker_moves = mover(g, s) == control.attacker
        children[k].pn, children[k].dn = leaf(g, o, stack, s, attacker_moves, depth + 1)

    def settle_by_looks(g, stack, first, n, decisive):
        """Settle children by long quick searches, those first that look best; one that decides the
        node, or -1."""
        children, control = stack.children, stack.control[0]
        while True:
            best = -1
            for k in range(first, first + n):
                if (children[k].status == UNKNOWN and children[k].known == 0
                        and remaining(g, stack.child_states[k - first]) <= control.quick
                        and (best < 0 or (children[k].pn < children[best].pn if decisive == WON
                                          else children[k].dn < children[best].dn))):
                    best = k
            if best < 0:
                return -1
            children[best].status = quick(g, stack, stack.child_states[best - first])
            if children[best].status == decisive:
                return best

    def expand(g, o, stack, table, depth):
        children, control, s = stack.children, stack.control[0], stack.states[depth]
        first = stack.frames[depth].first
        if first + most_moves > len(children):
            return CROWDED
        decisive = WON if stack.frames[depth].mover == control.attacker else LOST
        ahead(g, s, 0 if whole else deciding(control.attacker, decisive), counted)
        n = legal(g, control, s, stack.moves)
        if n > most_moves:
            return OVERFULL
        for i in range(n):
            k = first + i
            play(g, s, stack.moves[i], stack.child_states[i])
            status, anchor = end_or_repeat(g, stack, depth, i)
            children[k].move = stack.moves[i]
            children[k].status, children[k].anchor = status, anchor
            children[k].length, children[k].known, children[k].tries = 0, 0, 0
            if status == decisive and anchor == PATH_FREE and not whole:
                return alone(stack, first, k)
            if status == UNKNOWN:
                hash, check, _ = address(
                    g, stack, stack.child_words, i, stack.child_states[i], depth + 1)
                children[k].hash, children[k].check = hash, check
                prefetch(table, bucket_of(len(table), hash))
        for i in range(n):
            k = first + i
            if children[k].status == UNKNOWN:
                consult(stack, table, depth, k)
                if children[k].status == decisive and children[k].anchor == PATH_FREE and not whole:
                    return alone(stack, first, k)
        for i in range(n):
            k = first + i
            if children[k].status == UNKNOWN and children[k].known == 0:
                guess(g, o, stack, depth, k, i)
                if children[k].status == decisive and not whole:
                    return alone(stack, first, k)
        if orderly and control.quick > 0 and control.horizon == NEVER:
            k = settle_by_looks(g, stack, first, n, UNKNOWN if whole else decisive)
            if k >= 0:
                return alone(stack, first, k)
        return n

    return expand


def quick_plies(rules: Rules, plies: int) -> int:
    """Return the most plies to go for a quick search, where the option is ``plies``."""
    return plies + MORE_PLIES if plies > 0 and has_endgame(rules) else plies


def has_endgame(rules: Rules) -> bool:
    """Return True if the game has a search of its own, which tries all moves."""
    return rules.endgame is not None and rules.candidates is None


def endgame_quick_of(rules: Rules) -> Function:
    """Return ``quick`` by the game's own search."""
    endgame = rules.endgame

    def quick(g, stack, s):
        control = stack.control[0]
        reached, seen = endgame(g, s, control.attacker, control.threshold, stack.space)
        control.settled += seen
        return WON if reached else LOST

    return outlined(quick)


def quick_of(rules: Rules) -> Function:
    """Return ``quick(g, stack, s) -> status``: plain depth-first search to the end of the game.

    Pre-condition: an acyclic game, ``s`` not settled by ``ending``. UNKNOWN if the game turns out
    to last longer than ``stack.quick_states``.
    """
    if has_endgame(rules):
        return endgame_quick_of(rules)
    play, mover = rules.play, rules.mover
    ending, legal = ending_of(rules), legal_of(rules)

    def look_around(g, stack, level):
        """The status of the state at ``level``, or UNKNOWN and its moves."""
        control, s = stack.control[0], stack.quick_states[level]
        control.settled += 1
        status = ending(g, control, s) if level > 0 else UNKNOWN
        if status == UNKNOWN:
            stack.quick_places[level, NEXT] = 0
            stack.quick_places[level, COUNT] = legal(g, control, s, stack.quick_moves[level])
            attacker_moves = mover(g, s) == control.attacker
            stack.quick_places[level, DECISIVE] = WON if attacker_moves else LOST
        return status

    def quick(g, stack, s):
        places, states, lists = stack.quick_places, stack.quick_states, stack.quick_moves
        states[0] = s
        level, status = 0, look_around(g, stack, 0)
        while True:
            if status == UNKNOWN:
                i = places[level, NEXT]
                if i == places[level, COUNT]:
                    status = WON + LOST - places[level, DECISIVE]
                elif level + 1 == len(states):
                    return UNKNOWN
                else:
                    places[level, NEXT] = i + 1
                    play(g, states[level], lists[level, i], states[level + 1])
                    level += 1
                    status = look_around(g, stack, level)
                    continue
            if level == 0:
                return status
            level -= 1
            if status != places[level, DECISIVE]:
                status = UNKNOWN

    return outlined(quick)


def expand_once_of(rules: Rules, plan: Plan) -> Function:
    """Return ``expand_once(g, o, stack, table, path) -> count``, to look at a position beside the
    search: all children of the position that ``path`` leads to, from the first place of
    ``stack.children`` on; none where the game is over or repeats."""
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

    def at_path(g, o, stack, table, path):
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

    def expand_once(g, o, stack, table, path):
        return at_path(bare(g), o, bare(stack), bare(table), bare(path))

    return expand_once


MOST_TRIES = 40
BEGIN = -1  # the depth before the root has been entered


def verdict(children, first, count, attacker_moves):
    """(status, anchor, length) of a node from its children."""
    decisive = WON if attacker_moves else LOST
    status, anchor, length = WON + LOST - decisive, PATH_FREE, 0
    shortest, freest = 1 << 30, -1
    for k in range(first, first + count):
        if children[k].status == decisive:
            status = decisive
            same = children[k].anchor == freest
            if children[k].anchor > freest or (same and children[k].length < shortest):
                freest, shortest = children[k].anchor, children[k].length
        elif children[k].status == UNKNOWN:
            if status != decisive:
                status = UNKNOWN
        else:
            anchor = min(anchor, children[k].anchor)
            length = max(length, children[k].length)
    if status == decisive:
        return status, freest, shortest + 1
    return status, anchor, length + 1


def weigh_of(plan: Plan) -> Function:
    """Return ``weigh(o, children, first, count, attacker_moves) -> (status, pn, dn, best)``, what
    a node's children come to."""
    backup, (top_pn, top_dn) = plan.backup, plan.top

    def weigh(o, children, first, count, attacker_moves):
        status, _, _ = verdict(children, first, count, attacker_moves)
        if status != UNKNOWN:
            return status, top_pn, top_dn, -1
        found = backup(o, children, first, count, attacker_moves)
        return status, found.pn, found.dn, found.best

    return weigh


def run_of(rules: Rules, plan: Plan) -> Function:
    """Return ``run(g, o, stack, table, budget) -> reason``: at most ``budget`` further visits.

    At ``control.depth`` BEGIN the search of ``stack.states[0]`` begins.
    """
    play, mover, cyclic = rules.play, rules.mover, rules.cyclic
    key_of, anywhere = rules.key, 0 if rules.repeat is not None else PATH_FREE
    backup, thresholds, reached = plan.backup, plan.thresholds, plan.reached
    virtual, losing = plan.virtual, plan.losing
    look = LOOKS[plan.kind]
    keep = KEEPS[plan.kind]
    address, path_address = address_of(rules, plan), path_address_of(rules)
    expand = expand_of(rules, plan)
    zones = plan.zones
    judge, sweep, zone_of, learn, empty_in = zoning_of(rules, plan)
    top_pn, top_dn = plan.top
    stubborn = plan.stubborn or cyclic  # round a cycle numbers only climb
    late, adjust, room = plan.late, plan.adjust, plan.room
    entered = plan.entered(rules, plan, expand)

    def enter(g, o, stack, table, depth):
        """Make the frame of the state at ``depth``; its thresholds and address are set."""
        frames, control = stack.frames, stack.control[0]
        frames[depth].mover = mover(g, stack.states[depth])
        frames[depth].entered = control.visits
        frames[depth].chosen = -1
        before = depth - 1
        frames[depth].first = frames[before].first + frames[before].count if depth > 0 else 0
        n = expand(g, o, stack, table, depth)
        if n >= 0 and frames[depth].first + n + room(o, control) > len(stack.children):
            return CROWDED
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
        frames[0].path_hash, stack.keys[0] = mix(check), key
        frames[0].th_pn, frames[0].th_dn = top_pn, top_dn

    def least_visits(child, control):
        """The least number of visits that ``child`` makes before it may be left."""
        if not stubborn or (child.known == 0 and child.tries == 0):
            return 1
        if control.evicted + control.lost == 0:
            return 1 if late else 2
        return 1 << (child.tries + 1)

    def prepare(g, stack, k, th_pn, th_dn):
        """State, address and thresholds of child ``k`` of the current node."""
        frames, children, control = stack.frames, stack.children, stack.control[0]
        depth = control.depth
        play(g, stack.states[depth], children[k].move, stack.states[depth + 1])
        child = depth + 1
        frames[child].hash, frames[child].check = children[k].hash, children[k].check
        frames[child].th_pn, frames[child].th_dn = th_pn, th_dn
        frames[child].least_visits = least_visits(children[k], control)
        if cyclic:
            frames[child].path_hash = mix(frames[depth].path_hash ^ children[k].check)
            stack.keys[child] = word(key_of(g, stack.states[child]))

    def book(stack, table, depth, k, marks):
        """The node at ``depth`` has been entered, as child ``k`` of the one above; True if for the
        first time. ``marks``: other threads shall rather take another child."""
        frames, children, control = stack.frames, stack.children, stack.control[0]
        if depth == 0:
            control.expansions += 1
            return True
        frames[depth - 1].chosen = k
        new = children[k].known == 0
        if new:
            control.expansions += 1
            children[k].known = 1
        children[k].tries = min(children[k].tries + 1, MOST_TRIES)
        if marks and control.threads > 1:
            attacker_moves = frames[depth - 1].mover == control.attacker
            pn, dn = virtual(children[k], frames[depth].th_pn, frames[depth].th_dn, attacker_moves)
            at = bucket_of(len(table), children[k].hash)
            keep(table, at, children[k].check, UNKNOWN, pn, dn, 1, control.generation)
        return new

    def refreshed(stack, table, k, attacker_moves):
        """Read news about child ``k`` from the table; True if there are any.

        Only a status, or a larger number of those that are compared: what falls back could go
        round in circles where the table forgets.
        """
        children, control = stack.children, stack.control[0]
        at = bucket_of(len(table), children[k].hash)
        found, status, pn, dn = look(table, at, children[k].check, control.generation,
                                     stack.readings)
        if not found:
            return False
        children[k].known = 1
        if status != UNKNOWN:
            if zones:
                zone = zone_at(table, at, children[k].check)
                children[k].zone = zone if zone != ZERO else EVERYTHING
            children[k].status, children[k].anchor = status, anywhere
            children[k].length = np.int64(pn)
            return True
        if (pn > children[k].pn) if attacker_moves else (dn > children[k].dn):
            children[k].pn, children[k].dn = pn, dn
            return True
        return False

    def foreseen(g, stack, k):
        """Solve child ``k`` by what has been learned since it was made; True if that does it."""
        control, s = stack.control[0], stack.states[stack.control[0].depth + 1]
        play(g, stack.states[control.depth], stack.children[k].move, s)
        verdict, zone, _ = judge(g, stack, s)
        if verdict != 0:
            attacker_wins = (verdict > 0) == (mover(g, s) == control.attacker)
            child = stack.children[k]
            child.status, child.anchor = WON if attacker_wins else LOST, PATH_FREE
            child.zone, child.length = zone, empty_in(g, s, zone)
        return verdict != 0

    def leave(g, stack, table, depth, status, anchor, length, pn, dn):
        """Store what the visit found, report it to the parent, and go back to it."""
        frames, children, control = stack.frames, stack.children, stack.control[0]
        work = log_work(control.visits - frames[depth].entered)
        hash, check = frames[depth].hash, frames[depth].check
        if anchor >= depth and anywhere == PATH_FREE:
            anchor = PATH_FREE
        if status != UNKNOWN:
            pn, dn = (length, 0) if anchor == PATH_FREE else (anchor, 0)
            if anchor != PATH_FREE:
                hash, check = path_address(frames[depth].path_hash)
        at, zone = bucket_of(len(table), hash), ZERO
        if zones and status != UNKNOWN:
            zone = zone_of(g, stack, depth, status)
            learn(g, stack, depth, status, zone)
        if (keep_zone(table, at, check, status, pn, dn, work, control.generation, zone) if zones
                else keep(table, at, check, status, pn, dn, work, control.generation)):
            control.evicted += 1
        if depth > 0:
            k = frames[depth - 1].chosen
            children[k].status, children[k].length = status, length
            children[k].anchor = min(anchor, anywhere)
            children[k].pn, children[k].dn = pn, dn
            if zones:
                children[k].zone = zone
        control.depth = depth - 1 if depth > 0 else 0

    def may_leave(o, frame, visits, pn, dn):
        if stubborn and visits - frame.entered < frame.least_visits:
            return False
        return reached(o, frame, pn, dn)

    def pause(stack, end):
        """The reason to come back now, before the next visit; GO for none."""
        control = stack.control[0]
        if control.visits >= control.limit:
            return NODES
        if control.evicted >= control.patience:
            return GROW
        if control.visits >= end or control.expansions >= control.pause or stack.stop[0] != 0:
            return SLICE
        return DEEPER if control.depth + 3 > len(stack.frames) else GO

    def loop(g, o, stack, table, budget):
        frames, children, control = stack.frames, stack.children, stack.control[0]
        end, k, marks = control.visits + budget, 0, False
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
                new = book(stack, table, depth, k, marks)
                entered(g, o, stack, table, depth, new)
                entering = False
            depth = control.depth
            first, count = frames[depth].first, frames[depth].count
            attacker_moves = frames[depth].mover == control.attacker
            if zones:
                sweep(g, stack, depth)
            status, anchor, length = verdict(children, first, count, attacker_moves)
            leaving, pn, dn = status != UNKNOWN, top_pn, top_dn
            if not leaving:
                found = backup(o, children, first, count, attacker_moves)
                pn, dn, k = found.pn, found.dn, found.best
                adjust(o, frames[depth], control, depth, pn, dn)
                if depth == 0:
                    stack.root[0], stack.root[1] = pn, dn
                else:
                    leaving = may_leave(o, frames[depth], control.visits, pn, dn)
            if leaving:
                leave(g, stack, table, depth, status, anchor, length, pn, dn)
                if depth == 0:
                    control.status = status
                    return SOLVED
                continue
            if refreshed(stack, table, k, attacker_moves):
                continue
            reason = pause(stack, end)
            if reason != GO:
                return reason
            if zones and foreseen(g, stack, k):
                continue
            th_pn, th_dn = thresholds(o, frames[depth], children[k], found, attacker_moves)
            marks = losing(pn, dn, attacker_moves)
            prepare(g, stack, k, th_pn, th_dn)
            entering = True

    def run(g, o, stack, table, budget):
        return loop(bare(g), o, bare(stack), bare(table), budget)

    return run
