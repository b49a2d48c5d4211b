"""Texts from outside: how long they may be, and files of them.

Every notation is read in a time that grows with its length and no faster; these two numbers bound
the length.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from zermelo.errors import BadOption, BadPosition, file_name, quoted

LONGEST_TEXT = 100_000  # characters of a position or of the record of one game
LARGEST_FILE = 100_000_000  # bytes of a file of positions or records

COMMENT = re.compile(r"\s*(#(?!\d)|$)")  # "#11c1,a3b4" is a position of Hex


def check_length(owner: str, text: str, what: str) -> None:
    """Refuse a text that is too long for ``what``."""
    if len(text) > LONGEST_TEXT:
        raise BadPosition(f"{owner}: {quoted(text)} is too long for {what}; it may have at most "
                          f"{LONGEST_TEXT:,} characters.")


def file_text(source: str | Path) -> str:
    """All of a text file, or of standard input if it is called ``-``."""
    try:
        if source == "-":
            content = sys.stdin.buffer.read(LARGEST_FILE + 1)
        else:
            with Path(source).open("rb") as file:
                content = file.read(LARGEST_FILE + 1)
    except (OSError, ValueError, AttributeError) as error:  # also a closed standard input
        reason = getattr(error, "strerror", None) or "it is not there"
        raise BadOption(f"can't read the file {file_name(source)}: {reason}.") from None
    if len(content) > LARGEST_FILE:
        raise BadOption(f"the file {file_name(source)} is larger than {LARGEST_FILE:,} bytes.")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise BadOption(f"the file {file_name(source)} is not a text in UTF-8.") from None


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """The lines with something in them and their numbers from 1; ``#`` begins a comment."""
    for number, line in enumerate(text.splitlines(), 1):
        if not COMMENT.match(line):
            yield number, line.strip()


def json_line(record: Any) -> str:
    """One line of JSON. Letters of all languages stand for themselves; what is not printable is
    escaped, since a terminal may obey it."""
    line = json.dumps(record, ensure_ascii=False)
    return line if line.isprintable() else "".join(
        c if c.isprintable() else _escaped(c) for c in line)


def _escaped(character: str) -> str:
    """As JSON escapes it: in two parts where it is beyond 16 bits."""
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
