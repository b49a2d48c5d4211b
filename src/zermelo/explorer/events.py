"""What happens in the sessions, as events with numbers that grow, and who is watching.

A session keeps its events, so that whoever comes back can be told what was missed. A watcher has
no queue: only the number of the last event that it was sent. A slow one costs no memory.
"""

from __future__ import annotations

import asyncio
import json
from bisect import bisect_right
from collections import deque
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass
from heapq import merge
from typing import Any

KEPT_PROGRESS = 600  # of each session, about two minutes
KEPT_OTHERS = 20_000
KEEP_ALIVE = 15.0
BATCH = 500


@dataclass(frozen=True)
class Event:
    """One event; ``number`` grows over all sessions."""

    number: int
    kind: str
    data: dict[str, Any]

    def text(self) -> str:
        """As Server-Sent Events have it."""
        return f"id: {self.number}\nevent: {self.kind}\ndata: {json.dumps(self.data)}\n\n"


class Log:
    """The events of one session. Of progress the last ones are kept, of the rest all that fit."""

    def __init__(self) -> None:
        self.progress: deque[Event] = deque(maxlen=KEPT_PROGRESS)
        self.others: deque[Event] = deque(maxlen=KEPT_OTHERS)
        self.dropped = 0  # the number of the last event that is no longer here

    def add(self, event: Event) -> None:
        """Keep an event."""
        where = self.progress if event.kind == "progress" else self.others
        if len(where) == where.maxlen:
            self.dropped = max(self.dropped, where[0].number)
        where.append(event)

    def after(self, number: int) -> Iterable[Event]:
        """The events after that with this number."""
        return merge(_after(self.progress, number), _after(self.others, number),
                     key=lambda event: event.number)


def _after(events: deque[Event], number: int) -> list[Event]:
    if not events or events[-1].number <= number:
        return []
    known = list(events)
    return known[bisect_right(known, number, key=lambda event: event.number):]


class Events:
    """The events of all sessions, and a bell that rings when there is another one."""

    def __init__(self) -> None:
        self.last = 0
        self.logs: dict[str, Log] = {}
        self.bell = asyncio.Event()
        self.over = False

    def end(self) -> None:
        """End all streams: the server stops."""
        self.over = True
        self.bell.set()

    def add(self, session: str, kind: str, data: dict[str, Any]) -> None:
        """Something has happened."""
        self.last += 1
        event = Event(self.last, kind, {"session": session, **data})
        self.logs.setdefault(session, Log()).add(event)
        self.bell.set()
        self.bell = asyncio.Event()

    def forget(self, session: str) -> None:
        """The session is no longer there."""
        self.logs.pop(session, None)

    def after(self, sessions: Iterable[str], number: int) -> list[Event]:
        """The events of these sessions after the one with this number, in their order."""
        logs = [self.logs[name].after(number) for name in sessions if name in self.logs]
        return list(merge(*logs, key=lambda event: event.number))

    async def stream(self, sessions: list[str], number: int | None) -> AsyncIterator[str]:
        """Events as they come, until the server stops: those after ``number``, or all that are
        kept.

        Whoever has missed events that are no longer kept gets ``reset`` for these sessions first:
        their whole state is to be fetched anew.
        """
        at = min(number or 0, self.last)
        yield "retry: 1000\n\n"
        for name in sessions:
            if number is not None and name in self.logs and number < self.logs[name].dropped:
                yield f"event: reset\ndata: {json.dumps({'session': name})}\n\n"
        while not self.over:
            bell = self.bell
            found = self.after(sessions, at)
            if found:
                at = found[-1].number
                for first in range(0, len(found), BATCH):
                    yield "".join(event.text() for event in found[first : first + BATCH])
                continue
            try:
                await asyncio.wait_for(bell.wait(), KEEP_ALIVE)
            except TimeoutError:
                yield ": still here\n\n"
