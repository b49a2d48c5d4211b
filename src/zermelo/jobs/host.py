"""The process that runs jobs: it loads kernels once and makes a child of its own for every job.

``python -m zermelo.jobs.host`` reads jobs and writes a row for each, both as JSON. A child begins
with everything its parent has loaded, has a limit on its memory and an alarm clock, and is killed
when its time is up, with all that it has started. Nothing that it does, be it a crash, reaches the
parent or other jobs. When standard input closes, because the run has ended or was killed, so do
host and child; a job that is cancelled ends its host as well.
"""

from __future__ import annotations

import contextlib
import json
import os
import resource
import select
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import IO, Any, NoReturn

from zermelo.compiler.start import load_numba_alone
from zermelo.errors import one_line
from zermelo.jobs.job import Job
from zermelo.jobs.work import CRASH, MEMORY, SPARE_BYTES, TIMEOUT, perform, warm
from zermelo.workers.frames import LARGEST, READY, answers_only, parsed, read_frame, send
from zermelo.workers.processes import die_with_parent, kill_group, own_group

ALARM_GRACE = 10
SHOWN_OUTPUT = 2_000


def main() -> None:
    """Serve jobs until there are no more."""
    load_numba_alone()
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # else ignored, where the run is in the background
    answers = answers_only()
    send(answers, READY)
    with open(0, "rb", buffering=0) as orders:  # what is not read yet can be waited for
        while order := read_frame(orders):
            row = run_job(Job.from_json(order.decode()), orders.fileno())
            send(answers, json.dumps(row).encode())


def run_job(job: Job, orders: int) -> dict[str, Any]:
    """Run one job in a child; ``orders`` is the descriptor whose closing ends both."""
    # What does not compile here will not compile in the child either, and is told there.
    with contextlib.suppress(Exception), limited_memory(job.memory + SPARE_BYTES):
        warm(job)
    reader, writer = os.pipe()
    with tempfile.TemporaryFile() as output:
        began = time.perf_counter()
        child = os.fork()
        if child == 0:
            _be_a_child(job, reader, writer, output)
        own_group(child)
        os.close(writer)
        sent, in_time = _receive(reader, orders, began + job.wall, child)
        if not in_time:
            kill_group(child)
        _end_group(child)
        _, state, usage = os.wait4(child, 0)
        row = _judge(sent, in_time, state, job, output)
    row["wall_seconds"] = time.perf_counter() - began
    row["cpu_seconds"] = usage.ru_utime + usage.ru_stime
    row["peak_rss"] = usage.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return row


def _be_a_child(job: Job, reader: int, writer: int, output: IO[bytes]) -> NoReturn:
    """Run the job, send its row and leave, without anything that the parent has registered."""
    status = 1
    try:
        own_group(0)
        os.close(reader)
        null = os.open(os.devnull, os.O_RDONLY)
        os.dup2(null, 0)
        os.dup2(output.fileno(), 1)
        os.dup2(output.fileno(), 2)
        die_with_parent()
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(int(job.wall) + ALARM_GRACE)
        limit_memory(job.memory + SPARE_BYTES)
        sent = json.dumps(perform(job)).encode()
        while sent:
            sent = sent[os.write(writer, sent):]
        status = 0
    except MemoryError:
        status = 2
    finally:
        os._exit(status)


def data_of_process() -> int:
    """How much data this process has, as RLIMIT_DATA counts."""
    with contextlib.suppress(OSError), open("/proc/self/status") as file:
        for line in file:
            if line.startswith("VmData:"):
                return int(line.split()[1]) * 1024
    return 0


def limit_memory(more: int) -> None:
    """From now on this process may have at most ``more`` bytes of data than it has already."""
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    wanted = data_of_process() + more
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, wanted))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


@contextlib.contextmanager
def limited_memory(more: int) -> Iterator[None]:
    """Limit this process for a while to ``more`` bytes of data than it has, or to its own limit."""
    soft, hard = resource.getrlimit(resource.RLIMIT_DATA)
    known = [limit for limit in (soft, hard) if limit != resource.RLIM_INFINITY]
    resource.setrlimit(resource.RLIMIT_DATA, (min(data_of_process() + more, *known), hard)
                       if known else (data_of_process() + more, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_DATA, (soft, hard))


def _receive(reader: int, orders: int, until: float, child: int) -> tuple[bytes, bool]:
    """What the child sends, and whether it was done in time; no more orders end the process. A
    child that sends too much is killed, and what it sent is dropped."""
    parts: list[bytes] = []
    size = 0
    try:
        while (left := until - time.perf_counter()) > 0:
            ready, _, _ = select.select([reader, orders], [], [], left)
            if orders in ready:  # the next job comes after this one: closed, or cancelled
                kill_group(child)
                os.waitpid(child, 0)
                os._exit(0)
            if reader in ready:
                part = os.read(reader, 1 << 16)
                if not part:
                    return b"".join(parts), True
                size += len(part)
                if size > LARGEST:
                    kill_group(child)
                    return b"", True
                parts.append(part)
        return b"".join(parts), False
    finally:
        os.close(reader)


def _end_group(child: int) -> None:
    """When the child has ended, kill what it has started. Until it is taken away its number is
    nobody else's; where the system can't wait without taking it away, nothing is done."""
    if sys.platform == "linux":
        os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
        kill_group(child)


def _judge(sent: bytes, in_time: bool, state: int, job: Job, output: IO[bytes]) -> dict[str, Any]:
    """The row the child sent, or why there is none."""
    if not in_time:
        return {"status": TIMEOUT, "message": f"killed after {job.wall:g} s"}
    if os.WIFEXITED(state) and os.WEXITSTATUS(state) == 2:
        return {"status": MEMORY, "message": "out of memory"}
    try:
        return parsed(sent)
    except ValueError:
        output.seek(0, os.SEEK_END)
        output.seek(max(0, output.tell() - SHOWN_OUTPUT))
        said = one_line(output.read().decode("utf-8", "replace"))
        how = (f"signal {os.WTERMSIG(state)}" if os.WIFSIGNALED(state)
               else f"exit status {os.WEXITSTATUS(state)}")
        return {"status": CRASH, "message": f"{how}{': ' if said else ''}{said}"}


if __name__ == "__main__":
    main()
