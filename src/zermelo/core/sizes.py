"""How many bytes Python objects take, about."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

FIRST, MASK = 8, 127  # all of the first ones are measured, then one of 128
MOST_SEEN = 100_000
MOST_PARTS = 10_000  # of one object
# What all objects share, or what there is one of in a process.
SHARED = (type, type(sys), type(len), type(lambda: None))


class Sizes:
    """The mean size of objects, with all that belongs to them.

    Measured on a sample. What was met in an earlier object is shared, and is not counted again; so
    are classes, functions and modules. Parts that only neighbours share are counted for each.
    """

    def __init__(self) -> None:
        self.measured = self.total = 0
        self._seen: dict[int, Any] = {}  # held, so that nothing else gets the same identity

    def measure(self, *parts: Any) -> None:
        """One of the sample, of these parts."""
        self.measured += 1
        self.total += self._size(parts)

    def of(self, count: int) -> int:
        """So many objects together."""
        return self.total * count // max(self.measured, 1)

    def _size(self, parts: Iterable[Any]) -> int:
        waiting, seen, size, left = list(parts), self._seen, 0, MOST_PARTS
        while waiting and left:
            part = waiting.pop()
            if id(part) in seen or isinstance(part, SHARED):
                continue
            left -= 1
            if len(seen) < MOST_SEEN:
                seen[id(part)] = part
            size += sys.getsizeof(part, 64)
            waiting += _inside(part)
        return size


def _inside(part: Any) -> list[Any]:
    """The objects that ``part`` is made of."""
    if isinstance(part, dict):
        return [*part.keys(), *part.values()]
    if isinstance(part, tuple | list | set | frozenset):
        return list(part)
    found = []
    own = getattr(part, "__dict__", None)
    if isinstance(own, dict):
        found.append(own)
    for kind in type(part).__mro__:
        names = kind.__dict__.get("__slots__", ())
        for name in (names,) if isinstance(names, str) else names:
            if hasattr(part, name) and name not in ("__dict__", "__weakref__"):
                found.append(getattr(part, name))
    return found
