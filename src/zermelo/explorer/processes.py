"""The server's end of the processes: the host, and the children that it makes."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import logging
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable
from typing import Any

from zermelo.explorer.refusals import NoProcess, Refused
from zermelo.workers.frames import LARGEST, parsed
from zermelo.workers.processes import safe_environment

MODULE = "zermelo.explorer.hosted"
OUT_OF_MEMORY = 2  # as in jobs.live, which the server does not load
START_SECONDS, COMPILE_SECONDS, TICK = 60.0, 180.0, 0.5
END_SECONDS = 2.0
Message = dict[str, Any]
Begun = tuple[subprocess.Popen[bytes], socket.socket]

log = logging.getLogger("zermelo.explorer")


class ChildEnded(NoProcess):
    """The process ended before it answered."""


class TooSlow(NoProcess):
    """The process did not answer in time."""


def start_host() -> Begun:
    """Start a host: its process, and our end of the socket over which it is told what to do."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", MODULE, str(theirs.fileno())], stdin=subprocess.DEVNULL,
            pass_fds=[theirs.fileno()], start_new_session=True, env=safe_environment())
    return process, ours


class Child:
    """A process that answers messages; what it says unasked goes to ``on_event``."""

    def __init__(self, pid: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter,
                 host: Host) -> None:
        self.pid, self.reader, self.writer, self.host = pid, reader, writer, host
        self.on_event: Callable[[Message], None] = lambda message: None
        self.on_end: Callable[[str], None] = lambda sentence: None
        self.ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.over = False
        self.asked: dict[int, asyncio.Future[Message]] = {}
        self.numbers = itertools.count(1)
        self.task = asyncio.create_task(self._listen())

    async def ask(self, message: Message, seconds: float | None = None) -> Any:
        """The answer to ``message``; a refusal is raised."""
        number = next(self.numbers)
        future: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self.asked[number] = future
        try:
            self.tell({**message, "id": number})
            answer = await asyncio.wait_for(future, seconds)
        except TimeoutError:
            raise TooSlow(f"there was no answer within {seconds:g} s.") from None
        finally:
            self.asked.pop(number, None)
        if "refused" in answer:
            raise Refused(answer["refused"], answer.get("status", 400))
        return answer["answer"]

    def tell(self, message: Message) -> None:
        """Send a message without waiting for an answer."""
        if self.over:
            raise ChildEnded("the process has ended.")
        self.writer.write(json.dumps(message).encode() + b"\n")

    async def _listen(self) -> None:
        with contextlib.suppress(OSError, ValueError, TypeError):
            while line := await self.reader.readline():
                message = parsed(line)
                future = self.asked.get(message.get("id", 0))
                if future is not None and not future.done():
                    future.set_result(message)
                elif "id" not in message:
                    self.on_event(message)
        self.over = True
        self.writer.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self.ended), END_SECONDS)
        sentence = self._how_it_ended()
        for future in self.asked.values():
            if not future.done():
                future.set_exception(ChildEnded(sentence))
        self.on_end(sentence)

    def _how_it_ended(self) -> str:
        status = self.ended.result() if self.ended.done() else None
        if status is None:
            return "the process was lost."
        if status == OUT_OF_MEMORY:
            return "the process ran out of memory."
        if status < 0:
            name = signal.Signals(-status).name
            perhaps = "; perhaps the machine ran out of memory" if name == "SIGKILL" else ""
            return f"the process was killed ({name}{perhaps})."
        return f"the process ended (exit status {status})."

    def close(self) -> None:
        """End the process: it kills itself and its group when its socket closes. One that hangs
        is killed by its host."""
        self.over = True
        self.host.kill(self)
        self.writer.close()


async def answer_of(child: Child, message: Message, seconds: float,
                    compiling: Callable[[], bool]) -> Any:
    """The answer of a child; the time in which it compiles has a limit of its own."""
    question = asyncio.ensure_future(child.ask(message))
    waited = compiled = 0.0
    try:
        while waited < seconds and compiled < COMPILE_SECONDS:
            done, _ = await asyncio.wait([question], timeout=TICK)
            if done:
                return question.result()
            if compiling():
                compiled += TICK
            else:
                waited += TICK
        raise TooSlow(f"there was no answer within {waited + compiled:g} s; the question was "
                      "given up.")
    finally:
        if not question.done():
            question.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await question


