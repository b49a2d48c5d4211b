"""A time limit on one call of plain Python: an endless loop in a rule becomes an exception.

A second thread looks at the clock, and only where a call takes long does it interrupt the thread
that makes it, so the calls themselves cost next to nothing. Under a debugger, or anything else that
traces, there is no limit: a person may be thinking, and an interrupt within a trace function would
switch it off.
"""

from __future__ import annotations

import ctypes
import os
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

PAUSE = 0.1
ROUNDS = 1_000  # of a loop, each of which lets an interrupt in
IDLE_PAUSES = 20  # then the thread ends, until there is another call


class TooLong(Exception):
    """The call did not come back in time."""


class _Call:
    """One call that is being made: where, until when, and what has become of it."""

    def __init__(self, seconds: float) -> None:
        self.thread = threading.get_ident()
        self.until = time.monotonic() + seconds
        self.late = self.sending = self.done = False


_calls: dict[int, _Call] = {}
_clock: threading.Thread | None = None


def within(seconds: float, function: Callable[..., Any], *arguments: Any) -> Any:
    """``function(*arguments)``, or TooLong if it takes longer than that many seconds."""
    global _clock
    if sys.gettrace() is not None:
        return function(*arguments)
    call = _Call(seconds)
    try:
        _calls[call.thread] = call
        if _clock is None or not _clock.is_alive():
            _clock = threading.Thread(target=_watch_the_clock, daemon=True)
            _clock.start()
        return function(*arguments)
    finally:
        # The other side sets "sending" before it looks at "done", this one the other way round: so
        # no interrupt can be sent from here on. One that was sent but has not come yet is raised in
        # this loop; to take it back instead would leave Python 3.11 waiting for it for ever.
        call.done = True
        _calls.pop(call.thread, None)
        while call.sending:
            time.sleep(0.001)
        for _ in range(ROUNDS if call.late else 0):
            pass


def _watch_the_clock() -> None:
    idle = 0
    while idle < IDLE_PAUSES:
        time.sleep(PAUSE)
        idle = 0 if _calls else idle + 1
        for call in list(_calls.values()):
            if not call.late and time.monotonic() > call.until:
                call.late = call.sending = True
                if not call.done:
                    _interrupt(call.thread)
                call.sending = False


def _interrupt(thread: int) -> None:
    """Raise TooLong in a thread as soon as it runs Python."""
    raising = ctypes.pythonapi.PyThreadState_SetAsyncExc
    raising(ctypes.c_ulong(thread), ctypes.py_object(TooLong))


def _after_fork() -> None:
    global _clock
    _clock = None  # threads stay behind
    _calls.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
