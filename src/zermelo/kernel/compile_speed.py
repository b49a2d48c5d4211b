"""A compiler that takes less time than Numba's own, and makes the same code.

Most of the time of compiling is spent in Numba's own Python, not in LLVM. Here are passes that are
not described to listeners, and calls that are compiled once for all numbers. ``short_cuts`` and
``typing_speed`` exchange parts of Numba, ``beside_compiling`` is about what it does meanwhile, and
``lowering`` about the code that LLVM is given. ``python -m benchmarks.start_up`` measures what is
left.
"""

from collections.abc import Callable
from contextlib import suppress
from copy import copy
from functools import cache
from types import CodeType
from typing import Any, ClassVar

from zermelo.kernel.short_cuts import steps_of


def compile_once_for_numbers(dispatcher: Any) -> None:
    """Let a function be compiled for whole numbers, not again for each number that is written out.

    A function may have to know the number, to take an item of a tuple, say. Then it is compiled for
    that number, as Numba does it always.
    """
    usual: Callable[..., Any] | None = getattr(dispatcher, "get_call_template", None)
    if usual is None:
        return
    template: Callable[..., Any] = usual

    def get_call_template(args: Any, kws: Any) -> Any:
        plain = tuple(_any_number(kind) for kind in args)
        if plain != tuple(args):
            with suppress(Exception):
                return template(plain, kws)
        return template(args, kws)

    dispatcher.get_call_template = get_call_template


def _any_number(kind: Any) -> Any:
    whole = isinstance(getattr(kind, "literal_value", None), int)
    return getattr(kind, "literal_type", kind) if whole else kind


@cache
def quick_compiler() -> Any:
    """Numba's compiler with passes that are not described to listeners; None where it can't be.

    For each pass over each function Numba writes out the types of all arguments, for the case that
    somebody listens. A pass that looks for inner functions is left out where there are none.
    """
    try:
        from numba.core import errors
        from numba.core.compiler import CompilerBase, DefaultPassBuilder
        from numba.core.compiler_machinery import PassManager, pass_timings
        from numba.core.untyped_passes import InlineClosureLikes
    except ImportError:
        return None
    manager: Any = PassManager
    if (not hasattr(manager, "_runPass") or getattr(manager, "_ENFORCING", True)
            or not hasattr(errors, "new_error_context")):
        return None
    new_error_context: Any = getattr(errors, "new_error_context", None)
    untimed = pass_timings(0.0, 0.0, 0.0)

    class Passes(manager):  # type: ignore[misc]
        def _runPass(self, index: int, one: Any, state: Any) -> None:
            one.analysis = self._analysis
            with new_error_context("Pass {name}", name=one.name()):
                one.run_initialization(state)
                one.run_pass(state)
                one.run_finalizer(state)
            self.exec_times[f"{index}_{one.name()}"] = untimed

    class QuickCompiler(CompilerBase):
        instead: ClassVar[dict[Any, Any]] = {}  # passes, each with one to run in its place
        known: ClassVar[dict[Any, Any]] = {}

        def define_pipelines(self) -> list[Any]:
            flags, closures = self.state.flags, _has_closures(self.state.func_id.code)
            kind = (type(self), closures, bool(flags.auto_parallel.enabled), flags.no_rewrites,
                    self.state.func_ir is None)
            if kind not in self.known:
                self.known[kind] = self.passes(closures)
            quick = copy(self.known[kind])
            quick.exec_times = {}
            return [quick]

        def passes(self, closures: bool) -> Any:
            usual = DefaultPassBuilder.define_nopython_pipeline(self.state)
            quick = Passes("nopython")
            left_out = () if closures else (InlineClosureLikes,)
            quick.passes = [(self.instead.get(one, one), about) for one, about in usual.passes
                            if one not in left_out]
            quick.finalize()
            return quick

    return QuickCompiler


def _has_closures(code: CodeType) -> bool:
    """May there be a function in this one, or a list written as a loop?"""
    return (any(isinstance(value, CodeType) for value in code.co_consts)
            or "BUILD_LIST" in steps_of(code))
