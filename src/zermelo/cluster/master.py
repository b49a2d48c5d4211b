"""The master: assigns leaves to workers, takes their results in, and survives what happens to them.

Every result is written to the journal before the tree takes it in. A worker that is lost, fails or
hangs costs its job, which is done again by another; it is ended and replaced. An answer that makes
no sense ends the search.

``rounds``: all workers get a job, and all answers are taken in, in the order of the workers, before
the next jobs are handed out. So the same work is done every time: no worker begins before all are
ready.
"""

from __future__ import annotations

import pickle
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from zermelo.cluster.journal import Journal
from zermelo.cluster.tree import LeafReport, MasterTree, Message, TreeNode
from zermelo.cluster.worker import SEARCH
from zermelo.errors import BadOption, one_line
from zermelo.search.reasons import UNKNOWN
from zermelo.workers.crew import Crew, Finished

WAIT_SECONDS = 0.2
CALL_BACK_SECONDS = 60.0  # for jobs in flight to come to an end
TRIES = 3
GIVE_UP = 20  # workers that fail one after the other, without an answer between
FAILURES_EACH = 3  # the same for each worker: a node takes all of its own with it
OPENING = 1 << 11  # visits for a leaf while there are few
FEW = 16  # workers, for whom small jobs are soon handed out
EACH = 1_000  # visits of the smallest jobs, for each worker
WIDE = 3  # leaves for each worker that are enough
PATIENCE, SLOWEST = 60.0, 20.0  # seconds, and times as long as expected, before a worker is lost
HANDFUL = 64  # visits of a job, however few a limit leaves; by so many it may be exceeded
UNMEASURED = 900.0  # seconds for a first job, which compiles

Stop = Callable[[], str | None]
Late = Callable[[], bool]


def never() -> bool:
    """Return False: no limit of time."""
    return False


def nonsense(worker: int, what: object) -> BadOption:
    """Return the error for an answer that makes no sense."""
    return BadOption(f"worker {worker} sent nonsense: {one_line(what)}.")


