"""The run: claim jobs, hand them to workers, keep their rows; then judge the conclusions."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field

from zermelo.jobs.hire import environment, hire
from zermelo.jobs.job import PROVE, Job
from zermelo.jobs.store import Row, Store
from zermelo.jobs.work import DONE
from zermelo.jobs.workers import ProgressCallback, Workers
from zermelo.lab.plan import ExperimentPlan


@dataclass
class Outcome:
    """Result of a run: jobs by status, and its cost. ``failure``: the reason of the first job
    without an answer."""

    total: int
    done: int
    ran: int
    statuses: dict[str, int]
    seconds: float
    interrupted: bool = False
    notes: list[str] = field(default_factory=list)
    failure: str = ""


def largest_memory(plan: ExperimentPlan) -> int:
    """Largest memory limit of the jobs."""
    largest = max(cell.job.memory for cell in plan.cells)
    if plan.judge is not None:
        largest = max(largest, plan.judging(plan.cells[0]).memory)
    return largest


def run(plan: ExperimentPlan, store: Store, *, command: str = "", workers: int | None = None,
        backend: str = "processes", cluster: str | None = None, retry: bool = False,
        progress: ProgressCallback | None = None) -> Outcome:
    """Run what is not done yet, on this machine or on the Ray ``cluster`` at this address. Ctrl-C
    ends it and keeps every row that is complete."""
    began = time.monotonic()
    hired = hire(largest_memory(plan), workers, backend, cluster)
    store.begin(plan.experiment.name, command,
                {**environment(), "workers": hired.count, "backend": hired.name},
                plan.settings.to_dict())
    if retry:
        rows = store.rows(plan.jobs)
        store.forget(digest for digest, row in rows.items() if row["status"] != DONE)
    pool = Workers(store, hired, progress, began)
    interrupted = False
    try:
        try:
            pool.run("jobs", plan.in_turn)
            if plan.judge is not None:
                pool.run("judged", judging_jobs(plan, store))
        finally:
            hired.crew.close()
    except KeyboardInterrupt:
        interrupted = True
        hired.crew.close()
    finally:
        store.end()
    jobs = {**plan.jobs, **({} if plan.judge is None else judging_jobs(plan, store))}
    found = store.rows(jobs)
    ended = [found[digest] for digest in jobs if digest in found]
    failures = [row["message"] or row["status"] for row in ended if row["status"] != DONE]
    return Outcome(len(jobs), len(ended), pool.ran, dict(Counter(row["status"] for row in ended)),
                   time.monotonic() - began, interrupted, hired.notes, "".join(failures[:1]))


def judging_jobs(plan: ExperimentPlan, store: Store,
                 known: dict[str, Row] | None = None) -> dict[str, Job]:
    """The proofs still needed to judge what was concluded, and those already made for that;
    ``known``: the rows of the plan, where they are not those that the store has by digest."""
    judge = plan.judge
    assert judge is not None
    rows = store.rows(plan.jobs) if known is None else known
    proved = {cell.job.question for cell in plan.cells
              if rows.get(cell.job.digest, {}).get("proved")}
    wanted: dict[str, Job] = {}
    for cell in plan.cells:
        if judge.on and cell.set not in judge.on:
            continue
        concluded = rows.get(cell.job.digest, {}).get("concluded")
        open_question = concluded and (judge.proved or cell.job.question not in proved)
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
