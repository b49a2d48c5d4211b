"""What ties processes together. Apart from the rest: saying so loads nothing."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import sys

PR_SET_PDEATHSIG = 1


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
