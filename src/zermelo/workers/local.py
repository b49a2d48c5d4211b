"""Workers as processes on this machine."""

from __future__ import annotations

import contextlib
import os
import subprocess
import time
from dataclasses import dataclass
from selectors import EVENT_READ, DefaultSelector

from zermelo.errors import BadOption, counted
from zermelo.workers.crew import TOO_LONG, Finished
from zermelo.workers.frames import CANCEL, BadMessage, Frames, is_ready, send
from zermelo.workers.processes import kill_group, safe_environment

STILL = 30.0
UNSEEN = 4  # times its processor time, by the wall clock, where that is all there is to see
LOOK_SECONDS = 0.5  # between two looks at their clocks
TRIES = 3
STARTING = 600.0  # seconds, compiling included
LAST_WORDS = 5.0  # seconds in which a process ends that has closed its output


@dataclass(frozen=True)
class Program:
    """What the process of a worker runs, and what is to be expected of it.

    first      the first message that it gets; none if it is empty
    at_once    it begins with the crew, else when there is an order for it
    own_work   it works itself, so that its time is that of its processor, and it hangs where it
               uses none; else others work for it, and the wall clock counts
    goodbye    seconds in which it may end by itself when its input closes, and put away what it has
               started
    still      seconds without own work in which one with an order hangs
    tries      processes that may end one after the other before any was ready
    """

    command: tuple[str, ...]
    first: bytes = b""
    at_once: bool = True
    own_work: bool = True
    goodbye: float = 0.0
    still: float = STILL
    tries: int = TRIES


class Process:
    """One worker."""

    def __init__(self, program: Program) -> None:
        # A session of its own: Ctrl-C is for who gives the orders, who then ends the workers.
        self.process = subprocess.Popen(
            list(program.command), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, start_new_session=True, env=safe_environment())
        assert self.process.stdout is not None
        self.program, self.frames, self.ready, self.busy = program, Frames(), False, False
        self.output = self.process.stdout
        self.until(STARTING)
        if program.first:
            self.send(program.first)

    def until(self, seconds: float) -> None:
        """From now on it may take this much time."""
        self.used, self.moved = self.clock(), time.monotonic()
        self.limit = (self.used or 0.0) + seconds
        self.late = self.moved + seconds * (UNSEEN if self.program.own_work else 1)

    def clock(self) -> float | None:
        """The processor time of the process so far; None where the system does not tell, or where
        that is not what counts."""
        if not self.program.own_work:
            return None
        try:
            with open(f"/proc/{self.process.pid}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, IndexError):
            return None

    def overdue(self) -> str:
        """Why it is taken for lost; nothing while all is well."""
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
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            send(self.process.stdin, data)

    def receive(self) -> tuple[list[bytes], bool]:
        """The messages that are complete by now, and whether the process has ended."""
        part = os.read(self.output.fileno(), 1 << 20)
        return self.frames.add(part), not part

    def let_go(self) -> None:
        """Close both pipes: it sees that it is to end, and can't hang in an answer."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()
        self.output.close()

    def end(self, patience: float = 0.0) -> int:
        """Kill it and all that it has started, unless it ends by itself in so many seconds; with
        what status it has ended."""
        if self.process.returncode is not None:
            return self.process.returncode
        if patience:
            self.let_go()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(patience)
        kill_group(self.process.pid)  # nobody else gets its number while one of its group is left
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
        """Those without an order that are ready, or begin with one."""
        return [number for number, worker in self.workers.items()
                if worker is None or (worker.ready and not worker.busy)]

    def submit(self, worker: int, order: bytes, seconds: float) -> None:
        """Send it."""
        process = self.workers[worker]
        if process is None:
            process = self.workers[worker] = Process(self.program)
        process.busy = True
        process.until(seconds)
        process.send(order)

    def finished(self, seconds: float) -> list[Finished]:
        """Answers, and who is lost."""
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
                raise BadOption(
                    f"the workers can't be started: '{' '.join(self.program.command)}' "
                    f"{how or f'was tried {tried}, and each time {why}'}.")
        return [Finished(number, None, why)] if worker.busy else []

    def cancel(self, worker: int) -> None:
        """An empty message."""
        process = self.workers[worker]
        if process is not None:
            process.send(CANCEL)

    def expel(self, worker: int) -> None:
        """Kill it; another one takes its place."""
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
