"""Workers as actors of a Ray cluster: on this machine or on many."""

from __future__ import annotations

import time
from typing import Any

from zermelo.cluster.crew import Finished
from zermelo.cluster.setup import Setup
from zermelo.cluster.worker import Worker
from zermelo.errors import BadOption, counted, one_line
from zermelo.jobs.ray_cluster import connect, load_ray, places
from zermelo.kernel.start import load_numba_alone

STARTING = 300.0  # seconds without any actor that has a place, after which the search ends
SLACK = 60.0  # seconds on the way there and back
GIVE_UP = 5  # actors lost one after the other that have never been ready


class Actor:
    """What runs on a node: a worker, which is asked one thing at a time, and told to stop."""

    def __init__(self, setup: dict[str, Any]) -> None:
        load_numba_alone()
        self.stop = False
        self.worker = Worker(Setup(**setup))

    def ready(self) -> bool:
        """It has a place, and has loaded what it needs."""
        return True

    def work(self, order: bytes) -> bytes:
        """The answer to an order."""
        self.stop = False
        return self.worker.answer(order, lambda: self.stop)

    def cancel(self) -> None:
        """Come to an end soon."""
        self.stop = True


class RayCrew:
    """``workers`` actors; one that is lost, with its node perhaps, is replaced elsewhere. Those for
    which the cluster has no place wait, and get no order meanwhile. ``together``: refuse a cluster
    that has not a place for each."""

    def __init__(self, setup: Setup, workers: int, address: str | None = None,
                 together: bool = False) -> None:
        self.ray = load_ray()
        self.ours = not self.ray.is_initialized()
        connect(self.ray, address, workers * setup.threads)
        if together and (there := places(self.ray, 0)) < workers:
            if self.ours:
                self.ray.shutdown()
            raise BadOption(f"{workers} workers with --deterministic (rounds=True) have to begin "
                            f"together, and the cluster has {counted(there, 'processor')}.")
        self.setup, self.made, self.failures = setup, 0, 0
        self.actors: dict[int, Any] = {}
        self.starting: dict[Any, int] = {}  # what an actor will say first, and whose number it has
        self.flying: dict[Any, int] = {}  # the same of answers to orders
        self.until: dict[int, float] = {}
        self.peopled = time.monotonic()
        # Actors need a processor for each thread, and answer "cancel" beside their work.
        self.kind = self.ray.remote(num_cpus=setup.threads, max_concurrency=2,
                                    max_restarts=0)(Actor)
        for _ in range(workers):
            self._new()

    def _new(self) -> None:
        actor = self.actors[self.made] = self.kind.remote(self.setup.to_dict())
        self.starting[actor.ready.remote()] = self.made
        self.made += 1

    def capacity(self) -> list[int]:
        """Actors that have a place and no order."""
        waiting = set(self.starting.values())
        return [number for number in self.actors
                if number not in self.until and number not in waiting]

    def submit(self, worker: int, order: bytes, seconds: float) -> None:
        """Send it. The limit is by the wall clock here: a node does not tell its processes'."""
        self.flying[self.actors[worker].work.remote(order)] = worker
        self.until[worker] = time.monotonic() + seconds + SLACK

    def finished(self, seconds: float) -> list[Finished]:
        """Answers, and who is lost."""
        asked = [*self.flying, *self.starting]
        ready, _ = self.ray.wait(asked, num_returns=1, timeout=seconds)
        if ready:  # and what else is there by now
            ready, _ = self.ray.wait(asked, num_returns=len(asked), timeout=0)
        done = []
        for reference in ready:
            if reference in self.flying:
                done.append(self._came(reference))
            elif reference in self.starting:  # else it was expelled meanwhile
                self._began(reference)
        for worker, until in list(self.until.items()):
            if time.monotonic() > until:
                self.expel(worker)
                done.append(Finished(worker, None, "it took too long"))
        self._look()
        return done

    def _look(self) -> None:
        """End where nobody has a place for long."""
        now = time.monotonic()
        if len(self.starting) < len(self.actors):
            self.peopled = now
        elif now - self.peopled > STARTING:
            raise BadOption(f"the cluster has had no place for a worker for "
                            f"{now - self.peopled:.0f} s; what was found is kept.")

    def _began(self, reference: Any) -> None:
        """An actor is ready, or was lost before."""
        worker = self.starting.pop(reference)
        try:
            self.ray.get(reference)
        except Exception as error:  # the game can't be made there, or its node is lost
            self.failures += 1
            if self.failures >= GIVE_UP:
                raise BadOption(f"the workers on the cluster can't go on: {_why(error)}.") from None
            self.expel(worker)
        else:
            self.failures = 0

    def _came(self, reference: Any) -> Finished:
        worker = self.flying.pop(reference)
        self.until.pop(worker, None)
        try:
            answer: bytes = self.ray.get(reference)
        except Exception as error:  # lost with its process or node
            self.expel(worker)
            return Finished(worker, None, _why(error))
        return Finished(worker, answer)

    def cancel(self, worker: int) -> None:
        """Beside its work."""
        self.actors[worker].cancel.remote()

    def expel(self, worker: int) -> None:
        """Kill the actor; another one takes its place."""
        self.until.pop(worker, None)
        self.flying = {each: number for each, number in self.flying.items() if number != worker}
        self.starting = {each: number for each, number in self.starting.items()
                         if number != worker}
        self.ray.kill(self.actors.pop(worker), no_restart=True)
        self._new()

    def close(self) -> None:
        """Kill all actors; a cluster that was begun here ends too."""
        for actor in self.actors.values():
            self.ray.kill(actor, no_restart=True)
        self.actors.clear()
        if self.ours:
            self.ray.shutdown()


def _why(error: Exception) -> str:
    """In a sentence. Of an actor that could not be made, Ray shows how it came to that, in many
    lines; the last one says why."""
    cause = getattr(error, "cause", None)
    text = str(cause if cause is not None else error).strip()
    return one_line(text.splitlines()[-1] if "creation task" in text else text).rstrip(".")
