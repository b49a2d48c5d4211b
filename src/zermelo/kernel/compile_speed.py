"""Making Numba compile faster, without a change to what it makes.

Most of the time of compiling is spent in Numba's own Python, not in LLVM, and much of that on what
has been done before or is never looked at. ``typing_speed`` is about types, ``lowering`` about the
code that LLVM is given. ``python -m benchmarks.start_up`` measures what is left.

All of it builds on private names; where they are missing, compiling takes longer, and that is all.
"""

import dis
import gc
import hashlib
import logging
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext, suppress
from copy import copy
from functools import cache, lru_cache
from types import CodeType
from typing import Any, ClassVar

from zermelo.kernel import typing_speed

LONG_NAME = 60
MISSING = (ImportError, AttributeError)


@contextmanager
def undisturbed() -> Iterator[None]:
    """While a kernel is compiled: no garbage is collected, no lock is timed, and nothing logged.

    Compiling makes many objects and hardly a cycle. Numba times two locks for every function, with
    all those that call it, at each of some ten thousand calls of LLVM, and offers each instruction
    several times to a log that is off. Its own lock sees to it that one thread at a time is here.
    """
    with ExitStack() as after:
        if gc.isenabled():
            gc.disable()
            after.callback(gc.enable)
        for stop in (_stop_timing, _stop_logging):
            with suppress(*MISSING):
                stop(after)
        yield


def _stop_timing(after: ExitStack) -> None:
    from llvmlite.binding import ffi
    from numba.core import event

    events: Any = event
    timer, lock = events.install_timer, ffi.lib._lock
    events.install_timer = lambda kind, callback: nullcontext()
    after.callback(setattr, events, "install_timer", timer)
    callbacks, lock._cblist = lock._cblist, []
    after.callback(setattr, lock, "_cblist", callbacks)


class Silence:
    """A log that is off."""

    def debug(self, *arguments: Any, **options: Any) -> None:
        """Take nothing."""


def _stop_logging(after: ExitStack) -> None:
    from numba.core import byteflow, ssa

    module: Any
    for module in (byteflow, ssa):
        log = module._logger
        if not log.isEnabledFor(logging.DEBUG):
            module._logger = Silence()
            after.callback(setattr, module, "_logger", log)


class Here:
    """Stands for this process: what is unpickled elsewhere is another object."""


@cache
def take_short_cuts() -> None:
    """What stays in place once Numba is loaded; each does what Numba's own code does, sooner."""
    for shorten in (_hash_options, _remember_hashes, _list_variables, _put_off_lifetimes,
                    _look_for_what_is_there,
                    _shorten_names, *typing_speed.short_cuts()):
        with suppress(*MISSING):
            shorten()


def _hash_options() -> None:
    """Let Numba hash and compare its compile options by what was set.

    Each look for a typed operation hashes them. Numba lists all options for that, in order to hash
    nothing but their names, which are those of the class.
    """
    from numba.core.targetconfig import TargetConfig

    kind: Any = TargetConfig
    compare = kind.__eq__
    if "values" not in vars(kind) or "__hash__" not in vars(kind):
        return

    def hashed(self: Any) -> int:
        return hash(type(self))

    def equal(self: Any, other: object) -> Any:
        mine, theirs = getattr(self, "_values", None), getattr(other, "_values", None)
        if self is other or (mine is not None and type(self) is type(other) and mine == theirs):
            return True
        return compare(self, other)

    kind.__hash__, kind.__eq__ = hashed, equal


def _list_variables() -> None:
    """Let Numba look for variables in what can hold some, not in line numbers and names."""
    from numba.core import ir

    instruction: Any = ir.Inst
    if "_rec_list_vars" not in vars(instruction):
        return
    variable, inner, several, rest = 1, 2, 3, 4
    known: dict[type, int] = {}

    def learn(kind: type) -> int:
        kinds = ((ir.Var, variable), (instruction, inner), ((dict, list, tuple), several))
        known[kind] = next((what for some, what in kinds if issubclass(kind, some)), rest)
        return known[kind]

    def collect(value: Any, found: list[Any]) -> None:
        for part in value.values() if isinstance(value, dict) else value:
            what = known.get(type(part)) or learn(type(part))
            if what == variable:
                found.append(part)
            elif what == inner:
                found.extend(part.list_vars())
            elif what == several:
                collect(part, found)

    def listed(self: Any, value: Any) -> list[Any]:
        found: list[Any] = []
        collect(value if isinstance(value, (dict, list, tuple)) else [value], found)
        return found

    instruction._rec_list_vars = listed


def _put_off_lifetimes() -> None:
    """Let Numba compute where variables live when that is asked for, not after each pass.

    It is asked for where references are counted, and in generators.
    """
    from numba.core import transforms
    from numba.core.postproc import PostProcessor, VariableLifetime

    kind: Any = PostProcessor
    usual = kind.run

    def run(self: Any, emit_dels: bool = False, extend_lifetimes: bool = False) -> None:
        function = self.func_ir
        if emit_dels or function.is_generator:
            usual(self, emit_dels, extend_lifetimes)
            return
        function.blocks = transforms.canonicalize_cfg(function.blocks)
        function.variable_lifetime = VariableLifetime(function.blocks)
        function.generator_info = None

    kind.run = run


def _look_for_what_is_there() -> None:
    """Let Numba look for the ends of ``with`` and for dictionaries where there may be some."""
    from numba.core import interpreter

    module: Any = interpreter
    for name, words in (("peep_hole_delete_with_exit", ("WITH",)),
                        ("peep_hole_fuse_dict_add_updates", ("DICT", "MAP"))):
        setattr(module, name, _only_with(words, getattr(module, name)))


def _only_with(words: tuple[str, ...], usual: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def rewrite(function_ir: Any) -> Any:
        steps = _steps(function_ir.func_id.code)
        found = any(word in step for step in steps for word in words)
        return usual(function_ir) if found else function_ir

    return rewrite


def _remember_hashes() -> None:
    """Let a type of Numba's hash what it consists of once; it never changes.

    A type is pickled with its attributes, and in another process hashes are other numbers.
    """
    from numba.core import types

    kind: Any = types.Type
    usual, here = kind.__hash__, Here()

    def hashed(self: Any) -> int:
        known = self.__dict__.get("_hash")
        if known is None or known[0] is not here:
            known = self.__dict__["_hash"] = (here, usual(self))
        return int(known[1])

    kind.__hash__ = hashed


def _shorten_names() -> None:
    """Let Numba write the digest of a long type into the names of functions, not all of it.

    The name of a function has the types of its arguments in it, at each place where it is called:
    thousands of characters for the arrays of a search. The number that Numba gives a record is that
    of one process; a digest is the same everywhere.
    """
    from numba.core import types

    base: Any = types.Type
    record: Any = types.Record
    usual = base.mangling_args.fget

    def short(self: Any) -> Any:
        name = str(self.name)
        if len(name) <= LONG_NAME:
            return usual(self)
        return f"{type(self).__name__}_{hashlib.sha256(name.encode()).hexdigest()[:16]}", ()

    base.mangling_args = property(short)
    record.mangling_args = property(short)


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
            or "BUILD_LIST" in _steps(code))


@lru_cache(maxsize=1000)
def _steps(code: CodeType) -> frozenset[str]:
    """The names of the instructions in a function."""
    return frozenset(step.opname for step in dis.get_instructions(code))
