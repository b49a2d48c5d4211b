"""Negamax with an explicit stack: the steps of the loop. It knows neither game nor search.

One iteration searches the root to ``control.depth``. A node tries its moves in order; how each is
searched, and whether again, is the search's affair (``plan``): with a null window or the whole one,
and how much of the depth it takes. Scores change sign where the mover changes, and only there.

Beside the score every node has claims (see ``score``). Those of a node follow from those of its
moves: it is worth at least what its best move is worth, and, once all moves have been searched, at
most what the best of them can be. In a cyclic game a claim may rest on a repetition, that is on a
node further up the path. If that node is above the one it is about, the claim holds on this path
only and is not stored; if it is the node itself or below, it is final. Estimates are stored as they
are found, with whatever repetitions went into them. Where a game has a rule of its own for
repetitions nothing in the table is believed but the move to try first.

The loop knows neither what a node is worth nor which moves are worth trying: a search gives it the
steps. Between nodes the whole state is in the arrays: the loop can stop there and go on later. What
the rules, the path and the table say about a node comes before its moves; only there a finished
game becomes a claim, and a repetition a draw, or what the game's own rule says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.core.rules import ONGOING, Rules
from zermelo.kernel.bits import ZERO, bare, mix, prefetch, word
from zermelo.search.common.rules import PATH_FREE, moves_of, repetition_of
from zermelo.search.common.table import address_exact, address_hashed, bucket_of, state_hash
from zermelo.search.minimax.plan import (
    DONE,
    DOWN,
    DRAW,
    EXACT,
    FULL,
    INF,
    LOSS,
    LOWER,
    MATE,
    ON,
    UNIT,
    UP,
    UPPER,
    WIN,
    Plan,
    bound_in,
    bound_of,
    clamped,
    closed_in,
    depth_in,
    from_here,
    from_root,
    hi_in,
    keep,
    lo_in,
    look,
    place_in,
    proves,
    score_in,
    score_of,
    worth,
)
from zermelo.search.reasons import DEEPER, GO, GROW, NODES, SLICE, SOLVED, TOO_MANY

Function = Callable[..., Any]

# The order of a move is a number: the table's move, killers, then by history, by likelihood, by the
# game. The largest comes first and the leftmost among equals.
FROM_TABLE, KILLER, SECOND_KILLER = 1 << 60, 1 << 59, 1 << 58
HISTORY, LIKELY = 1 << 14, 1 << 16  # moves distinguished; steps between one history and the next
MOST_HISTORY = 1 << 40
TRIED = -1


def put_in_order(o, stack, ply, mover, n, first):
    """Write ``orders`` of the ``n`` moves of the node at ``ply``; ``first``: the table's, or -1."""
    moves, kinds, orders = stack.lists, stack.kinds, stack.orders
    for i in range(n):
        move = moves[ply, i]
        if i == first:
            orders[ply, i] = FROM_TABLE
        elif move == stack.killers[ply, 0]:
            orders[ply, i] = KILLER
        elif move == stack.killers[ply, 1]:
            orders[ply, i] = SECOND_KILLER
        else:
            past = stack.history[mover, move & (HISTORY - 1)]
            orders[ply, i] = past * LIKELY + o.likely[kinds[ply, i]]


def next_in_order(stack, ply, n):
    """Return the place of the move to try next, and mark it as tried."""
    orders, at, most = stack.orders, 0, TRIED
    for i in range(n):
        if orders[ply, i] > most:
            at, most = i, orders[ply, i]
    orders[ply, at] = TRIED
    return at


def learn(stack, ply, mover, move, depth):
    """Remember a move that refuted the line that led to the node at ``ply``."""
    if move != stack.killers[ply, 0]:
        stack.killers[ply, 1] = stack.killers[ply, 0]
        stack.killers[ply, 0] = move
    plies = depth // UNIT + 1
    slot = move & (HISTORY - 1)
    stack.history[mover, slot] = min(stack.history[mover, slot] + plies * plies, MOST_HISTORY)


def report(control, score, lo, hi, anchor, closed):
    """Report a node to its parent."""
    control.score, control.lo, control.hi = score, lo, hi
    control.anchor_lo, control.anchor_hi, control.closed = anchor, anchor, closed


def open_frame(frame, count):
    """Prepare a node whose moves are about to be tried."""
    frame.count, frame.tried, frame.best, frame.best_at = count, 0, -INF, -1
    frame.floor, frame.lo, frame.hi, frame.closed = frame.alpha, LOSS, LOSS, 1
    frame.anchor_lo = frame.anchor_hi = PATH_FREE


