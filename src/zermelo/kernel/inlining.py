"""Inner functions of kernels: Numba types and lowers them, and makes no machine code of them.

Numba optimises every function it compiles and turns it into machine code, then links its code into
that of each caller and optimises it again. Our inner functions are only ever called from kernels,
which hold all of their code. Left to the kernel, all linking and optimising is done once. Over nine
kernels that took 39 seconds instead of 53, most for the largest; their speed did not change beyond
the noise.
"""

from functools import cache
from typing import Any, ClassVar, NamedTuple

from zermelo.kernel.compile_speed import quick_compiler
from zermelo.kernel.entry_code import EntryCode
from zermelo.kernel.lowering import lean_or_usual
from zermelo.kernel.machine_code import MachineCode

NEEDED = ("_finalize_dynamic_globals", "_raise_if_finalized", "_ensure_finalized", "finalize",
          "_get_module_for_linking", "get_pointer_to_function", "codegen",
          "_optimize_functions", "_optimize_final_module", "_finalize_final_module",
          "has_dynamic_globals")


class Options(NamedTuple):
    """What to tell Numba about how functions are compiled."""

    kernels: dict[str, Any]
    inner_functions: dict[str, Any]
    alone: dict[str, Any] | None  # kernels that may stand alone; None where that can't be


@cache
def compiler_options() -> Options:
    """What to tell Numba; nothing where it has no such hooks."""
    try:
        from llvmlite.binding import Linkage
        from numba.core.codegen import JITCodeLibrary
        from numba.core.compiler import Compiler
        from numba.core.compiler_machinery import register_pass
        from numba.core.typed_passes import NativeLowering

        less = lean_or_usual()
    except ImportError:
        return Options({}, {}, None)
    library: Any = JITCodeLibrary
    if not all(hasattr(library, name) for name in NEEDED):
        return Options({}, {}, None)

    class NoEnvironment:
        """A code generator that keeps no Python objects for a function: no kernel uses any."""

        def __init__(self, codegen: Any) -> None:
            self._codegen = codegen

        def __getattr__(self, name: str) -> Any:
            return getattr(self._codegen, name)

        def set_env(self, env_name: str, env: object) -> None: ...

    class InnerLibrary(library):  # type: ignore[misc]
        """Code that is there to be linked into a kernel, once, with all that it calls."""

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

    class KernelLibrary(library):  # type: ignore[misc]
        """The code of a kernel and of all inner functions."""

        _linking_libraries: list[Any]

        def finalize(self) -> None:
            self._linking_libraries = all_of(self._linking_libraries)
            super().finalize()

    class AloneLibrary(KernelLibrary):
        """The code of a kernel that is linked and called by ``machine_code``, not by Numba."""

        entry: EntryCode
        machine_code: MachineCode | None = None

        @property
        def codegen(self) -> Any:
            return NoEnvironment(self._codegen)

        def _optimize_final_module(self) -> None:
            """Once: Numba does it twice, to count fewer references, and here none are counted.
            Compiling takes a tenth less, and kernels are as fast, as far as noise lets one see."""
            self.entry.close(self._final_module)
            made = self._codegen._module_pass_manager()
            if isinstance(made, tuple):  # since Numba 0.62
                made[0].run(self._final_module, made[1])
            else:
                super()._optimize_final_module()

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._finalized = True
            if not self._dynamic_globals and not self._reload_init:
                self.machine_code = self.entry.finished(self._final_module, self._codegen._tm)

        def get_pointer_to_function(self, name: str) -> int:
            self._ensure_finalized()
            return 0

    class AloneLower(less.lower):  # type: ignore[misc, name-defined]
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

    quick = quick_compiler()
    usual: Any = quick or Compiler

    def compiler_with(kind: Any) -> dict[str, Any]:
        class OurCompiler(usual):  # type: ignore[misc]
            """A compiler with such a library."""

            instead: ClassVar[dict[Any, Any]] = less.passes | (
                {NativeLowering: AloneLowering} if kind is AloneLibrary else {})

            def compile_extra(self, func: Any) -> Any:
                self.state.library = kind(self.state.targetctx.codegen(), func.__qualname__)
                if kind is KernelLibrary:
                    self.state.library.enable_object_caching()
                # Annotated sources, which nobody looks at, would keep a function's whole IR alive.
                return super().compile_extra(func)._replace(type_annotation="")

        return {"pipeline_class": OurCompiler}

    return Options(compiler_with(KernelLibrary), compiler_with(InnerLibrary),
                   compiler_with(AloneLibrary) if quick is not None else None)
