"""solve(), start() and Session: ask the questions, run them in slices, report."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from zermelo.errors import BadOption, quoted
from zermelo.kernel.jit import tally
from zermelo.kernel.pool import LOST, UNKNOWN, WON
from zermelo.line import proof_line
from zermelo.position import Position
from zermelo.result import Limits, MoveValue, Progress, Result, Value
from zermelo.search.base import Search
from zermelo.search.best_first.driver import MEMORY, NEVER, NODES, PRECISION, SLICE, SOLVED
from zermelo.search.registry import search as search_by_id

GOALS = ("win", "value")
REASONS = {SOLVED: "solved", PRECISION: "precision", NODES: "nodes", MEMORY: "memory"}
SLICE_SECONDS = 0.05
PROGRESS_SECONDS = 0.2
FIRST_SLICE, LARGEST_SLICE = 1, 1 << 30  # expansions: one may take long where it plays many games
DEFAULT_SEARCH = "pn"

ProgressCallback = Callable[[Progress], None]


class Session:
    """A search that can be continued: ``run`` with larger limits goes on where the last one ended.

    ``goal="win"`` asks whether ``player`` (the side to move, unless given) wins; ``goal="value"``
    asks also, if not, whether the opponent does.
    """

    def __init__(self, position: Position, search: Search | str | None = None, *,
                 goal: str = "value", seed: int = 0, plain: bool = False, trace: int | None = None,
                 player: int | None = None) -> None:
        if not isinstance(position, Position):
            raise BadOption(f"{quoted(position)} is no Position; game.parse(text) makes one.")
        if goal not in GOALS:
            raise BadOption(f"goal={quoted(goal)} is not one of {', '.join(GOALS)}.")
        if not isinstance(seed, int) or isinstance(seed, bool) or not 0 <= seed < 2**64:
            raise BadOption(f"seed={quoted(seed)} is not a whole number from 0 to 2**64 - 1.")
        if trace is not None and (type(trace) is not int or trace < 1):
            raise BadOption(f"trace={quoted(trace)} is not a whole number of at least 1.")
        if player not in (None, 0, 1):
            raise BadOption(f"player={quoted(player)} is not 0 (first), 1 (second) or None.")
        search = chosen_search(search)
        self.position, self.search, self.goal, self.seed = position, search, goal, seed
        self.plain, self.player = plain, position.mover if player is None else player
        self.seconds = self.compile_seconds = 0.0
        self.trace_step, self.trace = trace, []  # type: tuple[int | None, list[dict[str, Any]]]
        self.questions: list[Any] = []
        self.stopped = "interrupted"
        self.cancelled = False
        self._budget = FIRST_SLICE

    def run(self, limits: Limits | None = None, progress: ProgressCallback | None = None) -> Result:
        """Search until the goal is reached or a limit (a total over all runs) is met."""
        limits = Limits() if limits is None else limits
        if not isinstance(limits, Limits):
            raise BadOption(f"run needs Limits, such as Limits(nodes=1000), not {quoted(limits)}.")
        began, compiled_before = time.perf_counter(), tally.seconds
        searched_before = self.seconds

        def settle_clock() -> None:
            self.seconds = searched_before + time.perf_counter() - began - (
                tally.seconds - compiled_before)

        try:
            self._run(limits, progress, settle_clock)
        except KeyboardInterrupt:
            if not self.questions:
                raise  # still compiling: there is nothing to keep
            self.stopped = "interrupted"
        settle_clock()
        self.compile_seconds += tally.seconds - compiled_before
        return self.result()

    def cancel(self) -> None:
        """Make ``run``, in another thread, come back soon with a partial result."""
        self.cancelled = True

    def prepare(self, limits: Limits | None = None) -> None:
        """Compile or load what ``run`` needs, without an expansion."""
        compiled_before = tally.seconds
        if not self.questions:
            self._ask(self.player, (limits or Limits()).memory_bytes)
        self.compile_seconds += tally.seconds - compiled_before

    def _run(self, limits: Limits, progress: ProgressCallback | None,
             settle_clock: Callable[[], None]) -> None:
        memory = limits.memory_bytes
        reported = 0.0
        if not self.questions:
            self._ask(self.player, memory)
        while True:
            question = self.questions[-1]
            question.grow(memory - sum(q.bytes for q in self.questions[:-1]))
            reason = self._slice(question, limits)
            settle_clock()
            if progress is not None and self.seconds - reported >= PROGRESS_SECONDS:
                reported = self.seconds
                progress(self.progress())
            if self.cancelled:
                self.cancelled, self.stopped = False, "interrupted"
                return
            if reason == SLICE:
                if limits.time is not None and self.seconds >= limits.time:
                    self.stopped = "time"
                    return
                continue
            self.stopped = REASONS[reason]
            if reason not in (SOLVED, PRECISION) or not self._second_question(memory):
                return

    def _slice(self, question: Any, limits: Limits) -> int:
        """About 50 ms of search; fewer where the time limit is near."""
        goal_seconds = SLICE_SECONDS
        if limits.time is not None:
            goal_seconds = min(goal_seconds, max(limits.time - self.seconds, 1e-4))
        earlier = sum(q.nodes for q in self.questions[:-1])
        node_limit = NEVER if limits.nodes is None else limits.nodes - earlier
        pause = NEVER
        if self.trace_step is not None:
            pause = (question.iterations // self.trace_step + 1) * self.trace_step
        began, compiled_before = time.perf_counter(), tally.seconds
        reason: int = question.advance(self._budget, node_limit, pause)
        took = time.perf_counter() - began - (tally.seconds - compiled_before)
        factor = min(4.0, max(0.05, goal_seconds / max(took, 1e-6)))
        self._budget = min(int(self._budget * factor) + 1, LARGEST_SLICE)
        if self.trace_step is not None and question.iterations == pause:
            self._sample(question)
        return reason

    def _ask(self, attacker: int, memory: int) -> None:
        used = sum(question.bytes for question in self.questions)
        self.questions.append(
            self.search.ask(self.position, attacker, self.seed, self.plain, memory - used)
        )
        self._budget = FIRST_SLICE

    def _second_question(self, memory: int) -> bool:
        """Ask about the opponent if the goal needs it; False if all is said."""
        if self.goal == "value" and len(self.questions) == 1 and self._answer(0) == LOST:
            self._ask(1 - self.player, memory)
            return True
        return False

    def _answer(self, index: int) -> int:
        """WON, LOST or UNKNOWN: what a question says, proved or concluded at the precision."""
        if index >= len(self.questions):
            return UNKNOWN
        question = self.questions[index]
        if question.status != UNKNOWN or not question.arrived:
            return int(question.status)
        return WON if question.leans_to_win else LOST

    def _sample(self, question: Any) -> None:
        chosen = question.chosen()
        move = None if chosen is None else self._move_name(question, chosen)
        self.trace.append({
            "question": len(self.questions), "iterations": question.iterations,
            "nodes": question.nodes, "root": question.numbers(), "move": move,
        })

    def _move_name(self, question: Any, child: int) -> str:
        return self.position.game.move_name(
            self.position, int(question.tree.nodes[child]["move"]))

    def progress(self) -> Progress:
        """Where the search stands now."""
        question = self.questions[-1]
        names = self.position.game.players
        nodes = sum(q.nodes for q in self.questions)
        return Progress(
            question=f"does {names[question.attacker]} win?", nodes=nodes,
            iterations=sum(q.iterations for q in self.questions), seconds=self.seconds,
            nodes_per_second=nodes / max(self.seconds, 1e-9),
            bytes=sum(q.bytes for q in self.questions), root=question.numbers(),
        )

    def result(self) -> Result:
        """What is known now."""
        if not self.questions:  # interrupted before the first slice
            self._ask(self.player, 1 << 20)
        value, proved = self._value()
        complete = value != Value.UNKNOWN and (self.goal == "win" or value != Value.NOT_WIN)
        line = self._line(value) if proved and complete else []
        move: str | None = line[0] if line else None
        if move is None and complete and not proved:
            move = self._favourite(value)
        return Result(
            position=self.position, search=self.search, goal=self.goal, seed=self.seed,
            value=value, proved=proved, concluded=value != Value.UNKNOWN, stopped=self.stopped,
            move=move, line=line, nodes=sum(q.nodes for q in self.questions),
            iterations=sum(q.iterations for q in self.questions), seconds=self.seconds,
            compile_seconds=self.compile_seconds, peak_bytes=sum(q.bytes for q in self.questions),
            root=self.questions[-1].numbers(), moves=self._moves(), trace=list(self.trace),
        )

    def _value(self) -> tuple[Value, bool]:
        """The value for ``player``, and whether it is proved."""
        first, second = self._answer(0), self._answer(1)
        value = _combine(first, second, self.goal)
        needed = {Value.WIN: self.questions[:1], Value.NOT_WIN: self.questions[:1],
                  Value.LOSS: self.questions[1:], Value.DRAW: self.questions}.get(value, [])
        proved = bool(needed) and all(question.status != UNKNOWN for question in needed)
        return value, proved

    def _line(self, value: Value) -> list[str]:
        if value == Value.WIN:
            return proof_line(self.questions[:1])
        if value == Value.LOSS:
            return proof_line(self.questions[1:])
        return proof_line(self.questions) if value == Value.DRAW else []

    def _favourite(self, value: Value) -> str | None:
        if self.goal == "win" and value != Value.WIN:
            return None
        chosen = self.questions[-1].chosen()
        return None if chosen is None else self._move_name(self.questions[-1], chosen)

    def _moves(self) -> list[MoveValue]:
        """Every root move with its value for ``player`` and its numbers in the last question."""
        found: dict[int, list[int]] = {}
        numbers: dict[int, dict[str, Any]] = {}
        for index, question in enumerate(self.questions):
            for child in question.children():
                code = int(question.tree.nodes[child]["move"])
                found.setdefault(code, [UNKNOWN, UNKNOWN])[index] = int(
                    question.tree.nodes[child]["status"])
                numbers[code] = question.numbers(child)
        rows = []
        for code in self.position.codes():
            first, second = found.get(code, (UNKNOWN, UNKNOWN))
            value = _combine(first, second, self.goal)
            rows.append(MoveValue(self.position.game.move_name(self.position, code), value,
                                  value != Value.UNKNOWN, numbers.get(code, {})))
        return rows


def _combine(first: int, second: int, goal: str) -> Value:
    """The value from the answers to "does the player win?" and "does the opponent win?"."""
    if first == WON:
        return Value.WIN
    if goal == "value" and second == WON:
        return Value.LOSS
    if first == LOST:
        return Value.DRAW if goal == "value" and second == LOST else Value.NOT_WIN
    return Value.UNKNOWN


def chosen_search(search: Search | str | None) -> Search:
    """The search given, by its id or as it is; the default one if there is none."""
    if search is None or isinstance(search, str):
        return search_by_id(DEFAULT_SEARCH if search is None else search)
    if not isinstance(search, Search):
        raise BadOption(f"{quoted(search)} is no search; give an id, or zermelo.PN() and the like.")
    return search


def start(position: Position, search: Search | str | None = None, **options: Any) -> Session:
    """A session that has not searched yet; see ``Session`` for the options."""
    return Session(position, search, **options)


def solve(position: Position, search: Search | str | None = None, *, goal: str = "value",
          nodes: float | str | None = None, time: float | str | None = None,
          memory: float | str | None = None, seed: int = 0, plain: bool = False,
          trace: int | None = None, progress: ProgressCallback | None = None) -> Result:
    """Who wins ``position``? Searches until that is proved or a limit is met."""
    limits = Limits(nodes=nodes, time=time, memory=memory)  # type: ignore[arg-type]
    session = Session(position, search, goal=goal, seed=seed, plain=plain, trace=trace)
    return session.run(limits, progress)
