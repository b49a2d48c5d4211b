"""Answers to other programs, by a protocol: the protocols by name, and lines in and out.

A thread reads the lines, so that a search can be stopped. A protocol is loaded when it is used.
"""

from __future__ import annotations

import os
import queue
import select
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import IO, TYPE_CHECKING, Protocol

from zermelo.errors import BadOption, did_you_mean, quoted
from zermelo.games.registry import game_class

if TYPE_CHECKING:
    from zermelo.engine.loop import ProtocolEngine


LONGEST = 1 << 20  # bytes of a line
PART = 1 << 16


class Source(Protocol):
    """A source of bytes: those that have come so far, at most this many; nothing at the end."""

    def read(self, size: int, /) -> bytes | None:
        """Return the next bytes."""


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


class InputLines:
    """The lines of ``source``, in their order, as they come."""

    def __init__(self, source: Source) -> None:
        self.waiting: queue.SimpleQueue[Line] = queue.SimpleQueue()
        self.held: deque[Line] = deque()  # looked at already, and not yet taken
        self.ended = False  # no more will come
        read_lines(source, self.waiting.put)

    def next(self) -> Line:
        """Return the next line, once there is one."""
        return self.held.popleft() if self.held else self._noted(self.waiting.get())

    def look(self) -> list[Line]:
        """Return the lines that have come and were not taken yet; they stay to be taken."""
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


class OutputLines:
    """A stream for answers, a line at a time and at once."""

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
        """True if no reader is left."""
        try:
            poll = select.poll()
            poll.register(self.stream.fileno(), 0)
            closed = select.POLLERR | select.POLLNVAL
            return self.gone or any(what & closed for _, what in poll.poll(0))
        except (OSError, ValueError, AttributeError):  # no pipe, or no such call
            return False


JSONL = "jsonl"
# Where the class is; the only game it is for; parameters that the protocol asks for.
ENGINES: dict[str, tuple[str, str | None, dict[str, str]]] = {
    "ugi": ("uci:Ugi", None, {}),
    "uci": ("uci:Uci", "xiangqi", {"dialect": "uci"}),
    "ucci": ("uci:Ucci", "xiangqi", {"dialect": "ucci"}),
    "htp": ("htp:Htp", "hex", {}),
    "nboard": ("nboard:NBoard", "othello", {}),
}
NAMES = (JSONL, *ENGINES)


def check_protocol(name: str) -> str:
    """Return ``name`` if it is that of a protocol."""
    if name not in NAMES:
        raise BadOption(f"--protocol {quoted(name)}{did_you_mean(name, NAMES)} is not one of "
                        f"{', '.join(NAMES)}.")
    return name


def engine_class(name: str) -> type[ProtocolEngine]:
    """Return the engine that speaks a protocol other than jsonl."""
    module, _, attribute = ENGINES[name][0].partition(":")
    found: type[ProtocolEngine] = getattr(import_module(f"zermelo.engine.{module}"), attribute)
    return found


def game_of(name: str, given: str | None) -> str:
    """Return the game that the protocol is for, or the one that was named."""
    only = ENGINES[name][1]
    if only is None and given is None:
        raise BadOption(f"--protocol {name} is for any game: name one, such as 'zermelo engine "
                        f"connect-four --protocol {name}'.")
    if only is not None and given is not None and game_class(given).name != only:
        raise BadOption(f"--protocol {name} is for {only}, not for {quoted(given)}; ugi and jsonl "
                        "are for any game.")
    return given or str(only)
