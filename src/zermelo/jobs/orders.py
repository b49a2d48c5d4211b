"""Jobs as orders for workers, and answers of workers as rows: on this machine, and on others."""

from __future__ import annotations

import json
import math
import os
import sys
import time
from collections import Counter
from typing import Any

from zermelo.errors import BadOption, counted
from zermelo.jobs.job import Job, files_of, package_digest
from zermelo.jobs.work import CRASH, TIMEOUT, perform
from zermelo.workers.crew import TOO_LONG, Finished, Program
from zermelo.workers.messages import BadMessage, Cancelled, never, parsed

COMPILING = 180.0  # seconds that a host may take before it starts a job's child
GOODBYE = 5.0  # seconds that it may take to end its child
MOST_LOSSES = 3  # of one job, which may be what brings its workers down
KEPT = "finished results are kept, and the same command goes on from there"


def host() -> Program:
    """Return the program that runs jobs: the first one that can't be started says why none can."""
    return Program((sys.executable, "-m", "zermelo.jobs.work"), at_once=False, own_work=False,
                   goodbye=GOODBYE, tries=1)


class InThisProcess:
    """Does jobs without a process of their own, for a debugger. No limit is enforced here that the
    search does not keep itself."""

    def answer(self, order: bytes, cancelled: Cancelled = never) -> bytes:
        """Do a job and return its row."""
        began, cpu = time.perf_counter(), sum(os.times()[:2])
        row = perform(Job.from_json(order.decode()))
        if row.get("stopped") == "interrupted":  # by Ctrl-C, which is for the run
            raise KeyboardInterrupt
        return json.dumps({**row, "wall_seconds": time.perf_counter() - began,
                           "cpu_seconds": sum(os.times()[:2]) - cpu}).encode()


class Orders:
    """Orders for workers on this machine. ``lost``: how many jobs were sent again."""

    lost = 0

    def order(self, job: Job) -> bytes:
        """Return the order for a job."""
        return job.to_json().encode()

    def seconds(self, job: Job) -> float:
        """Return the seconds after which a job's worker is considered hung in the rules of a
        game."""
        return job.wall + COMPILING

    def row(self, job: Job, done: Finished) -> dict[str, Any] | None:
        """Return the row of a job whose order has ended; None if it has to be sent again."""
        if done.answer is not None:
            return _row(done.answer)
        if done.why == TOO_LONG:
            return {"status": TIMEOUT, "message": f"the worker was killed after {job.wall:g} s"}
        return {"status": CRASH, "message": f"the worker {done.why.removeprefix('it ')}"}


class FarOrders(Orders):
    """Orders for workers on other machines: a job goes with its files and the version of its
    sender. One that is lost is sent again; its row is written once, since only an answer makes a
    row."""

    def __init__(self) -> None:
        self.losses: Counter[str] = Counter()

    def order(self, job: Job) -> bytes:
        """Return the order for a job, with all that a node needs to know."""
        return json.dumps({"job": job.to_json(), "files": files_of(job),
                           "sender": package_digest()}).encode()

    def seconds(self, job: Job) -> float:
        """Return no limit: the node has one, which knows when the job began."""
        return math.inf

    def row(self, job: Job, done: Finished) -> dict[str, Any] | None:
        """Return the row of a job with the machine that it was measured on; None if it was lost."""
        if done.answer is None:
            return self._lose(job, done.why)
        try:
            answer = parsed(done.answer)
            if "refused" in answer:
                raise BadOption(f"{answer['refused']}; {KEPT}.")
            row, machine = _checked(answer.get("row")), answer.get("machine")
        except BadMessage as error:
            return self._lose(job, f"it sent {error}")
        return {**as_asked(job, row), "machine": machine}

    def _lose(self, job: Job, why: str) -> dict[str, Any] | None:
        """Count a job that is lost with a process or a node; return its row if it was the last
        time."""
        self.lost += 1
        self.losses[job.digest] += 1
        if self.losses[job.digest] < MOST_LOSSES:
            return None
        del self.losses[job.digest]
        return {"status": CRASH, "message":
                f"lost {counted(MOST_LOSSES, 'time')} with its process or node: {why}"}


def _row(answer: bytes) -> dict[str, Any]:
    """Return the row in the answer of a worker, or one that reports its absence."""
    try:
        return _checked(parsed(answer))
    except BadMessage as error:
        return {"status": CRASH, "message": f"the worker sent {error}"}


def _checked(row: Any) -> dict[str, Any]:
    """Return ``row`` if it can be one."""
    if not isinstance(row, dict) or not isinstance(row.get("status"), str):
        raise BadMessage("a row without a status")
    return row


def as_asked(job: Job, row: dict[str, Any]) -> dict[str, Any]:
    """Return a row whose game names the other search as the job does, wherever its file was on the
    node."""
    if "played" not in row or job.against is None:
        return row
    against = {name: job.against[name] for name in ("search", "options")}
    return {**row, "played": {**row["played"], "against": against}}
