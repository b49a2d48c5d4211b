"""solve(), solve_many() and compare(): positions in, answers out, in turn or side by side.

On an easy position the search is over long before a table of megabytes, a line and the values of
all moves are made. So ``solve`` tries a position with a table that fits into the processor's cache:
as long as no entry is lost there, each visit is the one that it would be with a larger table. What
that does not settle in a moment begins again, with all the memory that it may use. Of many
positions whose values alone are wanted not even a session is made (``Easy``).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice
from typing import Any

from zermelo.compiler.compile_stats import stats
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.errors import BadOption, check_whole, quoted
from zermelo.search.base import Run, Search, Task, Zones
from zermelo.search.reasons import LOST, UNKNOWN, WON
from zermelo.search.registry import chosen_search
from zermelo.solving.result import Goal, Limits, Result, Value, free_memory
from zermelo.solving.session import EvaluateMany, ProgressCallback, Session

EASY = Limits(nodes=400, time=1e-3, memory=1 << 16)
AMPLE_NODES, AMPLE_TIME, AMPLE_MEMORY = 4_000, 1.0, 1 << 22  # with less there is nothing to gain
EASY_VISITS, TABLE_BYTES = 1_000, 1 << 23  # where values alone are wanted
MANY = 256  # positions that are looked at before those that are left get their sessions
_latest: dict[object, Session] = {}  # that of the latest easy result, which has its proof


def start(position: Position, search: Search | str | None = None, **options: Any) -> Session:
    """Return a session that has not searched yet; see ``Session`` for the options."""
    return Session(position, search, **options)


def solve(position: Position, search: Search | str | None = None, *, goal: Goal = "value",
          nodes: float | str | None = None, time: float | str | None = None,
          memory: float | str | None = None, seed: int = 0, plain: bool = False,
          trace: int | None = None, threads: int = 1, candidates: bool | Zones = False,
          evaluate_many: EvaluateMany | None = None, batch: int = 1,
          progress: ProgressCallback | None = None) -> Result:
    """Search until the winner of ``position`` is proved or a limit is met."""
    limits = Limits(nodes=nodes, time=time, memory=memory)
    new_session = partial(Session, position, search, goal=goal, seed=seed, plain=plain, trace=trace,
                          threads=threads, candidates=candidates, evaluate_many=evaluate_many,
                          batch=batch)
    session = new_session()
    if _may_be_easy(session, limits):
        session.advance(EASY)
        if session.stopped == "interrupted":
            return session.result()
        if session.stopped == "solved":
            result = session.result(moves=False, line=False)
            if result.counters["exact"]:
                key = object()
                _latest.clear()
                _latest[key] = session
                return result.put_off(partial(_whole, key, new_session, limits))
        tried, session = session, new_session()
        session.seconds, session.compile_seconds = tried.seconds, tried.compile_seconds
    return session.run(limits, progress)


def _may_be_easy(session: Session, limits: Limits) -> bool:
    """Return True if the position may be tried: the same search twice must be the same."""
    ample = ((limits.nodes or AMPLE_NODES) >= AMPLE_NODES
             and (limits.time or AMPLE_TIME) >= AMPLE_TIME
             and (limits.memory or AMPLE_MEMORY) >= AMPLE_MEMORY)
    return (ample and session.search.shares and session.threads == 1
            and session.trace_step is None and not session.candidates
            and not session.position.game.memory)


def _whole(key: object, new_session: Callable[[], Session], limits: Limits) -> Result:
    """Return an easy result with what it left out: from its session if that is the latest, else by
    searching again, since results are many and tables are large."""
    session = _latest.pop(key, None)
    if session is not None:
        result = session.result()
        # A way through the proof may need more room in the table than the proof did.
        if all(run.lossless for run in session.runs):
            return result
    result = new_session().run(Limits(nodes=limits.nodes, memory=limits.memory))
    if result.stopped == "interrupted":
        raise KeyboardInterrupt
    return result


def solve_many(positions: Iterable[Position], search: Search | str | None = None, *,
               workers: int | None = None, nodes: float | str | None = None,
               time: float | str | None = None, memory: float | str | None = None,
               values_only: bool = False, **options: Any) -> Iterator[Any]:
    """``solve`` for each position, in order, on ``workers`` cores; limits are for each position.

    The memory limit is for each position too; without one, the workers share half of what is free.
    ``values_only``: a ``Value`` for each instead of a ``Result``, ``UNKNOWN`` if it is not proved
    within the limits; easy positions then take hundredths of a millisecond each.
    """
    workers = _workers(workers)
    limits = _limits(nodes, time, memory, workers)
    chosen = None if search is None else chosen_search(search)
    if values_only:
        return values_of(_several(positions), chosen, limits, options,
                         lambda sessions: _run_all(sessions, limits, workers))
    sessions = (Session(position, chosen, **options) for position in _several(positions))
    return _run_all(sessions, limits, workers)


def compare(positions: Position | Iterable[Position],
            searches: Search | str | Sequence[Search | str], *,
            goal: Goal = "win", plain: bool = True, workers: int | None = 1,
            nodes: float | str | None = None, time: float | str | None = None,
            memory: float | str | None = None, seed: int = 0) -> Iterator[Result]:
    """Each search on each position, the searches side by side; limits are for each run."""
    if isinstance(searches, str | Search):
        searches = [searches]
    chosen = [chosen_search(search) for search in searches]
    if not chosen:
        raise BadOption("compare: name at least one search.")
    workers = _workers(workers)
    limits = _limits(nodes, time, memory, workers)
    sessions = (
        Session(position, search, goal=goal, plain=plain, seed=seed)
        for position in _several(positions)
        for search in chosen
    )
    return _run_all(sessions, limits, workers)


def _several(positions: Position | Iterable[Position]) -> Iterable[Position]:
    if isinstance(positions, Position):
        return [positions]
    if not isinstance(positions, Iterable):
        raise BadOption(f"{quoted(positions)} is neither a Position nor a list of them.")
    return positions


def _limits(nodes: float | str | None, time: float | str | None, memory: float | str | None,
            workers: int) -> Limits:
    """Return limits for each run; without a memory limit the workers share half of the free."""
    if memory is None:
        memory = free_memory() // 2 // workers
    return Limits(nodes=nodes, time=time, memory=memory)


def _workers(workers: int | None) -> int:
    if workers is None:
        return os.cpu_count() or 1
    return check_whole("workers", workers, 1)


def _run_all(sessions: Iterator[Session], limits: Limits, workers: int) -> Iterator[Result]:
    """Yield results in order. Kernels run without the GIL, so threads keep all cores busy."""
    if workers == 1:
        for session in sessions:
            result = session.run(limits)
            yield result
            if result.stopped == "interrupted":
                return
        return
    waiting: list[tuple[Session, Any]] = []
    compiling = threading.Lock()

    def work(session: Session) -> Result:
        with compiling:  # one thread compiles, the others find the kernels ready
            session.prepare(limits)
        result = session.run(limits)
        session.runs.clear()  # trees are large, and a result may wait for its turn
        return result

    with ThreadPoolExecutor(workers) as pool:
        try:
            for session in sessions:
                waiting.append((session, pool.submit(work, session)))
                if len(waiting) >= 2 * workers:
                    yield waiting[0][1].result()
                    waiting.pop(0)
            while waiting:
                yield waiting[0][1].result()
                waiting.pop(0)
        finally:  # after an interrupt, or where the rest is not wanted
            for session, future in waiting:
                future.cancel()
                session.cancel()


def values_of(positions: Iterable[Position], search: Search | None, limits: Limits,
              options: dict[str, Any],
              run_all: Callable[[Iterator[Session]], Iterator[Result]]) -> Iterator[Value]:
    """Yield the value of each position, in order. ``run_all`` runs the sessions of hard ones."""
    easy: dict[int, Easy] = {}  # by the identity of the game, which stays as long as they do
    usual = options.get("player") is None
    rest = iter(positions)
    while batch := list(islice(rest, MANY)):
        found: list[Value | None] = []
        for position in batch:
            if not isinstance(position, Position) or id(position.game) not in easy:
                session = Session(position, search, **options)  # refuses what is not valid
                easy[id(position.game)] = Easy(session, limits)
            found.append(easy[id(position.game)].value(position) if usual else None)
        hard = run_all(Session(position, search, **options)
                       for position, value in zip(batch, found, strict=True) if value is None)
        for value in found:
            if value is None:
                result = next(hard)
                value = result.value if result.concluded else Value.UNKNOWN
            yield value


class Easy:
    """Positions of one game that few visits settle. ``session``: one that asks the same.

    On an easy position the search is over long before a session and a result are made. So a run is
    kept for each player and aimed at one position after the other; its table serves them all.
    """

    def __init__(self, session: Session, limits: Limits) -> None:
        self.session, self.goal = session, session.goal
        self.visits = min(EASY_VISITS, limits.nodes or EASY_VISITS)
        self.memory = min(limits.memory_bytes, TABLE_BYTES)
        # By a rule of its own for repetitions a value depends on what came before.
        self.fit = (session.search.shares and session.goal in ("win", "value")
                    and session.threads == 1 and not session.candidates
                    and session.trace_step is None
                    and session.position.game.rules.repeat is None)
        self.runs: dict[int, Run] = {}

    def value(self, position: Position) -> Value | None:
        """Return the value of a position, or None if that takes more than a few visits."""
        if not self.fit or position.outcome is not None:
            return None
        player = position.mover
        status = self._ask(player, position)
        if status == WON:
            return Value.WIN
        if status == UNKNOWN:
            return None
        if self.goal == "win":
            return Value.NOT_WIN
        status = self._ask(1 - player, position)
        return {WON: Value.LOSS, LOST: Value.DRAW}.get(status)

    def _ask(self, player: int, position: Position) -> int:
        run = self.runs.get(player)
        if run is None:
            earlier = next(iter(self.runs.values()), None)
            run = self.runs[player] = self.session.search.start(Task(
                position, player, self.memory, seed=self.session.seed, plain=self.session.plain,
                after=earlier))
        return run.status_of(position.state[0], self.visits)


def warm_up(game: Game, searches: Sequence[Search]) -> Iterator[dict[str, Any]]:
    """Run each search for a moment; yields what was compiled or loaded for it."""
    for search in searches:
        before = stats.compiled, stats.loaded, stats.seconds
        session = Session(game.start(), search, trace=1)
        session.run(Limits(nodes=2 * game.rules.max_moves + 2))
        _ = session.runs[0].walk().best()
        yield {
            "game": game.name, "search": search.id,
            "compiled": stats.compiled - before[0], "loaded": stats.loaded - before[1],
            "seconds": stats.seconds - before[2],
        }
