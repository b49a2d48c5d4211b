"""Entry: a kernel as it is called from Python.

Most kernels stand alone (see ``pipeline.EntryCode``): they are loaded from disk, linked and called
without Numba, whose loading would take longer than many a search. LLVM is enough for that, since
such a kernel calls nothing of Python's or Numba's. Its file has a line that says how it is called,
then the object code. Whether a file may be trusted is up to ``cache``.

``take`` describes arguments, and writes them as 64-bit words: a number as it is, an array as the
address of its Python object, in which the kernel finds the data, the shape and the strides.
Arguments of equal kinds have one type in Numba's eyes. Calls with arguments of other kinds, and of
kernels that do not stand alone, go Numba's way.
"""

from __future__ import annotations

import ctypes
import json
import pickle
import struct
import threading
import uuid
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module
from typing import Any, NamedTuple

import numpy as np

from zermelo.compiler.cache import MAGIC, SUFFIX, USUAL_SUFFIX, KernelDirectory, place, say_not_kept
from zermelo.compiler.callback import functions, guarded
from zermelo.compiler.compile_stats import log, stats
from zermelo.compiler.fingerprint import Reading

CONTIGUOUS, ALIGNED, WRITEABLE = 0x3, 0x100, 0x400
FLAGS = CONTIGUOUS | ALIGNED | WRITEABLE
NUMBERS = "biuf"
WIDEST = 8
ALL = (1 << 64) - 1
LARGEST = 1 << 63
MOST_DTYPES = 1000
MOST_HELD = 32
# Where an array's object holds the addresses of its data, its shape and its strides. Every package
# that is compiled against NumPy has these numbers in its code, so they do not change.
DATA, SHAPE, STRIDES = 16, 32, 40


class Unknown(TypeError):
    """An argument that is not described here."""


@cache
def arrays_are_known() -> bool:
    """Return True if arrays of this Python and this NumPy are laid out in memory as they should
    be."""
    if struct.calcsize("P") != WIDEST or struct.pack("=H", 1) != struct.pack("<H", 1):
        return False
    sample = np.zeros((3, 5, 7), np.int16)[:, 1:4, ::2]

    def word(address: int) -> int:
        return ctypes.c_int64.from_address(address).value

    shape, strides = word(id(sample) + SHAPE), word(id(sample) + STRIDES)
    return (word(id(sample) + DATA) == sample.ctypes.data
            and tuple(word(shape + 8 * i) for i in range(3)) == sample.shape
            and tuple(word(strides + 8 * i) for i in range(3)) == sample.strides)


def take(values: Iterable[Any], kinds: list[Any], words: list[int]) -> None:
    """Append the kinds of these values and the words that hand them over."""
    for value in values:
        kind: Any = type(value)
        if kind is np.ndarray:
            dtype = value.dtype
            known = _known.get(id(dtype))
            kinds += (known[1] if known is not None else _learn(dtype), value.ndim,
                      value.flags.num & FLAGS)
            words.append(id(value))
        elif kind is int or kind is bool:
            if not -LARGEST < value < LARGEST:
                raise Unknown(value)
            kinds.append(kind)
            words.append(value & ALL)
        elif isinstance(value, tuple):
            if id(value) in _held:
                kinds += _held[id(value)][1]
                words += _held[id(value)][2]
                continue
            if kind is not tuple and not _is_named(kind):
                raise Unknown(value)
            kinds += (kind, len(value))
            take(value, kinds, words)
        elif kind is float:
            kinds.append(kind)
            words.append(_bits(value))
        elif isinstance(value, np.generic) and value.dtype.kind in NUMBERS:
            if value.dtype.itemsize > WIDEST:
                raise Unknown(value)
            kinds.append(value.dtype.str)
            words.append(_bits(float(value)) if value.dtype.kind == "f" else int(value) & ALL)
        else:
            raise Unknown(value)


def hold(value: tuple[Any, ...]) -> None:
    """Remember the kinds and words of a tuple of arrays that will be handed over often, and keep
    it: then nothing else can have its identity."""
    if id(value) not in _held:
        kinds: list[Any] = []
        words: list[int] = []
        take([value], kinds, words)
        if len(_held) >= MOST_HELD:
            _held.clear()
        _held[id(value)] = (value, kinds, words)


def described(kinds: Iterable[Any]) -> str:
    """The kinds as a text that is the same in every process."""
    return repr([_class_text(kind) if isinstance(kind, type) else kind for kind in kinds])


def _class_text(kind: type) -> tuple[str, ...]:
    return kind.__module__, kind.__qualname__, *getattr(kind, "_fields", ())


def _bits(value: float) -> int:
    return int.from_bytes(struct.pack("<d", value), "little")


