"""Structures in the compact protocol of Thrift, in which files of Parquet say what is in them.

PyArrow ends the process where some of these make no sense, so they are read here before it does.
https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
"""

from __future__ import annotations

import struct
from typing import Any

STOP, TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(13)
BITS = {I16: 16, I32: 32, I64: 64}
LONGEST_VARINT = 10
DEEPEST = 32  # structures and lists within each other

Fields = dict[tuple[int, int], Any]


class Unreadable(Exception):
    """Not a structure of Thrift."""


class Reader:
    """Reads ``data`` from ``at`` to ``end``."""

    def __init__(self, data: Any, at: int, end: int) -> None:
        self.data, self.at, self.end = data, at, end

    def fields(self, depth: int = 0) -> Fields:
        """A structure: its fields by number and type, as readers tell them apart."""
        if depth > DEEPEST:
            raise Unreadable
        found, name, names = Fields(), 0, set[int]()
        while (head := self._bytes(1)[0]) != STOP:
            name = name + (head >> 4) if head >> 4 else self._number(16)
            if name in names or not 0 <= name < 1 << 15:  # readers differ in what they make of it
                raise Unreadable
            names.add(name)
            found[name, head & 15] = self._value(head & 15, depth)
        return found

    def _value(self, kind: int, depth: int) -> Any:
        if kind in (TRUE, FALSE):
            return kind == TRUE
        if kind in BITS:
            return self._number(BITS[kind])
        if kind == BYTE:
            return self._bytes(1)[0]
        if kind == DOUBLE:
            return struct.unpack("<d", self._bytes(8))[0]
        if kind == BINARY:
            return self._bytes(self._varint())
        if kind in (LIST, SET):
            return self._list(depth + 1)
        if kind == STRUCT:
            return self.fields(depth + 1)
        raise Unreadable  # Parquet has no maps

    def _list(self, depth: int) -> list[Any]:
        if depth > DEEPEST:
            raise Unreadable
        head = self._bytes(1)[0]
        count = head >> 4 if head >> 4 < 15 else self._varint()
        kind = head & 15
        if count > self.end - self.at:  # each takes a byte at least
            raise Unreadable
        return [self._value(BYTE if kind in (TRUE, FALSE) else kind, depth) for _ in range(count)]

    def _bytes(self, count: int) -> bytes:
        begin, self.at = self.at, self.at + count
        if self.at > self.end:
            raise Unreadable
        return bytes(self.data[begin : self.at])

    def _varint(self) -> int:
        found = 0
        for place in range(LONGEST_VARINT):
            byte = self._bytes(1)[0]
            found |= (byte & 127) << 7 * place
            if byte < 128:
                return found
        raise Unreadable

    def _number(self, bits: int) -> int:
        """Positive and negative numbers in turn; of no more bits than a reader takes."""
        found = self._varint()
        if found >> bits:
            raise Unreadable
        return found >> 1 if found % 2 == 0 else -(found >> 1) - 1
