"""Compilation: the only place with Numba decorators.

Games and searches are written as plain functions. ``compiled(f)`` compiles ``f`` and every plain
function that it calls; ``kernel(f)`` does the same for an entry point, which is kept on disk (see
``cache``) under the digest of everything it depends on (see ``fingerprint``). Numba is imported on
first use, so that commands which search nothing start fast.

Keeping kernels builds on private names of Numba's. Should they be missing or fail, kernels are
compiled anew in every process: slower, never wrong.
"""

import os
import pickle
import sys
import threading
import time
import types
import uuid
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

from zermelo.kernel import start
from zermelo.kernel.cache import MAGIC, SUFFIX, cache_directory, place
from zermelo.kernel.compile_speed import hash_options_quickly, undisturbed
from zermelo.kernel.fingerprint import Unhashable, fingerprint, references
from zermelo.kernel.inlining import inner_options

# Inner functions are inlined whatever their size: a call hands over every array of a search's tree
# word by word, which costs more than most of these functions do (measured: a factor 2). Only an
# entry point needs a wrapper to be called from Python: a third of the compile time.
# Kernels are handed all their arrays, and who calls them holds on to those: no reference is
# counted, which saves time twice. Rules that make arrays of their own need it (``COUNTED``).
ENTRY_OPTIONS = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": False}
COUNTED = {"_nrt": True}
OUTLINED_OPTIONS = {**ENTRY_OPTIONS, "no_cpython_wrapper": True}
INNER_OPTIONS = {**OUTLINED_OPTIONS, "forceinline": True}


class Tally(threading.local):
    """What compilation has cost this thread: kernels compiled, kernels loaded, seconds."""

    compiled = 0
    loaded = 0
    seconds = 0.0


tally = Tally()


def jit_enabled() -> bool:
    """False under NUMBA_DISABLE_JIT=1, when every kernel runs as ordinary Python."""
    return os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")


_by_digest: dict[tuple[str, bool, bool], Any] = {}
_by_identity: dict[tuple[int, bool], tuple[types.FunctionType, Any]] = {}


def compiled(function: Callable[..., Any]) -> Any:
    """``function`` as machine code, to be called from other compiled functions."""
    return _compile(function, entry=False)


def kernel(function: Callable[..., Any]) -> Any:
    """``function`` as an entry point: compiled once, then loaded from disk; releases the GIL."""
    began = time.perf_counter()
    entry = _compile(function, entry=True)
    tally.seconds += time.perf_counter() - began
    return entry


def _compile(function: Callable[..., Any], entry: bool, counted: bool = False) -> Any:
    if not jit_enabled() or not isinstance(function, types.FunctionType):
        return function
    if hasattr(function, "native"):
        function = _native(function.native)
    if not isinstance(function, types.FunctionType):  # an intrinsic
        return function
    known = _by_identity.get((id(function), counted))
    if known is not None and not entry:
        return known[1]
    key = _key(function)
    if key is None or (key, entry, counted) not in _by_digest:
        dispatcher = _dispatcher(function, key, entry, counted)
        if key is None:
            return dispatcher
        _by_digest[key, entry, counted] = dispatcher
    dispatcher = _by_digest[key, entry, counted]
    if not entry:
        _by_identity[id(function), counted] = (function, dispatcher)
    return dispatcher


@cache
def _native(make: Callable[[], Any]) -> Any:
    """The stand-in of a plain function in compiled code (see ``bits``)."""
    return make()


@cache
def _numba() -> Any:
    hidden = start.numba_without_scipy and "scipy" not in sys.modules
    if hidden:
        sys.modules["scipy"] = None  # type: ignore[assignment]
    try:
        import numba

        if hidden:
            import numba.np.arraymath
    finally:
        if hidden:
            del sys.modules["scipy"]
    hash_options_quickly()
    return numba


def _key(function: types.FunctionType) -> str | None:
    numba = _numba()
    try:
        checked = bool(getattr(numba.config, "BOUNDSCHECK", False))
        return fingerprint(function, numba.__version__, checked, ENTRY_OPTIONS, INNER_OPTIONS)
    except Unhashable:
        return None


def outlined(function: Callable[..., Any]) -> Callable[..., Any]:
    """Mark an inner function that is called, not inlined: large, or used in many places."""
    function.outlined = True  # type: ignore[attr-defined]
    return function


