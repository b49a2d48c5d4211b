"""The sessions: searches in processes of their own, their events, and their limits.

Events have numbers that grow. A session keeps its events, so that a client that comes back can get
those it has missed. A watcher has no queue, only the number of the last event that it was sent: a
slow one costs no memory.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import time
from collections import deque
from collections.abc import AsyncIterator, Iterable
from dataclasses import dataclass, field
from typing import Any

from zermelo.errors import BadOption, quoted
from zermelo.explorer.processes import (
    ChildProcess,
    Denied,
    HostProcess,
    NoProcess,
    QueryWorkers,
)
from zermelo.solving.result import Limits, free_memory
from zermelo.workers.fork_server import Message

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
        """Return the event in the format of Server-Sent Events."""
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
        """Add an event to those of a session."""
        self.last += 1
        event = Event(self.last, kind, {"session": session, **data})
        self.logs.setdefault(session, Log()).add(event)
        self.bell.set()
        self.bell = asyncio.Event()

    def forget(self, session: str) -> None:
        """Drop the events of a session."""
        self.logs.pop(session, None)

    def after(self, sessions: Iterable[str], number: int) -> list[Event]:
        """Return the events of these sessions after the one with this number, in their order."""
        logs = [self.logs[name] for name in sessions if name in self.logs]
        found = (event for log in logs for event in (*log.progress, *log.others)
                 if event.number > number)
        return sorted(found, key=lambda event: event.number)

    async def stream(self, sessions: list[str], number: int | None) -> AsyncIterator[str]:
        """Yield events as they come, until the server stops: those after ``number``, or all that
        are kept.

        A watcher that has missed events that are no longer kept gets ``reset`` for these sessions
        first: it has to fetch their whole state again.
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


LIMITS = ("nodes", "time", "memory")
USUAL_MEMORY = 2 * 10**9
SHARE = 6  # of the free memory, for a session that says nothing
LEAST_MEMORY = 1 << 20


def read_limits(given: Any) -> Limits:
    """Return the limits in ``given``: an object with nodes, time and memory, each a number or a
    text."""
    if given is None:
        return Limits()
    if not isinstance(given, dict):
        raise BadOption(f"limits={quoted(given)} is not an object with nodes, time and memory.")
    for name in given:
        if name not in LIMITS:
            raise BadOption(f"there is no limit {quoted(name)}; limits are {', '.join(LIMITS)}.")
    return Limits(**given)


