"""Making Numba compile faster, without a change to what it makes.

Two thirds of the time are spent in Numba's own Python, not in LLVM. Measured on weak df-pn of
Connect Four (10.0 s of processor time before, 6.7 after): reference counting of arrays is left out
of kernels (see ``jit``, 13 %), the garbage collector waits (10 %), and the hash of Numba's options
is taken without listing all of them (6 %).

All of it builds on private names; where they are missing, compiling takes longer, and that is all.
"""

import gc
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from typing import Any


@contextmanager
def undisturbed() -> Iterator[None]:
    """No garbage is collected meanwhile: compiling makes many objects, and hardly a cycle."""
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()


@cache
def hash_options_quickly() -> None:
    """Let Numba hash and compare its compile options by what was set.

    Each look for a typed operation hashes them. Numba lists all options for that, in order to hash
    nothing but their names, which are those of the class.
    """
    with suppress(ImportError, AttributeError):
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
