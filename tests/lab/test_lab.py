"""The lab in one process: runs, judging, tables, reports, export, compare."""

import csv
import hashlib
import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import pytest
from command import call, loads
from lab_files import have_run, lab, ran, results_of

import zermelo
from zermelo.jobs.store import Store
from zermelo.lab.columns import heading, text
from zermelo.lab.experiment import experiment, experiment_names, store_path
from zermelo.lab.plan import plan_of

pytestmark = pytest.mark.usefixtures("without_jit")


def test_a_users_file_runs_resumes_and_grows(files):
    first = ran("small_trees.py", "--only", "PN", "--set", "take=2")
    assert (first["jobs"], first["ran"], first["experiment"]) == (2, 2, "small-trees")
    assert ran("small_trees.py", "--only", "PN", "--set", "take=2")["ran"] == 0
    assert ran("small_trees.py", "--only", "PN", "--set", "take=4")["ran"] == 2
    whole = ran("small_trees.py")
    assert (whole["jobs"], whole["ran"]) == (18, 14)
    table = whole["tables"][0]
    assert table["columns"][:6] == ["arm", "jobs", "proved", "concluded", "concluded, published",
                                    "false / known"]
    pn, ppn = (dict(zip(table["columns"], row, strict=True)) for row in table["rows"])
    assert [pn[name] for name in ("jobs", "proved", "concluded, published", "false / known")] == [
        "6", "6", "6", "0 / 6"]
    assert ppn["jobs"] == ppn["concluded"] == "12"
    assert re.fullmatch(r"[1-9] / 12", ppn["false / known"])
    assert pn["mean nodes of common, % of PN"] == "100.0"
    assert float(ppn["mean nodes of common, % of PN"]) < 20


def test_a_conclusion_is_judged_by_a_proof_of_its_own(files):
    answer = ran("small_trees.py", "--only", "PPN")
    assert answer["jobs"] == 12 + 6  # and a proof for each position
    results, store = results_of("small_trees.py", only=["PPN"])
    assert (len(results.judged), len(results.certified), results.complete) == (6, 6, True)
    wrong = [entry for entry in results.entries if entry.verdict == "false"]
    assert wrong
    for entry in wrong:
        position = results.plan.positions[entry.cell.set, entry.cell.id]
        true = zermelo.solve(position, "pn", goal="win", plain=True)
        assert (true.value == entry.known, true.value != entry.row["value"]) == (True, True)
    assert results.number("known") == 12
    assert results.number("not judged") == 0
    # Without the proofs the same conclusions are not judged, and never called true.
    store.db.execute("delete from jobs where job_kind = 'prove'")
    again, _ = results_of("small_trees.py", only=["PPN"])
    assert (again.number("known"), again.number("not judged")) == (0, 12)
    assert not again.complete


def test_the_proofs_of_one_judge_serve_others(files):
    have_run("small_trees.py", "--only", "PPN")
    again = ran("small_trees.py", "--only", "PPN", "--set", "judge.nodes=30000")
    assert (again["ran"], again["jobs"]) == (0, 12)
    assert results_of("small_trees.py", only=["PPN"], changes=["judge.nodes=30000"])[0].complete
    with_moves = ran("small_trees.py", "--only", "PPN", "--set", "judge.moves=true")
    assert with_moves["ran"] == 6


def test_proofs_that_contradict_each_other_are_told(files):
    have_run("small_trees.py")
    store = Store(store_path())
    store.db.execute("update jobs set value = 'win' where proved = 1 and value = 'not-win' and "
                     "rowid = (select min(rowid) from jobs where proved = 1 and value = 'not-win')")
    rows = [row for row in store.every() if row["proved"]]
    job = plan_of(experiment("small_trees.py")).cells[0].job
    true = next(row for row in rows if row["question"] == job.question)["value"]
    other = {"win": "not-win", "not-win": "win"}[true]
    store.write(replace(job, seed=77), {"status": "done", "value": other, "proved": True,
                                        "concluded": True})
    store.close()
    lab("report", "small_trees.py", "--out", "r")
    assert "contradict each other, which is a bug" in (files / "r" / "report.md").read_text()


def test_a_report_says_all(files):
    have_run("small_trees.py")
    done = lab("report", "small_trees.py", "--out", "r")
    assert done.status == 0
    written = {path.name for path in (files / "r").iterdir()}
    assert written == {"report.md", "report.html", "bars.svg", "bars.png", "cactus.svg",
                       "cactus.png"}
    markdown = (files / "r" / "report.md").read_text()
    page = (files / "r" / "report.html").read_text()
    for said in ("small-trees: PN and PPN on small trees", "A test.", "concluded, published",
                 "Nothing does.", "zermelo lab run small_trees.py", "AMD|processor", "numba",
                 "PN concludes all six", "does not hold", "measured 6, published 6",
                 "zermelo lab report small_trees.py", "seed from 100 to 119"):
        assert re.search(said, markdown), said
        assert re.search(said, page), said
    assert str(files) not in markdown + page
    assert "src=" not in page  # nothing to fetch
    assert page.count("<svg") == 2
    Checker().check(page)
    for name in ("bars", "cactus"):
        ElementTree.parse(files / "r" / f"{name}.svg")
        assert (files / "r" / f"{name}.png").read_bytes().startswith(b"\x89PNG")


