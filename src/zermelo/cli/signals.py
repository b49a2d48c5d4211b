"""What a signal does to a command."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def terminable() -> Iterator[None]:
    """SIGTERM is treated like Ctrl-C: finished results are kept."""
    def interrupt(number: int, frame: Any) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@contextmanager
def stopping(stop: Callable[[], None]) -> Iterator[None]:
    """The first Ctrl-C or SIGTERM calls ``stop``, so that a search comes to rest and can be saved
    as it is; the second one interrupts."""
    asked = False

    def interrupt(number: int, frame: Any) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        stop()

    numbers = (signal.SIGINT, signal.SIGTERM)
    before = [signal.signal(number, interrupt) for number in numbers]
    try:
        yield
    finally:
        for number, handler in zip(numbers, before, strict=True):
            signal.signal(number, handler)