def within(given: Any, seconds: float, memory: int | None) -> dict[str, Any]:
    """Return limits as numbers, with those of the server where none are given; too much is
    refused."""
    limits, free = read_limits(given), free_memory()
    if limits.memory is not None and limits.memory > free // 2:
        raise BadOption(f"memory={quoted(given['memory'])} is more than half of what is free: at "
                        f"most {free // 2 / 1e6:,.0f}MB can be had now.")
    usual = memory if memory is not None else min(USUAL_MEMORY, free // SHARE)
    return {"nodes": limits.nodes, "time": seconds if limits.time is None else limits.time,
            "memory": max(usual if limits.memory is None else limits.memory, LEAST_MEMORY)}


WAITING, COMPILING, RUNNING = "waiting", "compiling", "running"
STOPPED, DONE, FAILED = "stopped", "done", "failed"
AT_WORK = (WAITING, COMPILING, RUNNING)
MOST_SAMPLES = 400
STOP_SECONDS, ANSWER_SECONDS = 5.0, 20.0
NOBODY = "nobody was watching"
Json = dict[str, Any]


@dataclass
class ServerLimits:
    """The limits of the server; all can be set where it is made."""

    live: int = 8  # sessions at work at once
    kept: int = 16  # sessions with a process, those that have ended included
    remembered: int = 200
    grace: float = 30.0  # seconds without a watcher, then a search is stopped
    keep_ended: float = 15 * 60.0
    silence: float = 180.0  # seconds without a word, then a process is given up
    memory: int | None = None  # bytes for a session that gives no limit
    time: float = 3600.0  # seconds, the same


@dataclass
class LiveSession:
    """The state of one session."""

    id: str
    kind: str
    order: Json
    facts: Json
    state: str = WAITING
    child: ChildProcess | None = None
    progress: Json | None = None
    samples: list[Json] = field(default_factory=list)
    task: asyncio.Task[None] | None = None
    proof: Json | None = None
    every: int = 1
    seen: int = 0
    values: dict[str, Json] = field(default_factory=dict)
    steps: dict[int, Json] = field(default_factory=dict)
    result: Json | None = None
    error: str | None = None
    stopped: str | None = None
    why: str | None = None  # it was stopped
    made: float = field(default_factory=time.time)
    heard: float = field(default_factory=time.monotonic)
    looked_at: float = field(default_factory=time.monotonic)
    ended: float | None = None
    watchers: int = 0

    def to_dict(self) -> Json:
        """Return the whole state."""
        return {**self.summary(), "progress": self.progress, "samples": self.samples,
                "values": list(self.values.values()), "result": self.result,
                "steps": [self.steps[ply] for ply in sorted(self.steps)]}

    def summary(self) -> Json:
        """Return the state in short."""
        return {"id": self.id, "kind": self.kind, "state": self.state, **self.facts,
                "limits": self.order.get("limits") or {}, "made": self.made,
                "stopped": self.stopped, "error": self.error, "watchers": self.watchers,
                "proof": self.proof,
                "process": self.child is not None}

    @property
    def at_work(self) -> bool:
        """True while it is searching, or about to."""
        return self.state in AT_WORK

    def sample(self, progress: Json) -> None:
        """Keep some of the numbers of the search, evenly spread."""
        self.seen += 1
        if (self.seen - 1) % self.every:
            return
        self.samples.append({name: progress[name] for name in ("seconds", "nodes", "root")
                             if name in progress})
        if len(self.samples) > MOST_SAMPLES:
            self.samples, self.every = self.samples[::2], self.every * 2


class Sessions:
    """All sessions, and how they are started, stopped and ended."""

    def __init__(self, host: HostProcess, queries: QueryWorkers, events: Events,
                 limits: ServerLimits) -> None:
        self.host, self.queries, self.events, self.limits = host, queries, events, limits
        self.known: dict[str, LiveSession] = {}
        self.numbers = itertools.count(1)
        self.starting = 0

    def get(self, id: str) -> LiveSession:
        """Return the session with this id; this counts as watching it."""
        session = self.known.get(id)
        if session is None:
            raise Denied(f"there is no session {id[:20]!r}.", 404)
        session.looked_at = time.monotonic()
        return session

    async def start(self, order: Json) -> LiveSession:
        """Return a new session, checked by a query worker; its process starts by itself."""
        self._check_room()
        self.starting += 1
        try:
            self._within(order)
            facts = await self.queries.ask("check", order=order)
            session = LiveSession(str(next(self.numbers)), order["kind"], order, facts)
            self.known[session.id] = session
            self._launch(session)
        finally:
            self.starting -= 1
        return session

    def _check_room(self) -> None:
        at_work = sum(session.at_work for session in self.known.values())
        if at_work + self.starting >= self.limits.live:
            raise Denied(f"{at_work} searches are running, and no more than {self.limits.live} "
                          "may; stop one first.", 429)

    def _launch(self, session: LiveSession) -> None:
        session.heard = session.looked_at = time.monotonic()
        session.error = session.stopped = None
        self._set(session, WAITING)
        session.task = asyncio.create_task(self._run(session))

    async def _run(self, session: LiveSession) -> None:
        self._make_room()
        me = asyncio.current_task()  # not session.task, if it was stopped and begun again meanwhile
        try:
            child = await self.host.child({"be": "session", "order": self._within(session.order)})
        except NoProcess as error:
            if session.task is me:
                self._fail(session, error.sentence)
            return
        if session.id not in self.known or session.state != WAITING or session.task is not me:
            child.close()
            return
        session.child = child
        child.on_event = lambda message: self._hear(session, child, message)
        child.on_end = lambda sentence: self._lost(session, child, sentence)

    def _within(self, order: Json) -> Json:
        """Return the order with the limits of the server where it gives none."""
        limits = within(order.get("limits"), self.limits.time, self.limits.memory)
        return {**order, "limits": limits}

    def _make_room(self) -> None:
        """End processes of sessions that have ended, the oldest first, until there is room."""
        with_process = [s for s in self.known.values() if s.child is not None]
        ended = sorted((s for s in with_process if not s.at_work), key=lambda s: s.ended or 0.0)
        while len(with_process) >= self.limits.kept and ended:
            session = ended.pop(0)
            with_process.remove(session)
            self._drop_process(session)
        spent = [s for s in self.known.values() if s.child is None and not s.at_work]
        for session in spent[: max(0, len(self.known) - self.limits.remembered)]:
            self.forget(session)

    def _drop_process(self, session: LiveSession) -> None:
        child, session.child = session.child, None
        if child is not None:
            child.close()

    def _hear(self, session: LiveSession, child: ChildProcess, message: Message) -> None:
        if session.child is not child:
            return
        session.heard = time.monotonic()
        child.compiling = message.get("state", session.state) == COMPILING
        kind = message.pop("event")
        if kind == "alive":
            return
        if kind == "state":
            self._set(session, message.pop("state"), **message)
            return
        if kind == "progress":
            session.progress = message
            session.sample(message)
        elif kind == "move":
            session.values[message["move"]] = message
        elif kind == "step":
            session.steps[message["ply"]] = message
        elif kind == "result":
            session.result = message["result"]
        self.events.add(session.id, kind, message)

    def _set(self, session: LiveSession, state: str, **more: Any) -> None:
        session.state = state
        if more.get("stopped") == "interrupted" and session.why is not None:
            more["stopped"], session.why = session.why, None
        session.error = more.get("error")
        session.stopped = more.get("stopped")
        session.ended = None if session.at_work else time.monotonic()
        self.events.add(session.id, "state", {"state": state, **more})

    def _fail(self, session: LiveSession, sentence: str) -> None:
        self._set(session, FAILED, error=f"{sentence[:1].upper()}{sentence[1:]}", again=True)

    def _lost(self, session: LiveSession, child: ChildProcess, sentence: str) -> None:
        """Note that a process has ended unexpectedly."""
        if session.child is child:
            session.child = None
            if session.at_work:
                self._fail(session, sentence)

    async def stop(self, session: LiveSession, why: str | None = None) -> None:
        """Stop searching; what is known is kept, if it no longer compiles."""
        if not session.at_work:
            return
        child = session.child
        if child is None or session.state != RUNNING:
            self._drop_process(session)
            self._set(session, STOPPED, stopped=why or "interrupted", again=True)
            return
        session.why = why
        try:
            await child.ask({"ask": "stop"}, STOP_SECONDS)
        except NoProcess:
            if session.child is child and session.at_work:
                self._drop_process(session)
                self._set(session, STOPPED, stopped=why or "interrupted", again=True)

    async def go_on(self, session: LiveSession, limits: Json | None) -> None:
        """Go on where it was, or from the beginning if its process is gone."""
        if session.at_work:
            raise Denied("this session is running already.", 409)
        self._check_room()
        session.order = {**session.order, "limits": limits}
        allowed = self._within(session.order)
        if session.child is None:
            session.samples, session.every, session.seen = [], 1, 0
            self._launch(session)
            return
        session.heard = session.looked_at = time.monotonic()
        self._set(session, RUNNING)
        session.child.tell({"ask": "go", "id": 0, "limits": allowed["limits"]})

    async def ask(self, session: LiveSession, message: Message,
                  seconds: float | None = None) -> Any:
        """Ask the process of a session something."""
        if session.state in (WAITING, COMPILING):
            raise Denied("the search is still being compiled; ask again in a moment.", 409)
        if session.child is None:
            raise Denied("this session has no process any more; go on with it to have one again.",
                          409)
        return await session.child.ask(message, seconds or ANSWER_SECONDS)

    def forget(self, session: LiveSession) -> None:
        """End a session and its process."""
        self._drop_process(session)
        self.known.pop(session.id, None)
        if session.at_work:
            self._set(session, STOPPED, stopped="interrupted")
        self.events.forget(session.id)

    async def housekeeping(self, seconds: float = 1.0) -> None:
        """Stop unwatched sessions, end old ones and give up those that hang, until cancelled."""
        while True:
            await asyncio.sleep(seconds)
            now = time.monotonic()
            for session in list(self.known.values()):
                if session.watchers:
                    session.looked_at = now
                with contextlib.suppress(Denied):
                    await self._keep(session, now)

    async def _keep(self, session: LiveSession, now: float) -> None:
        if session.at_work and now - session.looked_at > self.limits.grace:
            await self.stop(session, NOBODY)
        elif session.state == RUNNING and now - session.heard > self.limits.silence:
            self._drop_process(session)
            self._fail(session, f"the process has said nothing for {self.limits.silence:g} s and "
                       "was ended.")
        elif session.ended is not None and now - session.ended > self.limits.keep_ended:
            self._drop_process(session)
