"""Upcalls: compiled code that asks Python, by the address of a function.

For games whose positions take long to work out, or are Python objects: the microsecond of a call
does not matter then, and the work need not be compiled into every search. The kernel has let go of
the interpreter lock; the function takes it again for the time of the call. What happens if it
raises something is in ``guard``.
"""

from __future__ import annotations

import ctypes
from typing import Any

from zermelo.compiler.guard import Function, answering, functions
from zermelo.kernel.bits import native

SHAPE = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)


class Upcall:
    """A function of three whole numbers that compiled code can call while this object lives."""

    def __init__(self, function: Function) -> None:
        self.pointer = SHAPE(answering(function))
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
    """What the function of an ``Upcall`` says about three whole numbers; FAILED if it raised."""
    return functions[int(address)](int(what), int(number), int(argument))
