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
"""

from collections.abc import Callable
from typing import Any

from zermelo.core.rules import Rules
from zermelo.search.common.repetition import PATH_FREE
from zermelo.search.common.table import bucket_of
from zermelo.search.minimax.enter import enter_of
from zermelo.search.minimax.loop import loop_of
from zermelo.search.minimax.order import learn, next_in_order
from zermelo.search.minimax.plan import DONE, FULL, Plan
from zermelo.search.minimax.score import LOSS, MATE, WIN, bound_of, from_here
from zermelo.search.minimax.table import keep
from zermelo.search.reasons import DEEPER, GO, GROW, NODES, SLICE

Function = Callable[..., Any]


def window(frames, ply):
    """Tell the child of the node at ``ply`` its window and its depth."""
    frame, child = frames[ply], frames[ply + 1]
    beta = frame.beta if frame.step == FULL else frame.alpha + 1
    if child.mover == frame.mover:
        child.alpha, child.beta = frame.alpha, beta
    else:
        child.alpha, child.beta = -beta, -frame.alpha
    child.depth = frame.depth - frame.dec


def receive_claims(frame, control, same):
    """What a child claims about itself, as claims about the move; whatever its depth, it holds."""
    lo, hi, anchor_lo, anchor_hi = control.lo, control.hi, control.anchor_lo, control.anchor_hi
    if not same:
        lo, hi, anchor_lo, anchor_hi = -hi, -lo, anchor_hi, anchor_lo
    if lo > frame.move_lo or (lo == frame.move_lo and anchor_lo > frame.move_anchor_lo):
        frame.move_lo, frame.move_anchor_lo = lo, anchor_lo
    if hi < frame.move_hi or (hi == frame.move_hi and anchor_hi > frame.move_anchor_hi):
        frame.move_hi, frame.move_anchor_hi = hi, anchor_hi


def settle_claims(frame):
    """The move is done: the node is worth at least as much, and may be worth as much."""
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

    def leave(o, stack, table, ply):
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
