"""Archives of some experiments, and stores that go on with the results of an archive."""

from contextlib import closing
from dataclasses import replace

import pytest
from command import call, loads
from lab_files import SMALL, have_run, lab, ran, results_of

from zermelo.errors import BadOption
from zermelo.jobs.store import Store
from zermelo.lab.archive import experiments_in, part_of, read_archive, restore
from zermelo.lab.experiment import store_path

pytest.importorskip("pyarrow")

# The first arm and the judge's proofs are those of the other experiment.
SHARING = SMALL.replace('Arm("PPN", zermelo.PPN(pr=0.2,', 'Arm("PPN 0.3", zermelo.PPN(pr=0.3,') \
    .replace('none_false("PPN")', 'none_false("PPN 0.3")').replace("figures=", "# figures=") \
    .replace("             Figure", "             # Figure")
assert SHARING.count("# ") == 2


@pytest.fixture
def files(files):
    (files / "sharing.py").write_text(SHARING)
    return files


def rows_in(path):
    with closing(read_archive(path, path.with_suffix(".sqlite"))) as store:
        return list(store.every()), store.runs()


def test_the_archive_of_one_experiment(files):
    have_run("small_trees.py", "--only", "PPN")
    ran("small_trees.py")
    ran("sharing.py")
    assert lab("archive", "one.parquet", "sharing.py").status == 0
    rows, runs = rows_in(files / "one.parquet")
    results, store = results_of("sharing.py")
    arms = [row for row in rows if row["job_kind"] == "solve"]
    assert {row["digest"] for row in arms} == {*results.plan.jobs}
    assert {row["job_options"].get("pr") for row in arms} == {None, 0.3}
    # Those of its arms, and by the judge of the other experiment one for each position.
    assert (len(rows), len(arms)) == (6 + 12 + 6, 6 + 12)
    assert [run["experiment"] for run in runs] == ["small-trees", "small-trees", "sharing"]
    assert experiments_in(files / "one.parquet") == ["sharing"]
    lab("archive", "all.parquet")
    assert len(rows_in(files / "all.parquet")[0]) == len(rows) + 12
    assert experiments_in(files / "all.parquet") == []
    for name in ("one", "all"):
        assert lab("rebuild", f"{name}.parquet", "sharing.py", "--out", name).status == 0
    for name in ("report.md", "report.html"):
        one, other = ((files / folder / "sharing" / name).read_text() for folder in ("one", "all"))
        assert one == other
    assert "Not complete" not in one
    # By default those that it was written for, not those whose rows it has as well.
    assert loads(call("lab", "rebuild", "one.parquet", "--json").out)["notes"] == [
        "sharing is in a file of its own: name the file to rebuild it"]
    store.close()


def test_of_several_versions_one_row_each(files, monkeypatch):
    """By the code of today where there is one, else the newest."""
    have_run("small_trees.py", "--only", "PN")
    monkeypatch.setattr("zermelo.jobs.job.code_digest", lambda *args, **more: "newer")
    ran("small_trees.py", "--only", "PN")
    monkeypatch.setattr("zermelo.jobs.job.code_digest", lambda *args, **more: "today")
    ran("small_trees.py", "--only", "PN", "--set", "take=2")
    lab("archive", "one.parquet", "small_trees.py")
    rows, runs = rows_in(files / "one.parquet")
    assert sorted(row["job_code"] for row in rows) == ["newer"] * 4 + ["today"] * 2
    assert len(runs) == 3


def test_other_proofs_go_along_where_they_tell_something(files):
    have_run("small_trees.py", "--only", "PPN")
    with closing(Store(store_path())) as store:
        before = part_of(store, ["small_trees.py"]).rows
        job = results_of("small_trees.py", only=["PPN"])[0].plan.cells[0].job
        value = next(row["value"] for row in store.proofs([job.question]))
        true = {"status": "done", "value": value, "proved": True, "concluded": True}
        elsewhere = [replace(job, seed=77 + number) for number in range(3)]
        for one in elsewhere[:2]:
            store.write(one, true)
        assert part_of(store, ["small_trees.py"]).rows == before  # the judge's are certified
        store.write(elsewhere[2], {**true, "value": "win" if value != "win" else "not-win"})
        everything = {row["digest"] for row in store.every()}
        assert part_of(store, ["small_trees.py"]).rows == everything  # they contradict each other
        store.forget([elsewhere[2].digest, *(row["digest"] for row in store.every()
                                             if row["job_kind"] == "prove")])
        found = part_of(store, ["small_trees.py"]).rows
        assert len(found & {one.digest for one in elsewhere}) == 1  # known from nothing else


