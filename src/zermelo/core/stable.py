"""Digests of Python values that are the same in every process.

``hash`` of a text differs from process to process, and the order of a set with it. Here a value is
written down as bytes: numbers, texts, and tuples, sets and records of them.
"""

from __future__ import annotations

import dataclasses
import hashlib
from collections.abc import Callable
from enum import Enum
from typing import Any

DIGEST_BYTES = 16


class Unstable(TypeError):
    """A value that can't be written down so that every process writes the same."""


def stable_digest(value: Any) -> bytes:
    """16 bytes that tell ``value`` from all others; Unstable for objects of unknown classes."""
    parts: list[bytes] = []
    _write(value, parts)
    return hashlib.blake2b(b"".join(parts), digest_size=DIGEST_BYTES).digest()


def stable_hash(value: Any, otherwise: int) -> int:
    """64 bits of the digest; ``otherwise`` where a value has none."""
    try:
        return int.from_bytes(stable_digest(value)[:8], "little")
    except Unstable:
        return otherwise


def _write(value: Any, parts: list[bytes]) -> None:
    kind = type(value)
    write = _WAYS.get(kind)
    if write is not None:
        write(value, parts)
    elif isinstance(value, Enum):
        _text(f"{kind.__qualname__}.{value.name}", parts)
    elif dataclasses.is_dataclass(value):
        _several(kind.__qualname__, [getattr(value, field.name)
                                     for field in dataclasses.fields(value) if field.compare],
                 parts)
    elif isinstance(value, tuple):
        _several(kind.__qualname__, value, parts)
    elif isinstance(value, int | float) and kind.__module__ == "numpy":
        _write(value.item(), parts)  # type: ignore[union-attr]
    elif kind.__module__ == "numpy" and hasattr(value, "tobytes"):
        _several("numpy", (str(value.dtype), value.shape, value.tobytes()), parts)
    else:
        raise Unstable(f"an object of type {kind.__qualname__} has no digest")


def _text(value: str, parts: list[bytes]) -> None:
    data = value.encode("utf-8", "surrogatepass")
    parts.append(b"s%d:" % len(data) + data)


def _several(name: str, values: Any, parts: list[bytes]) -> None:
    _text(name, parts)
    parts.append(b"(%d:" % len(values))
    for value in values:
        _write(value, parts)


def _set(values: Any, parts: list[bytes]) -> None:
    """In the order of what is written, which no hash has a part in."""
    written = []
    for value in values:
        own: list[bytes] = []
        _write(value, own)
        written.append(b"".join(own))
    parts.append(b"{%d:" % len(written))
    parts += sorted(written)


_WAYS: dict[type, Callable[[Any, list[bytes]], None]] = {
    type(None): lambda value, parts: parts.append(b"n"),
    bool: lambda value, parts: parts.append(b"i%d;" % value),  # True == 1
    int: lambda value, parts: parts.append(b"i%d;" % value),
    float: lambda value, parts: parts.append(
        b"i%d;" % int(value) if value.is_integer() else b"f" + value.hex().encode() + b";"),
    str: _text,
    bytes: lambda value, parts: parts.append(b"b%d:" % len(value) + value),
    tuple: lambda value, parts: _several("", value, parts),
    frozenset: _set,
}
