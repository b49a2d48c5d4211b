"""A directory beside a certificate that is being written (see ``core.leftovers``)."""

from __future__ import annotations

from pathlib import Path

from zermelo.core.leftovers import part_of, remove_leftovers
from zermelo.core.whole_files import place_of
from zermelo.errors import BadCertificate, file_name


class CannotWrite(BadCertificate):
    """A certificate finds no place on the disk, whatever is in it."""


def new_workplace(path: Path) -> Path:
    """A new directory for what will be the certificate at ``path``, if it may be there."""
    try:
        place = place_of(path)
        remove_leftovers(place)
        directory = part_of(place)
        directory.mkdir(mode=0o700)
        return directory
    except (OSError, ValueError) as error:
        raise cannot_write(path, error) from None


def cannot_write(path: Path, error: Exception) -> CannotWrite:
    """What to raise if ``path`` can't be written."""
    reason = getattr(error, "strerror", None) or "it has no valid name"
    return CannotWrite(f"can't write the certificate {file_name(path)}: {reason}.")
