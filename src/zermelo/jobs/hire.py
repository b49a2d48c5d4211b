"""Where jobs run and how many at once: processes of this machine, this process, or a cluster."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from zermelo.errors import BadOption, counted, quoted
from zermelo.jobs.machine import cores
from zermelo.jobs.node import Node
from zermelo.jobs.orders import KEPT, FarOrders, InThisProcess, Orders, host
from zermelo.jobs.work import SPARE_BYTES
from zermelo.solving.result import free_memory
from zermelo.workers.crew import Crew, InlineCrew
from zermelo.workers.local import LocalCrew
from zermelo.workers.ray_crew import RayCluster, RayTasks

PROCESSES, IN_PROCESS, RAY = "processes", "in-process", "ray"
BACKENDS = (PROCESSES, IN_PROCESS)


@dataclass(frozen=True)
class Hired:
    """A crew for jobs, what it is told, how many it runs at once, and what a user should know."""

    crew: Crew
    orders: Orders
    name: str
    count: int
    begun_with: list[str] = field(default_factory=list)

    @property
    def notes(self) -> list[str]:
        """By now."""
        lost = self.orders.lost
        again = [f"{counted(lost, 'job')} lost with a process or a node of the cluster, and sent "
                 "again"] if lost else []
        return [*self.begun_with, *again]


def hire(memory: int, workers: int | None, backend: str = PROCESSES,
         cluster: str | None = None) -> Hired:
    """For jobs that may use ``memory``; ``workers``: so many at once, by default as many as fit;
    ``cluster``: the address of a Ray cluster, on which they run."""
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
    """How many jobs with this memory limit may run at once, and a note if fewer than asked for."""
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
        if not hasattr(os, "fork"):
            raise BadOption("this system can't fork, so jobs can't have processes of their own; "
                            "use --backend in-process.")
        return LocalCrew(host(), workers)
    raise BadOption(f"there is no backend {backend!r}; backends: {', '.join(BACKENDS)}.")


def ray_crew(memory: int, workers: int | None, address: str) -> RayTasks:
    """On the cluster at ``address``; ``memory``: how much the largest job may use, all included."""
    cluster = RayCluster(address, workers or cores())
    try:
        crew = RayTasks(cluster, Node, workers, memory, KEPT)
        if crew.count < 1:
            raise BadOption(
                f"no node of the cluster at {quoted(address)} has a processor and "
                f"{memory / 1e9:.1f} GB of memory, which each job may use; lower it with "
                "--set memory=...")
    except BaseException:
        cluster.leave()
        raise
    return crew
