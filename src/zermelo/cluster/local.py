"""Workers as processes on this machine."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from selectors import EVENT_READ, DefaultSelector

from zermelo.cluster.crew import Finished
from zermelo.cluster.messages import Nonsense, decode
from zermelo.cluster.process import LENGTH, frame
from zermelo.cluster.setup import Setup
from zermelo.errors import BadOption
from zermelo.jobs.live import kill_group

COMMAND = (sys.executable, "-m", "zermelo.cluster.process")
STILL = 30.0  # seconds without any processor time, in which a worker with an order hangs
UNSEEN = 4  # times its processor time, by the wall clock, where that is all there is to see
LOOK_SECONDS = 0.5  # between two looks at their clocks
GIVE_UP = 3  # workers that end one after the other before any was ready
STARTING = 600.0  # seconds of processor time, compiling included


class Process:
    """One worker."""

    def __init__(self, setup: Setup, command: Sequence[str]) -> None:
        self.process = subprocess.Popen(
            list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, start_new_session=True)
        assert self.process.stdout is not None
        self.read, self.ready, self.busy = bytearray(), False, False
        self.output = self.process.stdout
        self.send(json.dumps(setup.to_dict()).encode())
        self.until(STARTING)

    def until(self, seconds: float) -> None:
        """From now on it may use this much processor time."""
        self.used, self.moved = self.clock(), time.monotonic()
        self.limit, self.late = (self.used or 0.0) + seconds, self.moved + UNSEEN * seconds

    def clock(self) -> float | None:
        """The processor time of the process so far; None where the system does not tell."""
        try:
            with open(f"/proc/{self.process.pid}/stat", "rb") as file:
                fields = file.read().rpartition(b")")[2].split()
            return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
        except (OSError, IndexError):
            return None

    def overdue(self, still: float) -> str:
        """Why it is taken for lost; nothing while all is well."""
        used, now = self.clock(), time.monotonic()
        if used is None:
            return "it took too long" if now > self.late else ""
        if self.used is None or used > self.used:
            self.used, self.moved = used, now
        if used > self.limit:
            return "it took too long"
        return "it does nothing any more" if now - self.moved > still else ""

    def send(self, data: bytes) -> None:
        """Send a message; if the process has ended, that is seen when it is read from."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.write(frame(data))
            self.process.stdin.flush()

    def receive(self) -> tuple[bytes | None, bool]:
        """A whole message if there is one by now, and whether the process has ended."""
        part = os.read(self.output.fileno(), 1 << 20)
        self.read += part
        size = int.from_bytes(self.read[:LENGTH], "big")
        if len(self.read) >= LENGTH + size:
            whole = bytes(self.read[LENGTH : LENGTH + size])
            del self.read[: LENGTH + size]
            return whole, False
        return None, not part

    def end(self) -> None:
        """Kill it and all that it has started."""
        kill_group(self.process.pid)
        for pipe in (self.process.stdin, self.output):
            with contextlib.suppress(OSError):
                if pipe is not None:
                    pipe.close()
        self.process.wait()


class LocalCrew:
    """``workers`` processes; one that ends, hangs or is expelled is replaced."""

    def __init__(self, setup: Setup, workers: int, command: Sequence[str] = COMMAND,
                 still: float = STILL) -> None:
        self.setup, self.command, self.still = setup, command, still
        self.made = self.failures = 0
        self.looked = time.monotonic()
        self.workers: dict[int, Process] = {}
        for _ in range(workers):
            self._new()

    def _new(self) -> None:
        self.workers[self.made] = Process(self.setup, self.command)
        self.made += 1

    def capacity(self) -> list[int]:
        """Those that are ready and without an order."""
        return [number for number, worker in self.workers.items()
                if worker.ready and not worker.busy]

    def submit(self, worker: int, order: bytes, seconds: float) -> None:
        """Send it."""
        process = self.workers[worker]
        process.busy = True
        process.until(seconds)
        process.send(order)

    def finished(self, seconds: float) -> list[Finished]:
        """Answers, and who is lost."""
        done: list[Finished] = []
        with DefaultSelector() as selector:
            for number, worker in self.workers.items():
                selector.register(worker.output, EVENT_READ, number)
            for key, _ in selector.select(seconds):
                number = key.data
                answer, ended = self.workers[number].receive()
                if ended:
                    done += self._lost(number, "it ended")
                elif answer is not None:
                    done += self._came(number, answer)
        if time.monotonic() - self.looked > LOOK_SECONDS:
            self.looked = time.monotonic()
            for number, worker in list(self.workers.items()):
                if (worker.busy or not worker.ready) and (why := worker.overdue(self.still)):
                    done += self._lost(number, why)
        return done

    def _came(self, number: int, answer: bytes) -> list[Finished]:
        worker = self.workers[number]
        if worker.ready:
            worker.busy = False
            return [Finished(number, answer)]
        try:
            said, _ = decode(answer)
        except Nonsense:
            return self._lost(number, "it did not begin as workers do")
        if "refused" in said:
            raise BadOption(f"a worker can't begin: {said['refused']}.")
        worker.ready, self.failures = True, 0
        return []

    def _lost(self, number: int, why: str) -> list[Finished]:
        worker = self.workers[number]
        if not worker.ready:
            self.failures += 1
            if self.failures >= GIVE_UP:
                raise BadOption(f"the workers can't be started: '{' '.join(self.command)}' was "
                                f"tried {GIVE_UP} times, and each time {why}.")
        busy = worker.busy
        self.expel(number)
        return [Finished(number, None, why)] if busy else []

    def cancel(self, worker: int) -> None:
        """An empty message."""
        self.workers[worker].send(b"")

    def expel(self, worker: int) -> None:
        """Kill it and start another."""
        self.workers.pop(worker).end()
        self._new()

    def close(self) -> None:
        """Kill all."""
        for worker in self.workers.values():
            worker.end()
        self.workers.clear()
