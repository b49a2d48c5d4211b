"""The processes that check the records of a claim: this one, or several that share its arrays."""

from __future__ import annotations

import pickle
import sys
from collections import deque
from collections.abc import Iterator
from functools import partial
from math import inf
from pathlib import Path
from typing import Any, Self

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


class OneProcess:
    """This process."""

    def __init__(self, checker: Checker) -> None:
        self.checker = checker

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        """Do nothing: there is nothing to put away."""

    def check(self, begin: int, end: int) -> Iterator[Step]:
        """Check a stretch of the table's order; yield after each batch."""
        for a, b in _batches(begin, end):
            before = self.checker.positions
            self.checker.batch(np.asarray(self.checker.table.order[a:b]))
            yield b - a, self.checker.positions - before


class ManyProcesses(OneProcess):
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
        setup = (type(checker), checker.rules, checker.claim, checker.search,
                 checker.budget.shared(self.workers), place)
        with interrupts_deferred():  # no process is half started
            self.crew = LocalCrew(_program(setup), self.workers)
        return self

    def _unshared(self, error: OSError) -> BadOption:
        """Return what to raise if the records can't be written, or read by another process."""
        return BadOption(f"--workers: can't share the records through "
                         f"{file_name(self.directory.path.parent)}: "
                         f"{one_line(error.strerror or error)}; TMPDIR names another directory.")

    def __exit__(self, *problem: object) -> None:
        """End the processes, in the midst of their work if the check ended so; remove the files."""
        self.crew.close()
        self.directory.close()

    def check(self, begin: int, end: int) -> Iterator[Step]:
        """Check a stretch of the table's order by all processes; yield after each batch, in their
        order. A stretch of one batch is not worth sending."""
        if end - begin <= BATCH:
            yield from super().check(begin, end)
            return
        batches = _batches(begin, end)
        waiting, busy = deque(batches), dict[int, Step]()
        found: dict[Step, Finished] = {}
        for batch in batches:
            while batch not in found:
                for worker in self.crew.capacity():
                    if waiting:
                        busy[worker] = waiting.popleft()
                        self.crew.submit(worker, pickle.dumps(busy[worker]), inf)
                for done in self.crew.finished(WAIT_SECONDS):
                    found[busy.pop(done.worker)] = done
            positions, searched, known = self._answer(found.pop(batch))
            self.checker.searched += searched
            self.checker.lengths_known &= known
            yield batch[1] - batch[0], positions

    def _answer(self, done: Finished) -> tuple[int, int, bool]:
        """Return what a process found in a batch, or raise the exception that the batch raised."""
        try:
            if done.answer is None:
                raise ChildProcessError(done.why)
            found: tuple[int, int, bool] | Exception = pickle.loads(done.answer)
            if isinstance(found, Exception):
                raise found
            return found
        except ChildProcessError:
            raise BadCertificate("a process of the check was killed; the check may need "
                                 "more memory, or fewer workers.") from None
        except OSError as error:
            raise self._unshared(error) from None


def workers_for(checker: Checker, workers: int) -> OneProcess:
    """Return several processes if there is work for them and the rules can be sent."""
    inherited = start_method() == "fork"  # a user's functions can't be sent, but are inherited
    if workers == 1 or len(checker.table.order) <= BATCH or not (
            inherited or checker.rules.can_be_sent):
        return OneProcess(checker)
    return ManyProcesses(checker, workers)


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
