"""A store as a file to publish, and every table and figure made from it without a search."""

import hashlib
from types import SimpleNamespace

import pytest
from command import call, loads
from lab_files import have_run, lab, ran

from zermelo.jobs.store import Store
from zermelo.lab.archive import read_archive, write_archive
from zermelo.lab.experiment import store_path
from zermelo.lab.report import rebuild

pytest.importorskip("pyarrow")


def without_machines(report):
    """What a report says, without where and how it was made."""
    return report.partition("## Made with")[0]


@pytest.mark.long
def test_reports_are_the_same_from_the_archive(files, monkeypatch):
    have_run("small_trees.py")
    ran("traced_trees.py")
    names = ("small_trees.py", "traced_trees.py")
    for name in names:
        lab("report", name, "--out", f"first/{name[:-3].replace('_', '-')}")
    assert lab("archive", "results.parquet").out.splitlines() == [
        "wrote 'results.parquet'", "wrote 'results.parquet.sha256'"]
    (files / "lab.sqlite").unlink()
    monkeypatch.setattr("zermelo.jobs.work.perform", None)  # a search would fail
    done = lab("rebuild", "results.parquet", *names, "--out", "again")
    assert done.status == 0
    made = sorted(path.relative_to(files / "again") for path in (files / "again").rglob("*.*"))
    assert made == sorted(path.relative_to(files / "first")
                          for path in (files / "first").rglob("*.*"))
    assert sum(path.suffix == ".svg" for path in made) == 6
    for path in made:
        one, other = ((files / folder / path).read_bytes() for folder in ("first", "again"))
        if path.suffix in (".md", ".html"):
            one, other = (without_machines(text.decode()) for text in (one, other))
        assert one == other, path


def test_a_run_of_some_arms_is_rebuilt_as_that(files):
    """Not as a run of all arms that lacks most of its jobs."""
    have_run("small_trees.py", "--only", "PN")
    lab("report", "small_trees.py", "--only", "PN", "--out", "first")
    lab("archive", "results.parquet")
    done = lab("rebuild", "results.parquet", "small_trees.py", "--out", "again")
    assert done.status == 0
    first, again = ((files / folder / "report.md").read_text()
                    for folder in ("first", "again/small-trees"))
    assert "Not complete" not in again
    assert without_machines(first) == without_machines(again)
    ran("small_trees.py", "--only", "PPN")  # now the store has the runs of both
    lab("archive", "results.parquet")
    lab("rebuild", "results.parquet", "small_trees.py", "--out", "both")
    both = (files / "both/small-trees/report.md").read_text()
    assert "Not complete" not in both
    assert "| PPN | ppn" in both


@pytest.mark.long
def test_results_of_other_code_are_rebuilt_too(files, monkeypatch):
    """A release is rebuilt by a later version: rows go by what was to be done."""
    have_run("traced_trees.py")
    lab("report", "traced_trees.py", "--out", "first")
    lab("archive", "results.parquet")
    monkeypatch.setattr("zermelo.jobs.job.code_digest", lambda *args, **more: "later")
    lab("rebuild", "results.parquet", "traced_trees.py", "--out", "again")
    first, again = ((files / folder / "report.md").read_text()
                    for folder in ("first", "again/traced-trees"))
    assert "Not complete" not in again
    assert without_machines(first) == without_machines(again)


def test_a_store_comes_back_as_it_was(files):
    have_run("small_trees.py")
    store = Store(store_path())
    path = files / "r.parquet"
    write_archive(store, path)
    back = read_archive(path, files / "back.sqlite")
    assert back.raw("jobs") == store.raw("jobs")
    assert back.raw("runs") == store.raw("runs")
    assert list(back.every()) == list(store.every())
    told = (files / "r.parquet.sha256").read_text()
    assert told == f"{hashlib.sha256(path.read_bytes()).hexdigest()}  r.parquet\n"


def test_what_can_not_be_rebuilt_is_named(files):
    have_run("small_trees.py")
    lab("archive", "results.parquet")
    done = call("lab", "rebuild", "results.parquet", "--json")
    assert done.status == 10
    assert loads(done.out) == {"files": [], "notes": [
        "small-trees is in a file of its own: name the file to rebuild it"]}
    done = call("lab", "rebuild", "results.parquet", "connect-four-searches", "--out", "r")
    assert done.status == 10
    assert done.err.startswith("note: connect-four-searches: the data file connect-four/openings")


def test_names_of_an_archive_are_escaped(tmp_path):
    store = SimpleNamespace(runs=lambda: [{"experiment": "a\x1b[2K\nwrote 'b'"}])
    assert rebuild(store, tmp_path) == ([], [
        "a\\x1b[2K\\nwrote 'b' is in a file of its own: name the file to rebuild it"])
