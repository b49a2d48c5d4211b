"""How long A takes in comparison with B, job by job; pairs of processors are told apart."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import asdict, dataclass
from typing import Any

from zermelo.errors import counted
from zermelo.lab.study.result_files import LEAST_SECONDS, TextRow, processor, seconds


@dataclass(frozen=True)
class Speed:
    """The geometric mean of A's seconds over B's, of ``timed`` jobs that took both at least 10 ms,
    A on one processor and B on the same or another."""

    ratio: float
    timed: int
    a: str
    b: str

    def text(self, alone: bool) -> str:
        """For people; ``alone``: all jobs are of this pair of processors."""
        if self.a != self.b:
            return (f"A on {self.a} takes {self.ratio:.2f} x the time of B on {self.b} (geometric "
                    f"mean of {counted(self.timed, 'job')})")
        where = "" if alone else f" on {self.a}"
        return (f"A takes {self.ratio:.2f} x the time of B{where} (geometric mean of "
                f"{counted(self.timed, 'job')})")

    def to_dict(self) -> dict[str, Any]:
        """As in the JSON output."""
        return asdict(self)


class Speeds:
    """Collects pairs of results of the same work."""

    def __init__(self) -> None:
        self.logarithms: dict[tuple[str, str], list[float]] = defaultdict(list)

    def add(self, one: TextRow, other: TextRow) -> None:
        """Two results; what took too little time to be compared is left out."""
        taken = seconds(one), seconds(other)
        if min(taken) >= LEAST_SECONDS:
            pair = processor(one), processor(other)
            self.logarithms[pair].append(math.log(taken[0] / taken[1]))

    def found(self) -> list[Speed]:
        """One for each pair of processors, the one with most jobs first."""
        rows = [Speed(math.exp(sum(some) / len(some)), len(some), *pair)
                for pair, some in self.logarithms.items()]
        return sorted(rows, key=lambda one: (-one.timed, one.a, one.b))


def of_one(speeds: list[Speed]) -> dict[str, Any]:
    """The number, and of how many jobs; none where several pairs of processors have their own."""
    one = speeds[0] if len(speeds) == 1 else None
    return {"speed": one and one.ratio, "timed": one.timed if one else 0}
