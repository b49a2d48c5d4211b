"""A digest of what a function computes: its byte code and the values of everything it refers to.

Two functions with one digest compile to the same machine code, so ``factory`` makes the key of the
disk cache of it, with the versions of Numba and of the compiling modules. It follows constants,
closures, globals, defaults, called functions and the attributes that the byte code reads of modules
and classes, all as values: where a value came from, another module, JSON or the environment, makes
no difference. It ignores docstrings, comments and line numbers, so that editing prose recompiles
nothing and editing a rule always does.

Compiled code keeps the values of the moment when it was compiled, while a program may change them
later. ``Reading`` remembers where each was found, and tells whether it is still there.
"""

from __future__ import annotations

import dis
import hashlib
import os
import struct
import sys
import types
from collections.abc import Callable, Iterable, Mapping
from enum import Enum, EnumMeta
from functools import cache, partial
from operator import attrgetter, call, is_
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from zermelo.errors import BadGame

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
    """The reads of some byte code: names, each with the chains of attributes that are read of it,
    such as ``("sub", "X")`` for ``name.sub.X`` and ``()`` for the value itself; the modules that it
    imports; and the indexes of its own constants."""

    globals: Chains
    variables: Chains
    imports: set[str]
    constants: frozenset[int]


@cache
def reads(code: types.CodeType) -> Reads:
    """Return what ``code`` and the functions in it read.

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
    """Return where ``function``, or a function that it calls, uses a built-in function of
    Python's."""
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


# What is in these is known by its name and their version.
VERSIONED = ("numpy", "numba", "llvmlite")
LIBRARY = os.path.dirname(os.__file__)
OWN = "zermelo."  # no program changes the values of these modules
OWN_NAMES = vars(sys.modules["zermelo"])
# The parts of a function that can be exchanged.
OWN_PARTS = tuple(map(attrgetter, ("__code__", "__defaults__", "__kwdefaults__")))
MISSING: Any = type("Missing", (), {"__repr__": lambda self: "missing"})()


class Unhashable(TypeError):
    """A function refers to something that has no stable digest: it is compiled, but not cached."""

    def __init__(self, sentence: str, name: str = "", value: Any = None) -> None:
        super().__init__(sentence)
        self.name, self.value = name, value


def fingerprint(function: types.FunctionType, *extra: object) -> str:
    """The digest of ``function``, as 32 hex digits; ``extra`` values are mixed in."""
    reading = Reading(function)
    if reading.problem is not None:
        raise reading.problem
    return reading.digest(*extra)


