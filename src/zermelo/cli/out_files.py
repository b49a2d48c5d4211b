"""Files that a command writes beside its answer: whole or not at all, after the answer is told."""

from __future__ import annotations

from zermelo.errors import BadOption, file_name
from zermelo.storage.whole_files import try_out, write_whole


def check_file(path: str | None) -> None:
    """Refuse now a file that could not be written after a long search."""
    if path is None:
        return
    try:
        try_out(path)
    except OSError as error:
        raise _cannot_write(path, error) from None


def write_file(path: str, content: str | bytes, rest: str = "") -> None:
    """Write the whole file; where that fails it is as it was, and ``rest`` ends the sentence."""
    try:
        write_whole(path, content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise _cannot_write(path, error, rest) from None


def _cannot_write(path: str, error: OSError, rest: str = "") -> BadOption:
    return BadOption(f"can't write the file {file_name(path)}: {error.strerror}{rest}.")
