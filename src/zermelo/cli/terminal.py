"""Standard streams, signals, lines of progress, and files written beside an answer."""

from __future__ import annotations

import errno
import io
import os
import shutil
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import IO, Any

from zermelo.errors import BadOption, file_name

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
        """Write a text. Threads of Ray print what becomes of nodes, errors included, and have no
        option against it: standard output is for answers."""
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
    """Return standard input without a buffer: what has come is read at once."""
    try:
        return open(os.dup(sys.stdin.fileno()), "rb", buffering=0)
    except (OSError, ValueError, io.UnsupportedOperation):
        return sys.stdin.buffer


def private_output() -> IO[str]:
    """Return standard output for a protocol alone: what a game prints goes to standard error."""
    try:
        descriptor = sys.stdout.fileno()
        ours = open(os.dup(descriptor), "w", encoding="utf-8", newline="\n")  # noqa: SIM115
        os.dup2(sys.stderr.fileno(), descriptor)
        return ours
    except (OSError, ValueError, io.UnsupportedOperation):
        return sys.stdout


def terminable() -> AbstractContextManager[None]:
    """Treat SIGTERM like Ctrl-C: finished results are kept."""
    return _handling(signal.default_int_handler, signal.SIGTERM)


def stopping(stop: Callable[[], None]) -> AbstractContextManager[None]:
    """Call ``stop`` at the first Ctrl-C or SIGTERM, so that a search comes to rest and can be saved
    as it is; the second one interrupts."""
    asked = False

    def interrupt(number: int, frame: Any) -> None:
        nonlocal asked
        if asked:
            raise KeyboardInterrupt
        asked = True
        stop()

    return _handling(interrupt, signal.SIGINT, signal.SIGTERM)


@contextmanager
def _handling(handler: Callable[[int, Any], Any], *numbers: signal.Signals) -> Iterator[None]:
    before = [signal.signal(number, handler) for number in numbers]
    try:
        yield
    finally:
        for number, old in zip(numbers, before, strict=True):
            signal.signal(number, old)


ON_TERMINAL, IN_LOG = 0.3, 10.0  # seconds between two lines
LOG_WIDTH = 100
TICK = 0.5  # seconds


def shortened(text: str, width: int) -> str:
    """Return ``text``, or its beginning where it does not fit."""
    return text if len(text) <= width else f"{text[: max(width - 4, 0)]} ..."


class LiveLine:
    """A line of progress on standard error: rewritten on a terminal, where ``opening`` is shown at
    once; every ten seconds a new one in a log."""

    def __init__(self, quiet: bool, opening: str = "") -> None:
        self.quiet, self.terminal, self.width = quiet, sys.stderr.isatty(), 0
        # In a log the time begins with the first call, when all is compiled.
        self.next = time.monotonic() + ON_TERMINAL if self.terminal else None
        if opening and self.terminal and not quiet:
            self._rewrite(opening)

    def is_time(self) -> bool:
        """Return True if a line is due; if not, it need not be put together."""
        if self.next is None:
            self.next = time.monotonic() + IN_LOG
        return not self.quiet and time.monotonic() >= self.next

    def line(self, text: str) -> None:
        """Show a line, if it is time."""
        if not self.is_time():
            return
        if self.terminal:
            self._rewrite(shortened(text, shutil.get_terminal_size().columns - 1))
        else:
            print(shortened(text, LOG_WIDTH), file=sys.stderr, flush=True)
        self.next = time.monotonic() + (ON_TERMINAL if self.terminal else IN_LOG)

    def parts(self, parts: Sequence[str]) -> None:
        """Show as many of ``parts`` as fit; the first ones matter most."""
        room = (shutil.get_terminal_size().columns - 1) if self.terminal else LOG_WIDTH
        shown, *others = parts
        for part in others:
            if len(shown) + 2 + len(part) > room:
                break
            shown = f"{shown}, {part}"
        self.line(shown)

    def _rewrite(self, text: str) -> None:
        print(f"\r{text.ljust(self.width)}", end="", file=sys.stderr, flush=True)
        self.width = len(text)

    def close(self) -> None:
        """Wipe the line."""
        if self.width:
            print(f"\r{' ' * self.width}\r", end="", file=sys.stderr, flush=True)
            self.width = 0


class Ticker:
    """Reports every half second how long something has taken that can't report progress itself."""

    def __init__(self, live: LiveLine, what: str) -> None:
        self.live, self.what, self.began = live, what, time.monotonic()
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._tick, daemon=True)
        self.thread.start()

    def _tick(self) -> None:
        while not self.over.wait(TICK):
            self.live.line(f"{self.what} ... {time.monotonic() - self.began:.0f} s")

    def stop(self) -> None:
        """Stop reporting."""
        self.over.set()
        self.thread.join()


def check_file(path: str | None) -> None:
    """Refuse now a file that could not be written after a long search."""
    from zermelo.storage.whole_files import try_out

    if path is None:
        return
    try:
        try_out(path)
    except OSError as error:
        raise _cannot_write(path, error) from None


def write_file(path: str, content: str | bytes, rest: str = "") -> None:
    """Write the whole file; where that fails it is as it was, and ``rest`` ends the sentence."""
    from zermelo.storage.whole_files import write_whole

    try:
        write_whole(path, content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise _cannot_write(path, error, rest) from None


def _cannot_write(path: str, error: OSError, rest: str = "") -> BadOption:
    return BadOption(f"can't write the file {file_name(path)}: {error.strerror}{rest}.")
