"""Crews that misbehave, and what their journals must look like afterwards."""

import json
import os
import pickle
import sqlite3
import sys
import time
import zlib
from contextlib import closing
from functools import partial
from pathlib import Path

from command import begin

from zermelo.cluster.master import Budgets
from zermelo.cluster.session import Distributed
from zermelo.cluster.tree import LeafReport
from zermelo.cluster.worker import SEARCH, Worker
from zermelo.search.reasons import LOST, UNKNOWN, WON
from zermelo.workers.crew import InlineCrew

SMALL = {"least": 16, "opening": 8, "first": 8, "share": 64}
PATIENCE = 300.0  # seconds


def distributed(position, search="df-pn", *, workers=2, **options):
    """A search in many small jobs, in this process unless something else is said. By the rules
    alone, else there is not enough to do."""
    budgets = Budgets(workers, most=options.pop("most", 64), **SMALL)
    return Distributed(position, search, workers=workers, memory="8MB", budgets=budgets,
                       **{"backend": "inline", "plain": True, **options})


class Liar(Worker):
    """Says that what is lost is won, and gives nothing away when it is asked for proof."""

    def answer(self, order, cancelled=None):
        answer = pickle.loads(super().answer(order))
        if kind_of(order) == SEARCH and answer["report"].status == LOST:
            answer["report"] = answer["report"]._replace(status=WON)
        elif answer.get("agrees") is False:  # without any record
            answer = {"agrees": True, "more": False, "records": [], "order": answer["order"]}
        return pickle.dumps(answer)


class Sending(Worker):
    """Sends something else when its good answers are over: ``nonsense``, or a change of answers."""

    good, nonsense = 2, b""

    def answer(self, order, cancelled=None):
        self.good -= 1
        answer = super().answer(order)
        if self.good >= 0:
            return answer
        return self.nonsense if isinstance(self.nonsense, bytes) else pickle.dumps(
            {**pickle.loads(answer), **self.nonsense})


def sending(nonsense, good=2):
    """Workers that send ``nonsense``: bytes, or changes of answers."""
    return type("Sending", (Sending,), {"nonsense": nonsense, "good": good})


def kind_of(order):
    """The kind of an order."""
    return pickle.loads(order)["kind"]


class Inline(InlineCrew):
    """Workers in this process."""

    def __init__(self, setup, workers):
        self.setup = setup
        super().__init__(partial(Worker, setup), workers)


class OneOf(Inline):
    """The first worker is of another kind; who takes its place is honest."""

    def __init__(self, kind, setup, workers):
        super().__init__(setup, workers)
        self.workers[0] = kind(setup)


class AllOf(Inline):
    """All workers are of another kind, and all that take their places."""

    def __init__(self, kind, setup, workers):
        InlineCrew.__init__(self, partial(kind, setup), workers)


def with_one(kind):
    """A crew with one such worker."""
    return partial(OneOf, kind)


def rows_of(journal):
    """The results that count, in their order: subgoal, path, status, visits, and whether the leaf
    was to be expanded."""
    with closing(sqlite3.connect(journal)) as db:
        found = db.execute("select subgoal, path, status, visits, report from results "
                           "order by row").fetchall()
    return [(subgoal, tuple(json.loads(path)), status, visits,
             LeafReport.of(json.loads(zlib.decompress(report))).spent)
            for subgoal, path, status, visits, report in found]


def paid_twice(rows):
    """The results about leaves that were solved or expanded before."""
    done, twice = set(), 0
    for subgoal, path, status, _, spent in rows:
        twice += (subgoal, path) in done
        if status != UNKNOWN or spent:
            done.add((subgoal, path))
    return twice


def rows_of_a_killed_master(program, journal):
    """Run a program that solves something with this journal, in a process of its own that finds
    the modules of the tests, and kill it when there are results; those."""
    place = os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])
    process = begin([sys.executable, "-c", program], env={**os.environ, "PYTHONPATH": place})
    until = time.monotonic() + PATIENCE
    while time.monotonic() < until and process.poll() is None and not _has_rows(journal):
        time.sleep(0.02)
    process.kill()
    process.wait()
    rows = rows_of(journal)
    assert rows
    return rows


def _has_rows(journal):
    """Whether more has been written to it than what it is about; it is locked as yet."""
    try:
        return journal.stat().st_size and journal.with_name("journal-wal").stat().st_size > 60_000
    except OSError:
        return False