@cache
def _is_named(kind: Any) -> bool:
    """Return True if this is the class of a named tuple, with nothing of its own."""
    return (kind.__bases__ == (tuple,) and isinstance(getattr(kind, "_fields", None), tuple)
            and kind.__iter__ is tuple.__iter__ and kind.__len__ is tuple.__len__)


_held: dict[int, tuple[Any, list[Any], list[int]]] = {}  # by identity
_known: dict[int, tuple[np.dtype[Any], str]] = {}  # by identity: equal ones may differ in alignment


def _learn(dtype: np.dtype[Any]) -> str:
    text = repr(_parts(dtype))
    if len(_known) >= MOST_DTYPES:
        _known.clear()
    _known[id(dtype)] = (dtype, text)
    return text


def _parts(dtype: np.dtype[Any]) -> Any:
    """All that Numba looks at in a type of items."""
    if dtype.metadata or not dtype.isnative:
        raise Unknown(dtype)
    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return "items", _parts(base), shape
    if dtype.fields is None:
        if dtype.kind not in NUMBERS or dtype.itemsize > WIDEST:
            raise Unknown(dtype)
        return dtype.str
    fields = []
    for name in dtype.names or ():
        kind, offset, *title = dtype.fields[name]
        if title:
            raise Unknown(dtype)
        fields.append((name, _parts(kind), offset))
    return "record", fields, dtype.itemsize, dtype.isalignedstruct


# Calls of this type let go of the interpreter lock.
ENTRY_TYPE = ctypes.CFUNCTYPE(ctypes.c_int32, ctypes.c_char_p, ctypes.c_void_p)
FINE = (0, -2)  # a value, or None
UNTOLD = "(a value that NUMBA_DISABLE_JIT=1 shows)"
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
    runtime: bool  # it makes arrays, with Numba's memory manager
    code: bytes

    def pack(self) -> bytes:
        """The content of a file."""
        return json.dumps(self[:-1]).encode() + b"\n" + self.code


def unpacked(content: bytes) -> MachineCode:
    """Return what ``pack`` wrote."""
    head, _, code = content.partition(b"\n")
    symbol, returns, many, kind, runtime = json.loads(head)
    return MachineCode(symbol, returns, many, kind, runtime, code)


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

    if kernel.runtime:
        import_module("zermelo.compiler.pipeline").load_runtime()
    with _linking:
        engine = _engine()
        engine.add_object_file(binding.ObjectFileRef.from_data(kernel.code))
        engine.finalize_object()
        address = engine.get_function_address(kernel.symbol)
    if not address:
        raise ValueError(f"the machine code has no {kernel.symbol}.")
    return Linked(kernel, address)


def raised(status: int, address: int) -> BaseException:
    """Return what a kernel raised: Numba pickles it when it compiles, into the code itself, without
    values that are known only when it is raised."""
    if status < 0 or not address:
        return SystemError(f"a kernel ended with status {status}.")
    data = ctypes.c_void_p.from_address(address).value
    size = ctypes.c_int32.from_address(address + 8).value
    kind, given, _ = pickle.loads(ctypes.string_at(data or 0, size))
    error: BaseException = (kind or RuntimeError)(
        *(UNTOLD if type(part).__module__.startswith("llvmlite.") else part
          for part in given or ()))
    return error


class Linked:
    """A kernel in memory. The arguments must be of the kinds that it was made for."""

    def __init__(self, kernel: MachineCode, address: int) -> None:
        self.type = kernel.type
        self._call: Any = ENTRY_TYPE(address)
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


MISSING: Any = object()
_finding = threading.RLock()  # Numba compiles one kernel at a time, too


class Signature(NamedTuple):
    """The facts about a kernel for arguments of certain kinds."""

    return_type: str


class Compiled:
    """The machine code, compiled or loaded, of all functions with one digest."""

    def __init__(self) -> None:
        self.usual: Any = None  # the kernel as Numba calls it
        self.runs: dict[tuple[Any, ...], Linked | None] = {}


