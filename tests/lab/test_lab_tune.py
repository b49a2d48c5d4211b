"""Whole tunings: what is chosen, reported, kept and refused."""

import math
import os
import random
import signal
import subprocess
import sys
import time
import types

import lab_files
import pytest
from command import begin, call, loads
from tuning import SMALL, TREES, Objective, fake_optuna, pretend

import zermelo
from zermelo.jobs.store import Store
from zermelo.jobs.work import perform
from zermelo.lab import each
from zermelo.lab.experiment import texts
from zermelo.lab.tune import Tuning, strategies
from zermelo.lab.tune.score import Scorer
from zermelo.lab.tune.strategies import Axis


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.setenv("ZERMELO_LAB", str(tmp_path / "lab.sqlite"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("ZERMELO_DATA", raising=False)
    return tmp_path


def tuned(*words, status=0):
    done = call("lab", "tune", *words, "--backend", "in-process", "--json")
    assert (done.status, done.err) == (status, ""), done.err
    return loads(done.out)


def rows_of(store="lab.sqlite"):
    opened = Store(store)
    rows = list(opened.every())
    opened.close()
    return rows


@pytest.fixture
def counted(monkeypatch):
    """All jobs that are performed, in order; ``stop``: where the process is lost; ``work``: what
    they do."""
    state = types.SimpleNamespace(jobs=[], stop=None, work=pretend)

    def counting(job):
        if len(state.jobs) == state.stop:
            raise Killed
        state.jobs.append(job)
        return state.work(job)

    monkeypatch.setattr("zermelo.jobs.orders.perform", counting)
    return state


class Killed(BaseException):
    """As sudden as it gets within one process."""


def test_a_climb_is_the_same_as_on_the_table_of_a_sweep(counted):
    swept = tuned(*SMALL, "--strategy", "sweep")
    table = {(one["options"]["E"], one["options"]["D"]): one["par2"] for one in swept["points"]}
    assert len(table) == 30
    assert swept["cost"] == {"nodes": swept["cost"]["nodes"], "jobs": 180, "points": 30}
    axes = [Axis("E", tuple(range(1, 6))), Axis("D", tuple(range(1, 7)))]
    objective = Objective(lambda e, d: table[e, d])
    strategies.climb(axes, (2, 2), objective)
    climbed = tuned(*SMALL, "--strategy", "climb", "--store", "other.sqlite")
    tried = {(one["options"]["E"], one["options"]["D"]): one for one in climbed["points"]}
    assert set(tried) == set(objective.asked)
    assert tuple(climbed["best"]["options"].values()) == objective.best
    given_up = [point for point, one in tried.items() if one["par2"] is None]
    assert given_up
    for point, one in tried.items():
        if one["par2"] is not None:
            assert one["par2"] == table[point]
        else:
            assert table[point] * 6 > one["above"]
    best = min(swept["points"], key=lambda one: one["par2"])
    assert (swept["best"]["options"], swept["best"]["training"]["par2"]) == (
        best["options"], best["par2"])
    assert climbed["cost"]["nodes"] < swept["cost"]["nodes"]
    assert climbed["statuses"] == {"done": len(rows_of("other.sqlite"))}


def test_of_equals_the_default_is_kept_or_the_first(counted):
    counted.work = lambda job: {**pretend(job), "nodes": 7, "proved": True, "stopped": "solved"}
    assert tuned(*SMALL, "--strategy", "sweep")["best"]["options"] == {"E": 2, "D": 2}
    others = [word.replace("E=1..5", "E=3..5") for word in SMALL]
    assert tuned(*others, "--strategy", "sweep")["best"]["options"] == {"E": 3, "D": 1}


class FakeCrew:
    """Runs jobs at once, and keeps their number."""

    def __init__(self, store):
        self.store, self.ran = store, 0

    def run(self, what, jobs):
        known = self.store.rows(jobs)
        for digest, job in jobs.items():
            if digest not in known:
                self.store.write(job, pretend(job))
                self.ran += 1


def scorer_on(positions, nodes=200):
    trees = each("p-game", "seed", range(positions))
    tuning = Tuning(zermelo.DeepDFPN(), ["E=1..9", "D=1..9"], trees, nodes=nodes, memory="20MB")
    store = Store("lab.sqlite")
    return Scorer(tuning.search, tuning.axes, tuning.halves[0], tuning.solved, store,
                  FakeCrew(store))


def test_a_point_above_the_limit_is_given_up_early():
    scorer = scorer_on(60)
    good, bad = scorer([(4, 4)])[0], (9, 9)
    assert scorer.pool.ran == 30
    assert scorer([bad], good) == [math.inf]
    assert scorer.pool.ran < 60  # two, four, eight: no more than it takes
    ran = scorer.pool.ran
    assert scorer([bad], good - 1) == [math.inf]  # known from before
    assert scorer.pool.ran == ran
    higher = scorer([bad], 100 * good)[0]
    assert good < higher < math.inf
    assert (scorer.pool.ran, sum(scorer.statuses.values()), len(scorer.spent)) == (60, 60, 60)
    assert scorer.trials[bad].to_dict() == {"options": {"E": 9, "D": 9}, "par2": higher / 30,
                                            "solved": scorer.trials[bad].score.solved, "jobs": 30,
                                            "above": None}


def test_no_job_gets_more_nodes_than_the_limit():
    scorer = scorer_on(2, nodes=500)  # one to train on, as in the thesis
    (value,) = scorer([(4, 4)])
    assert value < 250
    assert scorer([(9, 4)], value) == [math.inf]
    assert {row["job_nodes"] for row in scorer.store.every()} == {500, value}
    assert scorer.spent[[*scorer.spent][-1]] == value
    assert scorer([(5, 4)], value + 40) == scorer([(5, 4)])  # solved below it: the true cost


def test_scores_are_par2_of_proofs():
    answer = tuned("deep-df-pn", "--vary", "E=1..2", *TREES, "--take", "6", "--nodes", "50",
                   "--memory", "20MB", "-g", "depth=6")
    counts = {"training": [], "held_out": []}
    for half, ids in answer["split"].items():
        for id in ids:
            game = zermelo.game("p-game", branching=2, depth=6, seed=int(id))
            result = zermelo.solve(game.start(), zermelo.DeepDFPN(2, 2), goal="win", plain=True,
                                   nodes=50)
            counts[half].append(result.nodes if result.proved else 100)
    assert 100 in counts["training"] + counts["held_out"]
    for half, costs in counts.items():
        assert len(costs) == 3
        assert answer["default"][half] == {
            "par2": sum(costs) / 3, "solved": sum(cost != 100 for cost in costs), "jobs": 3}
    assert answer["default"]["options"] == {"E": 2}


def test_a_conclusion_is_not_solved_unless_one_asks():
    words = ["ppn:playouts=2", "--vary", "pr=0.4,none", *TREES, "--strategy", "sweep", "--nodes",
             "100", "--memory", "20MB", "--take", "6", "--seeds", "2", "-g", "depth=5"]
    proofs, conclusions = tuned(*words), tuned(*words, "--concluded")
    assert (proofs["ran"], conclusions["ran"]) == (18, 6)  # 6 for what is the best now
    assert proofs["points"][1] == conclusions["points"][1]  # without a precision they are one
    sloppy, taken = proofs["points"][0], conclusions["points"][0]
    assert sloppy["jobs"] == 6  # three positions, two seeds
    assert sloppy["solved"] < taken["solved"]
    assert sloppy["par2"] > taken["par2"]
    assert proofs["best"]["options"] == {"pr": None}
    assert conclusions["best"]["options"] == {"pr": 0.4}  # which is why one must ask for it


def test_the_held_out_half_never_tells(counted):
    honest = tuned(*SMALL)
    assert honest["ran"] == len(counted.jobs)
    choice = [counted.jobs.index(job) for job in counted.jobs if seed_of(job) in held_out(honest)]
    assert min(choice) >= honest["cost"]["jobs"]  # only when the choice is made

    def upset(job):
        if seed_of(job) in held_out(honest):
            return {**pretend(job), "nodes": 1 + 10 * job.options["E"], "proved": True,
                    "stopped": "solved"}
        return pretend(job)

    counted.work = upset
    other = tuned(*SMALL, "--store", "other.sqlite")
    same = ("split", "points", "cost")
    assert {name: other[name] for name in same} == {name: honest[name] for name in same}
    for name in ("best", "default"):
        assert other[name]["options"] == honest[name]["options"]
        assert other[name]["training"] == honest[name]["training"]
        assert other[name]["held_out"] != honest[name]["held_out"]


def seed_of(job):
    return str(job.parameters.get("seed", 0))


def held_out(answer):
    return answer["split"]["held_out"]


def test_halves_are_drawn_by_the_seed_and_do_not_overlap(counted):
    words = [*SMALL, "--strategy", "sweep", "--vary", "epsilon=0,1", "--take", "7", "--nodes", "9"]
    splits = [tuned(*words, "--seed", str(seed), status=10)["split"] for seed in (0, 0, 1, 2)]
    assert splits[0] == splits[1]
    assert len({str(split) for split in splits}) == 3
    for split in splits:
        assert (len(split["training"]), len(split["held_out"])) == (4, 3)
        assert sorted(split["training"] + split["held_out"]) == list("0123456")


def test_a_position_that_comes_twice_is_in_one_half(folder, counted):
    counted.work = perform
    (folder / "some.txt").write_text("# corners\na1 b2 c3\na1 b2 c3\na1 b1\n\nc3 b2 a1\nb2 a1\n")
    answer = tuned("pn", "--vary", "tie=left,deepest", "--game", "tic-tac-toe", "--file",
                   "some.txt", "--strategy", "sweep", "--nodes", "30", "--memory", "20MB",
                   status=10)
    assert sorted(answer["split"]["training"] + held_out(answer)) == ["0", "2", "4"]
    assert len({job.position for job in counted.jobs}) == 3


@pytest.mark.parametrize("strategy", ["climb", "sweep"])
def test_a_tuning_that_is_killed_goes_on_and_runs_no_job_twice(counted, strategy):
    whole = tuned(*SMALL, "--strategy", strategy, "--store", "whole.sqlite")
    undisturbed = [job.digest for job in counted.jobs]
    counted.jobs.clear()
    chance = random.Random(5)
    while len(undisturbed) - len(counted.jobs) > 30:
        counted.stop = len(counted.jobs) + chance.randrange(1, 30)
        with pytest.raises(Killed):
            call("lab", "tune", *SMALL, "--strategy", strategy, "--backend", "in-process")
    counted.stop = None
    answer = tuned(*SMALL, "--strategy", strategy)
    assert [job.digest for job in counted.jobs] == undisturbed
    assert 0 < answer["ran"] < 30
    assert same_answer(answer) == same_answer(whole)
    assert tuned(*SMALL, "--strategy", strategy)["ran"] == 0


def same_answer(answer):
    return {name: value for name, value in answer.items() if name not in ("ran", "seconds")}


@pytest.mark.long
@pytest.mark.skipif(sys.platform == "win32", reason="jobs are forked")
def test_sigkill_and_ctrl_c_keep_what_there_is(folder):
    small = [*SMALL, "--take", "6", "-g", "depth=4"]
    words = [sys.executable, "-m", "zermelo", "lab", "tune", *small, "--json", "--workers", "2"]
    for number, status in ((signal.SIGKILL, -9), (signal.SIGINT, 10)):
        before = len(rows_of()) if (folder / "lab.sqlite").exists() else 0
        process = begin(words, stdout=subprocess.PIPE, env=os.environ, text=True)
        until = time.monotonic() + 60
        while not (folder / "lab.sqlite").exists() or len(rows_of()) < before + 5:
            assert time.monotonic() < until
            time.sleep(0.02)
        process.send_signal(number)
        out = process.communicate(timeout=60)[0]
        assert process.returncode == status
    partial = loads(out)
    assert partial["interrupted"]
    assert partial["best"]["held_out"] is None
    kept = len(rows_of())
    answer = tuned(*small)
    assert answer["ran"] == len(rows_of()) - kept
    assert same_answer(answer) == same_answer(tuned(*small, "--store", "whole.sqlite"))


def test_an_interrupt_reports_the_points_that_are_complete(counted):
    def interrupting(job):
        if len(counted.jobs) == 40:
            return {"status": "done", "stopped": "interrupted"}
        return pretend(job)

    counted.work = interrupting
    answer = tuned(*SMALL, "--strategy", "sweep", status=10)
    assert answer["interrupted"]
    complete = [one for one in answer["points"] if one["par2"] is not None]
    assert len(complete) == 6  # of 39 jobs, six a point
    assert answer["best"]["training"]["par2"] == min(one["par2"] for one in complete)
    assert answer["best"]["held_out"] is answer["default"]["held_out"] is None
    shown = call("lab", "tune", *SMALL, "--strategy", "sweep", "--backend", "in-process")
    assert shown.status == 0


def test_what_people_read(counted):
    done = call("lab", "tune", *SMALL, "--backend", "in-process")
    lines = done.out.splitlines()
    assert lines[0] == ("deep-df-pn: E=1..5, D=1..6 by climb; 200 nodes per job, twice as many if "
                        "unsolved (PAR-2)")
    assert lines[1].startswith("training: 6 positions, by seed 0: ")
    assert lines[2].startswith("held out: 6 positions, by seed 0: ")
    assert lines[6].startswith("best on training  E=")
    assert lines[7].startswith("default           E=2 D=2 ")
    assert lines[9].startswith("held out, the best takes ")
    assert lines[10].startswith("the tuning itself took ")
    assert "given up at a limit" in lines[10]
    assert f"{len(counted.jobs)} jobs run now, in 0:0" in lines[11]
    counted.stop = 0
    nothing = call("lab", "tune", *SMALL, "--backend", "in-process")
    assert (nothing.status, nothing.out.splitlines()[:11]) == (0, lines[:11])
    assert "deep-df-pn" not in call("lab", "status").out  # a tuning is no experiment


def test_nothing_solved_is_no_choice(counted):
    words = [*SMALL, "--nodes", "5", "--strategy", "sweep"]
    assert tuned(*words, status=10)["best"]["training"]["solved"] == 0
    shown = call("lab", "tune", *words, "--backend", "in-process")
    assert (shown.status, "nothing was solved" in shown.out) == (10, True)


def test_jobs_that_end_badly_count_as_unsolved_and_are_told(counted):
    counted.work = lambda job: (
        {"status": "crash", "message": "x"} if job.options["E"] == 3 else pretend(job))
    answer = tuned(*SMALL, "--strategy", "sweep")
    bad = [one for one in answer["points"] if one["options"]["E"] == 3]
    assert [(one["par2"], one["solved"]) for one in bad] == [(400, 0)] * 6
    assert answer["statuses"]["crash"] == 36
    assert answer["notes"] == ["36 jobs failed and count as unsolved: 36 crash"]
    counted.work = pretend
    again = tuned(*SMALL, "--strategy", "sweep", "--retry")
    assert (again["ran"], again["notes"]) == (36, [])


def test_sets_of_positions_that_the_lab_can_name(folder, counted):
    counted.work = perform
    (folder / "small.py").write_text(lab_files.SMALL)
    words = ["pn2", "--vary", "a=100,1000", "--strategy", "sweep", "--nodes", "400", "--memory",
             "20MB"]
    answer = tuned(*words, "--experiment", "small.py", "--take", "4", status=0)
    assert sorted(answer["split"]["training"] + held_out(answer)) == ["100", "101", "102", "103"]
    before = len(counted.jobs)
    answer = tuned(*words, "--game", "tic-tac-toe", "--random", "5", "--take", "6")
    assert len(answer["split"]["training"]) == len(held_out(answer)) == 3
    assert len({job.position for job in counted.jobs[before:]}) == 6
    lines = b"\n".join([b"a1 b2 c3 a3", b"b2 a1 c1 a3", b"a1 b1 c1 a3"])
    done = call("lab", "tune", *words, "--game", "tic-tac-toe", "--file", "-", "--backend",
                "in-process", "--json", stdin=lines)
    assert loads(done.out)["cost"]["jobs"] == 4


def test_two_sets_keep_their_names():
    sets = [texts("tic-tac-toe", ["a1", "b2"], name=name) for name in ("one", "two")]
    tuning = Tuning(zermelo.DeepDFPN(), ["E=1..2"], sets)
    assert sorted(tuning.names(tuning.halves[0] + tuning.halves[1])) == ["one/0", "one/1"]


def test_a_value_without_its_score_is_not_solved():
    made = texts("tic-tac-toe", ["a1", "b2"])
    strict, lenient = (Tuning(zermelo.DeepDFPN(), ["E=1..2"], made, concluded=concluded)
                       for concluded in (False, True))
    rows = [{"proved": proved, "concluded": concluded, "stopped": stopped}
            for proved, concluded, stopped in ((1, 1, "solved"), (1, 1, "nodes"),
                                               (0, 1, "precision"), (0, 0, "nodes"))]
    assert [strict.solved(row) for row in rows] == [True, False, False, False]
    assert [lenient.solved(row) for row in rows] == [True, False, True, False]


@pytest.fixture
def stand_in(monkeypatch):
    studies = []
    monkeypatch.setitem(sys.modules, "optuna", fake_optuna(studies))
    return studies


def test_a_tuning_by_optuna(stand_in, counted):
    answer = tuned(*SMALL, "--strategy", "optuna", "--trials", "4")
    assert [tuple(one["options"].values()) for one in answer["points"]] == [(2, 2), (5, 6), (1, 1)]
    assert len(stand_in[0].told) == 4
    assert tuned(*SMALL, "--strategy", "optuna", "--trials", "4")["ran"] == 0


def test_the_real_optuna_comes_the_same_way_again(counted):
    words = [*SMALL, "--strategy", "optuna", "--trials", "12", "--vary", "epsilon=0..1"]
    first, again = tuned(*words), tuned(*words)
    assert again["ran"] == 0
    assert same_answer(first) == same_answer(again)
    assert len(first["points"]) > 6
