"""Processes that check the records of a claim: this one alone, or several that share its arrays."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_all_start_methods, get_context, parent_process
from pathlib import Path
from typing import Any, Self

import numpy as np

from zermelo.errors import BadCertificate, BadOption, file_name, one_line
from zermelo.proof.budget import Budget
from zermelo.proof.check import Checker
from zermelo.proof.header import Claim
from zermelo.proof.read import RecordTable
from zermelo.proof.rules.base import RulesOf
from zermelo.storage.whole_files import Folder
from zermelo.workers.processes import starting_safely

BATCH = 2_000
Step = tuple[int, int]  # records checked, positions


class Alone:
    """This process."""

    def __init__(self, checker: Checker) -> None:
        self.checker = checker

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        """End the check."""

    def check(self, begin: int, end: int) -> Iterator[Step]:
        """Check a stretch of the table's order, a batch at a time."""
        for a, b in _batches(begin, end):
            before = self.checker.positions
            self.checker.batch(np.asarray(self.checker.table.order[a:b]))
            yield b - a, self.checker.positions - before


class Several(Alone):
    """Several processes, each with the arrays of the claim mapped from the same files."""

    def __init__(self, checker: Checker, workers: int) -> None:
        super().__init__(checker)
        self.workers = workers

    def __enter__(self) -> Self:
        checker = self.checker
        self.directory = Folder("zermelo-verify")
        place, layers = self.directory.path, checker.table.layers
        try:
            checker.table.save(place)
            checker.table = RecordTable.shared(place)
        except OSError as error:
            self.directory.close()
            raise self._unshared(error) from None
        checker.table.layers = layers
        with starting_safely():
            self.pool = ProcessPoolExecutor(
                self.workers, get_context(start_method()), _begin,
                (type(checker), checker.rules, checker.claim, checker.search,
                 checker.budget.shared(self.workers), place),
            )
        return self

    def _unshared(self, error: OSError) -> BadOption:
        """Return the error for records that can't be written, or read by another process."""
        return BadOption(f"--workers: can't share the records through "
                         f"{file_name(self.directory.path.parent)}: "
                         f"{one_line(error.strerror or error)}; TMPDIR names another directory.")

    def __exit__(self, *problem: object) -> None:
        """End the processes, in the midst of their work if the check ended so; remove the files."""
        if problem[0] is not None:
            for process in list((self.pool._processes or {}).values()):
                process.kill()
        self.pool.shutdown(cancel_futures=True)
        self.directory.close()

    def check(self, begin: int, end: int) -> Iterator[Step]:
        """Check a stretch of the table's order; one of a single batch is not sent."""
        if end - begin <= BATCH:
            yield from super().check(begin, end)
            return
        waiting = [(b - a, self._submit(a, b)) for a, b in _batches(begin, end)]
        for records, future in waiting:
            try:
                positions, searched, known = future.result()
            except BrokenProcessPool:
                raise BadCertificate("a process of the check was killed; the check may need "
                                     "more memory, or fewer workers.") from None
            except OSError as error:
                raise self._unshared(error) from None
            self.checker.searched += searched
            self.checker.lengths_known &= known
            yield records, positions

    def _submit(self, begin: int, end: int) -> Future[tuple[Any, ...]]:
        """Send a batch, which may start a process."""
        with _interrupts_held(), starting_safely():
            return self.pool.submit(_batch, begin, end)


def workers_for(checker: Checker, workers: int) -> Alone:
    """Return several processes if there is work for them and the rules can be sent."""
    inherited = start_method() == "fork"  # a user's functions can't be sent, but are inherited
    if workers == 1 or len(checker.table.order) <= BATCH or not (
            inherited or checker.rules.can_be_sent):
        return Alone(checker)
    return Several(checker, workers)


def start_method() -> str:
    """Return the way to start processes: a fork where that is safe."""
    return "fork" if "fork" in get_all_start_methods() and sys.platform != "darwin" else "spawn"


@contextmanager
def _interrupts_held() -> Iterator[None]:
    """Delay Ctrl-C, so that no process is half started or reports an interrupt."""
    before = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(before):
        yield
        return
    noted: list[Any] = []
    signal.signal(signal.SIGINT, lambda *which: noted.append(which))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if noted:
        before(*noted[0])


def _batches(begin: int, end: int) -> list[tuple[int, int]]:
    return [(at, min(at + BATCH, end)) for at in range(begin, end, BATCH)]


_checker: Checker | OSError  # or why there is none


def _begin(kind: type[Checker], rules: RulesOf, claim: Claim, search: int, budget: Budget,
           place: Path) -> None:
    """Begin a new process. Ctrl-C is for the first process, which then ends this one."""
    global _checker
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    threading.Thread(target=_end_with_the_first, daemon=True).start()
    try:
        _checker = kind(rules, claim, RecordTable.shared(place), search, budget)
    except OSError as error:
        _checker = error


def _end_with_the_first() -> None:
    """Wait for the end of the first process, which may be killed, and end this one."""
    first = parent_process()
    assert first is not None
    first.join()
    os._exit(1)


def _batch(begin: int, end: int) -> tuple[Any, ...]:
    if isinstance(_checker, OSError):
        raise _checker
    before = _checker.positions, _checker.searched
    _checker.batch(np.asarray(_checker.table.order[begin:end]))
    return (_checker.positions - before[0], _checker.searched - before[1], _checker.lengths_known)
