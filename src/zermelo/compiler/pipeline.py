"""Numba as kernels are compiled with it: the only file with names of Numba's and llvmlite's that
they do not document.

Nothing of theirs is replaced: classes are derived from, and registries are added to. A kernel is
compiled in the first of two ways that works:

* alone: with all inner functions in one piece of machine code, which ``entry`` links, calls and
  keeps. No reference is counted in it, unless rules make arrays of their own: then Numba's runtime
  has to be loaded with it;
* usual: by ``njit`` with documented options, each function by itself, anew in every process. That
  is slower and as right.

Where anything fails on the first way, such as a name that a newer Numba does not have, a kernel
goes the second one. Of the other names, ``config.BOUNDSCHECK`` is False if it is missing;
``config.DISABLE_JIT``, which is documented, is set and set back.
"""

from __future__ import annotations

import os
import re
import sys
import uuid
from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from zermelo.compiler import compile_stats
from zermelo.compiler.entry import DATA, SHAPE, STRIDES, MachineCode

# How the names begin that code may use: of the system, of Numba's memory manager, and of Python,
# for values in what it raises. Only code that does more with Python takes the lock.
KNOWN = ("llvm.", "sqrt", "memset", "memcpy", "memmove", RUNTIME := "NRT_", "Py")
LOCKING = "PyGILState_Ensure"
# These do not change what is compiled; other settings of Numba's may.
HARMLESS = {"NUMBA_DISABLE_JIT", "NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS", "NUMBA_THREADING_LAYER"}
SETTINGS_FILE = ".numba_config.yaml"
VERSION = re.compile(r'"version": "([^"]+)"')


@cache
def load_numba() -> Any:
    """Numba, which is loaded for the first kernel that is compiled."""
    return import_module("numba")


def decorated(function: Any, options: dict[str, Any]) -> Any:
    """``function`` as Numba compiles it; also where others have loaded Numba with its JIT off."""
    numba = load_numba()
    off, numba.config.DISABLE_JIT = numba.config.DISABLE_JIT, 0
    try:
        return numba.njit(**options)(function)
    finally:
        numba.config.DISABLE_JIT = off


@cache
def load_runtime() -> None:
    """Load Numba's memory manager, for code that makes arrays."""
    load_numba()
    import_module("numba.core.registry").cpu_target.target_context.refresh()


@cache
def numba_version() -> str:
    """The version of Numba, which is loaded only if its files do not say."""
    if "numba" not in sys.modules:
        spec = find_spec("numba")
        for folder in (spec and spec.submodule_search_locations) or ():
            try:
                stated = VERSION.search((Path(folder) / "_version.py").read_text("utf-8"))
            except (OSError, ValueError):
                stated = None
            if stated is not None:
                return stated[1]
    return str(load_numba().__version__)


def usual_settings() -> bool:
    """Return True if nothing is set that makes Numba compile otherwise, such as checks of
    bounds."""
    if any(name.startswith("NUMBA_") and name not in HARMLESS for name in os.environ):
        return False
    if "numba" in sys.modules:
        return not getattr(load_numba().config, "BOUNDSCHECK", False)
    return not os.path.exists(SETTINGS_FILE)


def versions() -> str:
    """The versions of what compiles kernels, for messages."""
    packages = ("numba", "llvmlite", "numpy")
    named = [f"{name} {import_module(name).__version__}" for name in packages]
    return ", ".join([*named, f"Python {sys.version.split()[0]}"])


def blames_code(error: Exception) -> bool:
    """Return True if this says that the compiled code is wrong, not that compiling it failed."""
    from numba.core import errors

    internal = ("CompilerError", "InternalError", "IRError", "VerificationError")
    own = tuple(getattr(errors, name) for name in internal if hasattr(errors, name))
    kinds = (errors.NumbaError, IndexError, KeyError, NotImplementedError)
    return isinstance(error, kinds) and not isinstance(error, own)


class Compilers(NamedTuple):
    """Options of Numba's decorator that name our compilers."""

    alone: dict[str, Any]
    inner: dict[str, Any]


