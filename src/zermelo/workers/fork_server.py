"""A fork server: a process that has loaded everything, and makes a copy of itself for each order.

A child begins with all that its server has loaded, in a process group of its own; nothing that it
does, be it a crash, reaches the server or other children. It is killed when its time is up, with
all that it has started, and what it leaves behind at its end is killed too. When the orders end,
because whoever started the server has ended or was killed, the server kills all children with their
groups and ends; when it is killed itself, so are they.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from math import inf
from typing import Any

from zermelo.workers.messages import LARGEST, parsed
from zermelo.workers.processes import Started, fork, kill_group, start
from zermelo.workers.signals import reset

ALARM_GRACE = 10  # seconds after its time, when a child ends without being killed
NEW = b"+"  # what comes with the socket of a new child
Message = dict[str, Any]
Begun = tuple[Started, socket.socket]


@dataclass
class ForkedChild:
    """A child that runs or has ended. ``status``: its exit status, or minus the signal that ended
    it; ``late``: it was killed because its time was up."""

    pid: int
    seconds: float
    began: float
    late: bool = False
    status: int = 0
    wall_seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_rss: int = 0


class ForkServer:
    """Makes children for the orders that can be read from a descriptor."""

    def __init__(self, orders: int) -> None:
        self.orders = orders
        self.children: dict[int, ForkedChild] = {}

    def fork(self, work: Callable[[], None], output: int = 2, seconds: float = inf) -> int:
        """Do ``work`` in a child, which prints to ``output`` and may take some seconds; return its
        number."""
        def limited() -> None:
            if seconds < inf:  # where a child does not end with its parent
                reset(signal.SIGALRM)
                signal.alarm(int(seconds) + ALARM_GRACE)
            work()

        began = time.perf_counter()
        pid = fork(limited, output)
        self.children[pid] = ForkedChild(pid, seconds, began)
        return pid

    def serve(self, order: Callable[[], bool], ended: Callable[[ForkedChild], None]) -> None:
        """Call ``order`` whenever there is one to be read, until it returns False, and ``ended``
        when a child has ended."""
        reset(signal.SIGINT)  # else ignored, where the program runs in the background
        with _noticing_deaths() as deaths:
            while True:
                ready, _, _ = select.select([self.orders, deaths], [], [], self._patience())
                if deaths in ready:
                    os.read(deaths, 4096)
                    for child in self._ended():
                        ended(child)
                if self.orders in ready and not order():
                    break
        for pid in self.children:
            kill_group(pid)

    def _patience(self) -> float | None:
        """Kill children whose time is up; return the seconds that the next one has left."""
        least = inf
        for child in self.children.values():
            left = child.began + child.seconds - time.perf_counter()
            if left > 0:
                least = min(least, left)
            elif not child.late:
                child.late = True
                kill_group(child.pid)
        return None if least == inf else least

    def _ended(self) -> Iterator[ForkedChild]:
        """Yield the children that have ended since, and kill what they have started."""
        for child in list(self.children.values()):
            pid, status, usage = os.wait4(child.pid, os.WNOHANG)
            if pid == 0:
                continue
            kill_group(pid)
            del self.children[pid]
            child.status = os.waitstatus_to_exitcode(status)
            child.wall_seconds = time.perf_counter() - child.began
            child.cpu_seconds = usage.ru_utime + usage.ru_stime
            child.peak_rss = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
            yield child


@contextlib.contextmanager
def _noticing_deaths() -> Iterator[int]:
    """Yield a descriptor that can be read when a child has ended."""
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


def start_host(module: str) -> Begun:
    """Start ``module`` as a server of channels; return the process, and our end of its socket."""
    ours, theirs = socket.socketpair()
    with theirs:
        process = start((sys.executable, "-m", module, str(theirs.fileno())),
                        stdin=subprocess.DEVNULL, pass_fds=[theirs.fileno()])
    return process, ours


def serve_channels(orders: socket.socket, work: Callable[[Channel], None],
                   load: Callable[[], None]) -> None:
    """Make a child for every socket that comes over ``orders``, which answers there; report on
    ``orders`` the number of each, and how each has ended.

    The first child is made at once. ``load`` loads what all later ones are to begin with.
    """
    server, loaded = ForkServer(orders.fileno()), False

    def report(*words: object) -> None:
        with contextlib.suppress(OSError):  # it has closed: that is seen next
            orders.sendall((" ".join(map(str, words)) + "\n").encode())

    def begin(descriptor: int) -> None:
        orders.close()
        work(Channel(socket.socket(fileno=descriptor)))

    def order() -> bool:
        nonlocal loaded
        sent, descriptors, _, _ = socket.recv_fds(orders, 1, 1)
        if not sent:
            return False
        child = server.fork(partial(begin, descriptors[0]))
        os.close(descriptors[0])
        report("child", child)
        if not loaded:
            load()
            loaded = True
        return True

    server.serve(order, lambda child: report("ended", child.pid, child.status))


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
        """Wait for the next message."""
        return self.waiting.get()

    def pending(self) -> Iterator[Message]:
        """Yield the messages that have come so far."""
        with contextlib.suppress(queue.Empty):
            while True:
                yield self.waiting.get_nowait()
