"""The cost of compiling, the clock of all seconds, and who is told of it.

Loading this module loads nothing else.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

log = logging.getLogger("zermelo.kernel")


class CompileStats(threading.local):
    """The cost of compilation in this thread: kernels compiled, kernels loaded, seconds. ``clock``
    gives the seconds of compiling and of searching alike, since compile time is subtracted."""

    compiled = 0
    loaded = 0
    seconds = 0.0
    clock: Callable[[], float] = time.perf_counter


stats = CompileStats()


@contextmanager
def by_processor() -> Iterator[None]:
    """Count processor time as this thread's seconds for a while: what else the machine does
    counts for nothing."""
    usual, stats.clock = stats.clock, time.process_time
    try:
        yield
    finally:
        stats.clock = usual


class Listener:
    """Callbacks: ``tell`` when compiling a kernel begins (True) and ends (False); ``say`` for
    sentences about the cache of kernels, instead of a warning."""

    tell: Callable[[bool], None] | None = None
    say: Callable[[str], None] | None = None

    @contextmanager
    def told(self) -> Iterator[None]:
        """Tell of what is done meanwhile."""
        tell = self.tell
        if tell is None:
            yield
            return
        tell(True)
        try:
            yield
        finally:
            tell(False)


listener = Listener()