class Host:
    """The process that makes children; started with the first, and anew when it has died."""

    def __init__(self, own_game: str | None, begun: Begun | None = None) -> None:
        self.own_game, self.begun = own_game, begun
        self.process: subprocess.Popen[bytes] | None = None
        self.orders: socket.socket | None = None
        self.made: asyncio.Queue[int] = asyncio.Queue()
        self.children: dict[int, Child] = {}
        self.early: dict[int, int] = {}
        self.lock = asyncio.Lock()
        self.task: asyncio.Task[None] | None = None
        self.closed = False

    async def child(self, order: Message) -> Child:
        """A new process; ``order`` says what it is to do."""
        async with self.lock:
            if self.closed:
                raise NoProcess("the server is stopping.")
            await self._running()
            ours, theirs = socket.socketpair()
            pid = await self._ordered(theirs)
            if pid == 0:
                ours.close()
                raise NoProcess("no process can be started; try again.")
            reader, writer = await asyncio.open_connection(sock=ours, limit=LARGEST)
            child = self.children[pid] = Child(pid, reader, writer, self)
            if pid in self.early:
                child.ended.set_result(self.early.pop(pid))
        child.tell({**order, "own_game": self.own_game})
        return child

    async def _ordered(self, theirs: socket.socket) -> int:
        """The number of a new process that answers at ``theirs``; 0 if there is none, and then
        the host is of no use any more."""
        assert self.orders is not None
        assert self.process is not None
        with theirs, contextlib.suppress(OSError, TimeoutError):
            socket.send_fds(self.orders, [b"+"], [theirs.fileno()])
            if pid := await asyncio.wait_for(self.made.get(), START_SECONDS):
                return pid
        self.process.kill()
        return 0

    async def start(self) -> None:
        """Start the host before it is needed."""
        async with self.lock:
            await self._running()

    async def _running(self) -> None:
        if self.begun is None and self.process is not None and self.process.poll() is None:
            return
        (self.process, ours), self.begun = self.begun or start_host(), None
        self.orders, self.made = ours, asyncio.Queue()
        reader, writer = await asyncio.open_connection(sock=ours.dup())
        self.task = asyncio.create_task(self._listen(reader, writer, self.made, ours))

    async def _listen(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter,
                      made: asyncio.Queue[int], orders: socket.socket) -> None:
        """Note which children are made and which have ended, until the host ends."""
        with contextlib.suppress(OSError, ValueError):
            while line := await reader.readline():
                what, pid, *status = line.decode().split()
                if what == "child":
                    made.put_nowait(int(pid))
                else:
                    self._ended(int(pid), int(status[0]))
        made.put_nowait(0)
        writer.close()
        orders.close()

    def _ended(self, pid: int, status: int) -> None:
        child = self.children.pop(pid, None)
        if child is None:
            self.early[pid] = status  # told before its child was noted here
        elif not child.ended.done():
            child.ended.set_result(status)

    def kill(self, child: Child) -> None:
        """Kill a child that has not ended yet, with all that it started."""
        if child.pid in self.children and not child.ended.done():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(child.pid, signal.SIGKILL)

    async def close(self) -> None:
        """End the host and all children."""
        async with self.lock:
            self.closed = True
            if self.begun is not None:
                self.begun[1].close()
                self.process = self.begun[0]
            if self.orders is not None:
                with contextlib.suppress(OSError):
                    self.orders.shutdown(socket.SHUT_RDWR)
            if self.process is not None:
                await asyncio.to_thread(_end, self.process)
            if self.task is not None:
                await self.task
            for child in list(self.children.values()):
                child.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """Wait for the end of a process that has been told; one that does not listen is killed."""
    try:
        process.wait(END_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
