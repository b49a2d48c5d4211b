"""Slices: how much to search at a time, so that limits, progress and Ctrl-C are seen to in time."""

from __future__ import annotations

from collections.abc import Callable

from zermelo.compiler.tally import tally
from zermelo.core.objects import Pace

SLICE_SECONDS = 0.05
LARGEST_SLICE = 1 << 30
PATIENCE = 4.0  # a slice may take so many times as long if all that it meets is new


class Slices:
    """A budget that follows the speed of a search. Time spent on compiling does not count.

    ``pace``: of a game whose positions take a thousand times as long when they are new as later on.
    How fast a search was on what is known says little then; so a budget is also one that can be
    spent on new ones.
    """

    def __init__(self, first: int, pace: Pace | None = None) -> None:
        self.budget, self.pace = first, pace

    def advance(self, search: Callable[[int], int], seconds: float = SLICE_SECONDS) -> int:
        """Call ``search`` with a budget for about ``seconds``; its answer."""
        budget, pace, known = self.budget, self.pace, 0
        if pace is not None:
            budget, known = min(budget, pace.nodes_within(PATIENCE * seconds)), pace.met
        began, compiled_before = tally.clock(), tally.seconds
        reason = search(budget)
        took = tally.clock() - began - (tally.seconds - compiled_before)
        if pace is not None:
            pace.note(pace.met - known, took)
        factor = min(4.0, max(0.05, seconds / max(took, 1e-6)))
        self.budget = min(int(budget * factor) + 1, LARGEST_SLICE)
        return reason
