"""Reading a certificate: whole or block by block, and never more than its header allows."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import stat
import zlib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import numpy as np

from zermelo.errors import BadCertificate, file_name
from zermelo.proof.budget import CheckBudget
from zermelo.proof.header import (
    LONGEST_HEADER,
    MAGIC,
    PROBLEM,
    RANK_BYTES,
    RECORDS,
    SOLVED,
    VERSION,
    ClaimPart,
    Header,
    Refused,
    decoded,
    problem_header,
)

if TYPE_CHECKING:
    from zermelo.proof.rules.base import RulesOf

Array = np.ndarray[Any, Any]
ARRAYS = ("records", "keys", "ranks", "lengths", "order")
DIGEST_BYTES, SIZE_BYTES = 32, 4
FIRST_LINE = MAGIC + f"{VERSION}\n".encode()
CHUNK = 1 << 20
EARLIER_ZONES = b"zermelo zones "  # the first words of zones before they were one kind of many
HEAD_BYTES = 400  # more than that takes
MOST_PROBLEM_BYTES = 1 << 28  # of a file; what is read takes some ten times that
OF_A_PROBLEM = re.compile(rb'\s{0,99}\{\s{0,99}"format"\s{0,99}:\s{0,99}"zermelo problem"')
# Of a record in memory: its row and key twice, and four numbers of eight bytes.
COPIES, NUMBERS = 4, 32


class Certificate:
    """An open certificate. Whatever is wrong with the file is Refused, or a BadCertificate if it is
    no certificate at all. ``digest`` is the SHA-256 of the file, which has been looked at.

    ``earlier``: it is about a problem, in the format of version 0.2, which is JSON and no more.
    """

    header: Header
    earlier = False

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        try:
            with _opened(self.path) as file:
                self._read(file)
        except (OSError, ValueError) as error:
            if isinstance(error, BadCertificate):
                raise
            raise _cannot_read(path, error) from None

    def _read(self, file: BinaryIO) -> None:
        first = file.readline(len(MAGIC) + 8)
        if first.startswith(EARLIER_ZONES):
            raise BadCertificate(f"the file {file_name(self.path)} is a certificate of zones in a "
                                 "format that is no longer read; write it again with solve "
                                 "--candidates --proof.")
        if OF_A_PROBLEM.match(first + file.read(HEAD_BYTES)):
            self._read_earlier_problem(file)
            return
        if not first.startswith(MAGIC):
            raise BadCertificate(f"the file {file_name(self.path)} is not a certificate: it does "
                                 f"not begin with {MAGIC.decode().strip()!r}.")
        if first != FIRST_LINE:
            raise BadCertificate(f"the file {file_name(self.path)} is a certificate of another "
                                 f"version; this program reads version {VERSION}.")
        self._check_digest(file)
        file.seek(len(first))
        self.header, self.begin = _header_in(file)
        if self.header.kind == RECORDS:
            file.seek(self.begin)
            self._read_index(file)

    def _read_earlier_problem(self, file: BinaryIO) -> None:
        self.size = file.seek(0, 2)
        if self.size > MOST_PROBLEM_BYTES:
            raise BadCertificate(f"the file {file_name(self.path)} has {self.size:,} bytes; a "
                                 "certificate of a problem in this format has at most "
                                 f"{MOST_PROBLEM_BYTES:,}.")
        file.seek(0)
        self.earlier, self.content = True, file.read()
        self.digest = hashlib.sha256(self.content).hexdigest()
        self.header = problem_header("", SOLVED, 0, 0, self.size)

    def _check_digest(self, file: BinaryIO) -> None:
        file.seek(0, 2)
        left = self.size = file.tell()
        left -= DIGEST_BYTES
        file.seek(0)
        digest = hashlib.sha256()
        while left > 0:
            chunk = file.read(min(left, CHUNK))
            if not chunk:
                raise Refused("the file became shorter while it was read")
            digest.update(chunk)
            left -= len(chunk)
        self.digest = digest.hexdigest()
        if digest.digest() != file.read():
            raise Refused("the digest at its end is not that of the file, which is damaged or has "
                          "been changed")

    def _read_index(self, file: BinaryIO) -> None:
        """Read where each block begins, claim by claim."""
        counts = [self.header.blocks(part) for part in self.header.parts]
        wanted: int = SIZE_BYTES * sum(counts)
        if wanted > self.size:
            raise Refused("it has more records than its size allows")
        sizes = np.frombuffer(file.read(wanted), "<u4").astype(np.int64)
        begin = file.tell()
        ends = begin + np.cumsum(sizes)
        end = int(ends[-1]) if len(ends) else begin
        if len(sizes) != sum(counts) or end != self.size - DIGEST_BYTES:
            raise Refused("its blocks do not end where the file does")
        places = list(zip((ends - sizes).tolist(), sizes.tolist(), strict=True))
        self.places: list[list[tuple[int, int]]] = []
        for count in counts:
            self.places.append(places[:count])
            places = places[count:]

    def block(self, claim: int, number: int) -> Array:
        """Return one block."""
        with _opened(self.path) as file:
            return self._block(file, claim, number)

    def _block(self, file: BinaryIO, claim: int, number: int) -> Array:
        part = self.header.parts[claim]
        width = self.header.record_bytes(part)
        count = min(self.header.block, part.records - number * self.header.block)
        begin, size = self.places[claim][number]
        file.seek(begin)
        unpack = zlib.decompressobj()
        try:
            content = unpack.decompress(file.read(size), count * width + 1)
        except zlib.error:
            content = b""
        if len(content) != count * width or not unpack.eof or unpack.unused_data:
            raise Refused(f"block {number + 1} of the claim {part.words!r} can't be unpacked")
        return np.frombuffer(content, np.uint8).reshape(width, count).T

    def need(self, claim: int) -> int:
        """Return about how many bytes of memory the records of a claim will take."""
        part = self.header.parts[claim]
        return part.records * (COPIES * self.header.record_bytes(part) + NUMBERS)

    def body(self, budget: CheckBudget) -> bytes:
        """Return the body of a certificate of zones, or of a problem."""
        if self.earlier:
            return self.content
        size = self.header.size
        budget.check_room(2 * size)
        unpack, found = zlib.decompressobj(), b""
        with _opened(self.path) as file:
            file.seek(self.begin)
            packed = file.read(self.size - DIGEST_BYTES - self.begin)
        try:
            found = unpack.decompress(packed, size + 1)
        except zlib.error:
            found = b""
        if len(found) != size or not unpack.eof or unpack.unused_data:
            raise Refused(f"its body can't be unpacked to {size:,} bytes")
        return found

    def records(self, claim: int) -> Array:
        """Return all records of a claim, as rows of bytes."""
        part = self.header.parts[claim]
        try:
            found = np.empty((part.records, self.header.record_bytes(part)), np.uint8)
        except (MemoryError, ValueError):
            raise Refused(f"{part.records:,} records do not fit into memory") from None
        with _opened(self.path) as file:
            for number in range(len(self.places[claim])):
                block = self._block(file, claim, number)
                found[number * self.header.block :][: len(block)] = block
        return found


def kind_of(path: str | Path) -> str:
    """Return the kind of a certificate by its header; RECORDS where it can't be read."""
    try:
        with _opened(Path(path)) as file:
            first = file.readline(len(MAGIC) + 8)
            if OF_A_PROBLEM.match(first + file.read(HEAD_BYTES)):
                return PROBLEM
            file.seek(len(first))
            return _header_in(file)[0].kind if first.startswith(MAGIC) else RECORDS
    except OSError as error:
        raise _cannot_read(path, error) from None
    except (ValueError, Refused):
        return RECORDS


