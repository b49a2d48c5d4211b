"""A search by several workers: asks what the goal needs, keeps limits, and gives a result; and its
trees as a run that has an answer, with a walk through its proof."""

from __future__ import annotations

import sys
import time as clock
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Self, cast

from zermelo.cluster.certificate import Assembly, OutOfTime
from zermelo.cluster.journal import Journal
from zermelo.cluster.master import WAIT_SECONDS, Budgets, Late, Master, never, nonsense
from zermelo.cluster.tree import MasterTree, TreeNode, rule_of
from zermelo.cluster.worker import FACTS, LINE, WHICH_CODE, Setup, Worker, other_code, worker_of
from zermelo.core.position import Position, check_position
from zermelo.errors import BadOption, check_whole, counted, file_name, quoted
from zermelo.games.registry import BUILT_IN
from zermelo.proof import Claim
from zermelo.proof.write import Written, check_place, check_rules
from zermelo.search.base import Numbers, Proof, Run, Search
from zermelo.search.code import code_digest
from zermelo.search.reasons import LOST, UNKNOWN, WON
from zermelo.solving.answer import (
    Answer,
    Subgoal,
    check_goal,
    needs_the_rules_alone,
)
from zermelo.solving.auto import search_for
from zermelo.solving.certify import claims_for
from zermelo.solving.result import Goal, Limits, Result, Value
from zermelo.solving.session import MOST_THREADS, Session
from zermelo.workers.crew import Crew, InlineCrew, LocalCrew, Program
from zermelo.workers.ray_crew import RayActors, RayCluster

AskLine = Callable[[tuple[int, ...], int], list[int]]


class NoLine(Exception):
    """No worker has the line of a leaf's proof."""


def to_the_leaf(path: tuple[int, ...], attacker: int) -> list[int]:
    """Return no line: it ends where the tree does."""
    return []


class TreeRun:
    """A tree as a run that has an answer; a master advances it."""

    leaning = UNKNOWN
    bytes = 0

    def __init__(self, position: Position, tree: MasterTree, ask_line: AskLine) -> None:
        self.position, self.tree, self.ask_line = position, tree, ask_line
        self.attacker, self.status = tree.question[0], tree.status
        self.nodes, self.iterations = tree.visits, tree.expansions
        self.proof_length = tree.root.length
        self.counters = {"visits": tree.visits, "expansions": tree.expansions,
                         "seesaw": tree.visits - tree.expansions,
                         "exact": False}  # several tables know nothing of each other

    def numbers(self) -> Numbers:
        """Return the root's numbers."""
        return shown(self.tree.root)

    def moves(self) -> list[tuple[int, int, Numbers]]:
        """Return the root's moves with their statuses and numbers."""
        return [(child.move, child.status, shown(child)) for child in self.tree.root.children or ()]

    def chosen(self) -> int | None:
        """Return the root's move that would be played now."""
        root = self.tree.root
        open_ones = [child for child in root.children or () if child.status == root.status]
        if not open_ones:
            return None
        best = min(open_ones, key=lambda child: child.pn if root.attacker_moves else child.dn)
        return best.move

    def walk(self) -> TreeWalk:
        """Return a walk through the proof."""
        return TreeWalk(self)

    def proof(self) -> Proof:
        """Return no proof: the master puts one together from those of the workers."""
        return Proof()


def shown(node: TreeNode) -> Numbers:
    """Return a node's numbers."""
    if node.status == UNKNOWN:
        return {"pn": node.pn, "dn": node.dn}
    return {"pn": 0, "dn": "inf"} if node.status == WON else {"pn": "inf", "dn": 0}


