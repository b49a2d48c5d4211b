"""Engine: one iterative deepening from one position, seen from Python. Runs may share it."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np

from zermelo.compiler.compile_errors import rules_that_compile
from zermelo.compiler.jit import jit_enabled, kernel
from zermelo.core.board import moves_array, states_array
from zermelo.search.base import Task
from zermelo.search.common.rules import first_path, kept, may_lengthen
from zermelo.search.common.table import Table, words_of
from zermelo.search.minimax.driver import run_of
from zermelo.search.minimax.order import HISTORY
from zermelo.search.minimax.plan import CONTROL, DOWN, FRAME, ROOT_MOVE, Planned, Stack
from zermelo.search.minimax.score import DRAW, EXACT, INF, LOSS, UNIT, WIN, plies_to_end
from zermelo.search.minimax.table import ENTRY_WORDS
from zermelo.search.reasons import (
    DEEPER,
    GROW,
    NEVER,
    SOLVED,
    TOO_MANY,
    too_long,
    too_many_moves,
)

FIRST_PATH = 256
SMALL_TABLE = 1 << 20
NOBODY = -1


class Engine:
    """A search that deepens ply by ply; ``lo`` and ``hi`` bound the root's value for its mover.

    ``value``, ``depth`` and ``best`` are those of the last iteration that was finished: the score,
    the depth in units and the place of the best move. One ``beside`` another has its table.
    """

    def __init__(self, search: Planned, task: Task, beside: Engine | None = None) -> None:
        self.game, self.rules = task.position.game, task.position.game.rules
        self.search, self.plan = search, search.plan()
        self.options = search.data(self.rules, task.seed)
        self.path_length = first_path(self.rules, FIRST_PATH)
        self.stack = self._stack()
        self.stack.control[0]["plain"] = task.plain
        self.table: Table = (beside.table if beside is not None else
                             Table(self._share(task.memory), ENTRY_WORDS, self.rules.exact_key))
        if beside is not None:
            self._run = beside._run
        self.aim(task.position.state[0], task.position.mover)

    def aim(self, state: Any, mover: int, within: int | None = None) -> None:
        """Begin anew at ``state``, with what the table knows."""
        self.lo, self.hi, self.value, self.depth, self.best = LOSS, WIN, 0, 0, NOBODY
        self.stack.states[0] = state
        self.stack.frames[0]["mover"] = mover
        root, control = self.stack.root, self.stack.control[0]
        root["depth"], root["lo"], root["hi"], root["here_lo"], root["here_hi"] = (
            0, LOSS, WIN, LOSS, WIN)
        control["strict"], control["within"] = 0, NEVER if within is None else within
        self._iterate(UNIT)

    def _iterate(self, depth: int) -> None:
        """Make ready for an iteration."""
        control, frame = self.stack.control[0], self.stack.frames[0]
        control["ply"], control["phase"], control["depth"] = 0, DOWN, depth
        control["first"] = self.best
        control["age"] += 1
        frame["depth"], frame["alpha"], frame["beta"], frame["tried"] = depth, -INF, INF, 0

    def advance(self, budget: int, node_limit: int, pause: int, lo: int, hi: int) -> int:
        """At most ``budget`` nodes, or until the root is at least ``lo`` or at most ``hi``."""
        control, end = self.stack.control[0], self.nodes + budget
        control["limit"], control["pause"] = node_limit, pause
        while not (self.lo >= lo or self.hi <= hi):
            control["patience"] = self.table.patience
            reason = self._run_once(end - self.nodes)
            if reason == DEEPER:
                self.lengthen()
                control = self.stack.control[0]
            elif reason == GROW:
                self.table.grow()
                control["lost"] += control["evicted"]
                control["evicted"] = 0
            elif reason == SOLVED:
                self._complete()
            elif reason == TOO_MANY:
                raise too_many_moves(self.game)
            else:
                return reason
        return SOLVED

    def _complete(self) -> None:
        """An iteration is over: book it, and make ready for the next.

        A tree seen to its end that settles nothing went round in circles whose scores came from
        the table. From then on only claims cut.
        """
        control, frame = self.stack.control[0], self.stack.frames[0]
        self.value, self.best = int(control["score"]), int(frame["best_at"])
        self.depth = int(control["depth"])
        self.lo, self.hi = max(self.lo, int(control["lo"])), min(self.hi, int(control["hi"]))
        if control["closed"] and self.lo < self.hi:
            control["strict"] = 1
        self._iterate(self.depth + UNIT)

    def _run_once(self, budget: int) -> int:
        with rules_that_compile(self.game.name, self._run):
            return int(self._run(self.rules.data, self.options, self.stack, self.table.words,
                                 budget))

    @cached_property
    def _run(self) -> Any:
        return kept(self.game, (Engine, self.search),
                    lambda: kernel(run_of(self.rules, self.plan)))

    @property
    def nodes(self) -> int:
        """Positions looked at."""
        return int(self.stack.control[0]["nodes"])

    @property
    def iterations(self) -> int:
        """Expansions: positions whose moves were made."""
        return int(self.stack.control[0]["expansions"])

    @property
    def bytes(self) -> int:
        """The memory in use."""
        return self._overhead() + self.table.bytes

    def grow(self, memory: int) -> None:
        """Use up to ``memory`` bytes from now on."""
        self.table.most = max(self.table.most, self._share(memory))

    def root_moves(self) -> list[Any]:
        """The root's moves that have been searched, in the game's order."""
        return [row for row in self.stack.root if row["depth"] > 0]

    def favourite(self) -> int | None:
        """The root's move that would be played now, by its code."""
        if self.lo == WIN or self.lo == self.hi:
            return self.keeping(self.lo)
        frame = self.stack.frames[0]
        under_way = frame["tried"] > 0 and frame["best_at"] >= 0
        best = int(frame["best_at"]) if under_way else self.best
        return None if best < 0 else int(self.stack.root[best]["move"])

    def keeping(self, lo: int) -> int:
        """The best move, by its score, of those that are proved to be worth at least ``lo``."""
        rows = [row for row in self.root_moves() if max(row["lo"], row["here_lo"]) >= lo]
        best = max(rows, key=lambda row: (int(row["score"]), row["bound"] == EXACT))
        return int(best["move"])

    def look(self, state: Any, mover: int, lo: int, hi: int, within: int | None,
             nodes: int) -> tuple[int, int] | None:
        """(score, move) of ``state``, searched until it is at least ``lo`` or at most ``hi``.

        ``within``: a win or loss must come within this many plies. None if ``nodes`` do not do.
        """
        self.aim(state, mover, within)
        end = self.nodes + nodes
        while self.advance(end - self.nodes, NEVER, NEVER, lo, hi) == SOLVED:
            plies = plies_to_end(self.value)
            drawn = lo <= DRAW or hi >= DRAW
            if drawn or (plies is not None and (within is None or plies <= within)):
                return self.value, self.keeping(lo if self.lo >= lo else LOSS)
            self.lo, self.hi = LOSS, WIN
        return None

    def _stack(self) -> Stack:
        rules, length = self.rules, self.path_length
        states, width = states_array(rules, length), len(moves_array(rules))
        control, frames = np.zeros(1, CONTROL), np.zeros(length, FRAME)
        root = np.zeros(width, ROOT_MOVE)
        if not jit_enabled():
            control, frames, root = (x.view(np.recarray) for x in (control, frames, root))
        return Stack(
            frames=frames, states=states, keys=np.zeros(length, np.uint64), words=words_of(states),
            lists=np.zeros((length, width), np.int32), kinds=np.zeros((length, width), np.int32),
            orders=np.zeros((length, width), np.int64), killers=np.full((length, 2), -1, np.int32),
            history=np.zeros((2, HISTORY), np.int64), root=root, stop=np.zeros(1, np.uint8),
            control=control,
        )

    def _overhead(self) -> int:
        width = 2 * self.rules.max_moves + 64
        return self.path_length * (self.rules.dtype.itemsize + FRAME.itemsize + 16 * (width + 1))

    def _share(self, memory: int) -> int:
        """Bytes for the table. The path has to fit in too, except beside a table that is small."""
        return max(memory - self._overhead(), min(memory, SMALL_TABLE))

    def lengthen(self) -> None:
        """Room for a longer path; games that are not cyclic must keep to max_length."""
        if not may_lengthen(self.rules, len(self.stack.frames)):
            raise too_long(self.game)
        old, self.path_length = self.stack, 2 * self.path_length
        new = self._stack()
        for name in ("frames", "states", "keys", "lists", "kinds", "orders", "killers"):
            getattr(new, name)[: len(old.frames)] = getattr(old, name)
        self.stack = new._replace(history=old.history, root=old.root, stop=old.stop,
                                  control=old.control)
