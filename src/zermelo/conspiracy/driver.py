"""Alpha-beta that collects single conspiracy numbers (thesis, chapter 4). It knows no game.

Plain alpha-beta, fail-soft, to a depth: no table and no null windows, which would leave nothing to
count. Values are for the root's player throughout: a node is MAX where that player moves and MIN
elsewhere. Moves that a cut leaves untried are leaves without a value. Without ``prune`` nothing is
cut, and the numbers are those of the whole tree.

With quiescence a leaf is worth what is left after the captures that pay: its mover takes the
evaluation or goes on capturing, and in check tries every move. It stays one leaf, with one value:
what comes after it does not count among those that may conspire.

For a threshold T a node has three numbers, all about its value for the root's player reaching T:
``scn``, the least number of leaves that must change for it (thesis, 4.2), and ``yes`` and ``no``,
the logarithms of the chance that it does and of the chance that it does not, with the leaves as
independent events. Both logarithms are kept: of a chance of 1 - 1e-200 the other one tells it.

A MAX node needs one child: the least scn; ``no`` is the sum of the children's. A MIN node needs all
of them: the sum of scn; ``yes`` is the sum. The other logarithm follows from the sum, and where the
sum is too near 0 for that, from the logarithm of the sum of the children's chances.

``Deepening`` is the search seen from Python, one depth after the other.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo.compiler.jit import jit_enabled, kernel, rules_that_compile
from zermelo.core.board import moves_array, states_array
from zermelo.core.rules import ONGOING, Rules
from zermelo.kernel.bits import word
from zermelo.search.common.rules import repetition_of
from zermelo.search.common.table import words_of
from zermelo.search.minimax.driver import (
    EXPANDED,
    HISTORY,
    OVERFULL,
    SETTLED,
    learn,
    loop_of,
    next_in_order,
    put_in_order,
)
from zermelo.search.minimax.plan import DOWN, INF, LOSS, SURE, UNIT, clamped, score_of, worth
from zermelo.search.reasons import GO, NODES, SLICE, SOLVED, TOO_MANY, too_many_moves

if TYPE_CHECKING:
    from zermelo.core.position import Position


# Reached by finished games alone; sums end below it.
NO_WAY = 1 << 60
SURELY, NEVER = 0.0, -math.inf
NEAR_NOTHING = -1e-9  # sums above have lost the digits that the other logarithm needs
LOG_2 = math.log(2.0)


def other(x):
    """log(1 - e**x) for x <= 0."""
    if x >= 0.0:
        return NEVER
    return math.log(-math.expm1(x)) if x > -LOG_2 else math.log1p(-math.exp(x))


def either(x, y):
    """log(e**x + e**y)."""
    if x < y:
        x, y = y, x
    return x if y == NEVER else x + math.log1p(math.exp(y - x))


def add_up(x, y):
    """The sum of two scn; it stays below NO_WAY unless one of them is NO_WAY."""
    if x == NO_WAY or y == NO_WAY:
        return NO_WAY
    return min(x + y, NO_WAY - 1)


def leaf(o, stack, ply, value, over):
    """The numbers of a node without children: ``value`` is its value for the root's player."""
    for k in range(len(o.T)):
        if value >= o.T[k]:
            stack.scn[ply, k], stack.yes[ply, k], stack.no[ply, k] = 0, SURELY, NEVER
        elif over:
            stack.scn[ply, k], stack.yes[ply, k], stack.no[ply, k] = NO_WAY, NEVER, SURELY
        elif o.T[k] >= SURE:  # no points say how near a win is
            stack.scn[ply, k] = 1
            stack.yes[ply, k], stack.no[ply, k] = o.unseen_yes, o.unseen_no
        else:
            chance = (value - o.T[k]) * o.decay
            stack.scn[ply, k], stack.yes[ply, k] = 1, chance
            stack.no[ply, k] = other(chance)


def open_numbers(o, stack, ply, is_max):
    """The numbers of a node before its first child."""
    for k in range(len(o.T)):
        if is_max:
            stack.scn[ply, k], stack.yes[ply, k], stack.no[ply, k] = NO_WAY, NEVER, SURELY
        else:
            stack.scn[ply, k], stack.yes[ply, k], stack.no[ply, k] = 0, SURELY, NEVER


