"""How arrays become bytes: in blocks, and packed where that makes them smaller.

Of a block, bytes at the same place in the items come one after the other: the upper bytes of
numbers are mostly alike, and runs of them pack fast and well. Where there are few different bytes
and no runs, each becomes a number of one, two or four bits, in a third of the time. What suits a
place is seen from a sample of the array; bytes as good as random, like the checks of a table, stay
as they are. Of a table only the entries that are in use are kept, with a bit for each place.
"""

from __future__ import annotations

import struct
import threading
import zlib
from collections.abc import Iterator
from itertools import groupby
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, Any]

BLOCK_BYTES = 1 << 20  # less, and threads wait for each other; more, and it leaves the cache
SAMPLE = 1 << 15  # items
NEARLY = 15 / 16  # a table with so many of its places in use is kept with all of them
RUNS, WORTH_IT = 0.12, 0.25  # the parts to which packing brings runs, and what else is packed
FAST = 1
PIECE = struct.Struct("<BII")  # how it is kept, the bytes of an item that it has, and its length
PLAIN, TURNED, PACKED, SHORT = range(4)  # as they are, place by place, packed, in a few bits
SHORTS = (1, 2, 4)  # bits
OTHER = 255
EMPTY = 1 / 16  # of the time for a full place of a table, what an empty one takes
WORD = 8  # bytes


class Damaged(Exception):
    """Bytes that no array became; it is told to people as a BadCheckpoint."""


class Piece(NamedTuple):
    """Bytes of every item, from ``first`` to before ``last``, and how they are kept; in a few bits,
    by which numbers."""

    kind: int
    first: int
    last: int
    numbers: Numbers | None = None


