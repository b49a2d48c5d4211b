"""Workers that are killed, hang or fail; a master that is killed; a disk that is full.

In all cases: the right answer, a certificate that passes, and no result paid for twice.
"""

import os
import pickle
import signal
from dataclasses import replace
from functools import partial

import pytest
from brute import VALUES
from cases import cases, check_line
from crews import (
    AllOf,
    Liar,
    distributed,
    kind_of,
    paid_twice,
    rows_of,
    rows_of_a_killed_master,
    sending,
    with_one,
)

import zermelo
from zermelo.cluster.session import program
from zermelo.cluster.tree import LeafReport
from zermelo.cluster.worker import Worker
from zermelo.errors import BadOption, ProofFailure
from zermelo.search.reasons import UNKNOWN
from zermelo.solving.result import Limits
from zermelo.workers.crew import LocalCrew

pytestmark = pytest.mark.slow

FAILING = {"error": "out of memory"}


def test_a_worker_that_fails_costs_its_job(tmp_path):
    position, state, brute = cases("hex 3x3")[26]
    journal, seen = tmp_path / "journal", []
    with distributed(position, crew=with_one(sending(FAILING)), journal=journal) as solver:
        result = solver.run(progress=seen.append)
        assert str(result.value) == VALUES[brute.value(state)]
        assert solver.master.work.lost == 1
        assert any(each.trouble == "worker 0: it reported out of memory" for each in seen)
        assert solver.write_proof(tmp_path / "value.proof").report.verified
    assert paid_twice(rows_of(journal)) == 0


@pytest.mark.parametrize(("crew", "sentence"), [
    (partial(AllOf, sending(FAILING, good=0)),
     r"workers fail again and again; the last was worker \d+: it reported out of memory\.$"),
    (with_one(sending(b"hello")), r"^worker 0 sent nonsense: "),
    (with_one(sending({"order": 7})), r"^worker 0 sent nonsense: an answer to another order\.$"),
    *((with_one(sending({"report": report})), r"^worker 0 sent nonsense: a report that can't be")
      for report in (None, [], LeafReport(7, 1, 1, 1, 1, 0, False, True, "k", 0.0))),
])
def test_where_workers_make_no_sense_the_search_ends(crew, sentence, tmp_path):
    """What was found before is kept."""
    position, journal = cases("hex 3x3")[26][0], tmp_path / "journal"
    with (distributed(position, crew=crew, journal=journal) as solver,
          pytest.raises(BadOption, match=sentence)):
        solver.run()
    with distributed(position, journal=journal) as solver:
        assert solver.run().concluded
    assert paid_twice(rows_of(journal)) == 0


@pytest.mark.parametrize(("kind", "change"), [
    ("line", {"line": ["x"]}), ("line", {"line": [99]}), ("line", {"line": None}),
    ("prove", {"records": [([1], [2], None)]}), ("prove", {"records": None}),
])
def test_proofs_that_make_no_sense_are_refused(kind, change, tmp_path):
    class Foolish(Worker):
        def answer(self, order, cancelled=None):
            answer = pickle.loads(super().answer(order))
            return pickle.dumps({**answer, **change} if kind_of(order) == kind else answer)

    def solve_and_prove(solver):
        solver.run()
        solver.write_proof(tmp_path / "value.proof")

    with (distributed(cases("hex 3x3")[26][0], crew=partial(AllOf, Foolish)) as solver,
          pytest.raises(BadOption, match=r"^worker \d+ sent nonsense: (a line|records) that")):
        solve_and_prove(solver)


def test_work_that_is_lost_is_seen(tmp_path, monkeypatch):
    """What these tests count would be more than nothing."""
    position, journal = cases("hex 3x3")[26][0], tmp_path / "journal"
    with distributed(position, journal=journal) as solver:
        solver.run(Limits(nodes=100))
        assert solver.trees[0].status == UNKNOWN
    monkeypatch.setattr("zermelo.cluster.tree.MasterTree.replay", lambda *result: None)
    with distributed(position, journal=journal) as solver:
        solver.run(Limits(nodes=200))
    assert paid_twice(rows_of(journal)) > 0


@pytest.mark.parametrize("crew", [with_one(Liar), partial(AllOf, Liar)])
def test_a_false_report_is_not_certified(crew, tmp_path):
    """Without a certificate the answer is the workers' word, and says so."""
    position, state, brute = cases("hex 3x3")[26]
    with distributed(position, crew=crew) as solver:
        result = solver.run()
        assert str(result.value) != VALUES[brute.value(state)]
        assert (result.proved, result.by, result.exit_status) == (False, "workers", 12)
        assert "win, by the workers' word" in str(result)
        assert not any(move.proved for move in result.moves)
        with pytest.raises(ProofFailure, match=r"worker \d+ finds that .* is not what a worker "
                                               r"reported: the answer|failed verification"):
            solver.write_proof(tmp_path / "value.proof")
        assert not solver.run().proved


