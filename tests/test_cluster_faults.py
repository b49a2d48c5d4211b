"""Workers that are killed, hang, babble or lie; a master that is killed; a disk that is full.

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
    Babbler,
    BusyLiar,
    ChildLiar,
    Empty,
    Inline,
    KeyLiar,
    Liar,
    OneOf,
    SlyLiar,
    Stale,
    distributed,
    paid_twice,
    rows_of,
    rows_of_a_killed_master,
    with_one,
)

import zermelo
from zermelo.cluster.certificate import Assembly
from zermelo.cluster.hire import program
from zermelo.cluster.messages import Child, LeafReport, decode, encode
from zermelo.cluster.samples import Samples
from zermelo.cluster.setup import Setup
from zermelo.cluster.worker import PROVE, Worker
from zermelo.crews.crew import Finished
from zermelo.crews.local import LocalCrew
from zermelo.errors import BadOption, ProofFailure
from zermelo.search.common.status import LOST, UNKNOWN
from zermelo.search.depth_first.table import INF
from zermelo.solving.result import Limits

VALUES = {1: "win", 0: "draw", -1: "loss"}


@pytest.fixture(params=[("hex 3x3", 26), ("othello 4x4", 77)], ids=["hex", "othello"])
def case(request):
    name, number = request.param
    return cases(name)[number]


@pytest.mark.parametrize("kind", [Liar, SlyLiar, Babbler, Empty])
def test_a_worker_that_lies_is_expelled(case, kind, tmp_path):
    position, state, brute = case
    journal = tmp_path / "journal"
    with distributed(position, crew=with_one(kind), journal=journal, every=1) as solver:
        result = solver.run()
        assert str(result.value) == VALUES[brute.value(state)]
        assert solver.master.work.expelled >= 1
        assert solver.write_proof(tmp_path / "value.proof").report.verified
    assert paid_twice(rows_of(journal)) == 0


FOUR = {"columns": 4, "rows": 4}


@pytest.mark.parametrize(("kind", "game", "parameters", "value"), [
    (ChildLiar, "connect-four", FOUR, "draw"),
    (ChildLiar, "othello", {"size": 4}, "loss"),
    (KeyLiar, "connect-four", FOUR, "draw"),
    (BusyLiar, "connect-four", FOUR, "draw"),
    (KeyLiar, "othello", {"size": 4}, "loss"),
])
def test_lies_are_found_by_samples_of_the_usual_size(kind, game, parameters, value):
    """What the answer rests on is checked, whether leaves are claimed or children of them."""
    position = zermelo.game(game, **parameters).start()
    with distributed(position, crew=with_one(kind)) as solver:
        result = solver.run()
        assert (result.value, result.proved) == (value, True)
        assert solver.master.work.expelled == 1


def test_a_child_that_was_checked_keeps_no_other_claim():
    """A result with a solved leaf stays when its worker has lied elsewhere, if it was checked; one
    with children has other claims too."""
    position = cases("hex 3x3")[26][0]
    worker = Worker(Setup.of(position, zermelo.DFPN(), plain=True, seed=0, memory=1 << 20))
    samples, move = Samples(position, 1), position.codes()[0]
    order = {"kind": "search", "path": [move], "attacker": 0, "threshold": 1, "visits": 1 << 20,
             "th_pn": INF, "th_dn": INF}
    solved = LeafReport.read(decode(worker.answer(encode(order)))[0]["report"])
    above = replace(solved, status=UNKNOWN, spent=True, children=(
        Child(move, solved.status, 0, 0, solved.key),))
    samples.note(0, (0, 1), (), above, 7)
    assert samples.take(Finished(0, worker.answer(samples.order(0, 1)))) is None
    samples.note(1, (0, 1), (move,), solved, 8)
    assert samples.take(Finished(1, worker.answer(samples.order(1, 2)))) == 8
    assert not samples.open
    samples.note(2, (0, 1), (), replace(above, spent=False), 9)  # nobody makes use of it
    assert not samples.open


def test_answers_to_other_orders_are_refused():
    position, state, brute = cases("hex 3x3")[26]
    with distributed(position, crew=with_one(Stale), every=0) as solver:
        assert str(solver.run().value) == VALUES[brute.value(state)]
        assert solver.master.work.expelled == 1


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
    with distributed(position, workers=1, crew=with_one(confused(*kinds)), most=10_000,
                     every=0) as solver:
        result = solver.run()
        check_line(result, brute, state)
        assert solver.master.work.expelled == (kinds == ("line",))
        assert solver.write_proof(tmp_path / "value.proof").report.verified
        assert solver.master.work.expelled == 1


def test_parts_that_come_after_their_certificate_was_given_up(tmp_path):
    """A liar is found while others are at their proofs: those go on with the search."""
    class OneByOne(OneOf):
        def finished(self, seconds):
            worker = min(self.orders)
            others = {w: o for w, o in self.orders.items() if w != worker}
            self.orders = {worker: self.orders[worker]}
            done, self.orders = super().finished(seconds), others
            return done

    position, state, brute = cases("hex 3x3")[26]
    with distributed(position, workers=3, crew=partial(OneByOne, SlyLiar), every=0,
                     most=16) as solver:
        solver.run()
        assert solver.write_proof(tmp_path / "value.proof").report.verified
        assert str(solver.run().value) == VALUES[brute.value(state)]
        assert solver.master.work.expelled == 1


class Twice(Inline):
    """Every answer comes once more, in the place of the next."""

    def __init__(self, setup, workers):
        super().__init__(setup, workers)
        self.before = {}

    def finished(self, seconds):
        done = [self.before.pop(each.worker, each) for each in super().finished(seconds)]
        self.before = {each.worker: each for each in done}
        return done


@pytest.mark.parametrize("crew", [Twice, partial(AllOf, Stale), partial(AllOf, ChildLiar)])
def test_where_all_workers_are_bad_the_search_ends(crew, tmp_path):
    position, journal = zermelo.game("othello", size=4).start(), tmp_path / "journal"
    with (distributed(position, crew=crew, journal=journal) as solver,
          pytest.raises(BadOption, match=r"expelled again and again, .* what stands of the")):
        solver.run()
    assert solver.master.work.expelled < 200
    with distributed(position, journal=journal) as solver:
        assert solver.run().value == "loss"


def test_one_bad_place_does_not_end_the_search(monkeypatch):
    """Whoever comes into the place of the first worker is bad, too; the other one is good."""
    class Cursed(OneOf):
        def _new(self):
            super()._new()
            if self.made > 2:
                self.workers[self.made - 1] = Stale(self.setup)

    monkeypatch.setattr("zermelo.cluster.conduct.GIVE_UP", 1)
    position, state, brute = cases("hex 3x3")[26]
    with distributed(position, crew=partial(Cursed, Stale)) as solver:
        assert str(solver.run().value) == VALUES[brute.value(state)]
        assert solver.master.work.expelled > solver.master.conduct.patience


@pytest.mark.parametrize("fails", ["tempfile.TemporaryDirectory", "zermelo.proof.write.Sorter.add"])
def test_a_sample_that_finds_no_place_on_the_disk_is_left_out(fails, monkeypatch):
    def full(*arguments, **options):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(fails, full)
    position, state, brute = cases("hex 3x3")[26]
    with distributed(position, every=1) as solver:
        assert str(solver.run().value) == VALUES[brute.value(state)]
        assert solver.master.work.expelled == 0
        assert not solver.journal.db.execute("select 1 from results where checked").fetchall()


def test_long_proofs_are_left_out(monkeypatch):
    monkeypatch.setattr("zermelo.cluster.samples.MOST_RECORDS", 2)
    position, state, brute = cases("hex 3x3")[26]
    with distributed(position, every=1) as solver:
        assert str(solver.run().value) == VALUES[brute.value(state)]
        assert solver.master.work.expelled == 0


def test_proofs_that_take_many_visits_are_left_out():
    """From the table they take none; where it has lost them, or never had them, they may."""
    position = zermelo.game("connect-four", columns=5, rows=4).start()
    worker = Worker(Setup.of(position, zermelo.DFPN(), plain=True, seed=0, memory=1 << 20))
    order = {"kind": "prove", "path": [], "attacker": 0, "status": LOST, "search": 0, "most": 9,
             "visits": 100, "order": 5}
    answer, blobs = decode(worker.answer(encode(order)))
    assert (answer, blobs) == ({"agrees": True, "more": True, "order": 5}, [])


def test_work_that_is_lost_is_seen(tmp_path, monkeypatch):
    """What these tests count would be more than nothing."""
    position, journal = cases("hex 3x3")[26][0], tmp_path / "journal"
    with distributed(position, journal=journal) as solver:
        solver.run(Limits(nodes=100))
        assert solver.trees[0].status == UNKNOWN
    monkeypatch.setattr("zermelo.cluster.tree.Tree.replay", lambda *result: None)
    with distributed(position, journal=journal) as solver:
        solver.run(Limits(nodes=200))
    assert paid_twice(rows_of(journal)) > 0


def test_a_lie_that_no_sample_found_is_found_by_the_certificate(tmp_path):
    position, state, brute = cases("hex 3x3")[26]
    with distributed(position, crew=with_one(SlyLiar), every=0) as solver:
        solver.run()
        assert solver.write_proof(tmp_path / "value.proof").report.verified
        assert str(solver.run().value) == VALUES[brute.value(state)]
        assert solver.master.work.expelled == 1


class Forger(Worker):
    """Sends proofs without their records."""

    def answer(self, order, cancelled=None):
        if b'"prove"' in order:
            number = decode(order)[0]["order"]
            return encode({"agrees": True, "more": False, "seconds": 0.0, "order": number})
        return super().answer(order)


def test_who_sends_empty_proofs_is_found(tmp_path):
    position = cases("hex 3x3")[26][0]
    with distributed(position, crew=with_one(Forger), every=0) as solver:
        solver.run()
        assert solver.write_proof(tmp_path / "value.proof").report.verified
        assert solver.master.work.expelled == 1


def test_a_certificate_that_never_stands_is_refused(tmp_path, monkeypatch):
    class Forgers(Inline):
        def _new(self):
            self.workers[self.made] = Forger(self.setup)
            self.made += 1

    position = cases("hex 3x3")[63][0]
    with distributed(position, crew=Forgers, every=0) as solver:
        solver.run()
        with pytest.raises(ProofFailure, match="again and again"):
            solver.write_proof(tmp_path / "value.proof")
    with distributed(position, crew=Forgers, every=0) as solver:
        solver.run()
        monkeypatch.setattr(Assembly, "_sift", lambda self, leaves: False)
        with pytest.raises(ProofFailure, match="failed verification"):
            solver.write_proof(tmp_path / "value.proof")


def test_a_reply_that_is_not_pointless(tmp_path, monkeypatch):
    """What a game's rules leave out for its knowledge is searched for the certificate."""
    class Denier(Worker):
        def answer(self, order, cancelled=None):
            if b'"prove"' in order:
                return encode({"agrees": False, "order": decode(order)[0]["order"]})
            return super().answer(order)

    position = cases("hex 3x3")[63][0]
    with distributed(position, workers=1, crew=with_one(Denier), every=0) as solver:
        solver.run()
        for tree in solver.trees:
            for node in tree.proved.values():
                for child in node.children:
                    child.row = 0
            tree.root.row = 0
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
        return (encode({"order": message["order"]}) if message["kind"] == PROVE else
                super().answer(order))


class Nameless(Mute):
    """Does not even say to which order it answers."""

    def answer(self, order, cancelled=None):
        return encode({"error": "no"}) if b'"prove"' in order else super().answer(order)


@pytest.mark.parametrize("kind", [Mute, Nameless])
def test_a_worker_that_sends_no_proof_is_expelled(kind, tmp_path):
    position = cases("hex 3x3")[26][0]
    with distributed(position, crew=with_one(kind), every=0) as solver:
        solver.run()
        assert solver.write_proof(tmp_path / "value.proof").report.verified
        assert solver.master.work.expelled == 1


class Fading(Inline):
    """The first worker ends after each of its answers, when it has no order."""

    def finished(self, seconds):
        done = super().finished(seconds)
        self.expel(min(self.workers))
        return done


def test_claims_of_a_worker_that_ended_without_an_order_are_not_waited_for():
    position, state, brute = cases("hex 3x3")[26]
    with distributed(position, crew=Fading, rounds=True, every=1) as solver:
        result = solver.run(Limits(time=20))
        assert result.proved
        assert str(result.value) == VALUES[brute.value(state)]
