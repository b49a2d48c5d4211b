"""compare on positions and files, what an interrupt leaves of every command, and play."""

import io
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


@pytest.fixture
def table(monkeypatch):
    def sit_down(typed, *words):
        monkeypatch.setattr("builtins.input", reader(typed))
        return call("play", *words, "--nodes", "20000", "--quiet")

    return sit_down


def reader(typed):
    """``input`` from a text, with the prompt printed as it would be."""
    lines = io.StringIO(typed)

    def read(prompt=""):
        print(prompt, end="")
        line = lines.readline()
        if not line:
            raise EOFError
        return line

    return read


@pytest.mark.parametrize(("typed", "words", "middle", "end"), [
    ("a3\n", ["a1 b1 a2 b2"], "", "the game is over\nX wins\nmoves a3\n"),
    ("c1\n", ["a1 b1 a2 b2"], "O plays b3 (O wins: proved)", "O wins\nmoves c1 b3\n"),
    ("", ["a1 b2 c3 a3", "--side", "O"], "X plays c1 (", "O: \nmoves c1\n"),
    ("a1\na2\nb1\nb2\nc1\n", ["--side", "both"], "", "X wins\nmoves a1 a2 b1 b2 c1\n"),
    ("c3\n", ["a1 b2 b1 c1 a3 a2 c2 b3", "--side", "X"], "", "draw\nmoves c3\n"),
])
def test_games_are_played_to_their_end(table, typed, words, middle, end):
    """By the machine too, which plays the win that it proves, and begins for the other side."""
    done = table(typed, "tic-tac-toe", *words)
    assert (done.status, done.err) == (0, "")
    assert middle in done.out
    assert ("plays" in done.out) == bool(middle)
    assert done.out.endswith(end)


def test_words(table):
    done = table("moves\nhint\nnonsense\n?\nb2\nundo\nquit\n", "tic-tac-toe")
    assert (done.status, done.err) == (0, "")
    assert "a3 b3 c3 a2 b2 c2 a1 b1 c1" in done.out
    assert "(draw: proved)" in done.out
    assert "'nonsense' is not a square" in done.out
    assert done.out.count("a move, or one of the words moves, hint, undo, quit") == 2
    assert "moves b2" not in done.out  # it was taken back, with the reply to it


def test_an_unproved_move_is_called_a_guess(monkeypatch, table):
    monkeypatch.setattr("builtins.input", reader(""))
    done = call("play", "connect-four", "-g", "columns=4", "-g", "rows=4", "--side", "O",
                "--nodes", "150", "--quiet", "-s", "pn")
    assert "X plays " in done.out
    assert "not proved" in done.out


def test_ctrl_c_keeps_the_moves(monkeypatch, table):
    typed = iter(["a1"])

    def read(prompt=""):
        for move in typed:
            return move
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", read)
    done = call("play", "tic-tac-toe", "--side", "both", "--quiet")
    assert (done.status, done.out.splitlines()[-1]) == (0, "moves a1")


def test_ctrl_c_while_the_machine_thinks_ends_the_game(monkeypatch, table):
    def interrupted(session, limits, progress):
        session.ask(session.first, 1 << 20)
        return session.result()

    monkeypatch.setattr("zermelo.solving.session.Session.run", interrupted)
    done = table("b2\n", "tic-tac-toe")
    assert done.status == 0
    assert "plays" not in done.out
    assert done.out.endswith("O to move\nmoves b2\n")


def test_sides_that_nobody_has(table):
    done = table("", "tic-tac-toe", "--side", "green")
    assert done.status == 2
    assert "--side 'green' is not a side; valid are X, O and both." in done.err


def test_sides_have_all_their_names():
    game = zermelo.game("othello")
    assert game.player_called("black") == game.player_called(game.players[0]) == 0
