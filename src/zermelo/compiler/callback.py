"""Upcalls: compiled code that asks Python, by the address of a function.

For games whose positions take long to work out, or are Python objects: the microsecond of a call
does not matter then, and the work need not be compiled into every search. The kernel has let go of
the interpreter lock; the function takes it again for the time of the call.

Compiled code can't pass on an exception. What a function raises is put aside, every further call of
that kernel is answered by FAILED at once, and the exception is raised when the kernel comes back.
So that a kernel is not torn apart by Ctrl-C, signals wait until it comes back, too; unless the
function has been at work for long, or there is a second one: then it is interrupted where it is.

What such functions found can be read without a call: ``Pages`` of whole numbers that Python writes
and kernels read, as many as there will be. They never move, so a kernel may read while Python makes
more of them; it finds a page by its address in a ``directory``, an array that never moves either.
Pages come from the system itself, which hands them out empty: a kernel in another thread sees 0 or
what was written, whatever order it sees the writing in. So 0 must mean that nothing is known yet.
"""

from __future__ import annotations

import ctypes
import mmap
import signal
import sys
import threading
from collections.abc import Callable
from time import perf_counter
from typing import Any

import numpy as np

from zermelo.kernel.bits import native
from zermelo.workers.signals import Handlers, give_back, take_over

FAILED = -1
PATIENCE = 1.0  # seconds that a function may have been at work when Ctrl-C comes
SIGNALS = (signal.SIGINT, signal.SIGTERM)
Function = Callable[[int, int, int], int]

functions: dict[int, Function] = {}  # that compiled code can call now, by address
_raised: dict[int, BaseException] = {}  # by thread


class Shield:
    """Signals that come while a kernel runs in the main thread: they wait."""

    def __init__(self) -> None:
        self.since = 0.0  # when the function that is at work was called; 0 while there is none
        self.waiting: list[int] = []
        self.handlers: Handlers = {}

    def up(self) -> None:
        """Take over the signals."""
        take_over(self.take, SIGNALS, self.handlers)

    def take(self, number: int, frame: Any) -> None:
        """A signal: now, if the function that is at work takes long, or later."""
        late = self.since > 0 and perf_counter() - self.since > PATIENCE
        if late or (self.waiting and self.since > 0):
            self.waiting.clear()
            self.handlers[number](number, frame)
        else:
            self.waiting.append(number)

    def down(self, deliver: bool) -> None:
        """Give the signals back; those that came meanwhile have their effect now."""
        handlers, waiting = self.handlers, self.waiting
        give_back(handlers)
        self.handlers, self.waiting = {}, []
        for number in waiting if deliver else ():
            handlers[number](number, None)


shield = Shield()


def answering(function: Function) -> Function:
    """``function`` as compiled code calls it: it raises nothing."""
    def answer(what: int, number: int, argument: int) -> int:
        before = shield.since
        try:
            if _raised and threading.get_ident() in _raised:
                return FAILED
            shield.since = perf_counter()
            return function(what, number, argument)
        except BaseException as error:
            error.from_callback = True  # type: ignore[attr-defined]
            _raised[threading.get_ident()] = error
            return FAILED
        finally:
            shield.since = before

    return answer


def guarded(kernel: Callable[..., Any], *arguments: Any) -> Any:
    """Call ``kernel``, which may call functions; raise what one of them has raised."""
    if not functions:
        return kernel(*arguments)
    main = threading.current_thread() is threading.main_thread()
    shielded = main and not shield.handlers
    try:
        if shielded:
            shield.up()
        result = kernel(*arguments)
    finally:
        raised = _raised.pop(threading.get_ident(), None)
        if shielded:
            shield.down(deliver=raised is None)
    if raised is not None:
        raise raised
    return result


def from_callback(error: BaseException) -> bool:
    """Return True if ``error`` was raised by a function that compiled code called, so that the
    kernel has not come back by itself."""
    return getattr(error, "from_callback", False)


CALL_TYPE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


class Upcall:
    """A function of three whole numbers that compiled code can call while this object lives."""

    def __init__(self, function: Function) -> None:
        self.pointer = CALL_TYPE(answering(function))
        address = ctypes.cast(self.pointer, ctypes.c_void_p).value
        assert address is not None
        self.address = address
        functions[address] = function

    def __del__(self) -> None:
        functions.pop(self.address, None)


def _native_upcall() -> Any:
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    @intrinsic
    def call_back(typingctx, address, what, number, argument):
        def generate(context, builder, signature, arguments):
            wide = ir.IntType(64)
            values = [context.cast(builder, value, kind, types.int64)
                      for value, kind in zip(arguments, signature.args, strict=True)]
            kind = ir.FunctionType(wide, [wide, wide, wide])
            function = builder.inttoptr(values[0], kind.as_pointer())
            return builder.call(function, values[1:])

        return types.int64(address, what, number, argument), generate

    return call_back


@native(_native_upcall)
def call_back(address: Any, what: Any, number: Any, argument: Any) -> Any:
    """Return what the function of an ``Upcall`` says about three whole numbers; FAILED if it
    raised."""
    return functions[int(address)](int(what), int(number), int(argument))


PAGE_BITS = 16
PAGE = 1 << PAGE_BITS  # numbers on one page
PLACE = PAGE - 1  # which part of a number's place is its place on the page
MOST_PAGES = 1 << 20
Array = np.ndarray[Any, Any]


class Pages:
    """Numbers from 0 to 2**63 - 1, by their places from 0 on."""

    def __init__(self) -> None:
        self.directory: Array = np.zeros(MOST_PAGES, np.int64)  # only what is used takes memory
        self.pages: list[memoryview] = []

    def add(self) -> None:
        """One page more."""
        private = {} if sys.platform == "win32" else {
            "flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS}
        page = mmap.mmap(-1, 8 * PAGE, **private)
        self.directory[len(self.pages)] = ctypes.addressof(ctypes.c_char.from_buffer(page))
        self.pages.append(memoryview(page).cast("q"))


def _native_number_at() -> Any:
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    @intrinsic
    def number_at(typingctx, address, place):
        def generate(context, builder, signature, arguments):
            start, index = (context.cast(builder, value, kind, types.int64)
                            for value, kind in zip(arguments, signature.args, strict=True))
            page = builder.inttoptr(start, ir.IntType(64).as_pointer())
            return builder.load(builder.gep(page, [index]))

        return types.int64(address, place), generate

    return number_at


@native(_native_number_at)
def number_at(address: Any, place: Any) -> Any:
    """The number at this place of the page with this address."""
    return ctypes.c_int64.from_address(int(address) + 8 * int(place)).value
