"""Files that appear whole or not at all, directories for temporary files, and texts from outside.

A file is written beside its place, then renamed: this is the only module that renames. A file that
is there is replaced, and so is the file that a link leads to. A directory, a device or a FIFO is
refused and stays as it is.

Names of unfinished files and of temporary directories end in ``.part`` and carry the machine, the
process and a random number. They are made where nothing is, so that no link is followed. What a
killed process has left is removed by the next one that writes to the same path; nothing else is:
not what has another name, is of another user, or of a process that is alive.

Every notation is read in a time that grows with its length and no faster; LONGEST_TEXT and
LARGEST_FILE bound the length.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import shutil
import stat
import sys
import tempfile
import weakref
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from platform import node
from typing import Any, BinaryIO, cast

from zermelo.errors import BadOption, BadPosition, file_name, quoted

LONGEST_NAME = 50
REST = re.compile(r"(\d+)\.[0-9a-f]{16}\.part")


def place_of(path: str | Path) -> Path:
    """Return where a file that is written to ``path`` goes, links followed; OSError if it must
    not."""
    try:
        place = Path(os.path.realpath(path))
        kind = place.stat().st_mode
    except FileNotFoundError:
        if place.parent.is_dir():
            return place
        raise FileNotFoundError(errno.ENOENT, "there is no such directory", str(path)) from None
    except ValueError:
        raise OSError(errno.EINVAL, "it has no valid name", str(path)) from None
    if stat.S_ISDIR(kind):
        raise IsADirectoryError(errno.EISDIR, "it is a directory, not a file", str(path))
    if not stat.S_ISREG(kind):
        raise OSError(errno.EEXIST, "it is a device, a FIFO or a socket, not a file",
                      str(path))
    return place


def try_out(path: str | Path) -> None:
    """Raise now the OSError that ``replacing`` would raise later."""
    part = _new_part(place_of(path))
    part.touch(exist_ok=False)
    part.unlink()


@contextmanager
def replacing(path: str | Path, mode: int | None = None) -> Iterator[BinaryIO]:
    """A file to be written, which replaces the one at ``path`` when the block ends; an exception
    leaves that as it was.

    With ``mode`` the file is the program's own and has these permissions: a link is replaced, and
    the file need not outlive a power cut. Without, permissions are those of the old file.
    """
    place = place_of(path) if mode is None else Path(path)
    part = _new_part(place)

    def opened(name: str, flags: int) -> int:
        return os.open(name, flags, 0o666 if mode is None else mode)

    try:
        # What is there already is not ours to remove.
        file = cast(BinaryIO, open(part, "x+b", opener=opened))  # noqa: SIM115
        try:
            with file:
                yield file
                file.flush()
                if mode is None:
                    os.fsync(file.fileno())
            if mode is None:
                with suppress(OSError):  # who may read the old file may read the new one
                    shutil.copymode(place, part)
            part.replace(place)
            if mode is None:
                _keep_name(place.parent)
        finally:  # after Ctrl-C, too
            with suppress(OSError):
                part.unlink(missing_ok=True)
    except OSError as error:
        if error.filename is not None and str(error.filename) == str(part):
            error.filename = str(path)  # not a name that was made up here
        raise


def write_whole(path: str | Path, content: bytes) -> None:
    """Put a file in the place of the one at ``path``, if any; OSError leaves that as it was."""
    with replacing(path) as file:
        file.write(content)


def _keep_name(directory: Path) -> None:
    """Let a new name outlive a power cut, where a directory can be opened."""
    with suppress(OSError):
        opened = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(opened)
        finally:
            os.close(opened)


class Folder:
    """A new directory that others can't look into: beside a path, or in the temporary directory. It
    is removed at the end, or, after a kill, when the next one for this name is made."""

    def __init__(self, name: str | Path) -> None:
        if isinstance(name, str):
            name = Path(tempfile.gettempdir()) / name
        self.path = _new_part(name)
        self.path.mkdir(mode=0o700)
        self.close = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *problem: object) -> None:
        self.close()


def _new_part(place: Path) -> Path:
    """A new name beside ``place``, where no killed process has left anything."""
    with suppress(OSError):
        remove_leftovers(place)
    return part_of(place)


def part_of(place: Path) -> Path:
    """A new name for what will take this place, to be made with ``x`` or ``exist_ok=False``."""
    return place.parent / f"{part_begin(place)}{os.getpid()}.{os.urandom(8).hex()}.part"


def part_begin(path: Path) -> str:
    """Return how the names begin of what is written for ``path`` on this machine, or in this
    container: elsewhere the numbers of processes are others."""
    here = node()
    with suppress(OSError):  # of Linux
        here += os.readlink("/proc/self/ns/pid")
    return f".{path.name[:LONGEST_NAME]}.{hashlib.sha256(here.encode()).hexdigest()[:16]}."


def remove_leftovers(path: Path) -> None:
    """Remove what processes that are gone have left for ``path``."""
    begin = part_begin(path)
    for found in path.parent.iterdir():
        rest = REST.fullmatch(found.name.removeprefix(begin))
        if rest is None or not found.name.startswith(begin) or _is_alive(int(rest[1])):
            continue
        with suppress(OSError):
            facts = found.lstat()
            if hasattr(os, "getuid") and facts.st_uid != os.getuid():
                continue
            found.unlink() if stat.S_ISREG(facts.st_mode) else shutil.rmtree(found)


def _is_alive(process: int) -> bool:
    with suppress(PermissionError):  # it is somebody else's, and so it is there
        try:
            os.kill(process, 0)
        except (ProcessLookupError, OverflowError):
            return False
    return True


LONGEST_TEXT = 100_000  # characters of a position or of the record of one game
LARGEST_FILE = 100_000_000  # bytes of a file of positions or records

COMMENT_LINE = re.compile(r"\s*(#(?!\d)|$)")  # "#11c1,a3b4" is a position of Hex


def check_length(owner: str, text: str, what: str) -> None:
    """Refuse a text that is too long for ``what``."""
    if len(text) > LONGEST_TEXT:
        raise BadPosition(f"{owner}: {quoted(text)} is too long for {what}; it may have at most "
                          f"{LONGEST_TEXT:,} characters.")


def file_text(source: str | Path) -> str:
    """Return the text of a file, or of standard input if it is called ``-``."""
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
        if not COMMENT_LINE.match(line):
            yield number, line.strip()


def json_line(record: Any) -> str:
    """One line of JSON. Letters of all languages stand for themselves; what is not printable is
    escaped, since a terminal may obey it."""
    line = json.dumps(record, ensure_ascii=False)
    return line if line.isprintable() else "".join(
        c if c.isprintable() else _escaped(c) for c in line)


def _escaped(character: str) -> str:
    """Escape a character for JSON: in two parts where it is beyond 16 bits."""
    units = character.encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at : at + 2].hex()}" for at in range(0, len(units), 2))
