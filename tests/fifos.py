"""A pipe with a name that nobody writes to, for what must not wait for it."""

import os
from contextlib import contextmanager
from threading import Timer

SECONDS = 2


@contextmanager
def pipe(path):
    """Make it; whoever waits for it finds it empty after a while, instead of waiting for ever."""
    os.mkfifo(path, 0o600)
    timers = [Timer(SECONDS * n, lambda: os.close(os.open(path, os.O_RDWR | os.O_NONBLOCK)))
              for n in range(1, 4)]
    for timer in timers:
        timer.start()
    try:
        yield path
    finally:
        for timer in timers:
            timer.cancel()
