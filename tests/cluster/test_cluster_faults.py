"""Workers that are killed, hang or send nonsense; a master that is killed; a disk that is full.

In all cases: the right answer, a certificate that passes, and no result paid for twice.
"""

import os
import signal
from dataclasses import replace
from functools import partial

import pytest
from cases import cases, check_line
from crews import (
    AllOf,
    Liar,
    Sending,
    Stale,
    distributed,
    paid_twice,
    rows_of,
    rows_of_a_killed_master,
    sending,
    with_one,
)

import zermelo
from zermelo.cluster.certificate import OutOfTime
from zermelo.cluster.messages import decode, encode
from zermelo.cluster.session import program
from zermelo.cluster.worker import Worker
from zermelo.errors import BadOption, ProofFailure
from zermelo.search.reasons import UNKNOWN
from zermelo.solving.result import Limits
from zermelo.workers.crew import LocalCrew

pytestmark = pytest.mark.slow

VALUES = {1: "win", 0: "draw", -1: "loss"}


CHANGES = {  # of a report
    "status": {"status": 3}, "pn": {"pn": 1 << 62}, "visits": {"visits": 1 << 62},
    "key": {"key": "k" * 65}, "seconds": {"seconds": float("inf")}, "children": {"children": 5},
    "a move that is not legal": {"status": UNKNOWN, "spent": True, "children": [
        {"move": 99, "status": UNKNOWN, "pn": 1, "dn": 1, "key": "k"}]},
}
NONSENSE = {
    "no JSON": b"\0\0\0\5hello", "short": b"\0", "not all": encode({}, b"x")[:-1],
    "too deep": b"\0\1\206\240" + b"[" * 100_000, "no number": encode({"report": {}}),
    **{name: (lambda answer, change=change: answer["report"].update(change))
       for name, change in CHANGES.items()},
    "no report": lambda answer: answer.pop("report"),
    "another order": lambda answer: answer.update(order=answer["order"] - 1),
    "an order of another kind": lambda answer: answer.update(order={"1": [2]}),
}


@pytest.mark.parametrize("nonsense", NONSENSE.values(), ids=NONSENSE)
def test_a_worker_that_sends_nonsense_is_named_and_costs_its_job(nonsense, tmp_path):
    position, state, brute = cases("hex 3x3")[26]
    journal, seen = tmp_path / "journal", []
    with distributed(position, crew=with_one(sending(nonsense)), journal=journal) as solver:
        result = solver.run(progress=seen.append)
        assert str(result.value) == VALUES[brute.value(state)]
        assert solver.master.work.lost == 1
        assert any(progress.trouble.startswith("worker 0: it sent nonsense: ") for progress in seen)
        assert solver.write_proof(tmp_path / "value.proof").report.verified
    assert paid_twice(rows_of(journal)) == 0


def test_messages_have_a_largest_length_on_a_cluster_too(monkeypatch):
    """Where no pipe limits them."""
    monkeypatch.setattr("zermelo.cluster.messages.LARGEST", 10_000)
    position, state, brute = cases("hex 3x3")[26]
    with distributed(position, crew=with_one(sending(bytes(10_001)))) as solver:
        assert str(solver.run().value) == VALUES[brute.value(state)]
        assert solver.master.work.trouble == (
            "worker 0: it sent nonsense: a message of 10,001 bytes; 10,000 are the most")


@pytest.mark.parametrize("nonsense", NONSENSE.values(), ids=NONSENSE)
def test_where_all_workers_send_nonsense_the_search_ends(nonsense, tmp_path):
    position, journal = cases("hex 3x3")[26][0], tmp_path / "journal"
    with (distributed(position, crew=partial(AllOf, sending(nonsense, good=0)),
                      journal=journal) as solver,
          pytest.raises(BadOption, match=r"workers fail again and again; the last was worker \d+: "
                                         "it sent nonsense")):
        solver.run()
    with distributed(position, journal=journal) as solver:
        assert solver.run().concluded


def test_answers_to_other_orders_are_refused():
    position, state, brute = cases("hex 3x3")[26]
    with distributed(position, crew=with_one(Stale)) as solver:
        assert str(solver.run().value) == VALUES[brute.value(state)]
        assert solver.master.work.lost == 1