class TreeWalk:
    """A place in the proof of a tree; below its leaves, in the line that a worker knows."""

    def __init__(self, run: TreeRun) -> None:
        self.run, self.status = run, run.status
        self.node: TreeNode | None = run.tree.root
        self.at: tuple[int, ...] = ()
        self.line: list[int] | None = None
        self.attacker = run.attacker

    def best(self) -> int | None:
        """Return the move to play: a shortest way for the prover, the longest for the other."""
        if self.node is not None and self.node.children is not None:
            mine = self.node.attacker_moves == (self.status == WON)
            fitting = [child for child in self.node.children if child.status == self.status]
            pick = min if mine else max
            return pick(fitting, key=lambda child: child.length).move if fitting else None
        if self.line is None:
            self.line = self.run.ask_line(self.at, self.attacker)
        return self.line[0] if self.line else None

    def follow(self, move: int, position: Position) -> bool:
        """Go to the position after ``move``; False where the proof is not known further."""
        before, self.at = self.best(), (*self.at, move)
        if self.node is not None and self.node.children is not None:
            self.node = next((c for c in self.node.children if c.move == move), None)
            return self.node is not None
        if before != move or not self.line:
            return False
        del self.line[0]
        return bool(self.line)


def answer_of(solver: Distributed, ask_line: AskLine = to_the_leaf) -> Answer:
    """Return the answer of the trees."""
    position = solver.position
    # To be asked, not to be saved: the journal has all of it.
    runs = cast(list[Run], [TreeRun(position, tree, ask_line) for tree in solver.trees])
    return Answer(position, position.mover, solver.goal, False, list(solver.subgoals), runs)


def line_of(solver: Distributed, ask_line: AskLine = to_the_leaf) -> list[str]:
    """Return a line of the proof; NoLine if no worker has it."""
    answer = answer_of(solver, ask_line)
    return answer.move_and_line(answer.asked())[1]


def result_of(solver: Distributed) -> Result:
    """Return the result so far; nothing is searched for it. What workers report is not proved:
    ``value`` is once a certificate of it was checked, the score never is."""
    answer = answer_of(solver)
    asked = answer.asked()
    value, known = answer.value(asked)
    complete, settled = answer.complete(value), answer.settled(asked, value)
    line = [] if solver.stopped != "solved" else (
        line_of(solver) if solver.line is None else solver.line)
    counters: dict[str, Any] = {**answer.counters(), "workers": solver.workers,
                                "jobs": solver.journal.rows}
    checked = complete and (solver.certified or solver.position.outcome is not None)
    return Result(
        position=solver.position, search=solver.search, goal=solver.goal, seed=solver.seed,
        value=value, proved=checked, concluded=complete, partial=known and not settled,
        by="workers" if known and not (checked and solver.goal != "score") else None,
        stopped=solver.stopped, move=line[0] if line else None, line=line, nodes=answer.nodes,
        iterations=answer.iterations, seconds=solver.seconds,
        compile_seconds=solver.start_seconds, peak_bytes=0, root=answer.runs[-1].numbers(),
        moves=[replace(move, proved=False) for move in answer.moves()], counters=counters,
        score=answer.score(asked))


def session_of(solver: Distributed, plain: bool) -> Session:
    """Return what is known now as a session that can be asked for a guess; ``plain`` as it was
    given."""
    position = solver.position
    session = Session(position, solver.search, goal=solver.goal, seed=solver.seed, plain=plain)
    session.answer = answer_of(solver)
    session.stopped = solver.stopped
    return session


MOST_WORKERS = 4096
GOALS = ("win", "value", "score")
BACKENDS = ("local", "ray", "inline")
MakeCrew = Callable[[Setup, int], Crew]


@dataclass
class ClusterProgress:
    """The progress of a search with workers. ``efficiency``: the part of the workers' time that
    went into searching; ``settled``: how many of the root's moves are, and how many there are;
    ``lost``: workers that ended, hung or failed; ``trouble``: the last of them, and why."""

    question: str
    flying: int
    workers: int
    settled: tuple[int, int]
    jobs: int
    visits: int
    seconds: float
    efficiency: float
    pn: int
    dn: int
    lost: int
    trouble: str


Tell = Callable[[ClusterProgress], None]


def local_crew(setup: Setup, workers: int) -> LocalCrew:
    """Return workers as processes, which begin at once."""
    return LocalCrew(program(setup), workers)


def program(setup: Setup) -> Program:
    """Return the program of such a process."""
    return Program((sys.executable, "-m", "zermelo.cluster.worker"), setup.to_bytes())


