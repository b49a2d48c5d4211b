"""The lab on a cluster, without Ray: a stand-in for it hands out jobs, which run as on a node."""

import json
import shutil
import sqlite3
import sys
from dataclasses import replace
from functools import partial
from itertools import count
from pathlib import Path

import pytest
from command import call, loads
from lab_files import lab, ran, results_of
from small_ray import MACHINE, RayTaskError, SmallRay

import zermelo
from zermelo.errors import BadOption
from zermelo.jobs import hire as node
from zermelo.jobs.hire import FarOrders, Orders, as_asked, hire
from zermelo.jobs.job import Job, Unpacked, files_of, job_for, play_job
from zermelo.jobs.store import Store
from zermelo.lab.experiment import experiment
from zermelo.lab.plan import plan_of, run
from zermelo.workers.crew import Finished
from zermelo.workers.ray_crew import the_worker

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="jobs are forked")
ADDRESS = "far:6379"
ROW = {"status": "done", "proved": True, "concluded": True, "value": "win", "nodes": 7}


@pytest.fixture
def files(files):
    yield files
    the_worker(node.ClusterNode).crew.close()
    the_worker.cache_clear()


@pytest.fixture
def ray(monkeypatch):
    made = SmallRay(monkeypatch=monkeypatch)
    monkeypatch.setattr("zermelo.workers.ray_crew.load_ray", lambda: made)
    return made


def on_cluster(*words):
    return call("lab", "run", "small_trees.py", "--cluster", ADDRESS, "--json", *words)


def pretended(monkeypatch):  # rows that nobody has to wait for
    monkeypatch.setattr(node, "row_of", lambda crew, job: dict(ROW))


def test_a_lost_nodes_jobs_run_again_and_count_once(files, ray):
    ray.lost = {1, 4}  # with their node
    words = ("--set", "take=4", "--only", "PN")
    done = on_cluster(*words)
    assert done.status == 0, done.err
    answer = loads(done.out)
    assert answer["ran"] == answer["done"] == answer["jobs"]
    assert len(ray.calls) == answer["jobs"] + 2
    assert answer["notes"] == ["2 jobs lost with a process or a node of the cluster, and sent "
                               "again"]
    assert not ray.up
    order = json.loads(ray.calls[0][1][1])
    assert order["sender"].startswith(f"{zermelo.__version__} (")  # whose code it was sent by
    assert (ray.options["address"], ray.reserved["num_cpus"]) == (ADDRESS, 1)
    assert ray.reserved["memory"] == 20_000_000 + (384 << 20)
    store = Store("lab.sqlite")
    rows = list(store.every())
    assert {row["machine"]["cpu"] for row in rows} == {"first", "second"}
    assert len({row["digest"] for row in rows}) == len(rows)
    assert all(row["cpu_seconds"] > 0 for row in rows)
    assert ran("small_trees.py", *words)["ran"] == 0  # the same jobs as at home
    before = {row["task"]: (row["value"], row["nodes"]) for row in rows}
    store.forget([row["digest"] for row in rows])
    store.close()
    ran("small_trees.py", *words)
    at_home = list(Store("lab.sqlite").every())
    assert {row["task"]: (row["value"], row["nodes"]) for row in at_home} == before
    assert {row["machine"]["cpu"] for row in at_home} == {MACHINE["cpu"]}


def test_times_of_several_processors_are_told_apart(files, ray, monkeypatch):
    monkeypatch.setattr(node, "row_of", lambda crew, job: {**ROW, "seconds": (
        {"first": 2.0, "second": 5.0}[node.environment()["cpu"]] + 10 * (job.search == "ppn"))})
    source = (files / "small_trees.py").read_text()
    for old, new in (('"mean nodes", "mean', '"mean seconds", "mean nodes", "mean'),
                     ('x="nodes")', 'x="seconds")'),
                     ('judge=Judge(memory="20MB", nodes=20_000)', "judge=None")):
        assert old in source
        source = source.replace(old, new)
    (files / "timed.py").write_text(source)
    answer = loads(call("lab", "run", "timed.py", "--cluster", ADDRESS, "--json").out)
    table = answer["tables"][0]
    at = table["columns"].index("mean time (s)")
    assert [row[at] for row in table["rows"]] == ["A 2, B 5", "A 12.0, B 15.0"]
    assert "Times are told apart by processor: A is first; B is second." in table["note"]
    assert table["rows"][0][table["columns"].index("mean nodes")] == "7"
    results, _ = results_of("timed.py")
    assert results.number("mean seconds", "PN") is None
    assert results.on("first").number("mean seconds", "PN") == 2
    assert results.on("first").number("mean seconds vs PN", "PPN") == 600
    lab("report", "timed.py", "--out", "r")
    text = (files / "r" / "report.md").read_text()
    assert "| 9 | first |" in text
    assert "| 9 | second |" in text
    assert {path.name for path in (files / "r").glob("cactus*.svg")} == {
        "cactus-1.svg", "cactus-2.svg"}
    lab("export", "timed.py", "--out", "e")
    assert (files / "e" / "jobs.csv").read_text().splitlines()[0].endswith(",played,processor")
    for file in ("e/jobs.csv", "lab.sqlite"):
        both = loads(call("lab", "compare", file, "lab.sqlite", "--json").out)
        assert both["speed"] is None
        assert {(one["a"], one["b"], one["ratio"]) for one in both["speeds"]} == {
            ("first", "first", 1.0), ("second", "second", 1.0)}
    assert "A takes 1.00 x the time of B on first (geometric mean of 9 jobs)" in call(
        "lab", "compare", "e/jobs.csv", "lab.sqlite").out


