"""The file of a checkpoint: a ZIP archive of JSON and of arrays in NumPy's format, and a digest.

The first member says what the search was asked. Each array is a member of its own, NAME.npy; of a
table, which is mostly empty, the entries in use are NAME.npy and a bit for each place is
NAME.places.npy. Nothing is packed and nothing is code. The comment of the archive is the SHA-256 of
all bytes before it. The file is written beside the old one, which it replaces in one step.

One process at a time goes on from a checkpoint: the others would overwrite what it writes. The lock
is on the file itself, so that it goes with the process, however that ends. A new checkpoint is
another file under the same name, which is locked in its turn.
"""

from __future__ import annotations

import hashlib
import json
import os
import struct
from collections.abc import Iterable, Iterator
from contextlib import suppress
from math import prod
from operator import index
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple
from zipfile import ZIP_STORED, ZipFile, ZipInfo

import numpy as np
from numpy.lib import format as npy

from zermelo.errors import BadCheckpoint, file_name
from zermelo.storage import whole_files

Array = np.ndarray[Any, Any]

FORMAT = 3
NAME = "zermelo-checkpoint-"
FIRST = f"{NAME}{FORMAT}.json"
NAME_AT, LENGTHS_AT = 30, 26  # of a member of a ZIP archive: its name, the lengths of name and rest
HEAD = NAME_AT + len(NAME)
OLD = b"zermelo checkpoint "  # how formats before 3 began
DIGEST_BYTES = 32
CHUNK = 1 << 16  # entries of a table that are written or read at once


class Stored(NamedTuple):
    """An array to be written: of one dimension; ``entry_words``: of a table, else 0."""

    name: str
    items: Array
    entry_words: int = 0

    @property
    def entries(self) -> Array:
        """The entries of a table, each a row whose last word is 0 where the place is empty."""
        return self.items.reshape(-1, self.entry_words)

    def write(self, archive: ZipFile) -> None:
        """Write its members."""
        if not self.entry_words:
            items = np.ascontiguousarray(self.items)
            _write_member(archive, self.name, items.dtype, items.shape, iter([items]))
            return
        rows = self.entries
        used = rows[:, -1] != 0
        bits, shape = np.packbits(used), (int(np.count_nonzero(used)), self.entry_words)
        _write_member(archive, f"{self.name}.places", bits.dtype, bits.shape, iter([bits]))
        parts = (rows[begin : begin + CHUNK][used[begin : begin + CHUNK]]
                 for begin in range(0, len(rows), CHUNK))
        _write_member(archive, self.name, rows.dtype, shape, parts)


def _write_member(archive: ZipFile, name: str, dtype: np.dtype[Any], shape: tuple[int, ...],
                  parts: Iterator[Array]) -> None:
    with archive.open(ZipInfo(f"{name}.npy"), "w", force_zip64=True) as file:
        npy.write_array_header_1_0(file, {"descr": npy.dtype_to_descr(dtype),
                                          "fortran_order": False, "shape": shape})
        for part in parts:
            file.write(_bytes_of(part))


def _bytes_of(items: Array) -> memoryview:
    return np.asarray(items).view(np.ndarray).reshape(-1).view(np.uint8).data


def cannot_write(path: Path, error: Exception) -> BadCheckpoint:
    """Return what to raise if ``path`` can't be written."""
    reason = getattr(error, "strerror", None) or "it has no valid name"
    return BadCheckpoint(f"can't write the checkpoint {file_name(path)}: {reason}.")


def try_out(path: Path) -> None:
    """Refuse now what could not be written later."""
    try:
        whole_files.try_out(path)
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None


def is_checkpoint(begin: bytes) -> bool:
    """Return True if a file that begins with these HEAD bytes is a checkpoint, of any format."""
    return begin.startswith(OLD) or begin[NAME_AT:HEAD] == NAME.encode()


def write(path: Path, header: dict[str, Any], arrays: Iterable[Stored]) -> int:
    """Put a checkpoint in the place of the one at ``path``, if any; its size in bytes."""
    try:
        with whole_files.replacing(path) as file:
            return _write(file, header, list(arrays))
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None


def _write(file: BinaryIO, header: dict[str, Any], arrays: list[Stored]) -> int:
    tables = {each.name: [len(each.entries), each.entry_words]
              for each in arrays if each.entry_words}
    with ZipFile(file, "w", ZIP_STORED) as archive:
        archive.comment = bytes(DIGEST_BYTES)
        archive.writestr(ZipInfo(FIRST), json.dumps({**header, "tables": tables}, allow_nan=False))
        for each in arrays:
            each.write(archive)
    size = file.tell()
    digest = _digest(file, size)
    file.seek(size - DIGEST_BYTES)
    return size - DIGEST_BYTES + file.write(digest)


def _digest(file: BinaryIO, size: int) -> bytes:
    """The SHA-256 of a file of ``size`` bytes up to its own digest."""
    digest, left = hashlib.sha256(), size - DIGEST_BYTES
    file.seek(0)
    while left > 0 and (part := file.read(min(left, 1 << 20))):
        digest.update(part)
        left -= len(part)
    return digest.digest()


