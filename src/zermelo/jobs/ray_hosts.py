"""Jobs on a Ray cluster: one backend among others, with hosts on every node.

Ray finds a place for each job, one processor and as much memory as the job may use, and notices
when a process or a node is lost. Such a job is sent again; its row is written once, since only an
answer makes a row.
"""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from typing import Any

from zermelo.errors import BadOption, counted, one_line, quoted
from zermelo.jobs.backend import Finished
from zermelo.jobs.job import Job
from zermelo.jobs.machine import cores
from zermelo.jobs.node import run_order
from zermelo.jobs.ray_cluster import connect, load_ray, places
from zermelo.jobs.shipping import files_of, package_digest
from zermelo.jobs.work import CRASH

LOOK_SECONDS = 5.0  # between two looks at what nodes there are
NOBODY_SECONDS = 300.0  # without any node, after which the run ends
MOST_LOSSES = 3  # of one job, which may be what brings its workers down
KEPT = "finished results are kept, and the same command goes on from there"


@dataclass(frozen=True)
class Flight:
    """A job that was sent, and how often it was lost before."""

    job: Job
    losses: int = 0


class RayHosts:
    """As many jobs at once as there are places for on the cluster, or ``workers`` of them.

    ``memory``: how much the largest job may use, all included.
    """

    def __init__(self, memory: int, workers: int | None, address: str | None,
                 ray: Any = None) -> None:
        self.ray = load_ray() if ray is None else ray
        self.ours = not self.ray.is_initialized()
        self.workers, self.memory, self.lost = workers, memory, 0
        self.flying: dict[Any, Flight] = {}
        connect(self.ray, address, workers or cores())
        try:
            self.count = self._places()
            if self.count < 1:
                raise BadOption(
                    f"no node of the cluster at {quoted(address)} has a processor and "
                    f"{memory / 1e9:.1f} GB of memory, which each job may use; lower it with "
                    "--set memory=...")
        except BaseException:
            self.close()
            raise
        # Lost jobs are sent again here, where losses are counted; Ray would not say.
        self.run = self.ray.remote(num_cpus=1, memory=memory, max_retries=0)(run_order)

    def _places(self) -> int:
        self.looked = self.peopled = time.monotonic()
        fit = places(self.ray, self.memory)
        return fit if self.workers is None else min(self.workers, fit)

    def free(self) -> int:
        """Places without a job; nodes may come and go."""
        return self.count - len(self.flying)

    def submit(self, job: Job) -> None:
        """Send it."""
        self._send(Flight(job))

    def _send(self, flight: Flight) -> None:
        job = flight.job
        self.flying[self.run.remote(job.to_json(), files_of(job), package_digest())] = flight

    def wait(self, seconds: float) -> list[Finished]:
        """The rows that arrive; waits at most ``seconds`` for the first."""
        self._look()
        if not self.flying:
            return []
        ready, _ = self.ray.wait(list(self.flying), num_returns=1, timeout=seconds)
        if ready:  # and what else is there by now
            ready, _ = self.ray.wait(list(self.flying), num_returns=len(self.flying), timeout=0)
        found = [self._came(reference) for reference in ready]
        return [one for one in found if one is not None]

    def _look(self) -> None:
        """Now and then: how many places are there?"""
        now, peopled = time.monotonic(), self.peopled
        if now - self.looked < LOOK_SECONDS:
            return
        self.count = self._places()
        if self.count < 1:
            self.peopled = peopled
            if now - peopled > NOBODY_SECONDS:
                raise BadOption(f"the cluster has had no place for a job for "
                                f"{now - peopled:.0f} s; {KEPT}.")

    def _came(self, reference: Any) -> Finished | None:
        """The row; None if the job was lost and has been sent again."""
        flight = self.flying.pop(reference)
        errors = self.ray.exceptions
        try:
            answer = self.ray.get(reference)
        except errors.RayTaskError as error:  # it could not even begin there
            raise BadOption(f"a node of the cluster can't run jobs: {_cause(error)}; the same "
                            "version of Zermelo must be installed on every node.") from None
        except errors.RayError as error:
            return self._lose(flight, _cause(error))
        if "refused" in answer:
            raise BadOption(f"{answer['refused']}; {KEPT}.")
        return flight.job, {**_as_asked(flight.job, answer["row"]), "machine": answer["machine"]}

    def _lose(self, flight: Flight, why: str) -> Finished | None:
        """A process or a node is lost, and the job with it."""
        self.lost += 1
        if flight.losses + 1 < MOST_LOSSES:
            self._send(Flight(flight.job, flight.losses + 1))
            return None
        return flight.job, {"status": CRASH, "message":
                            f"lost {counted(MOST_LOSSES, 'time')} with its process or node: {why}"}

    def close(self) -> None:
        """End what is running: hosts end with the processes that started them. A cluster that was
        begun here ends too."""
        for reference in self.flying:
            with contextlib.suppress(Exception):  # it has ended, or the cluster is gone
                self.ray.cancel(reference, force=True)
        self.flying.clear()
        if self.ours:
            self.ray.shutdown()
            self.ours = False


def _cause(error: Any) -> str:
    """What went wrong, without the lines about where."""
    cause = getattr(error, "cause", None)
    text = str(error if cause is None else f"{type(cause).__name__}: {cause}")
    return one_line(text.strip().partition("\n")[0]).rstrip(".")


def _as_asked(job: Job, row: dict[str, Any]) -> dict[str, Any]:
    """The row of a game names the other search as the job does, wherever its file was there."""
    if "played" not in row or job.against is None:
        return row
    against = {name: job.against[name] for name in ("search", "options")}
    return {**row, "played": {**row["played"], "against": against}}
