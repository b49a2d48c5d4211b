"""What the compiler says about a game's rules, in one sentence, and faults of the compiler."""

from __future__ import annotations

import re
from importlib import import_module
from typing import Any

from zermelo.compiler.jit import jit_enabled
from zermelo.errors import BadGame, CompilerFault, ZermeloError, one_line

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