def ray_crew(setup: Setup, workers: int, address: str | None = None,
             together: bool = False) -> RayActors:
    """Return workers as actors on the cluster at ``address``, with a processor for each thread.
    ``together``: refuse a cluster that has not a place for each."""
    cluster = RayCluster(address, workers * setup.threads)
    try:
        if together and (there := cluster.places()) < workers:
            raise BadOption(f"{workers} workers with --deterministic (rounds=True) have to begin "
                            f"together, and the cluster has {counted(there, 'processor')}.")
        return RayActors(cluster, partial(worker_of, setup.to_bytes()), workers, setup.threads)
    except BaseException:
        cluster.leave()
        raise


class Distributed:
    """A search by several workers; ``run`` again with larger limits goes on where it was.

    ``backend``: local (processes), ray (with ``cluster``, an address), inline (in this process).
    ``journal``: a file that keeps every result; the same one goes on from there. ``rounds``: the
    same work every time.
    """

    def __init__(self, position: Position, search: Search | str | None = None, *,
                 workers: int = 2, threads: int = 1, goal: Goal = "value",
                 memory: float | str | None = None, seed: int = 0, plain: bool = False,
                 journal: str | Path | None = None, backend: str = "local",
                 cluster: str | None = None, rounds: bool = False,
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
        self.workers, self.backend, self.cluster = workers, backend, cluster
        self.make_crew, self._crew = crew, None  # type: tuple[MakeCrew | None, Crew | None]
        self.budgets = Budgets(workers) if budgets is None else budgets
        self.journal = Journal(journal)
        self.start_seconds, self.stopped = 0.0, "interrupted"
        self.certified = False  # is the value that of a checked certificate?
        self.line: list[str] | None = None
        self.subgoals: list[Subgoal] = []  # so far, one after the other, and the tree of each
        self.trees: list[MasterTree] = []
        self._master: Master | None = None
        self._ready = False  # have workers begun?
        self.interrupted = False  # has Ctrl-C ended the last run?
        self._torn = False  # an interrupt may have come between the journal and the trees
        try:
            self._check_journal()
            self.journal.read_time()
            self.rebuild()
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
            self._master = Master(self._crew, self.journal, self.budgets, self.rounds,
                                  self.workers)
        return self._master

    def _begin_crew(self) -> Crew:
        if self.make_crew is not None:
            return self.make_crew(self.setup, self.workers)
        if self.backend == "inline":
            return InlineCrew(partial(Worker, self.setup), self.workers)
        if self.backend == "ray":
            return ray_crew(self.setup, self.workers, self.cluster, self.rounds)
        return local_crew(self.setup, self.workers)

    def run(self, limits: Limits | None = None, progress: Tell | None = None) -> Result:
        """Search until the goal is reached or a limit, a total over all runs, is met."""
        limits = Limits() if limits is None else limits

        def tell() -> None:
            if progress is not None:
                progress(self.progress())

        self.stopped, self.line, self.interrupted = "interrupted", None, False
        with self._timed(limits.time) as late:
            def stop() -> str | None:
                over = late()
                if limits.nodes is not None and self.visits >= limits.nodes:
                    return "nodes"
                return "time" if over else None

            try:
                if self._torn:
                    self.journal.count()
                    self.rebuild()
                    self._torn = False
                self.stopped = self._run(stop, tell, limits.nodes)
                if self.stopped == "solved":
                    self._find_line(late)
            except KeyboardInterrupt:
                self._torn = self.interrupted = True
        return result_of(self)

    @contextmanager
    def _timed(self, limit: float | None) -> Iterator[Late]:
        """Count the time of a block, without that of starting workers, in the journal. Yields a
        function that says whether ``limit`` is met."""
        began, before = clock.monotonic() - self.start_seconds, self.seconds

        def late() -> bool:
            self.journal.searched = before + clock.monotonic() - self.start_seconds - began
            return limit is not None and self.seconds >= limit

        try:
            yield late
        finally:
            late()
            with suppress(BadOption):  # on a full disk: the answer is given all the same
                self.journal.keep_time()

    def _run(self, stop: Callable[[], str | None], tell: Callable[[], None],
             nodes: int | None = None) -> str:
        """Search, and return why that ended."""
        while self._go_on():
            if (over := stop()) is not None:  # no worker has to begin for that
                return over
            self._await_workers(tell)
            why = self.master.solve(self.trees[-1], len(self.trees) - 1, stop, tell, nodes)
            if why != "solved":
                return why
        return "solved"

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

    def _find_line(self, late: Late) -> None:
        """Find the line of what is solved: kept in the journal, or from the workers, unless none
        has it in time."""
        self.line = self.journal.line()
        if self.line is not None:
            return
        with suppress(NoLine):
            self.line = line_of(self, partial(self.ask_line, late=late))
            with suppress(BadOption):  # on a full disk
                self.journal.keep_line(self.line)

    def rebuild(self) -> None:
        """Make all subgoals and trees from the journal."""
        self.trees, self.subgoals = [], []
        while self._go_on() and self.trees[-1].status != UNKNOWN:
            pass

    def _go_on(self) -> bool:
        """Ask the next subgoal, unless the last one is still open; False when all are answered."""
        if self.trees and self.trees[-1].status == UNKNOWN:
            return True
        subgoal = self.answer.next_subgoal(self.answer.asked())
        if subgoal is None:
            return False
        facts = self.trees[-1].facts if self.trees else None
        tree = MasterTree(self.rule, (subgoal.player, subgoal.threshold), facts,
                          self.position.game.rules.cyclic)
        for path, report in self.journal.read(len(self.trees)):
            tree.replay(path, report)
        self.trees.append(tree)
        self.subgoals.append(subgoal)
        return True

    @property
    def answer(self) -> Answer:
        """The answer of the trees."""
        return answer_of(self)

    def value(self) -> tuple[Value, bool]:
        """Return the value for the side to move as far as it is known, and True if it is."""
        value, _ = self.answer.value()
        return value, value != Value.UNKNOWN

    def _tree_of(self, claim: Claim) -> MasterTree:
        """Return the tree that proves a claim."""
        wanted = WON if claim.wins else LOST
        for tree in self.trees:
            if tree.question == (claim.player, 1) and tree.status == wanted:
                return tree
        raise BadOption("a certificate is about win, draw or loss; with workers, ask for "
                        "goal='value' or 'win' to get one.")

    @property
    def seconds(self) -> float:
        """Seconds of searching by the clock, in all runs of the journal."""
        return self.journal.searched

    @property
    def visits(self) -> int:
        """The visits of all results."""
        return self.journal.visits

    def progress(self) -> ClusterProgress:
        """Return the progress of the search."""
        root, work = self.trees[-1].root, self.master.work
        children = root.children or []
        busy = max(clock.monotonic() - work.since, 1e-9) * self.workers * self.setup.threads
        return ClusterProgress(
            question=self.subgoals[-1].in_words(self.position.game),
            flying=len(self.master.flights), workers=self.workers,
            settled=(sum(child.status != UNKNOWN for child in children), len(children)),
            jobs=self.journal.rows, visits=self.visits, seconds=self.seconds,
            efficiency=min(1.0, work.seconds / busy), pn=root.pn, dn=root.dn, lost=work.lost,
            trouble=work.trouble)

    def write_proof(self, path: str | Path, *, time: float | None = None,
                    progress: Callable[[str, int], None] | None = None) -> Written:
        """Write the certificate of the answer from the workers' proofs, and check it.

        ``time``: seconds in all runs of the journal, the search included, after which no more
        proofs are collected: OutOfTime, and no certificate. Checking it is not counted.
        """
        check_rules(self.position)
        claims = [(claim, self._tree_of(claim)) for claim in
                  claims_for(self.position.mover, *self.value())]
        self._await_workers()
        with self._timed(time) as late:
            assembly = Assembly(self.master, self.position, claims, progress, late=late)
            written = assembly.write(path)
        self.certified = True
        return written

    def ask_line(self, path: tuple[int, ...], attacker: int, late: Late = never) -> list[int]:
        """Return the line of a leaf's proof that a worker has; NoLine if none answers before it is
        ``late``."""
        self._await_workers()
        answer = self.master.ask({"kind": LINE, "path": path, "attacker": attacker}, late)
        if not answer:
            raise NoLine
        try:
            line, position = [*answer["line"]], self.position
            for move in (*path, *line):
                position = position.play_code(move)
        except Exception:  # whatever it is instead
            raise nonsense(answer["worker"], "a line that can't be played") from None
        return line

    def close(self) -> None:
        """End the workers; the journal is kept."""
        if self._crew is not None:
            self._crew.close()
        self.journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *problem: object) -> None:
        self.close()