@cache
def compilers() -> Compilers:
    """Our compilers."""
    from llvmlite.binding import Linkage
    from numba.core.codegen import JITCodeLibrary
    from numba.core.compiler import CompilerBase, DefaultPassBuilder
    from numba.core.compiler_machinery import register_pass
    from numba.core.lowering import Lower
    from numba.core.typed_passes import NativeLowering

    library: Any = JITCodeLibrary

    class NoEnvironment:
        """A code generator that keeps no Python objects for a function: no kernel uses any."""

        def __init__(self, codegen: Any) -> None:
            self._codegen = codegen

        def __getattr__(self, name: str) -> Any:
            return getattr(self._codegen, name)

        def set_env(self, env_name: str, env: object) -> None: ...

    class InnerLibrary(library):  # type: ignore[misc]
        """Code that is there to be linked into a kernel, once, with all that it calls.

        Numba optimises every function that it compiles and turns it into machine code, then links
        its code into that of each caller and optimises it again. Inner functions are called from
        kernels only, which hold all of their code: it is optimised there, once."""

        @property
        def codegen(self) -> Any:
            return NoEnvironment(self._codegen)

        def _optimize_functions(self, ll_module: Any) -> None:
            ll_module.data_layout = self._codegen._data_layout  # the kernel is optimised as a whole

        def finalize(self) -> None:
            self._raise_if_finalized()
            for function in self._final_module.functions:
                if not function.is_declaration and function.linkage == Linkage.external:
                    function.linkage = "linkonce_odr"  # to be inlined, and not kept for its own
            self._final_module.verify()
            self._finalize_dynamic_globals()
            self._finalized = True

        def _get_module_for_linking(self) -> Any:
            self._ensure_finalized()
            return self._final_module

        def get_pointer_to_function(self, name: str) -> int:
            return 0

    class AloneLibrary(library):  # type: ignore[misc]
        """The code of a kernel and of all inner functions, linked and called by ``entry``."""

        _linking_libraries: list[Any]
        entry: EntryCode
        machine_code: MachineCode | None = None

        @property
        def codegen(self) -> Any:
            return NoEnvironment(self._codegen)

        def finalize(self) -> None:
            self._linking_libraries = all_of(self._linking_libraries)
            super().finalize()

        def _optimize_final_module(self) -> None:
            """Once: Numba does it twice, to count fewer references, and here none are counted."""
            self.entry.close(self._final_module)
            made = self._codegen._module_pass_manager()
            if isinstance(made, tuple):  # since Numba 0.62
                made[0].run(self._final_module, made[1])
            else:
                super()._optimize_final_module()

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True
            reloads = getattr(self, "_reload_init", ())  # since Numba 0.62
            if not self._dynamic_globals and not reloads:
                self.machine_code = self.entry.finished(self._final_module, self._codegen._tm)

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()
            return 0

    class AloneLower(Lower):
        """Makes our way into a kernel instead of Numba's."""

        def create_cpython_wrapper(self, release_gil: bool = False) -> None:
            self.library.entry = EntryCode(self.context, self.library, self.fndesc)
            self.library.entry.build()

    @register_pass(mutates_CFG=True, analysis_only=False)
    class AloneLowering(NativeLowering):
        """The pass that does so."""

        @property
        def lowering_class(self) -> Any:
            return AloneLower

    def all_of(libraries: list[Any]) -> list[Any]:
        """These and those that they need, each once."""
        found: dict[int, Any] = {}
        waiting = list(libraries)
        while waiting:
            one = waiting.pop(0)
            if id(one) not in found:
                found[id(one)] = one
                if isinstance(one, InnerLibrary):
                    waiting += one._linking_libraries
        return list(found.values())

    def compiler_with(kind: Any) -> dict[str, Any]:
        class OurCompiler(CompilerBase):
            """A compiler with such a library."""

            def define_pipelines(self) -> list[Any]:
                passes = DefaultPassBuilder.define_nopython_pipeline(self.state)
                if kind is AloneLibrary:
                    passes.passes = [(AloneLowering if one is NativeLowering else one, about)
                                     for one, about in passes.passes]
                    passes.finalize()
                return [passes]

            def compile_extra(self, func: Any) -> Any:
                self.state.library = kind(self.state.targetctx.codegen(), func.__qualname__)
                # Annotated sources, which nobody looks at, would keep a function's whole IR alive.
                return super().compile_extra(func)._replace(type_annotation="")

        return {"pipeline_class": OurCompiler}

    return Compilers(compiler_with(AloneLibrary), compiler_with(InnerLibrary))


def compile_for(dispatcher: Any, arguments: tuple[Any, ...]) -> None:
    """Compile a kernel for such arguments."""
    typeof = load_numba().typeof
    with compile_stats.listener.told():
        dispatcher.compile(tuple(typeof(value) for value in arguments))


def compiled_alone(make: Callable[[], Any], arguments: tuple[Any, ...]) -> MachineCode | None:
    """The code of the kernel that ``make`` makes with the compiler ``alone``, for such arguments;
    None if it has to be called by Numba."""
    try:
        dispatcher = make()
        compile_for(dispatcher, arguments)
        (made,) = dispatcher.overloads.values()
        code: MachineCode | None = made.library.machine_code
    except Exception:  # its own words come when it is compiled in another way
        return None
    return code


class NotAlone(Exception):
    """An argument or a result is of another type."""


