"""Every command, called in this process and without the JIT: what is printed, and the status."""

import json
import sys
import time
from contextlib import suppress
from dataclasses import fields
from pathlib import Path

import pytest
from command import call, loads

import zermelo
from zermelo.cli import run, show
from zermelo.compiler import compile_stats
from zermelo.errors import one_line
from zermelo.solving.result import Progress
from zermelo.solving.session import Session

pytestmark = pytest.mark.usefixtures("without_jit")

EXAMPLES = Path(__file__).parents[2] / "examples"
ONE_MOVE = "a1 b1 a2 b2"  # tic-tac-toe: a3 wins, and nothing else does
PN = ("-s", "pn", "--plain")  # counts that a game's knowledge does not change
OTHELLO = "-----XO--OX-----"
RESULT = {
    "game": str, "parameters": dict, "position": str, "to_move": str, "search": str,
    "options": dict, "seed": int, "goal": str, "value": str, "proved": bool, "concluded": bool,
    "stopped": str, "move": (str, type(None)), "turn": list, "line": list, "nodes": int,
    "iterations": int, "seconds": float, "compile_seconds": float, "peak_bytes": int, "root": dict,
    "moves": list, "guess": (dict, type(None)),
}
COUNTERS = ["visits", "expansions", "seesaw", "settled", "exact"]
ANALYSIS = [
    "game", "parameters", "position", "to_move", "search", "options", "seed", "goal", "value",
    "proved", "concluded", "stopped", "line", "nodes", "seconds", "compile_seconds", "moves",
    "unique", "decisions", "guess",
]


def solve_json(*words, status, stdin=b""):
    done = call("solve", *words, "--json", stdin=stdin)
    assert (done.status, done.err) == (status, "")
    assert done.out.count("\n") == 1
    return loads(done.out)


def test_solve_prints_the_position_the_answer_and_the_cost():
    done = call("solve", "tic-tac-toe", ONE_MOVE)
    assert done.status == 0
    assert done.err == ""
    lines = done.out.splitlines()
    assert lines[:4] == ["3 . . .", "2 X O .", "1 X O .", "  a b c"]
    assert lines[5:9] == ["X to move", "X wins: proved", "move a3", "line a3"]
    assert lines[9].startswith("weak-df-pn: 1 visit, 1 expansion, seesaw 0, ")
    assert lines[9].endswith("root pn 0, dn inf")
    best_first = call("solve", "tic-tac-toe", ONE_MOVE, *PN).out.splitlines()
    assert best_first[:9] == lines[:9]
    assert best_first[9].startswith("pn: 6 nodes, 1 iteration, ")


def test_json_has_the_fields_of_the_design_in_order():
    default = solve_json("tic-tac-toe", ONE_MOVE, status=0)
    assert default["search"] == zermelo.solve(zermelo.game("tic-tac-toe").start()).search.id
    assert list(default) == [*list(RESULT)[:-1], *COUNTERS, "guess"]
    answer = solve_json("tic-tac-toe", ONE_MOVE, "-s", "pn", status=0)
    assert list(answer) == list(RESULT)
    for name, kind in RESULT.items():
        assert isinstance(answer[name], kind), name
        assert not isinstance(answer[name], bool) or kind is bool, name
    assert answer["position"] == ".../XO./XO. X"
    assert (answer["game"], answer["search"], answer["goal"]) == ("tic-tac-toe", "pn", "value")
    assert (answer["value"], answer["stopped"], answer["move"]) == ("win", "solved", "a3")
    assert answer["line"] == ["a3"]
    assert answer["root"] == {"pn": 0, "dn": "inf"}
    assert answer["moves"][0] == {
        "move": "a3", "value": "win", "proved": True, "pn": 0, "dn": "inf"}
    assert [row["move"] for row in answer["moves"]] == ["a3", "b3", "c3", "c2", "c1"]


