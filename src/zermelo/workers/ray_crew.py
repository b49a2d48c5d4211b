"""Workers on a Ray cluster: on this machine or on many.

Ray finds a place for each, with the processors and the memory that it needs, and notices when a
process or a node is lost. A worker that keeps something from order to order is an actor of Ray,
and has its place for as long as the crew lasts. One that does not is a task, and has a place for
as long as its order takes, so that several crews share a cluster.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from abc import ABC, abstractmethod
from functools import cache
from typing import Any

from zermelo.errors import BadOption, one_line, quoted
from zermelo.storage.whole_files import Folder
from zermelo.workers.crew import TOO_LONG, Finished, Make
from zermelo.workers.messages import Answering
from zermelo.workers.processes import starting_safely
from zermelo.workers.signals import unchanged

LOCAL = "local"
STORE_BYTES = 100 << 20
MISSING = ("workers on a cluster need Ray, which is not installed; install it with "
           "pip install 'zermelo[cluster]'.")
SLACK = 60.0  # seconds on the way there and back
NOBODY_SECONDS = 300.0  # in which nobody has a place, after which it is all over
GIVE_UP = 5  # actors lost one after the other that have never been ready
LOOK_SECONDS = 5.0  # between two looks at what nodes there are


def load_ray() -> Any:
    """Ray, loaded when it is asked for and not before."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        with unchanged(signal.SIGTERM):  # which Ray sets
            import ray
    except ImportError:
        raise BadOption(MISSING) from None
    return ray


