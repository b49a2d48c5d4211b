"""Progress on standard error: a line that is rewritten, or one every ten seconds in a log."""

from __future__ import annotations

import shutil
import sys
import threading
import time
from collections.abc import Sequence

ON_TERMINAL, IN_LOG = 0.3, 10.0  # seconds between two lines
LOG_WIDTH = 100
TICK = 0.5  # seconds


def shortened(text: str, width: int) -> str:
    """The beginning of ``text`` where it does not fit."""
    return text if len(text) <= width else f"{text[: max(width - 4, 0)]} ..."


class LiveLine:
    """A line of progress; ``opening`` is shown at once, on a terminal."""

    def __init__(self, quiet: bool, opening: str = "") -> None:
        self.quiet, self.terminal, self.width = quiet, sys.stderr.isatty(), 0
        # In a log the time begins with the first call, when all is compiled.
        self.next = time.monotonic() + ON_TERMINAL if self.terminal else None
        if opening and self.terminal and not quiet:
            self._rewrite(opening)

    def is_time(self) -> bool:
        """Whether a line is due; if not, it need not be put together."""
        if self.next is None:
            self.next = time.monotonic() + IN_LOG
        return not self.quiet and time.monotonic() >= self.next

    def line(self, text: str) -> None:
        """Show a line, if it is time."""
        if not self.is_time():
            return
        if self.terminal:
            self._rewrite(shortened(text, shutil.get_terminal_size().columns - 1))
        else:
            print(shortened(text, LOG_WIDTH), file=sys.stderr, flush=True)
        self.next = time.monotonic() + (ON_TERMINAL if self.terminal else IN_LOG)

    def parts(self, parts: Sequence[str]) -> None:
        """Show as many of ``parts`` as fit; the first ones say most."""
        room = (shutil.get_terminal_size().columns - 1) if self.terminal else LOG_WIDTH
        shown, *others = parts
        for part in others:
            if len(shown) + 2 + len(part) > room:
                break
            shown = f"{shown}, {part}"
        self.line(shown)

    def _rewrite(self, text: str) -> None:
        print(f"\r{text.ljust(self.width)}", end="", file=sys.stderr, flush=True)
        self.width = len(text)

    def close(self) -> None:
        """Wipe the line."""
        if self.width:
            print(f"\r{' ' * self.width}\r", end="", file=sys.stderr, flush=True)
            self.width = 0


class Ticker:
    """Reports every half second how long something has taken that can't report progress itself."""

    def __init__(self, live: LiveLine, what: str) -> None:
        self.live, self.what, self.began = live, what, time.monotonic()
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._tick, daemon=True)
        self.thread.start()

    def _tick(self) -> None:
        while not self.over.wait(TICK):
            self.live.line(f"{self.what} ... {time.monotonic() - self.began:.0f} s")

    def stop(self) -> None:
        """Stop reporting."""
        self.over.set()
        self.thread.join()
