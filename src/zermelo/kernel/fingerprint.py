"""A digest of what a function computes: its byte code and everything it refers to.

Two functions with one digest compile to the same machine code, so the digest is the key of the disk
cache. It follows constants, closures, globals and called functions; it ignores docstrings, comments
and line numbers, so that editing prose recompiles nothing and editing a rule always does.
"""

import hashlib
import sys
import types
from functools import cache
from typing import Any

import numpy as np

from zermelo.kernel.references import references

STABLE_MODULES = ("numpy", "math", "builtins")


class Unhashable(TypeError):
    """A function refers to something that has no stable digest: it is compiled, but not cached."""


def fingerprint(function: types.FunctionType, *extra: object) -> str:
    """The digest of ``function``, as 32 hex digits; ``extra`` values are mixed in."""
    parts: list[str] = []
    _function(function, {}, parts)
    digest = hashlib.sha256(repr((sys.version_info[:2], extra)).encode())
    digest.update("".join(f"{part}\0" for part in parts).encode("utf-8", "surrogatepass"))
    return digest.hexdigest()[:32]


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