class Checker(HTMLParser):
    """Every element is closed, and no id is there twice."""

    def check(self, page):
        self.open, self.ids = [], set()
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attrs):
        if tag not in ("meta", "br"):
            self.open.append(tag)
        for name, value in attrs:
            if name == "id":
                assert value not in self.ids
                self.ids.add(value)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_a_report_of_half_a_run_says_so(files):
    have_run("small_trees.py", "--only", "PN")
    done = lab("report", "small_trees.py", "--out", "r")
    assert done.status == 10
    markdown = (files / "r" / "report.md").read_text()
    assert "**Not complete: 12 of 18 jobs have not been run.**" in markdown
    assert "| PPN | - |" in markdown
    assert "| PPN never errs | - | not judged |" in markdown
    done = lab("report", "small_trees.py", "--out", "r", "--set", "nodes=5")
    markdown = (files / "r" / "report.md").read_text()
    assert "so far -; the experiment was changed with --set" in markdown
    assert "18 of 18 jobs have not been run" in markdown
    assert "**Changed with --set: nodes=5.**" in markdown


@pytest.mark.long
def test_traces_labels_and_error_rates(files):
    answer = ran("traced_trees.py")
    by_set, one_arm = answer["tables"]
    assert [row[0] for row in by_set["rows"]] == ["depth 4", "depth 5"]
    assert by_set["columns"][-3:] == ["ids", "par2 nodes", "median iterations"]
    assert [row[-3] for row in by_set["rows"]] == ["6", "6"]
    assert (one_arm["note"], len(one_arm["rows"])) == ("A note.", 2)
    results, _ = results_of("traced_trees.py")
    assert [arm.name for arm in results.plan.arms] == [
        "ppn pr=none theta=0.01", "ppn pr=none theta=0.1", "ppn pr=0.3 theta=0.01",
        "ppn pr=0.3 theta=0.1", "UCT", "PN"]
    assert {entry.cell.set for entry in results.select("PN")} == {"depth 4"}
    lab("report", "traced_trees.py", "--out", "r")
    assert {path.stem for path in (files / "r").glob("*.svg")} == {"lines", "theta", "p", "error"}
    check_error_rates(results)


def check_error_rates(results):
    """The curve of PN, from what the store holds, position by position."""
    from zermelo.lab.series import error_rates

    points = dict(error_rates(results, results.plan.experiment.figures[3])["PN"])
    entries = results.select("PN")
    for x in (1, 3, 5):
        wrong = 0
        for entry in entries:
            true = zermelo.analyze(results.plan.positions[entry.cell.set, entry.cell.id])
            good = {move.move for move in true.moves if move.value == "win"}
            seen = [s["move"] for s in entry.row["trace"] if s["iterations"] <= x]
            over = entry.row["iterations"] <= x
            chosen = entry.row["move"] if over else seen[-1]
            wrong += bool(good) and chosen not in good
        assert points[x] == wrong / len(entries)
    assert max(points.values()) > 0


