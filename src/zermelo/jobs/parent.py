"""What ties a process to the one that started it. Apart from the rest: saying so loads nothing."""

from __future__ import annotations

import ctypes
import signal
import sys

PR_SET_PDEATHSIG = 1


def die_with_parent() -> None:
    """On Linux a child can ask to be killed when its parent is; elsewhere its alarm ends it."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
