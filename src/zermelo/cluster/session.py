"""Distributed: one position, several workers. It asks what the goal needs, and keeps limits."""

from __future__ import annotations

import time as clock
import uuid
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Self

from zermelo.cluster.budgets import Budgets
from zermelo.cluster.certificate import Assembly
from zermelo.cluster.hire import BACKENDS, inline_crew, local_crew, ray_crew
from zermelo.cluster.journal import Journal
from zermelo.cluster.master import WAIT_SECONDS, Master, Withdrawn
from zermelo.cluster.node import rule_of
from zermelo.cluster.outcome import NoLine, line_of, result_of
from zermelo.cluster.progress import ClusterProgress, in_words
from zermelo.cluster.questions import Questions
from zermelo.cluster.samples import EVERY, Samples
from zermelo.cluster.setup import WHICH_CODE, Setup, other_code
from zermelo.cluster.tree import Tree
from zermelo.cluster.worker import LINE
from zermelo.core.position import Position, check_position
from zermelo.crews.crew import Crew
from zermelo.errors import BadOption, check_whole, file_name, quoted
from zermelo.proof.certify import Written, check_rules
from zermelo.search.base import Search
from zermelo.search.common.status import UNKNOWN
from zermelo.solving.auto import search_for
from zermelo.solving.certify import claims_for
from zermelo.solving.goals import Subgoal, check_goal, needs_the_rules_alone
from zermelo.solving.result import Limits, Result, Value
from zermelo.solving.session import MOST_THREADS

MOST_WORKERS = 4096
GOALS = ("win", "value", "score")
MakeCrew = Callable[[Setup, int], Crew]

Tell = Callable[[ClusterProgress], None]


