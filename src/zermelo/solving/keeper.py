"""When a session is saved: at once, every so often, and at the end.

Unless the user says how often, a checkpoint is due when a minute has passed and writing it keeps
all writing so far below 2 % of the time. What it will take is estimated beforehand, by the bytes
that there are to pack: what it took last time is too little for a table that has grown.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from zermelo.errors import BadCheckpoint, file_name
from zermelo.solving.checkpoint import about, check_can_be_saved, weight_of
from zermelo.storage.checkpoint_file import HEAD, CheckpointLock, is_checkpoint, try_out

if TYPE_CHECKING:
    from zermelo.solving.session import Session

EVERY = 60.0  # seconds
SHARE = 0.02  # of the time, the most that writing may take
GUESS, PACE = 8e-9, 2.5e-9  # seconds for a byte: before any was measured, and then at least
MARGIN = 1.5  # times what it took last, on a machine that may be busier then
GOES_ON = "The last checkpoint is kept, and the search goes on."
LOST = "The checkpoint before it is kept, and what was searched since then is lost."
LARGE = 1 << 26  # bytes from which on the pace can be measured


class Spending:
    """How much of a clock's time writing takes; ``spent`` so far."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.clock, self.begun = clock, clock()
        self.spent = self.last = self._before = 0.0
        self.pace = GUESS

    def begin(self) -> None:
        """Writing begins, or looking at what there is to write."""
        self._before = self.clock()

    def end(self) -> float:
        """It is done; how long it took."""
        took = self.clock() - self._before
        self.spent += took
        return took

    def learn(self, took: float, size: int) -> None:
        """So many bytes were written in that time."""
        self.last = took
        if size >= LARGE:
            self.pace = max(PACE, MARGIN * took / size)

    def short(self, size: int) -> float:
        """How long it takes until writing so much keeps it all within its share; 0 if it does."""
        likely = max(MARGIN * self.last, self.pace * size)
        return max(0.0, (self.spent + likely) / SHARE - likely - (self.clock() - self.begun))


class Keeper:
    """Writes checkpoints of ``session`` to ``path``: give it to ``run`` as ``between``.

    ``every``: seconds from one to the next; by default 60, or more where writing takes long. What
    can't be written at first is an error; later ``tell`` is told so, and the search goes on.
    ``there``: the session comes from this file, which need not be written at once. No other keeper
    may have the file meanwhile.
    """

    def __init__(self, session: Session, path: str | Path, every: float | None = None,
                 tell: Callable[[str], None] | None = None, there: bool = False) -> None:
        self.session, self.path, self.every = session, Path(path), every
        self.tell = tell
        self.written = int(there)  # checkpoints
        self._due = 0.0
        self._size = 0  # bytes that the next one has to pack, if that is known
        check_can_be_saved(session)
        about(session)  # the digests of the code, which are found once: that is no writing
        # The processors' time, too: on a busy machine it is what writing takes from the search.
        self.seconds, self.processor = Spending(time.monotonic), Spending(time.process_time)
        self.clocks = (self.seconds, self.processor)
        self.lock = CheckpointLock(self.path)
        if there:
            try_out(self.path)
            self.lock.take()
            self._rest()

    def __call__(self) -> None:
        """Write a checkpoint, if it is time."""
        if time.monotonic() < self._due:
            return
        short = self._short() if self.every is None and self.written else 0.0
        if short:
            self._due = time.monotonic() + short
        else:
            self.write()

    def _short(self) -> float:
        """How long to wait at least until there is time for the next one."""
        for clock in self.clocks:
            clock.begin()
        self._size = weight_of(self.session)
        for clock in self.clocks:
            clock.end()
        return max(self.seconds.short(self._size),
                   self.processor.short(self._size) / self.session.threads)

    def write(self, last: bool = False) -> bool:
        """Write a checkpoint now; whether that could be done. ``last``: the search has ended."""
        before = self.written
        for clock in self.clocks:
            clock.begin()
        try:
            self.session.save(self.path)
        except BadCheckpoint as error:
            if not self.written or self.tell is None:
                raise
            self.tell(f"{error} {LOST if last else GOES_ON}")
        else:
            self.written += 1
            self.lock.follow()
        for clock in self.clocks:
            clock.learn(clock.end(), self._size)
        self._rest()
        return self.written > before

    def _rest(self) -> None:
        """Say when the next one may be due."""
        self._due = time.monotonic() + (EVERY if self.every is None else self.every)


def check_new(session: Session, path: str | Path) -> None:
    """Refuse before a long search what can't be saved, or where something is already."""
    check_can_be_saved(session)
    place = Path(path)
    try:
        with place.open("rb") as file:
            there = is_checkpoint(file.read(HEAD))
    except FileNotFoundError:
        try_out(place)
        return
    except (OSError, ValueError):
        there = False
    if there:
        raise BadCheckpoint(f"{file_name(path)} holds a checkpoint: 'zermelo resume {path}' goes "
                            "on from it; remove it to begin anew.")
    try_out(place)
    raise BadCheckpoint(f"can't write the checkpoint {file_name(path)}: there is something "
                        "else with this name.")
