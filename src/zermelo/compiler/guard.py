"""Kernels that call back into Python: what is raised there, and signals that come meanwhile.

Compiled code can't pass on an exception. What a function raises is put aside, every further call of
that kernel is answered by FAILED at once, and the exception is raised when the kernel comes back.
So that a kernel is not torn apart by Ctrl-C, signals wait until it comes back, too; unless the
function has been at work for long, or there is a second one: then it is interrupted where it is.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from time import perf_counter
from typing import Any

from zermelo.workers.signals import Handlers, give_back, take_over

FAILED = -1
PATIENCE = 1.0  # seconds that a function may have been at work when Ctrl-C comes
SIGNALS = (signal.SIGINT, signal.SIGTERM)
Function = Callable[[int, int, int], int]

functions: dict[int, Function] = {}  # that compiled code can call now, by address
_raised: dict[int, BaseException] = {}  # by thread


class Shield:
    """Signals that come while a kernel runs in the main thread: they wait."""

    def __init__(self) -> None:
        self.since = 0.0  # when the function that is at work was called; 0 while there is none
        self.waiting: list[int] = []
        self.handlers: Handlers = {}

    def up(self) -> None:
        """Take over the signals."""
        take_over(self.take, SIGNALS, self.handlers)

    def take(self, number: int, frame: Any) -> None:
        """A signal: now, if the function that is at work takes long, or later."""
        late = self.since > 0 and perf_counter() - self.since > PATIENCE
        if late or (self.waiting and self.since > 0):
            self.waiting.clear()
            self.handlers[number](number, frame)
        else:
            self.waiting.append(number)

    def down(self, deliver: bool) -> None:
        """Give the signals back; those that came meanwhile have their effect now."""
        handlers, waiting = self.handlers, self.waiting
        give_back(handlers)
        self.handlers, self.waiting = {}, []
        for number in waiting if deliver else ():
            handlers[number](number, None)


shield = Shield()


def answering(function: Function) -> Function:
    """``function`` as compiled code calls it: it raises nothing."""
    def answer(what: int, number: int, argument: int) -> int:
        before = shield.since
        try:
            if _raised and threading.get_ident() in _raised:
                return FAILED
            shield.since = perf_counter()
            return function(what, number, argument)
        except BaseException as error:
            error.from_callback = True  # type: ignore[attr-defined]
            _raised[threading.get_ident()] = error
            return FAILED
        finally:
            shield.since = before

    return answer


def guarded(kernel: Callable[..., Any], *arguments: Any) -> Any:
    """Call ``kernel``, which may call functions; raise what one of them has raised."""
    if not functions:
        return kernel(*arguments)
    main = threading.current_thread() is threading.main_thread()
    shielded = main and not shield.handlers
    try:
        if shielded:
            shield.up()
        result = kernel(*arguments)
    finally:
        raised = _raised.pop(threading.get_ident(), None)
        if shielded:
            shield.down(deliver=raised is None)
    if raised is not None:
        raise raised
    return result


def from_callback(error: BaseException) -> bool:
    """Whether ``error`` was raised by a function that compiled code called, so that the kernel has
    not come back by itself."""
    return getattr(error, "from_callback", False)
