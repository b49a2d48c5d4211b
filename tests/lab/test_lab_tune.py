"""Tuning: strategies on known objectives, whole tunings, and what is refused."""

import math
import os
import random
import signal
import subprocess
import sys
import time
import types
from itertools import product

import lab_files
import pytest
from command import begin, call, loads
from tuning import GRID, SMALL, TREES, Objective, line, pretend

import zermelo
from zermelo.core.game_files import load_file
from zermelo.errors import BadOption
from zermelo.jobs.store import Store
from zermelo.jobs.work import perform
from zermelo.lab import each
from zermelo.lab.experiment import texts
from zermelo.lab.tune import Axis, Scorer, Tuning, axis_of, climb, optuna, sweep, tune


@pytest.fixture(autouse=True)
def folder(files):
    return files


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

    monkeypatch.setattr("zermelo.jobs.hire.perform", counting)
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
    climb(axes, (2, 2), objective)
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


def test_optuna_begins_at_the_start_and_knows_no_value_that_is_none():
    axes = [Axis("a", (1, 5, 9)), Axis("b", (0.0, 0.5, 1.0), True), Axis("c", ("x", "y"))]
    objective, again = (Objective(lambda a, b, c: math.inf if a == 9 else a + b) for _ in "ab")
    for one in (objective, again):
        optuna(axes, (4, 0.5, "y"), one, trials=20, seed=7)
    assert objective.asked[0] == (5, 0.5, "y")
    assert objective.asked == again.asked
    assert len(objective.asked) == 20
    assert {a for a, _, _ in objective.asked} == {1, 5, 9}
    assert all(0 <= b <= 1 and c in "xy" for _, b, c in objective.asked)


def test_the_real_optuna_comes_the_same_way_again(counted):
    words = [*SMALL, "--strategy", "optuna", "--trials", "12", "--vary", "epsilon=0..1"]
    first, again = tuned(*words), tuned(*words)
    assert again["ran"] == 0
    assert same_answer(first) == same_answer(again)
    assert len(first["points"]) > 6


@pytest.mark.parametrize(
    ("search", "word", "values", "real"),
    [("deep-df-pn", "E=1..4", (1, 2, 3, 4), False),
     ("deep-df-pn", " E = 0..20:5 ", (0, 5, 10, 15, 20), False),
     ("deep-df-pn", "E=1..1e3:x10", (1, 10, 100, 1000), False),
     ("deep-df-pn", "D=7,2", (7, 2), False),
     ("df-pn", "epsilon=0.05..0.2:0.05", (0.05, 0.1, 0.15, 0.2), False),
     ("df-pn", "epsilon=0..1", (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1), True),
     ("ppn", "theta=0.001..0.1:x10", (0.001, 0.01, 0.1), False),
     ("ppn", "pr=none,0.1", (None, 0.1), False),
     ("pn", "tie=left,deepest", ("left", "deepest"), False)],
)
def test_words_name_values(search, word, values, real):
    axis = axis_of(zermelo.search(search), word)
    assert (axis.values, axis.real) == (values, real)
    assert [type(value) for value in axis.values] == [
        type(getattr(zermelo.search(search, **{axis.name: value}), axis.name)) for value in values]


@pytest.mark.parametrize("start", [(2, 2), (1, 1), (20, 15), (1, 15), (20, 1)])
@pytest.mark.parametrize("top", [(7, 4), (18, 2), (1, 15), (20, 1)])
def test_climbing_finds_the_only_hill(start, top):
    axes = [Axis("E", tuple(range(1, 21))), Axis("D", tuple(range(1, 16)))]
    objective = Objective(lambda e, d: 1000 + 30 * abs(e - top[0]) + (d - top[1]) ** 2)
    climb(axes, start, objective)
    assert objective.best == top
    assert len(set(objective.asked)) < 300 / 2  # a sweep asks for all


def test_climbing_with_real_numbers_begins_where_it_can():
    axis = axis_of(zermelo.DFPN(), "epsilon=0.05..3:0.05")
    for start in (0.25, 0.01, 99, None):
        objective = Objective(lambda x: (x - 1.35) ** 2)
        climb([axis], (start,), objective)
        assert objective.best == (1.35,)
    assert [axis.nearest(value) for value in (0.26, 0.01, 99, None)] == [4, 0, 59, 0]


