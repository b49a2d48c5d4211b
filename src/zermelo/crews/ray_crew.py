"""Workers on a Ray cluster: on this machine or on many.

Ray finds a place for each, with the processors and the memory that it needs, and notices when a
process or a node is lost. A worker that keeps something from order to order is an actor of Ray,
and has its place for as long as the crew lasts. One that does not is a task, and has a place for
as long as its order takes, so that several crews share a cluster.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from typing import Any

from zermelo.crews.crew import TOO_LONG, Finished
from zermelo.crews.ray_cluster import RayCluster
from zermelo.errors import BadOption

SLACK = 60.0  # seconds on the way there and back
NOBODY_SECONDS = 300.0  # in which nobody has a place, after which it is all over


class RayCrew(ABC):
    """What actors and tasks have in common. Time is by the wall clock here: a node does not tell
    what its processes use. ``kept``: what becomes of what is done when nobody has a place."""

    of_whom = "a worker"

    def __init__(self, cluster: RayCluster, kept: str) -> None:
        self.cluster, self.ray, self.kept = cluster, cluster.ray, kept
        self.made = 0
        self.flying: dict[Any, int] = {}  # what will be the answer, and the worker's number
        self.until: dict[int, float] = {}
        self.peopled = time.monotonic()

    @abstractmethod
    def _send(self, worker: int, order: bytes) -> Any:
        """Send an order; what will be the answer."""

    @abstractmethod
    def _present(self) -> bool:
        """Whether anybody has a place."""

    @abstractmethod
    def _why(self, error: Exception) -> str:
        """Why a worker is lost."""

    @abstractmethod
    def expel(self, worker: int) -> None:
        """End a worker; another one takes its place."""

    def submit(self, worker: int, order: bytes, seconds: float) -> None:
        """Send it."""
        self.flying[self._send(worker, order)] = worker
        self.until[worker] = time.monotonic() + seconds + SLACK

    def finished(self, seconds: float) -> list[Finished]:
        """Answers, and who is lost."""
        done = [found for reference in self._arrived(seconds)
                if (found := self._take(reference)) is not None]
        for worker, until in list(self.until.items()):
            if time.monotonic() > until:
                self.expel(worker)
                done.append(Finished(worker, None, TOO_LONG))
        self._look()
        return done

    def _arrived(self, seconds: float) -> list[Any]:
        asked = self._awaited()
        if not asked:
            time.sleep(seconds)
            return []
        ready, _ = self.ray.wait(asked, num_returns=1, timeout=seconds)
        if ready:  # and what else is there by now
            ready, _ = self.ray.wait(asked, num_returns=len(asked), timeout=0)
        return list(ready)

    def _awaited(self) -> list[Any]:
        return [*self.flying]

    def _take(self, reference: Any) -> Finished | None:
        worker = self.flying.pop(reference)
        self.until.pop(worker, None)
        try:
            answer: bytes = self.ray.get(reference)
        except Exception as error:  # lost with its process or node, as a rule
            why = self._why(error)
            self.expel(worker)
            return Finished(worker, None, why)
        return Finished(worker, answer)

    def _look(self) -> None:
        """End where nobody has a place for long."""
        now = time.monotonic()
        if self._present():
            self.peopled = now
        elif now - self.peopled > NOBODY_SECONDS:
            raise BadOption(f"the cluster has had no place for {self.of_whom} for "
                            f"{now - self.peopled:.0f} s; {self.kept}.")

    def _forget(self, worker: int) -> list[Any]:
        """It has no order any more; what would have been its answers."""
        self.until.pop(worker, None)
        gone = [reference for reference, number in self.flying.items() if number == worker]
        for reference in gone:
            del self.flying[reference]
        return gone