def receive_numbers(o, stack, ply, is_max):
    """One child more: its numbers are those at the next ply."""
    scn, yes, no, below = stack.scn, stack.yes, stack.no, ply + 1
    for k in range(len(o.T)):
        if is_max:
            scn[ply, k] = min(scn[ply, k], scn[below, k])
            no[ply, k] += no[below, k]
            yes[ply, k] = either(yes[ply, k], yes[below, k])
        else:
            scn[ply, k] = add_up(scn[ply, k], scn[below, k])
            yes[ply, k] += yes[below, k]
            no[ply, k] = either(no[ply, k], no[below, k])


def close_numbers(o, stack, ply, is_max, pruned):
    """No more children but ``pruned`` ones, which are leaves that nobody has looked at."""
    scn, yes, no = stack.scn, stack.yes, stack.no
    for k in range(len(o.T)):
        if pruned > 0 and is_max:
            scn[ply, k] = min(scn[ply, k], o.pruned)
            no[ply, k] += pruned * o.unseen_no
            yes[ply, k] = either(yes[ply, k], o.unseen_yes + math.log(pruned))
        elif pruned > 0:
            scn[ply, k] = add_up(scn[ply, k], min(pruned * o.pruned, NO_WAY - 1))
            yes[ply, k] += pruned * o.unseen_yes
            no[ply, k] = either(no[ply, k], o.unseen_no + math.log(pruned))
        if is_max and no[ply, k] < NEAR_NOTHING:
            yes[ply, k] = other(no[ply, k])
        elif not is_max and yes[ply, k] < NEAR_NOTHING:
            no[ply, k] = other(yes[ply, k])


Function = Callable[..., Any]
Array = np.ndarray[Any, Any]

STATIC = "static"  # moves left untried count what a leaf counts, by the evaluation
MOST_QUIET = 40  # plies of captures; beyond them the evaluation counts
CONTROL = np.dtype([("ply", "i8"), ("phase", "i8"), ("nodes", "i8"), ("limit", "i8"),
                    ("first", "i8"), ("value", "i8")])
FRAME = np.dtype([("mover", "i8"), ("depth", "i8"), ("alpha", "i8"), ("beta", "i8"),
                  ("best", "i8"), ("best_at", "i8"), ("count", "i8"), ("tried", "i8"),
                  ("at", "i8")])


class Options(NamedTuple):
    """The options that compiled functions read.

    ``T``: the thresholds; ``pruned``: the scn of a move left untried, ``unseen_yes`` and
    ``unseen_no`` its chances, or with ``looked_at`` those of a leaf; ``decay``: how a leaf's chance
    falls with every point it lacks.
    """

    T: Array
    pruned: int
    looked_at: bool
    prune: bool
    decay: float
    unseen_yes: float
    unseen_no: float
    likely: Array


class ConspiracyStack(NamedTuple):
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

    def ended(g, stack, ply):
        """The outcome of a position of the path, by repetition too."""
        end = outcome(g, stack.states[ply])
        if cyclic and end == ONGOING:
            stack.keys[ply] = word(key_of(g, stack.states[ply]))
            end, _ = repetition(g, stack, stack.words, ply - 1, stack.keys[ply], stack.states,
                                stack.words, ply)
        return end

    def enter(g, o, stack, table, ply):
        frame, control, s = stack.frames[ply], stack.control[0], stack.states[ply]
        root = stack.frames[0].mover
        control.nodes += 1
        end = ended(g, stack, ply)
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

    def glance(g, o, stack, ply, at):
        """Write the numbers of a leaf for the move at ``at``, which alpha-beta leaves untried."""
        root = stack.frames[0].mover
        play(g, stack.states[ply - 1], stack.lists[ply - 1, at], stack.states[ply])
        stack.control[0].nodes += 1
        end = ended(g, stack, ply)
        if end != ONGOING:
            leaf(o, stack, ply, score_of(worth(end, root), ply), True)
        else:
            s = stack.states[ply]
            sign = 1 if mover(g, s) == root else -1
            leaf(o, stack, ply, sign * clamped(evaluate(g, s)), False)

    def leave(g, o, stack, table, ply):
        frame = stack.frames[ply]
        if quiescence and frame.depth <= 0:
            settle(o, stack, ply, frame.best, abs(frame.best) >= SURE)
            return
        is_max = frame.mover == stack.frames[0].mover
        while o.looked_at and frame.tried < frame.count:
            glance(g, o, stack, ply + 1, next_in_order(stack, ply, frame.count))
            receive_numbers(o, stack, ply, is_max)
            frame.tried += 1
        close_numbers(o, stack, ply, is_max, frame.count - frame.tried)
        if frame.alpha >= frame.beta:
            learn(stack, ply, frame.mover, stack.lists[ply, frame.best_at], frame.depth * UNIT)
        stack.control[0].value = frame.best

    def pause(stack, end):
        control = stack.control[0]
        if control.nodes >= control.limit:
            return NODES
        return SLICE if control.nodes >= end or stack.stop[0] != 0 else GO

    return loop_of(enter, more, receive, leave, pause)


