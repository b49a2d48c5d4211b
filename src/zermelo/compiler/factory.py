"""Making kernels of plain functions.

An entry point is kept on disk (see ``cache``) under the digest of everything that it depends on
(see ``fingerprint``). Numba is imported when something has to be compiled, not before. A kernel is
compiled in one of two ways (see ``pipeline``); most stand alone, and are linked and called without
Numba (see ``entry``).
"""

import hashlib
import types
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any, Literal

from zermelo.compiler.compile_stats import stats
from zermelo.compiler.entry import Compiled, KernelEntry, MachineCode, arrays_are_known
from zermelo.compiler.fingerprint import Reading, references
from zermelo.compiler.pipeline import (
    compiled_alone,
    compilers,
    decorated,
    numba_version,
    usual_settings,
)

# Inner functions are inlined whatever their size: a call hands over every array of a search's tree
# word by word, which costs more than most of these functions do (measured: a factor 2). Only an
# entry point needs a wrapper to be called from Python: a third of the compile time.
# Kernels are handed all their arrays, and who calls them holds on to those: no reference is
# counted, which saves time twice. Rules that make arrays of their own need it (``counted``).
How = Literal["alone", "counted", "usual"]
USUAL = {"nogil": True, "error_model": "numpy"}
INLINED = {"forceinline": True}
SHORT = {"no_cfunc_wrapper": True}
INNER = {**SHORT, "no_cpython_wrapper": True}
COUNTED: dict[How, dict[str, Any]] = {
    "alone": {"_nrt": False}, "counted": {"_nrt": True}, "usual": {}}
# The files that make code of functions, and say how it is called.
MAKERS = ("entry", "factory", "pipeline")

_by_digest: dict[tuple[str, How], Any] = {}
_compiled: dict[str, Compiled] = {}


def entry_of(function: types.FunctionType) -> KernelEntry:
    """``function`` as an entry point."""
    began = stats.clock()
    reading = Reading(function)
    key = _key(reading)
    name = f"{function.__module__}.{function.__name__}".replace("zermelo.", "")
    compiled = Compiled() if key is None else _compiled.setdefault(key, Compiled())
    entry = KernelEntry(f"{name}-{key}" if key and can_stand_alone() else None,
                        function.__code__.co_argcount, partial(_alone, reading),
                        partial(_called_by_numba, reading), reading, compiled)
    stats.seconds += stats.clock() - began
    return entry


def can_stand_alone() -> bool:
    """Return True if kernels may be linked and called without Numba."""
    return arrays_are_known() and usual_settings()


@cache
def makers_digest(folder: Path = Path(__file__).parent) -> str:
    """Digest of MAKERS, part of every key: code that a mistake there made is not loaded again."""
    files = (folder / f"{name}.py" for name in MAKERS)
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def _key(reading: Reading) -> str | None:
    if reading.problem is not None:
        return None
    return reading.digest(numba_version(), makers_digest())


def _compile_users_again(reading: Reading) -> None:
    """Functions that a user compiled with Numba have the values of that moment in their code."""
    for function in reading.jitted:
        function.recompile()


def _alone(reading: Reading, arguments: tuple[Any, ...]) -> MachineCode | None:
    """The code of a kernel for such arguments; None if it does not stand alone."""
    if not can_stand_alone():
        return None
    (function,) = reading.functions
    _compile_users_again(reading)
    ways: tuple[How, ...] = ("alone", "counted")
    return next((code for how in ways if (
        code := compiled_alone(partial(_made, function, how), arguments)) is not None), None)


def _called_by_numba(reading: Reading) -> Any:
    """A kernel that Numba calls."""
    (function,) = reading.functions
    _compile_users_again(reading)
    return _made(function, "usual")


def _made(function: types.FunctionType, how: How, inner: bool = False) -> Any:
    """``function`` with all that it calls as Numba compiles it, lazily."""
    options: dict[str, Any] = {**USUAL, **COUNTED[how]}
    if how != "usual":
        options |= INNER | compilers().inner if inner else SHORT | compilers().alone
    if inner and not hasattr(function, "outlined"):
        options |= INLINED
    return decorated(_with_compiled_callees(function, how), options)


def _inner(function: Any, how: How) -> Any:
    """A function that is called from compiled ones."""
    if hasattr(function, "native"):
        function = _native(function.native)
    if not isinstance(function, types.FunctionType):  # an intrinsic
        return function
    key = _key(Reading(function))
    dispatcher = None if key is None else _by_digest.get((key, how))
    if dispatcher is None:
        dispatcher = _made(function, how, inner=True)
        if key is not None:
            _by_digest[key, how] = dispatcher
    return dispatcher


@cache
def _native(make: Callable[[], Any]) -> Any:
    """The stand-in of a plain function in compiled code (see ``bits``)."""
    return make()


def _with_compiled_callees(function: types.FunctionType, how: How) -> types.FunctionType:
    """A copy of ``function`` in which the plain functions it refers to are compiled ones."""
    callees = {
        name: _inner(value, how)
        for name, value in references(function).items()
        if isinstance(value, types.FunctionType) and value is not function
    }
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    closure = tuple(types.CellType(callees.get(n, cell.cell_contents))
                    for n, cell in cells)
    scope = {**function.__globals__, **callees}
    copy = types.FunctionType(
        function.__code__, scope, function.__name__, function.__defaults__, closure
    )
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy
