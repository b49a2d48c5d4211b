"""A minimax search seen from Python: an engine, which deepens, and the runs that ask it questions.

In a checkpoint it keeps the path, what orders moves, and the table. The loop comes back before it
enters a node: those above it have their moves, it has none yet.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.compiler.jit import kernel, rules_that_compile
from zermelo.core.board import moves_array, records, states_array
from zermelo.search import base
from zermelo.search.base import Proof, Task
from zermelo.search.common.rules import first_path, kept, may_lengthen
from zermelo.search.common.saved import Saved, Saving
from zermelo.search.common.table import TranspositionTable, words_of
from zermelo.search.minimax.driver import HISTORY, run_of
from zermelo.search.minimax.inspector import Walk, open_node, peek_of
from zermelo.search.minimax.plan import (
    BOUND_WORDS,
    CONTROL,
    DONE,
    DOWN,
    DRAW,
    ENTRY_WORDS,
    EXACT,
    FRAME,
    INF,
    LOSS,
    PROBE,
    ROOT_MOVE,
    UNIT,
    WIN,
    Stack,
    plies_to_end,
    shown,
)
from zermelo.search.reasons import (
    DEEPER,
    GROW,
    LOST,
    NEVER,
    SOLVED,
    TOO_MANY,
    UNKNOWN,
    WON,
    too_long,
    too_many_moves,
)

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.search.minimax.search import Minimax

FIRST_PATH = 256
SMALL_TABLE = 1 << 20
NO_PLACE = -1
BY_PLY = ("lists", "kinds", "orders")
PATH = ("frames", "states", "keys", *BY_PLY, "killers")
MOST_PLIES = 1 << 14


class Engine:
    """A search that deepens ply by ply; ``lo`` and ``hi`` bound the root's value for its mover.

    ``value``, ``depth`` and ``best`` are those of the last iteration that was finished: the score,
    the depth in units and the place of the best move. One ``beside`` another has its table.
    """

    def __init__(self, search: Minimax, task: Task, beside: Engine | None = None) -> None:
        self.game, self.rules = task.position.game, task.position.game.rules
        self.search, self.plan = search, search.plan
        self.options = search.data(self.rules, task.seed)
        self.path_length = first_path(self.rules, FIRST_PATH)
        self.stack = self._stack()
        self.stack.control[0]["plain"] = task.plain
        self.table: TranspositionTable = beside.table if beside is not None else TranspositionTable(
            self._share(task.memory), ENTRY_WORDS, self.rules.exact_key)
        if beside is not None:
            self._run = beside._run
        self.aim(task.position.state[0], task.position.mover)

    def aim(self, state: Any, mover: int, within: int | None = None) -> None:
        """Begin again at ``state``, with what the table knows."""
        self.lo, self.hi, self.value, self.depth, self.best = LOSS, WIN, 0, 0, NO_PLACE
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
        """Enter at most ``budget`` nodes, or until the root is at least ``lo`` or at most
        ``hi``."""
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
        return Stack(
            frames=records(FRAME, length), states=states, keys=np.zeros(length, np.uint64),
            words=words_of(states),
            lists=np.zeros((length, width), np.int32), kinds=np.zeros((length, width), np.int32),
            orders=np.zeros((length, width), np.int64), killers=np.full((length, 2), -1, np.int32),
            history=np.zeros((2, HISTORY), np.int64), root=records(ROOT_MOVE, width),
            stop=np.zeros(1, np.uint8), control=records(CONTROL, 1),
        )

    def _overhead(self) -> int:
        width = 2 * self.rules.max_moves + 64
        return self.path_length * (self.rules.dtype.itemsize + FRAME.itemsize + 16 * (width + 1))

    def _share(self, memory: int) -> int:
        """Bytes for the table. The path has to fit in too, except beside a table that is small."""
        return max(memory - self._overhead(), min(memory, SMALL_TABLE))

    def lengthen(self) -> None:
        """Make space for a longer path; games that are not cyclic must keep to max_length."""
        if not may_lengthen(self.rules, len(self.stack.frames)):
            raise too_long(self.game)
        old, self.path_length = self.stack, 2 * self.path_length
        new = self._stack()
        for name in PATH:
            getattr(new, name)[: len(old.frames)] = getattr(old, name)
        self.stack = new._replace(history=old.history, root=old.root, stop=old.stop,
                                  control=old.control)

    def save(self, saving: Saving) -> None:
        """Keep the path as far as it goes, the bounds, and the table."""
        stack = self.stack
        known = np.flatnonzero(stack.killers[:, 0] != NO_PLACE)
        saving.json("bounds", [self.lo, self.hi, self.value, self.depth, self.best])
        saving.fields(stack, ("frames", *BY_PLY), int(stack.control[0]["ply"]) + 1)
        saving.fields(stack, ("killers",), known.max(initial=0) + 1)
        saving.fields(stack, ("history", "root", "control"))
        saving.table("table", self.table)

    def restore(self, saved: Saved, position: Position) -> None:
        """Go on from a checkpoint of a search that began at ``position``."""
        frames = saved.array("frames", self.stack.frames.dtype)
        control = saved.record("control", self.stack.control, ("plain",))
        killers = saved.count("killers") // 2
        saved.require(control["ply"] == len(frames) - 1 and control["phase"] == DOWN
                      and killers <= MOST_PLIES)
        while len(self.stack.frames) < max(len(frames) + 1, killers):
            self.lengthen()
        stack, width, above = self.stack, self.stack.lists.shape[1], frames[:-1]
        self.lo, self.hi, self.value, self.depth, self.best = map(int, saved.json("bounds"))
        saved.within(NO_PLACE, width - 1, self.best, control["first"], frames["best_at"])
        saved.within(0, width, above["count"])
        saved.within(0, above["count"], above["tried"])
        saved.within(0, width - 1, above["at"])
        saved.within(PROBE, DONE, above["step"])
        stack.control[0] = control
        saved.fields(stack, BY_PLY, len(frames))
        saved.fields(stack, ("killers",), killers)
        saved.fields(stack, ("history", "root"))
        tried = [stack.lists[at, :count] for at, count in enumerate(above["count"])]
        for at, moves in enumerate(tried):
            saved.within(0, len(self.options.likely) - 1, stack.kinds[at, : len(moves)])
        path = saved.stand_on(stack, [position], [
            moves[at] for moves, at in zip(tried, above["at"], strict=True)], tried)
        frames["mover"] = [each.mover for each in path]
        stack.frames[: len(frames)] = frames
        saved.table("table", self.table)


class Run(base.Run):
    """An engine and what is asked of it; ``status`` is UNKNOWN, WON or LOST for the attacker."""

    nodes = iterations = 0
    open = open_node

    def __init__(self, search: Minimax, task: Task) -> None:
        super().__init__(task)
        self.search = search
        self.mine = task.position.mover == task.attacker
        earlier = task.after
        self.shared = isinstance(earlier, Run) and earlier.search == search
        self.engine: Engine = (earlier.engine if isinstance(earlier, Run) and self.shared
                               else Engine(search, task))

    def advance(self, budget: int, node_limit: int = NEVER, pause: int = NEVER) -> int:
        """Enter at most ``budget`` nodes; return the reason to stop (see ``reasons``)."""
        if self.finished != UNKNOWN:
            return SOLVED
        engine = self.engine
        nodes, iterations = engine.nodes, engine.iterations
        limit = min(nodes + node_limit - self.nodes, NEVER)
        wait = min(iterations + pause - self.iterations, NEVER)
        wins, fails = (WIN, DRAW) if self.mine else (DRAW, LOSS)
        reason = engine.advance(budget, limit, wait, wins, fails)
        self.nodes += engine.nodes - nodes
        self.iterations += engine.iterations - iterations
        return reason

    def grow(self, memory: int) -> None:
        """Use up to ``memory`` bytes from now on."""
        self.engine.grow(memory)

    @property
    def status(self) -> int:
        """UNKNOWN, WON or LOST."""
        if self.finished != UNKNOWN:
            return self.finished
        return self._status(self.engine.lo, self.engine.hi)

    def _status(self, lo: int, hi: int) -> int:
        """Return the status for the attacker by bounds of the value for the root's mover."""
        if not self.mine:
            lo, hi = -hi, -lo
        if lo == WIN:
            return WON
        return LOST if hi <= DRAW else UNKNOWN

    @property
    def counters(self) -> dict[str, Any]:
        """Positions evaluated; not ``exact`` if the table has lost entries of an iteration."""
        control = self.engine.stack.control[0]
        lost = int(control["evicted"] + control["lost"])
        evaluated = 0 if self.shared else int(control["evaluated"])
        return {"evaluated": evaluated, "exact": lost == 0}

    @property
    def bytes(self) -> int:
        """The memory in use."""
        return 0 if self.shared else self.engine.bytes

    def numbers(self) -> dict[str, Any]:
        """Return the value for the player to move by the last iteration that ended, and its depth.

        A ``value`` is a fact; what depends on the depth is called an ``estimate``.
        """
        engine = self.engine
        if self.finished != UNKNOWN or engine.depth == 0:
            return {}
        depth = {"depth": engine.depth // UNIT}
        if engine.lo == engine.hi == DRAW:
            return {"value": "draw", **depth}
        known = plies_to_end(engine.value) is not None
        return {"value" if known else "estimate": shown(engine.value), **depth}

    def moves(self) -> list[tuple[int, int, dict[str, Any]]]:
        """The root's moves: (move, status, numbers), the points for the player who makes it.

        A claim that rests on a repetition of the root is worth what the root's own is.
        """
        if self.finished != UNKNOWN:
            return []
        rows = []
        for row in self.engine.root_moves():
            status = self._status(int(row["lo"]), int(row["hi"]))
            here = self._status(int(row["here_lo"]), int(row["here_hi"]))
            if status == UNKNOWN and here == self.status:
                status = here
            rows.append((int(row["move"]), status, {
                "points": shown(int(row["score"])), "depth": int(row["depth"]) // UNIT,
                "bound": BOUND_WORDS[int(row["bound"])]}))
        return rows

    def chosen(self) -> int | None:
        """The root's move that would be played now; None while there is none."""
        return None if self.finished != UNKNOWN else self.engine.favourite()

    @property
    def path(self) -> list[tuple[int, dict[str, Any]]]:
        """The moves of the path being searched, with the depth that is left there."""
        stack = self.engine.stack
        found = []
        for ply in range(int(stack.control[0]["ply"])):
            move = int(stack.lists[ply, stack.frames[ply]["at"]])
            found.append((move, {"depth": int(stack.frames[ply + 1]["depth"]) / UNIT}))
        return found

    def walk(self) -> Walk:
        """A walk through the proof found."""
        return Walk(self)

    def proof(self) -> Proof:
        """The plies to the end: which positions lead there is not kept."""
        return Proof(plies=lambda: plies_to_end(self.engine.value))

    @property
    def fill(self) -> float:
        """The part of the table, as large as it may become, that is in use."""
        return self.engine.table.fill

    def beside(self) -> Engine:
        """Return an engine beside the run's own, with the same table."""
        return Engine(self.search, self.task, self.engine)

    @cached_property
    def glass(self) -> Engine:
        """An engine to look at positions with."""
        return self.beside()

    @cached_property
    def peek(self) -> Any:
        """The kernel that reads the entries of positions."""
        return kernel(peek_of(self.engine.rules))

    def save(self, saving: Saving) -> None:
        """Keep the counts of the run, and its engine, unless an earlier run has it."""
        saving.json("counts", [self.nodes, self.iterations])
        if self.finished == UNKNOWN and not self.shared:
            self.engine.save(saving)

    def restore(self, saved: Saved) -> None:
        """Let a run that has just begun go on from a checkpoint."""
        self.nodes, self.iterations = map(int, saved.json("counts"))
        if self.finished == UNKNOWN and not self.shared:
            self.engine.restore(saved, self.position)
