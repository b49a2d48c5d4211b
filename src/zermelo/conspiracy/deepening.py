"""Deepening: a search for conspiracy numbers seen from Python, one depth after the other."""

from __future__ import annotations

import math
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zermelo.compiler.compile_errors import rules_that_compile
from zermelo.compiler.jit import jit_enabled, kernel
from zermelo.conspiracy.driver import (
    CONTROL,
    FRAME,
    LOG_2,
    MOST_QUIET,
    NEVER,
    NO_WAY,
    Options,
    Stack,
    run_of,
)
from zermelo.core.board import moves_array, states_array
from zermelo.search.common.table import words_of
from zermelo.search.minimax.driver import HISTORY
from zermelo.search.minimax.plan import DOWN, INF
from zermelo.search.reasons import SOLVED, TOO_MANY, too_many_moves

if TYPE_CHECKING:
    from zermelo.core.position import Position


class Depth(NamedTuple):
    """What a depth says: the value, the best move's code, and for each threshold the numbers.

    ``yes`` and ``no`` are the logarithms of the chance to reach the threshold, and not to.
    """

    depth: int
    value: int
    move: int
    scn: tuple[float, ...]
    yes: tuple[float, ...]
    no: tuple[float, ...]
    nodes: int


def options_of(T: tuple[int, ...], scale: float, pruned: int = 1, unseen: float = 0.5,
               prune: bool = True) -> Options:
    """The options for the kernel: a leaf ``scale`` points below T reaches it by a chance of 1/2."""
    yes, no = (math.log(p) if p > 0 else NEVER for p in (unseen, 1.0 - unseen))
    return Options(np.array(T, np.int64), pruned, prune, LOG_2 / scale, yes, no,
                   np.zeros(1, np.int64))


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

    def _stack(self, length: int, thresholds: int) -> Stack:
        states, width = states_array(self.rules, length), len(moves_array(self.rules))
        control, frames = np.zeros(1, CONTROL), np.zeros(length, FRAME)
        if not jit_enabled():
            control, frames = control.view(np.recarray), frames.view(np.recarray)
        numbers = (length, thresholds)
        return Stack(
            frames=frames, states=states, keys=np.zeros(length, np.uint64), words=words_of(states),
            lists=np.zeros((length, width), np.int32), kinds=np.zeros((length, width), np.int32),
            orders=np.zeros((length, width), np.int64), killers=np.full((length, 2), -1, np.int32),
            history=np.zeros((2, HISTORY), np.int64), scn=np.zeros(numbers, np.int64),
            yes=np.zeros(numbers), no=np.zeros(numbers), stop=np.zeros(1, np.uint8),
            control=control,
        )