def test_one_processor_has_one_number(files, ray, monkeypatch):
    pretended(monkeypatch)
    ray.names = ["first"]
    lab("run", "traced_trees.py", "--cluster", ADDRESS, "--only", "UCT")
    results, store = results_of("traced_trees.py", only=["UCT"])
    assert results.processors == ["first"]
    assert results.number("sum nodes", "UCT") == 7 * 12
    store.db.execute("alter table jobs drop column machine")  # as earlier versions made it
    store.close()
    results, store = results_of("traced_trees.py", only=["UCT"])
    assert results.processors == [MACHINE["cpu"]]  # where the run was
    store.db.execute("delete from runs")
    results, store = results_of("traced_trees.py", only=["UCT"])
    assert results.processors == ["unknown"]


def test_ctrl_c_ends_what_is_running_and_the_rest_runs_later(files, ray, monkeypatch):
    pretended(monkeypatch)
    store = Store("lab.sqlite")

    def interrupt(progress):
        if progress.done == 3:
            raise KeyboardInterrupt

    plan = plan_of(experiment("small_trees.py"))
    outcome = run(plan, store, cluster=ADDRESS, progress=interrupt)
    assert outcome.interrupted
    assert outcome.done == outcome.ran == 3
    assert ray.cancelled
    assert store.at_work() == 0
    assert not ray.up
    outcome = run(plan, store, cluster=ADDRESS)
    assert (outcome.done, outcome.ran) == (outcome.total, outcome.total - 3)


def test_a_cluster_that_has_fewer_places_and_then_none(files, ray, monkeypatch):
    monkeypatch.setattr("zermelo.workers.ray_crew.LOOK_SECONDS", -1.0)
    monkeypatch.setattr("zermelo.workers.ray_crew.NOBODY_SECONDS", -1.0)
    crew = hire(1 << 30, None, cluster=ADDRESS).crew
    ray.names.clear()
    with pytest.raises(BadOption, match=r"has had no place for a job for 0 s; finished results"):
        crew.finished(0)
    ray.names[:] = ["first", "second"]
    hired = hire(1 << 30, 5, cluster=ADDRESS)
    assert (hired.name, hired.count) == ("ray", 2)
    assert hired.notes == ["2 workers instead of 5: the cluster has no more places now"]


def test_a_job_that_is_lost_again_and_again_is_a_crash(files, ray, monkeypatch):
    pretended(monkeypatch)
    ray.names, ray.lost = ["first"], {0, 1, 2}
    answer = loads(on_cluster("--set", "take=1", "--only", "PN").out)
    assert answer["statuses"]["crash"] == 1
    assert next(row["message"] for row in Store("lab.sqlite").every() if row["message"]) == \
        "lost 3 times with its process or node: the node died"


@pytest.mark.parametrize(("trouble", "sentence"), [
    (lambda ray, patch: setattr(ray, "memory", 1 << 20),
     "no node of the cluster at 'far:6379' has a processor and 0.4 GB of memory"),
    (lambda ray, patch: setattr(ray, "error", RayTaskError(ModuleNotFoundError("No 'zermelo'"))),
     "a node of the cluster can't run jobs: ModuleNotFoundError: No 'zermelo'; the same version"),
    (lambda ray, patch: patch.setattr(node, "package_digest", partial(next, map(str, count()))),
     "a node of the cluster has other code than this machine: Zermelo "),
    (lambda ray, patch: patch.setattr(sys, "executable", "/bin/false"),
     "a node of the cluster can't run jobs: the workers can't be started: '/bin/false"),
])
def test_what_a_cluster_refuses(files, ray, monkeypatch, trouble, sentence):
    trouble(ray, monkeypatch)
    done = on_cluster()
    assert done.status == 2
    assert sentence in done.err
    assert not ray.up
    assert Store("lab.sqlite").at_work() == 0