class Reading:
    """The values that some functions and all that they call depend on, and, of somebody's class,
    those in ``spaces``.

    ``problem``: why they have no digest that is the same in every process, or None. ``jitted``: the
    functions that a user compiled with Numba, each after those that it calls.
    """

    def __init__(self, *functions: types.FunctionType,
                 spaces: tuple[Mapping[str, Any], ...] = ()) -> None:
        self.functions, self.spaces = functions, spaces
        self.problem: Unhashable | None = None
        self.jitted: list[Any] = []
        self._outdated: str | None = None
        self._parts: list[str] = []
        self._seen: dict[int, int] = {}
        # Where values of a user's functions were found: how each is read, it, and its name.
        self._reads: list[Callable[[], Any]] = []
        self._values: list[Any] = []
        self._labels: list[str] = []
        self._watched: set[tuple[int, str]] = set()
        self._arrays: list[tuple[str, Any, tuple[Any, ...]]] = []
        for function in functions:
            self._function(function)
        for space in spaces:
            for name, value in space.items():
                self._parts.append(name)
                self._watch(space, name, value)
                self._value(value, name, True)

    def digest(self, *extra: object) -> str:
        """32 hex digits; ``extra`` values are mixed in."""
        digest = hashlib.sha256(repr((sys.version_info[:2], extra)).encode())
        digest.update("".join(f"{len(part)}:{part}" for part in self._parts)
                      .encode("utf-8", "surrogatepass"))
        return digest.hexdigest()[:32]

    @property
    def may_change(self) -> bool:
        """Return True if it has values that a program may change: those of functions of a
        user's."""
        return bool(self._reads)

    def check(self) -> None:
        """Raise BadGame if a value is another one by now."""
        if self._outdated is not None:
            raise BadGame(f"a value of {self._outdated}, a module of which more than an attribute "
                          "is used, has changed, which compiled code can't follow: name the "
                          f"attributes, as {self._outdated}.NAME, or start the program again.")
        if (change := self.change()) is not None:
            raise BadGame(f"{change} since the rules or the search that use it were defined; make "
                          "the game and the search again, and they will go by it.")

    def change(self) -> str | None:
        """Return which value is another one by now, in words; None if all are as they were."""
        if self._as_found() and self._outdated is None:
            return None
        now = Reading(*self.functions, spaces=self.spaces)
        if now._parts != self._parts:
            return self._difference()
        vars(self).update(vars(now))  # equal values in other places
        return None

    def _as_found(self) -> bool:
        """Return True if each value is the very same object, and no array has other content."""
        return (all(map(is_, map(call, self._reads), self._values))
                and all(_state(array) == state for _, array, state in self._arrays))

    def _difference(self) -> str:
        for read, value, label in zip(self._reads, self._values, self._labels, strict=True):
            if (now := read()) is not value:
                return f"{label} has changed{_from_to(value, now)}"
        for name, array, state in self._arrays:
            if _state(array) != state:
                return f"the content of {name} has changed"
        return "a value in it has changed"

    def _refuse(self, label: str, value: Any, what: str = "") -> None:
        kind = what or f"a {type(value).__name__}"
        self._parts.append(f"unknown {id(value)}")
        self.problem = self.problem or Unhashable(
            f"{label}, {kind}, can't be part of a compiled function's key", label, value)

    def _function(self, function: types.FunctionType) -> None:
        if id(function) in self._seen:
            self._parts.append(f"recursion {self._seen[id(function)]}")
            return
        self._seen[id(function)] = len(self._seen)
        code, space = function.__code__, function.__globals__
        watched = not is_own(function)
        for own in OWN_PARTS if watched else ():
            self._note(partial(own, function), own(function),
                       f"the code or a default of {function.__qualname__}")
        self._parts += _code(code)
        name = function.__qualname__
        self._value(function.__defaults__, f"a default of {name}", watched)
        for key, default in sorted((function.__kwdefaults__ or {}).items()):
            self._parts.append(f"default {key}")
            self._value(default, f"{key} of {name}", watched)
            if watched and function.__kwdefaults__:
                self._watch(function.__kwdefaults__, key, default)
        found = reads(code)
        for module in sorted(found.imports):
            if not _is_versioned(module) and watched:
                self._refuse(f"import {module}", None, "in a function")
        cells = dict(zip(code.co_freevars, function.__closure__ or (), strict=True))
        for name, chains in sorted(found.variables.items()):
            if name in cells:
                value = _content(cells[name])
                if watched:
                    self._note(partial(_content, cells[name]), value, name)
                self._read(name, value, chains, watched)
        builtins = space.get("__builtins__", {})
        builtins = vars(builtins) if isinstance(builtins, types.ModuleType) else builtins
        for name, chains in sorted(found.globals.items()):
            value = space.get(name, MISSING)
            if watched:
                self._watch(space, name, value)
            if value is MISSING:
                value = builtins.get(name, MISSING)
                if watched:
                    self._watch(builtins, name, value)
            self._read(name, value, chains, watched)

    def _watch(self, mapping: Mapping[str, Any], name: str, value: Any) -> None:
        if mapping is not OWN_NAMES and (id(mapping), name) not in self._watched:
            self._watched.add((id(mapping), name))
            home = f"{mapping['__name__']}." if mapping.get("__name__") else ""
            self._note(partial(mapping.get, name, MISSING), value, f"{home}{name}")

    def _note(self, read: Callable[[], Any], value: Any, label: str) -> None:
        self._reads.append(read)
        self._values.append(value)
        self._labels.append(label)

    def _read(self, name: str, value: Any, chains: Iterable[tuple[str, ...]],
              watched: bool) -> None:
        """A name and the attributes that are read of it."""
        for chain in sorted(chains):
            self._parts.append(f"read {'.'.join((name, *chain))}")
            label, at = name, value
            for attribute in chain:
                home = self._home(at, attribute)
                if home is None:
                    break
                label = f"{label}.{attribute}"
                if watched:
                    self._watch(home, attribute, home.get(attribute, MISSING))
                at = home.get(attribute, MISSING)
                if at is MISSING and "__getattr__" in home:
                    self._refuse(label, at, "which a function makes")
                elif isinstance(home, types.MappingProxyType) and hasattr(type(at), "__get__"):
                    self._refuse(label, at)
                    break
            self._value(at, label, watched)

    def _home(self, value: Any, attribute: str) -> Mapping[str, Any] | None:
        """Return where ``value`` has an attribute; None for what is digested as a whole."""
        if isinstance(value, types.ModuleType):
            if _is_versioned(value.__name__) or vars(value) is OWN_NAMES:
                getattr(value, attribute, None)  # some parts are loaded when they are asked for
            elif type(value) is not types.ModuleType:
                return None
            return vars(value)
        if type(value) is type and not hasattr(value, "_fields") and not _has_name(value):
            return next((vars(kind) for kind in value.__mro__ if attribute in vars(kind)),
                        vars(value))
        return None

    def _value(self, value: Any, label: str, watched: bool) -> None:
        text = _plain(value)
        if text is not None:
            self._parts.append(text)
        elif isinstance(value, types.FunctionType):
            if _has_name(value):
                self._parts.append(_name(value))
            else:  # compiled code gets what ``native`` makes
                self._function(getattr(value, "native", value))
        elif _is_jitted(value):
            self._jitted(value)
        elif isinstance(value, types.ModuleType) and _is_versioned(value.__name__):
            self._parts.append(f"module {value.__name__} {_version(value.__name__)}")
        elif isinstance(value, types.ModuleType):
            self._refuse(label, value, "a module of which more than an attribute is used")
            if watched:
                self._whole(value, label)
        elif isinstance(value, Enum):
            self._parts.append(f"member {type(value).__qualname__} {value.name}")
            self._value(type(value), label, watched)
            if watched:
                self._watch(vars(value), "_value_", value.value)
        elif isinstance(value, tuple):
            fields = getattr(value, "_fields", "")
            self._parts.append(f"{type(value).__qualname__} {fields} {len(value)}")
            for item in value:
                self._value(item, label, watched)
        elif type(value) is slice:
            self._parts.append("slice")
            self._value((value.start, value.stop, value.step), label, watched)
        elif type(value) in (np.ndarray, np.void) and not value.dtype.hasobject:
            self._parts += map(str, _state(value)[1:])
            self._parts.append(hashlib.sha256(value.tobytes()).hexdigest())
            if watched:
                self._arrays.append((label, value, _state(value)))
        elif isinstance(value, EnumMeta):
            self._members(value, label, watched)
        elif isinstance(value, type) and issubclass(value, tuple) and hasattr(value, "_fields"):
            self._parts.append(f"class {value.__qualname__} {value._fields}")
            self._value(value.__new__.__defaults__, label, watched)
        elif _has_name(value):
            self._parts.append(_name(value))
        elif isinstance(value, type) and issubclass(value, BaseException):
            self._parts.append(f"exception {value.__module__}.{value.__qualname__}")
        elif type(value).__module__.startswith("numba.core.types."):
            self._parts.append(f"type {value!r}")
        else:
            self._refuse(label, value)

    def _whole(self, module: types.ModuleType, label: str) -> None:
        """Watch all of a module: Numba keeps what it made of its first values, in whatever it
        hands the module on to."""
        for name, part in vars(module).items():
            self._watch(vars(module), name, part)
        now = [f"{name} {_plain(part) or id(part)}" for name, part in sorted(vars(module).items())]
        self._parts += now
        if _first_seen.setdefault(id(module), (module, now))[1] != now:
            self._outdated = label

    def _members(self, kind: EnumMeta, label: str, watched: bool) -> None:
        """An enumeration: its members are constants."""
        members: dict[str, Any] = dict(kind.__members__)
        bases = [base.__name__ for base in kind.__mro__]
        self._parts.append(f"enumeration {kind.__qualname__} {bases} {len(members)}")
        for name, member in members.items():
            self._parts.append(name)
            self._value(member.value, label, watched)
            if isinstance(member, int):
                self._parts.append(f"int {int(member):x}")

    def _jitted(self, function: Any) -> None:
        """A function that a user compiled with Numba, and how."""
        options = sorted((name, repr(value)) for name, value in function.targetoptions.items())
        asked = () if getattr(function, "_can_compile", True) else function.signatures
        self._parts.append(f"jitted {options} {[str(one) for one in asked]}")
        first = id(function.py_func) not in self._seen
        self._function(function.py_func)
        if first:
            self.jitted.append(function)


