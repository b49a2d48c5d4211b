"""What compilation has cost, and the clock that all seconds of searching are read from."""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

log = logging.getLogger("zermelo.kernel")


class Tally(threading.local):
    """What compilation has cost this thread: kernels compiled, kernels loaded, seconds. ``clock``:
    what seconds are read from, those of compiling and of searching alike, since the ones are taken
    off the others."""

    compiled = 0
    loaded = 0
    seconds = 0.0
    clock: Callable[[], float] = time.perf_counter


tally = Tally()


@contextmanager
def by_processor() -> Iterator[None]:
    """Meanwhile this thread's seconds are those of the processor: what else the machine does
    counts for nothing."""
    usual, tally.clock = tally.clock, time.process_time
    try:
        yield
    finally:
        tally.clock = usual
