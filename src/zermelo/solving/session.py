"""solve(), start() and Session: ask what the goal needs, run it in slices, report.

What the answers mean is in ``answer``.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from typing import Any, NoReturn

from zermelo.core.position import Position, check_position
from zermelo.errors import BadOption, ZermeloError, check_whole, quoted
from zermelo.kernel.jit import tally
from zermelo.search.base import Run, Search, Task
from zermelo.search.common.status import UNKNOWN
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
from zermelo.solving.answer import Answer
from zermelo.solving.goals import Subgoal, check_goal
from zermelo.solving.result import Limits, Progress, Result, Value
from zermelo.solving.slices import SLICE_SECONDS, Slices

REASONS = {SOLVED: "solved", PRECISION: "precision", NODES: "nodes", MEMORY: "memory",
           CANDIDATES: "candidates"}
PROGRESS_SECONDS = 0.2
MOST_THREADS = 256
LONGEST_PATH = 60
FIRST_SLICE = 1  # expansion: it may take long where it plays many games

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
        check_position(position)
        check_goal(position.game, goal)
        check_whole("seed", seed, 0, 2**64 - 1)
        if trace is not None:
            check_whole("trace", trace, 1)
        if player not in (None, 0, 1):
            raise BadOption(f"player={quoted(player)} is not 0 (first), 1 (second) or None.")
        check_whole("threads", threads, 1, MOST_THREADS)
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
        self.answer = Answer(position, self.player, goal, self.candidates)
        self.stopped = "interrupted"
        self.cancelled = False
        self._slices = Slices(FIRST_SLICE)

    @property
    def runs(self) -> list[Run]:
        """The runs so far, one for each subgoal."""
        return self.answer.runs

    @property
    def subgoals(self) -> list[Subgoal]:
        """What was asked so far."""
        return self.answer.subgoals

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
            run = self.runs[-1]
            run.grow(memory - sum(earlier.bytes for earlier in self.runs[:-1]))
            reason = self._slice(run, limits)
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
            if self.answer.ran_out(run.status) and self.subgoals[-1].horizon is None:
                self.stopped = "candidates"
            if reason == CANDIDATES and self.goal != "win" and len(self.subgoals) == 1:
                self._ask(Subgoal(1 - self.player), memory)  # no win was found; perhaps a loss is
            elif reason not in (SOLVED, PRECISION):
                return
            else:
                following = self.answer.next_subgoal(self.answer.asked())
                if following is None:
                    return
                self._ask(following, memory)

    def _slice(self, run: Run, limits: Limits) -> int:
        """About 50 ms of search; fewer where the time limit is near."""
        goal_seconds = SLICE_SECONDS
        if limits.time is not None:
            goal_seconds = min(goal_seconds, max(limits.time - self.seconds, 1e-4))
        earlier = sum(one.nodes for one in self.runs[:-1])
        node_limit = NEVER if limits.nodes is None else limits.nodes - earlier
        pause = NEVER
        if self.trace_step is not None:
            pause = (run.iterations // self.trace_step + 1) * self.trace_step
        advance = partial(run.advance, node_limit=node_limit, pause=pause)
        reason = self._slices.advance(advance, goal_seconds)
        if self.trace_step is not None and run.iterations == pause:
            self._sample(run)
        return reason

    def _ask(self, subgoal: Subgoal, memory: int) -> None:
        task = Task(
            self.position, subgoal.player, memory - self.answer.bytes, seed=self.seed,
            plain=self.plain, threshold=subgoal.threshold, horizon=subgoal.horizon,
            threads=self.threads, after=self.runs[0] if self.runs else None,
            candidates=self.candidates and self.zones is None,
        )
        # Compiling may be interrupted: a subgoal without a run was not asked.
        if self.zones is not None and self.position.outcome is None:
            run: Run = start_by_zones(self.search, task, self.zones)
        else:
            run = self.search.start(task)
        self.subgoals.append(subgoal)
        self.runs.append(run)
        self._slices = Slices(FIRST_SLICE)

    def _sample(self, run: Run) -> None:
        chosen = run.chosen()
        move = None if chosen is None else self.answer.move_name(chosen)
        self.trace.append({
            "question": len(self.runs), "iterations": run.iterations,
            "nodes": run.nodes, "root": run.numbers(), "move": move,
        })

    def progress(self) -> Progress:
        """Where the search stands now."""
        run, nodes = self.runs[-1], self.answer.nodes
        moves = run.moves()
        return Progress(
            question=self._in_words(self.subgoals[-1]), nodes=nodes,
            iterations=self.answer.iterations, seconds=self.seconds,
            nodes_per_second=nodes / max(self.seconds, 1e-9), bytes=self.answer.bytes,
            root=run.numbers(),
            moves={self.answer.move_name(move): numbers for move, _, numbers in moves},
            settled=(sum(status != UNKNOWN for _, status, _ in moves), len(moves)),
            path=self._path(run),
        )

    def _path(self, run: Run) -> list[tuple[str, dict[str, Any]]]:
        """The moves being searched, by name, with their numbers."""
        position, found = self.position, []
        for move, numbers in run.path[:LONGEST_PATH]:
            found.append((position.game.move_name(position, move), numbers))
            position = position.play_code(move)
        return found

    def _in_words(self, subgoal: Subgoal) -> str:
        name = self.position.game.players[subgoal.player]
        if subgoal.threshold != 1:
            return f"does {name} get {subgoal.threshold:+d}?"
        within = "" if subgoal.horizon is None else f" within {subgoal.horizon} plies"
        return f"does {name} win{within}?"

    def result(self) -> Result:
        """What is known now."""
        if not self.runs:  # interrupted before the first slice
            self._ask(Subgoal(self.player), 1 << 20)
        answer = self.answer
        asked = answer.asked()
        value, proved = answer.value(asked)
        complete = answer.complete(value)
        move, line = answer.move_and_line(asked)
        return Result(
            position=self.position, search=self.search, goal=self.goal, seed=self.seed,
            value=value, proved=proved and complete, concluded=complete,
            partial=proved and not complete, stopped=self.stopped, move=move, line=line,
            nodes=answer.nodes, iterations=answer.iterations, seconds=self.seconds,
            compile_seconds=self.compile_seconds, peak_bytes=answer.bytes,
            root=self.runs[-1].numbers(), moves=answer.moves(), trace=list(self.trace),
            counters=answer.counters(), candidates=self.candidates,
            distance=answer.distance(asked), score=answer.score(asked),
        )

    def value(self) -> tuple[Value, bool]:
        """The value for ``player`` as far as it is known, and whether it is proved."""
        return self.answer.value()

    def answered(self, player: int, status: int) -> Run | None:
        """The run that asked whether ``player`` wins, if it was answered like this."""
        return self.answer.answered(player, status)

    def __reduce__(self) -> NoReturn:
        raise ZermeloError("a Session can't be pickled or copied: it holds compiled code and the "
                           "tree or table of a search in progress. Pickle session.result(), or "
                           "the position and the search, and start another one.")


def start(position: Position, search: Search | str | None = None, **options: Any) -> Session:
    """A session that has not searched yet; see ``Session`` for the options."""
    return Session(position, search, **options)


def solve(position: Position, search: Search | str | None = None, *, goal: str = "value",
          nodes: float | str | None = None, time: float | str | None = None,
          memory: float | str | None = None, seed: int = 0, plain: bool = False,
          trace: int | None = None, threads: int = 1, candidates: bool | Zones = False,
          progress: ProgressCallback | None = None) -> Result:
    """Who wins ``position``? Searches until that is proved or a limit is met."""
    limits = Limits(nodes=nodes, time=time, memory=memory)
    session = Session(position, search, goal=goal, seed=seed, plain=plain, trace=trace,
                      threads=threads, candidates=candidates)
    return session.run(limits, progress)
