"""Workers on a Ray cluster: a head and two nodes on this machine, and all that can go wrong there.

In all cases: the right answer, a certificate that passes, and no result paid for twice.
"""

import os
import signal
import time
from functools import partial
from pathlib import Path

import pytest
from brute import VALUES
from cases import cases
from crews import PATIENCE, SMALL, paid_twice, rows_of, rows_of_a_killed_master

from zermelo.cluster.master import Budgets
from zermelo.cluster.session import Distributed
from zermelo.cluster.worker import Worker
from zermelo.workers import ray_crew
from zermelo.workers.ray_crew import Actor, RayActors, RayCluster

pytestmark = pytest.mark.full


@pytest.fixture
def cluster(monkeypatch):
    ray = pytest.importorskip(  # here: it takes a second, which other tests would wait for
        "ray", reason="Ray is not installed: pip install 'zermelo[cluster]'")
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    here = [str(Path(__file__).parents[1]), *filter(None, [os.environ.get("PYTHONPATH")])]
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(here))  # for the classes of this file
    made = Cluster(initialize_head=True, head_node_args={
        "num_cpus": 0, "include_dashboard": False, "object_store_memory": 100 << 20})
    made.two = [made.add_node(num_cpus=1, object_store_memory=100 << 20) for _ in range(2)]
    yield made
    ray.shutdown()
    made.shutdown()


def solver_on(cluster, journal, crew=RayActors, workers=2):
    """A search in many small jobs."""
    def begin(setup, workers):
        return crew(RayCluster(cluster.address, workers), partial(Worker, setup), workers)

    return Distributed(cases("hex 3x3")[26][0], "df-pn", workers=workers, plain=True,
                       memory="12MB", journal=journal, budgets=Budgets(workers, most=64, **SMALL),
                       crew=begin)


def check_all(solver, tmp_path, together=False):
    """The answer, the certificate and the journal. ``together``: begin when all are ready."""
    crew = solver.master.crew
    while together and len(crew.capacity()) < solver.workers:
        crew.finished(0.1)
    _, state, brute = cases("hex 3x3")[26]
    assert str(solver.run().value) == VALUES[brute.value(state)]
    assert solver.write_proof(tmp_path / "value.proof").report.verified
    solver.close()
    assert paid_twice(rows_of(tmp_path / "journal")) == 0


def test_a_node_that_is_killed_costs_its_jobs_only(cluster, tmp_path):
    class Fragile(RayActors):
        orders = 0

        def submit(self, worker, order, seconds):
            super().submit(worker, order, seconds)
            self.orders += 1
            if self.orders == 20:
                cluster.remove_node(cluster.two[0], allow_graceful=False)

    # For the third there is never a place, and for the second none when its node is gone.
    with solver_on(cluster, tmp_path / "journal", Fragile, workers=3) as solver:
        check_all(solver, tmp_path)
        assert solver.master.crew.orders > 20


class Mortal(Actor):
    """An actor whose process can be found."""

    def process(self):
        return os.getpid()


class Hit(RayActors):
    """Sends a signal to the processes of two workers that have an order."""

    number = signal.SIGKILL

    def __init__(self, *arguments):
        self.orders, self.hit = 0, []
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(ray_crew, "Actor", Mortal)
            super().__init__(*arguments)

    def submit(self, worker, order, seconds):
        self.orders += 1
        if self.orders in (10, 20):
            process = self.ray.get(self.actors[worker].process.remote())
            os.kill(process, signal.SIGSTOP)  # before it can answer
            super().submit(worker, order, 1.0)
            os.kill(process, self.number)
            self.hit.append(process)
        else:
            super().submit(worker, order, seconds)


class Stop(Hit):
    number = signal.SIGSTOP


@pytest.mark.parametrize("crew", [Hit, Stop])
def test_workers_that_are_killed_or_hang(cluster, tmp_path, monkeypatch, crew):
    monkeypatch.setattr(ray_crew, "SLACK", 1.0)
    with solver_on(cluster, tmp_path / "journal", crew) as solver:
        check_all(solver, tmp_path)
        assert solver.master.work.lost == 2
        for process in solver.master.crew.hit:
            until = time.monotonic() + PATIENCE
            while Path(f"/proc/{process}").exists() and time.monotonic() < until:
                time.sleep(0.1)
            assert not Path(f"/proc/{process}").exists()


def test_a_master_that_is_killed_goes_on(cluster, tmp_path):
    journal = tmp_path / "journal"
    program = ("from types import SimpleNamespace; from test_cluster_ray import solver_on; "
               f"solver_on(SimpleNamespace(address={cluster.address!r}), {str(journal)!r}).run()")
    before = rows_of_a_killed_master(program, journal)
    with solver_on(cluster, journal) as solver:
        assert solver.trees[0].status == 0, "it was not killed in time"
        check_all(solver, tmp_path)
    assert rows_of(journal)[: len(before)] == before