class RayCluster:
    """The Ray cluster at ``address``, or one that begins on this machine, with ``processors``."""

    def __init__(self, address: str | None, processors: int) -> None:
        self.ray = load_ray()
        self.ours = not self.ray.is_initialized()
        if self.ours:
            _connect(self.ray, address, processors)

    def places(self, memory: int = 0) -> int:
        """Return how many workers with this much memory fit on the nodes that are there, one to a
        processor."""
        found = 0
        for node in self.ray.nodes():
            if node["Alive"]:
                has = node["Resources"]
                found += int(min(has.get("CPU", 0), has.get("memory", 0) // max(memory, 1)))
        return found

    def leave(self) -> None:
        """End a cluster that was begun here; leave alone one that was there before."""
        if self.ours:
            self.ray.shutdown()
            self.ours = False


def _connect(ray: Any, address: str | None, processors: int) -> None:
    """Join or begin a cluster whose workers have an empty working directory: without one, Ray puts
    that of this process first on their ``sys.path``."""
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
    try:
        with unchanged(signal.SIGTERM), starting_safely(), Folder("zermelo-ray") as empty:
            quiet["runtime_env"] = {"working_dir": str(empty)}
            if address in (None, LOCAL):
                ray.init(num_cpus=processors, include_dashboard=False,
                         object_store_memory=STORE_BYTES, **quiet)
            else:
                ray.init(address=address, **quiet)
    except Exception as error:  # Ray raises many kinds
        raise BadOption(f"the Ray cluster at {quoted(address)} can't be reached: "
                        f"{one_line(error)}.") from None


def told(error: Exception) -> str:
    """Return what went wrong, in Ray's words. For an actor that could not be made Ray gives many
    lines, of which the last one says why."""
    cause = getattr(error, "cause", None)
    text = str(error if cause is None else f"{type(cause).__name__}: {cause}").strip()
    return text.splitlines()[-1] if "creation task" in text else text


class RayCrew(ABC):
    """The part that actors and tasks have in common. Time is by the wall clock: a node does not
    report what its processes use. ``kept``: the end of the message when no worker has a place."""

    of_whom = "a worker"

    def __init__(self, cluster: RayCluster, kept: str) -> None:
        self.cluster, self.ray, self.kept = cluster, cluster.ray, kept
        self.made = 0
        self.flying: dict[Any, int] = {}  # what will be the answer, and the worker's number
        self.until: dict[int, float] = {}
        self.peopled = time.monotonic()

    @abstractmethod
    def _send(self, worker: int, order: bytes) -> Any:
        """Send an order; return the reference to its answer."""

    @abstractmethod
    def _present(self) -> bool:
        """Return True if a worker has a place."""

    @abstractmethod
    def _why(self, error: Exception) -> str:
        """Return why a worker is lost."""

    @abstractmethod
    def expel(self, worker: int) -> None:
        """End a worker; another one takes its place."""

    def submit(self, worker: int, order: bytes, seconds: float) -> None:
        """Send an order to a worker."""
        self.flying[self._send(worker, order)] = worker
        self.until[worker] = time.monotonic() + seconds + SLACK

    def finished(self, seconds: float) -> list[Finished]:
        """Return answers, and the workers that are lost."""
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
        """Raise BadOption when no worker has had a place for long."""
        now = time.monotonic()
        if self._present():
            self.peopled = now
        elif now - self.peopled > NOBODY_SECONDS:
            raise BadOption(f"the cluster has had no place for {self.of_whom} for "
                            f"{now - self.peopled:.0f} s; {self.kept}.")

    def _forget(self, worker: int) -> list[Any]:
        """Drop the orders of a worker; return the references to their answers."""
        self.until.pop(worker, None)
        gone = [reference for reference, number in self.flying.items() if number == worker]
        for reference in gone:
            del self.flying[reference]
        return gone


class Actor:
    """A worker on a node, which does one order at a time, and can be cancelled."""

    def __init__(self, make: Make) -> None:
        self.stop = False
        self.worker = make()

    def ready(self) -> bool:
        """Return True: it has a place, and has loaded what it needs."""
        return True

    def work(self, order: bytes) -> bytes:
        """Return the answer to an order."""
        self.stop = False
        return self.worker.answer(order, lambda: self.stop)

    def cancel(self) -> None:
        """End the current order early."""
        self.stop = True


class RayActors(RayCrew):
    """``workers`` actors; one that is lost, with its node perhaps, is replaced elsewhere. Those for
    which the cluster has no place wait, and get no order meanwhile."""

    def __init__(self, cluster: RayCluster, make: Make, workers: int, processors: int = 1,
                 kept: str = "what was found is kept") -> None:
        super().__init__(cluster, kept)
        self.make, self.failures = make, 0
        self.actors: dict[int, Any] = {}
        self.starting: dict[Any, int] = {}  # what an actor will say first, and whose number it has
        # Actors answer "cancel" beside their work.
        self.kind = self.ray.remote(num_cpus=processors, max_concurrency=2, max_restarts=0)(Actor)
        for _ in range(workers):
            self._new()

    def _new(self) -> None:
        actor = self.actors[self.made] = self.kind.remote(self.make)
        self.starting[actor.ready.remote()] = self.made
        self.made += 1

    def capacity(self) -> list[int]:
        """Return the actors that have a place and no order."""
        waiting = set(self.starting.values())
        return [number for number in self.actors
                if number not in self.until and number not in waiting]

    def _present(self) -> bool:
        return len(self.starting) < len(self.actors)

    def _send(self, worker: int, order: bytes) -> Any:
        return self.actors[worker].work.remote(order)

    def _awaited(self) -> list[Any]:
        return [*self.flying, *self.starting]

    def _take(self, reference: Any) -> Finished | None:
        if reference in self.flying:
            return super()._take(reference)
        if reference in self.starting:  # else it was expelled meanwhile
            self._began(reference)
        return None

    def _began(self, reference: Any) -> None:
        """Note that an actor is ready, or was lost before."""
        worker = self.starting.pop(reference)
        try:
            self.ray.get(reference)
        except Exception as error:  # the worker can't be made there, or its node is lost
            self.failures += 1
            if self.failures >= GIVE_UP:
                raise BadOption(f"the workers on the cluster can't go on: "
                                f"{self._why(error)}.") from None
            self.expel(worker)
        else:
            self.failures = 0

    def _why(self, error: Exception) -> str:
        return one_line(told(error)).rstrip(".")

    def cancel(self, worker: int) -> None:
        """Ask a busy worker, beside its work, to end early."""
        self.actors[worker].cancel.remote()

    def expel(self, worker: int) -> None:
        """Kill the actor; another one takes its place."""
        if worker not in self.actors:
            return
        self._forget(worker)
        self.starting = {each: number for each, number in self.starting.items()
                         if number != worker}
        self.ray.kill(self.actors.pop(worker), no_restart=True)
        self._new()

    def close(self) -> None:
        """Kill all actors; a cluster that was begun here ends too."""
        for actor in self.actors.values():
            self.ray.kill(actor, no_restart=True)
        self.actors.clear()
        self.cluster.leave()


@cache
def the_worker(make: Make) -> Answering:
    """Return the worker of this process, which answers one order after the other."""
    return make()


def answer_once(make: Make, order: bytes) -> bytes:
    """Answer an order in a process on a node."""
    return the_worker(make).answer(order)


class RayTasks(RayCrew):
    """Tasks: as many workers as there are places for on the cluster, or ``workers`` of them; nodes
    may come and go. ``memory``: how much each may use, all included."""

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
        """Return the workers without an order, as far as there are places."""
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
        """End the process of a worker's order."""
        for reference, number in self.flying.items():
            if number == worker:
                self._end(reference)

    def _end(self, reference: Any) -> None:
        with contextlib.suppress(Exception):  # it has ended, or the cluster is gone
            self.ray.cancel(reference, force=True)

    def expel(self, worker: int) -> None:
        """End the process of a worker; another number takes its place."""
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