def test_results_that_another_experiment_has_made(files):
    """Such a run has no row of its own; its arms are those that it was run with."""
    have_run("sharing.py")
    assert ran("small_trees.py", "--only", "PN")["ran"] == 0
    lab("archive", "one.parquet", "small_trees.py")
    rows, _ = rows_in(files / "one.parquet")
    assert {row["job_search"] for row in rows if row["job_kind"] == "solve"} == {"pn"}
    lab("rebuild", "one.parquet", "small_trees.py", "--out", "r")
    report = (files / "r" / "small-trees" / "report.md").read_text()
    assert "Not complete" not in report
    assert "| PPN |" not in report


def test_runs_of_all_arms_one_by_one_are_a_run_of_all(files):
    have_run("small_trees.py", "--only", "PN")
    ran("small_trees.py", "--only", "PPN")
    lab("archive", "one.parquet", "small_trees.py")
    lab("rebuild", "one.parquet", "small_trees.py", "--out", "r")
    report = (files / "r" / "small-trees" / "report.md").read_text()
    assert report.rstrip().endswith("\nzermelo lab report small_trees.py\n```")


def test_what_is_left_out_is_named(files):
    """Settings that fit the experiment no more, and sets whose file is not here."""
    have_run("small_trees.py", "--only", "PN")
    ran("small_trees.py", "--set", "PPN.nodes=300", "--set", "take=1")
    (files / "small_trees.py").write_text(
        SMALL.replace('Arm("PPN"', 'Arm("P"').replace('none_false("PPN")', 'none_false("P")')
        .replace("positions=each(", 'positions=[Positions("far", list, optional=True), each(')
        .replace("full=20)),", "full=20))],"))
    done = lab("archive", "one.parquet", "small_trees.py")
    assert done.status == 10
    assert done.err.splitlines()[0].startswith(
        "note: small-trees --set PPN.nodes=300 --set take=1: --set 'PPN.nodes=300'")
    assert done.err.splitlines()[1:] == [
        "note: small-trees: the set 'far' is empty here, and results on it are left out"]
    done = lab("rebuild", "one.parquet", "small_trees.py", "--out", "r")
    assert (done.status, done.err) == (
        10, "note: small_trees.py: the set 'far' is empty here, and the report is without it\n")


def test_results_that_no_setting_asks_for_are_named(files):
    """The experiment was larger when it was run: a report of what is left would be another one."""
    have_run("small_trees.py", "--only", "PN")
    assert lab("archive", "all.parquet", "small_trees.py").status == 0
    smaller = SMALL.replace("take=Size(6", "take=Size(2") + "# byte code goes by size and time\n"
    (files / "small_trees.py").write_text(smaller)
    assert SMALL.count("take=Size(6") == 1
    done = lab("archive", "part.parquet", "small_trees.py")
    assert (done.status, done.err) == (
        10, "note: small-trees: 4 results of its runs are on nothing that it asks for with the "
        "settings that are known, and left out\n")


def test_refused(files):
    have_run("small_trees.py", "--only", "PN")
    for words, sentence in (
            (["traced_trees.py"], "lab.sqlite' has no results of traced-trees."),
            (["small"], "there is no experiment 'small'"),
            (["connect-four-searches"], "the data file connect-four/openings.txt is missing"),
            (["small_trees.py", "--seed", "x"], "--seed 'x' is not a whole number.")):
        done = call("lab", "archive", "one.parquet", *words)
        assert (done.status, done.out) == (2, "")
        assert sentence in done.err
    assert not (files / "one.parquet").exists()


