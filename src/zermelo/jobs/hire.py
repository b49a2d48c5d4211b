"""Where jobs run and how many at once: processes of this machine, this process, or a cluster.

A node of a cluster runs jobs with the same host process as this machine. A job is sent as plain
data, with the files that it needs and the version of its sender. The host makes a child for it,
with the same limits as anywhere; when the process of a node is killed, the host's input closes, and
it ends with its child.
"""

from __future__ import annotations

import json
import os
import platform
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from zermelo.errors import BadOption, ZermeloError, counted, one_line, quoted
from zermelo.jobs.job import Job, Unpacked, package_digest
from zermelo.jobs.orders import KEPT, FarOrders, InThisProcess, Orders, host
from zermelo.jobs.work import SPARE_BYTES
from zermelo.solving.result import free_memory
from zermelo.version import __version__
from zermelo.workers.crew import Crew, InlineCrew, LocalCrew, ask
from zermelo.workers.messages import Cancelled, never
from zermelo.workers.processes import can_fork, cores
from zermelo.workers.ray_crew import RayCluster, RayTasks

PACKAGES = ("numpy", "numba", "llvmlite")
PROCESSES, IN_PROCESS, RAY = "processes", "in-process", "ray"
BACKENDS = (PROCESSES, IN_PROCESS)


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
        **{package: _version(package) for package in PACKAGES},
    }


def _version(package: str) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return "not installed"


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
