"""When a session is saved: at once, every so often, and at the end."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from zermelo.core.checkpoint_file import MAGIC, try_out
from zermelo.errors import BadCheckpoint, file_name
from zermelo.solving.checkpoint import about, check_can_be_saved

if TYPE_CHECKING:
    from zermelo.solving.session import Session

EVERY = 60.0  # seconds
LEAST_REST = 50  # a pause of so many times what writing takes: then writing takes 2 % at most


class Keeper:
    """Writes checkpoints of ``session`` to ``path``: give it to ``run`` as ``between``.

    ``every``: seconds from one to the next; by default 60, or more where writing takes long. What
    can't be written at first is an error; later ``tell`` is told so, and the search goes on.
    ``there``: the session comes from this file, which need not be written at once.
    """

    def __init__(self, session: Session, path: str | Path, every: float | None = None,
                 tell: Callable[[str], None] | None = None, there: bool = False) -> None:
        self.session, self.path, self.every = session, Path(path), every
        self.tell = tell
        self.written = int(there)  # checkpoints
        self.seconds = 0.0  # that writing has taken
        self._due = 0.0
        check_can_be_saved(session)
        about(session)  # the digests of the code, which are found once: that is no writing
        if there:
            try_out(self.path)
            self._rest(0.0)

    def __call__(self) -> None:
        """Write a checkpoint, if it is time."""
        if time.monotonic() >= self._due:
            self.write()

    def write(self) -> bool:
        """Write a checkpoint now; whether that could be done."""
        began, before = time.monotonic(), self.written
        try:
            self.session.save(self.path)
        except BadCheckpoint as error:
            if not self.written or self.tell is None:
                raise
            self.tell(f"{error} The last checkpoint is kept, and the search goes on.")
        else:
            self.written += 1
        took = time.monotonic() - began
        self.seconds += took
        self._rest(took)
        return self.written > before

    def _rest(self, took: float) -> None:
        """Say when the next one is due."""
        rest = max(EVERY, LEAST_REST * took) if self.every is None else self.every
        self._due = time.monotonic() + rest


def check_new(session: Session, path: str | Path) -> None:
    """Refuse before a long search what can't be saved, or where something is already."""
    check_can_be_saved(session)
    place = Path(path)
    try:
        with place.open("rb") as file:
            begin = file.read(len(MAGIC))
    except FileNotFoundError:
        begin = None
    except (OSError, ValueError):
        begin = b""
    if begin == MAGIC:
        raise BadCheckpoint(f"{file_name(path)} holds a checkpoint: 'zermelo resume {path}' goes "
                            "on from it; remove it to begin anew.")
    try_out(place)
    if begin is not None:
        raise BadCheckpoint(f"can't write the checkpoint {file_name(path)}: there is something "
                            "else with this name.")