class Distributed:
    """A search by several workers; ``run`` again with larger limits goes on where it was.

    ``backend``: local (processes), ray (with ``cluster``, an address), inline (in this process).
    ``journal``: a file that keeps every result; the same one goes on from there. ``rounds``: the
    same work every time. ``every``: of so many claims of a worker one is checked; 0 for none.
    """

    def __init__(self, position: Position, search: Search | str | None = None, *,
                 workers: int = 2, threads: int = 1, goal: str = "value",
                 memory: float | str | None = None, seed: int = 0, plain: bool = False,
                 journal: str | Path | None = None, backend: str = "local",
                 cluster: str | None = None, rounds: bool = False, every: int = EVERY,
                 crew: MakeCrew | None = None, budgets: Budgets | None = None) -> None:
        check_position(position)
        check_goal(position.game, goal)
        if goal not in GOALS:
            raise BadOption(f"goal={quoted(goal)} can't be asked for with workers; valid are "
                            f"{', '.join(GOALS)}.")
        check_whole("workers", workers, 1, MOST_WORKERS)
        check_whole("threads", threads, 1, MOST_THREADS)
        if rounds and threads > 1:
            raise BadOption("threads never do the same work twice, and with --deterministic "
                            "(rounds=True) it is to be the same; give each worker one thread.")
        check_whole("seed", seed, 0, 2**64 - 1)
        if backend not in BACKENDS:
            raise BadOption(f"there is no backend {quoted(backend)}; backends: "
                            f"{', '.join(BACKENDS)}.")
        self.position, self.goal, self.seed, self.rounds = position, goal, seed, rounds
        self.search = search_for(position, search, plain=plain)
        self.plain = plain or needs_the_rules_alone(goal, position.game.rules)
        self.rule = rule_of(self.search, position.game.rules, self.plain)
        self.search.check_game(position.game)
        share = Limits(memory=memory).memory_bytes // workers
        self.setup = Setup.of(position, self.search, plain=self.plain, seed=seed, memory=share,
                              threads=threads, kept=journal is not None)
        self.workers, self.backend, self.cluster, self.every = workers, backend, cluster, every
        self.make_crew, self._crew = crew, None  # type: tuple[MakeCrew | None, Crew | None]
        self.budgets = Budgets(workers) if budgets is None else budgets
        self.journal = Journal(journal)
        self.name = f"{uuid.uuid4().hex[:8]}-"
        self.start_seconds, self.stopped = 0.0, "interrupted"
        self.line: list[str] | None = None
        self.questions = Questions(position, goal, self.rule, self.journal)
        self._master: Master | None = None
        self._ready = False  # have workers begun?
        self.interrupted = False  # has Ctrl-C ended the last run?
        self._torn = False  # an interrupt may have come between the journal and the trees
        try:
            self._check_journal()
            self.journal.read_time()
            self.questions.rebuild()
        except BaseException:  # else it would be locked as long as this process lives
            self.journal.close()
            raise

    def _facts(self) -> dict[str, Any]:
        return {**self.setup.facts, "goal": self.goal}

    def _check_journal(self) -> None:
        """Refuse a journal about anything else."""
        known, asked = self.journal.facts(), self._facts()
        if known is None:
            self.journal.begin(asked)
            return
        other = [name for name, value in asked.items()
                 if name != "game" and known.get(name) != value]
        for name in other:
            if name not in WHICH_CODE:
                raise BadOption(
                    f"the journal {file_name(self.journal.path)} is about something else: {name} "
                    f"is {quoted(known.get(name))} there and {quoted(asked[name])} here.")
        if other:
            raise other_code(self.journal.path, known.get("version"), self.position)

    @property
    def master(self) -> Master:
        """The master, with its crew, which begins when it is first needed."""
        if self._master is None:
            self._crew = self._begin_crew()
            certifiable = self.position.game.rules.repeat is None
            samples = Samples(self.position, self.every) if self.every and certifiable else None
            self._master = Master(self._crew, self.journal, self.budgets, self.name,
                                  self.rounds, samples, self.workers)
        return self._master

    def _begin_crew(self) -> Crew:
        if self.make_crew is not None:
            return self.make_crew(self.setup, self.workers)
        if self.backend == "inline":
            return inline_crew(self.setup, self.workers)
        if self.backend == "ray":
            return ray_crew(self.setup, self.workers, self.cluster, self.rounds)
        return local_crew(self.setup, self.workers)

    def run(self, limits: Limits | None = None, progress: Tell | None = None) -> Result:
        """Search until the goal is reached or a limit, a total over all runs, is met."""
        limits = Limits() if limits is None else limits
        began, before = clock.monotonic() - self.start_seconds, self.seconds

        def late() -> bool:
            self.journal.searched = before + clock.monotonic() - self.start_seconds - began
            return limits.time is not None and self.seconds >= limits.time

        def stop() -> str | None:
            over = late()
            if limits.nodes is not None and self.visits >= limits.nodes:
                return "nodes"
            return "time" if over else None

        def tell() -> None:
            if progress is not None:
                progress(self.progress())

        self.stopped, self.line, self.interrupted = "interrupted", None, False
        try:
            if self._torn:
                self.journal.count()
                self.questions.rebuild()
                self._torn = False
            self.stopped = self._run(stop, tell, limits.nodes)
            while self.stopped == "solved" and not self._find_line(late):
                self.stopped = "interrupted"
                self.stopped = self._run(stop, tell, limits.nodes)
        except KeyboardInterrupt:
            self._torn = self.interrupted = True
        late()
        with suppress(BadOption):  # on a full disk: what was found is told all the same
            self.journal.keep_time()
        return result_of(self)

    def _run(self, stop: Callable[[], str | None], tell: Callable[[], None],
             nodes: int | None = None) -> str:
        """Search; why it ended."""
        while True:
            if not self.questions.go_on():
                return "solved"
            if (over := stop()) is not None:  # no worker has to begin for that
                return over
            self._await_workers(tell)
            why = self.master.solve(self.trees[-1], len(self.trees) - 1, stop, tell, nodes)
            if why == "withdrawn":
                self.questions.rebuild()
            elif why != "solved":
                return why

    def _await_workers(self, tell: Callable[[], None] = lambda: None) -> None:
        """Wait until the first worker can begin, with rounds all: to start them, and to compile, is
        not to search."""
        began, least = clock.monotonic(), self.workers if self.rounds else 1
        try:
            while not self._ready and len(self.master.crew.capacity()) < least:
                self.master.crew.finished(WAIT_SECONDS)
                tell()
            self._ready = True
        finally:
            self.start_seconds += clock.monotonic() - began

    def _find_line(self, late: Callable[[], bool]) -> bool:
        """Find the line of what is solved: kept in the journal, or told by workers, unless nobody
        tells it in time. False if results had to be withdrawn."""
        self.line = self.journal.line()
        if self.line is not None:
            return True
        try:
            self.line = line_of(self, partial(self.ask_line, late=late))
        except NoLine:
            return True
        except Withdrawn:
            self.questions.rebuild()
            return False
        with suppress(BadOption):  # on a full disk
            self.journal.keep_line(self.line)
        return True

    @property
    def trees(self) -> list[Tree]:
        """One for each subgoal so far."""
        return self.questions.trees

    @property
    def subgoals(self) -> list[Subgoal]:
        """What was asked so far."""
        return self.questions.subgoals

    def asked(self) -> list[Subgoal]:
        """What was asked, with the answers."""
        return self.questions.asked()

    def value(self) -> tuple[Value, bool]:
        """The value for the side to move as far as it is known, and whether it is proved."""
        return self.questions.value()

    @property
    def seconds(self) -> float:
        """How long was searched by the clock, in all runs of the journal."""
        return self.journal.searched

    @property
    def visits(self) -> int:
        """Those of all results, also of results that were withdrawn."""
        return self.journal.visits

    def progress(self) -> ClusterProgress:
        """Where the search stands."""
        tree, work = self.trees[-1], self.master.work
        root = tree.root
        children = root.children or []
        busy = max(clock.monotonic() - work.since, 1e-9) * self.workers * self.setup.threads
        return ClusterProgress(
            question=in_words(self.position.game, self.subgoals[-1]),
            flying=len(self.master.flights), workers=self.workers,
            settled=(sum(child.status != UNKNOWN for child in children), len(children)),
            jobs=self.journal.rows, visits=self.visits, seconds=self.seconds,
            efficiency=min(1.0, work.seconds / busy), pn=root.pn, dn=root.dn, lost=work.lost,
            expelled=work.expelled)

    def write_proof(self, path: str | Path, *, progress: Callable[[str, int], None] | None = None,
                    ) -> Written:
        """Write the certificate of what is proved, from the workers' proofs, and check it.

        If a claim of a worker turns out not to stand, the search goes on first.
        """
        check_rules(self.position)
        while True:
            claims = [(claim, self.questions.tree_of(claim)) for claim in
                      claims_for(self.position.mover, *self.value())]
            try:
                return Assembly(self.master, self.position, claims, progress).write(path)
            except Withdrawn:
                self.questions.rebuild()
                self._run(lambda: None, lambda: None)

    def ask_line(self, path: tuple[int, ...], attacker: int,
                 late: Callable[[], bool] = lambda: False) -> list[int]:
        """The line of a leaf's proof, as a worker has it; NoLine if none tells it before it is
        ``late``."""
        self._await_workers()
        answer = self.master.ask({"kind": LINE, "path": path, "attacker": attacker}, late)
        line = answer.get("line")
        if not isinstance(line, list) or not all(isinstance(move, int) for move in line):
            raise NoLine
        return list(line)

    def close(self) -> None:
        """End the workers; the journal is kept."""
        if self._crew is not None:
            self._crew.close()
        self.journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()
