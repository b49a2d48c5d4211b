"""Workers on a Ray cluster: a head and two nodes on this machine, one of which is killed."""

import pytest
from cases import cases
from crews import SMALL, paid_twice, rows_of

from zermelo.cluster.budgets import Budgets
from zermelo.cluster.ray_crew import RayCrew
from zermelo.cluster.session import Distributed

pytestmark = pytest.mark.full
VALUES = {1: "win", 0: "draw", -1: "loss"}


@pytest.fixture
def cluster(monkeypatch):
    ray = pytest.importorskip(  # here: it takes a second, which other tests would wait for
        "ray", reason="Ray is not installed: pip install 'zermelo[cluster]'")
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    made = Cluster(initialize_head=True, head_node_args={
        "num_cpus": 0, "include_dashboard": False, "object_store_memory": 100 << 20})
    yield made
    ray.shutdown()
    made.shutdown()


def test_a_node_that_is_killed_costs_its_jobs_only(cluster, tmp_path):
    nodes = [cluster.add_node(num_cpus=1, object_store_memory=100 << 20) for _ in range(2)]
    position, state, brute = cases("hex 3x3")[26]
    journal = tmp_path / "journal"

    class Fragile(RayCrew):
        orders = 0

        def submit(self, worker, order, seconds):
            super().submit(worker, order, seconds)
            self.orders += 1
            if self.orders == 20:
                cluster.remove_node(nodes[0], allow_graceful=False)

    # For the third there is never a place, and for the second none when its node is gone.
    with Distributed(position, "df-pn", workers=3, plain=True, memory="12MB", journal=journal,
                     budgets=Budgets(3, most=64, **SMALL),
                     crew=lambda setup, workers: Fragile(setup, workers, cluster.address),
                     ) as solver:
        result = solver.run()
        assert str(result.value) == VALUES[brute.value(state)]
        assert solver._crew.orders > 20
        assert solver.write_proof(tmp_path / "value.proof").report.verified
    assert paid_twice(rows_of(journal)) == 0