# Modules that were used as a whole, and their values then.
_first_seen: dict[int, tuple[types.ModuleType, list[str]]] = {}


def is_own(function: types.FunctionType) -> bool:
    """Return True if a function is of the library itself."""
    return str(function.__globals__.get("__name__")).startswith(OWN)


def _content(cell: types.CellType) -> Any:
    try:
        return cell.cell_contents
    except ValueError:  # it has no value yet
        return MISSING


def _state(array: Any) -> tuple[Any, ...]:
    """The content of an array and what Numba looks at in it."""
    return array.tobytes(), array.shape, repr(array.dtype), array.flags.num


def _from_to(old: Any, new: Any) -> str:
    texts = [text if len(text) <= SHOWN else f"{text[:SHOWN]}..."
             for text in (" ".join(repr(value).split()) for value in (old, new))]
    simple = not any(isinstance(value, types.CodeType) for value in (old, new))
    return f" from {texts[0]} to {texts[1]}" if simple and texts[0] != texts[1] else ""


SHOWN = 40


@cache
def _code(code: types.CodeType) -> tuple[str, ...]:
    """The byte code, and the constants that it loads: a docstring is not one of them."""
    parts = [code.co_code.hex(), code.co_exceptiontable.hex(),
             repr((code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars)),
             repr((code.co_argcount, code.co_posonlyargcount, code.co_kwonlyargcount,
                   code.co_flags))]
    loaded = reads(code).constants
    for index, constant in enumerate(code.co_consts):
        if index in loaded:
            parts.append(f"constant {index}")
            if isinstance(constant, types.CodeType):
                parts += _code(constant)
            else:
                parts.append(_constant(constant))
    return (f"code {len(parts)}", *parts)


