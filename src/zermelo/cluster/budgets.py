"""How large jobs are: small while the tree has few leaves, then a share of all work so far."""

from __future__ import annotations

from dataclasses import dataclass

OPENING = 1 << 11  # visits for a leaf while there are few
FEW = 16  # workers, for whom small jobs are soon handed out
EACH = 1_000  # visits of the smallest jobs, for each worker
WIDE = 3  # leaves for each worker that are enough
PATIENCE, SLOWEST = 60.0, 20.0  # seconds, and times as long as expected, before a worker is lost
HANDFUL = 64  # visits of a job, however few a limit leaves; by so many it may be exceeded
UNMEASURED = 900.0  # seconds for a first job, which compiles


@dataclass
class Budgets:
    """``least`` and ``most``: visits of a job; ``share``: how many jobs of each worker the work so
    far amounts to; ``opening``: visits of a job while there are few leaves; ``first``: of the very
    first one, since what is solved by then needs no second worker."""

    workers: int
    least: int = 1 << 14
    most: int = 1 << 24
    share: int = 8
    opening: int = OPENING
    first: int = 1 << 18
    slowest: float | None = None  # visits a second

    def visits(self, done: int, leaves: int) -> int:
        """The visits for the next job, after so many in all, in a tree with so many leaves."""
        if self.workers == 1:  # nobody waits for leaves: the longer it stays with one, the better
            return self.most
        if done == 0:
            return min(self.first, self.most)
        least = max(self.least, EACH * self.workers)  # no more jobs than a master can look after
        if leaves < WIDE * self.workers:
            return max(self.opening, least >> 3 if self.workers > FEW else 0)
        return min(self.most, max(least, done // (self.share * self.workers)))

    def within(self, visits: int, left: int) -> int:
        """The visits for a job where a limit leaves so many; 0 for no job."""
        return min(visits, max(left, HANDFUL)) if left > 0 else 0

    def measure(self, visits: int, seconds: float) -> None:
        """Learn from a job how fast workers are."""
        if visits >= self.opening and seconds > 0:
            speed = visits / seconds
            self.slowest = speed if self.slowest is None else min(self.slowest, speed)

    def seconds(self, visits: int) -> float:
        """How much processor time a job may take before its worker is given up."""
        if self.slowest is None:
            return UNMEASURED
        return PATIENCE + SLOWEST * visits / self.slowest
