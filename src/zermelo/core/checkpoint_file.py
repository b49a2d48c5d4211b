"""The file of a checkpoint: a line that says what it is, a line of JSON, arrays, and a digest.

    zermelo checkpoint 2
    {..., "arrays": [["0/path", "int32", 4, 17, 0], ...]}
    blocks of the arrays, each behind its length
    SHA-256 of the lines, and of the length and the SHA-256 of each block

Nothing in it is code. An array has a name, the type of its items, their size and number, and, if it
is a table, the words of an entry. The file is written beside the old one, which it replaces in one
step. Blocks are packed and their digests found by several threads, while earlier ones are written.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple, TypeVar

import numpy as np

from zermelo import whole_files
from zermelo.core.array_blocks import Array, Damaged, Packer, blocks_of, unpacked
from zermelo.errors import BadCheckpoint, file_name

MAGIC = b"zermelo checkpoint 2\n"
LONGEST_HEADER = 1 << 26
DIGEST_BYTES = 32
LENGTH = struct.Struct("<I")
MOST_WORKERS = 4
MOST_BLOCK = 1 << 27  # bytes, packed
FLUSH_BYTES = 1 << 25  # so often the system is told to begin with what it has to write
MOST_ITEM_BYTES, MOST_ENTRY_WORDS = 1 << 20, 64
KINDS = [str, str, int, int, int]  # of what the header says about an array
Made = TypeVar("Made")


def kind_of(items: Array) -> str:
    """The type of the items; the same for records of plain Python and those of compiled code."""
    return str(np.dtype((np.void, items.dtype)) if items.dtype.names else items.dtype)


def mark_of(block: bytes) -> bytes:
    """What stands for a packed block in the digest of a file."""
    return LENGTH.pack(len(block)) + hashlib.sha256(block).digest()


class Place(NamedTuple):
    """An array in a file: what the header says, and where its blocks begin."""

    kind: str
    item_bytes: int
    items: int
    entry_words: int
    at: int

    @property
    def blocks(self) -> Iterator[tuple[int, int]]:
        """Where its blocks begin and end, in items or entries."""
        words = max(self.entry_words, 1)
        return blocks_of(self.items // words, words * self.item_bytes)


class Stored(NamedTuple):
    """An array to be written: of one dimension; ``entry_words``: of a table, else 0."""

    name: str
    items: Array
    entry_words: int = 0

    @property
    def facts(self) -> list[Any]:
        """As the header has them."""
        return [self.name, kind_of(self.items), self.items.itemsize, len(self.items),
                self.entry_words]

    def blocks(self) -> Iterator[Callable[[], tuple[bytes, bytes]]]:
        """What makes the blocks and their marks, to be called in any thread."""
        rows, size = np.asarray(self.items), self.items.itemsize
        if self.entry_words:
            rows, size = rows.reshape(-1, self.entry_words), size * self.entry_words
        packer = Packer(rows, table=self.entry_words > 0)

        def make(begin: int, end: int) -> tuple[bytes, bytes]:
            block = packer.packed(rows[begin:end])
            return block, mark_of(block)

        for begin, end in blocks_of(len(rows), size):
            yield partial(make, begin, end)


def cannot_write(path: Path, error: Exception) -> BadCheckpoint:
    """What to raise if ``path`` can't be written."""
    reason = getattr(error, "strerror", None) or "it has no valid name"
    return BadCheckpoint(f"can't write the checkpoint {file_name(path)}: {reason}.")


def try_out(path: Path) -> None:
    """Refuse now what could not be written later."""
    try:
        whole_files.try_out(path)
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None


def write(path: Path, header: dict[str, Any], arrays: Iterable[Stored]) -> int:
    """Put a checkpoint in the place of the one at ``path``, if any; its size in bytes."""
    stored = list(arrays)
    whole = {**header, "arrays": [array.facts for array in stored]}
    head = MAGIC + json.dumps(whole, allow_nan=False).encode() + b"\n"
    try:
        with whole_files.replacing(path) as file:
            return _write(file, head, stored)
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None


def _write(file: BinaryIO, head: bytes, arrays: list[Stored]) -> int:
    digest, size = hashlib.sha256(head), file.write(head)
    flushed = 0
    for block, mark in _in_order(make for array in arrays for make in array.blocks()):
        digest.update(mark)
        size += file.write(LENGTH.pack(len(block))) + file.write(block)
        if size - flushed > FLUSH_BYTES:
            flushed = _begin_to_flush(file, flushed)
    return size + file.write(digest.digest())


def _begin_to_flush(file: BinaryIO, since: int) -> int:
    """Have the system write what it has of the file, so that little is left for the end; where that
    ends. Nobody reads the file soon: it need not stay in memory."""
    file.flush()
    end = file.tell()
    if hasattr(os, "posix_fadvise"):
        with suppress(OSError):
            os.posix_fadvise(file.fileno(), since, end - since, os.POSIX_FADV_DONTNEED)
    return end


