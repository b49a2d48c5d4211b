"""Crews: where workers run, by the same methods everywhere; and workers in this process.

Orders and answers are bytes: what they say is between who gives the orders and the workers.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

TOO_LONG = "it took too long"  # why a worker is lost whose time was up
WAIT_SECONDS = 1.0  # between two looks at who is late

Cancelled = Callable[[], bool]


def never() -> bool:
    """Nobody cancels."""
    return False


class Answering(Protocol):
    """What a worker is, wherever it runs: it is given orders and answers them."""

    def answer(self, order: bytes, cancelled: Cancelled = never) -> bytes:
        """The answer to an order; soon, once it is ``cancelled``."""


Make = Callable[[], Answering]


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
        """Give an order to a free worker, which is lost if it takes more time."""

    def finished(self, seconds: float) -> list[Finished]:
        """The orders that have ended; waits at most ``seconds`` for the first."""

    def cancel(self, worker: int) -> None:
        """Ask a busy worker to come to an end soon."""

    def expel(self, worker: int) -> None:
        """End a worker, if it is still there; another one takes its place."""

    def close(self) -> None:
        """End all of them."""


def ask(crew: Crew, order: bytes, seconds: float) -> Finished:
    """What becomes of an order to a crew that has no other: who is free gets it."""
    crew.submit(crew.capacity()[0], order, seconds)
    while True:
        for each in crew.finished(WAIT_SECONDS):
            return each


class InlineCrew:
    """``workers`` of those that ``make`` makes. No limit is kept that they do not keep."""

    def __init__(self, make: Make, workers: int) -> None:
        self.make, self.made = make, 0
        self.workers: dict[int, Answering] = {}
        self.orders: dict[int, bytes] = {}
        for _ in range(workers):
            self._new()

    def _new(self) -> None:
        self.workers[self.made] = self.make()
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
        """Nothing runs while who could cancel does."""

    def expel(self, worker: int) -> None:
        """A new one, which knows nothing of what was before."""
        self.orders.pop(worker, None)
        if self.workers.pop(worker, None) is not None:
            self._new()

    def close(self) -> None:
        """Nothing runs."""
        self.orders.clear()
