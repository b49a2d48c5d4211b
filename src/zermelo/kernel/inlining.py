"""Inner functions of kernels: Numba types and lowers them, and makes no machine code of them.

Numba optimises every function it compiles and turns it into machine code, then optimises its code
again as a part of each caller. Our inner functions are only ever called from kernels, which hold
all of their code. Left to the kernel, all optimising is done once. Over nine kernels that took 39
seconds instead of 53, most for the largest; their speed did not change beyond the noise.
"""

from functools import cache
from typing import Any

NEEDED = ("_finalize_dynamic_globals", "_verify_declare_only_symbols", "_optimize_final_module",
          "_finalize_final_module", "get_pointer_to_function", "codegen")


@cache
def inner_options() -> dict[str, Any]:
    """What to tell Numba about an inner function; nothing where it has no such hooks."""
    try:
        from numba.core.codegen import JITCodeLibrary
        from numba.core.compiler import Compiler
    except ImportError:
        return {}
    library: Any = JITCodeLibrary
    if not all(hasattr(library, name) for name in NEEDED):
        return {}

    class NoEnvironment:
        """A code generator that keeps no Python objects for a function: no kernel uses any."""

        def __init__(self, codegen: Any) -> None:
            self._codegen = codegen

        def __getattr__(self, name: str) -> Any:
            return getattr(self._codegen, name)

        def set_env(self, env_name: str, env: object) -> None: ...

    class InnerLibrary(library):  # type: ignore[misc]
        """Code that is there to be linked into a kernel."""

        @property
        def codegen(self) -> Any:
            return NoEnvironment(self._codegen)

        def _optimize_final_module(self) -> None: ...

        def _finalize_final_module(self) -> None:
            self._finalize_dynamic_globals()
            self._verify_declare_only_symbols()
            self._finalized = True

        def get_pointer_to_function(self, name: str) -> int:
            return 0

    class InnerCompiler(Compiler):
        """Numba's compiler, with such a library."""

        def compile_extra(self, func: Any) -> Any:
            codegen = self.state.targetctx.codegen()
            self.state.library = InnerLibrary(codegen, func.__qualname__)
            return super().compile_extra(func)

    return {"pipeline_class": InnerCompiler}
