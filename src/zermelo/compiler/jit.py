"""Compilation, as games and searches ask for it.

They are written as plain functions; ``kernel(f)`` is ``f`` as an entry point, compiled with every
plain function that it calls. What makes kernels is loaded for the first of them (see ``factory``):
what is refused, or printed, before there is one does not wait for it.
"""

from __future__ import annotations

import os
import re
import types
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Any

from zermelo.compiler.compile_stats import stats
from zermelo.errors import BadGame, CompilerFault, ZermeloError, one_line


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
    """Return what makes kernels; loading it counts as compiling."""
    began = stats.clock()
    maker: Callable[[types.FunctionType], Any] = import_module("zermelo.compiler.factory").entry_of
    stats.seconds += stats.clock() - began
    return maker


SHOWN = 240
COLOURS = re.compile(r"\x1b\[[0-9;]*m")  # which Numba uses where the package colorama is installed
MORE = "run 'zermelo check-game' for details"


class rules_that_compile:
    """Turn what ``dispatcher`` raises when it can't be compiled into BadGame, or into CompilerFault
    where the rules are not to blame.

    A class, since entering a generator takes as long as some kernels do."""

    __slots__ = ("dispatcher", "name")

    def __init__(self, name: str, dispatcher: Any) -> None:
        self.name, self.dispatcher = name, dispatcher

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if not isinstance(error, Exception) or isinstance(error, ZermeloError) or not jit_enabled():
            return
        if not self.dispatcher.nopython_signatures:
            pipeline = import_module("zermelo.compiler.pipeline")
            if not (pipeline.blames_code(error) and self.dispatcher.reading.may_change):
                raise CompilerFault(
                    f"{self.name}: the compiler failed: {type(error).__name__}: {one_line(error)} "
                    f"({pipeline.versions()}).") from error
            raise BadGame(f"{self.name}: the rules do not compile: {core_of(error)}; "
                          f"{MORE}.") from None
        if isinstance(error, TypeError):
            raise BadGame(f"{self.name}: a rule does not return a number ({error}); "
                          f"{MORE}.") from None


def core_of(error: BaseException) -> str:
    """The part of one of Numba's long messages that says what is wrong, and the line of code."""
    lines = [line.strip() for line in COLOURS.sub("", str(error)).splitlines()]
    lines = [line for line in lines if line and not line.startswith("Failed in nopython mode")]
    core = lines[0] if lines else type(error).__name__
    if core.endswith("found for signature:"):
        call = next((line[4:] for line in lines if line.startswith(">>> ")), "this call")
        core = f"there is no compiled version of {call}"
    if isinstance(error, KeyError):
        core = f"there is no field {core}"
    core = re.sub(r"Record\(.*\)", "the state", core)
    core = core[:SHOWN].rstrip(". ")
    for i, line in enumerate(lines):
        place = re.match(r'File "(.*)", line (\d+):', line)
        if place:
            mark = next((j for j in range(i, len(lines)) if lines[j] == "^"), i + 1)
            source = lines[mark - 1] if mark > i + 1 else ""
            return f"{core} (line {place[2]}: {source})" if source else f"{core} (line {place[2]})"
    return core