@pytest.mark.parametrize("search", zermelo.SEARCHES)
def test_json_of_every_search_is_the_result_of_the_library(search):
    answer = solve_json("tic-tac-toe", ONE_MOVE, "-s", search, status=0)
    result = zermelo.solve(zermelo.game("tic-tac-toe").parse(ONE_MOVE), search).to_dict()
    for record in (answer, result):
        assert record.pop("seconds") >= 0
        assert record.pop("compile_seconds") >= 0
    assert answer.pop("guess") is None
    assert answer.pop("peak_bytes") >= result.pop("peak_bytes") > 0  # solve() tries a small table
    assert answer == json.loads(json.dumps(result))


@pytest.mark.parametrize(
    ("words", "status", "value", "stopped"),
    [
        (["tic-tac-toe", ONE_MOVE], 0, "win", "solved"),
        (["tic-tac-toe", "a1 b1 a2"], 0, "loss", "solved"),
        (["tic-tac-toe", "a1 b1 a2", "--goal", "win"], 0, "not-win", "solved"),
        (["tic-tac-toe", "a1 b2 c3 a3 c1 b1 c2"], 0, "loss", "solved"),
        (["tic-tac-toe", "XOX/XOO/OX. X"], 0, "draw", "solved"),
        (["tic-tac-toe", "XOX/XOO/OXX O"], 0, "draw", "solved"),
        (["tic-tac-toe", "start", "--nodes", "20", "--plain"], 10, "unknown", "nodes"),
        (["tic-tac-toe", "start", "--time", "0.000001"], 10, "unknown", "time"),
        (["tic-tac-toe", "start", "--memory", "1B", *PN], 10, "unknown", "memory"),
        (["tic-tac-toe", "b2 a1 c3", "--memory", "1B"], 0, "draw", "solved"),
        (["tic-tac-toe", "-s", "ppn:pr=0.5,playouts=3", "--goal", "win"], 11, "win", "precision"),
    ],
)
def test_statuses_and_why_a_search_stopped(words, status, value, stopped):
    answer = solve_json(*words, status=status)
    assert (answer["value"], answer["stopped"]) == (value, stopped)
    assert answer["proved"] is (status == 0)
    assert answer["concluded"] is (status != 10)
    done = call("solve", *words)
    assert (done.status, done.err) == (status, "")


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["a1 b1 a2"], "X wins: proved"),
        (["a1 b1 a2", "--goal", "win"], "O does not win: proved"),
        (["XOX/XOO/OX. X"], "draw: proved"),
        (["--nodes", "9", "--plain"], "unknown: stopped by the node limit"),
        (["--time", "1e-6"], "unknown: stopped by the time limit"),
        (["--memory", "100", *PN], "unknown: stopped by the memory limit"),
        (["-s", "ppn", "-p", "pr=0.5"], "X wins: concluded at precision 0.5, not proved"),
        (["a1 b1 a2", "--nodes", "120", *PN],
         "O does not win: proved; draw or loss is unknown: stopped by the node limit"),
    ],
)
def test_the_answer_is_a_sentence(words, sentence):
    assert sentence in call("solve", "tic-tac-toe", *words).out.splitlines()


def test_a_finished_game_has_its_value_and_no_move():
    answer = solve_json("tic-tac-toe", "a1 b1 a2 b2 a3", status=0)
    assert (answer["value"], answer["proved"], answer["iterations"]) == ("loss", True, 0)
    assert (answer["move"], answer["line"], answer["moves"]) == (None, [], [])
    assert "the game is over\nX wins: proved\n" in call("solve", "tic-tac-toe",
                                                        "a1 b1 a2 b2 a3").out


def test_parameters_options_and_seed_reach_the_search():
    answer = solve_json(
        "k-in-a-row", "a1 b1", "-g", "columns=4", "-g", "overline=no-win", "-s",
        "ppn:theta=0.001,pr=1e-300", "-p", "playouts=2", "--seed", "7", "--nodes", "1e2",
        "--plain", status=10)
    assert answer["parameters"] == {"columns": 4, "overline": "no-win"}
    assert answer["options"] == {"theta": 0.001, "pr": 1e-300, "playouts": 2}
    assert (answer["seed"], answer["search"], answer["stopped"]) == (7, "ppn", "nodes")
    assert set(answer["root"]) == {"p", "q"}
    assert 100 <= answer["nodes"] < 112


