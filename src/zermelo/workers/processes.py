"""Processes of ours: a safe environment, start, end with the parent, end of the whole group.

A process of ours imports nothing from the directory in which the user works, where a file called
``json.py`` may lie: Python puts it first on ``sys.path`` with ``-m`` and ``-c``, and an empty entry
of PYTHONPATH names it, too.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from zermelo.workers.signals import reset

PACKAGE = Path(__file__).parents[2]  # the directory from which ``zermelo`` is imported
HOOKS = ("PYTHONSTARTUP", "PYTHONINSPECT")  # code that Python runs beside the program
PR_SET_PDEATHSIG = 1
FAILED, OUT_OF_MEMORY = 1, 2  # exit statuses of a forked process
Started = subprocess.Popen[bytes]


def safe_environment() -> dict[str, str]:
    """Return the environment for a Python process: the working directory and hooks are left out,
    and so are entries of PYTHONPATH that depend on it. If Zermelo is imported by such an entry, it
    is passed on as an absolute path."""
    environment = {name: value for name, value in os.environ.items() if name not in HOOKS}
    environment["PYTHONSAFEPATH"] = "1"  # as -P, and for the processes that it starts
    if "PYTHONPATH" in environment:
        given = environment["PYTHONPATH"].split(os.pathsep)
        environment["PYTHONPATH"] = os.pathsep.join(
            kept for entry in given if (kept := _kept(entry)))
    return environment


def _kept(entry: str) -> str:
    """Return what is passed on of an entry of PYTHONPATH; nothing if it is left out."""
    if os.path.isabs(entry):
        return entry
    with contextlib.suppress(OSError):  # the working directory is gone
        place = os.path.realpath(entry)  # of an empty one: the working directory
        return place if place == os.path.realpath(PACKAGE) else ""
    return ""


@contextlib.contextmanager
def starting_safely() -> Iterator[None]:
    """Give ``safe_environment`` to the processes that another library starts."""
    before = dict(os.environ)
    safe = safe_environment()
    try:
        os.environ.update(safe)
        for name in HOOKS:
            os.environ.pop(name, None)
        yield
    finally:
        for name in (*HOOKS, "PYTHONPATH", "PYTHONSAFEPATH"):
            os.environ.pop(name, None)
            if name in before:
                os.environ[name] = before[name]


def can_fork() -> bool:
    """Return True if processes can be copies of this one."""
    return hasattr(os, "fork")


def cores() -> int:
    """Return the number of cores that this process may use."""
    if sys.platform == "linux":
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def start(command: tuple[str, ...], **streams: Any) -> Started:
    """Start a program in a session of its own, which Ctrl-C at a terminal does not reach."""
    return subprocess.Popen(list(command), start_new_session=True, env=safe_environment(),
                            **streams)


def fork(work: Callable[[], None], output: int = 2) -> int:
    """Do ``work`` in a copy of this process; return its number.

    The copy has a process group of its own, no input, and prints to the descriptor ``output``. It
    ends with its parent, and runs nothing that the parent has registered for its own end.
    """
    child = os.fork()
    if child == 0:
        _work_and_leave(work, output)
    _own_group(child)
    return child


def _work_and_leave(work: Callable[[], None], output: int) -> NoReturn:
    status = FAILED
    try:
        _own_group(0)
        die_with_parent()
        signal.set_wakeup_fd(-1)
        reset(signal.SIGCHLD, signal.SIGTERM)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        os.dup2(output, 1)
        os.dup2(output, 2)
        work()
        status = 0
    except MemoryError:
        status = OUT_OF_MEMORY
    finally:
        os._exit(status)


class Forked:
    """A copy of this process that does ``work`` with two descriptors, one for what comes in and one
    for what goes out; used as ``Started`` is."""

    def __init__(self, work: Callable[[int, int], None]) -> None:
        orders, ours = os.pipe()
        answers, theirs = os.pipe()
        self.stdin, self.stdout = os.fdopen(ours, "wb"), os.fdopen(answers, "rb", 0)

        def begin() -> None:
            os.close(ours)
            os.close(answers)
            work(orders, theirs)

        self.pid = fork(begin)
        self.returncode: int | None = None
        os.close(orders)
        os.close(theirs)

    def wait(self, timeout: float | None = None) -> int:
        """Return the status with which it ends; its output has closed, so it does at once."""
        if self.returncode is None:
            self.returncode = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        return self.returncode


def die_with_parent() -> None:
    """Have this process killed when its parent ends; on Linux only."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def _own_group(process: int) -> None:
    """Make a child the first of a process group, so that what it starts can be killed with it;
    parent and child both do, since either may run first."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.setpgid(process, process)


def kill_group(leader: int) -> None:
    """Kill a process and all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)


def end(process: Started, seconds: float) -> None:
    """Wait for the end of a process that was asked to end, and kill it after ``seconds``."""
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def how_it_ended(status: int) -> str:
    """Return in words how a forked process ended, by its exit status or minus its signal."""
    if status == OUT_OF_MEMORY:
        return "the process ran out of memory."
    if status < 0:
        name = signal.Signals(-status).name
        perhaps = "; perhaps the machine ran out of memory" if name == "SIGKILL" else ""
        return f"the process was killed ({name}{perhaps})."
    return f"the process ended (exit status {status})."
