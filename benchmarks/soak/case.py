"""What all kinds of cases share: chance, differences, and an end to what takes too long."""

import os
import random
import signal
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

LONGEST = 1.0  # seconds of the processor that reading a text may take
SHOWN = 400
NO_COMPILER = "NUMBA_DISABLE_JIT"


class Difference(Exception):
    """Something is not as it should be; the text says all that is needed to see it."""


class Stuck(BaseException):
    """No answer within the time that ``patience`` allows; no handler of the library catches it."""


def chance(kind: str, seed: int, index: int) -> random.Random:
    """The random numbers of one case."""
    return random.Random(f"{kind}:{seed}:{index}")


def shown(content: Any) -> str:
    """Text or bytes as Python writes them; of long ones the beginning, the end and the length."""
    whole = repr(content)
    if len(whole) <= SHOWN:
        return whole
    return f"{whole[: SHOWN // 2]} ... {whole[-SHOWN // 4 :]} ({len(content):,} long)"


@contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Give up after so many seconds of the processor."""

    def give_up(number: int, frame: Any) -> None:
        raise Stuck

    before = signal.signal(signal.SIGVTALRM, give_up)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


@contextmanager
def without_compilation() -> Iterator[None]:
    """Kernels as plain Python: where little is searched and parameters are many, that is faster."""
    before = os.environ.get(NO_COMPILER)
    os.environ[NO_COMPILER] = "1"
    try:
        yield
    finally:
        del os.environ[NO_COMPILER]
        if before is not None:
            os.environ[NO_COMPILER] = before


@contextmanager
def keeping(name: str, content: bytes, about: str) -> Iterator[None]:
    """Keep the file that is tried where it brings something to light; ``about``: what was done."""
    try:
        yield
    except Exception as error:
        Path(name).write_bytes(content)
        raise Difference(f"{about}: {type(error).__name__}: {error}; the file is kept as "
                         f"{name}") from error


class Watch:
    """Seconds of the processor since it was made."""

    def __init__(self) -> None:
        self.began = time.process_time()

    @property
    def seconds(self) -> float:
        """So far."""
        return time.process_time() - self.began


@cache
def place() -> Path:
    """A directory of this process, in memory where the system has such a place."""
    memory = Path("/dev/shm")
    made = tempfile.TemporaryDirectory(prefix="zermelo-soak-",
                                       dir=memory if memory.is_dir() else None)
    _kept.append(made)
    return Path(made.name)


_kept: list[Any] = []  # removed when the process ends