class Confused(Worker):
    """Answers orders of some kinds with the number of another order."""

    kinds = ()

    def answer(self, order, cancelled=None):
        message, blobs = decode(super().answer(order))
        if decode(order)[0]["kind"] in self.kinds:
            message["order"] -= 1
        return encode(message, *blobs)


def confused(*kinds):
    """Workers that are so with orders of these kinds."""
    return type("Confused", (Confused,), {"kinds": kinds})


@pytest.mark.parametrize("kinds", [("line",), ("prove",), ("more",)])
def test_lines_and_proofs_to_other_orders_are_refused(kinds, monkeypatch, tmp_path):
    monkeypatch.setattr("zermelo.cluster.worker.MOST_BYTES", 1)  # a proof has several parts
    position, state, brute = cases("hex 3x3")[26]
    with distributed(position, workers=1, crew=with_one(confused(*kinds)),
                     most=10_000) as solver:
        result = solver.run()
        check_line(result, brute, state)
        assert solver.master.work.lost == (kinds == ("line",))
        assert solver.write_proof(tmp_path / "value.proof").report.verified
        assert solver.master.work.lost == 1


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


class Endless(Sending):
    """Sends part after part of every proof, of which there is always more."""

    good = 1 << 30

    def answer(self, order, cancelled=None):
        message, _ = decode(order)
        if message["kind"] == "prove":
            self.part = decode(super().answer(order))[1]
        if message["kind"] not in ("prove", "more"):
            return super().answer(order)
        return encode({"agrees": True, "more": True, "order": message["order"]},
                      *(self.part if self.filled else ()))


@pytest.mark.parametrize("filled", [False, True])
def test_a_time_limit_holds_while_proofs_are_collected(filled, tmp_path):
    position, state, brute = cases("hex 3x3")[26]
    kind = type("Endless", (Endless,), {"filled": filled})
    with distributed(position, crew=partial(AllOf, kind), journal=tmp_path / "journal") as solver:
        assert solver.run().concluded
        limit = solver.seconds + 0.5
        with pytest.raises(OutOfTime if filled else BadOption,
                           match="the time limit came before all proofs" if filled else
                                 "a part of a proof without records, and more to come"):
            solver.write_proof(tmp_path / "value.proof", time=limit if filled else None)
        assert not filled or limit <= solver.seconds < limit + 5
    assert [path.name for path in tmp_path.iterdir()] == ["journal"]
    with distributed(position, journal=tmp_path / "journal") as solver:
        result = solver.run()
        assert (str(result.value), result.by) == (VALUES[brute.value(state)], "workers")
        assert solver.write_proof(tmp_path / "value.proof").report.verified


def test_one_worker_that_sends_no_records_does_not_matter(tmp_path):
    kind = type("Endless", (Endless,), {"filled": False})
    with distributed(cases("hex 3x3")[26][0], crew=with_one(kind)) as solver:
        solver.run()
        assert solver.write_proof(tmp_path / "value.proof").report.verified
        assert solver.master.work.lost == 1


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
            message, _ = decode(order)
            if message["kind"] == "prove" and tuple(message["path"]) == left_out:
                return encode({"agrees": False, "order": message["order"]})
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


class Mute(Worker):
    """Never has a proof."""

    def answer(self, order, cancelled=None):
        message, _ = decode(order)
        return (encode({"order": message["order"]}) if message["kind"] == "prove" else
                super().answer(order))


class Nameless(Mute):
    """Does not even say to which order it answers."""

    def answer(self, order, cancelled=None):
        return encode({"error": "no"}) if b'"prove"' in order else super().answer(order)


@pytest.mark.parametrize("kind", [Mute, Nameless])
def test_a_worker_that_sends_no_proof_is_replaced(kind, tmp_path):
    position = cases("hex 3x3")[26][0]
    with distributed(position, crew=with_one(kind)) as solver:
        solver.run()
        assert solver.write_proof(tmp_path / "value.proof").report.verified
        assert solver.master.work.lost == 1
