"""JSON lines: one request a line, many at once, with what the explorer's API knows.

Searches run in processes of their own, as those of the explorer do: whatever happens in one, the
others and this one go on. Each line of an answer has the request's ``id`` and an ``event``; the
last one says that it is.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import threading
from pathlib import Path
from typing import IO, Any

from zermelo.core.texts import json_line
from zermelo.engine.lines import Line, Output, Source, TooLong, read_lines
from zermelo.engine.requests import Reports, Request, Requests
from zermelo.errors import ZermeloError, one_line
from zermelo.solving.result import Limits as Given
from zermelo.web.desk import Desks
from zermelo.web.processes import Host, start_host
from zermelo.web.refusals import Refused
from zermelo.web.sessions import Limits, Sessions

WATCH_SECONDS = 0.5
HOUR = 3600.0
NEVER = 10**9
Json = dict[str, Any]


def serve(source: Source, stream: IO[str], own_game: str | None = None,
          limits: Given | None = None, workers: int | None = None,
          certificates: Path | None = None) -> None:
    """Answer requests until there are no more; those that are at work come to their end.
    ``certificates``: the directory below which requests may name files."""
    given = limits or Given()
    count = workers or os.cpu_count() or 1
    allowed = Limits(live=count, kept=NEVER, remembered=NEVER, grace=NEVER, memory=given.memory,
                     time=given.time or HOUR)
    server = Server(Output(stream), own_game, allowed, certificates)
    asyncio.run(server.run(source))
    if server.interrupted:
        raise KeyboardInterrupt


class Server:
    """Requests in, events out."""

    def __init__(self, output: Output, own_game: str | None, limits: Limits,
                 certificates: Path | None) -> None:
        self.output, self.own_game, self.limits = output, own_game, limits
        self.certificates = certificates
        self.over, self.interrupted = asyncio.Event(), False
        self.tasks: set[asyncio.Task[None]] = set()

    def say(self, id: Any, event: str, **fields: Any) -> None:
        """One line; when nobody reads any more, all is over."""
        line = json_line({"id": id, "event": event, **fields})
        try:
            self.output.say(line)
        except BrokenPipeError:
            self.over.set()

    async def run(self, source: Source) -> None:
        """Until all is done, or nobody reads."""
        lines: asyncio.Queue[Line] = asyncio.Queue()
        loop = asyncio.get_running_loop()

        def put(line: Line) -> None:
            with contextlib.suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(lines.put_nowait, line)

        self._mind_signals(loop)
        host = Host(self.own_game, start_host())
        desks = Desks(host)
        sessions = Sessions(host, desks, Reports(self.say), self.limits)
        requests = Requests(sessions, desks, self.say, self.certificates)
        read_lines(source, put)
        try:
            await self._until_over(self._take_all(lines, requests))
        finally:
            for task in self.tasks:
                task.cancel()
            await asyncio.gather(*self.tasks, return_exceptions=True)
            await host.close()

    def _mind_signals(self, loop: asyncio.AbstractEventLoop) -> None:
        """Ctrl-C and SIGTERM end it in good order, whatever is being done at that moment."""
        def interrupt() -> None:
            self.interrupted = True
            self.over.set()

        if threading.current_thread() is threading.main_thread():
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, interrupt)

    async def _until_over(self, work: Any) -> None:
        """Do ``work``, unless it turns out that nobody reads what comes of it."""
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
                requests.note(request, task)
                self.tasks.add(task)
                task.add_done_callback(self.tasks.discard)
                await asyncio.sleep(0)  # it begins: what is refused at once is told in order
        while self.tasks:
            await asyncio.wait(self.tasks)

    def _read(self, line: Line) -> Request | None:
        """The request in a line; None where there is none, which is told."""
        if isinstance(line, TooLong):
            self.say(None, "error", error=line.sentence, last=True)
        elif line is not None and line.strip():
            try:
                return Request.read(line)
            except ZermeloError as error:
                self.say(None, "error", error=str(error), last=True)
        return None

    async def _answer(self, requests: Requests, request: Request) -> None:
        """Do what a request asks; however that ends, the client is told."""
        try:
            await requests.answer(request)
        except (Refused, ZermeloError) as error:
            self.say(request.id, "error", error=str(error), last=True)
        except asyncio.CancelledError:
            if not self.over.is_set():
                self.say(request.id, "state", state="stopped", stopped="interrupted", last=True)
        except Exception as error:
            said = one_line(f"{type(error).__name__}: {error}")
            self.say(request.id, "error", error=f"this failed: {said}.", last=True)
        finally:
            requests.done(request)