def test_an_archive_takes_the_place_of_archives_only(files):
    """The file of an experiment, or the store itself, may be named by mistake."""
    have_run("small_trees.py", "--only", "PN")
    for words, sentence in (
            (["small_trees.py"], "'small_trees.py' is an experiment; before it comes the file to "
                                 "write, such as results.parquet."),
            (["p-games"], "'p-games' is an experiment; before it comes the file"),
            (["lab.sqlite"], "the file 'lab.sqlite' is there and is no archive, and stays")):
        before = {path: path.read_bytes() for path in files.glob("*.*")}
        done = call("lab", "archive", *words)
        assert (done.status, done.out) == (2, "")
        assert sentence in done.err
        assert {path: path.read_bytes() for path in files.glob("*.*")} == before
    (files / "one.parquet").touch()
    for _ in range(2):  # in the place of an empty file, and of an archive
        assert lab("archive", "one.parquet").status == 0
        assert len(rows_in(files / "one.parquet")[0]) == 6
        (files / "one.sqlite").unlink()


def test_an_experiment_that_the_archive_has_nothing_of(files):
    """A report of nothing would take the place of one that is there."""
    have_run("small_trees.py", "--only", "PN")
    lab("archive", "one.parquet")
    done = lab("rebuild", "one.parquet", "small_trees.py", "traced_trees.py", "--out", "r")
    assert (done.status, done.err) == (10, "note: traced_trees.py: there are no results of it.\n")
    assert [path.name for path in (files / "r").iterdir()] == ["small-trees"]


@pytest.mark.parametrize("words", [[], ["--without-positions"]], ids=["with", "without"])
def test_a_run_goes_on_elsewhere(files, words):
    have_run("small_trees.py", "--set", "take=4")
    lab("archive", "some.parquet", *words)
    done = lab("restore", "some.parquet", "--store", "b.sqlite")
    many = len(Store(store_path()).raw("jobs")[1])
    assert (done.status, done.out) == (
        0, f"added {many} results to the store 'b.sqlite'; 0 of {many} were there already\n")
    again = ran("small_trees.py", "--store", "b.sqlite")
    assert again["done"] == again["jobs"] == again["ran"] + many
    done = loads(lab("restore", "some.parquet", "--store", "b.sqlite", "--json").out)
    assert done == {"store": "b.sqlite", "added": 0, "there": many}
    lab("report", "small_trees.py", "--store", "b.sqlite", "--out", "r")
    report = (files / "r" / "report.md").read_text()
    assert "Not complete" not in report
    assert "zermelo lab run small_trees.py --set take=4" in report


def test_what_a_store_has_stays(files):
    have_run("small_trees.py", "--only", "PN")
    lab("archive", "pn.parquet")
    store = Store(store_path())
    store.db.execute("update jobs set message = 'mine'")
    store.db.execute("update runs set command = 'mine'")
    (first, *_) = list(store.every())
    store.forget([first["digest"]])
    kept = [row for row in store.raw("jobs")[1] if row[0] != first["digest"]]
    assert restore(files / "pn.parquet", store_path()) == (1, 6)
    assert [row for row in store.raw("jobs")[1] if row[0] != first["digest"]] == kept
    assert store.rows([first["digest"]])[first["digest"]]["message"] is None
    assert [run["command"] for run in store.runs()] == ["mine"]


def test_what_is_no_archive_adds_nothing(files, monkeypatch):
    have_run("small_trees.py", "--only", "PN")
    lab("archive", "pn.parquet")
    (files / "pn.parquet.sha256").write_text("0" * 64)
    done = call("lab", "restore", "pn.parquet", "--store", "b.sqlite")
    assert done.status == 2
    assert "is not the one that 'pn.parquet.sha256' was written for" in done.err
    done = call("lab", "restore", "none.parquet", "--store", "b.sqlite")
    assert (done.status, "can't read the file 'none.parquet'" in done.err) == (2, True)
    assert not (files / "b.sqlite").exists()
    done = call("lab", "restore", "pn.parquet", "--seed", "x")
    assert (done.status, "--seed 'x' is not a whole number." in done.err) == (2, True)


def test_a_store_that_can_take_no_more(files):
    have_run("small_trees.py", "--only", "PN")
    with closing(Store(store_path())) as store, closing(Store("b.sqlite")) as other:
        (pages,) = other.db.execute("pragma page_count").fetchone()
        other.db.execute(f"pragma max_page_count = {pages}")
        names, rows = store.raw("jobs")
        with pytest.raises(BadOption, match=r"can't be used any more: database or disk is full; "):
            other.fill("jobs", names, [(f"{at}", *row[1:]) for row in rows for at in range(100)])
        assert other.raw("jobs")[1] == []
        assert other.fill("jobs", names, []) == 0