def _in_order(tasks: Iterable[Callable[[], Made]]) -> Iterator[Made]:
    """What ``tasks`` return, worked out by several threads, a few ahead."""
    workers = min(MOST_WORKERS, os.cpu_count() or 1)
    with ThreadPoolExecutor(workers) as pool:
        waiting = deque[Future[Made]]()
        for task in tasks:
            waiting.append(pool.submit(task))
            if len(waiting) > 2 * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()


class CheckpointFile:
    """A checkpoint that is read. Its digest is checked first, then what the header says."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.file = path.open("rb")
            self.end = os.fstat(self.file.fileno()).st_size - DIGEST_BYTES
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it has no valid name"
            raise BadCheckpoint(f"can't read the checkpoint {file_name(path)}: {reason}.") from None
        line = self._check_digest()
        self.header = self._header(line)
        self.places = self._places(len(MAGIC) + len(line))

    def refused(self, why: str) -> BadCheckpoint:
        """What to raise if the file can't be used."""
        return BadCheckpoint(f"the checkpoint {file_name(self.path)} can't be used: {why}.")

    def require(self, holds: bool, why: str) -> None:
        """Refuse the file unless something holds."""
        if not holds:
            raise self.refused(why)

    def damaged(self, holds: bool) -> None:
        """Refuse the file as damaged unless something holds."""
        self.require(holds, "it is damaged, or was changed after it was written")

    def _check_digest(self) -> bytes:
        """The line of the header, if the digest is that of the whole file."""
        begin = self.file.read(len(MAGIC))
        common = MAGIC[: MAGIC.rindex(b" ") + 1]
        if begin != MAGIC and begin.startswith(common):
            raise self.refused("another version of Zermelo wrote it, in another format")
        self.require(begin == MAGIC, "it is a file of something else")
        line = self.file.readline(min(LONGEST_HEADER, max(self.end - len(MAGIC), 0)))
        digest = hashlib.sha256(begin + line)
        for mark in _in_order(self._marks(len(begin) + len(line))):
            digest.update(mark)
        self.damaged(self.file.read() == digest.digest())
        return line

    def _marks(self, at: int) -> Iterator[Callable[[], bytes]]:
        """What finds the marks of the blocks from there on, to be called in any thread."""
        while at < self.end:
            head = self.file.read(LENGTH.size)
            length = LENGTH.unpack(head)[0] if len(head) == LENGTH.size else 0
            at += LENGTH.size + length
            self.damaged(length <= MOST_BLOCK and at <= self.end)
            yield partial(mark_of, self.file.read(length))

    def _header(self, line: bytes) -> dict[str, Any]:
        try:
            header = json.loads(line) if line.endswith(b"\n") else None
        except (ValueError, RecursionError):
            header = None
        self.damaged(isinstance(header, dict) and isinstance(header.get("arrays"), list))
        assert isinstance(header, dict)
        return header

    def _places(self, at: int) -> dict[str, Place]:
        """What the header says about each array, and where it begins; the first ``at``."""
        places = dict[str, Place]()
        for row in self.header["arrays"]:
            self.damaged(isinstance(row, list) and [type(cell) for cell in row] == KINDS)
            name, kind, item_bytes, items, entry_words = row
            place = Place(kind, item_bytes, items, entry_words, at)
            self.damaged(name not in places and 0 < place.item_bytes <= MOST_ITEM_BYTES
                         and 0 <= place.entry_words <= MOST_ENTRY_WORDS
                         and place.items >= 0
                         and place.items % max(place.entry_words, 1) == 0)
            places[name] = place
            for _ in place.blocks:
                self.file.seek(at)
                head = self.file.read(LENGTH.size)
                self.damaged(len(head) == LENGTH.size)
                at += LENGTH.size + LENGTH.unpack(head)[0]
                self.damaged(at <= self.end)
        self.damaged(at == self.end)
        return places

    @property
    def bytes(self) -> int:
        """How much memory its arrays take."""
        return sum(place.items * place.item_bytes for place in self.places.values())

    def count(self, name: str) -> int:
        """How many items the array ``name`` has; it must be there."""
        self.damaged(name in self.places)
        return self.places[name].items

    def read_into(self, name: str, out: Array) -> None:
        """Fill ``out``, zeros so far, which has the type and the length of the array."""
        self.damaged(name in self.places)
        place = self.places[name]
        self.damaged((place.kind, place.item_bytes, place.items)
                     == (kind_of(out), out.itemsize, len(out)))
        rows = np.asarray(out).reshape(-1, place.entry_words) if place.entry_words else out
        self.file.seek(place.at)

        def tasks() -> Iterator[Callable[[], None]]:
            for begin, end in place.blocks:
                data = self.file.read(LENGTH.unpack(self.file.read(LENGTH.size))[0])
                yield partial(unpacked, data, rows[begin:end], place.entry_words > 0)

        try:
            for _ in _in_order(tasks()):
                pass
        except Damaged:
            self.damaged(False)

    def close(self) -> None:
        """Close the file."""
        self.file.close()
