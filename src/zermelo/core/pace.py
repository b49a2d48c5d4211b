"""Pace: how long it takes to meet new positions, where these are Python objects in a store."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from zermelo.core.objects import Store

MANY = 4096  # objects, after which earlier ones count half


class Pace:
    """What searches in a store took. Threads may note at once: it is an estimate."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self.objects = self.seconds = 0.0

    @property
    def met(self) -> int:
        """How many objects the store knows."""
        return len(self.store)

    def note(self, met: int, seconds: float) -> None:
        """So long took a search to which so many objects were new."""
        if met > 0:
            share = 0.5 if self.objects > MANY else 1.0
            self.objects, self.seconds = share * self.objects + met, share * self.seconds + seconds

    def nodes_within(self, seconds: float) -> int:
        """How many nodes can be expanded in that time, about, if all that they lead to is new."""
        each = self.seconds / max(self.objects, 1.0) * self.store.moves_each
        return max(1, int(min(seconds / each, 1e15))) if each > 0 else sys.maxsize
