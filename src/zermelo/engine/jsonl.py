"""JSON lines: one request a line, many at once, with what the explorer's API knows.

Searches run in processes of their own, as those of the explorer do: whatever happens in one, the
others and this one go on. Each line of an answer has the request's ``id`` and an ``event``; the
last one says that it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import signal
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from zermelo.engine import Line, OutputLines, Source, TooLong, read_lines
from zermelo.errors import BadOption, ZermeloError, did_you_mean, file_name, one_line, quoted
from zermelo.explorer.processes import MODULE, Denied, HostProcess, QueryWorkers
from zermelo.explorer.sessions import (
    AT_WORK,
    FAILED,
    WAITING,
    Events,
    LiveSession,
    ServerLimits,
    Sessions,
)
from zermelo.solving.result import Limits as Given
from zermelo.storage.whole_files import json_line
from zermelo.version import __version__
from zermelo.workers.fork_server import start_host

# The fields of what a worker answers, and how long it may take.
QUESTIONS: dict[str, tuple[tuple[str, ...], float]] = {
    "games": ((), 180.0), "searches": ((), 180.0), "famous": ((), 180.0),
    "recognise": (("text", "game", "parameters"), 20.0), "board": (("place", "line"), 20.0),
    "edit": (("place", "square", "mark", "to_move", "clear"), 20.0),
    "replay": (("place", "search", "options", "goal", "seed", "plain", "steps"), 60.0),
}
SEARCHES = ("solve", "values", "annotate", "progress", "verify")
PROOF_SECONDS, MOST_QUESTIONS = 3600.0, 50
Json = dict[str, Any]


Say = Callable[..., None]  # ``say(id, event, **fields)`` sends a line


@dataclass(eq=False)
class Request:
    """One request: its id, what is asked, and the rest of its fields."""

    id: str | int | None
    ask: str
    fields: Json
    progress: bool = True
    keep: bool = False
    task: asyncio.Task[None] | None = None
    session: LiveSession | None = None
    ended: asyncio.Event = field(default_factory=asyncio.Event)

    @staticmethod
    def read(line: str) -> Request:
        """Return the request in a line of JSON."""
        try:
            given = json.loads(line)
        except (ValueError, RecursionError):
            raise BadOption(f"{quoted(line)} is not JSON.") from None
        if not isinstance(given, dict):
            raise BadOption(f"{quoted(line)} is not an object with named fields.")
        id = given.pop("id", None)
        if isinstance(id, bool) or not isinstance(id, str | int | None):
            raise BadOption(f"id={quoted(id)} is neither a text nor a whole number.")
        ask = given.pop("ask", "solve")
        progress, keep = given.pop("progress", True), given.pop("keep", False)
        return Request(id, ask, given, progress is True, keep is True)

    def only(self, *names: str) -> Json:
        """Return the fields; refuse all others."""
        for name in self.fields:
            if name not in names:
                raise BadOption(f"{self.ask} takes no {quoted(name)}; it takes "
                                f"{', '.join(names) or 'nothing'}.")
        return self.fields


class Reports(Events):
    """Events of sessions, sent at once under the ids of the requests that they are for."""

    def __init__(self, say: Say) -> None:
        super().__init__()
        self.say = say
        self.requests: dict[str, Request] = {}

    def follow(self, request: Request, session: LiveSession) -> None:
        """Send the events of ``session`` for ``request`` from now on."""
        request.session = session
        self.requests[session.id] = request

    def add(self, session: str, kind: str, data: Json) -> None:
        """Send an event; the end of a search is the last line of its request.

        Before ``follow`` a session has one event only: it waits, which was sent already.
        """
        request = self.requests.get(session)
        if request is None or (kind == "progress" and not request.progress):
            return
        if kind != "state" or data["state"] in AT_WORK:
            self.say(request.id, kind, **data)
            return
        del self.requests[session]
        if data["state"] == FAILED:
            self.say(request.id, "error", error=data["error"], last=True)
        else:
            told = {name: data[name] for name in ("state", "stopped") if name in data}
            self.say(request.id, "state", **told, last=True)
        request.ended.set()


class Requests:
    """All requests that are not done yet, and searches that are kept for more questions."""

    def __init__(self, sessions: Sessions, queries: QueryWorkers, say: Say,
                 certificates: Path | None) -> None:
        self.sessions, self.queries, self.say = sessions, queries, say
        self.certificates = certificates
        assert isinstance(sessions.events, Reports)
        self.reports = sessions.events
        self.room = asyncio.Semaphore(sessions.limits.live)
        self.questions = asyncio.Semaphore(MOST_QUESTIONS)  # the queries refuse too many at once
        self.open: list[Request] = []
        self.kept: dict[str | int, LiveSession] = {}
        self.asked: dict[str, Callable[[Request], Awaitable[Any]]] = {
            "about": self.about, "stop": self.stop, "tree": self.tree, "proof": self.proof,
            "forget": self.forget,
        }

    async def answer(self, request: Request) -> None:
        """Answer one request."""
        self._check_id(request)
        if request.ask in SEARCHES:
            if request.ask == "verify" and isinstance(request.fields.get("path"), str):
                request.fields["path"] = self._certificate(request.fields["path"])
            await self._search(request, lambda: self.sessions.start(
                {**request.fields, "kind": request.ask}))
        elif request.ask == "continue":
            await self._go_on(request)
        elif request.ask in QUESTIONS:
            fields, seconds = QUESTIONS[request.ask]
            async with self.questions:
                told = await self.queries.ask(request.ask, seconds, **request.only(*fields))
            self.say(request.id, "answer", answer=told, last=True)
        elif request.ask in self.asked:
            told = await self.asked[request.ask](request)
            self.say(request.id, "answer", answer=told, last=True)
        else:
            known = (*SEARCHES, "continue", *self.asked, *QUESTIONS)
            raise BadOption(f"ask={quoted(request.ask)}{did_you_mean(request.ask, known)} is not "
                            f"one of {', '.join(known)}.")

    def _check_id(self, request: Request) -> None:
        if not isinstance(request.ask, str):
            raise BadOption(f"ask={quoted(request.ask)} is not a text.")
        taken = request.id in self.kept or any(
            other.id == request.id for other in self.open if other is not request)
        if request.id is not None and taken:
            raise BadOption(f"id={quoted(request.id)} belongs to another request; take another "
                            "one, or forget that.")

    async def _search(self, request: Request, start: Callable[[], Awaitable[LiveSession]]) -> None:
        """Begin a search when there is room for one, and wait for its end."""
        self.say(request.id, "state", state=WAITING)
        async with self.room:
            session = await start()
            self.reports.follow(request, session)
            try:
                await request.ended.wait()
            finally:
                if request.keep and request.id is not None and session.child is not None:
                    self.kept[request.id] = session
                else:
                    self.reports.requests.pop(session.id, None)
                    self.sessions.known.pop(session.id, None)
                    if session.child is not None:
                        session.child.close()

    async def _go_on(self, request: Request) -> None:
        """Go on with a search that was kept, under the id of this request."""
        given = request.only("session", "limits")
        session = self._kept(request)

        async def go_on() -> LiveSession:
            self.reports.requests[session.id] = request
            await self.sessions.go_on(session, given.get("limits"))
            return session

        del self.kept[given["session"]]
        await self._search(request, go_on)

    def _kept(self, request: Request) -> LiveSession:
        id = request.fields.get("session")
        session = self.kept.get(id) if isinstance(id, str | int) else None
        if session is None:
            raise BadOption(f"session={quoted(id)} is not the id of a "
                            'search that has ended and was kept; "keep": true keeps one.')
        return session

    async def about(self, request: Request) -> Json:
        """Return the version, and what is allowed."""
        request.only()
        limits = self.sessions.limits
        return {"version": __version__, "own_game": self.sessions.host.own_game, "limits": {
            "sessions": limits.live, "memory": limits.memory, "time": limits.time}}

    async def stop(self, request: Request) -> Json:
        """Stop one search, or all of them; each answers with what it knows."""
        given = request.only("session")
        meant = [other for other in self.open if other.ask in (*SEARCHES, "continue")
                 and ("session" not in given or other.id == given["session"])]
        if "session" in given and not meant:
            raise BadOption(f"session={quoted(given['session'])} is not the id of a search that is "
                            "at work.")
        for other in meant:
            if other.session is not None:
                await self.sessions.stop(other.session)
            elif other.task is not None:
                other.task.cancel()
        return {"stopped": [other.id for other in meant]}

    async def tree(self, request: Request) -> Any:
        """Return a node of the tree of a search that was kept."""
        given = dict(request.only("session", "path", "offset", "count", "question"))
        session = self._kept(request)
        del given["session"]
        return await self.sessions.ask(session, {"ask": "tree", **given})

    async def proof(self, request: Request) -> Any:
        """Write a certificate of a search that was kept to the file ``path``, and check it."""
        given = request.only("session", "path")
        session = self._kept(request)
        if not isinstance(given.get("path"), str):
            raise BadOption(f"path={quoted(given.get('path'))} is not the name of a file.")
        path = self._certificate(given["path"])
        return await self.sessions.ask(session, {"ask": "proof", "path": path}, PROOF_SECONDS)

    def _certificate(self, path: str) -> str:
        """Return the file that a request names, below the directory that the command line gave."""
        if self.certificates is None:
            raise BadOption(f"path={quoted(path)}: no request names a file, unless the engine was "
                            "started with --certificates DIRECTORY.")
        folder = self.certificates.resolve()
        try:
            place = (folder / path).resolve()
        except (OSError, ValueError):  # a loop of links; a name that can't be one
            place = folder
        if folder not in place.parents:
            raise BadOption(f"path={quoted(path)} is not a file below the directory of "
                            f"certificates, {file_name(folder)}.")
        return str(place)

    async def forget(self, request: Request) -> Json:
        """Drop a search that was kept."""
        given = request.only("session")
        session = self._kept(request)
        del self.kept[given["session"]]
        self.sessions.known.pop(session.id, None)
        if session.child is not None:
            session.child.close()
        return {}


WATCH_SECONDS = 0.5
HOUR = 3600.0
NEVER = 10**9


def serve(source: Source, stream: IO[str], own_game: str | None = None,
          limits: Given | None = None, workers: int | None = None,
          certificates: Path | None = None) -> None:
    """Answer requests until there are no more; those at work come to their end.
    ``certificates``: the directory below which requests may name files."""
    given = limits or Given()
    count = workers or os.cpu_count() or 1
    allowed = ServerLimits(live=count, kept=NEVER, remembered=NEVER, grace=NEVER,
                           memory=given.memory, time=given.time or HOUR)
    server = JsonServer(OutputLines(stream), own_game, allowed, certificates)
    asyncio.run(server.run(source))
    server.output.check()
    if server.interrupted:
        raise KeyboardInterrupt


class JsonServer:
    """Requests in, events out."""

    def __init__(self, output: OutputLines, own_game: str | None, limits: ServerLimits,
                 certificates: Path | None) -> None:
        self.output, self.own_game, self.limits = output, own_game, limits
        self.certificates = certificates
        self.over, self.interrupted = asyncio.Event(), False
        self.tasks: set[asyncio.Task[None]] = set()

    def say(self, id: Any, event: str, **fields: Any) -> None:
        """Send one line; without a reader all is over."""
        line = json_line({"id": id, "event": event, **fields})
        try:
            self.output.say(line)
        except BrokenPipeError:
            self.over.set()

    async def run(self, source: Source) -> None:
        """Answer requests until all is done, or no reader is left."""
        lines: asyncio.Queue[Line] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def put(line: Line) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(lines.put_nowait, line)

        self._mind_signals(loop)
        host = HostProcess(self.own_game, start_host(MODULE))
        queries = QueryWorkers(host)
        sessions = Sessions(host, queries, Reports(self.say), self.limits)
        requests = Requests(sessions, queries, self.say, self.certificates)
        read_lines(source, put)
        try:
            await self._until_over(self._take_all(lines, requests))
        finally:
            for task in self.tasks:
                task.cancel()
            await asyncio.gather(*self.tasks, return_exceptions=True)
            await host.close()

    def _mind_signals(self, loop: asyncio.AbstractEventLoop) -> None:
        """Let Ctrl-C and SIGTERM end the server in good order."""
        def interrupt() -> None:
            self.interrupted = True
            self.over.set()

        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, interrupt)

    async def _until_over(self, work: Any) -> None:
        """Do ``work`` as long as there is a reader."""
        doing, over = asyncio.create_task(work), asyncio.create_task(self.over.wait())
        watching = asyncio.create_task(self._watch())
        await asyncio.wait([doing, over], return_when=asyncio.FIRST_COMPLETED)
        for task in (doing, over, watching):
            task.cancel()
        await asyncio.gather(doing, over, watching, return_exceptions=True)

    async def _watch(self) -> None:
        while not self.output.broken:
            await asyncio.sleep(WATCH_SECONDS)
        self.over.set()

    async def _take_all(self, lines: asyncio.Queue[Line], requests: Requests) -> None:
        while (line := await lines.get()) is not None:
            request = self._read(line)
            if request is not None:
                task = asyncio.create_task(self._answer(requests, request))
                request.task = task
                requests.open.append(request)
                self.tasks.add(task)
                task.add_done_callback(self.tasks.discard)
                await asyncio.sleep(0)  # it begins: what is refused at once is told in order
        while self.tasks:
            await asyncio.wait(self.tasks)

    def _read(self, line: Line) -> Request | None:
        """Return the request in a line; where there is none, send that and return None."""
        if isinstance(line, TooLong):
            self.say(None, "error", error=line.sentence, last=True)
        elif line is not None and line.strip():
            try:
                return Request.read(line)
            except ZermeloError as error:
                self.say(None, "error", error=str(error), last=True)
        return None

    async def _answer(self, requests: Requests, request: Request) -> None:
        """Do what a request asks; however that ends, send a last line."""
        try:
            await requests.answer(request)
        except (Denied, ZermeloError) as error:
            self.say(request.id, "error", error=str(error), last=True)
        except asyncio.CancelledError:
            if not self.over.is_set():
                self.say(request.id, "state", state="stopped", stopped="interrupted", last=True)
        except Exception as error:
            said = one_line(f"{type(error).__name__}: {error}")
            self.say(request.id, "error", error=f"this failed: {said}.", last=True)
        finally:
            requests.open.remove(request)
