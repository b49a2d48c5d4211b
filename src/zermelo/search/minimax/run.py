"""Run: does the attacker win? Asked of an engine, which may have answered it already."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

from zermelo.compiler.jit import kernel
from zermelo.search.base import Opened, Proof, Task
from zermelo.search.common.rules import finished
from zermelo.search.minimax import saved
from zermelo.search.minimax.engine import Engine
from zermelo.search.minimax.inspector import Walk, open_node, peek_of
from zermelo.search.minimax.plan import Planned
from zermelo.search.minimax.score import BOUND_WORDS, DRAW, LOSS, UNIT, WIN, plies_to_end, shown
from zermelo.search.reasons import LOST, NEVER, SOLVED, UNKNOWN, WON


class Run:
    """An engine and what is asked of it; ``status`` is UNKNOWN, WON or LOST for the attacker."""

    arrived = False  # no conclusion short of a proof
    leans_to_win = False

    save, restore = saved.save, saved.restore

    def __init__(self, search: Planned, task: Task) -> None:
        self.search, self.task = search, task
        self.position, self.attacker = task.position, task.attacker
        self.finished = finished(task)
        self.mine = task.position.mover == task.attacker
        earlier = task.after
        self.shared = isinstance(earlier, Run) and earlier.search == search
        self.engine: Engine = (earlier.engine if isinstance(earlier, Run) and self.shared
                               else Engine(search, task))
        self.nodes = self.iterations = 0

    def advance(self, budget: int, node_limit: int = NEVER, pause: int = NEVER) -> int:
        """At most ``budget`` nodes; why the loop came back (see ``reasons``)."""
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
        """What bounds of the value for the root's mover say about the attacker."""
        if not self.mine:
            lo, hi = -hi, -lo
        if lo == WIN:
            return WON
        return LOST if hi <= DRAW else UNKNOWN

    @property
    def proof_length(self) -> int:
        """Not kept."""
        return 0

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
        """What the last iteration that ended says to the player to move, and its depth.

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

    def open(self, path: Sequence[int], offset: int, count: int) -> Opened:
        """The position that ``path`` leads to, and what the table has about its children."""
        return open_node(self, path, offset, count)

    @property
    def fill(self) -> float:
        """Which part of the table, as large as it may become, is in use."""
        return self.engine.table.fill

    @cached_property
    def glass(self) -> Engine:
        """An engine beside the run's own, to look at positions with."""
        return Engine(self.search, self.task, self.engine)

    @cached_property
    def peek(self) -> Any:
        """What reads the entries of positions."""
        return kernel(peek_of(self.engine.rules))
