"""Kernels that Numba itself links and calls, kept on disk.

This builds on private names of Numba's. Should they be missing or fail, kernels are compiled anew
in every process: slower, never wrong.
"""

import pickle
import uuid
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Any

from zermelo.kernel import start
from zermelo.kernel.beside_compiling import undisturbed
from zermelo.kernel.cache import MAGIC, SUFFIX, cache_directory, place
from zermelo.kernel.numba_loading import load_whole_numba
from zermelo.kernel.tally import log, tally

ALWAYS_THERE = ("numba_adapt_ndarray", "sqrt")


def stands_alone(library: Any) -> bool:
    """Whether all that this code calls is there as soon as Numba is imported.

    Else Numba has to load the rest of itself before the code is linked, which takes a fifth of a
    second. Kernels call the interpreter for their arguments, and hardly anything else.
    """
    module = getattr(library, "_final_module", None)
    return module is not None and all(
        one.name.startswith(("Py", "llvm.")) or one.name in ALWAYS_THERE
        for one in module.functions if one.is_declaration)


@cache
def store_type() -> Any:
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
                     counted: Callable[[], Any], only_counted: bool) -> None:
            self.name, self.dispatcher = name, dispatcher
            self.counted, self.only_counted = counted, only_counted
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
            self.began = tally.clock()
            cache = place() if self.name is not None else None
            payload = cache and cache.read(self.file(sig, target_context.codegen()))
            if not payload:
                return None
            try:
                alone, reduced = pickle.loads(payload)
                if not alone:
                    load_whole_numba()
                    target_context.refresh()
                result = results.rebuild(None, target_context, reduced)
            except Exception:  # made by something that is no longer there: a miss
                return None
            tally.loaded += 1
            tally.seconds += tally.clock() - self.began
            log.debug("loaded %s in %.2f s", self.name, tally.clock() - self.began)
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
            try:
                with start.listener.told(), undisturbed():
                    load_whole_numba()
                    if not self.only_counted:
                        with suppress(Exception):  # which one says so can't be told from others
                            return self.compile_uncounted(args, return_type)
                    return self.counted()._compiler.compile(args, return_type)
            except BaseException:  # Ctrl-C, say: it was not searching
                tally.seconds += tally.clock() - self.began
                raise

        def save_overload(self, sig: object, data: Any) -> None:
            if not self.guarded:
                self.keep(sig, data)

        def keep(self, sig: object, data: Any) -> Any:
            """Count what was compiled, and write it to disk."""
            tally.compiled += 1
            tally.seconds += tally.clock() - self.began
            log.info("compiled %s in %.2f s", self.name, tally.clock() - self.began)
            cache = place() if self.name is not None else None
            if cache is not None and results.check_cachable(None, data):
                kept = stands_alone(data.library), results.reduce(None, data)
                cache.write(self.file(sig, data.codegen), dumps(kept))
            return data

    return Store
