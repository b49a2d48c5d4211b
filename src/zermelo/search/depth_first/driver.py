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

Between visits the whole state is in the arrays: the loop can stop there and go on later.
"""


import numpy as np

from zermelo.core.rules import Function, Rules
from zermelo.kernel.bits import ZERO, bare, mix, word
from zermelo.search.common.rules import PATH_FREE
from zermelo.search.common.table import bucket_of
from zermelo.search.depth_first.expand import expand_of
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
from zermelo.search.depth_first.zones import CROWDED, EVERYTHING, zoning_of
from zermelo.search.reasons import (
    DEEPER,
    GO,
    GROW,
    LOST,
    NODES,
    SLICE,
    SOLVED,
    TOO_MANY,
    UNKNOWN,
    WON,
)

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
