"""Standard streams: what happens where one fails or is missing, and streams for protocols."""

from __future__ import annotations

import errno
import io
import os
import sys
import threading
from typing import IO, Any

RAY_THREADS = "ray_"


class OutputLost(Exception):
    """Standard output can't be written to. It is not an OSError: Click handles those itself."""

    def __init__(self, error: OSError) -> None:
        why = "it is closed" if error.errno == errno.EBADF else error.strerror
        super().__init__(f"can't write to standard output: {why}.")
        self.error = error


class Stream(io.TextIOWrapper):
    """Standard output or error; what is written after a failure is dropped. ``needed``: a failure
    ends the command."""

    needed = True

    def write(self, text: str) -> int:
        """Write a text. Threads of Ray say what becomes of nodes, which comes as errors too, and
        have no option against it: standard output is for answers."""
        if threading.current_thread().name.startswith(RAY_THREADS):
            return len(text)
        try:
            return super().write(text)
        except OSError as error:
            self._drop(error)
        return len(text)

    def flush(self) -> None:
        """Flush what was written."""
        try:
            super().flush()
        except OSError as error:
            self._drop(error)

    def _drop(self, error: OSError) -> None:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, self.fileno())
        os.close(nowhere)
        if self.needed:
            raise OutputLost(error) from None


def prepare_streams() -> None:
    """Let standard output fail with OutputLost, and standard error without a word.

    The number of a missing stream would be that of the next file that is opened, and so the null
    device takes it: for reading only where answers are to be written.
    """
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, mode)  # the lowest free number
    sys.stdout, sys.stderr = _stream(sys.stdout, 1), _stream(sys.stderr, 2)


def _stream(given: Any, number: int) -> Any:
    if given is not None and type(given) is not io.TextIOWrapper:
        return given  # a program that calls ``main`` has put it there
    raw = open(number, "wb", closefd=False) if given is None else given.detach()  # noqa: SIM115
    stream = Stream(
        raw, "utf-8" if given is None else given.encoding,
        errors="backslashreplace",  # what an encoding lacks is no failure
        line_buffering=number == 2 or raw.isatty(),
        write_through=given is not None and given.write_through)
    stream.needed = number == 1
    return stream


def source() -> Any:
    """Standard input without a buffer: what has come is read at once."""
    try:
        return open(os.dup(sys.stdin.fileno()), "rb", buffering=0)
    except (OSError, ValueError, io.UnsupportedOperation):
        return sys.stdin.buffer


def private_output() -> IO[str]:
    """Standard output for the protocol alone: what a game prints goes to standard error."""
    try:
        descriptor = sys.stdout.fileno()
        ours = open(os.dup(descriptor), "w", encoding="utf-8", newline="\n")  # noqa: SIM115
        os.dup2(sys.stderr.fileno(), descriptor)
        return ours
    except (OSError, ValueError, io.UnsupportedOperation):
        return sys.stdout
