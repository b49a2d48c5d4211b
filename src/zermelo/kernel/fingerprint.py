"""A digest of what a function computes: its byte code and everything it refers to.

Two functions with one digest compile to the same machine code, so the digest is the key of the disk
cache. It follows constants, closures, globals and called functions; it ignores docstrings, comments
and line numbers, so that editing prose recompiles nothing and editing a rule always does.
"""

import dis
import hashlib
import sys
import types
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

STABLE_MODULES = ("numpy", "math", "builtins")
EXTENDED_ARG, LOAD_GLOBAL, LOAD_NAME = (
    dis.opmap[name] for name in ("EXTENDED_ARG", "LOAD_GLOBAL", "LOAD_NAME"))


class Unhashable(TypeError):
    """A function refers to something that has no stable digest: it is compiled, but not cached."""


def fingerprint(function: types.FunctionType, *extra: object) -> str:
    """The digest of ``function``, as 32 hex digits; ``extra`` values are mixed in."""
    parts: list[str] = []
    _function(function, {}, parts)
    digest = hashlib.sha256(repr((sys.version_info[:2], extra)).encode())
    digest.update("".join(f"{part}\0" for part in parts).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]


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


def _function(function: types.FunctionType, seen: dict[int, int], parts: list[str]) -> None:
    if id(function) in seen:
        parts.append(f"recursion {seen[id(function)]}")
        return
    seen[id(function)] = len(seen)
    parts += _code(function.__code__, function.__doc__)
    parts.append(repr(function.__defaults__))
    for name, value in sorted(references(function).items()):
        parts.append(name)
        _value(value, seen, parts)


@cache
def _code(code: types.CodeType, doc: str | None) -> tuple[str, ...]:
    parts = [code.co_code.hex(),
             repr((code.co_names, code.co_varnames, code.co_freevars, code.co_argcount))]
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            parts += _code(constant, None)
        elif doc is None or constant != doc:
            parts.append(repr(constant))
    return tuple(parts)


def _value(value: Any, seen: dict[int, int], parts: list[str]) -> None:
    if hasattr(value, "native"):  # compiled code gets what this function makes
        value = value.native
    if isinstance(value, types.FunctionType):
        _function(value, seen, parts)
    elif isinstance(value, types.ModuleType):
        _module(value, parts)
    elif isinstance(value, type | types.BuiltinFunctionType):
        parts.append(f"{value.__module__}.{value.__qualname__} {getattr(value, '_fields', '')}")
        parts += map(repr, getattr(value, "__members__", {}).values())  # of an enumeration
    elif isinstance(value, tuple):
        parts.append(f"tuple {len(value)}")
        for item in value:
            _value(item, seen, parts)
    elif value is None or isinstance(value, bool | int | float | str | np.generic | np.dtype):
        parts.append(f"{type(value).__name__} {value!r}")
    elif isinstance(value, np.ufunc):
        parts.append(f"ufunc {value.__name__}")
    else:
        raise Unhashable(f"a {type(value).__name__} can't be part of a compiled function's key")


def _module(module: types.ModuleType, parts: list[str]) -> None:
    parts.append(f"module {module.__name__} {getattr(module, '__version__', '')}")
    if module.__name__.partition(".")[0] not in STABLE_MODULES:
        source = getattr(module, "__file__", None)
        if source is None:
            raise Unhashable(f"module {module.__name__} has no source file")
        with open(source, "rb") as file:
            parts.append(hashlib.sha256(file.read()).hexdigest())
