"""Archives without positions: nothing of a board is in them, and the reports are the same."""

import json
import zlib

import pytest
from command import call, loads
from lab_files import have_run, lab, ran

import zermelo
from zermelo.jobs.store import PACKED, Store
from zermelo.lab.archive import KEPT, KEPT_DETAILS, LEFT_OUT, NAMES, read_archive, without_position
from zermelo.lab.experiment import store_path

parquet = pytest.importorskip("pyarrow.parquet")

BOARDS = ["X.O/.X./..O X", "XO./.../..X O", ".../.O./X.. X"]
# Searches with traces, a judge with moves, and games, on boards of other people.
OTHERS = '''
from zermelo import PN, PP, PPN
from zermelo.lab import *

BOARDS = from_file("people/boards.txt", "tic-tac-toe", name="boards")
experiment = Experiment(
    title="On boards of others",
    positions=BOARDS,
    arms=[Arm("PN", PN(), nodes=200, memory="4MB", trace=5),
          Arm("PPN", PPN(pr=0.2, playouts=1), nodes=200, memory="4MB", trace=1, seeds=2),
          Arm("match", PN(), against=PP(), nodes=10, memory="4MB")],
    tables=[Table("Boards", ["wins", "mean nodes"], arms=["PN", "PPN"]),
            Table("Games", ["games", "points", "mean plies"], arms=["match"])],
    figures=[Figure("error", "error", "Wrong moves", arms=["PN", "PPN"])],
    claims=[Claim("PPN never errs", none_false("PPN"))],
    judge=Judge(moves=True, memory="4MB"),
)
'''


@pytest.fixture
def files(files, monkeypatch):
    (files / "data" / "people").mkdir(parents=True)
    (files / "data" / "people" / "boards.txt").write_text("\n".join(BOARDS))
    (files / "others.py").write_text(OTHERS)
    monkeypatch.setenv("ZERMELO_DATA", str(files / "data"))
    return files


def contents(folder):
    return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*.*")}


def test_the_reports_are_the_same(files, monkeypatch):
    have_run("others.py")
    lab("archive", "full.parquet")
    lab("archive", "part.parquet", "others.py", "--without-positions")
    monkeypatch.setattr("zermelo.jobs.work.perform", None)  # a search would fail
    for name in ("full", "part"):
        assert lab("rebuild", f"{name}.parquet", "others.py", "--out", name).status == 0
    full = contents(files / "full")
    assert {path.name for path in full} >= {"report.md", "error.svg"}
    assert contents(files / "part") == full
    report = (files / "full" / "others" / "report.md").read_text()
    assert "Not complete" not in report
    assert "for 6 of 6 positions, for 6 of them with a certificate" in " ".join(report.split())
    (files / "data" / "people" / "boards.txt").unlink()
    done = call("lab", "rebuild", "part.parquet", "others.py", "--out", "again")
    assert done.status == 10
    assert done.err.startswith("note: others.py: the data file people/boards.txt is missing")


def test_nothing_of_a_board_is_in_the_file(files):
    have_run("others.py")
    lab("archive", "bare.parquet", "--without-positions")
    table = parquet.read_table("bare.parquet")
    rows = table.to_pylist()
    assert len(rows) == len(Store(store_path()).raw("jobs")[1]) == 3 * (1 + 2 + 2 + 2)
    for row in rows:
        details = json.loads(zlib.decompress(row.pop("details")))
        assert [row[name] for name in ("job_position", "job_parameters", "message")] == [None] * 3
        told = json.dumps([row, details])
        assert not [rank for board in BOARDS for rank in board[:-2].split("/") if rank in told]
        assert "moves" not in details.get("played", ())
        assert "moves" not in details["root"] if "root" in details else row["job_kind"] == "play"
    kinds = {row["job_kind"] for row in rows}
    assert kinds == {"solve", "prove", "play"}
    assert not [board for board in BOARDS
                if board[:-2] in str(table.schema.metadata) + str(rows)]


def test_every_column_is_thought_of():
    """A new one is left out until it is said here that it tells no position."""
    left_out = {"job_position", "job_parameters"}
    changed = {"message", "details"}
    assert {*KEPT, *left_out, *changed} == set(NAMES)
    assert not {*KEPT} & (left_out | changed)
    assert set(KEPT_DETAILS) == set(PACKED)


def packed(**details):
    return zlib.compress(json.dumps(details).encode())


