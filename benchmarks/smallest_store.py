"""The least that a store in Python can do: dictionaries and lists, and no check of any answer.

Asked what a search asked of the real store, it shows which part of that store's time would be left
if it did nothing but remember. It knows no threads, no memory limit, no Ctrl-C, no mistake in a
method, and nothing of it can be read by compiled code.
"""

from __future__ import annotations

import time
from typing import Any

from zermelo.core.objects import COUNTED
from zermelo.core.rules import ONGOING, OUTCOMES

CODES = {name: code for code, name in enumerate(OUTCOMES) if code != ONGOING} | {None: ONGOING}


class SmallestStore:
    """Objects by number, from 0 on."""

    def __init__(self, source: Any, start: Any) -> None:
        self.source = source
        self.known = {start if source.key is None else source.key(start): (0, ONGOING)}
        self.objects = [start]
        self.lists: dict[int, list[Any]] = {}
        self.rows: dict[int, list[Any]] = {}

    def ahead(self, number: int, stop: int) -> None:
        """Play all moves, up to one that ends the game as ``stop`` says; with COUNTED, ask for the
        moves of all that goes on."""
        source, objects, lists, known = self.source, self.objects, self.lists, self.known
        state = objects[number]
        if number not in lists:
            lists[number] = source.moves(state)
        row = self.rows.setdefault(number, [None] * len(lists[number]))
        for at, move in enumerate(lists[number]):
            answer = row[at]
            if answer is None:
                after = source.play(state, move)
                key = after if source.key is None else source.key(after)
                answer = known.get(key)
                if answer is None:
                    source.mover(after)
                    answer = known[key] = len(objects), CODES[source.outcome(after)]
                    objects.append(after)
                row[at] = answer
            if stop >> answer[1] & 1:
                return
        if stop & COUNTED:
            for child, end in row:
                if end == ONGOING and child not in lists:
                    lists[child] = source.moves(objects[child])


def smallest_seconds(source: Any, start: Any, asked: list[tuple[Any, ...]]) -> float:
    """What it takes with these questions, the methods included."""
    store, began = SmallestStore(source, start), time.process_time()
    for _, number, stop in asked:
        store.ahead(number, stop)
    return time.process_time() - began
