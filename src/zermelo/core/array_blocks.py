"""How arrays become bytes: in blocks, and packed where that makes them smaller.

In a block all first bytes of the items come first, then all second ones: the upper bytes of numbers
are mostly alike, and runs of them pack fast and well. Of a table only the entries that are in use
are kept, with a bit for each place; the check of an entry is as good as random, and stays as it is.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterator
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]

BLOCK_BYTES = 1 << 22
LEAST_PACKED = 64  # bytes
SAMPLE, WORTH_IT = 1 << 13, 0.93
LONG_PLANE, CODED = 1 << 14, 0.45  # bytes; the part to which coding has to bring them
STORED, FAST = 0, 1
SECTION = struct.Struct("<BI")  # whether it is packed, and how many bytes follow
PLAIN, PACKED = 0, 1


class Damaged(Exception):
    """Bytes that no array became; it is told to people as a BadCheckpoint."""


def blocks_of(count: int, item_bytes: int) -> Iterator[tuple[int, int]]:
    """Where the blocks of ``count`` items begin and end."""
    step = max(1, BLOCK_BYTES // item_bytes)
    return ((begin, min(begin + step, count)) for begin in range(0, count, step))


def packed(block: Array) -> bytes:
    """A block of an array, as bytes."""
    return _section(block)


def unpacked(data: bytes, out: Array) -> None:
    """Write a block into the array that it came from, or one like it."""
    _unpack(data, 0, out, len(data))


def packed_entries(block: Array) -> bytes:
    """A block of a table, (entries, words of an entry): those whose last word is not 0."""
    used = block[:, -1] != 0
    rows = block.take(np.flatnonzero(used), axis=0)  # ten times as fast as block[used]
    return _section(np.packbits(used)) + b"".join(
        _section(np.ascontiguousarray(rows[:, at])) for at in range(block.shape[1]))


def unpacked_entries(data: bytes, out: Array) -> None:
    """Write a block of a table into one that is empty."""
    bits = np.zeros((len(out) + 7) // 8, np.uint8)
    at = _unpack(data, 0, bits)
    used = np.flatnonzero(np.unpackbits(bits, count=len(out)))
    column = np.zeros(len(used), np.uint64)
    for word in range(out.shape[1]):
        at = _unpack(data, at, column, len(data) if word == out.shape[1] - 1 else None)
        out[used, word] = column


def _section(items: Array) -> bytes:
    """The bytes of an array behind their number; packed, if a sample says that it pays."""
    plain = bytes_of(items)
    size = items.dtype.itemsize
    if len(plain) >= LEAST_PACKED:
        few = plain[: SAMPLE // size * size] if size < SAMPLE else plain
        small = len(few) == len(plain)
        data = _deflated(few, size)
        if len(data) < WORTH_IT * len(few):
            data = data if small else _deflated(plain, size)
            return SECTION.pack(PACKED, len(data)) + data
    return SECTION.pack(PLAIN, len(plain)) + plain.tobytes()


def bytes_of(items: Array) -> Array:
    """The bytes of a contiguous array, without a copy."""
    return np.asarray(items).view(np.ndarray).reshape(-1).view(np.uint8)


def _deflated(plain: Array, size: int) -> bytes:
    """One stream. In a long one, bytes that hardly get fewer are stored as they are: coding them
    would take most of the time."""
    planes = np.ascontiguousarray(plain.reshape(-1, size).T)
    if planes.shape[1] < LONG_PLANE:
        pack = _packer(FAST)
        return bytes(pack.compress(planes.data) + pack.flush())
    parts = []
    for plane in planes:
        sample = _packer(FAST)
        few = sample.compress(plane[:SAMPLE].data) + sample.flush()
        pack = _packer(FAST if len(few) < CODED * SAMPLE else STORED)
        parts += [pack.compress(plane.data), pack.flush(zlib.Z_SYNC_FLUSH)]  # more may follow
    return b"".join([*parts, _packer(STORED).flush()])


def _packer(level: int) -> Any:
    return zlib.compressobj(level, zlib.DEFLATED, -15, 9, zlib.Z_RLE)


def _unpack(data: bytes, at: int, out: Array, end: int | None = None) -> int:
    """Read a section into ``out``; where it ends, which must be ``end`` if that is given."""
    whole = bytes_of(out)
    if len(data) < at + SECTION.size:
        raise Damaged
    kind, length = SECTION.unpack_from(data, at)
    begin = at + SECTION.size
    found: Any = memoryview(data)[begin : begin + length]
    if kind == PACKED:
        try:
            found = zlib.decompressobj(-15).decompress(found, len(whole))
        except zlib.error:
            found = b""
        if len(found) == len(whole):
            planes = np.frombuffer(found, np.uint8).reshape(out.dtype.itemsize, -1)
            whole.reshape(-1, out.dtype.itemsize)[:] = planes.T
    elif len(found) == len(whole):
        whole[:] = np.frombuffer(found, np.uint8)
    if len(found) != len(whole) or end not in (None, begin + length):
        raise Damaged
    return begin + int(length)
