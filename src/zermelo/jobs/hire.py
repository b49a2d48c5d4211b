"""Where jobs run and how many at once: processes of this machine, this process, or a cluster."""

from __future__ import annotations

from dataclasses import dataclass, field

from zermelo.errors import BadOption, counted, quoted
from zermelo.jobs.backend import Backend
from zermelo.jobs.backend import backend as backend_by_name
from zermelo.jobs.ray_hosts import RayHosts
from zermelo.jobs.work import SPARE_BYTES
from zermelo.jobs.workers import workers_with

PROCESSES, RAY = "processes", "ray"


@dataclass(frozen=True)
class Hired:
    """A backend by its name, how many jobs it runs at once, and what a user should know."""

    backend: Backend
    name: str
    count: int
    begun_with: list[str] = field(default_factory=list)

    @property
    def notes(self) -> list[str]:
        """By now."""
        lost = self.backend.lost if isinstance(self.backend, RayHosts) else 0
        again = [f"{counted(lost, 'job')} lost with a process or a node of the cluster, and sent "
                 "again"] if lost else []
        return [*self.begun_with, *again]


def hire(memory: int, workers: int | None, backend: str = PROCESSES,
         cluster: str | None = None) -> Hired:
    """For jobs that may use ``memory``; ``workers``: so many at once, by default as many as fit;
    ``cluster``: the address of a Ray cluster, on which they run."""
    if cluster is None:
        count, note = workers_with(memory, workers)
        return Hired(backend_by_name(backend, count), backend, count, [note] if note else [])
    if backend != PROCESSES:
        raise BadOption(f"jobs on a cluster have processes of their own: backend {quoted(backend)} "
                        f"does not go with the cluster {quoted(cluster)}.")
    hosts = RayHosts(memory + SPARE_BYTES, workers, cluster)
    few = workers is not None and hosts.count < workers
    notes = [f"{counted(hosts.count, 'worker')} instead of {workers}: the cluster has no more "
             "places now"] if few else []
    return Hired(hosts, RAY, hosts.count, notes)
