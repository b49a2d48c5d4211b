"""Entry: a kernel as it is called from Python.

Most kernels stand alone (see ``entry_code``): they are loaded from disk, linked and called without
Numba. The others, and calls with arguments of kinds that are not known here, go Numba's way.
"""

from __future__ import annotations

import threading
import uuid
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any, NamedTuple

from zermelo.compiler.arguments import ALL, Unknown, described, take
from zermelo.compiler.cache import MAGIC, SUFFIX, USUAL_SUFFIX, Place, place, say_not_kept
from zermelo.compiler.fingerprint import Reading
from zermelo.compiler.guard import functions, guarded
from zermelo.compiler.machine_code import Linked, MachineCode, linked, target, unpacked
from zermelo.compiler.tally import log, tally

MISSING: Any = object()
_finding = threading.RLock()  # Numba compiles one kernel at a time, too


class Signature(NamedTuple):
    """What is known of a kernel for arguments of certain kinds."""

    return_type: str


class Compiled:
    """What was compiled or loaded of all functions with one digest."""

    def __init__(self) -> None:
        self.usual: Any = None  # the kernel as Numba calls it
        self.runs: dict[tuple[Any, ...], Linked | None] = {}


class Entry:
    """A kernel: ``alone`` compiles it for given arguments so that it can be called without Numba,
    or returns None; ``usual`` makes one that Numba calls. ``name`` is that of its files, None for a
    kernel that can't be kept. ``reading`` has the values that it is compiled with."""

    def __init__(self, name: str | None, parameters: int,
                 alone: Callable[[tuple[Any, ...]], MachineCode | None] | None,
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
        if self._alone is None or len(arguments) != self.parameters:
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
        """What it was compiled or loaded for, so far."""
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
        began = tally.clock()
        cache = place() if self.name is not None else None
        file = ""
        try:
            run = MISSING
            if cache is not None:
                text = repr((MAGIC, described(kinds), target()))
                file = f"{self.name}-{uuid.uuid5(uuid.NAMESPACE_OID, text).hex}"
                run = self._load(cache, file, began)
            if run is MISSING:
                with cache.only_one(file) if cache is not None else nullcontext():
                    if cache is not None:  # another process may have compiled it meanwhile
                        run = self._load(cache, file, began)
                    if run is MISSING:
                        run = self._compile(arguments, cache, file, began)
        finally:
            tally.seconds += tally.clock() - began
        linked: Linked | None = run
        self._runs[kinds] = linked
        return linked

    def _load(self, cache: Place, file: str, began: float) -> Any:
        """The kernel in a file; None if there is a note that Numba has to call it."""
        payload = cache.read(file + SUFFIX)
        if not payload:
            return MISSING if cache.read(file + USUAL_SUFFIX) is None else None
        try:
            run = linked(unpacked(payload))
        except Exception:  # made by something that is no longer there: a miss
            return MISSING
        tally.loaded += 1
        log.debug("loaded %s in %.2f s", self.name, tally.clock() - began)
        return run

    def _compile(self, arguments: tuple[Any, ...], cache: Place | None, file: str,
                 began: float) -> Linked | None:
        assert self._alone is not None
        code = self._alone(arguments)
        if code is not None:
            tally.compiled += 1
            log.info("compiled %s in %.2f s", self.name, tally.clock() - began)
            if self.reading.problem is not None:
                say_not_kept(self.reading.problem)
        self.check()  # what has changed while it was compiled may be in it
        if cache is not None and code is not None:
            cache.write(file + SUFFIX, code.pack())
        elif cache is not None:
            cache.write(file + USUAL_SUFFIX, b"")
        return None if code is None else linked(code)


class Bound:
    """A kernel with all its arguments but the last, a number: describing the others takes longer
    than a short run. It holds them, so that they stay where they are."""

    def __init__(self, entry: Entry, arguments: tuple[Any, ...]) -> None:
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
        """Whether these are the last of its arguments."""
        return all(own is other for own, other in zip(self.arguments[-len(last):], last,
                                                      strict=True))
