"""Where jobs run and how many at once: processes of this machine, this process, or a cluster; and
jobs as orders for the workers there, whose answers are rows.

A node of a cluster runs jobs with the same host process as this machine. A job is sent as plain
data, with the files that it needs and the version of its sender. The host makes a child for it,
with the same limits as anywhere; when the process of a node is killed, the host's input closes, and
it ends with its child.
"""

from __future__ import annotations

import json
import math
import os
import platform
import sys
import time
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import version
from typing import Any

from zermelo.errors import BadOption, ZermeloError, counted, one_line, quoted
from zermelo.jobs.job import Job, Unpacked, files_of, package_digest
from zermelo.jobs.work import CRASH, SPARE_BYTES, TIMEOUT, perform
from zermelo.solving.result import free_memory
from zermelo.version import __version__
from zermelo.workers.crew import TOO_LONG, Crew, Finished, InlineCrew, LocalCrew, Program, ask
from zermelo.workers.messages import BadMessage, Cancelled, never, parsed
from zermelo.workers.processes import can_fork, cores
from zermelo.workers.ray_crew import RayCluster, RayTasks

PACKAGES = ("numpy", "numba", "llvmlite")
PROCESSES, IN_PROCESS, RAY = "processes", "in-process", "ray"
BACKENDS = (PROCESSES, IN_PROCESS)
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


@dataclass(frozen=True)
class Hired:
    """A crew for jobs, its orders, how many jobs it runs at once, and notes for the user."""

    crew: Crew
    orders: Orders
    name: str
    count: int
    begun_with: list[str] = field(default_factory=list)

    @property
    def notes(self) -> list[str]:
        """Return what the user should know by now."""
        lost = self.orders.lost
        again = [f"{counted(lost, 'job')} lost with a process or a node of the cluster, and sent "
                 "again"] if lost else []
        return [*self.begun_with, *again]


def hire(memory: int, workers: int | None, backend: str = PROCESSES,
         cluster: str | None = None) -> Hired:
    """Return a crew for jobs that may use ``memory``, ``workers`` at once, by default as many as
    fit; ``cluster``: the address of a Ray cluster, on which they run."""
    if cluster is None:
        count, note = workers_with(memory, workers)
        return Hired(_crew_here(backend, count), Orders(), backend, count, [note] if note else [])
    if backend != PROCESSES:
        raise BadOption(f"jobs on a cluster have processes of their own: backend {quoted(backend)} "
                        f"does not go with the cluster {quoted(cluster)}.")
    crew = ray_crew(memory + SPARE_BYTES, workers, cluster)
    few = workers is not None and crew.count < workers
    notes = [f"{counted(crew.count, 'worker')} instead of {workers}: the cluster has no more "
             "places now"] if few else []
    return Hired(crew, FarOrders(), RAY, crew.count, notes)


def workers_with(memory: int, workers: int | None) -> tuple[int, str | None]:
    """Return how many jobs with this memory limit may run at once, and a note if those are fewer
    than asked for."""
    wanted = workers if workers is not None else cores()
    largest = memory + SPARE_BYTES
    fit = free_memory() // largest
    if fit < 1:
        raise BadOption(f"each job may use {largest / 1e9:.1f} GB, but only "
                        f"{free_memory() / 1e9:.1f} GB are free; lower it with --set memory=... "
                        "or --memory.")
    if wanted <= fit:
        return wanted, None
    return int(fit), (f"{counted(fit, 'worker')} instead of {wanted}: each may use "
                      f"{largest / 1e9:.1f} GB, and {free_memory() / 1e9:.1f} GB are free")


def _crew_here(backend: str, workers: int) -> Crew:
    if backend == IN_PROCESS:
        return InlineCrew(InThisProcess, 1)
    if backend == PROCESSES:
        if not can_fork():
            raise BadOption("this system can't fork, so jobs can't have processes of their own; "
                            "use --backend in-process.")
        return LocalCrew(host(), workers)
    raise BadOption(f"there is no backend {backend!r}; backends: {', '.join(BACKENDS)}.")


def ray_crew(memory: int, workers: int | None, address: str) -> RayTasks:
    """Return a crew on the cluster at ``address``; ``memory``: how much the largest job may use,
    all included."""
    cluster = RayCluster(address, workers or cores())
    try:
        crew = RayTasks(cluster, ClusterNode, workers, memory, KEPT)
        if crew.count < 1:
            raise BadOption(
                f"no node of the cluster at {quoted(address)} has a processor and "
                f"{memory / 1e9:.1f} GB of memory, which each job may use; lower it with "
                "--set memory=...")
    except BaseException:
        cluster.leave()
        raise
    return crew


class ClusterNode:
    """Has a host, which keeps its machine code from job to job, and the files that were sent."""

    def __init__(self) -> None:
        self.crew, self.files = LocalCrew(host(), 1), Unpacked()

    def answer(self, order: bytes, cancelled: Cancelled = never) -> bytes:
        """Run a job; return its ``row`` and the machine that it was measured on, or ``refused``,
        where this machine can't be trusted to do what the sender would."""
        return json.dumps(self._do(**json.loads(order))).encode()

    def _do(self, job: str, files: dict[str, str], sender: str) -> dict[str, Any]:
        here = package_digest()
        if here != sender:
            return {"refused": f"a node of the cluster has other code than this machine: Zermelo "
                               f"{here} there, {sender} here; install the same version everywhere"}
        try:
            row = row_of(self.crew, self.files.localise(Job.from_json(job), files))
        except (ZermeloError, OSError) as error:  # its host can't be started, its disk is full
            return {"refused": f"a node of the cluster can't run jobs: {one_line(error)}"}
        return {"row": row, "machine": environment()}


def row_of(crew: Crew, job: Job) -> dict[str, Any] | None:
    """Return the row that a host sends, or one about how the host ended."""
    orders = Orders()
    return orders.row(job, ask(crew, orders.order(job), orders.seconds(job)))


@cache
def environment() -> dict[str, Any]:
    """Return all that a reader needs to judge times: machine, system and versions, without the name
    of a machine, user or path."""
    return {
        "cpu": _cpu(), "cores": cores(), "memory_bytes": _memory(),
        "system": f"{platform.system()} {platform.release()}", "machine": platform.machine(),
        "python": platform.python_version(), "zermelo": __version__,
        **{package: version(package) for package in PACKAGES},
    }


def _cpu() -> str:
    with suppress(OSError), open("/proc/cpuinfo") as file:
        for line in file:
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or "unknown"


def _memory() -> int:
    with suppress(OSError, ValueError, AttributeError):
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return 0
