"""Messages between processes, over pipes: a number of eight bytes, the length, then as many bytes.

The first that a process sends says that it is ready, or why it can't begin. A receiver trusts no
sender with its memory or its stack: length and depth have limits.
"""

from __future__ import annotations

import json
from typing import IO, Any

from zermelo.errors import BadOption, counted, one_line

LENGTH = 8
LARGEST = 1 << 28  # bytes of a message
DEEPEST = 64  # lists and objects inside each other
READY = json.dumps({"ready": True}).encode()
CANCEL = b""  # what is sent to a worker whose answer is not wanted any more


class BadMessage(ValueError):
    """A message that is too long, too deep, or not an object of JSON."""


def parsed(data: bytes) -> dict[str, Any]:
    """The object of JSON in a message; BadMessage for anything else."""
    try:
        message = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise BadMessage(f"a message that can't be read: {one_line(error)}") from None
    if not isinstance(message, dict):
        raise BadMessage("a message that is not an object of JSON")
    level: list[Any] = [message]
    for _ in range(DEEPEST):
        level = [inner for each in level
                 for inner in (each.values() if isinstance(each, dict) else each)
                 if isinstance(inner, dict | list)]
        if not level:
            return message
    raise BadMessage(f"a message of more than {DEEPEST} lists and objects inside each other")


def frame(data: bytes) -> bytes:
    """``data`` as it is sent."""
    return len(data).to_bytes(LENGTH, "big") + data


def send(stream: IO[bytes], data: bytes) -> None:
    """Send a message."""
    stream.write(frame(data))
    stream.flush()


def read_frame(stream: IO[bytes]) -> bytes | None:
    """The next message; None when the stream has closed, or what follows can't be a message."""
    head = _read(stream, LENGTH)
    size = int.from_bytes(head, "big")
    if len(head) < LENGTH or size > LARGEST:
        return None
    data = _read(stream, size)
    return data if len(data) == size else None


def _read(stream: IO[bytes], size: int) -> bytes:
    """So many bytes, in as many parts as they come; fewer when the stream has closed."""
    data = b""
    while len(data) < size and (part := stream.read(size - len(data))):
        data += part
    return data


class Frames:
    """Puts messages together from the parts that arrive."""

    def __init__(self) -> None:
        self.rest = bytearray()

    def add(self, part: bytes) -> list[bytes]:
        """The messages that are complete by now; BadMessage once one would be too long."""
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
    """What a process says first that can't begin."""
    return json.dumps({"refused": one_line(error)}).encode()


def is_ready(first: bytes) -> bool:
    """Whether a process has said that it is ready; False if it has said what none says. BadOption
    if it can't begin."""
    try:
        said = parsed(first)
    except BadMessage:
        return False
    if "refused" in said:
        raise BadOption(f"a worker can't begin: {said['refused']}.")
    return "ready" in said