@pytest.mark.parametrize("nodes", ["1000", "1e3", "1_000", "1,000", " 1000 ", "1000.0"])
def test_limits_can_be_written_in_many_ways(nodes):
    assert 1_000 <= solve_json("tic-tac-toe", "--nodes", nodes, *PN, status=10)["nodes"] < 1_009


@pytest.mark.parametrize("memory", ["2KB", "2kb", "2K", "2000", "2000 B", "2e3", "1.953125KiB"])
def test_memory_has_units(memory):
    answer = solve_json("tic-tac-toe", "--memory", memory, "--time", "1h", *PN, status=10)
    assert answer["stopped"] == "memory"
    assert 1_500 < answer["peak_bytes"] <= 2_000


def test_the_start_needs_no_word_and_standard_input_is_read():
    told = solve_json("tic-tac-toe", "start", "--nodes", "5", "--plain", status=10)
    assert told["position"] == ".../.../... X"
    again = solve_json("tic-tac-toe", "--nodes", "5", "--plain", status=10)
    assert again["position"] == told["position"]
    rows = b"X..\nXO.\nO..\nX\n"
    assert solve_json("tic-tac-toe", "-", stdin=rows, status=0)["position"] == "X../XO./O.. X"
    marked = "\ufeffa1 b1".encode()
    assert solve_json("tic-tac-toe", "-", stdin=marked, status=0)["to_move"] == "X"


@pytest.mark.parametrize(
    "words",
    [
        [f"{OTHELLO} O"], [OTHELLO, "--to-move", "O"], ["--to-move", "O", OTHELLO],
        ["----/-XO-/-OX-/---- O"], ["----\n-XO-\n-OX-\n---- O"], [f"{OTHELLO} O; b1:+2"],
        [f"{OTHELLO} 1"],
    ],
)
def test_a_board_may_begin_with_a_dash(words):
    answer = solve_json("othello", "-g", "size=4", "--plain", "--nodes", "2", *words,
                        status=10)
    assert (answer["position"], answer["to_move"]) == (f"{OTHELLO} O", "O")


def test_the_side_can_be_given_apart():
    answer = solve_json("connect-four", "-g", "columns=4", "-g", "rows=4", "12", "--to-move", "X",
                        "--nodes", "2", status=10)
    assert answer["to_move"] == "X"
    assert solve_json("othello", "start", "--to-move", "x", "--nodes", "2", status=10)
    assert solve_json("othello", "f5", "--to-move", "O", "--nodes", "2", status=10)