def no_points(g, s):
    """``evaluate`` of a game that has none."""
    return 0


def noisy(o, key, points):
    """Return points off by up to ``noise``, the same for a position each time."""
    if o.noise > 0:
        draw = mix(key ^ o.salt) >> 32
        points += np.int64((draw * word(2 * o.noise + 1)) >> 32) - o.noise
    return clamped(points)


def no_kinds(g, s, moves, n, out):
    """``categories`` of a game that has none: every move is of category 0."""


def usable(o, frame, control, ply, cyclic, data):
    """Return True if the score of an entry may stand for a search of the node, window apart.

    A deeper search will do, unless the option says otherwise; a proved win or loss always, but if
    the option says otherwise only where a search of this depth would see it too, and if it has to
    come within a number of plies only one that does.
    """
    score, bound = score_in(data), bound_in(data)
    if proves(score, bound):
        plies = MATE - abs(score)
        return plies + ply <= control.within and (o.deeper or plies * UNIT <= frame.depth)
    if control.strict:
        return False
    if o.deeper:
        return depth_in(data) >= frame.depth or (closed_in(data) == 1 and not cyclic)
    return depth_in(data) == frame.depth


def address_of(rules: Rules) -> Function:
    """``address(g, stack, ply) -> (hash, check)`` of a state of the path, for the table."""
    key_of, exact = rules.key, rules.exact_key

    def address(g, stack, ply):
        key = word(key_of(g, stack.states[ply]))
        stack.keys[ply] = key
        if exact:
            return address_exact(key)
        width = len(stack.words) // len(stack.states)
        return address_hashed(key, state_hash(stack.words, ply * width, width))

    return address


def enter_of(rules: Rules) -> Function:
    """``enter(g, o, stack, table, ply)`` of the loop.

    The state, the mover, the window and the depth of the node are there.
    """
    outcome, address = rules.outcome, address_of(rules)
    evaluate = rules.evaluate or no_points
    kinds_of = rules.categories or no_kinds
    cyclic, own_rule, most_moves = rules.cyclic, rules.repeat is not None, rules.max_moves
    legal, repetition = moves_of(rules), repetition_of(rules)

    def cut(o, control, frame, ply, data):
        """Return True, after a report, if an entry of the table settles the node."""
        lo, hi, deeper = frame.known_lo, frame.known_hi, o.deeper
        if deeper and ((hi == DRAW and (lo == DRAW or frame.alpha >= 0))
                       or (lo == DRAW and frame.beta <= 0)):
            report(control, 0, lo, hi, PATH_FREE, 1)
            return True
        if not usable(o, frame, control, ply, cyclic, data):
            return False
        score, bound = from_root(score_in(data), ply), bound_in(data)
        proof = proves(score, bound)
        if not deeper and (proof or closed_in(data) == 1):
            lo, hi = lo_in(data), hi_in(data)
        if bound == EXACT or (proof and deeper) or (bound == LOWER and score >= frame.beta) or (
                bound == UPPER and score <= frame.alpha):
            report(control, score, lo, hi, PATH_FREE, closed_in(data))
            return True
        return False

    def enter(g, o, stack, table, ply):
        frame, control, s = stack.frames[ply], stack.control[0], stack.states[ply]
        control.nodes += 1
        control.deepest = max(control.deepest, ply)
        frame.hash, frame.check = address(g, stack, ply)
        bucket = bucket_of(len(table), frame.hash)
        prefetch(table, bucket)
        end = outcome(g, s)
        if end != ONGOING:
            value = worth(end, frame.mover)
            report(control, score_of(value, ply), value, value, PATH_FREE, 1)
            return SETTLED
        if cyclic:
            end, at = repetition(g, stack, stack.words, ply - 1, stack.keys[ply], stack.states,
                                 stack.words, ply)
            if end != ONGOING:
                value = worth(end, frame.mover)
                report(control, score_of(value, ply), value, value, at, 1)
                return SETTLED
        frame.known_lo, frame.known_hi, first = LOSS, WIN, -1
        data = look(table, bucket, frame.check)
        if data != ZERO:
            first = place_in(data)
            if ply > 0 and not own_rule:
                if o.deeper:
                    frame.known_lo, frame.known_hi = lo_in(data), hi_in(data)
                if cut(o, control, frame, ply, data):
                    return SETTLED
        if frame.depth <= 0:
            control.evaluated += 1
            points = noisy(o, stack.keys[ply], evaluate(g, s))
            report(control, points, frame.known_lo, frame.known_hi, PATH_FREE, 0)
            return SETTLED
        n = legal(g, control, s, stack.lists[ply])
        if n > most_moves:
            return OVERFULL
        if n == 0:
            report(control, score_of(LOSS, ply), LOSS, LOSS, PATH_FREE, 1)
            return SETTLED
        control.expansions += 1
        if len(o.likely) > 1:
            kinds_of(g, s, stack.lists[ply], n, stack.kinds[ply])
        if ply == 0 and control.first >= 0:
            first = control.first
        put_in_order(o, stack, ply, frame.mover, n, first)
        open_frame(frame, n)
        return EXPANDED

    return enter


