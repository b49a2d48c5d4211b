"""Messages between processes, over pipes: a number of eight bytes, the length, then as many bytes.

The first that a process sends says that it is ready, or why it can't begin.
"""

from __future__ import annotations

import json
from typing import IO

from zermelo.errors import BadOption, one_line

LENGTH = 8
READY = json.dumps({"ready": True}).encode()
CANCEL = b""  # what is sent to a worker whose answer is not wanted any more


def frame(data: bytes) -> bytes:
    """``data`` as it is sent."""
    return len(data).to_bytes(LENGTH, "big") + data


def send(stream: IO[bytes], data: bytes) -> None:
    """Send a message."""
    stream.write(frame(data))
    stream.flush()


def read_frame(stream: IO[bytes]) -> bytes | None:
    """The next message; None when the stream has closed."""
    head = _read(stream, LENGTH)
    size = int.from_bytes(head, "big")
    data = _read(stream, size)
    return data if len(head) == LENGTH and len(data) == size else None


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
        """The messages that are complete by now."""
        self.rest += part
        found = []
        while len(self.rest) >= LENGTH:
            end = LENGTH + int.from_bytes(self.rest[:LENGTH], "big")
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
        said = json.loads(first)
    except ValueError:
        return False
    if isinstance(said, dict) and "refused" in said:
        raise BadOption(f"a worker can't begin: {said['refused']}.")
    return isinstance(said, dict) and "ready" in said
