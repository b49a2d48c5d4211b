"""Jobs in processes of their own: what goes wrong in one is its result, and nobody else's."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time

import lab_files
import pytest
from command import alive, begin, descendants, until

import zermelo
from zermelo.errors import BadOption
from zermelo.jobs import work
from zermelo.jobs.hire import Hired, Orders, host
from zermelo.jobs.job import job_for
from zermelo.jobs.store import Store
from zermelo.jobs.workers import Workers
from zermelo.lab.experiment import experiment
from zermelo.lab.plan import plan_of
from zermelo.lab.plan import run as run_plan
from zermelo.search.registry import search
from zermelo.workers.crew import Finished, LocalCrew
from zermelo.workers.fork_server import ForkedChild

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="jobs are forked")
ENVIRONMENT = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
PATIENCE = 180


def test_what_a_child_sends_has_a_largest_length(monkeypatch):
    monkeypatch.setattr(work, "LARGEST", 1000)
    host = object.__new__(work.JobHost)
    with tempfile.TemporaryFile() as host.row, tempfile.TemporaryFile() as host.output:
        host.row.write(json.dumps({"status": "done", "message": "x" * 1000}).encode())
        host.output.write(b"the last words\n")
        found = host._judge(ForkedChild(1, 9.0, 0.0))
    assert found == {"status": "crash", "message": "exit status 0: the last words"}


def test_a_process_that_is_sent_what_is_no_message_ends_with_its_group():
    program = ("import socket, sys, time; from zermelo.workers.fork_server import Channel\n"
               "Channel(socket.socket(fileno=int(sys.argv[1]))); time.sleep(60)")
    ours, theirs = socket.socketpair()
    with ours, theirs:
        process = subprocess.Popen([sys.executable, "-c", program, str(theirs.fileno())],
                                   pass_fds=[theirs.fileno()], start_new_session=True)
        ours.sendall(b"[" * 100_000 + b"\n")
        assert process.wait(PATIENCE) == -signal.SIGKILL


def command(folder, source, *words, store="lab.sqlite"):
    file = folder / "my_experiment.py"
    file.write_text(source)
    return [sys.executable, "-m", "zermelo", "lab", "run", str(file), "--store",
            str(folder / store), "--json", *words]


def run(*arguments, **options):
    done = subprocess.run(command(*arguments, **options), env=ENVIRONMENT, capture_output=True,
                          text=True, timeout=PATIENCE)
    assert done.stderr == ""
    return done.returncode, json.loads(done.stdout)


def rows_of(folder, store="lab.sqlite"):
    opened = Store(folder / store)
    rows = list(opened.every())
    opened.close()
    return rows


def test_a_job_that_ends_badly_is_a_result_and_harms_no_other(tmp_path):
    status, answer = run(tmp_path, lab_files.TROUBLE, "--workers", "2")
    assert (status, answer["done"], answer["jobs"]) == (0, 8, 8)
    rows = {row["job_parameters"].get("trouble", 0): row for row in rows_of(tmp_path)}
    assert {key: row["status"] for key, row in rows.items()} == {
        0: "done", 1: "memory", 2: "timeout", 3: "crash", 4: "crash", 5: "error", 6: "done",
        7: "crash"}
    assert rows[0]["proved"]
    assert (rows[0]["value"], rows[0]["nodes"]) == (rows[6]["value"], rows[6]["nodes"])
    assert 40e6 < rows[1]["peak_rss"] < 800e6
    assert 6 <= rows[2]["wall_seconds"] < 30
    assert rows[2]["cpu_seconds"] > 0.2
    assert rows[2]["message"] == "killed after 12 s"
    assert rows[3]["message"].startswith(f"signal {signal.SIGABRT:d}")
    assert rows[4]["message"] == "exit status 7"
    assert "a bug in the rules" in rows[5]["message"]
    assert rows[7]["message"] == "the worker ended with status -9"
    assert answer["statuses"] == {"done": 2, "memory": 1, "timeout": 1, "crash": 3, "error": 1}
    status, answer = run(tmp_path, lab_files.TROUBLE)
    assert (status, answer["ran"]) == (0, 0)
    status, answer = run(tmp_path, lab_files.TROUBLE, "--retry", "--set", "wall=1")
    assert answer["ran"] == 8  # another limit is another job


@pytest.mark.long
def test_rules_that_never_end_cost_a_worker_and_not_the_run(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setattr("zermelo.jobs.hire.COMPILING", 5.0)
    file = tmp_path / "endless.py"
    file.write_text(lab_files.TROUBLE.replace("range(8)", "(9, 0)").replace("wall=12", "wall=4"))
    store = Store(tmp_path / "lab.sqlite")
    outcome = run_plan(plan_of(experiment(str(file))), store, workers=1)
    assert outcome.statuses == {"timeout": 1, "done": 1}
    assert {row["message"] for row in store.every()} == {None, "the worker was killed after 4 s"}


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere they are left")
def test_what_a_job_has_started_ends_with_it(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setenv("TROUBLE_FILE", str(tmp_path / "started"))
    file = tmp_path / "leaves.py"
    file.write_text(lab_files.TROUBLE.replace("range(8)", "(8,)"))
    store = Store(tmp_path / "lab.sqlite")
    outcome = run_plan(plan_of(experiment(str(file))), store, workers=1)
    assert outcome.statuses == {"done": 1}
    started = (tmp_path / "started").read_text().split()
    assert started
    until(lambda: not any(map(alive, started)))


@pytest.mark.parametrize("begun", [False, True])
def test_a_job_that_is_cancelled_ends_with_its_host(tmp_path, monkeypatch, begun):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    file = tmp_path / "endless.py"
    file.write_text(lab_files.TROUBLE.replace("range(8)", "(2,)"))
    job = plan_of(experiment(str(file))).cells[0].job
    others = descendants(os.getpid())  # such as a browser of other tests
    crew = LocalCrew(host(), 1)
    try:
        crew.submit(0, Orders().order(job), 60.0)
        if begun:  # with a child
            until(lambda: not crew.finished(0) and len(descendants(os.getpid()) - others) > 1)
        below = descendants(os.getpid()) - others
        crew.cancel(0)
        while not (done := crew.finished(0.1)):
            pass
        assert done == [Finished(0, None, "it ended with status 0")]
        until(lambda: not any(map(alive, below)))
        assert crew.capacity() == [1]
    finally:
        crew.close()


def test_workers_that_can_not_be_started_are_no_results(tmp_path, monkeypatch):
    file = tmp_path / "many.py"
    file.write_text(lab_files.MANY)
    store = Store(tmp_path / "lab.sqlite")
    monkeypatch.setattr(sys, "executable", "/bin/false")
    with pytest.raises(BadOption, match=r"the workers can't be started: '/bin/false -m zermelo"):
        run_plan(plan_of(experiment(str(file))), store)
    assert list(store.every()) == []
    assert store.at_work() == 0


@pytest.mark.long
@pytest.mark.parametrize("kills", [2, pytest.param(10, marks=pytest.mark.full)])
def test_a_run_that_is_killed_again_and_again_ends_with_the_same_tables(tmp_path, kills):
    status, undisturbed = run(tmp_path, lab_files.MANY, store="whole.sqlite")
    assert (status, undisturbed["done"]) == (0, undisturbed["jobs"])
    chance, seen = random.Random(4), [0]
    for kill in range(kills):
        process = subprocess.Popen(command(tmp_path, lab_files.MANY, "--workers", "2"),
                                   env=ENVIRONMENT, stdout=subprocess.DEVNULL)
        if kill % 2:  # in the middle of work
            wait_for_rows(tmp_path, seen[-1] + 1)
            time.sleep(chance.uniform(0, 0.3))
        else:  # anywhere, as a rule at the beginning
            time.sleep(chance.uniform(0, 1.5))
        assert process.poll() is None
        below = descendants(process.pid)
        process.kill()
        process.wait()
        until(lambda pids=below: not any(map(alive, pids)))  # workers end by themselves
        seen.append(len(rows_of(tmp_path)) if (tmp_path / "lab.sqlite").exists() else 0)
    assert seen == sorted(seen)  # nothing that was kept is lost
    assert kills // 2 <= seen[-1] < undisturbed["jobs"]
    status, answer = run(tmp_path, lab_files.MANY)
    assert (status, answer["jobs"], answer["tables"]) == (
        0, undisturbed["jobs"], undisturbed["tables"])
    assert answer["ran"] <= undisturbed["jobs"] - seen[-1]
    same = ("task", "status", "value", "proved", "nodes", "iterations", "root")
    assert [{name: row[name] for name in same} for row in sorted(
        rows_of(tmp_path), key=lambda row: row["task"])] == [
        {name: row[name] for name in same} for row in sorted(
            rows_of(tmp_path, "whole.sqlite"), key=lambda row: row["task"])]


@pytest.mark.long
def test_two_runs_at_once_share_the_work(tmp_path):
    both = [subprocess.Popen(command(tmp_path, lab_files.MANY, "--workers", "1",
                                     "--set", "take=12"), env=ENVIRONMENT,
                             stdout=subprocess.PIPE, text=True) for _ in range(2)]
    answers = [json.loads(process.communicate(timeout=PATIENCE)[0]) for process in both]
    assert [process.returncode for process in both] == [0, 0]
    assert answers[0]["tables"] == answers[1]["tables"]
    assert answers[0]["done"] == answers[0]["jobs"] == sum(answer["ran"] for answer in answers)
    assert all(answer["ran"] > 0 for answer in answers)


@pytest.mark.long
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_what_there_is_and_ends_all_processes(tmp_path, number):
    some = ("--set", "take=15")  # long enough not to be over
    words = command(tmp_path, lab_files.MANY, "--workers", "1", *some)
    process = begin(words, env=ENVIRONMENT, stdout=subprocess.PIPE, text=True)
    wait_for_rows(tmp_path, 1)
    hosts = descendants(process.pid)
    assert hosts
    process.send_signal(number)
    answer = json.loads(process.communicate(timeout=PATIENCE)[0])
    assert process.returncode == 10
    assert answer["interrupted"]
    assert 0 < answer["done"] == len(rows_of(tmp_path)) < answer["jobs"]
    assert not any(alive(host) for host in hosts)
    status, again = run(tmp_path, lab_files.MANY, *some)
    assert (status, again["done"]) == (0, again["jobs"])


def wait_for_rows(folder, count):
    until(lambda: (folder / "lab.sqlite").exists() and len(rows_of(folder)) >= count, PATIENCE)


class Sleeper:
    """A crew of two whose first answer comes late; by then another run has done all of it."""

    def __init__(self, meanwhile):
        self.meanwhile, self.busy, self.looks = meanwhile, {}, 0

    def capacity(self):
        return [number for number in (0, 1) if number not in self.busy]

    def submit(self, worker, order, seconds):
        self.busy[worker] = order

    def finished(self, seconds):
        self.looks += 1
        if self.looks == 2:
            self.meanwhile()
        if self.looks < 4:
            return []
        done, self.busy = self.busy, {}
        return [Finished(worker, json.dumps(ROW).encode()) for worker in done]


ROW = {"status": "done", "value": "win", "proved": True, "wall_seconds": 1.0}


def test_what_another_run_did_meanwhile_may_still_come(tmp_path):
    position = zermelo.game("connect-four").parse("44444")
    first, second, later = (
        job_for(position, search("df-pn"), seed=seed, goal="win", plain=False, nodes=100,
                time=None, memory=10**7, wall=5.0, trace=None) for seed in range(3))
    ours, other = Store(tmp_path / "store"), Store(tmp_path / "store")
    crew = Sleeper(lambda: [other.write(job, ROW) for job in (first, second)])
    other.claim(second.digest)
    hired = Hired(crew, Orders(), "processes", 2)
    workers = Workers(ours, hired, None)
    workers.run("jobs", {job.digest: job for job in (first, second)})
    assert crew.busy  # the first one is still being worked on here
    workers.run("judged", {later.digest: later})
    assert len(ours.rows([job.digest for job in (first, second, later)])) == 3
