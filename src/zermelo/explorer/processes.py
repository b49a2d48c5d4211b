"""The server's end of the processes: the host, the children that it makes, and the query workers,
which answer questions about positions. A second one helps a busy one out."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import socket
from collections.abc import Callable
from typing import Any

from zermelo.workers.fork_server import NEW, Begun, Message, start_host
from zermelo.workers.messages import LARGEST, parsed
from zermelo.workers.processes import Started, end, how_it_ended, kill_group

MODULE = "zermelo.explorer.query_worker"
START_SECONDS, COMPILE_SECONDS, TICK = 60.0, 180.0, 0.5
END_SECONDS = 2.0
BUSY_SECONDS = 0.5
MOST_QUERY_WORKERS = 2
MOST_WAITING = 200
ANSWER_SECONDS = 20.0


class Denied(Exception):
    """A request that is not granted, and why."""

    def __init__(self, sentence: str, status: int = 400) -> None:
        super().__init__(sentence)
        self.sentence, self.status = sentence, status


class NoProcess(Denied):
    """A process that could not be had, has ended, or does not answer."""

    def __init__(self, sentence: str) -> None:
        super().__init__(sentence, 503)


class ChildEnded(NoProcess):
    """The process ended before it answered."""


class TooSlow(NoProcess):
    """The process did not answer in time."""


class ChildProcess:
    """A process that answers messages; messages that answer nothing go to ``on_event``."""

    def __init__(self, pid: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter,
                 host: HostProcess) -> None:
        self.pid, self.reader, self.writer, self.host = pid, reader, writer, host
        self.on_event: Callable[[Message], None] = lambda message: None
        self.busy, self.compiling = False, False
        self.leaves = False  # another one has come in its place
        self.on_end: Callable[[str], None] = lambda sentence: None
        self.ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()
        self.over = False
        self.asked: dict[int, asyncio.Future[Message]] = {}
        self.numbers = itertools.count(1)
        self.task = asyncio.create_task(self._listen())

    async def ask(self, message: Message, seconds: float) -> Any:
        """Return the answer to ``message``; a refusal is raised. The time in which the process
        compiles has a limit of its own."""
        number = next(self.numbers)
        answer: asyncio.Future[Message] = asyncio.get_running_loop().create_future()
        self.asked[number] = answer
        waited = compiled = 0.0
        try:
            self.tell({**message, "id": number})
            while not answer.done():
                if waited >= seconds or compiled >= COMPILE_SECONDS:
                    raise TooSlow(f"there was no answer within {waited + compiled:g} s; the "
                                  "question was given up.")
                tick = min(TICK, seconds - waited)
                await asyncio.wait([answer], timeout=tick)
                if self.compiling:
                    compiled += tick
                else:
                    waited += tick
            found = answer.result()
        finally:
            self.asked.pop(number)
        if "refused" in found:
            raise Denied(found["refused"], found.get("status", 400))
        return found["answer"]

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
                    self.compiling = bool(message.get("compiling"))
                    self.on_event(message)
        self.over = True
        self.writer.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(asyncio.shield(self.ended), END_SECONDS)
        sentence = how_it_ended(self.ended.result()) if self.ended.done() else \
            "the process was lost."
        for future in self.asked.values():
            if not future.done():
                future.set_exception(ChildEnded(sentence))
        self.on_end(sentence)

    def close(self) -> None:
        """End the process: it kills itself and its group when its socket closes. One that hangs
        is killed by its host."""
        self.over = True
        self.host.kill(self)
        self.writer.close()


class HostProcess:
    """The process that makes children; started with the first, and again when it has died."""

    def __init__(self, own_game: str | None, begun: Begun | None = None) -> None:
        self.own_game, self.begun = own_game, begun
        self.process: Started | None = None
        self.orders: socket.socket | None = None
        self.made: asyncio.Queue[int] = asyncio.Queue()
        self.children: dict[int, ChildProcess] = {}
        self.early: dict[int, int] = {}
        self.lock = asyncio.Lock()
        self.task: asyncio.Task[None] | None = None
        self.closed = False

    async def child(self, order: Message) -> ChildProcess:
        """Return a new process for ``order``."""
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
            child = self.children[pid] = ChildProcess(pid, reader, writer, self)
            if pid in self.early:
                child.ended.set_result(self.early.pop(pid))
        child.tell({**order, "own_game": self.own_game})
        return child

    async def _ordered(self, theirs: socket.socket) -> int:
        """Return the number of a new process that answers at ``theirs``; 0 if there is none, and
        then the host is killed."""
        assert self.orders is not None
        assert self.process is not None
        with theirs, contextlib.suppress(OSError, TimeoutError):
            socket.send_fds(self.orders, [NEW], [theirs.fileno()])
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
        (self.process, ours), self.begun = self.begun or start_host(MODULE), None
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
            self.early[pid] = status  # reported before its child was noted here
        elif not child.ended.done():
            child.ended.set_result(status)

    def kill(self, child: ChildProcess) -> None:
        """Kill a child that has not ended yet, with all that it started."""
        if child.pid in self.children and not child.ended.done():
            kill_group(child.pid)

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
                await asyncio.to_thread(end, self.process, END_SECONDS)
            if self.task is not None:
                await self.task
            for child in list(self.children.values()):
                child.close()


class QueryWorkers:
    """Processes that answer questions, one at a time: a question goes to one that is free."""

    def __init__(self, host: HostProcess, most: int = MOST_QUERY_WORKERS) -> None:
        self.host, self.most = host, most
        self.workers: list[ChildProcess] = []
        self.waiting = 0
        self.free = asyncio.Condition()
        self.kept: dict[str, asyncio.Future[Any]] = {}

    async def ask(self, ask: str, seconds: float = ANSWER_SECONDS, **fields: Any) -> Any:
        """Return the answer to a question; a refusal is raised."""
        if self.waiting >= MOST_WAITING:
            raise Denied("too many questions are waiting; try again in a moment.", 429)
        self.waiting += 1
        try:
            worker = await self._free()
            try:
                return await worker.ask({"ask": ask, **fields}, seconds)
            except (ChildEnded, TooSlow) as error:
                self._dismiss(worker)
                raise NoProcess(f"the question could not be answered: {error.sentence}") from None
            except asyncio.CancelledError:  # who asked is gone: the answer must not go to others
                self._dismiss(worker)
                raise
            finally:
                worker.busy = False
                if worker.leaves:
                    self._dismiss(worker)
                async with self.free:
                    self.free.notify_all()
        finally:
            self.waiting -= 1

    async def once(self, ask: str) -> Any:
        """Return the answer to a question whose answer never changes."""
        question = self.kept.get(ask)
        if question is None or (question.done() and (
                question.cancelled() or question.exception() is not None)):
            question = self.kept[ask] = asyncio.ensure_future(self.ask(ask, COMPILE_SECONDS))
        return await asyncio.shield(question)  # later callers wait for the same answer

    async def renew(self) -> None:
        """Replace all workers by a new one: the first child of a host has
        loaded less than those after it. One that is at work leaves when it is done."""
        before = list(self.workers)
        self.workers.append(await self.host.child({"be": "query worker"}))
        for worker in before:
            worker.leaves = True
            if not worker.busy:
                self._dismiss(worker)

    def _dismiss(self, worker: ChildProcess) -> None:
        worker.close()
        if worker in self.workers:
            self.workers.remove(worker)

    async def _free(self) -> ChildProcess:
        patience = BUSY_SECONDS
        async with self.free:
            while True:
                for worker in list(self.workers):
                    if worker.over:
                        self._dismiss(worker)
                    elif not worker.busy:
                        worker.busy = True
                        return worker
                if not self.workers or (patience <= 0 and len(self.workers) < self.most):
                    worker = await self.host.child({"be": "query worker"})
                    worker.busy = True
                    self.workers.append(worker)
                    return worker
                began = asyncio.get_running_loop().time()
                limit = patience if len(self.workers) < self.most else None
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self.free.wait(), limit)
                patience -= asyncio.get_running_loop().time() - began
