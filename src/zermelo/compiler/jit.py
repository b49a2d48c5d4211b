"""Compilation, as games and searches ask for it.

They are written as plain functions; ``kernel(f)`` is ``f`` as an entry point, compiled with every
plain function that it calls. What makes kernels is loaded for the first of them (see ``making``):
what is refused, or printed, before there is one does not wait for it.
"""

from __future__ import annotations

import os
import types
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any


def jit_enabled() -> bool:
    """False under NUMBA_DISABLE_JIT=1, when every kernel runs as ordinary Python."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")


def kernel(function: Callable[..., Any]) -> Any:
    """``function`` as an entry point: compiled once, then loaded from disk; releases the GIL."""
    if not jit_enabled() or not isinstance(function, types.FunctionType):
        return function
    return _maker()(function)


def outlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark an inner function that is called, not inlined: large, or used in many places."""
    function.outlined = True  # type: ignore[attr-defined]
    return function


def load_compiler() -> None:
    """Load Numba now, for a process whose copies are to have it."""
    if jit_enabled():
        import_module("zermelo.compiler.pipeline").load_numba()


@cache
def _maker() -> Callable[[types.FunctionType], Any]:
    """What makes kernels; loading it counts as compiling."""
    tally = import_module("zermelo.compiler.tally").tally
    began = tally.clock()
    maker: Callable[[types.FunctionType], Any] = import_module("zermelo.compiler.making").entry_of
    tally.seconds += tally.clock() - began
    return maker