def _cannot_read(path: str | Path, error: Exception) -> BadCertificate:
    reason = getattr(error, "strerror", None) or "it has no valid name"
    return BadCertificate(f"can't read the file {file_name(path)}: {reason}.")


def _header_in(file: BinaryIO) -> tuple[Header, int]:
    """Return the header that begins there, and the place where the body begins."""
    text, end, _ = file.read(LONGEST_HEADER).partition(b"\n\n")
    if not end:
        raise Refused("the header has no end")
    return decoded(text), len(FIRST_LINE) + len(text) + len(end)


def _opened(path: Path) -> BinaryIO:
    """Return the file, open. For a pipe there is no waiting, for its other end or its content."""
    file = open(path, "rb", opener=_at_once)  # noqa: SIM115 (the caller closes it)
    if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
        file.close()
        raise OSError(errno.EINVAL, "it is not an ordinary file")
    return file


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


@dataclass
class RecordTable:
    """The records of a claim, sorted by their keys.

    records  a row of bytes each, without the rank
    keys     the bytes by which they are found
    ranks    a number each; none if the claim has no ranks
    lengths  the longest line from each record, as far as it is known; none if it will not be
    order    in which the records are checked, so that those after a record come before it
    layers   stretches of ``order``; within one, no record comes after another
    """

    records: Array
    keys: Array
    ranks: Array
    lengths: Array
    order: Array
    layers: list[tuple[int, int]] = field(default_factory=list)

    def find(self, wanted: list[bytes]) -> Array:
        """Return the numbers of the records with these keys, -1 where there is none."""
        if not wanted or not len(self.keys):
            return np.full(len(wanted), -1)
        keys = np.frombuffer(b"".join(wanted), self.keys.dtype)
        sorting = np.argsort(keys)  # neighbours are found near each other
        at = np.empty(len(keys), np.int64)
        at[sorting] = np.searchsorted(self.keys, keys[sorting])
        np.minimum(at, len(self.keys) - 1, out=at)
        return np.where(self.keys[at] == keys, at, -1)

    def only(self, numbers: Array) -> RecordTable:
        """Return the table with only the records with these numbers to be checked."""
        return replace(self, lengths=self.lengths[:0], order=numbers, layers=[(0, len(numbers))])

    def save(self, directory: Path) -> None:
        """Put the arrays into files."""
        for name in ARRAYS:
            np.save(directory / f"{name}.npy", getattr(self, name))

    @classmethod
    def shared(cls, directory: Path) -> RecordTable:
        """Return the arrays of ``save``; what one process writes into them all others see."""
        # A file of no elements can't be mapped.
        return cls(*(np.load(path, mmap_mode="r+" if np.load(path, "r").size else None)
                     for path in (directory / f"{name}.npy" for name in ARRAYS)))


def parted(rows: Array, part: ClaimPart) -> tuple[Array, Array]:
    """Return records without their ranks, and the ranks, if they have any."""
    if not part.ranked:
        return np.ascontiguousarray(rows), np.empty(0, np.int64)
    ranks = np.ascontiguousarray(rows[:, -RANK_BYTES:]).view("<u4").ravel().astype(np.int64)
    return np.ascontiguousarray(rows[:, :-RANK_BYTES]), ranks


def load(certificate: Certificate, claim: int, rules: RulesOf) -> RecordTable:
    """Return the records of a claim; raise Refused unless their keys rise."""
    part = certificate.header.parts[claim]
    records, ranks = parted(certificate.records(claim), part)
    rows = np.ascontiguousarray(rules.keys(records))
    keys = rows.view(f"S{rows.shape[1]}").ravel()
    falls = np.flatnonzero(keys[1:] <= keys[:-1])
    if len(falls):
        raise Refused(f"record {falls[0] + 2:,} of the claim '{part.words}' does "
                      "not come after the one before it")
    levels = -ranks if part.ranked else rules.levels(records)
    if levels is None or (rules.cyclic and not part.claim.wins):
        nothing = np.empty(0, np.int32)
        return RecordTable(records, keys, ranks, nothing, np.arange(len(keys)), [(0, len(keys))])
    order = np.argsort(-levels, kind="stable")
    cuts = (np.flatnonzero(np.diff(levels[order])) + 1).tolist()
    layers = list(zip([0, *cuts], [*cuts, len(keys)], strict=True))
    return RecordTable(records, keys, ranks, np.zeros(len(keys), np.int32), order, layers)