@dataclass
class Budgets:
    """The sizes of jobs: small while the tree has few leaves, then a share of all work so far.

    ``least`` and ``most``: visits of a job; ``share``: the jobs of each worker that the work so far
    amounts to; ``opening``: visits of a job while there are few leaves; ``first``: of the very
    first one, since what is solved by then needs no second worker.
    """

    workers: int
    least: int = 1 << 14
    most: int = 1 << 24
    share: int = 8
    opening: int = OPENING
    first: int = 1 << 18
    slowest: float | None = None  # visits a second

    def visits(self, done: int, leaves: int) -> int:
        """The visits for the next job after ``done`` in all, in a tree with ``leaves``."""
        if self.workers == 1:  # no other waits for leaves: the longer it stays with one, the better
            return self.most
        if done == 0:
            return min(self.first, self.most)
        least = max(self.least, EACH * self.workers)  # no more jobs than a master can look after
        if leaves < WIDE * self.workers:
            return max(self.opening, least >> 3 if self.workers > FEW else 0)
        return min(self.most, max(least, done // (self.share * self.workers)))

    def within(self, visits: int, left: int) -> int:
        """The visits for a job where a limit leaves ``left``; 0 for no job."""
        return min(visits, max(left, HANDFUL)) if left > 0 else 0

    def measure(self, visits: int, seconds: float) -> None:
        """Keep the speed of the slowest job."""
        if visits >= self.opening and seconds > 0:
            speed = visits / seconds
            self.slowest = speed if self.slowest is None else min(self.slowest, speed)

    def seconds(self, visits: int) -> float:
        """The processor time that a job may take before its worker is given up."""
        if self.slowest is None:
            return UNMEASURED
        return PATIENCE + SLOWEST * visits / self.slowest


@dataclass
class Work:
    """The work of this run, for progress displays; ``trouble``: with which worker, and why."""

    jobs: int = 0
    lost: int = 0
    trouble: str = ""
    seconds: float = 0.0  # of processors
    since: float = field(default_factory=time.monotonic)


@dataclass
class Flight:
    """A job in flight, by the order with this number."""

    leaf: TreeNode
    visits: int
    order: int


class Master:
    """Runs a crew on one tree after the other. ``unlucky``: failures since the last good answer."""

    def __init__(self, crew: Crew, journal: Journal, budgets: Budgets, rounds: bool = False,
                 workers: int = 1) -> None:
        self.crew, self.journal, self.budgets = crew, journal, budgets
        self.rounds, self.workers = rounds, workers
        self.flights: dict[int, Flight] = {}
        self.came: list[Finished] = []  # answers not taken in yet; an interrupt leaves them here
        self.searched_by: dict[TreeNode, int] = {}  # the worker of a leaf, unless it was cancelled
        self.work = Work()
        self.orders = self.unlucky = 0
        self.patience = max(GIVE_UP, FAILURES_EACH * workers)
        self.ended = set[int]()  # workers, of which an answer may still be among those that came
        self.given_up = set[int]()  # orders whose answer may still come, too late
        self.subgoal, self.nodes = 0, None  # type: tuple[int, int | None]

    def solve(self, tree: MasterTree, subgoal: int, stop: Stop, tell: Callable[[], None],
              nodes: int | None = None) -> str:
        """Search until the root of ``tree`` is solved, or ``stop`` says why not to. No jobs are
        handed out beyond ``nodes``, a limit of all visits of the journal."""
        self.subgoal, self.nodes = subgoal, nodes
        self.given_up |= {flight.order for flight in self.flights.values()}
        self.flights.clear()  # a second interrupt may have left some
        self.came.clear()
        try:
            while tree.status == UNKNOWN:
                if (why := stop()) is not None:
                    return why
                self._hand_out(tree)
                self._take_in(tree)
                tell()
            return "solved"
        finally:
            self._call_back(tree)

    def _hand_out(self, tree: MasterTree) -> None:
        ready = self.crew.capacity()
        if self.rounds and (self.flights or len(ready) < self.workers):
            return
        player, threshold = tree.question
        for worker in sorted(ready):
            visits = self._visits(tree)
            chosen = tree.choose(worker) if visits else None
            if chosen is None:
                return
            tree.begin(chosen.leaf)
            order = self._submit(worker, {
                "kind": SEARCH, "path": chosen.leaf.path, "attacker": player,
                "threshold": threshold, "visits": visits, "th_pn": chosen.th_pn,
                "th_dn": chosen.th_dn}, self.budgets.seconds(visits))
            self.flights[worker] = Flight(chosen.leaf, visits, order)
            self.searched_by[chosen.leaf] = worker

    def _submit(self, worker: int, order: Message, seconds: float) -> int:
        """Give an order; its number."""
        self.orders += 1
        self.crew.submit(worker, pickle.dumps({**order, "order": self.orders}), seconds)
        return self.orders

    def _visits(self, tree: MasterTree) -> int:
        """The visits of the next job; 0 if all that the limit leaves is done or in flight."""
        visits = self.budgets.visits(tree.visits, tree.root.free + tree.root.flying)
        if self.nodes is None:
            return visits
        flying = sum(flight.visits for flight in self.flights.values())
        return self.budgets.within(visits, self.nodes - self.journal.visits - flying)

    def _take_in(self, tree: MasterTree, whole: bool = True) -> None:
        """Wait a moment, and take in the answers that are there; with rounds, when all are there,
        unless not the ``whole`` round is wanted."""
        self.came += self.crew.finished(WAIT_SECONDS)
        if self.rounds:
            if whole and len(self.came) < len(self.flights):
                return
            self.came.sort()
        done, self.came = self.came, []
        reports: list[tuple[int, Flight, LeafReport]] = []
        try:
            for each in done:
                flight = self.flights.pop(each.worker, None)
                report = self._read(each, flight)
                if flight is None:
                    continue
                self.searched_by.pop(flight.leaf, None)
                if report is None:
                    tree.give_up(flight.leaf)
                else:
                    reports.append((each.worker, flight, report))
        finally:
            self._keep(tree, reports)

    def _read(self, each: Finished, flight: Flight | None) -> LeafReport | None:
        """The report of an answer; None if there is none, or none to an order of this search."""
        if each.worker in self.ended:
            return None
        message = self.answered(each, None if flight is None else flight.order)
        if message is None:
            return None
        self.unlucky = 0
        try:
            return LeafReport.of(message["report"])
        except Exception:  # whatever it is instead
            raise nonsense(each.worker, "a report that can't be one") from None

    def answered(self, each: Finished, order: int | None) -> Message | None:
        """The answer to an order; None if the worker is lost or failed, or if the answer is to an
        order that was given up."""
        if each.answer is None:
            self._lost(each.worker, each.why)
            return None
        try:
            message: Message = pickle.loads(each.answer)
            number = message["order"]
        except Exception as error:  # whatever unpickling may raise
            raise nonsense(each.worker, error) from None
        if number != order:
            if number not in self.given_up:
                raise nonsense(each.worker, "an answer to another order")
            self.given_up.remove(number)
            return None
        self.given_up.discard(number)
        if "error" in message:
            self.ended.add(each.worker)
            self.crew.expel(each.worker)
            self._lost(each.worker, f"it reported {one_line(message['error'])}")
            return None
        return message

    def _lost(self, worker: int, why: str) -> None:
        """Count a worker that is lost, and give up where nothing else comes."""
        self.work.lost += 1
        self.work.trouble = f"worker {worker}: {why}"
        self.unlucky += 1
        if self.unlucky >= self.patience:
            raise BadOption(f"workers fail again and again; the last was {self.work.trouble}.")

    def _keep(self, tree: MasterTree, reports: list[tuple[int, Flight, LeafReport]]) -> None:
        """Keep reports in the journal, all at once, and then in the tree, one after the other."""
        if not reports:
            return
        self.journal.write(self.subgoal, [(flight.leaf.path, worker, report)
                                          for worker, flight, report in reports])
        pointless: list[TreeNode] = []
        for worker, flight, report in reports:
            self.work.jobs += 1
            self.work.seconds += report.seconds
            self.budgets.measure(report.visits, report.seconds)
            pointless += tree.take(flight.leaf, report, worker)
        for leaf in pointless if not self.rounds else []:
            searching = self.searched_by.pop(leaf, None)
            if searching is not None:
                self.crew.cancel(searching)

    def give(self, worker: int, order: Message, seconds: float) -> int:
        """Give an order that is no job; its number. Its answer may come when it is no longer
        awaited."""
        number = self._submit(worker, order, seconds)
        self.given_up.add(number)
        return number

    def ask(self, order: Message, late: Late = never) -> Message:
        """The answer of any worker to an order, and which worker it is; empty if some have none, or
        when it is ``late``."""
        asked: tuple[int, int] | None = None
        tries = 0
        while tries < TRIES and not late():
            if asked is None and (free := self.crew.capacity()):
                asked = free[0], self.give(free[0], order, self.budgets.seconds(1 << 30))
            for each in self.crew.finished(WAIT_SECONDS):
                if asked is None or each.worker != asked[0]:  # an answer to an earlier order
                    continue
                answer = self.answered(each, asked[1])
                if answer is not None:
                    return {**answer, "worker": each.worker}
                asked, tries = None, tries + 1
        return {}

    def _call_back(self, tree: MasterTree) -> None:
        """Let nothing run on: jobs in flight come to an end, and are kept."""
        for worker in self.flights:
            self.crew.cancel(worker)
        until = time.monotonic() + CALL_BACK_SECONDS
        while self.flights and time.monotonic() < until:
            self._take_in(tree, whole=False)
            for worker in self.flights.keys() & set(self.crew.capacity()):
                tree.give_up(self.flights.pop(worker).leaf)  # an interrupt has cost the answer
        for flight in self.flights.values():
            tree.give_up(flight.leaf)
            self.given_up.add(flight.order)
        self.flights.clear()
