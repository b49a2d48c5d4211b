"""The run: claim jobs, hand them to the backend, keep their rows; then judge the conclusions."""

from __future__ import annotations

import time
from collections import Counter, defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from zermelo.errors import BadOption
from zermelo.lab.backend import Backend
from zermelo.lab.backend import backend as backend_by_name
from zermelo.lab.job import PROVE, Job
from zermelo.lab.machine import cores, environment
from zermelo.lab.plan import Plan
from zermelo.lab.store import Store
from zermelo.lab.work import DONE, SPARE_BYTES
from zermelo.result import free_memory

WAIT_SECONDS = 0.2
RENEW_SECONDS = 10.0
OTHERS_SECONDS = 0.5


@dataclass
class Progress:
    """How far a run is, over all of its jobs, those done before included."""

    what: str
    total: int
    done: int = 0
    solved: int = 0
    failed: int = 0
    seconds: float = 0.0
    eta: float | None = None
    waiting: bool = False
    values: Counter[str] = field(default_factory=Counter)  # of games that were played


@dataclass
class Outcome:
    """How a run ended: jobs by status, and what it took."""

    total: int
    done: int
    ran: int
    statuses: dict[str, int]
    seconds: float
    interrupted: bool = False
    notes: list[str] = field(default_factory=list)


ProgressCallback = Callable[[Progress], None]


def workers_for(plan: Plan, workers: int | None) -> tuple[int, str | None]:
    """How many jobs may run at once: on all cores, as far as their memory limits fit together."""
    largest = max(cell.job.memory for cell in plan.cells)
    if plan.judge is not None:
        largest = max(largest, plan.judging(plan.cells[0]).memory)
    return workers_with(largest, workers)


def workers_with(memory: int, workers: int | None) -> tuple[int, str | None]:
    """How many jobs with such a limit may run at once, and what to say if it is not as asked."""
    wanted = workers if workers is not None else cores()
    largest = memory + SPARE_BYTES
    fit = free_memory() // largest
    if fit < 1:
        raise BadOption(f"a job of this experiment may use {largest / 1e9:.1f} GB, but only "
                        f"{free_memory() / 1e9:.1f} GB are free; lower it with --set memory=... "
                        "or --memory.")
    if wanted <= fit:
        return wanted, None
    return int(fit), (f"{fit} workers instead of {wanted}: each may use {largest / 1e9:.1f} GB, "
                      f"and {free_memory() / 1e9:.1f} GB are free")


def run(plan: Plan, store: Store, *, command: str = "", workers: int | None = None,
        backend: str = "processes", retry: bool = False,
        progress: ProgressCallback | None = None) -> Outcome:
    """Run what is not done yet. Ctrl-C ends it and keeps every row that is complete."""
    began = time.monotonic()
    count, note = workers_for(plan, workers)
    chosen = backend_by_name(backend, count)
    store.begin(plan.experiment.name, command, {**environment(), "workers": count,
                                                "backend": backend})
    if retry:
        rows = store.rows(plan.jobs)
        store.forget(digest for digest, row in rows.items() if row["status"] != DONE)
    crew = Crew(store, chosen, count, progress, began)
    interrupted = False
    try:
        crew.run("jobs", plan.jobs)
        if plan.judge is not None:
            crew.run("judged", judging_jobs(plan, store))
    except KeyboardInterrupt:
        interrupted = True
    finally:
        chosen.close()
        store.end()
    jobs = {**plan.jobs, **({} if plan.judge is None else judging_jobs(plan, store))}
    statuses: dict[str, int] = defaultdict(int)
    for row in store.rows(jobs).values():
        statuses[row["status"]] += 1
    return Outcome(len(jobs), sum(statuses.values()), crew.ran, dict(statuses),
                   time.monotonic() - began, interrupted, [note] if note else [])


