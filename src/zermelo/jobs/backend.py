"""Backends: where jobs run. A cluster needs no more than these four methods."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
import time
from selectors import EVENT_READ, DefaultSelector
from typing import Any, Protocol

from zermelo.errors import BadOption
from zermelo.jobs.job import Job
from zermelo.jobs.work import CRASH, TIMEOUT, Clock, perform

GOODBYE = 5.0
COMPILING = 180.0  # seconds that a host may take before it starts a job's child
READY = b"ready\n"  # what a host says first
BACKENDS = ("processes", "in-process")

Finished = tuple[Job, dict[str, Any]]


class Backend(Protocol):
    """Runs jobs and hands back rows."""

    def free(self) -> int:
        """How many more jobs it would take now."""

    def submit(self, job: Job) -> None:
        """Begin a job; only while ``free`` is above 0."""

    def wait(self, seconds: float) -> list[Finished]:
        """The jobs that have ended, with their rows; waits at most ``seconds`` for the first."""

    def close(self) -> None:
        """End what is running; nothing more comes back."""


class InProcess:
    """Every job in this process, one after the other: for a debugger. No limit is enforced here
    that the search does not keep itself."""

    def __init__(self) -> None:
        self.waiting: list[Job] = []

    def free(self) -> int:
        """One at a time."""
        return 1 - len(self.waiting)

    def submit(self, job: Job) -> None:
        """It runs when its row is waited for."""
        self.waiting.append(job)

    def wait(self, seconds: float) -> list[Finished]:
        """Run what was submitted."""
        finished = []
        while self.waiting:
            clock = Clock()
            row = perform(self.waiting[0])
            if row.get("stopped") == "interrupted":  # by Ctrl-C, which is for the run
                raise KeyboardInterrupt
            finished.append((self.waiting.pop(0), {**row, **clock.row()}))
        return finished

    def close(self) -> None:
        """Nothing runs."""
        self.waiting.clear()


class Host:
    """One worker: a host process, started when it gets its first job and again after a crash."""

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.job: Job | None = None
        self.read = b""
        self.until, self.ready = 0.0, False

    def submit(self, job: Job) -> None:
        """Hand a job to the process."""
        self.until = time.monotonic() + job.wall + COMPILING
        if self.process is None:
            # A session of its own: Ctrl-C is for the run, which then ends its hosts.
            self.process = subprocess.Popen(
                [sys.executable, "-m", "zermelo.jobs.host"], stdin=subprocess.PIPE,
                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True)
            self.ready = False
        self.job, self.read = job, b""
        assert self.process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # its end is seen when it is read from
            self.process.stdin.write(job.to_json().encode() + b"\n")
            self.process.stdin.flush()

    def receive(self) -> Finished | None:
        """Read on; the row when it is complete, or how the process ended."""
        assert self.process is not None
        assert self.process.stdout is not None
        assert self.job is not None
        part = os.read(self.process.stdout.fileno(), 1 << 20)
        self.read += part
        if not self.ready and self.read.startswith(READY):
            self.ready, self.read = True, self.read[len(READY):]
        if part and not self.read.endswith(b"\n"):
            return None
        job, self.job = self.job, None
        if part:
            return job, json.loads(self.read)
        status = self.process.wait()
        self.close()
        if not self.ready:  # not the job's fault
            raise BadOption(f"the workers can't be started: '{sys.executable} -m "
                            f"zermelo.jobs.host' ends with status {status}.")
        return job, {"status": CRASH, "message": f"the worker ended with status {status}"}

    def overdue(self) -> Finished | None:
        """If the host itself hangs, in the rules of a game: kill it, and make a row."""
        if self.job is None or self.process is None or time.monotonic() < self.until:
            return None
        job, self.job = self.job, None
        self.process.kill()
        self.close()
        return job, {"status": TIMEOUT, "message": f"the worker was killed after {job.wall:g} s"}

    def close(self) -> None:
        """Close its standard input: it ends its child and itself."""
        process, self.process = self.process, None
        if process is None:
            return
        for pipe in (process.stdin, process.stdout):
            assert pipe is not None
            with contextlib.suppress(OSError):
                pipe.close()
        try:
            process.wait(GOODBYE)
        except subprocess.TimeoutExpired:  # it is compiling, and does not listen
            process.kill()
            process.wait()


class LocalProcesses:
    """``workers`` host processes on this machine."""

    def __init__(self, workers: int) -> None:
        self.hosts = [Host() for _ in range(workers)]

    def free(self) -> int:
        """Hosts without a job."""
        return sum(host.job is None for host in self.hosts)

    def submit(self, job: Job) -> None:
        """Give it to the first free host."""
        next(host for host in self.hosts if host.job is None).submit(job)

    def wait(self, seconds: float) -> list[Finished]:
        """The rows that arrive; waits at most ``seconds`` for the first."""
        finished = []
        with DefaultSelector() as selector:
            for host in self.hosts:
                if host.job is not None and host.process is not None:
                    assert host.process.stdout is not None
                    selector.register(host.process.stdout, EVENT_READ, host)
            for key, _ in selector.select(seconds):
                row = key.data.receive()
                if row is not None:
                    finished.append(row)
        late = [host.overdue() for host in self.hosts]
        return finished + [row for row in late if row is not None]

    def close(self) -> None:
        """End all hosts and their children."""
        for host in self.hosts:
            if host.process is not None and host.process.stdin is not None:
                with contextlib.suppress(OSError):
                    host.process.stdin.close()
        for host in self.hosts:
            host.close()


def backend(name: str, workers: int) -> Backend:
    """The backend called ``name``."""
    if name == "in-process":
        return InProcess()
    if name == "processes":
        if not hasattr(os, "fork"):
            raise BadOption("this system can't fork, so jobs can't have processes of their own; "
                            "use --backend in-process.")
        return LocalProcesses(workers)
    raise BadOption(f"there is no backend {name!r}; backends: {', '.join(BACKENDS)}.")
