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


@native(_native_popcount)
def popcount(x: Any) -> int:
    """How many bits of ``x`` are set."""
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