def judging_jobs(plan: Plan, store: Store) -> dict[str, Job]:
    """The proofs still needed to judge what was concluded, and those already made for that."""
    judge = plan.judge
    assert judge is not None
    rows = store.rows(plan.jobs)
    proved = {cell.job.question for cell in plan.cells
              if rows.get(cell.job.digest, {}).get("proved")}
    wanted: dict[str, Job] = {}
    for cell in plan.cells:
        if judge.on and cell.set not in judge.on:
            continue
        concluded = rows.get(cell.job.digest, {}).get("concluded")
        open_question = concluded and cell.job.question not in proved
        if cell.job.question not in wanted and (judge.all or judge.moves or open_question):
            wanted[cell.job.question] = plan.judging(cell)
    elsewhere = set() if judge.moves else _proved_elsewhere(wanted, store, judge.certificate)
    return {job.digest: job for question, job in wanted.items() if question not in elsewhere}


def _proved_elsewhere(wanted: dict[str, Job], store: Store, certificate: bool) -> set[str]:
    """The questions that the judge of another experiment has answered, as well as ours would."""
    own = {job.digest for job in wanted.values()}
    proofs = [row for row in store.proofs(wanted)
              if row["job_kind"] == PROVE and row["certified"] >= certificate]
    mine = {row["question"] for row in proofs if row["digest"] in own}
    return {row["question"] for row in proofs} - mine


class Crew:
    """Works through jobs with a backend, side by side with other runs on the same store."""

    def __init__(self, store: Store, backend: Backend, workers: int,
                 progress: ProgressCallback | None, began: float) -> None:
        self.store, self.backend, self.workers = store, backend, workers
        self.report, self.began, self.ran = progress, began, 0
        self.spent: dict[tuple[Any, ...], list[float]] = defaultdict(list)
        self.renewed = time.monotonic()

    def run(self, what: str, jobs: dict[str, Job]) -> None:
        """All of ``jobs`` that have no row yet."""
        state = Progress(what, len(jobs))
        pending = dict(jobs)
        self._catch_up(state, pending)
        queue = list(pending.values())
        flying: set[str] = set()
        while pending:
            refused = []
            while queue and self.backend.free() > 0:
                job = queue.pop(0)
                if job.digest not in pending:
                    continue
                if self.store.claim(job.digest):
                    self.backend.submit(job)
                    flying.add(job.digest)
                else:
                    refused.append(job)
            queue += refused
            idle = not flying  # all that is left is with other runs
            for job, row in self.backend.wait(0 if idle else WAIT_SECONDS):
                self.store.write(job, row)
                flying.discard(job.digest)
                self._count(state, pending, job, row)
            if idle:
                time.sleep(OTHERS_SECONDS)
            if refused:
                self._catch_up(state, pending)
            self._keep_claims()
            self._tell(state, pending, waiting=idle)

    def _catch_up(self, state: Progress, pending: dict[str, Job]) -> None:
        """Take note of what is done already, here or by other runs."""
        for digest, row in self.store.rows(pending).items():
            del pending[digest]
            _add(state, row)

    def _count(self, state: Progress, pending: dict[str, Job], job: Job, row: Any) -> None:
        if pending.pop(job.digest, None) is not None:
            _add(state, row)
        self.ran += 1
        self.spent[_sort(job)].append(row.get("wall_seconds", 0.0))

    def _keep_claims(self) -> None:
        if time.monotonic() - self.renewed > RENEW_SECONDS:
            self.store.renew()
            self.renewed = time.monotonic()

    def _tell(self, state: Progress, pending: dict[str, Job], waiting: bool) -> None:
        if self.report is None:
            return
        state.seconds, state.waiting = time.monotonic() - self.began, waiting
        every = [seconds for some in self.spent.values() for seconds in some]
        if every:
            mean = sum(every) / len(every)
            means = {key: sum(some) / len(some) for key, some in self.spent.items()}
            state.eta = sum(means.get(_sort(job), mean) for job in pending.values()) / self.workers
        self.report(state)


def _sort(job: Job) -> tuple[Any, ...]:
    """Jobs that take about the same time."""
    return (job.kind, job.game, job.search, str(job.options), job.nodes, job.time)


def _add(state: Progress, row: Any) -> None:
    state.done += 1
    state.solved += bool(row.get("proved"))
    state.failed += row["status"] != DONE
    if "played" in row:
        state.values[row["value"]] += 1
