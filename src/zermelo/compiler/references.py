"""What a function refers to: the globals and free variables that its byte code reads, and which of
their attributes."""

import dis
import sys
import types
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

CODES = ("CACHE", "NOP", "EXTENDED_ARG", "LOAD_GLOBAL", "LOAD_NAME", "LOAD_ATTR", "LOAD_METHOD",
         "IMPORT_NAME")
(CACHE, NOP, EXTENDED_ARG, LOAD_GLOBAL, LOAD_NAME, LOAD_ATTR, LOAD_METHOD,
 IMPORT_NAME) = (dis.opmap.get(name, -1) for name in CODES)
# Where a name is a variable of the function or of one around it.
VARIABLES = frozenset(dis.opmap.get(name, -1) for name in (
    "LOAD_DEREF", "LOAD_CLASSDEREF", "LOAD_FROM_DICT_OR_DEREF"))
CONSTANTS = frozenset(dis.hasconst)
ATTRIBUTE_SHIFT = 1 if sys.version_info >= (3, 12) else 0  # the lowest bit is a flag there

Chains = dict[str, set[tuple[str, ...]]]


class Reads(NamedTuple):
    """What some byte code reads: names, each with the chains of attributes that are read of it,
    such as ``("sub", "X")`` for ``name.sub.X`` and ``()`` for the value itself; the modules that it
    imports; and the indexes of its own constants."""

    globals: Chains
    variables: Chains
    imports: set[str]
    constants: frozenset[int]


@cache
def reads(code: types.CodeType) -> Reads:
    """What ``code`` and the functions in it read.

    The byte code is read here because ``dis`` takes longer than loading a kernel.
    """
    found = Reads({}, {}, set(), frozenset(_loaded_constants(code)))
    names, variables = code.co_names, _variables(code)
    where: Chains = {}
    name = ""
    chain: tuple[str, ...] = ()
    for step, argument in _steps(code):
        if step in (LOAD_ATTR, LOAD_METHOD) and name:
            shift = ATTRIBUTE_SHIFT if step == LOAD_ATTR else 0
            chain = (*chain, names[argument >> shift])
            continue
        if name:
            where.setdefault(name, set()).add(chain)
        name, chain = "", ()
        if step == LOAD_GLOBAL:
            where, name = found.globals, names[argument >> 1]  # the lowest bit is a flag
        elif step == LOAD_NAME:
            where, name = found.globals, names[argument]
        elif step in VARIABLES:
            where, name = found.variables, variables[argument]
        elif step == IMPORT_NAME:
            found.imports.add(names[argument])
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            inner = reads(constant)
            for all_of, more in ((found.globals, inner.globals),
                                 (found.variables, inner.variables)):
                for name, chains in more.items():
                    all_of.setdefault(name, set()).update(chains)
            found.imports.update(inner.imports)
    return found


def _steps(code: types.CodeType) -> list[tuple[int, int]]:
    """The instructions and their arguments, without those that do nothing."""
    found, high = [], 0
    steps = code.co_code
    for step, low in zip(steps[::2], steps[1::2], strict=True):
        if step not in (CACHE, NOP):
            argument = high | low
            high = argument << 8 if step == EXTENDED_ARG else 0
            if step != EXTENDED_ARG:
                found.append((step, argument))
    return found


def _loaded_constants(code: types.CodeType) -> list[int]:
    return [argument for step, argument in _steps(code) if step in CONSTANTS]


def _variables(code: types.CodeType) -> tuple[str, ...]:
    """The variables as instructions number them."""
    own = code.co_varnames
    return (*own, *(name for name in code.co_cellvars if name not in own), *code.co_freevars)


def references(function: types.FunctionType) -> dict[str, Any]:
    """The free variables and globals that ``function`` uses, by name."""
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            found[name] = cell.cell_contents
        except ValueError:  # it has no value yet
            continue
    for name in sorted(reads(function.__code__).globals):
        if name not in found and name in function.__globals__:
            found[name] = function.__globals__[name]
    return found


def call_of(function: types.FunctionType, builtin: Any,
            met: set[int] | None = None) -> str | None:
    """Where ``function``, or a function that it calls, uses a built-in function of Python's."""
    met = set() if met is None else met
    if function.__module__.startswith("zermelo.") or id(function) in met:
        return None
    met.add(id(function))
    code, name = function.__code__, builtin.__name__
    if name in reads(code).globals and name not in function.__globals__:
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
