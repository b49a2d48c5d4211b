"""The cost of compiling, the clock of all seconds, and what a process decides before it compiles.

Loading this module loads nothing else.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

log = logging.getLogger("zermelo.kernel")


class CompileStats(threading.local):
    """What compilation has cost this thread: kernels compiled, kernels loaded, seconds. ``clock``:
    what seconds are read from, those of compiling and of searching alike, since the ones are taken
    off the others."""

    compiled = 0
    loaded = 0
    seconds = 0.0
    clock: Callable[[], float] = time.perf_counter


stats = CompileStats()


@contextmanager
def by_processor() -> Iterator[None]:
    """Meanwhile this thread's seconds are those of the processor: what else the machine does
    counts for nothing."""
    usual, stats.clock = stats.clock, time.process_time
    try:
        yield
    finally:
        stats.clock = usual


numba_alone = False


def load_numba_alone() -> None:
    """Let Numba start without SciPy and coverage, for a process that runs our kernels only.

    Numba imports SciPy, where there is one, to look for matrix routines, and coverage to tell it of
    compiled lines. That takes longer than many a search, and no kernel has a use for either.
    """
    global numba_alone
    numba_alone = True


class Listener:
    """Who is told when a kernel begins to be compiled (True), and when it ends (False); and who
    hears what there is to ``say`` about the cache of kernels, if that is not to be a warning."""

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
