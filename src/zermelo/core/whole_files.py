"""Files that appear whole or not at all: written beside their place, then renamed.

A file that is there is replaced, and so is the file that a link leads to. A directory, a device or
a FIFO is refused and stays as it is.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from contextlib import suppress
from pathlib import Path

from zermelo.core.leftovers import part_of, remove_leftovers


def place_of(path: str | Path) -> Path:
    """Where a file that is written to ``path`` goes, links followed; OSError if it must not."""
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
    """Raise now the OSError that ``write_whole`` would raise later."""
    part = part_of(place_of(path))
    part.touch(exist_ok=False)
    part.unlink()


def write_whole(path: str | Path, content: bytes) -> None:
    """Put a file in the place of the one at ``path``, if any; OSError leaves that as it was."""
    place = place_of(path)
    part = part_of(place)
    with suppress(OSError):
        remove_leftovers(place)
    file = part.open("xb")  # what is there already is not ours to remove
    try:
        with file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        with suppress(OSError):  # who may read the old file may read the new one
            shutil.copymode(place, part)
        part.replace(place)
    finally:  # after Ctrl-C, too
        with suppress(OSError):
            part.unlink(missing_ok=True)
