"""A directory beside a certificate that is being written (see ``whole_files``)."""

from __future__ import annotations

from pathlib import Path

from zermelo.errors import BadCertificate, file_name
from zermelo.whole_files import Folder, place_of


class CannotWrite(BadCertificate):
    """A certificate finds no place on the disk, whatever is in it."""


def new_workplace(path: Path) -> Folder:
    """A new directory for what will be the certificate at ``path``, if it may be there."""
    try:
        return Folder(place_of(path))
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None


def cannot_write(path: Path, error: Exception) -> CannotWrite:
    """What to raise if ``path`` can't be written."""
    reason = getattr(error, "strerror", None) or "it has no valid name"
    return CannotWrite(f"can't write the certificate {file_name(path)}: {reason}.")
