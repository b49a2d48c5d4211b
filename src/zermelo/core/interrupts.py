"""Ctrl-C in a search that is plain Python: within the user's functions at once, elsewhere soon."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


class Interrupts:
    """Lets Ctrl-C into the calls of the user's functions; between them it is noted.

    What has been found stays whole: no change of it is ever left half made.
    """

    def __init__(self) -> None:
        self.noted = False
        self._open = False

    @contextmanager
    def held(self) -> Iterator[None]:
        """While this lasts, Ctrl-C comes through ``call`` or is noted."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = signal.getsignal(signal.SIGINT)
        if not callable(before):  # ignored, or not Python's
            yield
            return

        def interrupt(number: int, frame: Any) -> None:
            if self._open:
                raise KeyboardInterrupt
            self.noted = True

        signal.signal(signal.SIGINT, interrupt)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """``function(*arguments)``, which Ctrl-C may interrupt."""
        self._open = True
        try:
            return function(*arguments)
        finally:
            self._open = False
