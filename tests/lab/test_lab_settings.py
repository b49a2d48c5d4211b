"""What a run changed about its experiment: remembered, shown, and told beside published numbers."""

import re
import sqlite3

from command import call, loads
from lab_files import lab, prepare, ran, results_of

from zermelo.jobs.store import SCHEMA, Store
from zermelo.lab.experiment import store_path
from zermelo.lab.plan import Settings
from zermelo.lab.results import Results, all_tables


def test_status_lists_the_runs_that_changed_something(files):
    ran("small_trees.py", "--set", "nodes=300", "--set", "take=2")
    done = lab("status", "small_trees.py")
    assert re.search(r"small-trees +--set nodes=300 --set take=2 +PN +2 +2 +2 +2 +0", done.out)
    assert not re.search(r"small-trees +- ", done.out)  # nothing was run with no changes
    ran("small_trees.py", "--only", "PN")
    ran("small_trees.py", "--only", "PPN", "--seed", "7", "--set", "take=1")
    arms = loads(lab("status", "small_trees.py", "--json").out)["arms"]
    assert [(row["settings"], row["arm"], row["done"], row["of"]) for row in arms
            if row["arm"] != "judge"] == [
        ("--set nodes=300 --set take=2", "PN", 2, 2),
        ("--set nodes=300 --set take=2", "PPN", 4, 4),
        ("-", "PN", 6, 6), ("-", "PPN", 0, 12),
        ("--set take=1 --seed 7", "PN", 0, 1), ("--set take=1 --seed 7", "PPN", 2, 2)]
    asked = loads(lab("status", "small_trees.py", "--set", "take=3", "--json").out)["arms"]
    assert {row["settings"] for row in asked} == {"--set take=3"}


def test_settings_that_no_longer_fit_are_told(files):
    ran("small_trees.py", "--set", "PPN.playouts=3", "--set", "take=1")
    source = (files / "small_trees.py").read_text()
    (files / "small_trees.py").write_text(
        source.replace('Arm("PPN", zermelo.PPN(pr=0.2, playouts=2)', 'Arm("PN2", zermelo.PN2()'))
    done = lab("status", "small_trees.py")
    assert done.err.startswith("note: small_trees.py --set PPN.playouts=3 --set take=1: --set ")
    assert call("lab", "status", "small_trees.py", "--set", "PPN.playouts=3").status == 2


def test_a_report_without_the_words_of_the_run_names_them(files):
    ran("small_trees.py", "--set", "nodes=300", "--only", "PN")
    note = ("the store also has results of small-trees run with '--set nodes=300'; give the same "
            "words to see them")
    for command in ("report", "export"):
        done = lab(command, "small_trees.py", "--out", "r")
        assert (done.status, done.err) == (10, f"note: {note}\n")
    markdown = (files / "r" / "report.md").read_text()
    assert f"18 of 18 jobs have not been run.** Note: {note}." in markdown
    done = lab("report", "small_trees.py", "--out", "r", "--set", "nodes=300", "--only", "PN")
    assert (done.status, done.err) == (0, "")
    ran("small_trees.py", "--only", "PN")
    done = lab("report", "small_trees.py", "--out", "r", "--set", "nodes=200")
    assert "run with '--set nodes=300' and no changes; give" in done.err


def test_the_commands_of_a_report_have_all_words(files):
    words = ("--set", "take=2", "--only", "PN", "--seed", "3")
    ran("small_trees.py", *words)
    lab("report", "small_trees.py", *words, "--out", "r")
    markdown = (files / "r" / "report.md").read_text()
    for what in ("run", "report"):
        assert f"zermelo lab {what} small_trees.py --set take=2 --only PN --seed 3\n" in markdown


def test_settings_are_words_and_back():
    settings = Settings(True, ("PN, odd.nodes=1e6",), ("PN, odd",), 5)
    assert str(settings) == "--full --set 'PN, odd.nodes=1e6' --only 'PN, odd' --seed 5"
    assert Settings.from_dict(settings.to_dict()) == settings
    assert Settings.from_dict({}) == Settings()


