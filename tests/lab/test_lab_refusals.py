"""The lab refuses what can't be run, in one sentence that says what is valid."""

import os
import signal
import sqlite3
from contextlib import closing

import pytest
from command import call

import zermelo
from zermelo.errors import BadOption, BadPosition, UnknownSearch
from zermelo.jobs.hire import workers_with
from zermelo.jobs.job import Job
from zermelo.jobs.store import Store
from zermelo.lab import (
    Arm,
    Experiment,
    Figure,
    Judge,
    Positions,
    Table,
    Watch,
    arms,
    each,
    from_file,
    generated,
)
from zermelo.lab.experiment import experiment
from zermelo.lab.plan import largest_memory, plan_of, run
from zermelo.lab.results import Results, all_tables

TREES = each("p-game", "seed", range(3), depth=4)
PN = [Arm("PN", zermelo.PN(), nodes=50, memory="20MB")]


def small(**changes):
    return Experiment(**{"title": "x", "positions": TREES, "arms": PN, "judge": None, **changes})


@pytest.fixture(autouse=True)
def folder(files):
    (files / "small_trees.py").rename(files / "small.py")
    return files


@pytest.mark.parametrize(
    ("make", "sentence"),
    [(lambda: small(positions=[]), "the experiment 'x' has no sets of positions."),
     (lambda: small(arms=[]), "the experiment 'x' has no arms."),
     (lambda: small(arms=PN * 2), "has two arms called 'PN'; give them different names."),
     (lambda: small(positions=[TREES, TREES]), "has two sets of positions called 'p-game'"),
     (lambda: Figure("f", "pie", "t"), "kind='pie' is not one of bars, dots, lines, cactus, trace"),
     (lambda: plan_of(small(), only=["UCT"]), "the experiment has no such arm; arms: PN."),
     (lambda: plan_of(small(), changes=["nodes"]), "is not of the form NAME=VALUE or ARM.NAME="),
     (lambda: plan_of(small(), changes=["PN.theta=1"]), "fits no arm; names: nodes, time, memory"),
     (lambda: plan_of(small(), changes=["tie=up"]), "pn: tie='up' is not valid; it is one of"),
     (lambda: plan_of(small(), changes=["nodes=0"]), "the limit nodes='0' is not valid"),
     (lambda: plan_of(small(), changes=["take=0"]), "'take=0': the value must be a whole"),
     (lambda: plan_of(small(), changes=["seeds=x"]), "'seeds=x': the value must be a whole"),
     (lambda: plan_of(small(), changes=["plain=maybe"]), "plain must be true or false."),
     (lambda: plan_of(small(), changes=["memory=none"]), "every job of an experiment has a memory"),
     (lambda: plan_of(small(), changes=["judge.nodes=1"]), "has no such thing: there is none."),
     (lambda: plan_of(small(judge=Judge()), changes=["judge.theta=1"]), "has nodes, time, memory"),
     (lambda: plan_of(small(arms=[Arm("PN", zermelo.PN(), seeds=[])])), "leaves no job."),
     (lambda: plan_of(small(positions=Positions("none", list))), "'none' is empty."),
     (lambda: plan_of(small(arms=[Arm("far", Watch(), nodes=9)])), "nodes='9' does not apply to"),
     (lambda: generated("tic-tac-toe", 9, 1).positions(), "found no new unfinished position after"),
     (lambda: experiment("nothing"), "there is no experiment 'nothing'"),
     (lambda: run(plan_of(small()), Store("s"), backend="cloud"), "there is no backend 'cloud'; b"),
     (lambda: Store("none.sqlite", create=False), "there is no store 'none.sqlite'"),
     (lambda: Store("small.py"), "the store 'small.py' can't be used: file is not a database."),
     (lambda: Store(foreign("runs.db")), "can't be used: it is a database of something else."),
     (lambda: from_file("connect-four/openings.txt", "connect-four").positions(),
      "its authors publish it at github.com/90sradiosong/ProbabilityPNS"),
     (lambda: from_file("mine.txt", "hex").positions(), "the data file mine.txt is missing"),
     (lambda: tables_of(Table("t", ["mean luck"], "row")), "rows='row' is not one of arm, set, s"),
     (lambda: tables_of(Table("t", ["luck"])), "there is no column 'luck'; columns: jobs, proved"),
     (lambda: tables_of(Table("t", ["mean nodes of kings"])), "there is no column 'mean nodes of"),
     ],
)
def test_refused(make, sentence):
    with pytest.raises(BadOption) as refusal:
        make()
    assert sentence in str(refusal.value)
    assert str(refusal.value).endswith((".", "..."))
    assert str(refusal.value).count("\n") == 0


def foreign(name):
    """A database of another program, which stays as it is."""
    with closing(sqlite3.connect(name)) as database:
        database.execute("create table runs (name text)")
    return name


def test_a_database_of_another_program_stays_as_it_is(tmp_path):
    name = foreign(tmp_path / "runs.db")
    before = name.read_bytes()
    with pytest.raises(BadOption):
        Store(name)
    assert name.read_bytes() == before
    assert list(tmp_path.glob("runs.db*")) == [name]


