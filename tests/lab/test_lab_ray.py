"""The lab on a real Ray cluster: a head and two nodes on this machine, one of which is killed."""

import json
import os
import signal
import subprocess
import sys
import time

import lab_files
import pytest
from command import alive, descendants, until
from test_lab_jobs import rows_of, wait_for_rows

from zermelo.jobs.job import Job
from zermelo.jobs.store import Store
from zermelo.lab.experiment import experiment
from zermelo.lab.plan import plan_of, run
from zermelo.workers import ray_crew

pytestmark = pytest.mark.full
SAME = ("task", "status", "value", "proved", "nodes", "iterations", "root")


@pytest.fixture
def cluster(monkeypatch):
    ray = pytest.importorskip(  # here: it takes a second, which other tests would wait for
        "ray", reason="Ray is not installed: pip install 'zermelo[cluster]'")
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_USAGE_STATS_ENABLED", "0")
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # for the nodes too, which begin below
    made = Cluster(initialize_head=True, head_node_args={
        "num_cpus": 0, "include_dashboard": False, "object_store_memory": 100 << 20})
    yield made
    ray.shutdown()
    made.shutdown()


def counted(rows):
    return sorted([row[name] for name in SAME] for row in rows)


def test_a_node_is_killed_and_every_job_has_one_row(cluster, tmp_path, monkeypatch):
    nodes = [cluster.add_node(num_cpus=1, object_store_memory=100 << 20) for _ in range(2)]
    file = tmp_path / "trouble.py"
    file.write_text(lab_files.TROUBLE.replace("range(8)", "(2, 0)").replace(
        "wall=12", "wall=6, seeds=4"))  # four jobs of 6 s and four short ones
    crews = []

    class Fragile(ray_crew.RayTasks):
        """A node is killed while both are in the middle of a long job, for the second time."""

        def __init__(self, *arguments):
            super().__init__(*arguments)
            crews.append(self)
            self.begun, self.jobs = [], {}

        def submit(self, worker, order, seconds):
            super().submit(worker, order, seconds)
            self.jobs[worker] = Job.from_json(json.loads(order)["job"])
            self.begun.append(self.jobs[worker].parameters.get("trouble", 0))
            self.last = time.monotonic()

        def finished(self, seconds):
            long = [self.jobs[worker].parameters for worker in self.flying.values()]
            if (len(nodes) == 2 and self.begun.count(2) > 2 and time.monotonic() > self.last + 2
                    and long == [{"trouble": 2}] * 2):
                cluster.remove_node(nodes.pop(), allow_graceful=False)
            return super().finished(seconds)

    monkeypatch.setattr("zermelo.jobs.hire.RayTasks", Fragile)
    monkeypatch.setattr(ray_crew, "LOOK_SECONDS", 0.5)
    monkeypatch.setattr(ray_crew, "NOBODY_SECONDS", 60.0)
    store = Store(tmp_path / "lab.sqlite")
    outcome = run(plan_of(experiment(str(file))), store, cluster=cluster.address)
    assert len(nodes) == 1
    assert outcome.done == outcome.ran == outcome.total == 8
    assert outcome.statuses == {"timeout": 4, "done": 4}
    assert crews[0].made == 3  # one was lost, and replaced
    assert outcome.notes == ["1 job lost with a process or a node of the cluster, and sent again"]
    assert all(row["machine"]["cpu"] and row["cpu_seconds"] > 0 for row in store.every())


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_the_command_can_be_interrupted_and_goes_on(cluster, tmp_path, number):
    cluster.add_node(num_cpus=1, object_store_memory=100 << 20)
    file = tmp_path / "many.py"
    file.write_text(lab_files.MANY)
    words = [sys.executable, "-m", "zermelo", "lab", "run", str(file), "--store",
             str(tmp_path / "lab.sqlite"), "--cluster", cluster.address, "--quiet"]
    others = descendants(os.getpid())
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    wait_for_rows(tmp_path, 3)
    begun = descendants(os.getpid()) - others
    process.send_signal(number)
    process.communicate(timeout=120)
    assert process.returncode == 10
    kept = len(rows_of(tmp_path))
    until(lambda: not any(map(alive, begun)), 180)  # hosts on the node end too
    done = subprocess.run(words, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    rows = rows_of(tmp_path)
    assert 3 <= kept < len(rows)
    assert f"{len(rows)} jobs done, {len(rows) - kept} of them now" in done.stdout
    if number == signal.SIGINT:
        run(plan_of(experiment(str(file))), at_home := Store(tmp_path / "home.sqlite"), workers=1)
        assert counted(rows) == counted(at_home.every())


def test_limits_hold_on_every_node(cluster, tmp_path):
    cluster.add_node(num_cpus=2, object_store_memory=100 << 20)
    file = tmp_path / "trouble.py"
    file.write_text(lab_files.TROUBLE.replace("wall=12", "wall=6"))
    store = Store(tmp_path / "lab.sqlite")
    outcome = run(plan_of(experiment(str(file))), store, cluster=cluster.address)
    assert outcome.statuses == {"done": 2, "memory": 1, "timeout": 1, "crash": 3, "error": 1}
    rows = {row["job_parameters"].get("trouble", 0): row for row in store.every()}
    assert rows[2]["message"] == "killed after 6 s"
    assert rows[4]["message"] == "exit status 7"