def _constant(value: Any) -> str:
    if isinstance(value, tuple):
        return f"tuple {[_constant(item) for item in value]}"
    if isinstance(value, frozenset):  # in no particular order
        return f"set {sorted(_constant(item) for item in value)}"
    text = _plain(value)
    return f"{type(value).__name__} {value!r}" if text is None else text


def _plain(value: Any) -> str | None:
    """The text of a number, a string or a dtype, another one for each; None for anything else."""
    kind = type(value)
    if value is None or value is Ellipsis or value is MISSING:
        return repr(value)
    if kind is bool or kind is str or kind is bytes:
        return f"{kind.__name__} {value!r}"
    if kind is int:
        return f"int {value:x}"
    if kind is float:  # two may be equal and differ in their sign, or as numbers that are none
        return f"float {struct.pack('<d', value).hex()}"
    if kind is complex:
        return f"complex {struct.pack('<dd', value.real, value.imag).hex()}"
    if isinstance(value, np.dtype):
        return f"dtype {value!r} {value.metadata}"
    if isinstance(value, np.generic) and kind is value.dtype.type and kind is not np.void:
        return f"{kind.__name__} {value.dtype!r} {value.tobytes().hex()}"
    return None


def _is_jitted(value: Any) -> bool:
    return (type(value).__module__.partition(".")[0] == "numba"
            and isinstance(getattr(value, "py_func", None), types.FunctionType)
            and hasattr(value, "targetoptions"))


def _is_versioned(module: str) -> bool:
    root = module.partition(".")[0]
    if root in VERSIONED:
        return True
    # A user's module may have the name of one of Python's.
    file = getattr(sys.modules.get(root), "__file__", None) or LIBRARY
    return root in sys.stdlib_module_names and file.startswith(LIBRARY)


@cache
def _version(module: str) -> str:
    return str(getattr(sys.modules.get(module.partition(".")[0]), "__version__", ""))


def _home_of(value: Any) -> str:
    """The module that something with a name says it is from; a wrapper takes over what it wraps."""
    if isinstance(value, types.FunctionType):
        return str(value.__globals__.get("__name__", ""))
    return str(getattr(value, "__module__", None) or ("numpy" if type(value) is np.ufunc else ""))


def _has_name(value: Any) -> bool:
    """Return True if this is a function or a class that Python, NumPy or Numba have under its
    name."""
    home = _home_of(value)
    if not _is_versioned(home):
        return False
    at: Any = sys.modules.get(home)
    for name in _path_to(value).split("."):
        at = getattr(at, name, None)
    return at is value


def _path_to(value: Any) -> str:
    return str(getattr(value, "__qualname__", None) or getattr(value, "__name__", ""))


def _name(value: Any) -> str:
    home = _home_of(value)
    return f"{home}.{_path_to(value)} {_version(home)}"
