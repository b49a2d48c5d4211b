"""Upcalls: compiled code that asks Python, by the address of a function.

For games whose positions take milliseconds to work out, so that the microsecond of a call does not
matter and the work need not be compiled into every search. The kernel has let go of the interpreter
lock; the function takes it again for the time of the call.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from zermelo.kernel.bits import native

SHAPE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)
_plain: dict[int, Callable[[int, int], int]] = {}


class Upcall:
    """A function of two whole numbers that compiled code can call while this object lives."""

    def __init__(self, function: Callable[[int, int], int]) -> None:
        self._pointer = SHAPE(function)
        address = ctypes.cast(self._pointer, ctypes.c_void_p).value
        assert address is not None
        self.address = address
        _plain[address] = function

    def __del__(self) -> None:
        _plain.pop(self.address, None)


def _native_upcall() -> Any:
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    @intrinsic
    def upcall(typingctx, address, what, number):
        def generate(context, builder, signature, arguments):
            wide = ir.IntType(64)
            values = [context.cast(builder, value, kind, types.int64)
                      for value, kind in zip(arguments, signature.args, strict=True)]
            kind = ir.FunctionType(wide, [wide, wide])
            function = builder.inttoptr(values[0], kind.as_pointer())
            return builder.call(function, values[1:])

        return types.int64(address, what, number), generate

    return upcall


@native(_native_upcall)
def upcall(address: Any, what: Any, number: Any) -> Any:
    """What the function of an ``Upcall`` says about two whole numbers."""
    return _plain[int(address)](int(what), int(number))