def test_a_store_made_before_runs_had_settings_is_still_read(files):
    old = sqlite3.connect(store_path())
    schema = SCHEMA.replace("finished real, settings text", "finished real")
    assert schema != SCHEMA
    for statement in schema.split(";"):
        old.execute(statement)
    old.execute("insert into runs values ('r', 'small-trees', 'a command', '{}', 1.0, 2.0)")
    old.commit()
    old.close()
    store = Store(store_path())
    assert [(run["command"], run["settings"]) for run in store.runs()] == [("a command", {})]
    store.close()
    assert ran("small_trees.py", "--only", "PN")["ran"] == 6


def test_titles_and_notes_tell_the_size_of_the_run(files):
    source = (files / "small_trees.py").read_text()
    (files / "small_trees.py").write_text(
        source.replace('Table("Small trees"', 'Table("Concluded of {positions}"')
        .replace('"Concluded", y', '"Concluded of {positions}", y'))
    whole = ran("small_trees.py", "--only", "PN")["tables"][0]
    assert whole["title"] == "Concluded of 6 positions"
    assert whole["note"] == ("Published numbers are for the published sizes (--full), not for the "
                             "default ones.")
    done = lab("run", "small_trees.py", "--only", "PN", "--set", "take=1", "--quiet", "--backend",
               "in-process")
    changed = ("Published numbers are not for this run: it was changed with --set take=1 and has 1 "
               "position instead of 6.")
    assert done.out.startswith("Concluded of 1 position\n")
    assert changed in done.out.splitlines()
    lab("report", "small_trees.py", "--only", "PN", "--set", "take=1", "--out", "r")
    markdown = (files / "r" / "report.md").read_text()
    assert f"**Changed with --set: take=1.** {changed}" in markdown
    assert "![Concluded of 1 position](bars.svg)" in markdown
    full, _ = results_of("small_trees.py", full=True)
    assert all_tables(full)[0].note == ""


def test_a_row_written_while_results_are_read_is_not_of_another_version(files, monkeypatch):
    ran("small_trees.py", "--only", "PN", "--set", "take=2")
    results, store = results_of("small_trees.py", only=["PN"])
    job = next(job for digest, job in results.plan.jobs.items() if digest not in results.rows)
    by_task = store.by_task

    def meanwhile(tasks):
        other = Store(store_path())
        other.write(job, {"status": "done", "proved": True, "concluded": True, "value": "win"})
        other.close()
        return by_task(tasks)

    monkeypatch.setattr(store, "by_task", meanwhile)
    during = Results(results.plan, store)
    assert (during.done, during.other_versions) == (2, 0)
    assert not store.db.in_transaction
    assert Results(results.plan, store).done == 3


def test_a_full_disk_is_a_sentence_and_keeps_what_is_done(files, monkeypatch):
    begun = Store(store_path())  # at most so many pages, as on a disk that is full
    pages = begun.db.execute("pragma page_count").fetchone()[0]
    begun.close()
    connect = sqlite3.connect

    def small(*words, **options):
        made = connect(*words, **options)
        made.execute(f"pragma max_page_count = {pages + 3}")
        return made

    monkeypatch.setattr(sqlite3, "connect", small)
    done = call("lab", "run", "small_trees.py", "--backend", "in-process", "--set", "take=20",
                "--set", "trace=1")
    assert done.status == 3
    assert done.err.startswith("zermelo: the store '")
    assert done.err.endswith("can't be used any more: database or disk is full; finished results "
                             "are kept, and the same command goes on from there.\n")
    assert done.err.count("\n") == 1
    monkeypatch.undo()
    prepare(files, monkeypatch)
    kept = len(list(Store(store_path()).every()))
    whole = ran("small_trees.py", "--set", "take=20", "--set", "trace=1")
    assert kept > 0
    assert whole["done"] == whole["jobs"] == whole["ran"] + kept


def test_the_lab_alone_prints_its_help(files):
    done = call("lab")
    assert (done.status, done.err) == (0, "")
    assert done.out == call("lab", "--help").out
    assert "Usage: zermelo lab [OPTIONS] COMMAND" in done.out
