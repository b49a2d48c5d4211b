"""Workers in this process, one after the other: for a debugger, and for tests."""

from __future__ import annotations

from zermelo.crews.crew import Answering, Finished, Make


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
