"""Crews: workers that answer orders, by the same methods wherever they run; here in this process
and as processes of this machine (``ray_crew``: on a cluster).

Orders and answers are bytes, whose meaning is between the giver of the orders and the workers.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from selectors import EVENT_READ, DefaultSelector
from typing import NamedTuple, Protocol

from zermelo.errors import BadOption, counted
from zermelo.workers.messages import CANCEL, Answering, BadMessage, Frames, is_ready, send
from zermelo.workers.processes import Forked, Started, kill_group, start

TOO_LONG = "it took too long"  # why a worker is lost whose time was up
WAIT_SECONDS = 1.0  # between two looks at who is late
STILL = 30.0
UNSEEN = 4  # times its processor time, by the wall clock, where that is all there is to see
LOOK_SECONDS = 0.5  # between two looks at their clocks
TRIES = 3
STARTING = 600.0  # seconds, compiling included
LAST_WORDS = 5.0  # seconds in which a process ends that has closed its output

Make = Callable[[], Answering]


class Finished(NamedTuple):
    """The end of an order: the answer, or, without one, why the worker is lost."""

    worker: int
    answer: bytes | None
    why: str = ""


class Crew(Protocol):
    """Workers by number. One that is lost is replaced by a new one, with a new number."""

    def capacity(self) -> list[int]:
        """Return the workers that are free."""

    def submit(self, worker: int, order: bytes, seconds: float) -> None:
        """Give an order to a free worker, which is lost if it takes more time."""

    def finished(self, seconds: float) -> list[Finished]:
        """Return the orders that have ended; wait at most ``seconds`` for the first."""

    def cancel(self, worker: int) -> None:
        """Ask a busy worker to end its order early."""

    def expel(self, worker: int) -> None:
        """End a worker, if it is still there; another one takes its place."""

    def close(self) -> None:
        """End all of them."""


def ask(crew: Crew, order: bytes, seconds: float) -> Finished:
    """Give an order to a crew that has no other, and wait for its end."""
    crew.submit(crew.capacity()[0], order, seconds)
    while True:
        for each in crew.finished(WAIT_SECONDS):
            return each


class InlineCrew:
    """``workers`` workers in this process, where nobody enforces a limit of time."""

    def __init__(self, make: Make, workers: int) -> None:
        self.make, self.made = make, 0
        self.workers: dict[int, Answering] = {}
        self.orders: dict[int, bytes] = {}
        for _ in range(workers):
            self._new()

    def _new(self) -> None:
        self.workers[self.made] = self.make()
        self.made += 1

    def capacity(self) -> list[int]:
        """Return the workers without an order."""
        return [number for number in self.workers if number not in self.orders]

    def submit(self, worker: int, order: bytes, seconds: float) -> None:
        """Keep an order until ``finished`` is called, which does it."""
        self.orders[worker] = order

    def finished(self, seconds: float) -> list[Finished]:
        """Do what was submitted, and return the answers."""
        orders, self.orders = self.orders, {}
        return [Finished(number, self.workers[number].answer(order))
                for number, order in orders.items()]

    def cancel(self, worker: int) -> None:
        """Do nothing: no order is being done while this is called."""

    def expel(self, worker: int) -> None:
        """Replace a worker by a new one, which knows nothing of earlier orders."""
        self.orders.pop(worker, None)
        if self.workers.pop(worker, None) is not None:
            self._new()

    def close(self) -> None:
        """Drop what was not done."""
        self.orders.clear()


@dataclass(frozen=True)
class Program:
    """The process of a worker, and what is to be expected of it.

    command    the program, which has to call ``messages.serve``; or the work of a copy of this
               process, with the descriptors of its orders and answers
    first      the first message that it gets; none if it is empty
    at_once    it begins with the crew, else when there is an order for it
    own_work   it works itself, so that its time is that of its processor, and it hangs where it
               uses none; else others work for it, and the wall clock counts
    goodbye    seconds in which it may end by itself when its input closes, and put away what it has
               started
    still      seconds without own work in which one with an order hangs
    tries      processes that may end one after the other before any was ready
    """

    command: tuple[str, ...] | Callable[[int, int], None]
    first: bytes = b""
    at_once: bool = True
    own_work: bool = True
    goodbye: float = 0.0
    still: float = STILL
    tries: int = TRIES

    def start(self) -> Started | Forked:
        """Start a process."""
        if callable(self.command):
            return Forked(self.command)
        return start(self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                     stderr=subprocess.DEVNULL)


class Process:
    """The process of one worker."""

    def __init__(self, program: Program) -> None:
        self.process = program.start()
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.program, self.frames, self.ready, self.busy = program, Frames(), False, False
        self.input, self.output = self.process.stdin, self.process.stdout
        self.until(STARTING)
        if program.first:
            self.send(program.first)

    def until(self, seconds: float) -> None:
        """Let it take this much time from now on."""
        self.used, self.moved = self.clock(), time.monotonic()
        self.limit = (self.used or 0.0) + seconds
        self.late = self.moved + seconds * (UNSEEN if self.program.own_work else 1)

    def clock(self) -> float | None:
        """Return the processor time of the process so far; None where the system does not report
        it, or where that is not what counts."""
        if not self.program.own_work:
            return None
        try:
            with open(f"/proc/{self.process.pid}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, IndexError):
            return None

    def overdue(self) -> str:
        """Return why it is considered lost; nothing while all is well."""
        used, now = self.clock(), time.monotonic()
        if used is None:
            return TOO_LONG if now > self.late else ""
        if self.used is None or used > self.used:
            self.used, self.moved = used, now
        if used > self.limit:
            return TOO_LONG
        return "it does nothing any more" if now - self.moved > self.program.still else ""

    def send(self, data: bytes) -> None:
        """Send a message; if the process has ended, that is seen when it is read from."""
        with contextlib.suppress(OSError):
            send(self.input, data)

    def receive(self) -> tuple[list[bytes], bool]:
        """Return the messages that are complete by now, and True if the process has ended."""
        part = os.read(self.output.fileno(), 1 << 20)
        return self.frames.add(part), not part

    def let_go(self) -> None:
        """Close both pipes: it sees that it is to end, and can't hang in an answer."""
        with contextlib.suppress(OSError):
            self.input.close()
        self.output.close()

    def end(self, patience: float = 0.0) -> int:
        """Kill it and all that it has started, unless it ends by itself in ``patience`` seconds;
        return the status with which it has ended."""
        if self.process.returncode is not None:
            return self.process.returncode
        if patience:
            self.let_go()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(patience)
        kill_group(self.process.pid)  # its number is not reused while one of its group is left
        self.let_go()
        return self.process.wait()


