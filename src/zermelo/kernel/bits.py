"""Bit operations on 64-bit words, as single instructions, and their plain twins.

``popcount``, ``lowest`` and ``mix`` work in compiled code and, under NUMBA_DISABLE_JIT=1, in
ordinary Python. In compiled code a uint64 mixed with an int literal becomes a signed number, or
even a float: name constants with ``word`` and keep literals to shift counts.
"""

from typing import Any

import numpy as np

from zermelo.kernel.jit import jit_enabled

word = np.uint64
ZERO, ONE = np.uint64(0), np.uint64(1)
MIX_1, MIX_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
MASK = (1 << 64) - 1


def plain_popcount(x: int) -> int:
    """How many bits of ``x`` are set."""
    return int(x).bit_count()


def plain_lowest(x: int) -> int:
    """The index of the lowest set bit of ``x``; 64 for 0."""
    return (int(x) & -int(x)).bit_length() - 1 if int(x) else 64


def plain_mix(x: int) -> Any:
    """A bijection of 64-bit words that spreads every bit (the finaliser of SplitMix64)."""
    value = int(x)
    value = ((value ^ (value >> 30)) * int(MIX_1)) & MASK
    value = ((value ^ (value >> 27)) * int(MIX_2)) & MASK
    return np.uint64(value ^ (value >> 31))


def _compiled_mix(x):  # type: ignore[no-untyped-def]
    x = word(x)
    x = (x ^ (x >> 30)) * MIX_1
    x = (x ^ (x >> 27)) * MIX_2
    return x ^ (x >> 31)


popcount: Any
lowest: Any
mix: Any

if jit_enabled():
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    @intrinsic
    def popcount(typingctx, x):  # type: ignore[no-untyped-def]
        """How many bits of the uint64 ``x`` are set."""

        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            return builder.ctpop(context.cast(builder, arguments[0], x, types.uint64))

        return types.int64(x), generate

    @intrinsic
    def lowest(typingctx, x):  # type: ignore[no-untyped-def]
        """The index of the lowest set bit of the uint64 ``x``; 64 for 0."""

        def generate(context, builder, signature, arguments):  # type: ignore[no-untyped-def]
            value = context.cast(builder, arguments[0], x, types.uint64)
            return builder.cttz(value, ir.Constant(ir.IntType(1), 0))

        return types.int64(x), generate

    mix = _compiled_mix
else:
    popcount, lowest, mix = plain_popcount, plain_lowest, plain_mix