class Numbers:
    """The numbers that stand for a few different bytes."""

    def __init__(self, values: Array) -> None:
        self.bits = next(bits for bits in SHORTS if len(values) <= 1 << bits)
        self.table = np.zeros(1 << self.bits, np.uint8)
        self.table[: len(values)] = values
        self.of = np.full(256, OTHER, np.uint8)
        self.of[values] = np.arange(len(values))

    def shortened(self, plane: Array) -> bytes | None:
        """How many bits, what they stand for, and the bits; None if there are other bytes."""
        short = np.zeros(_filled(len(plane), self.bits) * (8 // self.bits), np.uint8)
        self.of.take(plane, out=short[: len(plane)], mode="clip")
        if short.max(initial=0) == OTHER:
            return None
        for width in SHORTS[SHORTS.index(self.bits) :]:  # neighbours share a byte, the first its
            pairs = short.view("<u2")                    # lower bits
            short = (pairs | pairs >> (8 - width)).astype(np.uint8)
        return b"".join([bytes([self.bits]), self.table.data, short.data])


def blocks_of(count: int, item_bytes: int) -> Iterator[tuple[int, int]]:
    """Where the blocks of ``count`` items begin and end."""
    step = max(1, BLOCK_BYTES // item_bytes)
    return ((begin, min(begin + step, count)) for begin in range(0, count, step))


def bytes_of(items: Array) -> Array:
    """The bytes of a contiguous array, a row for each item, without a copy."""
    plain = np.asarray(items).view(np.ndarray)
    size = plain.itemsize * (plain.shape[1] if plain.ndim > 1 else 1)
    return plain.reshape(-1).view(np.uint8).reshape(-1, size)


def weight(items: Array, entry_words: int) -> int:
    """How many bytes, all in use, take as long to pack; ``entry_words``: of a table, else 0."""
    if not entry_words:
        return items.nbytes
    last = items.reshape(-1, entry_words)[:, -1]
    sample = last[:: max(1, len(last) // SAMPLE)]
    used = np.count_nonzero(sample) / max(len(sample), 1)
    return int(items.nbytes * (used + EMPTY * (1 - used)))


class Packer:
    """Packs the blocks of an array, items or (entries, words of an entry) of a ``table``."""

    def __init__(self, rows: Array, table: bool) -> None:
        self.table = table
        self._spaces = threading.local()  # new memory for each block would take a third of the time
        sample = rows[:: max(1, len(rows) // SAMPLE)][:SAMPLE]
        if table:
            sample = sample[sample[:, -1] != 0]
        self.pieces = list(_pieces(bytes_of(np.ascontiguousarray(sample))))

    def packed(self, block: Array) -> bytes:
        """A block as bytes. It can be called in several threads at once."""
        parts = []
        if self.table:
            used = block[:, -1] != 0
            if np.count_nonzero(used) >= NEARLY * len(used):
                used[:] = True
            else:
                block = self._taken(block, np.flatnonzero(used))
            parts += _piece(Piece(PACKED, 0, 1), np.packbits(used))
        items = bytes_of(block)
        for whole, some in groupby(self.pieces, lambda piece: piece.kind == PLAIN):
            pieces = list(some)
            if whole:
                for piece in pieces:
                    parts += _piece(piece, np.ascontiguousarray(_word(items, piece.first)))
                continue
            begin = pieces[0].first
            planes = self._turned(items, begin, pieces[-1].last)
            for piece in pieces:
                parts += _piece(piece, planes[piece.first - begin : piece.last - begin])
        return b"".join(parts)

    def _space(self, name: str, size: int) -> Array:
        """So many bytes of this thread's own, with whatever is in them."""
        space: Array | None = getattr(self._spaces, name, None)
        if space is None or len(space) < size:
            space = np.empty(size, np.uint8)
            setattr(self._spaces, name, space)
        return space[:size]

    def _taken(self, block: Array, places: Array) -> Array:
        """These rows; much faster than ``block[places]``."""
        width = block.shape[1]
        out = self._space("rows", len(places) * width * block.itemsize).view(block.dtype)
        return block.take(places, 0, out.reshape(-1, width), "clip")

    def _turned(self, items: Array, first: int, last: int) -> Array:
        """A row for each of these bytes of an item; what has others is in a space of its own."""
        some = items[:, first:last]
        planes = self._space(f"planes {first}", some.size).reshape(last - first, len(items))
        planes[:] = some.T
        return planes


def unpacked(data: bytes, out: Array, table: bool) -> None:
    """Write a block into the array that it came from, or one like it; a table is empty so far."""
    at, target = 0, out
    if table:
        bits = np.zeros(((len(out) + 7) // 8, 1), np.uint8)
        at = _unpack(data, 0, bits)
        used = np.flatnonzero(np.unpackbits(bits, count=len(out)))
        if len(used) < len(out):
            target = np.zeros((len(used), out.shape[1]), out.dtype)
    if _unpack(data, at, bytes_of(target)) != len(data):
        raise Damaged
    if target is not out:
        out[used] = target


def _pieces(sample: Array) -> Iterator[Piece]:
    """How to keep which bytes of an item. Words of which no byte is worth packing stay whole."""
    size = sample.shape[1]
    planes = np.ascontiguousarray(sample.T)
    kinds = [_kind(plane) for plane in planes]
    if size % WORD == 0:
        for first in range(0, size, WORD):
            if kinds[first : first + WORD] == [TURNED] * WORD:
                kinds[first : first + WORD] = [PLAIN] * WORD
    for kind, places in groupby(range(size), kinds.__getitem__):
        found = list(places)
        step = {PLAIN: WORD, SHORT: 1}.get(kind, len(found))
        for first in range(found[0], found[-1] + 1, step):
            numbers = Numbers(_values(planes[first])) if kind == SHORT else None
            yield Piece(kind, first, first + step, numbers)


def _kind(plane: Array) -> int:
    """What suits such bytes."""
    share = len(_deflated(plane)) / len(plane) if len(plane) else 0.0
    if share < RUNS:
        return PACKED
    if len(_values(plane)) <= 1 << SHORTS[-1]:
        return SHORT
    return PACKED if share < WORTH_IT else TURNED


def _values(plane: Array) -> Array:
    """The different bytes."""
    return np.flatnonzero(np.bincount(plane, minlength=256)).astype(np.uint8)


def _piece(piece: Piece, plain: Array) -> list[Any]:
    """A piece of all items, behind what it is."""
    kind, data = piece.kind, None
    if piece.numbers is not None:
        data = piece.numbers.shortened(plain[0])
        if data is None and len(values := _values(plain[0])) <= 1 << SHORTS[-1]:
            data = Numbers(values).shortened(plain[0])
        kind = PACKED if data is None else SHORT
    if kind == PACKED:
        data = _deflated(plain)
    length = plain.nbytes if data is None else len(data)
    return [PIECE.pack(kind, piece.last - piece.first, length), plain if data is None else data]


def _lengthened(data: Any, count: int) -> Array:
    """The bytes that ``_shortened`` made short."""
    bits = data[0] if len(data) else 0
    if bits not in SHORTS or len(data) != 1 + (1 << bits) + _filled(count, bits):
        raise Damaged
    found = np.frombuffer(data, np.uint8)
    table, short = found[1 : 1 + (1 << bits)], found[1 + (1 << bits) :]
    for width in reversed(SHORTS[SHORTS.index(bits) :]):
        pairs = short.astype("<u2")
        short = ((pairs | pairs << (8 - width)) & ((1 << width) - 1) * 0x0101).view(np.uint8)
    return table.take(short[:count])


def _filled(count: int, bits: int) -> int:
    """How many bytes so many numbers of so many bits fill."""
    return -(-count * bits // 8)


def _word(items: Array, first: int) -> Array:
    """The words that begin with this byte of the items."""
    return items.view(np.uint64)[:, first // WORD]


def _deflated(plain: Array) -> bytes:
    pack = zlib.compressobj(FAST, zlib.DEFLATED, -15, 9, zlib.Z_RLE)
    return pack.compress(plain.data) + pack.flush()


def _unpack(data: bytes, at: int, items: Array) -> int:
    """Read the pieces of ``items``; where they end."""
    count, size = items.shape
    planes, done, turned = np.zeros((size, count), np.uint8), 0, 0
    while done < size:
        if len(data) < at + PIECE.size:
            raise Damaged
        kind, width, length = PIECE.unpack_from(data, at)
        at += PIECE.size
        if not 0 < width <= size - done or len(data) < at + length:
            raise Damaged
        found = _read(kind, memoryview(data)[at : at + length], width, count)
        if kind == PLAIN:
            if width != WORD or size % WORD or done % WORD:
                raise Damaged
            _word(items, done)[:] = found.view(np.uint64)
            items[:, turned:done] = planes[turned:done].T
            turned = done + width
        else:
            planes[done : done + width] = found.reshape(width, count)
        at, done = at + length, done + width
    items[:, turned:] = planes[turned:].T  # all at once, which is much faster than one by one
    return at


def _read(kind: int, data: Any, width: int, count: int) -> Array:
    """The bytes of a piece."""
    if kind == PACKED:
        data = _inflated(data, count * width)
    elif kind == SHORT and width == 1:
        data = _lengthened(data, count)
    elif kind not in (PLAIN, TURNED):
        raise Damaged
    found = np.frombuffer(data, np.uint8)
    if len(found) != count * width:
        raise Damaged
    return found


def _inflated(data: Any, length: int) -> bytes:
    try:
        return zlib.decompressobj(-15).decompress(data, length) if length else b""
    except zlib.error:
        raise Damaged from None
