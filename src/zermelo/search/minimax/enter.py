"""Entering a node: what the rules, the path and the table say about it before its moves are tried.

Here a finished game becomes a claim, and nowhere else in this wing. A repetition counts as a draw,
or what the game's own rule says; a claim that rests on it is anchored at the node repeated.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.core.rules import ONGOING, Rules
from zermelo.kernel.bits import ZERO, mix, prefetch, word
from zermelo.search.common.repetition import PATH_FREE, repetition_of
from zermelo.search.common.rules import moves_of
from zermelo.search.common.table import address_exact, address_hashed, bucket_of, state_hash
from zermelo.search.minimax.loop import EXPANDED, OVERFULL, SETTLED
from zermelo.search.minimax.order import put_in_order
from zermelo.search.minimax.score import (
    DRAW,
    EXACT,
    INF,
    LOSS,
    LOWER,
    MATE,
    UNIT,
    UPPER,
    WIN,
    clamped,
    from_root,
    proves,
    score_of,
    worth,
)
from zermelo.search.minimax.table import (
    bound_in,
    closed_in,
    depth_in,
    hi_in,
    lo_in,
    look,
    place_in,
    score_in,
)

Function = Callable[..., Any]


def report(control, score, lo, hi, anchor, closed):
    """What the node says to its parent."""
    control.score, control.lo, control.hi = score, lo, hi
    control.anchor_lo, control.anchor_hi, control.closed = anchor, anchor, closed


def open_frame(frame, count):
    """A node whose moves are about to be tried."""
    frame.count, frame.tried, frame.best, frame.best_at = count, 0, -INF, -1
    frame.floor, frame.lo, frame.hi, frame.closed = frame.alpha, LOSS, LOSS, 1
    frame.anchor_lo = frame.anchor_hi = PATH_FREE


def no_points(g, s):
    """``evaluate`` of a game that has none."""
    return 0


def noisy(common, key, points):
    """Points, off by up to ``noise``; the same for a position each time."""
    if common.noise > 0:
        draw = mix(key ^ common.salt) >> 32
        points += np.int64((draw * word(2 * common.noise + 1)) >> 32) - common.noise
    return clamped(points)


def no_kinds(g, s, moves, n, out):
    """``categories`` of a game that has none: every move is of category 0."""


def usable(o, frame, control, ply, cyclic, data):
    """Whether the score of an entry may stand for a search of the node, window apart.

    A deeper search will do, unless the option says otherwise; a proved win or loss always, but if
    the option says otherwise only where a search of this depth would see it too, and if it has to
    come within a number of plies only one that does.
    """
    score, bound = score_in(data), bound_in(data)
    if proves(score, bound):
        plies = MATE - abs(score)
        return plies + ply <= control.within and (o.common.deeper or plies * UNIT <= frame.depth)
    if control.strict:
        return False
    if o.common.deeper:
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
        """Whether an entry of the table settles the node."""
        lo, hi, deeper = frame.known_lo, frame.known_hi, o.common.deeper
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
                if o.common.deeper:
                    frame.known_lo, frame.known_hi = lo_in(data), hi_in(data)
                if cut(o, control, frame, ply, data):
                    return SETTLED
        if frame.depth <= 0:
            control.evaluated += 1
            points = noisy(o.common, stack.keys[ply], evaluate(g, s))
            report(control, points, frame.known_lo, frame.known_hi, PATH_FREE, 0)
            return SETTLED
        n = legal(g, control, s, stack.lists[ply])
        if n > most_moves:
            return OVERFULL
        if n == 0:
            report(control, score_of(LOSS, ply), LOSS, LOSS, PATH_FREE, 1)
            return SETTLED
        control.expansions += 1
        if len(o.common.likely) > 1:
            kinds_of(g, s, stack.lists[ply], n, stack.kinds[ply])
        if ply == 0 and control.first >= 0:
            first = control.first
        put_in_order(o, stack, ply, frame.mover, n, first)
        open_frame(frame, n)
        return EXPANDED

    return enter
