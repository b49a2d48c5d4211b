"""Bit operations on 64-bit words.

Each is a plain Python function, which runs under NUMBA_DISABLE_JIT=1, with a ``native`` twin that
stands in for it in compiled code: a single instruction where the processor has one. A test holds
the two against each other.

In compiled code a uint64 mixed with an int literal becomes a signed number, or even a float: name
constants with ``word`` and keep literals to shift counts.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

word = np.uint64
ZERO, ONE = np.uint64(0), np.uint64(1)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
ALL = 0xFFFFFFFFFFFFFFFF


def native(make: Callable[[], Any]) -> Callable[[Callable[..., Any]], Any]:
    """Mark a plain function: compiled code calls what ``make()`` returns instead."""
    def mark(function: Any) -> Any:
        function.native = make
        return function

    return mark


def _native_popcount() -> Any:
    from numba.core import types
    from numba.extending import intrinsic

    @intrinsic
    def popcount(typingctx, x):
        def generate(context, builder, signature, arguments):
            return builder.ctpop(context.cast(builder, arguments[0], x, types.uint64))

        return types.int64(x), generate

    return popcount


def _native_lowest() -> Any:
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    @intrinsic
    def lowest(typingctx, x):
        def generate(context, builder, signature, arguments):
            value = context.cast(builder, arguments[0], x, types.uint64)
            return builder.cttz(value, ir.Constant(ir.IntType(1), 0))

        return types.int64(x), generate

    return lowest


def _native_mix() -> Any:
    def mix(x):
        x = word(x)
        x = (x ^ (x >> 30)) * MIX_1
        x = (x ^ (x >> 27)) * MIX_2
        return x ^ (x >> 31)

    return mix


def _native_prefetch() -> Any:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    @intrinsic
    def prefetch(typingctx, array, index):
        def generate(context, builder, signature, arguments):
            made = context.make_array(signature.args[0])(context, builder, arguments[0])
            at = context.cast(builder, arguments[1], index, types.intp)
            pointer = cgutils.get_item_pointer(
                context, builder, signature.args[0], made, [at], wraparound=False)
            byte = builder.bitcast(pointer, ir.IntType(8).as_pointer())
            bit32 = ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [byte.type, bit32, bit32, bit32])
            fetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            builder.call(fetch, [byte, bit32(0), bit32(3), bit32(1)])
            return context.get_dummy_value()

        return types.void(array, index), generate

    return prefetch


def _native_cast(source: str, target: str) -> Any:
    from numba.core import types
    from numba.extending import intrinsic

    wanted, given = getattr(types, target), getattr(types, source)

    @intrinsic
    def cast(typingctx, x):
        def generate(context, builder, signature, arguments):
            value = context.cast(builder, arguments[0], x, given)
            return builder.bitcast(value, context.get_value_type(wanted))

        return wanted(x), generate

    return cast


def _native_bare() -> Any:
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    def strip(context, builder, kind, value):
        if isinstance(kind, types.Array):
            made = context.make_array(kind)(context, builder, value)
            made.meminfo = ir.Constant(made.meminfo.type, None)
            return made._getvalue()
        if isinstance(kind, types.BaseTuple):
            for i, item in enumerate(kind.types):
                part = strip(context, builder, item, builder.extract_value(value, i))
                value = builder.insert_value(value, part, i)
        return value

    @intrinsic
    def bare(typingctx, value):
        def generate(context, builder, signature, arguments):
            return strip(context, builder, signature.args[0], arguments[0])

        return value(value), generate

    return bare


@native(_native_bare)
def bare(value: Any) -> Any:
    """An array, or a tuple of arrays, that compiled code does not count references to.

    Taking an array out of a tuple costs two atomic additions otherwise, many times a node. The
    caller must hold on to the original.
    """
    return value


@native(_native_prefetch)
def prefetch(array: Any, index: int) -> None:
    """Begin to load ``array[index]`` from memory; nothing else happens."""


@native(lambda: _native_cast("float64", "uint64"))
def bits_of(x: float) -> Any:
    """The 64 bits of a float."""
    return np.float64(x).view(np.uint64)


@native(lambda: _native_cast("uint64", "float64"))
def float_of(bits: Any) -> Any:
    """The float with these 64 bits."""
    return np.uint64(bits).view(np.float64)


@native(_native_popcount)
def popcount(x: Any) -> int:
    """Return how many bits of ``x`` are set."""
    return int(x).bit_count()


@native(_native_lowest)
def lowest(x: Any) -> int:
    """The index of the lowest set bit of ``x``; 64 for 0."""
    return (int(x) & -int(x)).bit_length() - 1 if int(x) else 64


@native(_native_mix)
def mix(x: Any) -> Any:
    """A bijection of 64-bit words that spreads every bit (the finaliser of SplitMix64)."""
    value = int(x)
    value = ((value ^ (value >> 30)) * int(MIX_1)) & ALL
    value = ((value ^ (value >> 27)) * int(MIX_2)) & ALL
    return np.uint64(value ^ (value >> 31))