SETTLED, EXPANDED, OVERFULL = range(3)


def loop_of(enter: Function, more: Function, receive: Function, leave: Function,
            pause: Function) -> Function:
    """``run(g, o, stack, table, budget) -> reason``: at most ``budget`` further nodes.

    enter    ``enter(g, o, stack, table, ply)``: SETTLED with a report to the parent, EXPANDED with
             moves to try, or OVERFULL, more moves than max_moves
    more     ``more(g, o, stack, ply)``: begin with the next move of the node at ``ply``; False if
             there is no need to
    receive  ``receive(o, stack, ply)``: take the report of the child of the node at ``ply``; True
             if the child is searched again
    leave    ``leave(g, o, stack, table, ply)``: all moves that matter are done; report to the
             parent
    pause    ``pause(stack, end)``: why to come back now, before the next node; GO if there is no
             reason to

    SOLVED means here that the root has been searched to its depth.
    """

    def loop(g, o, stack, table, budget):
        control, end = stack.control[0], stack.control[0].nodes + budget
        while True:
            ply = control.ply
            if control.phase == DOWN:
                reason = pause(stack, end)
                if reason != GO:
                    return reason
                how = enter(g, o, stack, table, ply)
                if how == OVERFULL:
                    return TOO_MANY
                control.phase = ON if how == EXPANDED else UP
            elif control.phase == ON:
                if more(g, o, stack, ply):
                    control.ply, control.phase = ply + 1, DOWN
                else:
                    leave(g, o, stack, table, ply)
                    control.phase = UP
            elif ply == 0:
                return SOLVED
            elif receive(o, stack, ply - 1):
                control.phase = DOWN
            else:
                control.ply, control.phase = ply - 1, ON

    def run(g, o, stack, table, budget):
        return loop(bare(g), bare(o), bare(stack), bare(table), budget)

    return run


def window(frames, ply):
    """Set the window and the depth of the child of the node at ``ply``."""
    frame, child = frames[ply], frames[ply + 1]
    beta = frame.beta if frame.step == FULL else frame.alpha + 1
    if child.mover == frame.mover:
        child.alpha, child.beta = frame.alpha, beta
    else:
        child.alpha, child.beta = -beta, -frame.alpha
    child.depth = frame.depth - frame.dec


def receive_claims(frame, control, same):
    """Take the claims of a child as claims about the move; they hold at any depth."""
    lo, hi, anchor_lo, anchor_hi = control.lo, control.hi, control.anchor_lo, control.anchor_hi
    if not same:
        lo, hi, anchor_lo, anchor_hi = -hi, -lo, anchor_hi, anchor_lo
    if lo > frame.move_lo or (lo == frame.move_lo and anchor_lo > frame.move_anchor_lo):
        frame.move_lo, frame.move_anchor_lo = lo, anchor_lo
    if hi < frame.move_hi or (hi == frame.move_hi and anchor_hi > frame.move_anchor_hi):
        frame.move_hi, frame.move_anchor_hi = hi, anchor_hi


def settle_claims(frame):
    """Take over the claims about a move that is done: the node is worth at least as much, and may
    be worth as much."""
    if frame.move_lo > frame.lo or (frame.move_lo == frame.lo
                                    and frame.move_anchor_lo > frame.anchor_lo):
        frame.lo, frame.anchor_lo = frame.move_lo, frame.move_anchor_lo
    # That a node is worth no more rests on all of its moves.
    frame.hi = max(frame.hi, frame.move_hi)
    frame.anchor_hi = min(frame.anchor_hi, frame.move_anchor_hi)