def tables_of(table):
    return all_tables(Results(plan_of(small(tables=[table])), Store("s")))


def test_a_bad_line_of_a_file(folder):
    (folder / "some.txt").write_text("a1 b2\n\na1 a1\n")
    with pytest.raises(BadPosition, match=r"file 'some.txt', line 3: tic-tac-toe: .*a1"):
        from_file("some.txt", "tic-tac-toe").positions()


def test_what_other_processes_could_not_find():
    class Own(zermelo.PN):
        id = "own"

    with pytest.raises(BadOption, match=r"the search own: .*Own is in no file that other"):
        plan_of(small(arms=[Arm("own", Own())]))
    job = plan_of(small()).cells[0].job
    with pytest.raises(UnknownSearch, match="there is no search 'luck'"):
        Job(**{**vars_of(job), "search": "luck"}).make()


def vars_of(job):
    return {name: getattr(job, name) for name in job.__dataclass_fields__}


def test_jobs_that_do_not_fit_the_memory(monkeypatch):
    monkeypatch.setattr("zermelo.jobs.hire.free_memory", lambda: 10**8)
    with pytest.raises(BadOption, match=r"may use 1.4 GB, but only 0.1 GB are free; lower it with"):
        workers_with(largest_memory(plan_of(small(arms=arms(["pn"])))), 1)


def test_a_system_that_can_not_fork(monkeypatch):
    monkeypatch.delattr(os, "fork")
    done = call("lab", "run", "small.py")
    assert done.status == 2
    assert "use --backend in-process." in done.err


def test_without_the_extra_the_lab_says_what_to_install(monkeypatch):
    monkeypatch.setattr("zermelo.lab.experiment.find_spec",
                        lambda name: None if name in ("pandas", "scipy") else name)
    for words in (["list"], ["run", "small.py", "--backend", "in-process"]):
        done = call("lab", *words)
        assert (done.status, done.out) == (2, "")
        assert done.err == ("zermelo: the lab needs pandas, scipy: "
                            "pip install 'zermelo[lab]'.\n")
    assert not os.path.exists("lab.sqlite")
    assert call("lab").out.startswith("Usage: zermelo lab")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [(["run", "small"], "there is no experiment 'small'; experiments: all-searches, cns-moves, "),
     (["run", "conect-four-searches"], "(did you mean connect-four-searches?)"),
     (["run", "none.py"], "can't read the file 'none.py': No such file or directory."),
     (["run", "empty.py"], "'empty.py' has no experiment; it needs a line 'experiment = "),
     (["run", "broken.py"], "the file 'broken.py' can't be run: ZeroDivisionError"),
     (["run", "connect-four-searches"], "the data file connect-four/openings.txt is missing"),
     (["run", "small.py", "--workers", "0"], "--workers 0 is not a whole number of at least 1."),
     (["run", "small.py", "--workers", "two"], "--workers 'two' is not a whole number."),
     (["run", "small.py", "--backend", "cloud"], "there is no backend 'cloud'; backends: process"),
     (["run", "small.py", "--set", "PN.theta=2"], "--set 'PN.theta=2' fits no arm"),
     (["report", "small.py"], "there is no store"),
     (["status"], "there is no store"),
     (["compare", "a.csv", "b.csv"], "can't read the file 'a.csv': No such file or directory."),
     (["compare", "other.csv", "b.csv"], "is not an export of the lab: it has no column 'task'"),
     (["compare", "a.sqlite", "b.sqlite"], "there is no store 'a.sqlite'"),
     (["frobnicate"], "No such command 'frobnicate'"),
     ],
)
def test_bad_words_on_the_command_line(folder, words, sentence):
    (folder / "empty.py").write_text("x = 1\n")
    (folder / "broken.py").write_text("x = 1 / 0\n")
    (folder / "other.csv").write_text("a,b\n1,2\n")
    done = call("lab", *words)
    assert (done.status, done.out) == (2, "")
    assert sentence in done.err
    assert done.err.count("\n") == 1
    assert not (folder / "lab.sqlite").exists() or "cloud" in words


def test_a_polite_request_to_end_is_an_interrupt(monkeypatch):
    def ended(job):
        os.kill(os.getpid(), signal.SIGTERM)
        return {"status": "done"}

    before = signal.getsignal(signal.SIGTERM)
    monkeypatch.setattr("zermelo.jobs.hire.perform", ended)
    assert call("lab", "run", "small.py", "--backend", "in-process").status == 10
    assert signal.getsignal(signal.SIGTERM) is before

    def interrupted(job):
        return {"status": "done", "stopped": "interrupted"}

    monkeypatch.setattr("zermelo.jobs.hire.perform", interrupted)
    assert call("lab", "run", "small.py", "--backend", "in-process").status == 10


def test_a_row_that_can_not_be_kept_leaves_the_store_as_it_was(folder):
    store = Store(folder / "s")
    job = plan_of(small()).cells[0].job
    with pytest.raises(sqlite3.Error):
        store.write(job, {"status": object()})
    assert not store.db.in_transaction
    store.write(job, {"status": "done"})
    assert set(store.rows([job.digest])) == {job.digest}
