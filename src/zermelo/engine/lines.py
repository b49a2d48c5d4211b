"""Lines in and lines out: a thread reads them, so that a search can be told to stop."""

from __future__ import annotations

import os
import queue
import select
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Protocol

LONGEST = 1 << 20  # bytes of a line
PART = 1 << 16


class Source(Protocol):
    """Where bytes come from: what has come so far, at most this many; nothing at the end."""

    def read(self, size: int, /) -> bytes | None:
        """The next bytes."""


class TooLong:
    """Stands for a line that was too long to be kept."""

    sentence = f"the line is longer than {LONGEST:,} bytes, and was not read."


Line = str | TooLong | None  # None: there are no more


def read_lines(source: Source, put: Callable[[Line], None]) -> None:
    """Begin to read: a thread hands over each line as it comes, and None after the last."""
    def read() -> None:
        rest, skipping = b"", False
        with suppress(OSError, ValueError):  # it was closed
            while part := source.read(PART):
                *whole, rest = (rest + part).split(b"\n")
                for line in whole:
                    put(TooLong() if skipping or len(line) > LONGEST else _text(line))
                    skipping = False
                if len(rest) > LONGEST:
                    rest, skipping = b"", True
        if rest or skipping:
            put(TooLong() if skipping else _text(rest))
        put(None)

    threading.Thread(target=read, daemon=True).start()


class Lines:
    """The lines of ``source``, in their order, as they come."""

    def __init__(self, source: Source) -> None:
        self.waiting: queue.SimpleQueue[Line] = queue.SimpleQueue()
        self.held: deque[Line] = deque()  # looked at already, and not yet taken
        self.ended = False  # no more will come
        read_lines(source, self.waiting.put)

    def next(self) -> Line:
        """The next line, as soon as there is one."""
        return self.held.popleft() if self.held else self._noted(self.waiting.get())

    def look(self) -> list[Line]:
        """The lines that have come and were not taken yet; they are still to be taken."""
        with suppress(queue.Empty):
            while True:
                self.held.append(self._noted(self.waiting.get_nowait()))
        return list(self.held)

    def drop(self, line: Line) -> None:
        """Take a line that ``look`` has shown."""
        self.held.remove(line)

    def _noted(self, line: Line) -> Line:
        self.ended |= line is None
        return line


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r")


class Output:
    """Where answers go, a line at a time and at once."""

    def __init__(self, stream: IO[str]) -> None:
        self.stream, self.gone = stream, False
        self.failure: OSError | None = None

    def say(self, *lines: str) -> None:
        """Write lines; BrokenPipeError where they reach no reader."""
        try:
            self.stream.write("".join(f"{line}\n" for line in lines))
            self.stream.flush()
        except OSError as error:
            self.gone = True
            if not isinstance(error, BrokenPipeError):
                self.failure = OSError(error.errno, error.strerror, "standard output")
            with suppress(OSError, ValueError):  # what is not written yet goes nowhere
                nowhere = os.open(os.devnull, os.O_WRONLY)
                os.dup2(nowhere, self.stream.fileno())
                os.close(nowhere)
            raise BrokenPipeError from None

    def check(self) -> None:
        """Raise the OSError by which answers were lost, unless the reader has left."""
        if self.failure is not None:
            raise self.failure

    @property
    def broken(self) -> bool:
        """Whether nobody can read any more what is written."""
        try:
            poll = select.poll()
            poll.register(self.stream.fileno(), 0)
            closed = select.POLLERR | select.POLLNVAL
            return self.gone or any(what & closed for _, what in poll.poll(0))
        except (OSError, ValueError, AttributeError):  # no pipe, or no such call
            return False
