"""Alpha-beta that collects single conspiracy numbers (thesis, chapter 4). It knows no game.

Plain alpha-beta, fail-soft, to a depth: no table and no null windows, which would leave nothing to
count. Values are for the root's player throughout: a node is MAX where that player moves and MIN
elsewhere. Moves that a cut leaves untried are leaves without a value. Without ``prune`` nothing is
cut, and the numbers are those of the whole tree.

With quiescence a leaf is worth what is left after the captures that pay: its mover takes the
evaluation or goes on capturing, and in check tries every move. It stays one leaf, with one value:
what comes after it does not count among those that may conspire.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from zermelo.conspiracy.numbers import close_numbers, leaf, open_numbers, receive_numbers
from zermelo.core.rules import ONGOING, Rules
from zermelo.kernel.bits import word
from zermelo.search.common.rules import repetition_of
from zermelo.search.minimax.driver import EXPANDED, OVERFULL, SETTLED, loop_of
from zermelo.search.minimax.order import learn, next_in_order, put_in_order
from zermelo.search.minimax.score import INF, LOSS, SURE, UNIT, clamped, score_of, worth
from zermelo.search.minimax.search import Common
from zermelo.search.reasons import GO, NODES, SLICE

Function = Callable[..., Any]
Array = np.ndarray[Any, Any]

MOST_QUIET = 40  # plies of captures; beyond them the evaluation counts
CONTROL = np.dtype([("ply", "i8"), ("phase", "i8"), ("nodes", "i8"), ("limit", "i8"),
                    ("first", "i8"), ("value", "i8")])
FRAME = np.dtype([("mover", "i8"), ("depth", "i8"), ("alpha", "i8"), ("beta", "i8"),
                  ("best", "i8"), ("best_at", "i8"), ("count", "i8"), ("tried", "i8"),
                  ("at", "i8")])


class Options(NamedTuple):
    """What the compiled parts read.

    ``T``: the thresholds; ``pruned``: the scn of a move left untried, ``unseen_yes`` and
    ``unseen_no`` its chances; ``decay``: how a leaf's chance falls with every point it lacks.
    """

    T: Array
    pruned: int
    prune: bool
    decay: float
    unseen_yes: float
    unseen_no: float
    common: Common


class Stack(NamedTuple):
    """A search in progress: the nodes of the path, as in ``plan.Stack``, with their numbers.

    ``scn``, ``yes``, ``no``: a row per ply, a column per threshold. ``control.value`` is what the
    node just left is worth, ``control.first`` the root's move to try first.
    """

    frames: Array
    states: Array
    keys: Array
    words: Array
    lists: Array
    kinds: Array
    orders: Array
    killers: Array
    history: Array
    scn: Array
    yes: Array
    no: Array
    stop: Array
    control: Array


def never(g, s):
    """``in_check`` of a game that has none."""
    return False


def run_of(rules: Rules, quiescence: bool = False) -> Function:
    """``run(g, o, stack, (), budget) -> reason``: at most ``budget`` further nodes."""
    moves, play, mover, outcome = rules.moves, rules.play, rules.mover, rules.outcome
    key_of, cyclic, most_moves = rules.key, rules.cyclic, rules.max_moves
    evaluate, repetition = rules.evaluate, repetition_of(rules)
    # What is not called need not be compiled.
    captures = rules.captures if quiescence and rules.captures is not None else rules.moves
    in_check = rules.in_check if quiescence and rules.in_check is not None else never

    def settle(o, stack, ply, value, over):
        stack.control[0].value = value
        leaf(o, stack, ply, value, over)
        return SETTLED

    def enter(g, o, stack, table, ply):
        frame, control, s = stack.frames[ply], stack.control[0], stack.states[ply]
        root = stack.frames[0].mover
        control.nodes += 1
        end = outcome(g, s)
        if cyclic and end == ONGOING:
            stack.keys[ply] = word(key_of(g, s))
            end, _ = repetition(g, stack, stack.words, ply - 1, stack.keys[ply], stack.states,
                                stack.words, ply)
        if end != ONGOING:
            return settle(o, stack, ply, score_of(worth(end, root), ply), True)
        frame.mover = mover(g, s)
        sign = 1 if frame.mover == root else -1
        if frame.depth <= 0:
            value = sign * clamped(evaluate(g, s))
            if quiescence and frame.depth > -MOST_QUIET:
                return calm(g, o, stack, ply, sign, value)
            return settle(o, stack, ply, value, False)
        n = moves(g, s, stack.lists[ply])
        if n > most_moves:
            return OVERFULL
        if n == 0:
            return settle(o, stack, ply, sign * score_of(LOSS, ply), True)
        put_in_order(o, stack, ply, frame.mover, n, control.first if ply == 0 else -1)
        frame.count, frame.tried, frame.best, frame.best_at = n, 0, -sign * INF, -1
        open_numbers(o, stack, ply, sign == 1)
        return EXPANDED

    def calm(g, o, stack, ply, sign, value):
        """Enter a leaf, or a position that captures lead to: ``value`` is what it looks like. The
        window of a leaf reaches beyond every threshold, so that a bound will do for its number;
        without ``prune`` it is the whole one, and the value exact."""
        frame, s = stack.frames[ply], stack.states[ply]
        checked = in_check(g, s)
        n = moves(g, s, stack.lists[ply]) if checked else captures(g, s, stack.lists[ply])
        if n > most_moves:
            return OVERFULL
        if n == 0:
            end = sign * score_of(LOSS, ply) if checked else value
            return settle(o, stack, ply, end, checked)
        if frame.depth == 0 and o.prune:
            for k in range(len(o.T)):
                frame.alpha, frame.beta = min(frame.alpha, o.T[k] - 1), max(frame.beta, o.T[k])
        elif frame.depth == 0:
            frame.alpha, frame.beta = -INF, INF
        frame.count, frame.tried, frame.best_at = n, 0, -1
        frame.best = -sign * INF if checked else value
        if not checked:
            narrow(frame, value, sign == 1)
        return EXPANDED

    def narrow(frame, value, is_max):
        if is_max:
            frame.alpha = max(frame.alpha, value)
        else:
            frame.beta = min(frame.beta, value)

    def more(g, o, stack, ply):
        frame, child = stack.frames[ply], stack.frames[ply + 1]
        quiet = quiescence and frame.depth <= 0
        if frame.tried == frame.count or ((o.prune or quiet) and frame.alpha >= frame.beta):
            return False
        # Captures come in the order in which the game gives them.
        frame.at = frame.tried if quiet else next_in_order(stack, ply, frame.count)
        frame.tried += 1
        play(g, stack.states[ply], stack.lists[ply, frame.at], stack.states[ply + 1])
        child.alpha, child.beta, child.depth = frame.alpha, frame.beta, frame.depth - 1
        return True

    def receive(o, stack, ply):
        frame, value = stack.frames[ply], stack.control[0].value
        is_max = frame.mover == stack.frames[0].mover
        if not quiescence or frame.depth > 0:
            receive_numbers(o, stack, ply, is_max)
        if (is_max and value > frame.best) or (not is_max and value < frame.best):
            frame.best, frame.best_at = value, frame.at
            narrow(frame, value, is_max)
        return False

    def leave(o, stack, table, ply):
        frame = stack.frames[ply]
        if quiescence and frame.depth <= 0:
            settle(o, stack, ply, frame.best, abs(frame.best) >= SURE)
            return
        close_numbers(o, stack, ply, frame.mover == stack.frames[0].mover,
                      frame.count - frame.tried)
        if frame.alpha >= frame.beta:
            learn(stack, ply, frame.mover, stack.lists[ply, frame.best_at], frame.depth * UNIT)
        stack.control[0].value = frame.best

    def pause(stack, end):
        control = stack.control[0]
        if control.nodes >= control.limit:
            return NODES
        return SLICE if control.nodes >= end or stack.stop[0] != 0 else GO

    return loop_of(enter, more, receive, leave, pause)