def test_trace_samples_the_root():
    answer = solve_json("tic-tac-toe", "--trace", "3", "--nodes", "60", *PN, status=10)
    assert list(answer) == [*list(RESULT)[:-1], "trace", "guess"]
    assert [row["iterations"] for row in answer["trace"]] == [3, 6]
    assert list(answer["trace"][0]) == ["question", "iterations", "nodes", "root", "move"]
    assert answer["trace"][0]["nodes"] < answer["trace"][1]["nodes"]
    deep = solve_json("tic-tac-toe", "--trace", "30", "--nodes", "100", "--plain",
                      "-s", "df-pn:epsilon=0", status=10)
    assert list(deep) == [*list(RESULT)[:-1], *COUNTERS, "trace", "guess"]
    assert [row["iterations"] for row in deep["trace"]] == [
        30 * (i + 1) for i in range(deep["expansions"] // 30)]
    assert deep["expansions"] < deep["visits"] == 100


def test_a_game_in_a_file():
    answer = solve_json(f"{EXAMPLES / 'chomp.py'}:Chomp", "3x2", status=0)
    assert (answer["game"], answer["value"]) == ("chomp", "win")
    assert solve_json(str(EXAMPLES / "chomp.py"), "1x1", status=0)["value"] == "loss"


@pytest.fixture
def progress_at_once(monkeypatch):
    monkeypatch.setattr(sys.modules[Session.__module__], "PROGRESS_SECONDS", 0.0)
    monkeypatch.setattr("zermelo.cli.terminal.IN_LOG", 0.0)


def test_progress_goes_to_standard_error_only(progress_at_once):
    done = call("solve", "tic-tac-toe", "--nodes", "100", "--plain")
    assert done.status == 10
    assert "does X win? " in done.err.splitlines()[0]
    assert "nodes" in done.err
    assert "does X win?" not in done.out
    quiet = call("solve", "tic-tac-toe", "--nodes", "100", "--plain", "--quiet")
    assert (quiet.status, quiet.err) == (10, "")
    assert quiet.out.splitlines()[:7] == done.out.splitlines()[:7]
    assert call("analyze", "tic-tac-toe", ONE_MOVE, "-q").err == ""
    assert "does O win?" in call("analyze", "tic-tac-toe", "a1 b1 a2").err


def test_on_a_terminal_the_line_is_rewritten_and_wiped(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr("zermelo.cli.terminal.ON_TERMINAL", 0.0)
    live = show.Live(quiet=False, what="pn for a game")
    for nodes in (123_456, 7):
        live(Progress("does X win?", nodes, 1, 2.0, 3e6, 4_000_000, {"pn": 5, "dn": "inf"}))
    live.close()
    loading, first, second, wiped, end = capsys.readouterr().err.split("\r")[1:]
    assert loading == "loading pn for a game ..."
    assert first == "does X win? 2 s, 0.12 M nodes, pn 5, dn inf, 3.00 M/s, 4 MB"
    assert len(second) == len(first)
    assert wiped.strip() == end == ""


def test_the_line_is_made_of_parts_that_fit(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr("zermelo.cli.terminal.ON_TERMINAL", 0.0)
    path = tuple((f"a{i}", {"pn": i, "dn": 10_000 * i}) for i in range(1, 9))
    at = Progress("does X win?", 9, 1, 2.0, 3e6, 4_000_000, {"pn": 5}, settled=(1, 7), path=path)
    for columns, last in ((200, "a8 (8/80,000)"), (80, "4 MB"), (40, "pn 5"), (10, "2 s ...")):
        monkeypatch.setenv("COLUMNS", str(columns))
        live = show.Live(quiet=False, what="pn for a game")
        capsys.readouterr()
        live(at)
        text = capsys.readouterr().err.strip()
        assert len(text) < columns
        assert text.endswith(last) or columns == 10
        live.close()
    assert "1 of 7 moves settled" in ", ".join(show.how_far(at))


def test_a_long_search_without_a_limit_says_what_can_be_done(capsys):
    at = Progress("does X win?", 9, 1, 31.0, 3e6, 4_000_000, {"pn": 5})
    for unlimited, quiet in ((True, False), (False, False), (True, True)):
        live = show.Live(quiet, "pn for a game", unlimited)
        live(at)
        live(at)
        said = capsys.readouterr().err
        assert said.count("no answer yet, and no limit: --time sets one") == (unlimited > quiet)
        live.close()


def test_on_a_terminal_the_board_comes_first_and_once(monkeypatch, capsys):
    usual = call("solve", "tic-tac-toe", ONE_MOVE, *PN)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert run(["solve", "tic-tac-toe", ONE_MOVE, *PN, "-q"]) == 0
    assert capsys.readouterr().out.splitlines()[:-1] == usual.out.splitlines()[:-1]


def test_what_was_done_is_logged(caplog):
    with caplog.at_level("INFO", "zermelo"):
        zermelo.solve(zermelo.game("tic-tac-toe").parse(ONE_MOVE), "pn", plain=True)
    (said,) = [one.getMessage() for one in caplog.records if one.name == "zermelo.solving"]
    assert said.startswith("pn on tic-tac-toe: win, solved; ")


def test_while_a_kernel_is_compiled_the_line_says_for_how_long(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr("zermelo.cli.terminal.ON_TERMINAL", 0.0)
    monkeypatch.setattr("zermelo.cli.terminal.TICK", 0.01)
    live = show.Live(quiet=False, what="pn for a game")
    with suppress(KeyboardInterrupt), compile_stats.listener.told():
        time.sleep(0.2)
        raise KeyboardInterrupt  # Ctrl-C while it is compiled
    said = capsys.readouterr().err.split("\r")[1:]
    assert said[0] == "loading pn for a game ..."
    assert said[1] == said[2] == "compiling pn for a game, once for this machine ... 0 s"
    live.close()
    time.sleep(0.05)
    assert capsys.readouterr().err.strip() == ""
    assert compile_stats.listener.tell is None


def test_analyze_values_every_move():
    done = call("analyze", "tic-tac-toe", ONE_MOVE, "--unique")
    assert (done.status, done.err) == (0, "")
    assert "a3    win    proved  a3" in done.out
    assert "value: win, proved" in done.out
    assert "unique: yes, each move of the solving side along the main line is the" in done.out
    answer = loads(call("analyze", "tic-tac-toe", ONE_MOVE, "--unique", "--json").out)
    assert list(answer) == ANALYSIS
    assert [(row["move"], row["value"]) for row in answer["moves"]] == [
        ("a3", "win"), ("b3", "draw"), ("c3", "loss"), ("c2", "loss"), ("c1", "loss")]
    assert list(answer["moves"][0]) == [
        "move", "value", "proved", "concluded", "stopped", "line", "nodes"]
    assert (answer["unique"], answer["line"]) == (True, ["a3"])
    assert answer["decisions"] == [{"ply": 1, "move": "a3", "also": [], "unsettled": []}]


@pytest.mark.parametrize(
    ("position", "words", "status", "unique", "sentence"),
    [
        ("a1 b1 a2", [], 0, False, "unique: no, every move loses"),
        ("XX./OO./XO. X", [], 0, True, "unique: yes, each move"),
        ("XX./XO./.O. X", [], 0, False, "unique: no, at ply 1 c3 and c2, a1, c1 all do"),
        ("XOX/XOO/OX. X", [], 0, True, "unique: yes, each move"),
        ("start", ["--nodes", "10", "--plain"], 10, None, "unique: not settled within the limits"),
        ("a1 b1 a2 b2 a3", [], 0, None, "unique: the game is over"),
        (ONE_MOVE, ["-s", "ppn:pr=0.5,playouts=1", "--nodes", "1"], 0, None, "unique: not settled"),
    ],
)
def test_unique_solutions(position, words, status, unique, sentence):
    done = call("analyze", "tic-tac-toe", position, "--unique", *words)
    assert done.status == status
    assert done.out.splitlines()[-1].startswith(sentence)
    answer = loads(call("analyze", "tic-tac-toe", position, "--unique", "--json", *words).out)
    assert answer["unique"] is unique


def test_games_and_searches_are_listed():
    done = call("games")
    assert (done.status, done.err) == (0, "")
    assert "``" not in done.out
    for name in zermelo.game_names():
        assert f"\n{name}: " in f"\n{done.out}"
    records = [loads(line) for line in call("games", "--json").out.splitlines()]
    assert [record["game"] for record in records] == zermelo.game_names()
    assert records[0]["parameters"]["columns"] == {
        "default": 7, "help": "number of columns", "valid": "1 to 16", "low": 1, "high": 16}
    assert records[0]["together"] == "columns x (rows + 1) may be at most 64."
    assert records[1]["parameters"]["size"]["choices"] == [4, 6, 8]
    assert "-g overline=wins  what a longer line does; wins, no-win\n" in done.out
    done = call("searches", "--json", "-q", "--seed", "1")
    records = [loads(line) for line in done.out.splitlines()]
    assert [record["search"] for record in records] == list(zermelo.SEARCHES)
    assert list(records[0]) == ["search", "title", "paper", "options"]


@pytest.mark.long_cases("gomoku", "connect6")
@pytest.mark.parametrize("name", zermelo.game_names())
def test_what_games_prints_as_valid_is_valid(name):
    """Each value is accepted with some setting of the others, and those next to them never are."""
    record = next(loads(line) for line in call("games", "--json").out.splitlines()
                  if loads(line)["game"] == name)
    small, large = ({"columns": 16, "rows": 3, "line": 2}, {"columns": 3, "rows": 15, "line": 2})
    for parameter, facts in record["parameters"].items():
        if "choices" in facts:
            values, beyond = facts["choices"], ["", "5", 7, None]
        else:
            low, high = facts["low"], facts["high"]
            values = sorted({*range(low, min(high, low + 30) + 1), high})
            beyond = [low - 1, high + 1, 1.5]
        for value in values:
            assert any(makes(name, record, parameter, value, others)
                       for others in ({}, small, large, {"columns": 26}, {"depth": 1})), value
            assert str(value) in facts["valid"] or low < value < high
        for value in beyond:
            with pytest.raises(zermelo.BadOption, match=r"valid is|is not"):
                zermelo.game(name, **{parameter: value})


def makes(name, record, parameter, value, others):
    """Whether there is such a game, given as a text."""
    fitting = {key: other for key, other in others.items() if key in record["parameters"]}
    try:
        game = zermelo.game(name, **{**fitting, parameter: str(value)})
    except zermelo.BadOption:
        return False
    return game[parameter] == value


def test_what_searches_prints_can_be_typed():
    id = ""
    for line in call("searches").out.splitlines():
        if not line.startswith(" "):
            id = line.partition(":")[0]
            continue
        flag, pair, *_ = line.split()
        name, _, value = pair.partition("=")
        search = zermelo.search(id, **{name: value})
        assert flag == "-p"
        assert search.options == {}
        assert name in {item.name for item in fields(search)}


def test_warmup_says_what_it_did():
    done = call("warmup", "tic-tac-toe", "pn")
    assert (done.status, done.err) == (0, "")
    row, total = done.out.splitlines()
    assert row == "tic-tac-toe pn: 0 compiled, 0 loaded, 0.00 s"
    assert total.startswith("0 compiled, 0 loaded, 0.00 s; kept in ")
    rows = call("warmup", "hex", "-g", "size=2", "--json").out.splitlines()
    suitable = zermelo.searches_for(zermelo.game("hex", size=2))
    assert [loads(row)["search"] for row in rows] == suitable
    assert {*zermelo.SEARCHES} - {*suitable} == {"vcdt"}
    assert list(loads(rows[0])) == ["game", "search", "compiled", "loaded", "seconds"]


def test_check_game_reports_what_it_did(tmp_path, monkeypatch):
    done = call("check-game", "tic-tac-toe", "--games", "1")
    assert (done.status, done.err) == (0, "")
    assert done.out.endswith("tic-tac-toe: no mistake found\n")
    answer = loads(call("check-game", "tic-tac-toe", "--games", "1", "--json").out)
    assert list(answer) == ["game", "ok", "problems", "checks", "sample"]
    assert (answer["ok"], answer["problems"]) == (True, [])
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")  # these rules are new in every run
    source = (EXAMPLES / "chomp.py").read_text()
    file = tmp_path / "full.py"
    file.write_text(source.replace("max_moves=SIDE * SIDE", "max_moves=4"))
    done = call("check-game", f"{file}:Chomp")
    assert done.status == 2
    assert "wrong: " in done.out
    assert done.out.endswith("full.py:Chomp: 1 mistake\n")


COMMANDS = ("solve", "analyze", "annotate", "match", "compare", "games", "searches", "check-game",
            "warmup")


WITHOUT_CHANCE = ("games", "searches", "warmup")  # they take --seed, and do not speak of it


def test_a_seed_where_nothing_is_drawn_by_chance():
    assert call("games", "--seed", "5").status == call("searches", "--seed", "5").status == 0
    for words in (["list"], ["compare"], ["archive"], ["rebuild"], ["restore"], ["estimate"]):
        assert "--seed" not in call("lab", *words, "--help").out
    assert call("lab", "list", "--seed", "5").status == 0
    assert "--seed 'x' is not" in call("lab", "archive", "a.parquet", "--seed", "x").err


def test_the_usage_says_what_is_taken():
    assert call("resume", "-h").out.startswith("Usage: zermelo resume [OPTIONS] [GAME] FILE\n")
    assert call("engine", "-h").out.startswith("Usage: zermelo engine [OPTIONS] [GAME]\n")


def test_version_and_help():
    assert call("--version") == (0, f"zermelo {zermelo.__version__}\n", "")
    for words in (["--help"], ["-h"], []):
        done = call(*words)
        assert (done.status, done.err) == (0, "")
        for command in COMMANDS:
            assert f"\n  {command} " in done.out
    for command in COMMANDS:
        done = call(command, "--help")
        assert (done.status, done.err) == (0, "")
        for option in ("--json", "--quiet"):
            assert option in done.out, (command, option)
        assert ("--seed" in done.out) == (command not in WITHOUT_CHANCE), command
        for odd in ("{", "[[", "<str>", "list[str]"):
            assert odd not in done.out, (command, odd)
    assert call("annotate", "-h").out.startswith("Usage: zermelo annotate [OPTIONS] GAME [RECORD]")
    assert "lab estimate [OPTIONS] GAME FILES...\n" in call("lab", "estimate", "-h").out


def test_nobody_reads_on(monkeypatch):
    """``zermelo games | head -1`` ends quietly."""
    import zermelo.cli as cli

    def closed(*_, **__):
        raise BrokenPipeError

    with open("/dev/null", "w") as stdout:
        monkeypatch.setattr(sys, "stdout", stdout)
        monkeypatch.setattr("zermelo.cli.app.app", closed)
        assert cli.run(["games"]) == 3


def test_the_help_knows_every_command():
    """Its lines are written down, so that it need not load the commands."""
    from zermelo.cli.app import COMMANDS, load

    for name, (_, text) in COMMANDS.items():
        assert load(name).get_short_help_str(1000) == text


def test_the_demo_counts_all_searches_that_it_does_not_show():
    from tools import demo

    more = len(zermelo.SEARCHES) - len(demo.SEARCHES)
    assert demo.what_else().startswith(f"There are {more} more searches (")
    assert all(id in demo.what_else() for id in set(zermelo.SEARCHES) - set(demo.SEARCHES))


def test_an_interrupt_while_modules_are_loaded(monkeypatch):
    def interrupted(words):
        raise KeyboardInterrupt

    def wrapped(words):  # as Python 3.11 does
        class Pressed:
            def __set_name__(self, owner, name):
                raise KeyboardInterrupt

        try:
            type("Owner", (), {"field": Pressed()})
        except KeyboardInterrupt as error:
            raise RuntimeError("Error calling __set_name__") from error

    def other(words):
        raise RuntimeError("a bug")

    for ended in (interrupted, wrapped):
        monkeypatch.setattr("zermelo.cli.run", ended)
        done = call("--version")
        assert (done.status, done.err) == (130, "zermelo: interrupted.\n")
    monkeypatch.setattr("zermelo.cli.run", other)
    done = call("--version")
    assert (done.status, done.err.splitlines()[-1]) == (4, "RuntimeError: a bug")


def test_json_and_messages_from_elsewhere_hold_nothing_that_a_terminal_obeys():
    text = "a\x1b\x7f\x80\x9b31m\x9f\u2028\u202e\ud800\U000e0001 \u00e4\u4e2d\U0001f600"
    line = show.as_json({"name": text})
    assert line.isprintable()
    assert json.loads(line)["name"] == text
    assert r"a\u001b\u007f\u0080\u009b31m\u009f\u2028\u202e\ud800\udb40\udc01 " in line
    assert line.count("\\") == 10
    assert one_line("malformed\n schema (\x9b2J\x1b).") == "malformed schema (\\x9b2J\\x1b)"
