"""The processes that check the records of a claim: this one, or several that share its arrays."""

from __future__ import annotations

import pickle
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from math import inf
from pathlib import Path
from typing import Any

import numpy as np

from zermelo.errors import BadCertificate, BadOption, file_name, one_line
from zermelo.proof.budget import CheckBudget
from zermelo.proof.check import Checker
from zermelo.proof.header import Claim
from zermelo.proof.read import RecordTable
from zermelo.proof.rules.base import RulesOf
from zermelo.storage.whole_files import Folder
from zermelo.workers.crew import WAIT_SECONDS, Finished, LocalCrew, Program
from zermelo.workers.messages import Cancelled, never, serve
from zermelo.workers.processes import can_fork
from zermelo.workers.signals import interrupts_deferred

BATCH = 2_000
Step = tuple[int, int]  # records checked, positions


@contextmanager
def workers_for(checker: Checker, workers: int) -> Iterator[Callable[[int, int], Iterator[Step]]]:
    """Yield ``check(begin, end)``, which checks a stretch of the table's order, and itself yields
    after each batch; by several processes if there is work for them and the rules can be sent."""
    inherited = start_method() == "fork"  # a user's functions can't be sent, but are inherited
    if workers == 1 or len(checker.table.order) <= BATCH or not (
            inherited or checker.rules.can_be_sent):
        yield partial(_alone, checker)
        return
    layers = checker.table.layers
    with Folder("zermelo-verify") as place:
        try:
            checker.table.save(place)
            checker.table = RecordTable.shared(place)
        except OSError as error:
            raise _unshared(place, error) from None
        checker.table.layers = layers
        setup = (type(checker), checker.rules, checker.claim, checker.search,
                 checker.budget.shared(workers), place)
        with interrupts_deferred():  # no process is half started
            crew = LocalCrew(_program(setup), workers)
        try:
            yield partial(_together, checker, crew, place)
        finally:  # in the midst of their work if the check ended so
            crew.close()


def _alone(checker: Checker, begin: int, end: int) -> Iterator[Step]:
    for a, b in _batches(begin, end):
        before = checker.positions
        checker.batch(np.asarray(checker.table.order[a:b]))
        yield b - a, checker.positions - before


def _together(checker: Checker, crew: LocalCrew, place: Path, begin: int, end: int
              ) -> Iterator[Step]:
    """Check by all processes, which have the arrays of the claim mapped from the same files; yield
    batches in their order. A stretch of one batch is not worth sending."""
    if end - begin <= BATCH:
        yield from _alone(checker, begin, end)
        return
    batches = _batches(begin, end)
    waiting, busy = deque(batches), dict[int, Step]()
    found: dict[Step, Finished] = {}
    for batch in batches:
        while batch not in found:
            for worker in crew.capacity():
                if waiting:
                    busy[worker] = waiting.popleft()
                    crew.submit(worker, pickle.dumps(busy[worker]), inf)
            for done in crew.finished(WAIT_SECONDS):
                found[busy.pop(done.worker)] = done
        positions, searched, known = answer_of(found.pop(batch), place)
        checker.searched += searched
        checker.lengths_known &= known
        yield batch[1] - batch[0], positions


def answer_of(done: Finished, place: Path) -> tuple[int, int, bool]:
    """Return what a process found in a batch, or raise the exception that the batch raised."""
    found: tuple[int, int, bool] | Exception = (
        ChildProcessError() if done.answer is None else pickle.loads(done.answer))
    if isinstance(found, ChildProcessError):
        raise BadCertificate("a process of the check was killed; the check may need more memory, "
                             "or fewer workers.")
    if isinstance(found, Exception):
        try:
            raise found
        except OSError as error:  # the context of what is raised, which makes its status
            raise _unshared(place, error) from None
    return found


def _unshared(place: Path, error: OSError) -> BadOption:
    """Return what to raise if the records can't be written, or read by another process."""
    return BadOption(f"--workers: can't share the records through {file_name(place.parent)}: "
                     f"{one_line(error.strerror or error)}; TMPDIR names another directory.")


def start_method() -> str:
    """Return how processes are started: by a fork where that is safe."""
    return "fork" if can_fork() and sys.platform != "darwin" else "spawn"


def _program(setup: tuple[Any, ...]) -> Program:
    """Return the program of a process; its limits of time and memory are those of its budget."""
    if start_method() == "fork":
        return Program(partial(serve, lambda first: Batches(*setup)), b"begin", own_work=False)
    return Program((sys.executable, "-m", "zermelo.proof.workers"), pickle.dumps(setup),
                   own_work=False)


def _batches(begin: int, end: int) -> list[Step]:
    return [(at, min(at + BATCH, end)) for at in range(begin, end, BATCH)]


class Batches:
    """A process that checks batches of records."""

    def __init__(self, kind: type[Checker], rules: RulesOf, claim: Claim, search: int,
                 budget: CheckBudget, place: Path) -> None:
        self.make, self.place = partial(kind, rules, claim), place
        self.limits, self.checker = (search, budget), None  # type: tuple[Any, Checker | None]

    def answer(self, order: bytes, cancelled: Cancelled = never) -> bytes:
        """Check a batch; return the numbers of positions and searches, and False if a length is
        not known; or the exception that it raises."""
        try:
            return pickle.dumps(self._check(*pickle.loads(order)))
        except Exception as error:
            return pickle.dumps(error)

    def _check(self, begin: int, end: int) -> tuple[int, int, bool]:
        if self.checker is None:
            self.checker = self.make(RecordTable.shared(self.place), *self.limits)
        checker = self.checker
        before = checker.positions, checker.searched
        checker.batch(np.asarray(checker.table.order[begin:end]))
        return (checker.positions - before[0], checker.searched - before[1], checker.lengths_known)


if __name__ == "__main__":
    serve(lambda first: Batches(*pickle.loads(first)))
