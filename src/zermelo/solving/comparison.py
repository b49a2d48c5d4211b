"""compare() and solve_many(): many positions, many searches, in turn or side by side."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from zermelo.core.position import Position
from zermelo.errors import BadOption, check_whole, quoted
from zermelo.search.base import Search
from zermelo.search.selection import chosen_search
from zermelo.solving.bulk import values_of
from zermelo.solving.result import Limits, Result, free_memory
from zermelo.solving.session import Session


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
            goal: str = "win", plain: bool = True, workers: int | None = 1,
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
    """Limits for each run; without a memory limit the workers share half of what is free."""
    if memory is None:
        memory = free_memory() // 2 // workers
    return Limits(nodes=nodes, time=time, memory=memory)


def _workers(workers: int | None) -> int:
    if workers is None:
        return os.cpu_count() or 1
    return check_whole("workers", workers, 1)


def _run_all(sessions: Iterator[Session], limits: Limits, workers: int) -> Iterator[Result]:
    """Results in order. Kernels run without the GIL, so threads keep all cores busy."""
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
        finally:  # after an interrupt, or where nobody asks for the rest
            for session, future in waiting:
                future.cancel()
                session.cancel()
