"""Workers: go through jobs with a crew, side by side with other runs on the same store."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from zermelo.jobs.hire import PROCESSES, Hired, environment, hire
from zermelo.jobs.job import Job
from zermelo.jobs.store import Store
from zermelo.jobs.work import DONE

WAIT_SECONDS = 0.2
RENEW_SECONDS = 10.0
OTHERS_SECONDS = 0.5


@dataclass
class JobProgress:
    """The progress of a run, over all of its jobs, those done before included."""

    what: str
    total: int
    done: int = 0
    solved: int = 0
    failed: int = 0
    seconds: float = 0.0
    eta: float | None = None
    waiting: bool = False
    values: Counter[str] = field(default_factory=Counter)  # of games that were played


ProgressCallback = Callable[[JobProgress], None]


class Workers:
    """Works through jobs with those that were hired, side by side with other runs on the same
    store."""

    def __init__(self, store: Store, hired: Hired, progress: ProgressCallback | None) -> None:
        self.store, self.hired, self.crew, self.orders = store, hired, hired.crew, hired.orders
        self.report, self.began, self.ran = progress, time.monotonic(), 0
        self.interrupted = False
        self.spent = 0.0  # seconds, of the jobs that ran
        self.renewed = time.monotonic()
        self.here = environment()
        # Both outlast a run: other runs may be ready with a job before the worker that is at it.
        self.flying: dict[int, Job] = {}  # by worker
        self.again: deque[Job] = deque()  # lost with their workers

    @property
    def seconds(self) -> float:
        """Seconds since the work began."""
        return time.monotonic() - self.began

    def forget_failed(self, digests: Iterable[str]) -> None:
        """Remove the rows without an answer, so that their jobs run again."""
        self.store.forget(digest for digest, row in self.store.rows(digests).items()
                          if row["status"] != DONE)

    def run(self, what: str, jobs: dict[str, Job]) -> None:
        """Do all of ``jobs`` that have no row yet."""
        state = JobProgress(what, len(jobs))
        pending = dict(jobs)
        self._catch_up(state, pending)
        queue = deque(pending.values())
        while pending:
            refused = self._hand_out(queue, pending)
            queue += refused
            idle = not self.flying and not self.again  # all that is left is with other runs
            for job, row in self._finished(0 if idle else WAIT_SECONDS):
                self.store.write(job, {"machine": self.here, **row})
                if pending.pop(job.digest, None) is not None:
                    _add(state, row)
                self.ran += 1
                self.spent += row.get("wall_seconds", 0.0)
            if idle:
                time.sleep(OTHERS_SECONDS)
            if refused:
                self._catch_up(state, pending)
            if time.monotonic() - self.renewed > RENEW_SECONDS:
                self.store.renew()
                self.renewed = time.monotonic()
            self._tell(state, waiting=idle)

    def _hand_out(self, queue: deque[Job], pending: dict[str, Job]) -> list[Job]:
        """Assign jobs to idle workers; return those claimed by other runs."""
        refused: list[Job] = []
        for worker in self.crew.capacity():
            job = self._next(queue, pending, refused)
            if job is None:
                break
            self.flying[worker] = job
            self.crew.submit(worker, self.orders.order(job), self.orders.seconds(job))
        return refused

    def _next(self, queue: deque[Job], pending: dict[str, Job], refused: list[Job]) -> Job | None:
        """Claim the next job for this run, and return it."""
        if self.again:
            return self.again.popleft()
        while queue:
            job = queue.popleft()
            if job.digest in pending:
                if self.store.claim(job.digest):
                    return job
                refused.append(job)
        return None

    def _finished(self, seconds: float) -> Iterator[tuple[Job, dict[str, Any]]]:
        """Yield the jobs that have ended, with their rows."""
        for done in self.crew.finished(seconds):
            job = self.flying.pop(done.worker)
            row = self.orders.row(job, done)
            if row is None:
                self.again.append(job)
            else:
                yield job, row

    def _catch_up(self, state: JobProgress, pending: dict[str, Job]) -> None:
        """Count the jobs that are done already, here or by other runs."""
        for digest, row in self.store.rows(pending).items():
            del pending[digest]
            _add(state, row)

    def _tell(self, state: JobProgress, waiting: bool) -> None:
        if self.report is None:
            return
        state.seconds, state.waiting = self.seconds, waiting
        if self.ran:  # jobs of all sorts come in turn, so those left take as long as these
            each = self.spent / self.ran
            state.eta = each * (state.total - state.done) / self.hired.count
        self.report(state)


@contextmanager
def at_work(store: Store, experiment: str, memory: int, *, workers: int | None = None,
            backend: str = PROCESSES, cluster: str | None = None, command: str = "",
            settings: dict[str, Any] | None = None,
            progress: ProgressCallback | None = None) -> Iterator[Workers]:
    """Hire workers for jobs that may use ``memory``, and note the run in the store; both end with
    the block, also by Ctrl-C, which is kept as ``interrupted``."""
    hired = hire(memory, workers, backend, cluster)
    store.begin(experiment, command, {**environment(), "workers": hired.count,
                                      "backend": hired.name}, settings)
    pool = Workers(store, hired, progress)
    try:
        try:
            yield pool
        finally:
            hired.crew.close()
    except KeyboardInterrupt:
        pool.interrupted = True
        hired.crew.close()
    finally:
        store.end()


def _add(state: JobProgress, row: Any) -> None:
    state.done += 1
    state.solved += bool(row.get("proved"))
    state.failed += row["status"] != DONE
    if "played" in row:
        state.values[row["value"]] += 1
