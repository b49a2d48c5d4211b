"""Slices: how much to search at a time, so that limits, progress and Ctrl-C are seen to in time."""

from __future__ import annotations

from collections.abc import Callable

from zermelo.kernel.jit import tally

SLICE_SECONDS = 0.05
LARGEST_SLICE = 1 << 30


class Slices:
    """A budget that follows the speed of a search. Time spent on compiling does not count."""

    def __init__(self, first: int) -> None:
        self.budget = first

    def advance(self, search: Callable[[int], int], seconds: float = SLICE_SECONDS) -> int:
        """Call ``search`` with a budget for about ``seconds``; its answer."""
        began, compiled_before = tally.clock(), tally.seconds
        reason = search(self.budget)
        took = tally.clock() - began - (tally.seconds - compiled_before)
        factor = min(4.0, max(0.05, seconds / max(took, 1e-6)))
        self.budget = min(int(self.budget * factor) + 1, LARGEST_SLICE)
        return reason
