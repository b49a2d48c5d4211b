"""Workers as actors of a Ray cluster: on this machine or on many."""

from __future__ import annotations

import time
from typing import Any

from zermelo.cluster.crew import Finished
from zermelo.cluster.setup import Setup
from zermelo.cluster.worker import Worker
from zermelo.errors import BadOption, one_line
from zermelo.jobs.ray_cluster import connect, load_ray
from zermelo.kernel.start import load_numba_alone

STARTING = 300.0  # seconds until an actor has its place
GIVE_UP = 5  # actors lost one after the other before any has answered

class Actor:
    """What runs on a node: a worker, which is asked one thing at a time, and told to stop."""

    def __init__(self, setup: dict[str, Any]) -> None:
        load_numba_alone()
        self.stop = False
        self.worker = Worker(Setup(**setup))

    def work(self, order: bytes) -> bytes:
        """The answer to an order."""
        self.stop = False
        return self.worker.answer(order, lambda: self.stop)

    def cancel(self) -> None:
        """Come to an end soon."""
        self.stop = True


class RayCrew:
    """``workers`` actors; one that is lost, with its node perhaps, is replaced elsewhere."""

    def __init__(self, setup: Setup, workers: int, address: str | None = None) -> None:
        self.ray = load_ray()
        self.ours = not self.ray.is_initialized()
        connect(self.ray, address, workers)
        self.setup, self.made, self.failures = setup, 0, 0
        self.actors: dict[int, Any] = {}
        self.flying: dict[Any, int] = {}  # what an actor will answer, and whose number it has
        self.until: dict[int, float] = {}
        # Actors need a processor each, and answer "cancel" beside their work.
        self.kind = self.ray.remote(num_cpus=1, max_concurrency=2, max_restarts=0)(Actor)
        for _ in range(workers):
            self._new()

    def _new(self) -> None:
        self.actors[self.made] = self.kind.remote(self.setup.to_dict())
        self.made += 1

    def capacity(self) -> list[int]:
        """Actors without an order; one that has no place yet waits with its first order."""
        return [number for number in self.actors if number not in self.until]

    def submit(self, worker: int, order: bytes, seconds: float) -> None:
        """Send it. The limit is by the wall clock here: a node does not tell its processes'."""
        self.flying[self.actors[worker].work.remote(order)] = worker
        self.until[worker] = time.monotonic() + seconds + STARTING

    def finished(self, seconds: float) -> list[Finished]:
        """Answers, and who is lost."""
        if not self.flying:
            time.sleep(min(seconds, 0.01))
            return []
        ready, _ = self.ray.wait(list(self.flying), num_returns=1, timeout=seconds)
        if ready:  # and what else is there by now
            more, _ = self.ray.wait(list(self.flying), num_returns=len(self.flying), timeout=0)
            ready = more
        done = [self._came(reference) for reference in ready]
        for worker, until in list(self.until.items()):
            if time.monotonic() > until:
                self.expel(worker)
                done.append(Finished(worker, None, "it took too long"))
        return done

    def _came(self, reference: Any) -> Finished:
        worker = self.flying.pop(reference)
        self.until.pop(worker, None)
        try:
            answer: bytes = self.ray.get(reference)
        except Exception as error:  # lost with its process or node, or the game can't be made
            cause = getattr(error, "cause", None)
            why = one_line(cause if cause is not None else error)
            self.failures += 1
            if self.failures >= GIVE_UP:
                raise BadOption(f"the workers on the cluster can't go on: {why}.") from None
            self.expel(worker)
            return Finished(worker, None, why)
        self.failures = 0
        return Finished(worker, answer)

    def cancel(self, worker: int) -> None:
        """Beside its work."""
        self.actors[worker].cancel.remote()

    def expel(self, worker: int) -> None:
        """Kill the actor; another one takes its place."""
        self.until.pop(worker, None)
        self.flying = {each: number for each, number in self.flying.items() if number != worker}
        self.ray.kill(self.actors.pop(worker), no_restart=True)
        self._new()

    def close(self) -> None:
        """Kill all actors; a cluster that was begun here ends too."""
        for actor in self.actors.values():
            self.ray.kill(actor, no_restart=True)
        self.actors.clear()
        if self.ours:
            self.ray.shutdown()