def _dispatcher(function: types.FunctionType, key: str | None, entry: bool, counted: bool) -> Any:
    options: dict[str, Any] = ENTRY_OPTIONS
    if not entry:
        inlined = not hasattr(function, "outlined")
        options = (INNER_OPTIONS if inlined else OUTLINED_OPTIONS) | inner_options()
    options = options | (COUNTED if counted else {})
    dispatcher = _numba().njit(**options)(_with_compiled_callees(function, counted))
    if entry and not counted:  # else it only lends its compiler
        name = f"{function.__module__}.{function.__name__}".replace("zermelo.", "")
        store = _store_type()
        if store is not None:
            dispatcher._cache = store(f"{name}-{key}" if key else None, dispatcher, function)
    return dispatcher


def _with_compiled_callees(function: types.FunctionType, counted: bool) -> types.FunctionType:
    """A copy of ``function`` in which the plain functions it refers to are compiled ones."""
    callees = {
        name: _compile(value, entry=False, counted=counted)
        for name, value in references(function).items()
        if isinstance(value, types.FunctionType) and value is not function
    }
    if not callees:
        return function
    cells = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
    closure = tuple(types.CellType(callees[n]) if n in callees else cell for n, cell in cells)
    scope = {**function.__globals__, **callees}
    copy = types.FunctionType(
        function.__code__, scope, function.__name__, function.__defaults__, closure
    )
    copy.__qualname__ = function.__qualname__
    return copy


@cache
def _store_type() -> Any:
    """The class that keeps one kernel on disk, or None where Numba has no such hooks."""
    try:
        from numba.core.caching import CompileResultCacheImpl, _Cache
        from numba.core.serialize import dumps
    except ImportError:
        return None
    results: Any = CompileResultCacheImpl

    class Store(_Cache):
        """Keeps the overloads of one kernel in files ``name-digest-signature``."""

        def __init__(self, name: str | None, dispatcher: Any,
                     function: types.FunctionType) -> None:
            self.name, self.dispatcher, self.function = name, dispatcher, function
            self.began = 0.0
            self.guarded = hasattr(getattr(dispatcher, "_compiler", None), "compile")
            if self.guarded:
                self.compile_uncounted = dispatcher._compiler.compile
                dispatcher._compiler.compile = self.compile

        @property
        def cache_path(self) -> str:
            return str(cache_directory() or "")

        def enable(self) -> None: ...

        def disable(self) -> None: ...

        def flush(self) -> None: ...

        def file(self, signature: object, codegen: Any) -> str:
            text = repr((MAGIC, str(signature), codegen.magic_tuple()))
            return f"{self.name}-{uuid.uuid5(uuid.NAMESPACE_OID, text).hex}{SUFFIX}"

        def load_overload(self, sig: object, target_context: Any) -> Any:
            target_context.refresh()
            self.began = time.perf_counter()
            cache = place() if self.name is not None else None
            payload = cache and cache.read(self.file(sig, target_context.codegen()))
            if not payload:
                return None
            try:
                result = results.rebuild(None, target_context, pickle.loads(payload))
            except Exception:  # made by something that is no longer there: a miss
                return None
            tally.loaded += 1
            tally.seconds += time.perf_counter() - self.began
            return result

        def compile(self, args: Any, return_type: Any) -> Any:
            """Compile while no other process does so, or take what one has just compiled."""
            context, cache, began = self.dispatcher.targetctx, place(), self.began
            if cache is None or self.name is None:
                return self.keep(args, self.compile_anew(args, return_type))
            with cache.only_one(self.file(args, context.codegen())):
                result = self.load_overload(args, context)
                tally.seconds += self.began - began  # waiting for another process
                if result is None:
                    return self.keep(args, self.compile_anew(args, return_type))
            context.insert_user_function(result.entry_point, result.fndesc, [result.library])
            return result

        def compile_anew(self, args: Any, return_type: Any) -> Any:
            """Compile, with references counted if the rules make arrays of their own."""
            with undisturbed():
                with suppress(Exception):  # which of them says so is not to be told from others
                    return self.compile_uncounted(args, return_type)
                other = _compile(self.function, entry=True, counted=True)
                return other._compiler.compile(args, return_type)

        def save_overload(self, sig: object, data: Any) -> None:
            if not self.guarded:
                self.keep(sig, data)

        def keep(self, sig: object, data: Any) -> Any:
            """Count what was compiled, and write it to disk."""
            tally.compiled += 1
            tally.seconds += time.perf_counter() - self.began
            cache = place() if self.name is not None else None
            if cache is not None and results.check_cachable(None, data):
                cache.write(self.file(sig, data.codegen), dumps(results.reduce(None, data)))
            return data

    return Store
