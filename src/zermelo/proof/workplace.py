"""A directory beside a file that is being written, so that finished it only has to be renamed.

Its name ends in ``.part`` and carries the machine and the process that writes. What a process that
was killed has left there is removed by the next one that writes to the same path.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from platform import node

from zermelo.errors import BadCertificate, file_name

LONGEST_NAME = 50
ENDING = ".part"


def new_workplace(path: Path) -> Path:
    """A new directory for what will be the certificate at ``path``."""
    try:
        _remove_leftovers(path)
        return Path(tempfile.mkdtemp(ENDING, f"{_begin(path)}{os.getpid()}.", path.parent))
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None


def cannot_write(path: Path, error: Exception) -> BadCertificate:
    """What to raise if ``path`` can't be written."""
    reason = getattr(error, "strerror", None) or "it has no valid name"
    return BadCertificate(f"can't write the certificate {file_name(path)}: {reason}.")


def _begin(path: Path) -> str:
    machine = re.sub(r"[^A-Za-z0-9]", "-", node())[:20]
    return f".{path.name[:LONGEST_NAME]}.{machine}."


def _remove_leftovers(path: Path) -> None:
    begin = _begin(path)
    for found in path.parent.iterdir():
        if not (found.name.startswith(begin) and found.name.endswith(ENDING)):
            continue
        number = found.name[len(begin) :].split(".")[0]
        if number.isascii() and number.isdecimal() and not _is_alive(int(number)):
            shutil.rmtree(found, ignore_errors=True)


def _is_alive(process: int) -> bool:
    with suppress(PermissionError):  # it is somebody else's, and so it is there
        try:
            os.kill(process, 0)
        except (ProcessLookupError, OverflowError):
            return False
    return True
