"""Workers as actors of a Ray cluster, which keep what they know from order to order."""

from __future__ import annotations

from typing import Any

from zermelo.crews.crew import Finished, Make
from zermelo.crews.ray_cluster import RayCluster, told
from zermelo.crews.ray_crew import RayCrew
from zermelo.errors import BadOption, one_line
from zermelo.kernel.start import load_numba_alone

GIVE_UP = 5  # actors lost one after the other that have never been ready


class Actor:
    """What runs on a node: a worker, which is asked one thing at a time, and told to stop."""

    def __init__(self, make: Make) -> None:
        load_numba_alone()
        self.stop = False
        self.worker = make()

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
        """Actors that have a place and no order."""
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
        """An actor is ready, or was lost before."""
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
        """Beside its work."""
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
