"""Progress on standard error: a line that is rewritten, or one every ten seconds in a log."""

from __future__ import annotations

import shutil
import sys
import time

ON_TERMINAL, IN_LOG = 0.3, 10.0  # seconds between two lines
LOG_WIDTH = 240


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
        """Whether a line is due, so that it is worth making."""
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

    def _rewrite(self, text: str) -> None:
        print(f"\r{text.ljust(self.width)}", end="", file=sys.stderr, flush=True)
        self.width = len(text)

    def close(self) -> None:
        """Wipe the line."""
        if self.width:
            print(f"\r{' ' * self.width}\r", end="", file=sys.stderr, flush=True)
            self.width = 0
