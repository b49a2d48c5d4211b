"""What a function refers to: its free variables, and the globals that its byte code reads."""

import dis
import types
from functools import cache
from pathlib import Path
from typing import Any

EXTENDED_ARG, LOAD_GLOBAL, LOAD_NAME = (
    dis.opmap[name] for name in ("EXTENDED_ARG", "LOAD_GLOBAL", "LOAD_NAME"))


def references(function: types.FunctionType) -> dict[str, Any]:
    """The free variables and globals that ``function`` uses, by name."""
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        found[name] = cell.cell_contents
    for name in sorted(global_names(function.__code__)):
        if name not in found and name in function.__globals__:
            found[name] = function.__globals__[name]
    return found


@cache
def global_names(code: types.CodeType) -> frozenset[str]:
    """The globals that ``code`` and the functions in it read; attributes may have such names too.

    The byte code is read here because ``dis`` takes longer than loading a kernel.
    """
    found, high = set(), 0
    steps = code.co_code
    for step, low in zip(steps[::2], steps[1::2], strict=True):
        argument = high | low
        high = argument << 8 if step == EXTENDED_ARG else 0
        if step == LOAD_GLOBAL:
            found.add(code.co_names[argument >> 1])  # the lowest bit is a flag
        elif step == LOAD_NAME:
            found.add(code.co_names[argument])
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= global_names(constant)
    return frozenset(found)


def call_of(function: types.FunctionType, builtin: Any,
            met: set[int] | None = None) -> str | None:
    """Where ``function``, or a function that it calls, uses a built-in function of Python's."""
    met = set() if met is None else met
    if function.__module__.startswith("zermelo.") or id(function) in met:
        return None
    met.add(id(function))
    code, name = function.__code__, builtin.__name__
    if name in global_names(code) and name not in function.__globals__:
        return f"line {_line(code, name)} of {Path(code.co_filename).name}"
    for value in references(function).values():
        place = call_of(value, builtin, met) if isinstance(value, types.FunctionType) else None
        if place is not None:
            return place
    return None


def _line(code: types.CodeType, name: str) -> int:
    """The first line of ``code`` that reads the global ``name``, or the first line of all."""
    waiting = [code]
    for part in waiting:
        line = part.co_firstlineno
        for step in dis.get_instructions(part):
            line = (step.positions and step.positions.lineno) or line
            if step.opname in ("LOAD_GLOBAL", "LOAD_NAME") and step.argval == name:
                return line
        waiting += [inner for inner in part.co_consts if isinstance(inner, types.CodeType)]
    return code.co_firstlineno