def test_export_holds_every_row_and_its_digests(files):
    have_run("small_trees.py")
    assert lab("export", "small_trees.py", "--out", "e").status == 0
    with open(files / "e" / "jobs.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 18
    assert {row["verdict"] for row in rows if row["arm"] == "PN"} == {"true"}
    assert all(len(row["digest"]) == 32 and row["code"] and row["version"] for row in rows)
    facts = json.loads((files / "e" / "environment.json").read_text())
    assert facts["runs"][0]["command"] == "zermelo lab run small_trees.py"
    assert facts["runs"][0]["cores"] >= 1
    sums = dict(reversed(line.split("  ")) for line in
                (files / "e" / "SHA256SUMS").read_text().splitlines())
    assert sums["jobs.csv"] == hashlib.sha256((files / "e" / "jobs.csv").read_bytes()).hexdigest()


def test_parquet_holds_the_same_and_every_column_has_its_type(files):
    from pyarrow import parquet

    have_run("small_trees.py", "--only", "PN")
    lab("export", "small_trees.py", "--only", "PN", "--out", "e", "--parquet")
    table = parquet.read_table(files / "e" / "jobs.parquet")
    with open(files / "e" / "jobs.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert table.num_rows == len(rows) == 6
    types = {column.name: str(column.type) for column in table.schema}
    assert [types[name] for name in ("message", "limit_time", "nodes", "proved", "played")] == [
        "string", "double", "int64", "bool", "string"]
    assert "null" not in types.values()
    assert set(table["limit_time"].to_pylist()) == {None}
    assert [str(nodes) for nodes in table["nodes"].to_pylist()] == [row["nodes"] for row in rows]
    assert [str(one) for one in table["proved"].to_pylist()] == [row["proved"] for row in rows]


def test_status_and_list(files):
    have_run("small_trees.py", "--only", "PPN")
    done = lab("status", "small_trees.py")
    assert re.search(r"small-trees +- +PN +0 +6 +0 +0 +0", done.out)
    assert re.search(r"small-trees +- +PPN +12 +12 +0 +12 +0", done.out)
    assert re.search(r"small-trees +- +judge +6 +6 +6 +6 +0", done.out)
    assert "0 jobs are being worked on now" in done.out
    assert loads(lab("status", "--json").out) == {"at_work": 0, "arms": []}
    assert "also started, from files of their own: small-trees" in lab("status").out
    done = lab("list")
    assert re.search(r"connect-four-searches +20 min +90 min +PN, PPN and MCPN", done.out)
    assert loads(lab("list", "--json").out.splitlines()[0])["experiment"] in experiment_names()


def test_a_list_needs_no_compiler(files):
    program = ("import sys; from zermelo.cli import run; run(['lab', 'list']); "
               "sys.exit('numba' in sys.modules or 'matplotlib' in sys.modules)")
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                          env={**os.environ, "NUMBA_DISABLE_JIT": "0"})
    assert done.returncode == 0, done.stderr


def test_progress_on_standard_error(files, monkeypatch):
    monkeypatch.setattr("zermelo.cli.terminal.IN_LOG", 0.0)
    done = lab("run", "small_trees.py", "--backend", "in-process")
    assert re.search(r"jobs [0-9]+ of 18, [0-9]+ proved, 0:0[0-9], about 0:0[0-9] left", done.err)
    assert "18 of 18 jobs done, 18 of them now, in 0:0" in done.out
    assert lab("run", "small_trees.py", "--quiet").err == ""


def test_an_interrupt_in_process_keeps_what_there_is(files, monkeypatch):
    from zermelo.jobs import hire

    perform, count = hire.perform, [0]

    def interrupted(job):
        count[0] += 1
        return {"status": "done", "stopped": "interrupted"} if count[0] == 4 else perform(job)

    monkeypatch.setattr("zermelo.jobs.hire.perform", interrupted)
    done = call("lab", "run", "small_trees.py", "--backend", "in-process")
    assert done.status == 10
    assert "3 of 18 jobs done" in done.out
    assert "interrupted: run the same command again to continue" in done.out
    assert ran("small_trees.py")["ran"] == 15


def test_an_interrupt_before_the_first_job_leaves_a_closed_store(files, monkeypatch):
    def interrupted(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("zermelo.jobs.workers.hire", interrupted)
    assert call("lab", "run", "small_trees.py") == (130, "", "zermelo: interrupted.\n")
    assert [path.name for path in files.glob("lab.sqlite*")] == ["lab.sqlite"]


def test_the_end_of_a_run_says_what_failed_and_why(files, monkeypatch):
    ends = iter([{"status": "crash", "message": "signal 6: no\x1b such " + 40 * "thing "},
                 *[{"status": "memory", "message": "out of memory"}] * 2,
                 {"status": "timeout", "message": "killed after 9 s"},
                 *[{"status": "error", "message": "a bug"}] * 2])
    monkeypatch.setattr("zermelo.jobs.hire.perform", lambda job: next(ends))
    words = ("lab", "run", "small_trees.py", "--only", "PN", "--backend", "in-process")
    done = call(*words)
    assert done.status == 0
    first, second = done.out.splitlines()[-2:]
    assert first.startswith("6 of 6 jobs done, 6 of them now, in 0:0")
    assert first.endswith("; 1 crashed, 2 ended with an error, 2 ran out of memory, 1 was killed "
                          "after its time")
    assert re.fullmatch(r"the first that failed: signal 6: no\\x1b such (thing )+th \.\.\.; "
                        "--retry runs those again", second)
    assert len(second) < 160
    ends = iter([{"status": "timeout", "message": None}] * 6)
    assert "; 6 were killed after their time\n" in call(*words, "--retry").out


def test_results_of_another_version_are_shown_only_when_asked_for(files):
    have_run("small_trees.py", "--only", "PN")
    store = Store(store_path())
    store.db.execute("update jobs set digest = 'x' || digest, job_code = 'other'")
    store.close()
    assert lab("report", "small_trees.py", "--only", "PN", "--out", "r").status == 10
    assert "6 were run by another version" in (files / "r" / "report.md").read_text()
    assert lab("report", "small_trees.py", "--only", "PN", "--out", "r", "--older").status == 0
    assert ran("small_trees.py", "--only", "PN")["ran"] == 6


def test_words_for_columns():
    assert heading("mean cpu_seconds of common") == "mean cpu time of common (s)"
    assert heading("mean nodes vs PN") == "mean nodes, % of PN"
    assert heading("median peak_rss") == "median peak rss (bytes)"
    assert [text(x) for x in (None, 7, 12345, 1234.5, 12.34, 0.01234, "a")] == [
        "-", "7", "12,345", "1,234", "12.3", "0.0123", "a"]


def test_the_page_shows_the_whole_example():
    root = Path(__file__).parents[2]
    example = (root / "examples" / "random_trees.py").read_text().partition('"""\n\n')[2]
    page = root / "docs" / "how-to" / "write-an-experiment.md"
    assert f"```py\n{example}```" in page.read_text()
