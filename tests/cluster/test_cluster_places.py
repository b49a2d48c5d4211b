"""Workers for which there is no place, workers that begin later than others, and proofs that come
in many parts. Ray is a stand-in here; ``test_cluster_ray.py`` has the real one."""

import pickle

import pytest
from brute import VALUES
from cases import cases
from crews import Inline, distributed, kind_of, paid_twice, rows_of
from small_ray import SmallRay

import zermelo
from zermelo.cluster.session import ray_crew
from zermelo.cluster.worker import MORE, PROVE, Setup
from zermelo.errors import BadOption
from zermelo.search.depth_first import proofs
from zermelo.workers.crew import Finished
from zermelo.workers.ray_crew import RayActors


@pytest.fixture
def ray(monkeypatch):
    made = SmallRay(["first", "second", "third"])
    monkeypatch.setattr("zermelo.workers.ray_crew.load_ray", lambda: made)
    return made


def test_who_has_no_place_gets_no_order(ray, tmp_path, monkeypatch):
    position, state, brute = cases("hex 3x3")[26]
    journal, lost = tmp_path / "journal", []

    class Fading(RayActors):
        """A node is lost while its worker has an order, and then another one."""

        def finished(self, seconds):
            if len(self.flying) == len(ray.names) > 1 and len(ray.calls) > 12 * (1 + len(lost)):
                lost.append(ray.names[-1])
                ray.lose_node()
            return super().finished(seconds)

    monkeypatch.setattr("zermelo.cluster.session.RayActors", Fading)
    with distributed(position, workers=5, journal=journal, backend="ray",
                     cluster="far:1") as solver:
        result = solver.run()
        assert str(result.value) == VALUES[brute.value(state)]
        assert lost == ["third", "second"]
        assert solver.master.work.lost == 2
        assert solver.write_proof(tmp_path / "value.proof").report.verified
        assert solver._crew.capacity()  # one is left
    assert paid_twice(rows_of(journal)) == 0
    assert not ray.up


def test_rounds_need_a_place_for_each(ray):
    sentence = r"4 workers with --deterministic .* the cluster has 3 processors"
    with (distributed(cases("hex 3x3")[26][0], workers=4, rounds=True, backend="ray",
                      cluster="far:1") as solver, pytest.raises(BadOption, match=sentence)):
        solver.run()
    assert not ray.up


def test_a_cluster_of_ones_own_has_a_processor_for_each_thread(ray):
    setup = Setup.of(cases("hex 3x3")[26][0], zermelo.DFPN(), plain=True, seed=0, memory=1 << 20,
                     threads=3)
    ray_crew(setup, 2, "local").close()
    assert (ray.options["num_cpus"], ray.reserved["num_cpus"]) == (6, 3)


class Late(Inline):
    """Workers are ready one after the other, as they are in processes."""

    looks = 0

    def capacity(self):
        return super().capacity()[: self.looks]

    def finished(self, seconds):
        self.looks += 1
        return super().finished(seconds)


def test_rounds_wait_for_all():
    position = cases("hex 3x3")[26][0]
    found = []
    for crew in (None, Late):
        with distributed(position, workers=3, rounds=True, crew=crew) as solver:
            result = solver.run()
            found.append((result.nodes, result.iterations, result.counters["jobs"]))
    assert found[0] == found[1]


class Losing(Inline):
    """Twenty-five workers are lost before anybody answers, as with a node that has many."""

    lost = 0

    def finished(self, seconds):
        gone = list(self.orders) if self.lost < 25 else []
        for worker in gone:
            self.expel(worker)
        self.lost += len(gone)
        return [Finished(worker, None, "its node is gone") for worker in gone] if gone \
            else super().finished(seconds)


def test_a_node_with_many_workers_may_go():
    position, state, brute = cases("hex 3x3")[26]
    with distributed(position, workers=30, crew=Losing) as solver:
        assert str(solver.run().value) == VALUES[brute.value(state)]
        assert solver.master.work.lost >= 25
    with (distributed(position, workers=2, crew=Losing) as solver,
          pytest.raises(BadOption, match="the last was worker 19: its node is gone")):
        solver.run()


class Hanging(Inline):
    """Whoever gets the first three orders for proofs does nothing; time is what is waited."""

    now, hung, given, until = 0.0, 0, (), {}

    def submit(self, worker, order, seconds):
        super().submit(worker, order, seconds)
        if kind_of(order) == PROVE:
            self.given += (seconds,)
            if len(self.given) <= 3:
                self.until = {**self.until, worker: self.now + seconds}

    def finished(self, seconds):
        self.now += 60.0
        assert self.now < 1e6, "nobody noticed"
        late = [worker for worker, until in self.until.items() if self.now > until]
        stuck = {worker: self.orders.pop(worker) for worker in self.until}
        done = super().finished(seconds)
        self.orders = stuck
        for worker in late:
            del self.until[worker]
            self.expel(worker)
        return done + [Finished(worker, None, "it took too long") for worker in late]


def test_a_hang_while_the_certificate_is_made_is_noticed(tmp_path):
    position = cases("hex 3x3")[26][0]
    with distributed(position, workers=1, crew=Hanging) as solver:
        solver.run()
        assert solver.write_proof(tmp_path / "value.proof").report.verified
        given = solver.master.crew.given
    assert given[1] == 2 * given[0]  # it may have been too little
    assert solver.master.crew.now < 10 * given[0]


@pytest.mark.parametrize("loses", [False, True])
def test_a_proof_comes_in_parts(loses, monkeypatch, tmp_path):
    monkeypatch.setattr(proofs, "BATCH", 4)
    monkeypatch.setattr("zermelo.cluster.worker.MOST_BYTES", 1)
    seen, parts = [], []

    class Watched(Inline):
        def submit(self, worker, order, seconds):
            seen.append(kind_of(order))
            super().submit(worker, order, seconds)

        def finished(self, seconds):
            further = [worker for worker, order in self.orders.items()
                       if kind_of(order) == MORE]
            if loses and "lost" not in seen and seen.count(MORE) > 2:  # in the middle of a proof
                seen.append("lost")
                self.expel(further[0])
                return [Finished(further[0], None, "it ended")]
            done = super().finished(seconds)
            parts.extend(len(pickle.loads(each.answer).get("records", ())) for each in done)
            return done

    position, state, brute = cases("othello 4x4")[77]
    with distributed(position, most=1 << 12, crew=Watched) as solver:
        assert str(solver.run().value) == VALUES[brute.value(state)]
        assert solver.write_proof(tmp_path / "value.proof").report.verified
    assert seen.count(MORE) > 5
    assert max(parts) == 1  # never more than one batch in memory
    assert ("lost" in seen) == loses
