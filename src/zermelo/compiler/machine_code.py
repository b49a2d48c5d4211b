"""Compiled kernels as they are on disk, linked and called without Numba.

A kernel that stands alone calls nothing of Python's or Numba's, so that LLVM is enough to link it:
loading Numba would take longer than many a search. Its file has a line that says how it is called,
then the object code. Whether a file may be trusted is up to ``cache``.
"""

from __future__ import annotations

import ctypes
import json
import pickle
import struct
import threading
from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

SHAPE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_char_p, ctypes.c_void_p)  # lets go of the lock
FINE = (0, -2)  # a value, or None
_linking = threading.Lock()


class MachineCode(NamedTuple):
    """The object code of a kernel for arguments of certain kinds, and how to call it.

    ``returns`` has a letter for each number that comes back: ``q`` for a signed one, ``Q`` for an
    unsigned one, ``d`` for a float, ``?`` for a truth value. ``type`` is what Numba calls it all.
    """

    symbol: str
    returns: str
    many: bool  # a tuple, even if it is of one number
    type: str
    code: bytes

    def pack(self) -> bytes:
        """The content of a file."""
        head = json.dumps([self.symbol, self.returns, self.many, self.type])
        return head.encode() + b"\n" + self.code


def unpacked(content: bytes) -> MachineCode:
    """What ``pack`` wrote."""
    head, _, code = content.partition(b"\n")
    symbol, returns, many, kind = json.loads(head)
    return MachineCode(symbol, returns, many, kind, code)


def target() -> tuple[str, ...]:
    """The machine that code is made for, and by what."""
    import llvmlite
    from llvmlite import binding

    return (llvmlite.__version__, binding.get_process_triple(), binding.get_host_cpu_name(),
            binding.get_host_cpu_features().flatten())


@cache
def _engine() -> Any:
    from llvmlite import binding

    for name in ("initialize_native_target", "initialize_native_asmprinter"):
        getattr(binding, name)()
    machine = binding.Target.from_triple(binding.get_process_triple()).create_target_machine()
    return binding.create_mcjit_compiler(binding.parse_assembly(""), machine)


def linked(kernel: MachineCode) -> Linked:
    """The kernel, ready to be called."""
    from llvmlite import binding

    with _linking:
        engine = _engine()
        engine.add_object_file(binding.ObjectFileRef.from_data(kernel.code))
        engine.finalize_object()
        address = engine.get_function_address(kernel.symbol)
    if not address:
        raise ValueError(f"the machine code has no {kernel.symbol}.")
    return Linked(kernel, address)


def raised(status: int, address: int) -> BaseException:
    """What a kernel raised: Numba pickles it when it compiles, into the code itself."""
    if status < 0 or not address:
        return SystemError(f"a kernel ended with status {status}.")
    data = ctypes.c_void_p.from_address(address).value
    size = ctypes.c_int32.from_address(address + 8).value
    kind, given, _ = pickle.loads(ctypes.string_at(data or 0, size))
    error: BaseException = (kind or RuntimeError)(*(given or ()))
    return error


class Linked:
    """A kernel in memory. The arguments must be of the kinds that it was made for."""

    def __init__(self, kernel: MachineCode, address: int) -> None:
        self.type = kernel.type
        self._call: Any = SHAPE(address)
        self._results: Any = ctypes.c_uint64 * (len(kernel.returns) + 1)  # what was raised, last
        self._format = struct.Struct("=" + kernel.returns.replace("?", "q"))
        self._truths = [i for i, letter in enumerate(kernel.returns) if letter == "?"]
        self._many = kernel.many
        self._packers: dict[int, Any] = {}

    def __call__(self, words: Sequence[int]) -> Any:
        """Run it; what the words refer to must be held by the caller."""
        results = self._results()
        pack = self._packers.get(len(words))
        if pack is None:
            pack = self._packers[len(words)] = struct.Struct(f"={len(words)}Q").pack
        status = self._call(pack(*words), results)
        if status not in FINE:
            raise raised(status, results[len(results) - 1])
        found: Sequence[Any] = self._format.unpack_from(results)
        if self._truths:
            found = [bool(value) if i in self._truths else value for i, value in enumerate(found)]
        if self._many:
            return tuple(found)
        return found[0] if found else None