def note_root_move(stack, value):
    """Keep what is known about a move of the root."""
    frame = stack.frames[0]
    row = stack.root[frame.at]
    row.move, row.score, row.depth = stack.lists[0, frame.at], value, frame.depth
    row.bound = bound_of(value, frame.alpha, frame.beta)
    row.here_lo, row.here_hi = max(row.here_lo, frame.move_lo), min(row.here_hi, frame.move_hi)
    if frame.move_anchor_lo == PATH_FREE:
        row.lo = max(row.lo, frame.move_lo)
    if frame.move_anchor_hi == PATH_FREE:
        row.hi = min(row.hi, frame.move_hi)


def run_of(rules: Rules, plan: Plan) -> Function:
    """``run(g, o, stack, table, budget) -> reason``: at most ``budget`` further nodes."""
    play, mover, trusting = rules.play, rules.mover, rules.repeat is None
    begin, again, enter = plan.begin, plan.again, enter_of(rules)

    def more(g, o, stack, ply):
        frame = stack.frames[ply]
        if frame.best >= frame.beta or frame.tried == frame.count:
            return False
        if ply == 0 and frame.lo == WIN and MATE - frame.best <= stack.control[0].within:
            return False
        at = next_in_order(stack, ply, frame.count)
        frame.at = at
        frame.tried += 1
        frame.move_lo, frame.move_hi = LOSS, WIN
        frame.move_anchor_lo = frame.move_anchor_hi = PATH_FREE
        frame.step, frame.dec = begin(o, frame.tried, stack.kinds[ply, at], frame.alpha)
        play(g, stack.states[ply], stack.lists[ply, at], stack.states[ply + 1])
        stack.frames[ply + 1].mover = mover(g, stack.states[ply + 1])
        window(stack.frames, ply)
        return True

    def receive(o, stack, ply):
        frame, control = stack.frames[ply], stack.control[0]
        same = stack.frames[ply + 1].mover == frame.mover
        value = control.score if same else -control.score
        receive_claims(frame, control, same)
        step, dec = again(o, frame.step, frame.dec, value, frame.alpha, frame.beta)
        if step != DONE:
            frame.step, frame.dec = step, dec
            window(stack.frames, ply)
            return True
        settle_claims(frame)
        frame.closed &= control.closed
        if ply == 0:
            note_root_move(stack, value)
        if value > frame.best:
            frame.best, frame.best_at = value, frame.at
            frame.alpha = max(frame.alpha, value)
        return False

    def leave(g, o, stack, table, ply):
        """Store what the moves say, and report it."""
        frame, control = stack.frames[ply], stack.control[0]
        if frame.tried < frame.count:
            frame.hi, frame.anchor_hi = WIN, PATH_FREE
        if frame.best >= frame.beta:
            learn(stack, ply, frame.mover, stack.lists[ply, frame.best_at], frame.depth)
        # At the node itself or below: a claim anchored there is final.
        anchor_lo = frame.anchor_lo if frame.anchor_lo < ply else PATH_FREE
        anchor_hi = frame.anchor_hi if frame.anchor_hi < ply else PATH_FREE
        lo, hi = frame.lo, frame.hi
        if frame.known_lo >= lo:
            lo, anchor_lo = frame.known_lo, PATH_FREE
        if frame.known_hi <= hi:
            hi, anchor_hi = frame.known_hi, PATH_FREE
        control.score, control.lo, control.hi = frame.best, lo, hi
        control.anchor_lo, control.anchor_hi, control.closed = anchor_lo, anchor_hi, frame.closed
        bound = bound_of(frame.best, frame.floor, frame.beta)
        kept_lo = lo if anchor_lo == PATH_FREE and trusting else LOSS
        kept_hi = hi if anchor_hi == PATH_FREE and trusting else WIN
        if keep(table, bucket_of(len(table), frame.hash), frame.check, from_here(frame.best, ply),
                frame.depth, bound, kept_lo, kept_hi, frame.closed, frame.best_at, control.age):
            control.evicted += 1

    def pause(stack, end):
        control = stack.control[0]
        if control.nodes >= control.limit:
            return NODES
        if control.evicted >= control.patience:
            return GROW
        if control.nodes >= end or control.expansions >= control.pause or stack.stop[0] != 0:
            return SLICE
        return DEEPER if control.ply + 2 > len(stack.frames) else GO

    return loop_of(enter, more, receive, leave, pause)
