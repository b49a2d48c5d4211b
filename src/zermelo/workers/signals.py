"""Signals: handlers set for a while, and Ctrl-C in searches that are plain Python."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

Handler = Callable[[int, Any], Any]
Handlers = dict[int, Handler]  # by number of the signal


def take_over(handler: Handler, numbers: tuple[int, ...], before: Handlers) -> None:
    """Set ``handler`` for signals, and put the handlers of ``before`` that into a dictionary.

    Signals that are ignored, or that Python does not handle, stay as they are.
    """
    for number in numbers:
        usual = signal.getsignal(number)
        if callable(usual):
            before[number] = usual
            signal.signal(number, handler)


def give_back(before: Handlers) -> None:
    """Set the handlers again that ``take_over`` has replaced."""
    for number, handler in before.items():
        signal.signal(number, handler)


@contextmanager
def handling(handler: Handler, *numbers: int) -> Iterator[Handlers]:
    """Set ``handler`` for signals during a block of the main thread; yield what was set before."""
    before: Handlers = {}
    try:
        if threading.current_thread() is threading.main_thread():
            take_over(handler, numbers, before)
        yield before
    finally:
        give_back(before)


@contextmanager
def interrupts_deferred() -> Iterator[None]:
    """Deliver a Ctrl-C that comes during a block after the block."""
    noted: list[tuple[int, Any]] = []
    with handling(lambda *which: noted.append(which), signal.SIGINT) as before:
        yield
    if noted:
        before[signal.SIGINT](*noted[0])


@contextmanager
def unchanged(number: int) -> Iterator[None]:
    """Undo at its end what a block of the main thread, another library's, does to a signal."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(number)
    try:
        yield
    finally:
        if before is not None:  # None: a handler that is not Python's
            signal.signal(number, before)


def ignore(*numbers: int) -> None:
    """Ignore signals in this process from now on."""
    for number in numbers:
        signal.signal(number, signal.SIG_IGN)


def reset(*numbers: int) -> None:
    """Let signals have their usual effect in this process from now on."""
    for number in numbers:
        signal.signal(number, signal.SIG_DFL)


class Interrupts:
    """Ctrl-C in a search that is plain Python: it interrupts calls of the user's functions, and is
    noted between them, so that no change of the search's results is left half made."""

    def __init__(self) -> None:
        self.noted = False
        self._open = False

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let Ctrl-C interrupt what is called through ``call``, and note it elsewhere."""
        with handling(self._interrupt, signal.SIGINT):
            yield

    def _interrupt(self, number: int, frame: Any) -> None:
        if self._open:
            raise KeyboardInterrupt
        self.noted = True

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return ``function(*arguments)``, which Ctrl-C may interrupt."""
        self._open = True
        try:
            return function(*arguments)
        finally:
            self._open = False
