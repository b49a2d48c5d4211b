"""Workers as tasks of a Ray cluster, which have a place for as long as an order takes."""

from __future__ import annotations

import contextlib
import time
from functools import cache
from typing import Any

from zermelo.crews.crew import Answering, Make
from zermelo.crews.ray_cluster import RayCluster, told
from zermelo.crews.ray_crew import RayCrew
from zermelo.errors import BadOption, one_line

LOOK_SECONDS = 5.0  # between two looks at what nodes there are


@cache
def the_worker(make: Make) -> Answering:
    """The worker of this process, which is there for one order after the other."""
    return make()


def answer_once(make: Make, order: bytes) -> bytes:
    """What runs on a node."""
    return the_worker(make).answer(order)


class RayTasks(RayCrew):
    """As many workers as there are places for on the cluster, or ``workers`` of them; nodes may
    come and go. ``memory``: how much each may use, all included."""

    of_whom = "a job"

    def __init__(self, cluster: RayCluster, make: Make, workers: int | None, memory: int,
                 kept: str) -> None:
        super().__init__(cluster, kept)
        self.make, self.workers, self.memory = make, workers, memory
        self.numbers: list[int] = []
        self._count()
        # Who gives the orders counts losses; Ray, which could try again, would not say.
        self.run = self.ray.remote(num_cpus=1, memory=memory, max_retries=0)(answer_once)

    def _count(self) -> None:
        self.looked = time.monotonic()
        fit = self.cluster.places(self.memory)
        self.count = fit if self.workers is None else min(self.workers, fit)
        while len(self.numbers) < self.count:
            self._new()

    def _new(self) -> None:
        self.numbers.append(self.made)
        self.made += 1

    def capacity(self) -> list[int]:
        """Those without an order, as far as there are places."""
        free = [number for number in self.numbers if number not in self.until]
        return free[: max(0, self.count - len(self.until))]

    def _present(self) -> bool:
        if time.monotonic() - self.looked >= LOOK_SECONDS:
            self._count()
        return self.count > 0

    def _send(self, worker: int, order: bytes) -> Any:
        return self.run.remote(self.make, order)

    def _why(self, error: Exception) -> str:
        first = one_line(told(error).partition("\n")[0]).rstrip(".")
        if isinstance(error, self.ray.exceptions.RayTaskError):  # it could not even begin there
            raise BadOption(f"a node of the cluster can't run jobs: {first}; the same version of "
                            "Zermelo must be installed on every node.") from None
        return first

    def cancel(self, worker: int) -> None:
        """End the process that does it."""
        for reference, number in self.flying.items():
            if number == worker:
                self._end(reference)

    def _end(self, reference: Any) -> None:
        with contextlib.suppress(Exception):  # it has ended, or the cluster is gone
            self.ray.cancel(reference, force=True)

    def expel(self, worker: int) -> None:
        """The same; another number takes its place."""
        for reference in self._forget(worker):
            self._end(reference)
        if worker in self.numbers:
            self.numbers.remove(worker)
            self._new()

    def close(self) -> None:
        """End what is running: what it has started ends with it. A cluster that was begun here ends
        too."""
        for reference in self.flying:
            self._end(reference)
        self.flying.clear()
        self.cluster.leave()
