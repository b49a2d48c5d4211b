"""Comparing results: two files task by task, and two arms position by position."""

import re

import pytest
from command import call, loads
from lab_files import have_run, lab, ran

from zermelo.jobs.store import Store


def test_two_sets_of_results_are_compared(files):
    have_run("small_trees.py", store="a.sqlite")
    ran("small_trees.py", "--store", "b.sqlite", "--set", "take=4")
    done = lab("compare", "a.sqlite", "b.sqlite")
    assert done.out.startswith("12 tasks in both, 6 only in A, 0 only in B; 12 with the same")
    lab("export", "small_trees.py", "--store", "a.sqlite", "--out", "e")
    assert loads(call("lab", "compare", "e/jobs.csv", "b.sqlite", "--json").out)["same"] == 12
    store = Store("b.sqlite")
    store.db.execute("update jobs set made_nodes = 7, seconds = 1 where job_search = 'pn'")
    store.close()
    done = call("lab", "compare", "a.sqlite", "b.sqlite")
    assert done.status == 1
    assert "8 with the same answer" in done.out
    assert re.search(r"pn +b=2,d=6,range=127,seed=100,generator=1 +nodes +[0-9]+ +7", done.out)


def test_nothing_in_common_is_no_agreement(files):
    have_run("small_trees.py", "--only", "PN", store="a.sqlite")
    have_run("small_trees.py", "--only", "PN", "--set", "nodes=300", store="b.sqlite")
    done = call("lab", "compare", "a.sqlite", "b.sqlite")
    assert (done.status, done.err) == (10, "")
    assert done.out.startswith("0 tasks in both, 6 only in A, 6 only in B; 0 with the same")
    assert done.out.endswith("nothing was compared: no task is in both\n")


def test_two_arms_of_one_run(files):
    have_run("small_trees.py")
    lab("export", "small_trees.py", "--out", "e")
    done = lab("compare", "e/jobs.csv", "--arm", "PN", "--arm", "PPN")
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[0] == "A: PN; B: PPN"
    assert lines[1] == "6 positions in both, 0 only in A, 6 only in B"  # PPN has two seeds
    assert lines[2] == "concluded by both 6, by A alone 0, by B alone 0, by neither 0"
    assert re.fullmatch(r"A takes [0-9]+\.[0-9]+ x the nodes of B \(geometric mean\): fewer on 0, "
                        r"as many on 0, more on 6", lines[3])
    # In a store arms are called after their searches, and the numbers are the same.
    first, second = (loads(lab("compare", *words, "--json").out) for words in (
        ["e/jobs.csv", "--arm", "PN", "--arm", "PPN"],
        ["lab.sqlite", "e/jobs.csv", "--arm", "pn", "--arm", "ppn pr=0.2 playouts=2"]))
    assert {**second, "a": "PN", "b": "PPN"} == first
    by_hand = _mean_ratio(Store("lab.sqlite"))
    assert first["nodes"] == pytest.approx(by_hand)


def _mean_ratio(store):
    nodes = {}
    for row in store.every():
        if row["job_kind"] == "solve" and row["job_seed"] == 0:
            nodes.setdefault(row["question"], {})[row["job_search"]] = row["nodes"]
    product = 1.0
    for both in nodes.values():
        product *= both["pn"] / both["ppn"]
    return product ** (1 / len(nodes))


def test_one_arm_under_two_limits(files):
    ran("small_trees.py", "--only", "PN", "--store", "a.sqlite")
    have_run("small_trees.py", "--only", "PN", "--set", "nodes=20", store="b.sqlite")
    answer = loads(lab("compare", "a.sqlite", "b.sqlite", "--arm", "pn", "--json").out)
    assert (answer["both"], answer["concluded"]["neither"]) == (6, 0)
    assert answer["concluded"]["only_a"] > 0
    assert answer["fewer"] == answer["more"] == 0
    assert answer["equal"] == answer["concluded"]["both"]
    ran("small_trees.py", "--only", "PN", "--store", "a.sqlite", "--set", "nodes=20")
    done = call("lab", "compare", "a.sqlite", "--arm", "pn")
    assert done.status == 2
    assert "the arm 'pn' of 'a.sqlite' has several results on " in done.err
    assert done.err.endswith("one run with 'zermelo lab export', and compare its jobs.csv.\n")


def test_arms_whose_proofs_contradict_each_other(files):
    have_run("small_trees.py", "--only", "PN", store="a.sqlite")
    have_run("small_trees.py", "--only", "PN", store="b.sqlite")
    store = Store("b.sqlite")
    store.db.execute("update jobs set value = 'loss' where job_position like '%seed=100,%'")
    store.close()
    done = call("lab", "compare", "a.sqlite", "b.sqlite", "--arm", "pn")
    assert done.status == 1
    assert re.search(r"contradict each other on b=2,d=6,.*seed=100,.*: [a-z-]+ by A, loss by B",
                     done.out)


def test_arms_without_a_position_in_common(files):
    have_run("small_trees.py", "--only", "PN", store="a.sqlite")
    have_run("small_trees.py", "--only", "PN", "--set", "goal=value", store="b.sqlite")
    done = call("lab", "compare", "a.sqlite", "b.sqlite", "--arm", "pn")
    assert (done.status, done.out.splitlines()[-1]) == (
        10, "nothing was compared: no task is in both")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [(["a.sqlite"], "needs two files, or --arm twice to compare two arms of one."),
     (["a.sqlite", *["--arm", "pn"] * 3], "takes --arm once, for the same arm of two files, or"),
     (["a.sqlite", "--arm", "pn", "--arm", "luck"], "has no arm 'luck'; arms: pn."),
     (["a.sqlite", "a.sqlite", "--seed", "x"], "--seed 'x' is not a whole number."),
     ],
)
def test_refused(files, words, sentence):
    have_run("small_trees.py", "--only", "PN", "--set", "take=1", store="a.sqlite")
    done = call("lab", "compare", *words)
    assert (done.status, done.out) == (2, "")
    assert sentence in done.err
