"""How processes are started and tied together. Apart from the rest: saying so loads nothing.

A process of ours imports nothing from the directory in which the user works, where a file called
``json.py`` may lie: Python puts it first on ``sys.path`` with ``-m`` and ``-c``, and an empty entry
of PYTHONPATH names it, too.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path(__file__).parents[2]  # the directory from which ``zermelo`` is imported
HOOKS = ("PYTHONSTARTUP", "PYTHONINSPECT")  # code that Python runs beside the program
PR_SET_PDEATHSIG = 1


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


def die_with_parent() -> None:
    """On Linux a child can ask to be killed when its parent is; elsewhere its alarm ends it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def own_group(process: int) -> None:
    """Let a child be the first of a process group, so that what it starts can be killed with it;
    parent and child both say so, whoever comes first."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.setpgid(process, process)


def kill_group(leader: int) -> None:
    """Kill a process and all that it started."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
