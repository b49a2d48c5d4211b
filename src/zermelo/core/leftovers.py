"""Files that are being written: beside the one that they become, so that finished they only have to
be renamed.

Their names end in ``.part`` and carry the machine and the process that writes. What a process that
was killed has left there is removed by the next one that writes to the same path.
"""

from __future__ import annotations

import os
import re
import shutil
from contextlib import suppress
from pathlib import Path
from platform import node

LONGEST_NAME = 50
ENDING = ".part"


def part_of(place: Path) -> Path:
    """Where this process writes what will take this place."""
    return place.parent / f"{part_begin(place)}{os.getpid()}{ENDING}"


def part_begin(path: Path) -> str:
    """How the names begin of what is written for ``path`` on this machine."""
    machine = re.sub(r"[^A-Za-z0-9]", "-", node())[:20]
    return f".{path.name[:LONGEST_NAME]}.{machine}."


def remove_leftovers(path: Path) -> None:
    """Remove what processes that are gone have left for ``path``."""
    begin = part_begin(path)
    for found in path.parent.iterdir():
        if not (found.name.startswith(begin) and found.name.endswith(ENDING)):
            continue
        number = found.name[len(begin) :].split(".")[0]
        if number.isascii() and number.isdecimal() and not _is_alive(int(number)):
            with suppress(OSError):
                found.unlink() if found.is_file() else shutil.rmtree(found, ignore_errors=True)


def _is_alive(process: int) -> bool:
    with suppress(PermissionError):  # it is somebody else's, and so it is there
        try:
            os.kill(process, 0)
        except (ProcessLookupError, OverflowError):
            return False
    return True