class Depth(NamedTuple):
    """The result of a depth: the value, the best move's code, and for each threshold the numbers.

    ``yes`` and ``no`` are the logarithms of the chance to reach the threshold, and not to.
    """

    depth: int
    value: int
    move: int
    scn: tuple[float, ...]
    yes: tuple[float, ...]
    no: tuple[float, ...]
    nodes: int


def options_of(T: tuple[int, ...], scale: float, pruned: int | str = 1, unseen: float = 0.5,
               prune: bool = True) -> Options:
    """The options for the kernel: a leaf ``scale`` points below T reaches it by a chance of 1/2;
    ``pruned`` is a number or STATIC."""
    yes, no = (math.log(p) if p > 0 else NEVER for p in (unseen, 1.0 - unseen))
    return Options(np.array(T, np.int64), 0 if isinstance(pruned, str) else pruned,
                   pruned == STATIC, prune, LOG_2 / scale, yes, no, np.zeros(1, np.int64))


class Deepening:
    """A search of ``position``, whose game is not over, to depth 1, then 2, up to ``deepest``."""

    def __init__(self, position: Position, options: Options, deepest: int,
                 quiescence: bool = False) -> None:
        self.game, self.rules, self.options = position.game, position.game.rules, options
        self.deepest, self.found, self.quiescence = deepest, list[Depth](), quiescence
        plies = deepest + MOST_QUIET if quiescence else deepest
        self.stack = self._stack(plies + 2, len(options.T))
        self.stack.states[0] = position.state[0]
        self.stack.frames[0]["mover"] = position.mover
        self.stack.control[0]["first"] = -1
        self._iterate()

    def _iterate(self) -> None:
        control, frame = self.stack.control[0], self.stack.frames[0]
        control["ply"], control["phase"] = 0, DOWN
        frame["depth"], frame["alpha"], frame["beta"] = len(self.found) + 1, -INF, INF

    def advance(self, budget: int, node_limit: int) -> int:
        """At most ``budget`` nodes; why the loop came back, SOLVED once all depths are done."""
        control, end = self.stack.control[0], self.nodes + budget
        control["limit"] = node_limit
        while len(self.found) < self.deepest:
            with rules_that_compile(self.game.name, self._run):
                reason = int(self._run(self.rules.data, self.options, self.stack, (),
                                       end - self.nodes))
            if reason == TOO_MANY:
                raise too_many_moves(self.game)
            if reason != SOLVED:
                return reason
            self._complete()
        return SOLVED

    def _complete(self) -> None:
        """A depth is done: note it, and make ready for the next."""
        stack, frame = self.stack, self.stack.frames[0]
        best = int(frame["best_at"])
        scn = tuple(math.inf if n == NO_WAY else int(n) for n in stack.scn[0])
        self.found.append(Depth(
            int(frame["depth"]), int(stack.control[0]["value"]), int(stack.lists[0, best]), scn,
            tuple(map(float, stack.yes[0])), tuple(map(float, stack.no[0])), self.nodes))
        stack.control[0]["first"] = best
        self._iterate()

    @cached_property
    def _run(self) -> Any:
        return kernel(run_of(self.rules, self.quiescence))

    @property
    def nodes(self) -> int:
        """Positions looked at, at all depths together."""
        return int(self.stack.control[0]["nodes"])

    def _stack(self, length: int, thresholds: int) -> ConspiracyStack:
        states, width = states_array(self.rules, length), len(moves_array(self.rules))
        control, frames = np.zeros(1, CONTROL), np.zeros(length, FRAME)
        if not jit_enabled():
            control, frames = control.view(np.recarray), frames.view(np.recarray)
        numbers = (length, thresholds)
        return ConspiracyStack(
            frames=frames, states=states, keys=np.zeros(length, np.uint64), words=words_of(states),
            lists=np.zeros((length, width), np.int32), kinds=np.zeros((length, width), np.int32),
            orders=np.zeros((length, width), np.int64), killers=np.full((length, 2), -1, np.int32),
            history=np.zeros((2, HISTORY), np.int64), scn=np.zeros(numbers, np.int64),
            yes=np.zeros(numbers), no=np.zeros(numbers), stop=np.zeros(1, np.uint8),
            control=control,
        )
