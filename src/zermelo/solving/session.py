"""Session: ask what the goal needs, run it in slices, report. See ``answer`` for the meaning."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from zermelo.compiler.callback import from_callback
from zermelo.compiler.compile_stats import stats
from zermelo.core.game import Game
from zermelo.core.objects import ExpansionRate
from zermelo.core.position import Position, check_position
from zermelo.errors import BadGame, BadOption, BadRule, ZermeloError, check_whole, quoted
from zermelo.search.base import Run, Search, Task, Zones
from zermelo.search.reasons import (
    CANDIDATES,
    LOST,
    MEMORY,
    NEVER,
    NODES,
    PRECISION,
    SLICE,
    SOLVED,
    UNKNOWN,
    WON,
)
from zermelo.search.registry import (
    check_candidates,
    check_fit,
    check_values,
    check_zones,
    start_by_zones,
    zones_of,
)
from zermelo.solving.answer import (
    Answer,
    Subgoal,
    check_goal,
    needs_the_rules_alone,
    value_by_knowledge,
)
from zermelo.solving.auto import search_for, whole_game
from zermelo.solving.checkpoint import load_session, save_session
from zermelo.solving.result import Goal, Limits, Progress, Result, Value

SLICE_SECONDS = 0.05
LARGEST_SLICE = 1 << 30
PATIENCE = 4.0  # times as long may a slice take if all that it meets is new
REASONS = {SOLVED: "solved", PRECISION: "precision", NODES: "nodes", MEMORY: "memory",
           CANDIDATES: "candidates"}
PROGRESS_SECONDS = 0.2
MOST_THREADS = 256
LONGEST_PATH = 60
FIRST_SLICE = 1  # expansion: it may take long where it plays many games

ProgressCallback = Callable[[Progress], None]
Between = Callable[[], None]
EvaluateMany = Callable[[list[Position]], Any]
STATUS_WORDS = {UNKNOWN: "unknown", WON: "won", LOST: "lost"}

log = logging.getLogger("zermelo.solving")


class Slices:
    """A budget that follows the speed of a search. Time spent on compiling does not count.

    ``pace``: of a game whose positions take a thousand times as long when they are new as later on.
    The speed on known ones is no guide then; a budget is also one that can be spent on new ones.
    """

    def __init__(self, first: int, pace: ExpansionRate | None = None) -> None:
        self.budget, self.pace = first, pace

    def advance(self, search: Callable[[int], int], seconds: float = SLICE_SECONDS) -> int:
        """Call ``search`` with a budget for about ``seconds``; return its answer."""
        budget, pace, known = self.budget, self.pace, 0
        if pace is not None:
            budget, known = min(budget, pace.nodes_within(PATIENCE * seconds)), pace.met
        began, compiled_before = stats.clock(), stats.seconds
        reason = search(budget)
        took = stats.clock() - began - (stats.seconds - compiled_before)
        if pace is not None:
            pace.note(pace.met - known, took)
        factor = min(4.0, max(0.05, seconds / max(took, 1e-6)))
        self.budget = min(int(budget * factor) + 1, LARGEST_SLICE)
        return reason


class Session:
    """A search that can be continued: ``run`` with larger limits goes on where the last one ended.

    ``goal="win"`` asks whether ``player`` (the side to move, unless given) wins; ``goal="value"``
    asks also, if not, whether the opponent does; ``"score"`` asks for the final score, and
    ``"shortest"`` also how soon the winner can win. ``candidates``: the player tries the game's
    candidates only (checks, in Xiangqi; relevance zones, where lines are completed, which may be
    given as ``Zones``). A win so found is a win; running out of them says nothing.

    ``evaluate_many(positions)`` values leaves instead of playouts (ppn, mcpn): the chance that the
    player to move wins, for each position, or (that it wins, that it loses) where there are draws.
    It is given the children of ``batch`` leaves at a time.
    """

    def __init__(self, position: Position, search: Search | str | None = None, *,
                 goal: Goal = "value", seed: int = 0, plain: bool = False, trace: int | None = None,
                 player: int | None = None, threads: int = 1,
                 candidates: bool | Zones = False, evaluate_many: EvaluateMany | None = None,
                 batch: int = 1) -> None:
        check_position(position)
        check_goal(position.game, goal)
        check_whole("seed", seed, 0, 2**64 - 1)
        if trace is not None:
            check_whole("trace", trace, 1)
        if player not in (None, 0, 1):
            raise BadOption(f"player={quoted(player)} is not 0 (first), 1 (second) or None.")
        check_whole("threads", threads, 1, MOST_THREADS)
        self.zones = zones_of(position.game, candidates)
        alone = not candidates and threads == 1 and trace is None and evaluate_many is None
        given = search
        search = search_for(position, search, self.zones is not None, plain)
        check_fit(search, position.game, goal, threads)
        if self.zones is not None:
            check_zones(self.zones, search, position.game, goal, threads)
        elif candidates:
            check_candidates(search, position.game, goal)
        check_values(search, evaluate_many, batch, trace)
        self.evaluate_many, self.batch = evaluate_many, batch
        self.position, self.search, self.goal, self.seed = position, search, goal, seed
        self.plain = plain or needs_the_rules_alone(goal, position.game.rules)
        self.threads = threads
        self.by_rules = plain  # no knowledge is wanted at all
        self.candidates = bool(candidates)
        self.player = position.mover if player is None else player
        self.first = Subgoal(self.player)  # what is asked first
        self.whole = whole_game(position, given, self.player) if alone else None
        self.shares: Run | None = None  # of another session, whose table may be used and filled
        self.seconds = self.compile_seconds = 0.0
        self.trace_step, self.trace = trace, []  # type: tuple[int | None, list[dict[str, Any]]]
        self.answer = Answer(position, self.player, goal, self.candidates)
        self.stopped = "interrupted"
        self.cancelled = False
        self.limits = Limits()
        self.memory = 0  # bytes that the last run might use
        self.slice_seconds = SLICE_SECONDS
        self._slices = self._new_slices()
        self._broken: BadGame | None = None  # why the search can't go on
        self._elsewhere = 0.0  # seconds that ``between`` took

    @property
    def runs(self) -> list[Run]:
        """The runs so far, one for each subgoal."""
        return self.answer.runs

    @property
    def subgoals(self) -> list[Subgoal]:
        """The questions so far."""
        return self.answer.subgoals

    def run(self, limits: Limits | None = None, progress: ProgressCallback | None = None,
            between: Between | None = None) -> Result:
        """Search until the goal is reached or a limit (a total over all runs) is met.

        ``progress`` is called about five times a second with the state of the search. ``between``
        is called after every slice of about 50 ms, and when a subgoal begins: the search rests, and
        may be looked at (see ``solving.trees``) or cancelled; the time of that is not counted.
        """
        self.advance(limits, progress, between)
        result = self.result()
        log.info("%s on %s: %s, %s; %d nodes, %.3f s", self.search.id, self.position.game.name,
                 result.value, result.stopped, result.nodes, result.seconds)
        return result

    def advance(self, limits: Limits | None = None, progress: ProgressCallback | None = None,
                between: Between | None = None) -> None:
        """Search as ``run`` does, without making a result, which takes a walk through the proof."""
        limits = Limits() if limits is None else limits
        if not isinstance(limits, Limits):
            raise BadOption(f"run needs Limits, such as Limits(nodes=1000), not {quoted(limits)}.")
        began, compiled_before = stats.clock(), stats.seconds
        searched_before, elsewhere_before, self.limits = self.seconds, self._elsewhere, limits

        def settle_clock() -> None:
            self.seconds = searched_before + stats.clock() - began - (
                stats.seconds - compiled_before) - (self._elsewhere - elsewhere_before)

        if self._broken is not None:
            raise self._broken
        try:
            self._run(limits, progress, between, settle_clock)
        except KeyboardInterrupt as interrupt:
            if not self.runs:
                raise  # still compiling: there is nothing to keep
            self.stopped = "interrupted"
            if from_callback(interrupt):
                self._broken = BadRule(f"{self.position.game.name}: the search was interrupted "
                                       "within a rule, so it can't go on; start another one.")
        except BadGame as error:
            self._broken = error  # some nodes may be half made: there is no way back
            raise
        settle_clock()
        self.compile_seconds += stats.seconds - compiled_before

    def cancel(self) -> None:
        """Make ``run``, in another thread, return within a slice with a partial result."""
        self.cancelled = True

    def prepare(self, limits: Limits | None = None) -> None:
        """Compile or load what ``run`` needs, without an expansion."""
        compiled_before = stats.seconds
        if not self.runs:
            self.ask(self.first, (limits or Limits()).memory_bytes)
            self.runs[0].advance(0)
        self.compile_seconds += stats.seconds - compiled_before

    def _run(self, limits: Limits, progress: ProgressCallback | None, between: Between | None,
             settle_clock: Callable[[], None]) -> None:
        memory, reported = limits.memory_bytes, 0.0
        self.memory = memory
        if not self.runs:
            self.ask(self.first, memory)
        if self._rest(between):
            return
        while True:
            run = self.runs[-1]
            run.grow(self._share(memory) - sum(earlier.bytes for earlier in self.runs[:-1]))
            reason = self._slice(run, limits)
            settle_clock()
            if progress is not None and self.seconds - reported >= PROGRESS_SECONDS:
                reported = self.seconds
                progress(self.progress())
            if self._rest(between):
                return
            if reason == SLICE:
                if limits.time is not None and self.seconds >= limits.time:
                    self.stopped = "time"
                    return
                if self.position.game.memory and self.bytes > memory:
                    self.stopped = "memory"
                    return
                continue
            self.stopped = REASONS[reason]
            if self.answer.ran_out(run.status) and self.subgoals[-1].horizon is None:
                self.stopped = "candidates"
            if reason == CANDIDATES and self.goal != "win" and len(self.subgoals) == 1:
                self.ask(Subgoal(1 - self.player), memory)  # no win was found; perhaps a loss is
            elif reason not in (SOLVED, PRECISION):
                return
            else:
                following = self.answer.next_subgoal(self.answer.asked())
                if following is None:
                    return
                self.ask(following, memory)
            if self._rest(between):
                return

    def _rest(self, between: Between | None) -> bool:
        """Call ``between``; return True if the search is to stop."""
        if between is not None:
            began, compiled_before = stats.clock(), stats.seconds
            try:
                between()
            finally:
                self._elsewhere += stats.clock() - began - (stats.seconds - compiled_before)
        if not self.cancelled:
            return False
        self.cancelled, self.stopped = False, "interrupted"
        return True

    def _slice(self, run: Run, limits: Limits) -> int:
        """About ``slice_seconds`` of search; fewer where the time limit is near."""
        goal_seconds = self.slice_seconds
        if limits.time is not None:
            goal_seconds = min(goal_seconds, max(limits.time - self.seconds, 1e-4))
        left = NEVER if limits.nodes is None else limits.nodes
        until = left if self.whole is None else min(left, self.whole.after(left))
        if until < left and self.answer.nodes >= until:
            self._enumerate(goal_seconds)
            return SLICE
        node_limit = until - sum(one.nodes for one in self.runs[:-1])
        pause = NEVER
        if self.trace_step is not None:
            pause = min((run.iterations // self.trace_step + 1) * self.trace_step, NEVER)
        advance = partial(run.advance, node_limit=node_limit, pause=pause)
        reason = self._slices.advance(advance, goal_seconds)
        if self.trace_step is not None and run.iterations == pause:
            self._sample(run)
        return SLICE if reason == NODES and until < left else reason

    def _enumerate(self, seconds: float) -> None:
        """Go on with the whole game; take it for the search once it is solved."""
        whole, memory = self.whole, self._share(self.memory) - self.answer.bytes
        assert whole is not None
        reason = self._slices.advance(lambda budget: whole.advance(budget, memory), seconds)
        if reason == SLICE:
            return
        self._slices = self._new_slices()
        if reason == SOLVED and whole.run is not None:
            log.info("%s has %d positions: solved whole", self.position.game.name, whole.nodes)
            # An interrupt comes before these lines or after them.
            runs, subgoals = [whole.run], [Subgoal(self.player)]
            self.runs[:] = runs
            self.subgoals[:] = subgoals
            self.search, self.whole = whole.search, None
        elif not whole.stages:
            self.whole = None

    def ask(self, subgoal: Subgoal, memory: int, alone: bool = False) -> None:
        """Begin with a subgoal; ``alone``: to go on from a checkpoint."""
        task = Task(
            self.position, subgoal.player, self._share(memory) - self.answer.bytes, seed=self.seed,
            plain=self._plain_for(subgoal), threshold=subgoal.threshold, horizon=subgoal.horizon,
            threads=self.threads, after=self.runs[0] if self.runs else None, shares=self.shares,
            candidates=self.candidates and self.zones is None,
            exact=self.goal == "value" and not self.candidates,
            evaluate_many=self.evaluate_many, batch=self.batch, alone=alone,
        )
        # Compiling may be interrupted: a subgoal without a run was not asked.
        if self.zones is not None and self.position.outcome is None:
            run: Run = start_by_zones(self.search, task, self.zones)
        else:
            run = self.search.start(task)
        self.subgoals.append(subgoal)
        self.runs.append(run)
        self._slices = self._new_slices()

    def _plain_for(self, subgoal: Subgoal) -> bool:
        """Return True if only the rules may count: knowledge spoils lengths, not values."""
        if subgoal.horizon is None and value_by_knowledge(self.goal, self.position.game.rules):
            return self.by_rules
        return self.plain

    def _share(self, memory: int) -> int:
        """Return the part of ``memory`` for a search; positions that are objects have the other
        half, and what the search leaves."""
        return memory // 2 if self.position.game.memory else memory

    @property
    def bytes(self) -> int:
        """The memory in use, that of positions included."""
        whole = 0 if self.whole is None else self.whole.bytes
        return self.answer.bytes + whole + self.position.game.memory

    def _new_slices(self) -> Slices:
        """Return the slices of a run."""
        return Slices(FIRST_SLICE, self.position.game.pace)

    def _sample(self, run: Run) -> None:
        chosen = run.chosen()
        move = None if chosen is None else self.answer.move_name(chosen)
        self.trace.append({
            "question": len(self.runs), "iterations": run.iterations,
            "nodes": run.nodes, "root": run.numbers(), "move": move,
        })

    def progress(self) -> Progress:
        """Return the state of the search."""
        run, nodes = self.runs[-1], self.answer.nodes
        moves = run.moves()
        names = [self.answer.move_name(move) for move, _, _ in moves]
        return Progress(
            question=self.in_words(self.subgoals[-1]), nodes=nodes,
            iterations=self.answer.iterations, seconds=self.seconds,
            nodes_per_second=nodes / max(self.seconds, 1e-9), bytes=self.bytes,
            root=run.numbers(),
            moves={name: row[2] for name, row in zip(names, moves, strict=True)},
            settled=(sum(status != UNKNOWN for _, status, _ in moves), len(moves)),
            path=self._path(run),
            statuses={name: STATUS_WORDS[row[1]] for name, row in zip(names, moves, strict=True)},
            fill=run.fill, limits=self.limits,
        )

    def _path(self, run: Run) -> list[tuple[str, dict[str, Any]]]:
        """Return the moves being searched, by name, with their numbers."""
        position, found = self.position, []
        for move, numbers in run.path[:LONGEST_PATH]:
            found.append((position.game.move_name(position, move), numbers))
            position = position.play_code(move)
        return found

    def in_words(self, subgoal: Subgoal) -> str:
        """Return the question in words."""
        return subgoal.in_words(self.position.game)

    def result(self, moves: bool = True, line: bool = True) -> Result:
        """Return what is known now; without ``moves`` not about each of them, without ``line`` no
        move to play."""
        if not self.runs:  # interrupted before the first slice
            self.ask(self.first, 1 << 20)
        answer = self.answer
        asked = answer.asked()
        value, proved = answer.value(asked)
        complete = answer.complete(value)
        if self.stopped == "solved" and complete and not proved:
            self.stopped = "precision"  # of an earlier question; the last one alone was solved
        move, best = answer.move_and_line(asked) if line else (None, [])
        return Result(
            position=self.position, search=self.search, goal=self.goal, seed=self.seed,
            value=value, proved=proved and complete, concluded=complete,
            partial=proved and not answer.settled(asked, value), stopped=self.stopped, move=move,
            line=best, nodes=answer.nodes, iterations=answer.iterations, seconds=self.seconds,
            compile_seconds=self.compile_seconds, peak_bytes=self.bytes,
            root=self.runs[-1].numbers(), moves=answer.moves() if moves else [],
            trace=list(self.trace), counters=answer.counters(), candidates=self.candidates,
            distance=answer.distance(asked), score=answer.score(asked),
        )

    def value(self) -> tuple[Value, bool]:
        """Return the value for ``player`` as far as it is known, and True if it is proved."""
        return self.answer.value()

    def answered(self, player: int, status: int) -> Run | None:
        """Return the run for the win of ``player``, if its answer is ``status``."""
        return self.answer.answered(player, status)

    def save(self, path: str | Path) -> int:
        """Write a checkpoint, from which ``load`` goes on; return its size in bytes.

        To be called between two runs, or in ``between``. The file replaces an older one in one
        step, so that there is a whole one at any time.
        """
        if self._broken is not None:
            raise self._broken
        return save_session(self, path)

    @classmethod
    def load(cls, path: str | Path, game: Game | type[Game] | str | None = None, *,
             memory: float | str | None = None,
             evaluate_many: EvaluateMany | None = None) -> Session:
        """Return the session of a checkpoint; a deterministic search goes on as if it had never
        stopped.

        ``game``: that of the checkpoint, if it is not built in; no file is run that only the
        checkpoint names. ``memory``: as in ``Limits``, what the session may use, by default what it
        had. ``evaluate_many``: as it was given to the session.
        """
        return load_session(cls, path, game, memory, evaluate_many)

    def __reduce__(self) -> NoReturn:
        raise ZermeloError("a Session can't be pickled or copied: it holds compiled code and the "
                           "tree or table of a search in progress. Use session.save, or pickle "
                           "session.result(), or the position and the search, and start another "
                           "one.")