class KernelEntry:
    """A kernel: ``alone`` compiles it for given arguments so that it can be called without Numba,
    or returns None; ``usual`` makes one that Numba calls. ``name`` is that of its files, None for a
    kernel that can't be kept. ``reading`` has the values that it is compiled with."""

    def __init__(self, name: str | None, parameters: int,
                 alone: Callable[[tuple[Any, ...]], MachineCode | None],
                 usual: Callable[[], Any], reading: Reading, compiled: Compiled) -> None:
        self.name, self.parameters, self.reading = name, parameters, reading
        self._alone, self._make_usual = alone, usual
        self._compiled, self._runs = compiled, compiled.runs
        self._may_change = reading.may_change

    def check(self) -> None:
        """Raise BadGame if a value that the kernel was compiled with is another one by now."""
        if self._may_change:
            self.reading.check()

    def __call__(self, *arguments: Any) -> Any:
        """Run it; compile or load it first, if that has not been done."""
        self.check()
        if len(arguments) != self.parameters:
            return guarded(self.usual, *arguments)
        kinds: list[Any] = []
        words: list[int] = []
        try:
            take(arguments, kinds, words)
        except Unknown:
            return guarded(self.usual, *arguments)
        run = self._runs.get(tuple(kinds), MISSING)
        if run is MISSING:
            with _finding:
                run = self._find(tuple(kinds), arguments)
        if run is None:
            return guarded(self.usual, *arguments)
        return guarded(run, words) if functions else run(words)

    def bound(self, *arguments: Any) -> Bound:
        """The kernel with all arguments but the last, a number."""
        return Bound(self, arguments)

    @property
    def usual(self) -> Any:
        """The kernel as Numba calls it."""
        compiled = self._compiled
        if compiled.usual is None:
            with _finding:
                compiled.usual = compiled.usual or self._make_usual()
        return compiled.usual

    @property
    def nopython_signatures(self) -> list[Any]:
        """Return what it was compiled or loaded for, so far."""
        usual = self._compiled.usual
        found: list[Any] = [Signature(run.type) for run in self._runs.values() if run is not None]
        return found + (usual.nopython_signatures if usual is not None else [])

    def linked(self, arguments: tuple[Any, ...]) -> tuple[Linked, list[int]] | None:
        """The kernel and the words for these arguments, if it is loaded and stands alone."""
        kinds: list[Any] = []
        words: list[int] = []
        try:
            take(arguments, kinds, words)
        except Unknown:
            return None
        run = self._runs.get(tuple(kinds))
        return None if run is None else (run, words)

    def _find(self, kinds: tuple[Any, ...], arguments: tuple[Any, ...]) -> Linked | None:
        """The kernel for such arguments; None if Numba has to call it."""
        if kinds in self._runs:  # another thread was here before
            return self._runs[kinds]
        began = stats.clock()
        cache = place() if self.name is not None else None
        text = repr((MAGIC, described(kinds), target()))
        file = f"{self.name}-{uuid.uuid5(uuid.NAMESPACE_OID, text).hex}"
        try:
            run = found = self._load(cache, file, began)
            if run is MISSING:
                run = self._compile(arguments, cache, file, began)
            if run is None:
                usual = self.usual
                for function in self.reading.jitted:  # another kernel may have other values in it
                    function.recompile()
                import_module("zermelo.compiler.pipeline").compile_for(usual, arguments)
                stats.compiled += 1
                if cache is not None and found is MISSING:
                    cache.write(file + USUAL_SUFFIX, b"")
        finally:
            stats.seconds += stats.clock() - began
        linked: Linked | None = run
        self._runs[kinds] = linked
        return linked

    def _load(self, cache: KernelDirectory | None, file: str, began: float) -> Any:
        """The kernel in a file; None if there is a note that Numba has to call it."""
        payload = cache.read(file + SUFFIX) if cache is not None else None
        if not payload:
            noted = cache is not None and cache.read(file + USUAL_SUFFIX) is not None
            return None if noted else MISSING
        try:
            run = linked(unpacked(payload))
        except Exception:  # made by something that is no longer there: a miss
            return MISSING
        stats.loaded += 1
        log.debug("loaded %s in %.2f s", self.name, stats.clock() - began)
        return run

    def _compile(self, arguments: tuple[Any, ...], cache: KernelDirectory | None, file: str,
                 began: float) -> Linked | None:
        code = self._alone(arguments)
        if code is not None:
            stats.compiled += 1
            log.info("compiled %s in %.2f s", self.name, stats.clock() - began)
        if self.reading.problem is not None:
            say_not_kept(self.reading.problem)
        self.check()  # what has changed while it was compiled may be in it
        if code is None:
            return None
        if cache is not None:
            cache.write(file + SUFFIX, code.pack())
        return linked(code)


class Bound:
    """A kernel with all its arguments but the last, a number: describing the others takes longer
    than a short run. It holds them, so that they stay where they are."""

    def __init__(self, entry: KernelEntry, arguments: tuple[Any, ...]) -> None:
        self.entry, self.arguments = entry, arguments
        self._found: tuple[Linked, list[int]] | None = None

    def __call__(self, number: int) -> Any:
        """Run it."""
        if self._found is None:
            self._found = self.entry.linked((*self.arguments, number))
        if self._found is None or functions:
            return self.entry(*self.arguments, number)
        self.entry.check()
        run, words = self._found
        words[-1] = number & ALL
        return run(words)

    def holds(self, *last: Any) -> bool:
        """Return True if these are the last of its arguments."""
        return all(own is other for own, other in zip(self.arguments[-len(last):], last,
                                                      strict=True))
