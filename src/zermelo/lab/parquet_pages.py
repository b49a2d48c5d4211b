"""How large the pages of a file of Parquet become when they are unpacked, before any of them is.

The footer states a size for each column of each group of rows, but a reader goes by what stands
before each page: a few bytes there can make it take 2 GB. So the pages are followed here, and have
to keep to what the footer states. Names and numbers of fields are those of ``parquet.thrift``.
https://parquet.apache.org/docs/file-format/
"""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import Any

from zermelo.lab.archive_check import MOST_BYTES, require
from zermelo.lab.thrift import I32, I64, LIST, STRUCT, Fields, Reader, Unreadable

LENGTH_AND_MAGIC = 8  # bytes at the end of a file
LARGEST_FOOTER = 1 << 26
Name = tuple[int, int]
ROW_GROUPS: Name = (4, LIST)  # of the footer
COLUMNS: Name = (1, LIST)  # of a group of rows
META_DATA: Name = (3, STRUCT)  # of a column
PATH, UNPACKED, PACKED = (3, LIST), (6, I64), (7, I64)  # of its metadata
DATA_PAGE, DICTIONARY_PAGE = (9, I64), (11, I64)
UNPACKED_PAGE, PACKED_PAGE = (2, I32), (3, I32)  # of a page


def check_pages(path: Path) -> None:
    """Refuse a file whose pages take more room than it states, or than any archive may."""
    with path.open("rb") as file:
        require(file.seek(0, 2) > LENGTH_AND_MAGIC, "it is too short")
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            chunks = _chunks(data)
            stated = sum(max(0, _whole(chunk, UNPACKED)) for chunk in chunks)
            require(stated <= MOST_BYTES,
                    f"its columns take {stated:,} bytes, and at most {MOST_BYTES:,} are read")
            for chunk in chunks:
                _check_chunk(data, chunk)


def _chunks(data: Any) -> list[Fields]:
    """What the footer says about each column of each group of rows."""
    end = len(data) - LENGTH_AND_MAGIC
    size = int.from_bytes(data[end : end + 4], "little")
    require(size <= min(end, LARGEST_FOOTER), f"its footer can't have {size:,} bytes")
    try:
        footer = Reader(data, end - size, end).fields()
        return [column[META_DATA] for group in footer[ROW_GROUPS] for column in group[COLUMNS]]
    except (Unreadable, KeyError, TypeError):  # or a list of something else
        require(False, "its footer can't be read")
    return []


def _whole(chunk: Fields, name: Name) -> int:
    require(name in chunk, "its footer does not say where its columns are, and how large")
    return int(chunk[name])


def _check_chunk(data: Any, chunk: Fields) -> None:
    """The pages of a column of one group of rows."""
    name = _name(chunk)
    at, left = _whole(chunk, DATA_PAGE), _whole(chunk, UNPACKED)
    if 0 < chunk.get(DICTIONARY_PAGE, 0) < at:
        at = chunk[DICTIONARY_PAGE]
    end = at + _whole(chunk, PACKED)
    require(0 <= at <= end <= len(data), f"its column {name} is not within the file")
    while at < end:
        header = Reader(data, at, end)
        try:
            fields = header.fields()
            unpacked, packed = fields[UNPACKED_PAGE], fields[PACKED_PAGE]
        except (Unreadable, KeyError):
            unpacked = packed = -1
        require(min(unpacked, packed) >= 0, f"a page of its column {name} can't be read")
        left -= header.at - at + unpacked
        require(left >= 0, f"a page of its column {name} takes {unpacked:,} bytes, which is more "
                           "than the file states")
        at = header.at + packed
        require(at <= end, f"a page of its column {name} goes beyond it")


def _name(chunk: Fields) -> str:
    """The name of a column, for a sentence."""
    parts = chunk.get(PATH) or []
    return ".".join(part.decode(errors="replace") for part in parts if isinstance(part, bytes))
