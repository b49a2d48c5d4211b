"""While a kernel is compiled: what Numba need not do beside it."""

import gc
import logging
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from typing import Any

MISSING = (ImportError, AttributeError)


@contextmanager
def undisturbed() -> Iterator[None]:
    """While a kernel is compiled: no garbage is collected, no lock is timed, and nothing logged.

    Compiling makes many objects and hardly a cycle. Numba times two locks for every function, with
    all those that call it, at each of some ten thousand calls of LLVM, and offers each instruction
    several times to a log that is off. Its own lock sees to it that one thread at a time is here.
    """
    with ExitStack() as after:
        if gc.isenabled():
            gc.disable()
            after.callback(gc.enable)
        for stop in (_stop_timing, _stop_logging):
            with suppress(*MISSING):
                stop(after)
        yield


def _stop_timing(after: ExitStack) -> None:
    from llvmlite.binding import ffi
    from numba.core import event

    events: Any = event
    timer, lock = events.install_timer, ffi.lib._lock
    events.install_timer = lambda kind, callback: nullcontext()
    after.callback(setattr, events, "install_timer", timer)
    callbacks, lock._cblist = lock._cblist, []
    after.callback(setattr, lock, "_cblist", callbacks)


class Silence:
    """A log that is off."""

    def debug(self, *arguments: Any, **options: Any) -> None:
        """Take nothing."""


def _stop_logging(after: ExitStack) -> None:
    from numba.core import byteflow, ssa

    module: Any
    for module in (byteflow, ssa):
        log = module._logger
        if not log.isEnabledFor(logging.DEBUG):
            module._logger = Silence()
            after.callback(setattr, module, "_logger", log)
