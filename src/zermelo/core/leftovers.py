"""Files and directories that are there for a while: beside the file that they become, so that
finished they only have to be renamed, or in the temporary directory of the system.

Their names end in ``.part`` and carry the machine, the process and a random number. They are made
where nothing is, so that no link is followed. What a process that was killed has left is removed by
the next one that writes to the same path; nothing else is: not what has another name, is of another
user, or of a process that is there.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import stat
import tempfile
import weakref
from contextlib import suppress
from pathlib import Path
from platform import node

LONGEST_NAME = 50
REST = re.compile(r"(\d+)\.[0-9a-f]{16}\.part")


def part_of(place: Path) -> Path:
    """A new name for what will take this place, to be made with ``x`` or ``exist_ok=False``."""
    return place.parent / f"{part_begin(place)}{os.getpid()}.{secrets.token_hex(8)}.part"


def part_begin(path: Path) -> str:
    """How the names begin of what is written for ``path`` on this machine."""
    machine = re.sub(r"[^A-Za-z0-9]", "-", node())[:20]
    return f".{path.name[:LONGEST_NAME]}.{machine}."


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


class Folder:
    """A new directory in the temporary one, which others can't look into. It is removed at the end,
    or, after a kill, when the next one with this name is made."""

    def __init__(self, name: str) -> None:
        place = Path(tempfile.gettempdir()) / name
        with suppress(OSError):
            remove_leftovers(place)
        self.path = part_of(place)
        self.path.mkdir(mode=0o700)
        self.close = weakref.finalize(self, shutil.rmtree, self.path, ignore_errors=True)

    def __enter__(self) -> Path:
        return self.path

    def __exit__(self, *problem: object) -> None:
        self.close()


def _is_alive(process: int) -> bool:
    with suppress(PermissionError):  # it is somebody else's, and so it is there
        try:
            os.kill(process, 0)
        except (ProcessLookupError, OverflowError):
            return False
    return True
