"""Processes that answer questions: a host that has loaded everything makes one for each who asks.

The host is a process of its own. Over one socket it gets other sockets, one for each child that is
wanted; it makes a copy of itself, in a process group of its own, which answers at that socket. The
messages are lines of JSON. Whatever a child does, be it a crash, reaches nobody else. When the
host's socket closes, because who started it has ended or was killed, it kills all its children
with their groups and ends; when it is killed itself, so are they.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import select
import signal
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from zermelo.workers.frames import LARGEST, parsed
from zermelo.workers.processes import die_with_parent, kill_group, own_group

NEW = b"+"  # what comes with the socket of a new child
OUT_OF_MEMORY, FAILED = 2, 1  # with which status a child ends
Message = dict[str, Any]


def serve(orders: socket.socket, work: Callable[[Channel], None],
          load: Callable[[], None]) -> None:
    """Be a host: make a child for every socket that comes over ``orders``, until it closes.

    The first child is made at once. ``load`` loads what all later ones are to begin with.
    """
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    loaded = False
    children: set[int] = set()
    with _noticing_deaths() as deaths:
        while True:
            ready, _, _ = select.select([orders.fileno(), deaths], [], [])
            if deaths in ready:
                os.read(deaths, 4096)
                for child, status in _dead():
                    children.discard(child)
                    kill_group(child)  # what it has started
                    _tell(orders, "ended", child, status)
            if orders.fileno() in ready:
                sent, descriptors, _, _ = socket.recv_fds(orders, 1, 1)
                if not sent:
                    break
                child = _new_child(orders, descriptors[0], work)
                children.add(child)
                _tell(orders, "child", child)
                if not loaded:
                    load()
                    loaded = True
    for child in children:
        kill_group(child)


def _tell(orders: socket.socket, *words: object) -> None:
    with contextlib.suppress(OSError):  # it has closed: that is seen next
        orders.sendall((" ".join(map(str, words)) + "\n").encode())


@contextlib.contextmanager
def _noticing_deaths() -> Iterator[int]:
    """A descriptor that can be read when a child has ended."""
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    signal.signal(signal.SIGCHLD, lambda number, frame: None)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    try:
        yield reader
    finally:
        signal.set_wakeup_fd(-1)
        os.close(reader)
        os.close(writer)


def _dead() -> Iterator[tuple[int, int]]:
    with contextlib.suppress(ChildProcessError):
        while True:
            child, status = os.waitpid(-1, os.WNOHANG)
            if child == 0:
                return
            yield child, os.waitstatus_to_exitcode(status)


def _new_child(orders: socket.socket, descriptor: int, work: Callable[[Channel], None]) -> int:
    child = os.fork()
    if child == 0:
        _be_a_child(orders, descriptor, work)
    os.close(descriptor)
    own_group(child)
    return child


def _be_a_child(orders: socket.socket, descriptor: int,
                work: Callable[[Channel], None]) -> NoReturn:
    status = FAILED
    try:
        own_group(0)
        die_with_parent()
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        orders.close()
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.dup2(2, 1)  # what a game prints
        work(Channel(socket.socket(fileno=descriptor)))
        status = 0
    except MemoryError:
        status = OUT_OF_MEMORY
    finally:
        os._exit(status)


class Channel:
    """The child's end: messages that come in, in their order, and those that go out.

    ``at_once`` is called with every message as it comes, in a thread of its own, for what can't
    wait until the child has time. When the socket closes, the child and its group are killed.
    """

    def __init__(self, end: socket.socket) -> None:
        self.end, self.lock = end, threading.Lock()
        self.waiting: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self.at_once: Callable[[Message], None] = lambda message: None
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        with contextlib.suppress(OSError, ValueError), self.end.makefile("rb") as lines:
            while line := lines.readline(LARGEST):
                message = parsed(line)
                self.at_once(message)
                self.waiting.put(message)
        kill_group(os.getpid())

    def send(self, message: Message) -> None:
        """Send one message."""
        line = json.dumps(message, ensure_ascii=True, allow_nan=False).encode() + b"\n"
        with self.lock, contextlib.suppress(OSError):
            self.end.sendall(line)

    def next(self) -> Message:
        """The next message, as soon as there is one."""
        return self.waiting.get()

    def pending(self) -> Iterator[Message]:
        """The messages that have come so far."""
        with contextlib.suppress(queue.Empty):
            while True:
                yield self.waiting.get_nowait()


def plain(value: Any) -> Any:
    """``value`` as JSON can say it: what is infinite as a text."""
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, float):
        if value != value:
            return None
        return value if abs(value) != float("inf") else "inf" if value > 0 else "-inf"
    return value.item() if hasattr(value, "item") else value
