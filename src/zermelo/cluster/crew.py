"""Crews: where workers run. A master needs no more than these methods of one."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from zermelo.cluster.setup import Setup
from zermelo.cluster.worker import Worker

BACKENDS = ("local", "ray", "inline")


class Finished(NamedTuple):
    """What became of an order: the answer, or, without one, why the worker is lost."""

    worker: int
    answer: bytes | None
    why: str = ""


class Crew(Protocol):
    """Workers by number. One that is lost is replaced by a new one, with a new number."""

    def capacity(self) -> list[int]:
        """The workers that are free."""

    def submit(self, worker: int, order: bytes, seconds: float) -> None:
        """Give an order to a free worker, which is lost if it takes more processor time."""

    def finished(self, seconds: float) -> list[Finished]:
        """The orders that have ended; waits at most ``seconds`` for the first."""

    def cancel(self, worker: int) -> None:
        """Ask a busy worker to come to an end soon."""

    def expel(self, worker: int) -> None:
        """End a worker; another one takes its place."""

    def close(self) -> None:
        """End all of them."""


class Inline:
    """Workers in this process, one after the other: for a debugger, and for tests."""

    def __init__(self, setup: Setup, workers: int) -> None:
        self.setup, self.made = setup, 0
        self.workers: dict[int, Worker] = {}
        self.orders: dict[int, bytes] = {}
        for _ in range(workers):
            self._new()

    def _new(self) -> None:
        self.workers[self.made] = Worker(self.setup)
        self.made += 1

    def capacity(self) -> list[int]:
        """Those without an order."""
        return [number for number in self.workers if number not in self.orders]

    def submit(self, worker: int, order: bytes, seconds: float) -> None:
        """It is done when it is waited for."""
        self.orders[worker] = order

    def finished(self, seconds: float) -> list[Finished]:
        """Do what was submitted."""
        orders, self.orders = self.orders, {}
        return [Finished(number, self.workers[number].answer(order))
                for number, order in orders.items()]

    def cancel(self, worker: int) -> None:
        """Nothing runs while the master does."""

    def expel(self, worker: int) -> None:
        """A new one with an empty table."""
        self.orders.pop(worker, None)
        del self.workers[worker]
        self._new()

    def close(self) -> None:
        """Nothing runs."""
        self.orders.clear()
