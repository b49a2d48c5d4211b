"""Making kernels of plain functions: the only place with Numba decorators.

An entry point is kept on disk (see ``cache``) under the digest of everything that it depends on
(see ``fingerprint``). Numba is imported when something has to be compiled, not before. Most kernels
are linked and called without it (see ``entry``); those that can't be, in Numba's own way (see
``numba_store``).
"""

import hashlib
import types
import uuid
from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from typing import Any

from zermelo.kernel import start
from zermelo.kernel.arguments import arrays_are_known
from zermelo.kernel.beside_compiling import undisturbed
from zermelo.kernel.compile_speed import compile_once_for_numbers
from zermelo.kernel.entry import Compiled, Entry
from zermelo.kernel.entry_code import Refused
from zermelo.kernel.fingerprint import Reading
from zermelo.kernel.inlining import compiler_options
from zermelo.kernel.machine_code import MachineCode
from zermelo.kernel.numba_loading import (
    checks_bounds,
    decorated,
    load_whole_numba,
    numba_version,
    usual_settings,
)
from zermelo.kernel.numba_store import store_type
from zermelo.kernel.references import references
from zermelo.kernel.tally import tally

# Inner functions are inlined whatever their size: a call hands over every array of a search's tree
# word by word, which costs more than most of these functions do (measured: a factor 2). Only an
# entry point needs a wrapper to be called from Python: a third of the compile time.
# Kernels are handed all their arrays, and who calls them holds on to those: no reference is
# counted, which saves time twice. Rules that make arrays of their own need it (``COUNTED``).
ENTRY_OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}
COUNTED = {"_nrt": True}
OUTLINED_OPTIONS = {**ENTRY_OPTIONS, "no_cpython_wrapper": True}
INNER_OPTIONS = {**OUTLINED_OPTIONS, "forceinline": True}
# The files that make code of functions, and say how it is called.
MAKERS = ("arguments", "compile_speed", "entry_code", "inlining", "items", "loops", "lowering",
          "machine_code", "short_cuts", "typing_speed")

_by_digest: dict[tuple[str, bool], Any] = {}
_compiled: dict[str, Compiled] = {}
_only_counted: set[types.FunctionType] = set()  # kernels that do not compile otherwise


def entry_of(function: types.FunctionType) -> Entry:
    """``function`` as an entry point."""
    began = tally.clock()
    reading = Reading(function)
    key = _key(reading)
    name = f"{function.__module__}.{function.__name__}".replace("zermelo.", "")
    alone = partial(_alone, reading, key) if can_stand_alone() else None
    compiled = Compiled() if key is None else _compiled.setdefault(key, Compiled())
    entry = Entry(f"{name}-{key}" if key else None, function.__code__.co_argcount,
                  alone, partial(_usual, reading, name, key), reading, compiled)
    tally.seconds += tally.clock() - began
    return entry


def can_stand_alone() -> bool:
    """Whether kernels may be linked and called without Numba."""
    return arrays_are_known() and usual_settings()


@cache
def makers_digest(folder: Path = Path(__file__).parent) -> str:
    """What a mistake in MAKERS made must not be loaded once it is mended."""
    files = (folder / f"{name}.py" for name in MAKERS)
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()


def _key(reading: Reading) -> str | None:
    checked = not usual_settings() and checks_bounds()
    if reading.problem is not None:
        return None
    return reading.digest(numba_version(), checked, ENTRY_OPTIONS, INNER_OPTIONS, makers_digest())


def _compile_users_again(reading: Reading) -> None:
    """Functions that a user compiled with Numba have the values of that moment in their code."""
    for function in reading.jitted:
        function.recompile()


def _alone(reading: Reading, key: str | None,
           arguments: tuple[Any, ...]) -> MachineCode | None:
    """The code of a kernel for such arguments; None if it does not stand alone."""
    load_whole_numba()
    options = compiler_options().alone
    if options is None:
        return None
    (function,) = reading.functions
    dispatcher = _made(function, key, ENTRY_OPTIONS | options, counted=False)
    try:
        _compile_users_again(reading)
        with start.listener.told(), undisturbed():
            types_ = tuple(dispatcher.typeof_pyval(value) for value in arguments)
            dispatcher.compile(types_)
    except (MemoryError, OSError, Refused):
        return None
    except Exception:  # told when it is compiled in Numba's way
        _only_counted.add(function)
        return None
    (made,) = dispatcher.overloads.values()
    code: MachineCode | None = made.library.machine_code
    return code


def _usual(reading: Reading, name: str, key: str | None) -> Any:
    """A kernel that is called in Numba's way."""
    (function,) = reading.functions
    _compile_users_again(reading)
    dispatcher = _made(function, key, ENTRY_OPTIONS | compiler_options().kernels, counted=False)
    store = store_type()
    if store is not None:
        options = ENTRY_OPTIONS | COUNTED | compiler_options().kernels
        counted = partial(_made, function, key, options, counted=True)  # only lends its compiler
        dispatcher._cache = store(f"{name}-{key}" if key else None, dispatcher, counted,
                                  function in _only_counted)
    return dispatcher


def _inner(function: types.FunctionType, counted: bool) -> Any:
    """A function that is called from compiled ones."""
    if hasattr(function, "native"):
        function = _native(function.native)
    if not isinstance(function, types.FunctionType):  # an intrinsic
        return function
    key = _key(Reading(function))
    dispatcher = None if key is None else _by_digest.get((key, counted))
    if dispatcher is None:
        options: dict[str, Any] = compiler_options().inner_functions | (COUNTED if counted else {})
        wanted = OUTLINED_OPTIONS if hasattr(function, "outlined") else INNER_OPTIONS
        dispatcher = _made(function, key, wanted | options, counted)
        compile_once_for_numbers(dispatcher)
        if key is not None:
            _by_digest[key, counted] = dispatcher
    return dispatcher


@cache
def _native(make: Callable[[], Any]) -> Any:
    """The stand-in of a plain function in compiled code (see ``bits``)."""
    return make()


def _made(function: types.FunctionType, key: str | None, options: dict[str, Any],
          counted: bool) -> Any:
    return decorated(_with_compiled_callees(function, key, counted), options)


def _with_compiled_callees(function: types.FunctionType, key: str | None,
                           counted: bool) -> types.FunctionType:
    """A copy of ``function`` in which the plain functions it refers to are compiled ones.

    Its name has the digest in it: code that was compiled in different processes is linked by name,
    and closures of one place differ in nothing else.
    """
    callees = {
        name: _inner(value, counted)
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
    copy.__qualname__ = f"{function.__name__}_{(key or uuid.uuid4().hex)[:16]}"
    return copy
