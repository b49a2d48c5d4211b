"""How large the pages of a file of Parquet become when they are unpacked, before any of them is.

The footer states a size for each column of each group of rows, but a reader goes by what stands
before each page: a few bytes there can make it take 2 GB. So the pages are followed here, and have
to keep to what the footer states. A page begins with a structure in the compact protocol of Thrift,
of which only the two sizes are of interest:

    2: i32 uncompressed_page_size, 3: i32 compressed_page_size

https://parquet.apache.org/docs/file-format/data-pages/
"""

from __future__ import annotations

import mmap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zermelo.lab.archive_check import MOST_BYTES, require

UNPACKED, PACKED = 2, 3  # the fields of a page's header
STOP, TRUE, FALSE, BYTE, I16, I32, I64, DOUBLE, BINARY, LIST, SET, MAP, STRUCT = range(13)
VARINTS = (I16, I32, I64)
LONGEST_VARINT = 10
DEEPEST = 8  # structures within each other


class Unreadable(Exception):
    """Not a header of a page."""


class Header:
    """Reads one structure from ``at`` on."""

    def __init__(self, data: Any, at: int, end: int) -> None:
        self.data, self.at, self.end = data, at, end

    def sizes(self) -> tuple[int, int]:
        """Of the page, unpacked and packed; the header ends where ``at`` is then."""
        found: dict[int, int] = {}
        for name, kind in self._fields():
            if name in (UNPACKED, PACKED) and kind == I32:
                found[name] = self._number()
            else:
                self._skip(kind, 0)
        if len(found) != 2 or min(found.values()) < 0:
            raise Unreadable
        return found[UNPACKED], found[PACKED]

    def _fields(self) -> Iterator[tuple[int, int]]:
        name = 0
        while True:
            head = self._byte()
            if head == STOP:
                return
            name = name + (head >> 4) if head >> 4 else self._number()
            yield name, head & 15

    def _skip(self, kind: int, depth: int) -> None:
        if depth > DEEPEST:
            raise Unreadable
        if kind in VARINTS:
            self._varint()
        elif kind in (BYTE, DOUBLE, BINARY):
            self._pass(1 if kind == BYTE else 8 if kind == DOUBLE else self._varint())
        elif kind in (LIST, SET):
            head = self._byte()
            for _ in range(head >> 4 if head >> 4 < 15 else self._varint()):
                self._skip_item(head & 15, depth)
        elif kind == STRUCT:
            for _, inner in self._fields():
                self._skip(inner, depth + 1)
        elif kind not in (TRUE, FALSE):  # a map is in no header
            raise Unreadable

    def _skip_item(self, kind: int, depth: int) -> None:
        """An item of a list; there a truth takes a byte."""
        self._skip(BYTE if kind in (TRUE, FALSE) else kind, depth + 1)

    def _pass(self, count: int) -> None:
        self.at += count
        if self.at > self.end:
            raise Unreadable

    def _byte(self) -> int:
        self._pass(1)
        return int(self.data[self.at - 1])

    def _varint(self) -> int:
        found = 0
        for place in range(LONGEST_VARINT):
            byte = self._byte()
            found |= (byte & 127) << 7 * place
            if byte < 128:
                return found
        raise Unreadable

    def _number(self) -> int:
        """Positive and negative numbers in turn."""
        found = self._varint()
        return found >> 1 if found % 2 == 0 else -(found >> 1) - 1


def check_pages(path: Path, metadata: Any) -> None:
    """Refuse a file whose pages take more room than it states, or than any archive may."""
    chunks = [metadata.row_group(group).column(column) for group in range(metadata.num_row_groups)
              for column in range(metadata.num_columns)]
    stated = sum(max(0, chunk.total_uncompressed_size) for chunk in chunks)
    require(stated <= MOST_BYTES,
            f"its columns take {stated:,} bytes, and at most {MOST_BYTES:,} are read")
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
        for chunk in chunks:
            _check_chunk(data, chunk)


def _check_chunk(data: Any, chunk: Any) -> None:
    """The pages of a column of one group of rows."""
    name, left = chunk.path_in_schema, chunk.total_uncompressed_size
    starts = [chunk.data_page_offset]
    if chunk.has_dictionary_page and chunk.dictionary_page_offset:
        starts.append(chunk.dictionary_page_offset)
    at, end = min(starts), min(starts) + chunk.total_compressed_size
    require(0 <= at <= end <= len(data), f"its column {name} is not within the file")
    while at < end:
        header = Header(data, at, end)
        try:
            unpacked, packed = header.sizes()
        except Unreadable:
            require(False, f"a page of its column {name} can't be read")
        left -= header.at - at + unpacked
        require(left >= 0, f"a page of its column {name} takes {unpacked:,} bytes, which is more "
                           "than the file states")
        at = header.at + packed
