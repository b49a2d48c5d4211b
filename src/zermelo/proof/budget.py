"""CheckBudget: the memory and time that a check may take.

Memory is estimated, from what the header announces before anything is allocated and from the
positions that are kept. Time is looked at now and then.
"""

from __future__ import annotations

import time
from copy import copy
from dataclasses import dataclass

from zermelo.errors import BadOption, quoted

MEMORY, TIME = 2_000_000_000, 3_600.0  # bytes and seconds, unless others are asked for
UNLIMITED = 1 << 60, float("inf")
EVERY = 256  # steps between two looks at the clock


class Exceeded(Exception):
    """A limit was reached before there was a verdict: ``limit`` is ``memory`` or ``time``."""

    def __init__(self, limit: str, reason: str) -> None:
        super().__init__(limit, reason)
        self.limit, self.reason = limit, reason


@dataclass
class CheckBudget:
    """``memory`` bytes, ``time`` seconds from now; ``ends`` on the clock that processes share."""

    memory: int = MEMORY
    time: float = TIME

    def __post_init__(self) -> None:
        for name, value in (("memory", self.memory), ("time", self.time)):
            if type(value) not in (int, float) or not value > 0:
                raise BadOption(f"{name}={quoted(value)} is not a positive number.")
        self.restart()
        self.kept, self.steps = 0, 0

    def restart(self) -> None:
        """Begin the time again."""
        self.ends = time.monotonic() + self.time

    def shared(self, processes: int) -> CheckBudget:
        """Return the limit of each of several processes, which share what is kept already."""
        found = copy(self)
        found.memory = self.kept + (self.memory - self.kept) // processes
        return found

    def hold(self, size: int) -> None:
        """Count ``size`` more bytes that are kept."""
        self.check_room(size)
        self.kept += size

    def release(self, size: int) -> None:
        """Count ``size`` bytes that are no longer kept."""
        self.kept -= size

    def check_room(self, size: int) -> None:
        """Raise Exceeded if ``size`` more bytes are too many."""
        if self.kept + size > self.memory:
            raise Exceeded("memory", f"the check needs about {_size(self.kept + size)} of memory "
                           f"or more, and {_size(self.memory)} are allowed")

    def step(self) -> None:
        """Count a step; read the clock every ``EVERY`` steps."""
        self.steps += 1
        if self.steps % EVERY == 0:
            self.look()

    def look(self) -> None:
        """Raise Exceeded if the time is over."""
        if time.monotonic() > self.ends:
            raise Exceeded("time", f"the check is not finished after {self.time:g} s")


def _size(number: float) -> str:
    """Return a number of bytes in words."""
    for unit in ("bytes", "KB", "MB"):
        if number < 10_000:
            return f"{number:,.0f} {unit}"
        number /= 1_000
    return f"{number:,.0f} GB"
