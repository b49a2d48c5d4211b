"""Messages between processes, over pipes: a number of eight bytes, the length, then as many bytes.

The first that a process sends says that it is ready, or why it can't begin.

The process of a worker (``serve``) reads orders from standard input, and writes answers. The first
message is the setup of the worker; an empty one asks it to end its current order soon. When
standard input closes, because its master has ended or was killed, the process ends at once.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import threading
from collections.abc import Callable
from typing import IO, Any, BinaryIO, Protocol

from zermelo.errors import BadOption, ZermeloError, counted, one_line
from zermelo.workers.processes import die_with_parent
from zermelo.workers.signals import ignore

LENGTH = 8
LARGEST = 1 << 28  # bytes of a message
READY = json.dumps({"ready": True}).encode()
CANCEL = b""  # what is sent to a worker whose answer is not wanted any more


Cancelled = Callable[[], bool]


def never() -> bool:
    """Return False: nobody cancels."""
    return False


class Answering(Protocol):
    """A worker, wherever it runs: it is given orders and answers them."""

    def answer(self, order: bytes, cancelled: Cancelled = never) -> bytes:
        """Return the answer to an order, early if it is ``cancelled``."""


class BadMessage(ValueError):
    """A message that is too long, or not an object of JSON."""


def parsed(data: bytes) -> dict[str, Any]:
    """Return the object of JSON in a message; BadMessage for anything else."""
    try:
        message = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadMessage(f"a message that can't be read: {one_line(error)}") from None
    if not isinstance(message, dict):
        raise BadMessage("a message that is not an object of JSON")
    return message


def frame(data: bytes) -> bytes:
    """Return ``data`` as it is sent."""
    return len(data).to_bytes(LENGTH, "big") + data


def send(stream: IO[bytes], data: bytes) -> None:
    """Send a message."""
    stream.write(frame(data))
    stream.flush()


def read_frame(stream: IO[bytes]) -> bytes | None:
    """Return the next message; None when the stream has closed, or what follows can't be a
    message."""
    head = _read(stream, LENGTH)
    size = int.from_bytes(head, "big")
    if len(head) < LENGTH or size > LARGEST:
        return None
    data = _read(stream, size)
    return data if len(data) == size else None


def _read(stream: IO[bytes], size: int) -> bytes:
    """Return ``size`` bytes, in as many parts as they come; fewer when the stream has closed."""
    data = b""
    while len(data) < size and (part := stream.read(size - len(data))):
        data += part
    return data


def plain(value: Any) -> Any:
    """Return ``value`` as JSON: infinite numbers as texts."""
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [plain(one) for one in value]
    if isinstance(value, float):
        if value != value:
            return None
        return value if abs(value) != float("inf") else "inf" if value > 0 else "-inf"
    return value.item() if hasattr(value, "item") else value


class Frames:
    """Puts messages together from the parts that arrive."""

    def __init__(self) -> None:
        self.rest = bytearray()

    def add(self, part: bytes) -> list[bytes]:
        """Return the messages that are complete by now; BadMessage once one would be too long."""
        self.rest += part
        found = []
        while len(self.rest) >= LENGTH:
            size = int.from_bytes(self.rest[:LENGTH], "big")
            if size > LARGEST:
                raise BadMessage(f"a message of {counted(size, 'byte')}; {LARGEST:,} are the most")
            end = LENGTH + size
            if len(self.rest) < end:
                break
            found.append(bytes(self.rest[LENGTH:end]))
            del self.rest[:end]
        return found


def refusal(error: object) -> bytes:
    """Return the first message of a process that can't begin."""
    return json.dumps({"refused": one_line(error)}).encode()


def is_ready(first: bytes) -> bool:
    """Return True if the first message of a process is that it is ready; BadOption if it is that it
    can't begin."""
    try:
        message = parsed(first)
    except BadMessage:
        return False
    if "refused" in message:
        raise BadOption(f"a worker can't begin: {message['refused']}.")
    return "ready" in message


def answers_only() -> BinaryIO:
    """Return standard output for answers alone: what a game prints must not get between them."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    return answers


class Inbox:
    """Reads orders in a thread, so that one can be cancelled while it is done."""

    def __init__(self, stream: BinaryIO) -> None:
        self.stream, self.stop = stream, threading.Event()
        self.waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while (order := read_frame(self.stream)) is not None:
            if order == CANCEL:
                self.stop.set()
            else:
                self.stop.clear()
                self.waiting.put(order)
        os._exit(0)

    def next(self) -> bytes:
        """Wait for the next order."""
        return self.waiting.get()


def serve(make: Callable[[bytes], Answering], orders: int = 0, answers: int | None = None) -> None:
    """Be the worker that ``make`` makes of the first message, until there are no more orders; they
    and the answers go over descriptors, by default standard input and output."""
    die_with_parent()
    ignore(signal.SIGINT)  # Ctrl-C is for the process that gives the orders
    out = answers_only() if answers is None else os.fdopen(answers, "wb")
    inbox = Inbox(os.fdopen(orders, "rb"))
    try:
        worker = make(inbox.next())
    except ZermeloError as error:  # the master reports it to its user
        send(out, refusal(error))
        os._exit(1)  # the inbox can't be closed while it is listened to
    send(out, READY)
    while True:
        send(out, worker.answer(inbox.next(), inbox.stop.is_set))