def test_no_cluster_without_processes(files):
    done = on_cluster("--backend", "in-process")
    assert done.status == 2
    assert "backend 'in-process' does not go with the cluster 'far:6379'" in done.err


GAME = '''
from beside import HIGHEST
from zermelo import PN, Game, Rules


class Other(PN):
    """A search of somebody's own."""

    id = "other"


class Count(Game):
    name = "count"

    def define(self):
        def moves(g, s, out):
            out[0] = 1
            out[1] = 2
            return 2

        def play(g, s, move, t):
            t.n = s.n + move

        def mover(g, s):
            return s.n & 1

        def outcome(g, s):
            return 0 if s.n < HIGHEST else 1 + (s.n & 1)

        def key(g, s):
            return s.n

        return Rules(state=[("n", "u8")], max_moves=2, max_length=HIGHEST, moves=moves, play=play,
                     mover=mover, outcome=outcome, key=key)
'''


def test_files_of_ones_own_travel_with_a_job(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    there = tmp_path / "there"
    there.mkdir()
    (there / "my_count.py").write_text(GAME)
    (there / "beside.py").write_text("import my_count_further\nHIGHEST = 5\n")
    (there / "my_count_further.py").write_text("")
    table = there / "table.json"
    table.write_text("{}")
    start = zermelo.game(f"{there / 'my_count.py'}:Count").start()
    limits = {"seed": 0, "goal": "value", "plain": True, "nodes": 100, "time": None,
              "memory": 20 << 20, "wall": 60.0, "trace": None}
    search = zermelo.PN()
    plain = job_for(start, search, **limits)
    job = replace(plain, options={**plain.options, "probabilities": str(table)})
    sent = files_of(job)
    assert {Path(path).name for path in sent} == {
        "my_count.py", "beside.py", "my_count_further.py", "table.json"}
    assert files_of(replace(plain, game="hex")) == {}
    unpacked = Unpacked()
    assert unpacked.localise(job, sent) == job  # this machine has them
    moved = tmp_path / "moved"
    shutil.move(there, moved)
    here = unpacked.localise(Job.from_json(job.to_json()), sent)
    assert here.game != job.game
    assert here.game.endswith("my_count.py:Count")
    assert here.digest != job.digest  # of an option; the row is that of the job as it was sent
    assert Path(here.options["probabilities"]).read_text() == "{}"
    again = unpacked.localise(job, sent)
    assert again == here
    copy = unpacked.localise(plain, {path: text for path, text in sent.items()
                                     if path.endswith(".py")})
    assert copy.digest == plain.digest
    assert len(copy.make()[0].moves()) == 2
    with pytest.raises(BadOption, match=r"can't send the file '.*gone\.py' to the cluster: No suc"):
        files_of(replace(plain, game=str(there / "gone.py") + ":Count"))


def test_a_game_is_named_as_the_job_names_it(tmp_path):
    start = zermelo.game("tic-tac-toe").start()
    job = play_job(start, zermelo.PN(), zermelo.PN(), 0, plain=True, seed=0, nodes=9, time=None,
                   memory=20 << 20, wall=60.0)
    there = {**ROW, "played": {"moves": [], "against": {"search": "/tmp/x.py:S", "options": {}}}}
    row = as_asked(job, there)
    assert row["played"]["against"] == {"search": "pn", "options": zermelo.PN().all_options}
    assert as_asked(job, ROW) == ROW


@pytest.mark.parametrize(("answer", "sentence"), [
    (b"{" * 100_000, "that can't be read"), (b"[1]", "not an object"),
    (b'{"value": "win"}', "a row without a status")])
def test_an_answer_that_is_no_row_is_a_crash(answer, sentence):
    job = job_for(zermelo.game("tic-tac-toe").start(), zermelo.PN(), seed=0, goal="win",
                  nodes=9, time=None, memory=20 << 20, plain=True, trace=None, wall=60.0)
    here, far = Orders(), FarOrders()
    row = here.row(job, Finished(0, answer))
    assert row["status"] == "crash"
    assert sentence in row["message"]
    assert here.row(job, Finished(0, json.dumps(ROW).encode())) == ROW
    far_answer = answer if b"value" not in answer else b'{"row": %s}' % answer
    rows = [far.row(job, Finished(0, far_answer)) for _ in range(3)]
    assert rows[:2] == [None, None]  # it is sent again
    assert sentence in rows[2]["message"]


def test_an_older_store_gets_its_new_columns(tmp_path):
    path = tmp_path / "s"
    Store(path).close()
    with sqlite3.connect(path) as db:
        db.execute("alter table jobs drop column machine")
        db.execute("alter table runs drop column settings")
    store = Store(path)
    assert store.raw("jobs")[0][-1] == "machine"
    assert store.raw("runs")[0][-1] == "settings"