class LocalCrew:
    """``workers`` processes; one that ends, hangs or is expelled is replaced."""

    def __init__(self, program: Program, workers: int) -> None:
        self.program = program
        self.made = self.failures = 0
        self.looked = time.monotonic()
        self.workers: dict[int, Process | None] = {}  # None: as yet not begun
        for _ in range(workers):
            self._new()

    def _new(self) -> None:
        self.workers[self.made] = Process(self.program) if self.program.at_once else None
        self.made += 1

    def _begun(self) -> list[tuple[int, Process]]:
        return [(number, worker) for number, worker in self.workers.items() if worker is not None]

    def capacity(self) -> list[int]:
        """Return the workers without an order that are ready, or begin with one."""
        return [number for number, worker in self.workers.items()
                if worker is None or (worker.ready and not worker.busy)]

    def submit(self, worker: int, order: bytes, seconds: float) -> None:
        """Send an order to a worker."""
        process = self.workers[worker]
        if process is None:
            process = self.workers[worker] = Process(self.program)
        process.busy = True
        process.until(seconds)
        process.send(order)

    def finished(self, seconds: float) -> list[Finished]:
        """Return answers, and the workers that are lost."""
        done: list[Finished] = []
        with DefaultSelector() as selector:
            for number, worker in self._begun():
                selector.register(worker.output, EVENT_READ, (number, worker))
            for key, _ in selector.select(seconds):
                done += self._read(*key.data)
        if time.monotonic() - self.looked > LOOK_SECONDS:
            self.looked = time.monotonic()
            for number, worker in self._begun():
                if (worker.busy or not worker.ready) and (why := worker.overdue()):
                    done += self._lost(number, worker, why)
        return done

    def _read(self, number: int, worker: Process) -> list[Finished]:
        try:
            messages, ended = worker.receive()
        except BadMessage as error:
            return self._lost(number, worker, f"it sent {error}")
        if ended:
            status = worker.end(LAST_WORDS)
            return self._lost(number, worker, f"it ended with status {status}",
                              f"ends with status {status}")
        done = []
        for message in messages:
            if worker.ready:
                worker.busy = False
                done.append(Finished(number, message))
            elif is_ready(message):
                worker.ready, self.failures = True, 0
            else:
                return self._lost(number, worker, "it did not begin as workers do")
        return done

    def _lost(self, number: int, worker: Process, why: str, how: str = "") -> list[Finished]:
        self.expel(number)
        if not worker.ready:
            self.failures += 1
            if self.failures >= self.program.tries:
                tried = counted(self.program.tries, "time")
                command = self.program.command
                name = "a copy of this process" if callable(command) else " ".join(command)
                raise BadOption(f"the workers can't be started: '{name}' "
                                f"{how or f'was tried {tried}, and each time {why}'}.")
        return [Finished(number, None, why)] if worker.busy else []

    def cancel(self, worker: int) -> None:
        """Send the message that asks for an early end."""
        process = self.workers[worker]
        if process is not None:
            process.send(CANCEL)

    def expel(self, worker: int) -> None:
        """Kill a worker; another one takes its place."""
        if worker not in self.workers:
            return
        process = self.workers.pop(worker)
        if process is not None:
            process.end()
        self._new()

    def close(self) -> None:
        """End all; those that put something away do so at the same time."""
        for _, worker in self._begun():
            if self.program.goodbye:
                worker.let_go()
        for _, worker in self._begun():
            worker.end(self.program.goodbye)
        self.workers.clear()
