"""A time limit on one call of plain Python: an endless loop in a rule becomes an exception.

A second thread looks at the clock, and only where a call takes long does it interrupt the thread
that makes it. The calls themselves cost next to nothing, and debuggers and coverage go on working,
which they would not beside a trace function.
"""

from __future__ import annotations

import ctypes
import os
import threading
import time
from collections.abc import Callable
from typing import Any

PAUSE = 0.1
IDLE_PAUSES = 20  # then the thread ends, until there is another call


class TooLong(Exception):
    """The call did not come back in time."""


class _Call:
    """One call that is being made: where, until when, and what has become of it."""

    def __init__(self, seconds: float) -> None:
        self.thread = threading.get_ident()
        self.until = time.monotonic() + seconds
        self.late = self.done = False
        self.interrupted = threading.Event()


_calls: dict[int, _Call] = {}
_clock: threading.Thread | None = None


def within(seconds: float, function: Callable[..., Any], *arguments: Any) -> Any:
    """``function(*arguments)``, or TooLong if it takes longer than so many seconds."""
    global _clock
    call = _Call(seconds)
    try:
        _calls[call.thread] = call
        if _clock is None or not _clock.is_alive():
            _clock = threading.Thread(target=_watch_the_clock, daemon=True)
            _clock.start()
        return function(*arguments)
    finally:
        # The other side says "late" before it looks at "done", this one the other way round: so
        # an interrupt that is not meant for this call can't be on its way when this returns.
        call.done = True
        _calls.pop(call.thread, None)
        if call.late:
            call.interrupted.wait()
            _interrupt(call.thread, None)


def _watch_the_clock() -> None:
    idle = 0
    while idle < IDLE_PAUSES:
        time.sleep(PAUSE)
        idle = 0 if _calls else idle + 1
        for call in list(_calls.values()):
            if not call.late and time.monotonic() > call.until:
                call.late = True
                if not call.done:
                    _interrupt(call.thread, TooLong)
                call.interrupted.set()


def _interrupt(thread: int, error: type[Exception] | None) -> None:
    """Raise ``error`` in a thread as soon as it runs Python, or take back what was to be raised."""
    what = None if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), what)


def _after_fork() -> None:
    global _clock
    _clock = None  # threads stay behind
    _calls.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
