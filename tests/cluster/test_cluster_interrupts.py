"""Ctrl-C while workers search: nothing hangs, and what was paid for is kept."""

import signal
from functools import partial

import pytest
from brute import VALUES
from cases import cases
from command import call
from crews import Inline, distributed, paid_twice, rows_of

from zermelo.cluster.master import Budgets
from zermelo.workers.crew import Finished

PATIENCE = 50  # times that a master may ask for answers in vain


class Interrupted(Inline):
    """One answer at a time. After three, while another worker is at it, Ctrl-C is pressed, once;
    the rest comes when it is called back."""

    answers = vain = 0
    pressed = False

    def finished(self, seconds):
        if not self.orders:
            self.vain += 1
            assert self.vain < PATIENCE, "the master waits for what will never come"
            return []
        if self.answers == 3 and not self.pressed:
            self.pressed = True
            signal.raise_signal(signal.SIGINT)
        worker = min(self.orders)
        self.answers += 1
        self.vain, others = 0, {w: o for w, o in self.orders.items() if w != worker}
        self.orders = {worker: self.orders[worker]}
        try:
            return super().finished(seconds)
        finally:
            self.orders = others


@pytest.mark.parametrize("rounds", [True, False])
def test_who_has_answered_before_an_interrupt_is_heard(rounds, tmp_path):
    position, state, brute = cases("hex 3x3")[26]
    journal = tmp_path / "journal"
    with distributed(position, workers=3, rounds=rounds, crew=Interrupted,
                     journal=journal) as solver:
        assert solver.run().stopped == "interrupted"
        assert not solver.master.flights
        assert solver.journal.rows == (4 if rounds else 6)
        assert solver.visits == sum(tree.visits for tree in solver.trees)
        assert str(solver.run().value) == VALUES[brute.value(state)]
    assert paid_twice(rows_of(journal)) == 0


def test_an_answer_that_is_lost_by_an_interrupt():
    """It came while the crew was interrupted: nobody waits for it."""
    class Careless(Interrupted):
        def finished(self, seconds):
            try:
                return super().finished(seconds)
            except KeyboardInterrupt:
                self.orders = {}
                raise

    position, state, brute = cases("hex 3x3")[26]
    with distributed(position, workers=3, rounds=True, crew=Careless) as solver:
        assert solver.run().stopped == "interrupted"
        assert not solver.master.flights
        assert str(solver.run().value) == VALUES[brute.value(state)]


def test_a_command_that_is_interrupted_says_what_it_has(monkeypatch, tmp_path):
    small = partial(Budgets, opening=8, first=8, least=8, most=16)
    monkeypatch.setattr("zermelo.cluster.session.Budgets", small)
    monkeypatch.setattr("zermelo.cluster.session.local_crew", Interrupted)
    words = ["solve", "hex", "start", "-g", "size=3", "-s", "df-pn", "--plain", "--workers", "3",
             "--deterministic", "--journal", str(tmp_path / "journal")]
    done = call(*words)
    assert done.status == 10
    assert "unknown: stopped by an interrupt" in done.out
    assert "what was found is kept" in done.err


class Pressed:
    """A database. Ctrl-C is pressed while a statement runs that begins so, the third time."""

    def __init__(self, db, statement):
        self.db, self.statement, self.left = db, statement, 3

    def __getattr__(self, name):
        return getattr(self.db, name)

    def execute(self, statement, *values):
        found = self.db.execute(statement, *values)
        if statement.startswith(self.statement):
            self.left -= 1
            if self.left == 0:
                signal.raise_signal(signal.SIGINT)
        return found


@pytest.mark.parametrize("statement", ["begin", "insert into results", "commit"])
def test_an_interrupt_while_the_journal_is_written(statement, tmp_path):
    position, state, brute = cases("hex 3x3")[26]
    journal = tmp_path / "journal"
    with distributed(position, journal=journal) as solver:
        solver.journal.db = Pressed(solver.journal.db, statement)
        assert solver.run().stopped == "interrupted"
        assert not solver.journal.db.in_transaction
        result = solver.run()
        assert str(result.value) == VALUES[brute.value(state)]
        assert solver.visits == result.nodes
    assert sum(row[3] for row in rows_of(journal)) == result.nodes
    assert paid_twice(rows_of(journal)) == 0


def test_a_worker_that_is_lost_when_it_is_called_back():
    """What was found before is kept."""
    class Turncoat(Inline):
        cancelled = False

        def cancel(self, worker):
            self.cancelled = True

        def finished(self, seconds):
            if self.cancelled:
                orders, self.orders = self.orders, {}
                return [Finished(worker, None, "it ended") for worker in orders]
            worker = max(self.orders)
            others = {w: o for w, o in self.orders.items() if w != worker}
            self.orders = {worker: self.orders[worker]}
            done, self.orders = super().finished(seconds), others
            return done

    with distributed(cases("hex 3x3")[26][0], crew=Turncoat) as solver:
        stop = lambda: "enough" if solver.journal.rows >= 3 else None  # noqa: E731
        assert solver._run(stop, lambda: None) == "enough"
        assert solver.master.work.lost > 0
        kept = sum(report.visits for _, report in solver.journal.read(0))
        assert kept == solver.visits == sum(tree.visits for tree in solver.trees)
        assert not solver.master.flights
