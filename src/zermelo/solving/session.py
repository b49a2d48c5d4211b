"""solve(), start() and Session: ask the questions, run them in slices, report."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from zermelo.core.position import Position
from zermelo.errors import BadOption, quoted
from zermelo.kernel.jit import tally
from zermelo.search.base import Search, Task
from zermelo.search.common.status import LOST, UNKNOWN, WON
from zermelo.search.reasons import CANDIDATES, MEMORY, NEVER, NODES, PRECISION, SLICE, SOLVED
from zermelo.search.selection import (
    check_candidates,
    check_fit,
    check_zones,
    chosen_search,
    zones_of,
)
from zermelo.search.zones.options import Zones
from zermelo.search.zones.run import start_by_zones
from zermelo.solving.goals import GOALS, Subgoal, distance, next_subgoal, score_bounds, value_of
from zermelo.solving.proof_line import proof_line
from zermelo.solving.result import Limits, MoveValue, Progress, Result, Value

REASONS = {SOLVED: "solved", PRECISION: "precision", NODES: "nodes", MEMORY: "memory",
           CANDIDATES: "candidates"}
SLICE_SECONDS = 0.05
PROGRESS_SECONDS = 0.2
MOST_THREADS = 256
LONGEST_PATH = 60
FIRST_SLICE, LARGEST_SLICE = 1, 1 << 30  # expansions: one may take long where it plays many games

ProgressCallback = Callable[[Progress], None]


class Session:
    """A search that can be continued: ``run`` with larger limits goes on where the last one ended.

    ``goal="win"`` asks whether ``player`` (the side to move, unless given) wins; ``goal="value"``
    asks also, if not, whether the opponent does; ``"score"`` asks for the final score, and
    ``"shortest"`` also how soon the winner can win. ``candidates``: the player tries the game's
    candidates only (checks, in Xiangqi; relevance zones, where lines are completed, which may be
    given as ``Zones``). A win so found is a win; running out of them says nothing.
    """

    def __init__(self, position: Position, search: Search | str | None = None, *,
                 goal: str = "value", seed: int = 0, plain: bool = False, trace: int | None = None,
                 player: int | None = None, threads: int = 1,
                 candidates: bool | Zones = False) -> None:
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
        if type(threads) is not int or not 1 <= threads <= MOST_THREADS:
            raise BadOption(f"threads={quoted(threads)} is not a whole number from 1 to "
                            f"{MOST_THREADS}.")
        if goal == "score" and position.game.rules.score is None:
            raise BadOption(f"goal='score': {position.game.name} has no final score; valid goals "
                            "are win, value and shortest.")
        if goal == "score" and position.game.rules.cyclic:
            raise BadOption(f"goal='score': positions of {position.game.name} can come again; "
                            "valid goals are win, value and shortest.")
        self.zones = zones_of(position.game, candidates)
        search = chosen_search(search, position.game, narrow=self.zones is not None)
        check_fit(search, position.game, goal, threads)
        if self.zones is not None:
            check_zones(self.zones, search, position.game, goal, threads)
        elif candidates:
            check_candidates(search, position.game, goal)
        self.position, self.search, self.goal, self.seed = position, search, goal, seed
        # Knowledge of a game keeps the value, but not the length of a win, nor `forced` the score.
        loses = goal == "score" and position.game.rules.forced is not None
        self.plain, self.threads = plain or goal == "shortest" or loses, threads
        self.candidates = bool(candidates)
        self.player = position.mover if player is None else player
        self.seconds = self.compile_seconds = 0.0
        self.trace_step, self.trace = trace, []  # type: tuple[int | None, list[dict[str, Any]]]
        self.runs: list[Any] = []
        self.subgoals: list[Subgoal] = []
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
            if not self.runs:
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
        if not self.runs:
            self._ask(Subgoal(self.player), (limits or Limits()).memory_bytes)
            self.runs[0].advance(0)
        self.compile_seconds += tally.seconds - compiled_before

    def _run(self, limits: Limits, progress: ProgressCallback | None,
             settle_clock: Callable[[], None]) -> None:
        memory = limits.memory_bytes
        reported = 0.0
        if not self.runs:
            self._ask(Subgoal(self.player), memory)
        while True:
            question = self.runs[-1]
            question.grow(memory - sum(q.bytes for q in self.runs[:-1]))
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
            if self._ran_out(question.status) and self.subgoals[-1].horizon is None:
                self.stopped = "candidates"
            if reason == CANDIDATES and self.goal != "win" and len(self.subgoals) == 1:
                self._ask(Subgoal(1 - self.player), memory)  # no win was found; perhaps a loss is
            elif reason not in (SOLVED, PRECISION) or not self._next_question(memory):
                return

    def _slice(self, question: Any, limits: Limits) -> int:
        """About 50 ms of search; fewer where the time limit is near."""
        goal_seconds = SLICE_SECONDS
        if limits.time is not None:
            goal_seconds = min(goal_seconds, max(limits.time - self.seconds, 1e-4))
        earlier = sum(q.nodes for q in self.runs[:-1])
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

    def _ask(self, ask: Subgoal, memory: int) -> None:
        used = sum(question.bytes for question in self.runs)
        self.subgoals.append(ask)
        task = Task(
            self.position, ask.player, memory - used, seed=self.seed, plain=self.plain,
            threshold=ask.threshold, horizon=ask.horizon, threads=self.threads,
            after=self.runs[0] if self.runs else None,
            candidates=self.candidates and self.zones is None,
        )
        if self.zones is not None and self.position.outcome is None:
            self.runs.append(start_by_zones(self.search, task, self.zones))
        else:
            self.runs.append(self.search.start(task))
        self._budget = FIRST_SLICE

    def _next_question(self, memory: int) -> bool:
        """Subgoal what the goal needs next; False if all is said."""
        ask = self._what_next(self._asked())
        if ask is not None:
            self._ask(ask, memory)
        return ask is not None

    def _what_next(self, asked: list[Subgoal]) -> Subgoal | None:
        """The next question where all of ``asked`` are answered."""
        ask = next_subgoal(self.goal, self.player, self.position.game.rules, asked)
        over = self.position.outcome is not None  # then the win is there already
        return None if ask is not None and ask.horizon is not None and over else ask

    def _asked(self) -> list[Subgoal]:
        """All questions with their answers."""
        return [replace(ask, status=self._answer(i)) for i, ask in enumerate(self.subgoals)]

    def _answer(self, index: int) -> int:
        """WON, LOST or UNKNOWN: what a question says, proved or concluded at the precision."""
        if index >= len(self.runs):
            return UNKNOWN
        question = self.runs[index]
        answer = int(question.status)
        if answer == UNKNOWN and question.arrived:
            answer = WON if question.leans_to_win else LOST
        in_all = self.subgoals[index].horizon is None  # else it is about wins by candidates anyway
        return UNKNOWN if in_all and self._ran_out(answer) else answer

    def _ran_out(self, status: int) -> bool:
        """Whether LOST only says that the candidates do not win."""
        return self.candidates and status == LOST and self.position.outcome is None

    def _sample(self, question: Any) -> None:
        chosen = question.chosen()
        move = None if chosen is None else self._move_name(chosen)
        self.trace.append({
            "question": len(self.runs), "iterations": question.iterations,
            "nodes": question.nodes, "root": question.numbers(), "move": move,
        })

    def _move_name(self, move: int) -> str:
        return self.position.game.move_name(self.position, move)

    def progress(self) -> Progress:
        """Where the search stands now."""
        question = self.runs[-1]
        nodes = sum(q.nodes for q in self.runs)
        moves = question.moves()
        return Progress(
            question=self._in_words(self.subgoals[-1]), nodes=nodes,
            iterations=sum(q.iterations for q in self.runs), seconds=self.seconds,
            nodes_per_second=nodes / max(self.seconds, 1e-9),
            bytes=sum(q.bytes for q in self.runs), root=question.numbers(),
            moves={self._move_name(move): numbers for move, _, numbers in moves},
            settled=(sum(status != UNKNOWN for _, status, _ in moves), len(moves)),
            path=self._path(question),
        )

    def _path(self, question: Any) -> list[tuple[str, dict[str, Any]]]:
        """The moves being searched, by name, with their numbers."""
        position, found = self.position, []
        for move, numbers in question.path[:LONGEST_PATH]:
            found.append((position.game.move_name(position, move), numbers))
            position = position.play_code(move)
        return found

    def _in_words(self, ask: Subgoal) -> str:
        name = self.position.game.players[ask.player]
        if ask.threshold != 1:
            return f"does {name} get {ask.threshold:+d}?"
        within = "" if ask.horizon is None else f" within {ask.horizon} plies"
        return f"does {name} win{within}?"

    def result(self) -> Result:
        """What is known now."""
        if not self.runs:  # interrupted before the first slice
            self._ask(Subgoal(self.player), 1 << 20)
        asked = self._asked()
        value, proved = self._value(asked)
        complete = value != Value.UNKNOWN and (self.goal == "win" or value != Value.NOT_WIN)
        # Walking through a table fills it: while there are questions to come, nothing may change.
        said = asked[-1].status != UNKNOWN and self._what_next(asked) is None
        line = self._line(value) if proved and complete and said else []
        move: str | None = line[0] if line else None
        if move is None and complete and not (proved and said):
            move = self._favourite(value)
        return Result(
            position=self.position, search=self.search, goal=self.goal, seed=self.seed,
            value=value, proved=proved, concluded=value != Value.UNKNOWN, stopped=self.stopped,
            move=move, line=line, nodes=sum(q.nodes for q in self.runs),
            iterations=sum(q.iterations for q in self.runs), seconds=self.seconds,
            compile_seconds=self.compile_seconds, peak_bytes=sum(q.bytes for q in self.runs),
            root=self.runs[-1].numbers(), moves=self._moves(), trace=list(self.trace),
            counters=self._counters(), candidates=self.candidates,
            distance=self._distance(value, asked),
            score=score_bounds(self.player, self.position.game.rules, asked)
            if self.goal == "score" else None,
        )

    def _counters(self) -> dict[str, Any]:
        """The counters of all questions together."""
        total: dict[str, Any] = {}
        for question in self.runs:
            for name, count in question.counters.items():
                if isinstance(count, bool):
                    total[name] = total.get(name, True) and count
                else:
                    total[name] = total.get(name, 0) + count
        return total

    def _value(self, asked: list[Subgoal]) -> tuple[Value, bool]:
        """The value for ``player``, and whether it is proved."""
        value = value_of(asked, self.player, self.goal)
        needed = self._grounds(value)
        return value, bool(needed) and all(q.status != UNKNOWN for q in needed)

    def value(self) -> tuple[Value, bool]:
        """The value for ``player`` as far as it is known, and whether it is proved."""
        return self._value(self._asked()) if self.runs else (Value.UNKNOWN, False)

    def answered(self, player: int, status: int) -> Any:
        """The question whether ``player`` wins, if it was answered like this."""
        for question, ask in zip(self.runs, self.subgoals, strict=True):
            asked = (ask.player, ask.threshold, ask.horizon)
            if asked == (player, 1, None) and question.status == status:
                return question
        return None

    def _grounds(self, value: Value) -> list[Any]:
        """The questions that prove ``value``."""
        open_end = [(q, ask) for q, ask in zip(self.runs, self.subgoals, strict=True)
                    if ask.horizon is None]
        if self.goal == "score" and value != Value.UNKNOWN:
            won = [(ask.threshold, at, q) for at, (q, ask) in enumerate(open_end)
                   if q.status == WON]
            lost = [(-ask.threshold, at, q) for at, (q, ask) in enumerate(open_end)
                    if q.status == LOST]
            return [max(group)[2] for group in (won, lost) if group]
        mine = [q for q, ask in open_end if ask.player == self.player]
        theirs = [q for q, ask in open_end if ask.player != self.player]
        return {Value.WIN: mine, Value.NOT_WIN: mine, Value.LOSS: theirs,
                Value.DRAW: mine + theirs}.get(value, [])

    def _line(self, value: Value) -> list[str]:
        if value == Value.NOT_WIN:
            return []
        shortest = [q for q, ask in zip(self.runs, self.subgoals, strict=True)
                    if ask.horizon is not None and q.status == WON]
        return proof_line(shortest or self._grounds(value))

    def _favourite(self, value: Value) -> str | None:
        if self.goal == "win" and value != Value.WIN:
            return None
        asked, mover = self._grounds(value) or self.runs, self.position.mover
        mine = [q for q in asked if q.status == (WON if q.attacker == mover else LOST)]
        chosen = (mine or asked)[-1].chosen()
        return None if chosen is None else self._move_name(chosen)

    def _distance(self, value: Value, asked: list[Subgoal]) -> int | None:
        won = value in (Value.WIN, Value.LOSS)
        if self.goal == "shortest" and won and self.position.outcome is not None:
            return 0
        return distance(asked)

    def _moves(self) -> list[MoveValue]:
        """Every root move with its value for ``player`` and its numbers in the last question."""
        found: dict[int, list[Subgoal]] = {}
        shown: dict[int, dict[str, Any]] = {}
        for ask, question in zip(self.subgoals, self.runs, strict=True):
            for code, status, numbers in question.moves():
                if ask.horizon is None and not self._ran_out(status):
                    found.setdefault(code, []).append(replace(ask, status=status))
                shown[code] = numbers
        rows = []
        for code in self.position.codes():
            value = value_of(found.get(code, []), self.player, self.goal)
            rows.append(MoveValue(self._move_name(code), value, value != Value.UNKNOWN,
                                  shown.get(code, {})))
        return rows




def start(position: Position, search: Search | str | None = None, **options: Any) -> Session:
    """A session that has not searched yet; see ``Session`` for the options."""
    return Session(position, search, **options)


def solve(position: Position, search: Search | str | None = None, *, goal: str = "value",
          nodes: float | str | None = None, time: float | str | None = None,
          memory: float | str | None = None, seed: int = 0, plain: bool = False,
          trace: int | None = None, threads: int = 1, candidates: bool | Zones = False,
          progress: ProgressCallback | None = None) -> Result:
    """Who wins ``position``? Searches until that is proved or a limit is met."""
    limits = Limits(nodes=nodes, time=time, memory=memory)  # type: ignore[arg-type]
    session = Session(position, search, goal=goal, seed=seed, plain=plain, trace=trace,
                      threads=threads, candidates=candidates)
    return session.run(limits, progress)