def solve_distributed(position: Position, search: Search | str | None = None, *,
                      workers: int = 2, threads: int = 1, goal: Goal = "value",
                      nodes: float | str | None = None, time: float | str | None = None,
                      memory: float | str | None = None, seed: int = 0, plain: bool = False,
                      journal: str | Path | None = None, proof: str | Path | None = None,
                      backend: str = "local", cluster: str | None = None,
                      rounds: bool = False, progress: Tell | None = None) -> Result:
    """Return the winner of ``position``, found by a master and ``workers`` persistent workers.

    The answer is the workers' claim: ``proved`` is False and ``by`` is ``workers`` unless a
    certificate was written to the file ``proof``, and checked. ``time`` holds for collecting it,
    too.
    ``threads``: of each worker, on one table; one worker a machine, with as many threads as that
    has cores, does the least work twice.
    ``journal``: a file in which every result is kept; called again with the same one, the search
    goes on where it was. ``backend``: ``local`` (processes), ``ray`` (on the cluster at the address
    ``cluster``), or ``inline``. ``memory`` is for all workers together. ``rounds``: the same work
    every time.
    """
    limits = Limits(nodes=nodes, time=time, memory=memory)
    check_position(position)
    if proof is not None:
        check_place(position, proof)
    with Distributed(position, search, workers=workers, threads=threads, goal=goal,
                     memory=memory, seed=seed, plain=plain, journal=journal, backend=backend,
                     cluster=cluster, rounds=rounds) as solver:
        result = solver.run(limits, progress)
        if proof is None or result.by is None:
            return result
        if solver.interrupted:
            raise KeyboardInterrupt
        try:
            solver.write_proof(proof, time=limits.time)
        except OutOfTime:
            return replace(result, stopped="time")
        return result_of(solver)


