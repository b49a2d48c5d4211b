"""The master: hands out leaves, takes results in, and goes on whatever happens to workers.

Every result is written to the journal before the tree takes it in. A worker that is lost costs its
job, which is done again by another. One that sends nonsense, or whose claim does not stand when
its proof is asked for, is expelled, and what it said is withdrawn.

``rounds``: all workers get a job, and all answers are taken in, in the order of the workers, before
the next jobs are handed out. So the same work is done every time: nobody begins before all are
ready.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from zermelo.cluster.budgets import Budgets
from zermelo.cluster.conduct import Conduct
from zermelo.cluster.journal import Journal
from zermelo.cluster.messages import LeafReport, Message, Nonsense, decode, encode
from zermelo.cluster.node import Node
from zermelo.cluster.samples import Sample, Samples
from zermelo.cluster.tree import Tree
from zermelo.cluster.worker import SEARCH
from zermelo.crews.crew import Crew, Finished
from zermelo.search.common.status import UNKNOWN

WAIT_SECONDS = 0.2
DECIDING = 16  # claims that are checked before the answer is given, those nearest to the root
CALL_BACK_SECONDS = 60.0  # for what is in flight to come to an end

Stop = Callable[[], str | None]


class Withdrawn(Exception):
    """What a worker said does not stand: results are withdrawn, and the search must go on."""


@dataclass
class Flight:
    """A job in flight."""

    leaf: Node
    visits: int
    order: int = 0  # its number


class Master:
    """Runs a crew on one tree after the other. ``name`` tells its workers from those of other runs
    in the journal; ``conduct`` knows what has become of them."""

    def __init__(self, crew: Crew, journal: Journal, budgets: Budgets, name: str = "",
                 rounds: bool = False, samples: Samples | None = None,
                 workers: int = 1) -> None:
        self.crew, self.journal, self.budgets = crew, journal, budgets
        self.rounds, self.workers = rounds, workers
        self.samples = samples
        self.flights: dict[int, Flight] = {}
        self.came: list[Finished] = []  # answers as yet not taken in; an interrupt leaves them here
        self.searched_by: dict[Node, int] = {}  # the worker of a leaf, unless it was cancelled
        self.conduct = Conduct(crew, journal, name, samples, workers)
        self.work = self.conduct.work
        self.orders = 0
        self.given_up = set[int]()  # orders whose answer may still come, too late
        self.tree: Tree | None = None
        self.subgoal, self.nodes = 0, None  # type: tuple[int, int | None]

    def solve(self, tree: Tree, subgoal: int, stop: Stop, tell: Callable[[], None],
              nodes: int | None = None) -> str:
        """Search until the root of ``tree`` is solved, or ``stop`` says why not to. No jobs are
        handed out beyond ``nodes``, a limit of all visits of the journal.

        ``withdrawn``: results have been taken back, and the tree has to be made again.
        """
        self.tree, self.subgoal, self.nodes = tree, subgoal, nodes
        self.given_up |= {flight.order for flight in self.flights.values()}
        self.flights.clear()  # a second interrupt may have left some
        self.came.clear()
        try:
            why = self._work(tree, stop, tell)
        finally:
            honest = self._call_back(tree)
        return why if honest else "withdrawn"

    def _work(self, tree: Tree, stop: Stop, tell: Callable[[], None]) -> str:
        # What solved the root is not believed before all proofs that were asked for are in.
        while tree.status == UNKNOWN or self._in_doubt(tree):
            why = stop()
            if why is not None:
                return why
            self._hand_out(tree)
            if not self._take_in(tree):
                return "withdrawn"
            tell()
        return "solved"

    def _in_doubt(self, tree: Tree) -> bool:
        """Whether proofs are still to come: those that were asked for, then those of the claims
        that decide, as far as their workers are still there."""
        if self.samples is None:
            return False
        for gone in [each for each in self.samples.claims if not self.crew.has(each)]:
            self.samples.forget(gone)  # it ended without an order, so no answer tells
        if not self.samples.open:
            present = {self.conduct.name_of(each): each for each in self.samples.claims}
            for node in tree.deciding(DECIDING):
                worker = present.get(self.journal.worker(self.samples.source(node)))
                if worker is not None:
                    self.samples.choose(worker, Sample(tree.question, node.path, node.status,
                                                       node.key))
        return self.samples.open

    def _hand_out(self, tree: Tree) -> None:
        ready = self.crew.capacity()
        if self.rounds and (self.flights or len(ready) < self.workers):
            return
        for worker in sorted(ready):
            if self.samples is not None and self.samples.due(worker):
                self.orders += 1
                self.crew.submit(worker, self.samples.order(worker, self.orders),
                                 self.budgets.seconds(1 << 24))
                continue
            visits = self._visits(tree)
            chosen = tree.choose(worker) if tree.status == UNKNOWN and visits else None
            if chosen is None:
                continue
            player, threshold = tree.question
            self.orders += 1
            order: Message = {
                "kind": SEARCH, "path": chosen.leaf.path, "attacker": player,
                "threshold": threshold, "visits": visits, "th_pn": chosen.th_pn,
                "th_dn": chosen.th_dn, "order": self.orders}
            tree.begin(chosen.leaf)
            self.flights[worker] = Flight(chosen.leaf, visits, self.orders)
            self.searched_by[chosen.leaf] = worker
            self.crew.submit(worker, encode(order), self.budgets.seconds(visits))

    def _visits(self, tree: Tree) -> int:
        """For the next job; 0 if all that the limit leaves is done or in flight."""
        visits = self.budgets.visits(tree.visits, tree.root.free + tree.root.flying)
        if self.nodes is None:
            return visits
        flying = sum(flight.visits for flight in self.flights.values())
        return self.budgets.within(visits, self.nodes - self.journal.visits - flying)

    def _take_in(self, tree: Tree, whole: bool = True) -> bool:
        """Wait a moment, and take in the answers that are there; with rounds, when all are there,
        unless not the ``whole`` round is wanted. False if results had to be withdrawn."""
        self.came += self.crew.finished(WAIT_SECONDS)
        if self.rounds:
            asked = 0 if self.samples is None else self.samples.asked
            if whole and len(self.came) < len(self.flights) + asked:
                return True
            self.came.sort()
        done, self.came = self.came, []
        return self._take(tree, done)

    def _take(self, tree: Tree, done: list[Finished]) -> bool:
        """Take answers in; False if results had to be withdrawn. Reports are kept first, whatever
        becomes of the rest."""
        reports: list[tuple[int, Flight, LeafReport]] = []
        proofs: list[Finished] = []
        liars: dict[int, None] = {}
        try:
            for each in done:
                if self.samples is not None and self.samples.is_for(each.worker):
                    proofs.append(each)
                    continue
                try:
                    self._landed(tree, each, reports)
                except Nonsense:
                    liars[each.worker] = None
        finally:
            self._keep(tree, reports)
        for each in proofs:
            if each.worker not in liars and not self._sampled(each):
                liars[each.worker] = None
        for worker in liars:
            self.conduct.expel(worker)
        return not liars

    def _landed(self, tree: Tree, each: Finished,
                reports: list[tuple[int, Flight, LeafReport]]) -> None:
        """Add the report of an answer; if there is none, its leaf is free again."""
        flight, report = self.flights.pop(each.worker, None), None
        try:
            report = self._read(each, None if flight is None else flight.order)
        finally:
            if flight is not None:
                self.searched_by.pop(flight.leaf, None)
                if report is None:
                    tree.give_up(flight.leaf)
                else:
                    reports.append((each.worker, flight, report))

    def _read(self, each: Finished, order: int | None) -> LeafReport | None:
        """The report of an answer; None if there is none, Nonsense if it is none to this order."""
        if each.worker in self.conduct.gone:
            return None
        if each.answer is None:
            self.conduct.lost(each)
            return None
        message, _ = decode(each.answer)
        if "error" in message:
            self.conduct.failed(each.worker, message["error"])
            return None
        said = message.get("order")
        if order is None and isinstance(said, int) and said in self.given_up:
            self.given_up.remove(said)
            return None
        if order is None or said != order:
            raise Nonsense("an answer to another order")
        report = message.get("report")
        if not isinstance(report, dict):
            raise Nonsense("no report")
        self.conduct.unlucky = 0
        return LeafReport.read(report)

    def _keep(self, tree: Tree, reports: list[tuple[int, Flight, LeafReport]]) -> None:
        """Into the journal, all at once, and then into the tree, one after the other."""
        if not reports:
            return
        rows = self.journal.write([
            (self.subgoal, flight.leaf.path, self.conduct.name_of(worker), report)
            for worker, flight, report in reports])
        pointless: list[Node] = []
        for row, (worker, flight, report) in zip(rows, reports, strict=True):
            self.work.jobs += 1
            self.work.seconds += report.seconds
            self.budgets.measure(report.visits, report.seconds)
            if self.samples is not None:
                self.samples.note(worker, tree.question, flight.leaf.path, report, row)
            pointless += tree.take(flight.leaf, report, worker, row)
        if pointless and not self.rounds:
            self._cancel(pointless)

    def _cancel(self, leaves: list[Node]) -> None:
        for leaf in leaves:
            worker = self.searched_by.pop(leaf, None)
            if worker is not None:
                self.crew.cancel(worker)

    def _sampled(self, each: Finished) -> bool:
        """Take in a proof that was asked for; False if the claim does not stand."""
        assert self.samples is not None
        if each.answer is None:
            self.conduct.lost(each)
            return True
        try:
            row = self.samples.take(each)
        except Nonsense:
            return False
        if row is not None:
            self.journal.check(row)
        return True

    def give(self, worker: int, order: Message, seconds: float) -> int:
        """Give an order that is no job, with a number; that number. Its answer may come when
        nobody waits for it any more."""
        self.orders += 1
        self.given_up.add(self.orders)
        self.crew.submit(worker, encode({**order, "order": self.orders}), seconds)
        return self.orders

    def answered(self, answer: bytes, order: int) -> tuple[Message, list[bytes]]:
        """The answer to the order with this number; Nonsense if it is one to another."""
        message, blobs = decode(answer)
        if message.get("order") != order:
            raise Nonsense("an answer to another order")
        self.given_up.discard(order)
        return message, blobs

    def ask(self, order: Message, late: Callable[[], bool] = lambda: False) -> Message:
        """The answer of any worker to an order; empty if it is lost meanwhile, or ``late``.
        Withdrawn if it is nonsense."""
        while not self.crew.capacity():
            self.crew.finished(WAIT_SECONDS)
            if late():
                return {}
        worker = self.crew.capacity()[0]
        number = self.give(worker, order, self.budgets.seconds(1 << 30))
        while True:
            for each in self.crew.finished(WAIT_SECONDS):
                if each.worker == worker:
                    return self._told(each, number)
            if late():
                return {}

    def _told(self, each: Finished, number: int) -> Message:
        if each.answer is None:
            return {}
        try:
            return self.answered(each.answer, number)[0]
        except Nonsense:
            self.conduct.expel(each.worker)
            raise Withdrawn from None

    def _call_back(self, tree: Tree) -> bool:
        """Let nothing run on: what is in flight comes to an end, and is kept. False if results had
        to be withdrawn meanwhile."""
        honest = True
        for worker in self.flights:
            self.crew.cancel(worker)
        until = time.monotonic() + CALL_BACK_SECONDS
        while self.flights and time.monotonic() < until:
            honest &= self._take_in(tree, whole=False)
            for worker in self.flights.keys() & set(self.crew.capacity()):
                tree.give_up(self.flights.pop(worker).leaf)  # an interrupt has cost the answer
        self._give_up(tree)
        return honest

    def _give_up(self, tree: Tree) -> None:
        """Wait no longer for what is in flight."""
        for flight in self.flights.values():
            tree.give_up(flight.leaf)
            self.given_up.add(flight.order)
        self.flights.clear()