def test_what_is_kept_of_a_row():
    row = {**dict.fromkeys(NAMES), "digest": "d", "job_position": "X../... O", "status": "error",
           "job_parameters": '{"start": "X.."}', "message": "no board X../...", "move": "a1"}
    row["details"] = packed(
        root={"T": 600, "moves": ["a1", "b2"], "pn": "inf", "value": "win in 5", "board": "X..",
              "deep": None, "exact": True, "children": {"a1": 3}},
        counters={"seesaw": 3, "rscn_first": None, "best": "a1 b2"},
        trace=[{"iterations": 2, "question": 1, "line": ["a1"], "move": "a1",
                "root": {"p": 0.5, "path": "a1 b2"}}, {"iterations": 3, "root": {}}],
        good_moves=["a1", "c3"], search_seconds=0.5,
        played={"moves": ["a1", "b2"], "opening": 1, "outcome": "draw", "notes": "X../..."})
    found = without_position(row)
    assert list(found) == list(row)
    assert found["message"] == LEFT_OUT
    assert (found["digest"], found["move"]) == ("d", "a1")
    assert found["job_position"] is found["job_parameters"] is None
    assert json.loads(zlib.decompress(found["details"])) == {
        "root": {"T": 600, "pn": "inf", "value": "win in 5", "deep": None, "exact": True},
        "counters": {"seesaw": 3, "rscn_first": None},
        "trace": [{"iterations": 2, "question": 1, "root": {"p": 0.5}, "move": "a1"},
                  {"iterations": 3, "root": {}}],
        "good_moves": ["a1", "c3"], "search_seconds": 0.5,
        "played": {"opening": 1, "outcome": "draw"}}
    assert without_position(found) == found
    for status in ("timeout", "memory"):
        kept = without_position({**row, "status": status, "message": "killed after 3 s"})
        assert kept["message"] == "killed after 3 s"


def test_a_store_goes_on_with_rows_that_have_none(files):
    """Runs, reports, exports and comparisons need the plan's positions only."""
    have_run("others.py")
    lab("archive", "bare.parquet", "--without-positions")
    lab("export", "others.py", "--out", "first")
    lab("restore", "bare.parquet", "--store", "bare.sqlite")
    again = ran("others.py", "--store", "bare.sqlite")
    assert (again["ran"], again["done"]) == (0, again["jobs"])
    lab("export", "others.py", "--store", "bare.sqlite", "--out", "again")
    first, second = ((files / name / "jobs.csv").read_text().splitlines()
                     for name in ("first", "again"))
    assert [line for line in first if ",match," not in line] == \
        [line for line in second if ",match," not in line]
    assert len(first) == len(second)
    for words in (["lab.sqlite", "bare.sqlite"], ["bare.sqlite", "first/jobs.csv"],
                  ["bare.sqlite", "--arm", "pn", "--arm", "ppn pr=0.2 playouts=1"],
                  ["lab.sqlite", "bare.sqlite", "--arm", "pn"]):
        done = lab("compare", *words, "--json")
        assert (done.status, loads(done.out)["both"] >= 3) == (0, True)
    done = call("lab", "compare", "bare.sqlite", "first/jobs.csv", "--arm", "pn", "--arm", "PN")
    assert done.status == 2
    assert "'bare.sqlite' has results without their positions, by which those of" in done.err
    lab("archive", "back.parquet", "--store", "bare.sqlite")  # nothing comes back by that
    assert {row["job_position"] for row in read_archive(
        files / "back.parquet", files / "s").every()} == {None}


def test_rows_without_a_position_that_disagree(files):
    have_run("others.py", "--only", "PN")
    lab("archive", "bare.parquet", "--without-positions")
    for name in ("a.sqlite", "b.sqlite"):
        lab("restore", "bare.parquet", "--store", name)
    store = Store("b.sqlite")
    store.db.execute("update jobs set value = 'loss', made_nodes = 7 where job_search = 'pn'")
    store.close()
    done = call("lab", "compare", "a.sqlite", "b.sqlite", "--arm", "pn")
    assert done.status == 1
    assert "proofs contradict each other on -: " in done.out
    done = call("lab", "compare", "a.sqlite", "b.sqlite")
    assert done.status == 1
    assert {tuple(line.split()[:3]) for line in done.out.splitlines()[-4:]} == {
        ("pn", "-", "nodes"), ("pn", "-", "value")}
    lab("report", "others.py", "--only", "PN", "--store", "b.sqlite", "--out", "r")
    # The judge has proved them, too, and the report has the boards from their file.
    assert "tic-tac-toe X.O/.X./..O X: " in (files / "r" / "report.md").read_text()


def test_games_without_their_moves_are_played_again(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    words = {"games": 2, "plies": 2, "nodes": 20, "memory": "4MB", "workers": 1,
             "backend": "in-process"}
    first = zermelo.match(zermelo.game("tic-tac-toe"), "pn", "pp", store=tmp_path / "s", **words)
    lab("archive", str(tmp_path / "a.parquet"), "--store", str(tmp_path / "s"),
        "--without-positions")
    lab("restore", str(tmp_path / "a.parquet"), "--store", str(tmp_path / "b"))
    again = zermelo.match(zermelo.game("tic-tac-toe"), "pn", "pp", store=tmp_path / "b", **words)
    assert (first.ran, again.ran) == (2, 2)
    assert [game.moves for game in first.games] == [game.moves for game in again.games]