def resume_journal(path: str | Path, *, game: str | None = None, workers: int = 2,
                   **options: Any) -> Result:
    """Go on with the search of a journal, with ``workers`` and ``options`` as in
    ``solve_distributed``. A game that is not built in has to be given, as FILE.py:Class: no code is
    run that a journal names or holds."""
    position, search, facts = asked_in(path, game)
    return solve_distributed(position, search, workers=workers, journal=path, goal=facts["goal"],
                             seed=facts["seed"], plain=facts["plain"], **options)


def asked_in(path: str | Path, game: str | None = None
             ) -> tuple[Position, Search, dict[str, Any]]:
    """Return what a journal is about: the position, the search, and the facts."""
    if not Path(path).is_file():
        raise BadOption(f"there is no journal {file_name(path)}.")
    journal = Journal(path)
    try:
        facts = journal.facts()
    finally:
        journal.close()
    if facts is None:
        raise BadOption(f"the journal {file_name(path)} is empty; if it is a copy, "
                        f"{file_name(f'{Path(path).name}-wal')} belongs to it too.")
    if [type(facts.get(name)) for name in FACTS] != [*FACTS.values()]:
        raise BadOption(f"the journal {file_name(path)} is damaged: what it is about can't be "
                        "read.")
    if facts["game"] not in BUILT_IN and game is None:
        raise BadOption(f"the journal {file_name(path)} is about {quoted(facts['game'])}, a game "
                        "that is not built in; it has to be given, as FILE.py:Class.")
    kept = {name: facts[name] for name in FACTS if name != "goal"}
    setup = Setup(**{**kept, "game": game or facts["game"], "memory": 0})
    position, search = setup.made()
    if code_digest(position.game, search) != setup.code:
        raise other_code(path, setup.version, position)
    return position, search, facts