class EntryCode:
    """The function through which one kernel that stands alone is entered: words in, words out.

    It reads the words that ``arguments`` writes: the address of an array's object, or a number. A
    kernel stands alone if it calls nothing of Python's and Numba's, and takes and returns numbers,
    arrays and tuples of them. An exception is told by the address of what Numba has laid down for
    it.
    """

    def __init__(self, context: Any, library: Any, description: Any) -> None:
        from llvmlite import ir
        from numba.core import cgutils, types

        self.context, self.library, self.description = context, library, description
        self.types: Any = types
        self.cgutils: Any = cgutils
        self.ir: Any = ir
        self.word = ir.IntType(64)
        self.symbol = f"kernel_{uuid.uuid4().hex}"
        self.read = 0
        result = description.restype
        self.many = isinstance(result, types.BaseTuple)
        parts = list(result) if self.many else [] if result == types.none else [result]
        if self.many and (isinstance(result, types.BaseNamedTuple) or not parts):
            raise NotAlone(result)
        self.returns = "".join(self.letter_of(part) for part in parts)
        for kind in description.argtypes:
            self.check(kind)

    def letter_of(self, kind: Any) -> str:
        """Return how a number that is returned is written."""
        if isinstance(kind, self.types.Boolean):
            return "?"
        if isinstance(kind, self.types.Integer) and kind.bitwidth <= 64:
            return "q" if kind.signed else "Q"
        if kind in (self.types.float32, self.types.float64):
            return "d"
        raise NotAlone(kind)

    def check(self, kind: Any) -> None:
        """Refuse an argument that ``entry.take`` does not write."""
        if isinstance(kind, self.types.BaseTuple):
            for part in kind:
                self.check(part)
        elif not (type(kind) is self.types.Array and kind.ndim > 0):
            self.letter_of(kind)

    def build(self) -> None:
        """Add the function to the library."""
        context, ir, about = self.context, self.ir, self.description
        module = self.library.create_ir_module("entry")
        callee = ir.Function(
            module, context.call_conv.get_function_type(about.restype, about.argtypes),
            about.llvm_func_name)
        words = self.word.as_pointer()
        entry = ir.Function(module, ir.FunctionType(ir.IntType(32), [words, words]), self.symbol)
        builder = ir.IRBuilder(entry.append_basic_block("entry"))
        arguments = [self.argument(builder, entry.args[0], kind) for kind in about.argtypes]
        status, value = context.call_conv.call_function(
            builder, callee, about.restype, about.argtypes, arguments)
        with builder.if_then(status.is_error, likely=False):
            place = self.at(builder, entry.args[1], len(self.returns))
            builder.store(builder.ptrtoint(status.excinfoptr, self.word), place)
        for i, letter in enumerate(self.returns):
            part = builder.extract_value(value, i) if self.many else value
            kind = list(about.restype)[i] if self.many else about.restype
            place = self.at(builder, entry.args[1], i)
            builder.store(self.as_word(builder, part, kind, letter), place)
        builder.ret(status.code)
        self.library.add_ir_module(module)

    def at(self, builder: Any, words: Any, index: int) -> Any:
        """The address of a word."""
        return builder.gep(words, [self.word(index)])

    def as_word(self, builder: Any, value: Any, kind: Any, letter: str) -> Any:
        """A number that is returned, in 64 bits."""
        wide = {"d": self.types.float64, "Q": self.types.uint64}.get(letter, self.types.int64)
        return builder.bitcast(self.context.cast(builder, value, kind, wide), self.word)

    def argument(self, builder: Any, words: Any, kind: Any) -> Any:
        """An argument, from the next word or words."""
        if isinstance(kind, self.types.BaseTuple):
            parts = [self.argument(builder, words, part) for part in kind]
            return self.context.make_tuple(builder, kind, parts)
        word = builder.load(self.at(builder, words, self.read))
        self.read += 1
        if isinstance(kind, self.types.Array):
            return self.array(builder, word, kind)
        if isinstance(kind, self.types.Float):
            double = builder.bitcast(word, self.ir.DoubleType())
            return self.context.cast(builder, double, self.types.float64, kind)
        return self.context.cast(builder, word, self.types.int64, kind)

    def array(self, builder: Any, word: Any, kind: Any) -> Any:
        """An array, from the address of its object."""
        made = self.context.make_array(kind)(self.context, builder)
        pointer = self.word.as_pointer()

        def held(offset: int) -> Any:
            place = builder.inttoptr(builder.add(word, self.word(offset)), pointer)
            return builder.load(place)

        shape, strides = (
            [builder.load(self.at(builder, builder.inttoptr(held(offset), pointer), i))
             for i in range(kind.ndim)] for offset in (SHAPE, STRIDES))
        items = shape[0]
        for length in shape[1:]:
            items = builder.mul(items, length)
        size = self.context.get_abi_sizeof(self.context.get_data_type(kind.dtype))
        made.nitems, made.itemsize = items, self.word(size)
        made.data = builder.inttoptr(held(DATA), made.data.type)
        made.shape = self.cgutils.pack_array(builder, shape)
        made.strides = self.cgutils.pack_array(builder, strides)
        return made._getvalue()

    def close(self, module: Any) -> None:
        """Hide all functions but this one before optimising."""
        for function in module.functions:
            if not function.is_declaration and function.name != self.symbol:
                function.linkage = "internal"

    def finished(self, module: Any, machine: Any) -> MachineCode | None:
        """The code, after optimising, if it stands alone."""
        used = [one.name for part in (module.functions, module.global_variables)
                for one in part if one.is_declaration]
        if LOCKING in used or not all(name.startswith(KNOWN) for name in used):
            return None
        return MachineCode(self.symbol, self.returns, self.many, str(self.description.restype),
                           any(name.startswith(RUNTIME) for name in used),
                           machine.emit_object(module))
