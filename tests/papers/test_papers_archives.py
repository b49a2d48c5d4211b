"""The archives in results/: small, whole, and the reports beside them are what they give."""

from pathlib import Path

import pytest
from command import call

from zermelo.lab.archive import experiments_in, read_archive
from zermelo.lab.experiment import SOURCES

pytest.importorskip("pyarrow")
RESULTS = Path(__file__).parents[2] / "results"
ARCHIVES = sorted(RESULTS.glob("*/rows.parquet"))
MOST_BYTES = 2_000_000
REBUILT = "deep-pn-tie"


def without_machines(report):
    return report.partition("## Made with")[0]


def jobs_in(report):
    """How many jobs the report is made of, by its table of machines."""
    table = report.partition("**Machines**")[2].partition("To reproduce it")[0]
    return sum(int(line.split("|")[1].replace(",", "")) for line in table.splitlines()
               if line.startswith("| ") and line[2].isdigit())


@pytest.mark.parametrize("path", ARCHIVES, ids=lambda path: path.parent.name)
def test_an_archive_is_small_and_whole(path, tmp_path):
    assert path.stat().st_size < MOST_BYTES
    store = read_archive(path, tmp_path / "s")  # checks the digest
    _, rows = store.raw("jobs")
    assert rows
    assert len(rows) == jobs_in((path.parent / "report.md").read_text("utf-8"))
    runs = {run["experiment"] for run in store.runs()}
    (name,) = experiments_in(path) or runs
    assert path.parent.name.startswith(name)  # deep-pn-hex-100 is one of deep-pn-hex
    store.close()


@pytest.mark.parametrize("path", ARCHIVES, ids=lambda path: path.parent.name)
def test_an_archive_has_no_positions_of_others(path, tmp_path):
    """Those of other people's files are not ours to publish: such an archive is without any."""
    report = (path.parent / "report.md").read_text("utf-8")
    if any(words in report for words in (*SOURCES, "continuous_check_mates", "people's games")):
        rows = list(read_archive(path, tmp_path / "s").every())
        for row in rows:
            assert row["job_position"] is row["job_parameters"] is None
            assert "moves" not in row.get("played", ())
            assert "moves" not in row.get("root", ())


def test_a_report_is_rebuilt_from_its_archive(tmp_path, monkeypatch):
    monkeypatch.setattr("zermelo.jobs.work.perform", None)  # a search would fail
    done = call("lab", "rebuild", str(RESULTS / REBUILT / "rows.parquet"), "--out", str(tmp_path))
    assert done.status == 0, done.err
    again = (tmp_path / REBUILT / "report.md").read_text("utf-8")
    assert without_machines(again) == without_machines(
        (RESULTS / REBUILT / "report.md").read_text("utf-8"))
