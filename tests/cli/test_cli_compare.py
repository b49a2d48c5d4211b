"""compare on positions and files, and what an interrupt leaves of every command."""

from importlib import import_module

import pytest
from command import call, loads

import zermelo
from zermelo.solving.session import Session

pytestmark = pytest.mark.usefixtures("without_jit")

ONE_MOVE = "a1 b1 a2 b2"  # a3 wins, and nothing else does
POSITIONS = f"""# two wins and a loss, with comments and an empty line

{ONE_MOVE}
  # another comment
a1 b1 a2
b3 a1 b2 a2
"""


def test_compare_prints_a_table():
    done = call("compare", "tic-tac-toe", ONE_MOVE, "-s", "pn", "-s", "ppn:playouts=2")
    assert (done.status, done.err) == (0, "")
    header, rule, *rows = done.out.splitlines()
    assert header.split() == ["position", "search", "value", "proved", "move", "nodes",
                              "iterations", "seconds", "compile", "stopped"]
    assert set(rule) == {"-", " "}
    assert [row.split()[:6] for row in rows] == [
        ["0", "pn", "win", "yes", "a3", "6"], ["0", "ppn:playouts=2", "win", "yes", "a3", "6"]]


def test_compare_runs_all_searches_by_default():
    done = call("compare", "tic-tac-toe", ONE_MOVE, "--json")
    assert done.status == 0
    rows = [loads(line) for line in done.out.splitlines()]
    assert [row["search"] for row in rows] == list(zermelo.SEARCHES)
    assert {row["value"] for row in rows} == {"win"}
    for row in rows:
        solved = zermelo.solve(zermelo.game("tic-tac-toe").parse(ONE_MOVE), row["search"])
        assert list(row) == ["index", *solved.to_dict()]
    assert {row["goal"] for row in rows} == {"win"}


@pytest.mark.parametrize("workers", ["1", "2"])
def test_compare_reads_a_file_with_comments(tmp_path, workers):
    (tmp_path / "positions.txt").write_text(POSITIONS)
    words = ["compare", "tic-tac-toe", "--file", str(tmp_path / "positions.txt"), "-s", "pn", "-s",
             "mcts:playouts=1", "--workers", workers]
    done = call(*words, "--goal", "value", "--json")
    rows = [loads(line) for line in done.out.splitlines()]
    assert [(row["index"], row["search"]) for row in rows] == [
        (i, search) for i in range(3) for search in ("pn", "mcts")]
    assert [row["value"] for row in rows[::2]] == ["win", "loss", "win"]
    done = call(*words)
    assert (done.status, done.err) == (0, "")
    table, summary = done.out.split("\n\n")
    assert len(table.splitlines()) == 2 + 6
    assert summary.splitlines()[0].split() == ["search", "positions", "proved", "concluded", "wins",
                                               "nodes", "seconds"]
    assert summary.splitlines()[2].split()[:5] == ["pn", "3", "3", "3", "2"]
    assert call(*words[:3], "-", *words[4:], stdin=POSITIONS.encode()).status == 0


def test_compare_says_so_if_not_all_is_proved():
    unproved = ["compare", "tic-tac-toe", "start", "-s", "ppn:pr=0.5,playouts=1"]
    assert call(*unproved).status == 11
    done = call(*unproved, "-s", "pn", "--nodes", "5")
    assert done.status == 10
    assert [line.split()[3] for line in done.out.splitlines()[2:]] == ["concluded", "no"]


def test_a_bad_line_is_named_and_nothing_is_searched(tmp_path, monkeypatch):
    (tmp_path / "bad.txt").write_text(f"{ONE_MOVE}\n# fine\n\na1 b9\n")
    monkeypatch.setattr(Session, "run", None)
    done = call("compare", "tic-tac-toe", "--file", str(tmp_path / "bad.txt"))
    assert (done.status, done.out) == (2, "")
    assert "bad.txt', line 4: tic-tac-toe: move 2: 'b9' is not a square" in done.err
    assert done.err.count("\n") == 1


def test_a_link_is_no_comment(tmp_path):
    (tmp_path / "links").write_text("#3c1,a1b2\n#comment\n")
    done = call("compare", "hex", "-g", "size=3", "--file", str(tmp_path / "links"), "-s", "pn",
                "--nodes", "2", "--json")
    assert [loads(line)["position"] for line in done.out.splitlines()] == ["3x3: a1 b2"]


def interrupt_at(monkeypatch, method, turn):
    """Ctrl-C in the ``turn``-th call of a method of Session."""
    real, calls = getattr(Session, method), []

    def interrupted(self, *arguments):
        calls.append(1)
        if len(calls) == turn:
            raise KeyboardInterrupt
        return real(self, *arguments)

    monkeypatch.setattr(Session, method, interrupted)
    monkeypatch.setattr(import_module("zermelo.solving.session"), "FIRST_SLICE", 64)


def test_an_interrupt_keeps_the_partial_result(monkeypatch):
    for search, fewest in (("pn", 20), ("weak-df-pn", 3)):
        words = ("solve", "tic-tac-toe", "--plain", "-s", search)
        interrupt_at(monkeypatch, "_slice", 3)
        answer = loads(call(*words, "--json").out)
        assert (answer["value"], answer["stopped"]) == ("unknown", "interrupted")
        assert answer["nodes"] >= fewest
        interrupt_at(monkeypatch, "_slice", 3)
        assert "unknown: stopped by an interrupt" in call(*words).out


def test_an_interrupt_while_compiling_keeps_nothing(monkeypatch):
    interrupt_at(monkeypatch, "ask", 1)
    assert call("solve", "tic-tac-toe") == (130, "", "zermelo: interrupted.\n")


def test_an_interrupt_keeps_the_rows_and_moves_that_are_there(monkeypatch):
    interrupt_at(monkeypatch, "_slice", 6)
    done = call("analyze", "tic-tac-toe", "a1 b1 a2", "--unique", "--json")
    answer = loads(done.out)
    assert (done.status, answer["value"], answer["stopped"]) == (10, "unknown", "interrupted")
    assert {row["stopped"] for row in answer["moves"]} == {"solved", "interrupted"}
    words = ["compare", "tic-tac-toe", ONE_MOVE, "-s", "pn", "-s", "pp", "-s", "mcpn"]
    for method in ("_slice", "ask"):
        interrupt_at(monkeypatch, method, 2)
        done = call(*words)
        kept = 2 if method == "_slice" else 1
        assert done.status == 10
        assert done.err == f"zermelo: interrupted after {kept} of 3 runs.\n"
        assert [line.split()[1] for line in done.out.splitlines()[2:]] == ["pn", "pp"][:kept]
        monkeypatch.undo()
        monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