def algorithm_1(node, largest, flat):
    """The thesis's Algorithm 1, line by line, for two options from 2 on; what it asks for.

    A value above N is infinite; an infinite point is "not considered": nothing is better for it.
    """
    asked, inf = [], math.inf

    def limited(e, d, n):
        if e > largest or d > largest:
            return inf
        asked.append((e, d))
        return node(e, d) if node(e, d) <= n else inf

    e, d, n, same = 2, 2, inf, 0
    value = last = limited(2, 2, n)
    while same < flat:
        right, up = limited(e + 1, d, n), limited(e, d + 1, n)
        if e == d == largest:
            break
        there = (e + 1, d) if right <= up and e < largest else (e, d + 1)
        new = min(right, up)
        if new > value:
            behind = [limited(there[0] + 1, there[1], n), limited(there[0], there[1] + 1, n)]
            if all(further > new or further == inf for further in behind):
                break
        if new < inf:
            n, same, last = new, same + 1 if new == last else 0, new
        (e, d), value = there, new
    return asked


def test_climbing_up_asks_what_algorithm_1_asks():
    axes = [Axis(name, tuple(range(2, 9))) for name in "ED"]
    lengths = set()
    for seed in range(300):
        chance = random.Random(seed)
        slope, noise = seed % 3, 1 + seed % 9
        table = {(e, d): 100 - slope * (e + d) + chance.randrange(noise)
                 for e in range(2, 9) for d in range(2, 9)}
        node = lambda e, d, table=table: table[e, d]  # noqa: E731
        objective = Objective(node)
        climb(axes, (2, 2), objective, flat=3, up=True)
        assert objective.asked == algorithm_1(node, 8, 3)
        lengths.add(len(objective.asked))
    assert len(lengths) > 8


def test_the_last_value_is_the_next_limit():
    axis, objective = line(9, 8, 6, 5, 7, 8)
    climb([axis], (0,), objective)
    # 0, then 1; 2 under 8, 3 under 6, 4 under 5 and behind it 5.
    assert objective.asked == [(0,), (1,), (2,), (3,), (4,), (5,)]
    assert objective.limits == [math.inf, math.inf, 8, 6, 5, 5]


def test_climbing_steps_over_one_bad_point_and_not_over_two():
    axis, objective = line(9, 8, 12, 5, 4, 6, 7, 1)
    climb([axis], (0,), objective, up=True)
    assert objective.best == (4,)
    assert max(objective.asked) == (6,)
    # Beside the bad point, which has no value, the limit stays what it was.
    assert objective.limits == [math.inf, math.inf, 8, 8, 8, 5, 4, 4]


def test_what_is_as_good_as_a_worse_point_lets_it_go_on():
    axis, objective = line(9, 10, 10, 5, 6, 7)
    climb([axis], (0,), objective, up=True)
    assert objective.best == (3,)


def test_a_flat_ends_it_and_its_first_point_counts():
    axis, objective = line(*[9, 7] + [5] * 20)
    climb([axis], (0,), objective, flat=4)
    assert max(objective.asked) == (6,)
    assert objective.best == (2,)


