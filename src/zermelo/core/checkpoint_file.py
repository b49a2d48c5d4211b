"""The file of a checkpoint: a line that says what it is, a line of JSON, arrays, and a digest.

    zermelo checkpoint 1
    {..., "arrays": [["0/path", "int32", 4, 17, 0], ...]}
    blocks of the arrays, each behind its length
    SHA-256 of all that comes before

Nothing in it is code. An array has a name, the type of its items, their size and number, and, if it
is a table, the words of an entry. The file is written beside the old one, which it replaces in one
step.
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

from zermelo.core.array_blocks import (
    Array,
    Damaged,
    blocks_of,
    packed,
    packed_entries,
    unpacked,
    unpacked_entries,
)
from zermelo.core.leftovers import ENDING, part_begin, remove_leftovers
from zermelo.errors import BadCheckpoint, file_name

MAGIC = b"zermelo checkpoint 1\n"
LONGEST_HEADER = 1 << 26
DIGEST_BYTES = 32
LENGTH = struct.Struct("<I")
MOST_WORKERS = 4
READ_BYTES = 1 << 20
MOST_ITEM_BYTES, MOST_ENTRY_WORDS = 1 << 20, 64
KINDS = [str, str, int, int, int]  # of what the header says about an array
Made = TypeVar("Made")


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
        return [self.name, str(self.items.dtype), self.items.itemsize, len(self.items),
                self.entry_words]

    def blocks(self) -> Iterator[Callable[[], bytes]]:
        """What makes the blocks, to be called in any thread."""
        rows, size = np.asarray(self.items), self.items.itemsize
        pack = packed
        if self.entry_words:
            rows, size = rows.reshape(-1, self.entry_words), size * self.entry_words
            pack = packed_entries
        for begin, end in blocks_of(len(rows), size):
            yield partial(pack, rows[begin:end])


def cannot_write(path: Path, error: Exception) -> BadCheckpoint:
    """What to raise if ``path`` can't be written."""
    reason = getattr(error, "strerror", None) or "it has no valid name"
    return BadCheckpoint(f"can't write the checkpoint {file_name(path)}: {reason}.")


def try_out(path: Path) -> None:
    """Refuse now what could not be written later."""
    part = _part(path)
    try:
        remove_leftovers(path)
        part.touch()
        part.unlink()
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None


def write(path: Path, header: dict[str, Any], arrays: Iterable[Stored]) -> int:
    """Put a checkpoint in the place of the one at ``path``, if any; its size in bytes."""
    part, stored = _part(path), list(arrays)
    whole = {**header, "arrays": [array.facts for array in stored]}
    head = MAGIC + json.dumps(whole, allow_nan=False).encode() + b"\n"
    try:
        remove_leftovers(path)
        with part.open("wb") as file:
            size = _write(file, head, stored)
            file.flush()
            os.fsync(file.fileno())
        part.replace(path)
        _settle(path.parent)
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None
    finally:  # after Ctrl-C, too
        with suppress(OSError, ValueError):
            part.unlink(missing_ok=True)
    return size


def _part(path: Path) -> Path:
    return path.parent / f"{part_begin(path)}{os.getpid()}{ENDING}"


def _settle(directory: Path) -> None:
    """See to it that the new name outlives a power cut, where a directory can be opened."""
    with suppress(OSError):
        opened = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


def _write(file: BinaryIO, head: bytes, arrays: list[Stored]) -> int:
    digest, size = hashlib.sha256(), 0

    def put(data: bytes) -> None:
        nonlocal size
        digest.update(data)
        size += file.write(data)

    put(head)
    for block in _in_order(make for array in arrays for make in array.blocks()):
        put(LENGTH.pack(len(block)))
        put(block)
    file.write(digest.digest())
    return size + DIGEST_BYTES


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
        self._check_digest()
        self.header = self._header()
        self.places = self._places()

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

    def _check_digest(self) -> None:
        begin = self.file.read(len(MAGIC))
        common = MAGIC[: MAGIC.rindex(b" ") + 1]
        if begin != MAGIC and begin.startswith(common):
            raise self.refused("another version of Zermelo wrote it, in another format")
        self.require(begin == MAGIC, "it is a file of something else")
        digest, left = hashlib.sha256(begin), self.end - len(begin)
        while left > 0 and (data := self.file.read(min(left, READ_BYTES))):
            digest.update(data)
            left -= len(data)
        self.damaged(left == 0 and self.file.read() == digest.digest())

    def _header(self) -> dict[str, Any]:
        self.file.seek(len(MAGIC))
        line = self.file.readline(min(LONGEST_HEADER, max(self.end - len(MAGIC), 0)))
        try:
            header = json.loads(line) if line.endswith(b"\n") else None
        except (ValueError, RecursionError):
            header = None
        self.damaged(isinstance(header, dict) and isinstance(header.get("arrays"), list))
        assert isinstance(header, dict)
        return header

    def _places(self) -> dict[str, Place]:
        """What the header says about each array, and where it begins."""
        places, at = dict[str, Place](), self.file.tell()
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
                     == (str(out.dtype), out.itemsize, len(out)))
        rows = np.asarray(out).reshape(-1, place.entry_words) if place.entry_words else out
        unpack = unpacked_entries if place.entry_words else unpacked
        self.file.seek(place.at)

        def tasks() -> Iterator[Callable[[], None]]:
            for begin, end in place.blocks:
                data = self.file.read(LENGTH.unpack(self.file.read(LENGTH.size))[0])
                yield partial(unpack, data, rows[begin:end])

        try:
            for _ in _in_order(tasks()):
                pass
        except Damaged:
            self.damaged(False)

    def close(self) -> None:
        """Close the file."""
        self.file.close()
