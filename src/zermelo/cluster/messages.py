"""Messages between master and workers, as bytes: a record of plain data, then blobs.

Workers are trusted to search correctly, not to be in order: a message that is malformed, too long,
too deep or out of range is ``Nonsense``.
"""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass
from typing import Any

from zermelo.errors import quoted
from zermelo.search.depth_first.table import INF
from zermelo.search.reasons import LOST, UNKNOWN
from zermelo.workers.messages import LARGEST, BadMessage, parsed

HEAD = 4  # bytes that say how long the record is
LONGEST_KEY = 64
MOST = 1 << 40  # of what is counted: the sum of a million reports is still a number of SQLite
MOVES = 1 << 31

Message = dict[str, Any]


class Nonsense(Exception):
    """A message that no worker in order sends."""


def encode(message: Message, *blobs: bytes) -> bytes:
    """Return a message as bytes."""
    head = json.dumps({**message, "blobs": [len(blob) for blob in blobs]}).encode()
    return b"".join([len(head).to_bytes(HEAD, "big"), head, *blobs])


def decode(data: bytes) -> tuple[Message, list[bytes]]:
    """Return the message that ``encode`` made."""
    if len(data) > LARGEST:
        raise Nonsense(f"a message of {len(data):,} bytes; {LARGEST:,} are the most")
    at = HEAD + int.from_bytes(data[:HEAD], "big")
    try:
        message = parsed(data[HEAD:at])
    except BadMessage as error:
        raise Nonsense(error) from None
    sizes, blobs = message.pop("blobs", None), []
    if not isinstance(sizes, list):
        raise Nonsense(f"blobs={quoted(sizes)}")
    for size in sizes:
        if type(size) is not int or not 0 <= size <= len(data) - at:
            raise Nonsense(f"a blob of {quoted(size)} bytes")
        blobs.append(data[at : at + size])
        at += size
    if at != len(data):
        raise Nonsense("a message that does not end where it should")
    return message, blobs


def unpacked(blob: bytes, most: int) -> bytes:
    """The data packed in ``blob``; ValueError if it is longer than ``most`` bytes, or cut off."""
    unpacking = zlib.decompressobj()
    data = unpacking.decompress(blob, most)
    if not unpacking.eof:
        raise ValueError("it does not end where it should")
    return data


def whole(message: Message, name: str, low: int = 0, high: int = MOST) -> int:
    """Return a whole number of a message."""
    number = message.get(name)
    if type(number) is int and low <= number <= high:  # no bool is
        return number
    raise Nonsense(f"{name}={quoted(number)}")


@dataclass(frozen=True, slots=True)
class ChildReport:
    """A child of a leaf, as a worker knows it. ``key``: what tells its position from others."""

    move: int
    status: int
    pn: int
    dn: int
    key: str


@dataclass(frozen=True, slots=True)
class LeafReport:
    """A worker's result about a leaf.

    spent     it has used the whole budget, so that the leaf is to be expanded
    children  the moves that the search tries there, while the leaf is not solved
    length    how many plies the proof lasts, as far as that is known
    """

    status: int
    pn: int
    dn: int
    visits: int
    expansions: int
    length: int
    spent: bool
    attacker_moves: bool
    key: str
    seconds: float
    children: tuple[ChildReport, ...] = ()

    def to_dict(self) -> Message:
        """Return the report as plain data; written out, since ``asdict`` takes longer than all else
        of a job."""
        return {
            "status": self.status, "pn": self.pn, "dn": self.dn, "visits": self.visits,
            "expansions": self.expansions, "length": self.length, "spent": self.spent,
            "attacker_moves": self.attacker_moves, "key": self.key, "seconds": self.seconds,
            "children": [{"move": each.move, "status": each.status, "pn": each.pn, "dn": each.dn,
                          "key": each.key} for each in self.children]}

    @classmethod
    def read(cls, message: Any) -> LeafReport:
        """Return the report in a message; Nonsense if it has none."""
        if not isinstance(message, dict):
            raise Nonsense(f"report={quoted(message)}")
        status = whole(message, "status", UNKNOWN, LOST)
        rows = message.get("children", ())
        if not isinstance(rows, list | tuple):
            raise Nonsense(f"children={quoted(rows)}")
        children = tuple(_child(row) for row in rows)
        if len({child.move for child in children}) < len(children):
            raise Nonsense("a move that comes twice")
        if status == UNKNOWN and not children:
            raise Nonsense("an open position without moves")
        seconds = message.get("seconds")
        if not isinstance(seconds, float | int) or not 0 <= seconds < MOST:
            raise Nonsense(f"seconds={quoted(seconds)}")
        return cls(
            status, whole(message, "pn", 0, INF), whole(message, "dn", 0, INF),
            whole(message, "visits"),
            whole(message, "expansions"), whole(message, "length"), bool(message.get("spent")),
            bool(message.get("attacker_moves")), _key(message), float(seconds), children)


def _child(row: Any) -> ChildReport:
    if not isinstance(row, dict):
        raise Nonsense(f"a child {quoted(row)}")
    return ChildReport(whole(row, "move", -MOVES, MOVES), whole(row, "status", UNKNOWN, LOST),
                 whole(row, "pn", 0, INF), whole(row, "dn", 0, INF), _key(row))


def _key(row: Message) -> str:
    key = row.get("key")
    if not isinstance(key, str) or not 0 < len(key) <= LONGEST_KEY:
        raise Nonsense(f"key={quoted(key)}")
    return key