def test_a_reply_that_is_not_pointless(tmp_path):
    """What a game's rules leave out for its knowledge is searched for the certificate."""
    class Denier(Worker):
        def answer(self, order, cancelled=None):
            message = pickle.loads(order)
            if message["kind"] == "prove" and tuple(message["path"]) == left_out:
                return pickle.dumps({"agrees": False, "order": message["order"]})
            return super().answer(order)

    position = cases("hex 3x3")[63][0]
    with distributed(position, workers=1, crew=with_one(Denier)) as solver:
        solver.run()
        node = next(node for tree in solver.trees for node in tree.proved.values()
                    if node.parent is not None and len(node.children) > 1)
        left_out = node.children.pop().path
        with pytest.raises(ProofFailure, match="rules call pointless"):
            solver.write_proof(tmp_path / "value.proof")


class Fragile(LocalCrew):
    """Kills or stops a worker once it has an order."""

    def __init__(self, number, setup, workers):
        super().__init__(replace(program(setup), still=1.0), workers)
        self.number, self.orders = number, 0

    def submit(self, worker, order, seconds):
        self.orders += 1
        due = self.orders in (3, 4)
        if due:  # before it can answer
            os.kill(self.workers[worker].process.pid, signal.SIGSTOP)
        super().submit(worker, order, seconds)
        if due:
            os.kill(self.workers[worker].process.pid, self.number)


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSTOP])
def test_workers_that_are_killed_or_hang(number, tmp_path):
    position, state, brute = cases("hex 3x3")[26]
    journal = tmp_path / "journal"
    with distributed(position, crew=partial(Fragile, number), journal=journal) as solver:
        result = solver.run(Limits(time=120))
        assert str(result.value) == VALUES[brute.value(state)]
        assert solver.master.work.lost == 2
        assert solver.write_proof(tmp_path / "value.proof").report.verified
        crew = solver._crew
        pids = [worker.process.pid for worker in crew.workers.values()]
    assert paid_twice(rows_of(journal)) == 0
    for pid in pids:  # nothing is left behind
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)


def test_a_master_that_is_killed_goes_on(tmp_path):
    position, journal = zermelo.game("hex", size=3).start(), tmp_path / "journal"
    program = ("import zermelo; from crews import distributed; distributed(zermelo.game('hex', "
               f"size=3).start(), journal={str(journal)!r}, most=2).run()")
    before = rows_of_a_killed_master(program, journal)
    with distributed(position, journal=journal, workers=3) as solver:
        assert solver.trees[0].status == 0, "it was not killed in time"
        assert solver.run().value == "win"
        assert solver.write_proof(tmp_path / "value.proof").report.verified
    after = rows_of(journal)
    assert after[: len(before)] == before
    assert paid_twice(after) == 0


def test_a_full_disk_keeps_what_there_is(tmp_path):
    position, state, brute = cases("hex 3x3")[26]
    journal = tmp_path / "journal"
    solver = distributed(position, journal=journal)
    pages = solver.journal.db.execute("pragma page_count").fetchone()[0]
    solver.journal.db.execute(f"pragma max_page_count = {pages + 2}")
    with solver, pytest.raises(BadOption, match=r"can't be written any more: .*full; what is in"):
        solver.run()
    before = rows_of(journal)
    assert before
    with distributed(position, journal=journal, workers=3) as solver:
        assert str(solver.run().value) == VALUES[brute.value(state)]
        assert solver.write_proof(tmp_path / "value.proof").report.verified
    assert rows_of(journal)[: len(before)] == before
    assert paid_twice(rows_of(journal)) == 0


@pytest.mark.parametrize("kind", ["line", "prove", "more"])
def test_a_worker_that_fails_with_a_proof_is_replaced(kind, monkeypatch, tmp_path):
    monkeypatch.setattr("zermelo.cluster.worker.MOST_BYTES", 1)  # a proof has several parts

    class Failing(Worker):
        def answer(self, order, cancelled=None):
            answer = pickle.loads(super().answer(order))
            return pickle.dumps(answer if kind_of(order) != kind else {**answer, **FAILING})

    position, state, brute = cases("hex 3x3")[26]
    with distributed(position, workers=1, crew=with_one(Failing), most=10_000) as solver:
        check_line(solver.run(), brute, state)
        assert solver.write_proof(tmp_path / "value.proof").report.verified
        assert solver.master.work.lost == 1