class Member(NamedTuple):
    """An array in a file: where its ``stored`` items begin, and their type; ``items``: how many it
    has when it is read, which are more of a table; ``entry_words``: of a table, else 0."""

    begin: int
    dtype: np.dtype[Any]
    stored: int
    items: int
    entry_words: int = 0


class CheckpointFile:
    """A checkpoint that is read. Its digest is checked first, and then sizes and types."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.file = path.open("rb")
            self.size = os.fstat(self.file.fileno()).st_size
            self._check_digest()
        except BadCheckpoint:
            raise
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it has no valid name"
            raise BadCheckpoint(f"can't read the checkpoint {file_name(path)}: {reason}.") from None
        try:
            with ZipFile(self.file) as archive:
                self.header: dict[str, Any] = dict(json.loads(archive.read(FIRST)))
                self.places = {member.filename.removesuffix(".npy"): self._member(archive, member)
                               for member in archive.infolist()[1:]}
            for name, (entries, words) in self.header["tables"].items():
                self.places[name] = self.places[name]._replace(
                    items=index(entries * words), entry_words=index(words))
        except Exception:  # whatever reading an archive raises that nobody wrote
            self.damaged(False)

    def refused(self, why: str) -> BadCheckpoint:
        """Return what to raise if the file can't be used."""
        return BadCheckpoint(f"the checkpoint {file_name(self.path)} can't be used: {why}.")

    def require(self, holds: bool, why: str) -> None:
        """Refuse the file unless something holds."""
        if not holds:
            raise self.refused(why)

    def damaged(self, holds: bool) -> None:
        """Refuse the file as damaged unless something holds."""
        self.require(holds, "it is damaged, or was changed after it was written")

    def _check_digest(self) -> None:
        begin = self.file.read(NAME_AT + len(FIRST))
        named = begin[NAME_AT:].startswith(NAME.encode())
        self.require(not begin.startswith(OLD) and (not named or begin[NAME_AT:] == FIRST.encode()),
                     "another version of Zermelo wrote it, in another format")
        self.require(named, "it is a file of something else")
        digest = _digest(self.file, self.size)
        self.damaged(self.file.read() == digest)

    def _member(self, archive: ZipFile, member: ZipInfo) -> Member:
        """Return where an array is, by the two headers before it."""
        with archive.open(member) as file:
            npy.read_magic(file)
            shape, _, dtype = npy.read_array_header_1_0(file)
            head, items = file.tell(), prod(shape)
        self.damaged(not dtype.hasobject and member.file_size == head + items * dtype.itemsize)
        self.file.seek(member.header_offset + LENGTHS_AT)
        begin = member.header_offset + NAME_AT + sum(struct.unpack("<HH", self.file.read(4))) + head
        return Member(begin, dtype, items, items)

    @property
    def bytes(self) -> int:
        """Return how much memory its arrays take."""
        return sum(place.items * place.dtype.itemsize for place in self.places.values())

    def count(self, name: str) -> int:
        """Return how many items the array ``name`` has; it must be there."""
        self.damaged(name in self.places)
        return self.places[name].items

    def read_into(self, name: str, out: Array) -> None:
        """Fill ``out``, zeros so far, which has the type and the length of the array."""
        self.damaged(self.count(name) == len(out))
        begin, dtype, stored, _, words = self.places[name]
        self.damaged(npy.dtype_to_descr(dtype) == npy.dtype_to_descr(out.dtype))
        if not words:
            self.file.seek(begin)
            self.damaged(self.file.readinto(_bytes_of(out)) == out.nbytes)
            return
        rows = out.reshape(-1, words)
        bits = np.zeros(-(-len(rows) // 8), np.uint8)
        self.read_into(f"{name}.places", bits)
        used = np.flatnonzero(np.unpackbits(bits, count=len(rows)))
        self.damaged(stored == len(used) * words)
        self.file.seek(begin)
        for at in range(0, len(used), CHUNK):
            some = used[at : at + CHUNK]
            content = self.file.read(len(some) * rows[:1].nbytes)
            rows[some] = np.frombuffer(content, out.dtype).reshape(len(some), words)

    def close(self) -> None:
        """Close the file."""
        self.file.close()


try:
    import fcntl
except ImportError:  # Windows, where nobody is kept out
    fcntl = None  # type: ignore[assignment]


class CheckpointLock:
    """Keeps others from writing to ``path``, as long as this object lives."""

    def __init__(self, path: Path) -> None:
        self.path, self.file = path, -1

    def take(self) -> None:
        """Lock the file that is there now; BadCheckpoint if another process has it."""
        if fcntl is None:
            return
        before, self.file = self.file, -1
        try:
            self.file = os.open(self.path, os.O_RDONLY)
            fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            self.release()
            raise BadCheckpoint(f"another process is working with the checkpoint "
                                f"{file_name(self.path)}; wait until it has ended.") from None
        except OSError:  # a file system without locks, say: nobody is kept out
            self.release()
        finally:
            if before >= 0:
                os.close(before)

    def follow(self) -> None:
        """Lock the file that has taken its place."""
        with suppress(BadCheckpoint):  # whoever came between has it then
            self.take()

    def release(self) -> None:
        """Let others have it."""
        if self.file >= 0:
            os.close(self.file)
        self.file = -1

    def __del__(self) -> None:
        self.release()