def test_a_sweep_asks_for_all():
    axes = [Axis("a", (1, 2, 3)), Axis("b", ("x", "y"))]
    objective = Objective(lambda a, b: a + (b == "x"))
    sweep(axes, objective)
    assert sorted(objective.asked) == sorted(product((1, 2, 3), "xy"))
    assert objective.best == (1, "y")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [(["deep-df-pn", *TREES], "needs at least one option to vary, such as --vary NAME=1..20; deep"),
     (["deep-df-pn", *TREES, "--vary", "E"], "'E' is not of the form NAME=LOW..HIGH"),
     (["deep-df-pn", *TREES, "--vary", "E=1..2", "--vary", "E=3,4"], "gives 'E' a second time"),
     (["deep-df-pn", *TREES, "--vary", "E=3"], "needs two or more values, all different"),
     (["deep-df-pn", *TREES, "--vary", "E=3,4,3"], "needs two or more values, all different"),
     (["deep-df-pn", *TREES, "--vary", "E=5..1"], "is not a range: LOW is below HIGH"),
     (["deep-df-pn", *TREES, "--vary", "E=0..8:x2"], "where steps are factors, LOW is above 0"),
     (["deep-df-pn", *TREES, "--vary", "E=1..8:x1"], "and the factor above 1"),
     (["deep-df-pn", *TREES, "--vary", "E=1..8:0"], "a step above 0"),
     (["deep-df-pn", *TREES, "--vary", "E=one..8"], "'one' is not a number"),
     (["deep-df-pn", *TREES, "--vary", "E=1..inf"], "'inf' is not a number"),
     (["deep-df-pn", *TREES, "--vary", "E=1..100000"], "makes more than 10,000 values"),
     (["deep-df-pn", *TREES, "--vary", "F=1..3"], "deep-df-pn has no option 'F'; it has: "),
     (["deep-df-pn", *TREES, "--vary", "E=-1..3"], "E='-1' is not valid; it is a whole number"),
     (["deep-df-pn", *TREES, "--vary", "E=0.5..3"], "E='0.5' is not valid; it is a whole number"),
     (["pn", *TREES, "--vary", "tie=left,deepest"], "the option tie can't be climbed: its values"),
     ([*SMALL, "--strategy", "luck"], "there is no strategy 'luck'; strategies: climb, sweep, opt"),
     ([*SMALL, "--strategy", "sweep", "--vary", "epsilon=0..1:0.0002"], "has 150,030 combinations"),
     ([*SMALL, "--seeds", "0"], "--seeds 0 is not a whole number of at least 1."),
     ([*SMALL, "--flat", "0"], "--flat 0 is not a whole number of at least 1."),
     ([*SMALL, "--nodes", "0"], "the limit nodes='0' is not valid"),
     ([*SMALL, "--goal", "luck"], "luck"),
     ([*SMALL, "--take", "1"], "needs at least two different positions"),
     ([*SMALL, "--experiment", "small.py"], "brings its own positions; give it without --game"),
     ([*SMALL, "--random", "3"], "--game with one of --file, --each and --random, or --experiment"),
     (["pn2", "--vary", "a=1..9", "--game", "hex"], "a tuning needs positions: --game with one of"),
     (["pn2", "--vary", "a=1..9", "--each", "seed=1..2"], "a tuning needs positions: --game with"),
     ([*SMALL, "-g", "seed=3"], "'seed' is also given with -g."),
     (["deep-df-pn", *GRID, *TREES[:-1], "seed=3..1"], "is not of the form NAME=LOW..HIGH with"),
     (["deep-df-pn", *GRID, *TREES[:-1], "seed=3"], "is not of the form NAME=LOW..HIGH with"),
     (["deep-df-pn", *GRID, "--game", "p-game", "-g", "seed=2", "--random", "2"],
      "--random and -g seed=... do not go together"),
     (["deep-df-pn", *GRID, "--game", "hex", "--file", "none.txt"],
      "the data file none.txt is missing"),
     ([*SMALL, "--backend", "cloud"], "there is no backend 'cloud'"),
     (["luck", *SMALL[1:]], "there is no search 'luck'")],
)
def test_refused(folder, words, sentence):
    done = call("lab", "tune", *words)
    assert (done.status, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1
    assert not (folder / "lab.sqlite").exists() or "cloud" in words


def test_refused_by_the_library():
    trees = each("p-game", "seed", range(4), depth=4)
    with pytest.raises(BadOption, match="trials='0' is not a whole number of at least 1"):
        Tuning(zermelo.DeepDFPN(), ["E=1..2"], trees, trials=0)
    with pytest.raises(BadOption, match="needs a node limit, such as nodes=1e6"):
        Tuning(zermelo.DeepDFPN(), ["E=1..2"], trees, nodes=None)


OWN = '''
from dataclasses import dataclass
from zermelo import DeepDFPN
from zermelo.errors import BadOption

@dataclass(frozen=True)
class Narrow(DeepDFPN):
    id = "narrow"

    def check(self):
        if self.E > self.D:
            raise BadOption("E is above D.")
'''


@pytest.mark.parametrize("strategy", ["climb", "sweep"])
def test_options_that_do_not_fit_together_are_left_out(folder, strategy):
    (folder / "own.py").write_text(OWN)
    narrow = load_file(folder / "own.py").Narrow
    trees = each("p-game", "seed", range(4), branching=2, depth=5)
    store = Store(folder / "lab.sqlite")

    def found(*vary):
        return tune(Tuning(narrow(), vary, trees, strategy=strategy, nodes=200, memory="20MB"),
                    store, backend="in-process")

    answer = found("E=1..4", "D=2,3")
    tried = {tuple(one["options"].values()): one["par2"] for one in answer.points}
    assert answer.best is not None
    assert all((cost is None) == (e > d) or e <= d for (e, d), cost in tried.items())
    assert any(e > d for e, d in tried)
    with pytest.raises(BadOption, match="no combination of the options that vary is valid for nar"):
        found("E=3,4", "D=1,2")
