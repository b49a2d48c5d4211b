"""``zermelo engine`` as a process: pipes, signals, what a game prints; and its arguments."""

import json
import os
import signal
import subprocess
import sys
import time

import pytest
from command import begin, call

from zermelo.engine import NAMES

SMALL = ["-g", "columns=5", "-g", "rows=4", "-g", "line=3"]
LOUD = '''
import os
from zermelo.games.k_in_a_row.game import TicTacToe

class Loud(TicTacToe):
    name = "loud"
    def start(self):
        print("a game that prints")
        os.write(1, b"even like this")
        return super().start()
'''


def engine(*words, **options):
    return begin([sys.executable, "-m", "zermelo", "engine", *words], stdin=subprocess.PIPE,
                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options)


@pytest.mark.parametrize("protocol", NAMES)
def test_no_command_of_a_client_names_a_file(protocol, tmp_path):
    game = tmp_path / "own.py"
    game.write_text(f"open({str(tmp_path / 'seen')!r}, 'w')\n{LOUD}")
    name = f"{game}:Loud"
    lines = [f"position fen {name}", f"position {name}", f"setoption name UCI_Variant value {name}",
             f"setoption UCI_Variant {name}", f"boardsize {name}", f"set game {name}",
             f"play b {name}", f"move {name}", f"param_dfpn {name} {game}", f"loadsgf {game}"]
    if protocol == "jsonl":
        place = {"game": name}
        lines = [json.dumps(line) for line in (
            {"place": place}, {"ask": "board", "place": place},
            {"ask": "verify", "path": str(game)},
            {"ask": "annotate", "game": name, "record": "a1"},
            {"ask": "recognise", "game": name, "text": "a1"},
            {"place": {"game": "hex", "position": str(game)}},
            {"place": {"game": "tic-tac-toe"}, "search": "rps",
             "options": {"probabilities": str(game)}})]
    given = ["connect-four"] if protocol == "ugi" else []
    process = engine("--protocol", protocol, *given)
    out, _ = process.communicate("\n".join([*lines, "quit\n"]), timeout=120)
    assert out
    assert not (tmp_path / "seen").exists()


def test_json_lines_through_a_shell_pipe():
    line = json.dumps({"id": 1, "place": {"game": "connect-four", "moves": ["3"], "parameters": {
        "columns": 5, "rows": 4, "line": 3}}, "progress": False})
    done = subprocess.run(
        ["sh", "-c", f"printf '%s\\n' '{line}' | {sys.executable} -m zermelo engine"],
        capture_output=True, text=True, timeout=120)
    assert done.returncode == 0
    assert done.stderr == ""
    lines = [json.loads(each) for each in done.stdout.splitlines()]
    assert [each["result"]["value"] for each in lines if each["event"] == "result"] == ["loss"]
    assert lines[-1]["last"] is True


@pytest.mark.quick_cases("words1-2")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("words", [["connect-four", "--protocol", "ugi"], []])
def test_signals_end_an_engine(words, number):
    process = engine(*words)
    assert process.stdin is not None
    assert process.stdout is not None
    if words:
        process.stdin.write("position startpos\nisready\ngo infinite\n")
    else:
        process.stdin.write('{"id": 1, "place": {"game": "connect-four"}}\n')
    process.stdin.flush()
    for line in process.stdout:  # until it searches
        if line.startswith("info ") or '"progress"' in line:
            break
    process.send_signal(number)
    began = time.monotonic()
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 130
    assert errors == "zermelo: interrupted.\n"
    assert time.monotonic() - began < 30


def test_an_idle_engine_is_ended_too():
    process = engine("connect-four", "--protocol", "ugi")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("ugi\n")
    process.stdin.flush()
    for line in process.stdout:
        if line == "ugiok\n":
            break
    process.send_signal(signal.SIGTERM)
    _, errors = process.communicate(timeout=60)
    assert (process.returncode, errors) == (130, "zermelo: interrupted.\n")


def test_only_the_protocol_is_on_standard_output(tmp_path):
    file = tmp_path / "loud.py"
    file.write_text(LOUD)
    process = engine(f"{file}:Loud", "--protocol", "ugi")
    out, errors = process.communicate("position startpos\nquery p1turn\n", timeout=120)
    assert out == "response true\n"
    assert "a game that prints" in errors
    assert "even like this" in errors


def test_an_engine_ends_when_nobody_listens():
    process = engine("connect-four", "--protocol", "ugi")
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("position startpos\nisready\ngo movetime 600000\n")
    process.stdin.close()
    assert process.stdout.readline() == "readyok\n"
    process.stdout.close()
    assert process.wait(60) == 0


@pytest.mark.parametrize(("words", "said"), [
    (["--protocol", "uic"], "--protocol 'uic' (did you mean ugi?) is not one of jsonl, ugi"),
    (["--protocol", "ugi"], "--protocol ugi is for any game: name one"),
    (["hex", "--protocol", "uci"], "--protocol uci is for xiangqi, not for 'hex'"),
    (["hex", "--protocol", "nboard"], "--protocol nboard is for othello, not for 'hex'"),
    (["-g", "size=3"], "-g is not for jsonl"), (["--workers", "0"], "--workers"),
    (["hex", "--protocol", "ugi", "-s", "nothing"], "'nothing'"),
    (["hex", "--protocol", "ugi", "--time", "x"], "time='x'"),
    (["--certificates", "/nowhere"], "--certificates '/nowhere' is not a directory"),
    (["hex", "--protocol", "ugi", "--certificates", "/tmp"], "--certificates is for jsonl"),
])
def test_bad_arguments(words, said):
    done = call("engine", *words)
    assert done.status == 2
    assert said in done.err
    assert done.out == ""


def test_arguments_reach_the_engine():
    done = call("engine", "connect-four", *SMALL, "--protocol", "ugi", "-s", "pn", "--memory",
                "50MB", "--time", "1", stdin=b"ugi\ngo nodes 2000\n")
    assert done.status == 0
    assert "option name Hash type spin default 50 " in done.out
    assert "bestmove 3" in done.out


def solve_lines(text, *words):
    done = call("solve", "connect-four", *SMALL, "--file", "-", "--jsonl", *words,
                stdin=text.encode())
    return done.status, [json.loads(line) for line in done.out.splitlines()]


def test_batches_are_streamed():
    status, lines = solve_lines("# first\nstart\n\n3\n")
    assert status == 0
    assert [(line["line_number"], line["value"]) for line in lines] == [(2, "win"), (4, "loss")]
    single = json.loads(call("solve", "connect-four", "3", *SMALL, "--json").out)
    assert set(lines[1]) == {*single, "line_number"}
    status, lines = solve_lines("start\nx\n3\n")
    assert status == 2
    assert "connect-four: 'x'" in lines[1]["error"]
    assert lines[2]["value"] == "loss"
    status, lines = solve_lines("start\n", "--nodes", "1")
    assert status == 10
    assert lines[0]["guess"] is not None or lines[0]["value"] == "unknown"


def test_batches_from_a_file(tmp_path):
    file = tmp_path / "positions.txt"
    file.write_text("3\n33\n")
    done = call("solve", "connect-four", *SMALL, "--file", str(file), "--jsonl")
    assert done.status == 0
    assert len(done.out.splitlines()) == 2
    file.write_text("# nothing\n")
    done = call("solve", "connect-four", *SMALL, "--file", str(file), "--jsonl")
    assert (done.status, "holds no position" in done.err) == (2, True)


def test_a_batch_line_has_a_limit():
    status, lines = solve_lines("1" * 2_000_000 + "\n3\n")
    assert status == 2
    assert "is longer than 1,048,576 bytes" in lines[0]["error"]
    assert lines[1]["value"] == "loss"


@pytest.mark.parametrize("words", [["--jsonl"], ["--file", "x"],
                                   ["start", "--file", "x", "--jsonl"],
                                   ["--file", "x", "--jsonl", "--proof", "y"],
                                   ["--file", "x", "--jsonl", "--json"]])
def test_batches_need_both_options_and_nothing_else(words):
    done = call("solve", "connect-four", *words)
    assert done.status == 2
    assert "--file" in done.err


def test_a_batch_is_interrupted():
    process = begin([sys.executable, "-m", "zermelo", "solve", "connect-four", "--file", "-",
                     "--jsonl"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE, text=True, env={**os.environ})
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.write("4444442222226666\nstart\n")
    process.stdin.flush()
    first = json.loads(process.stdout.readline())  # as soon as it is known
    assert first["line_number"] == 1
    time.sleep(1)
    process.send_signal(signal.SIGINT)
    out, errors = process.communicate(timeout=60)
    assert json.loads(out)["stopped"] == "interrupted"
    assert process.returncode == 130
    assert errors == "zermelo: interrupted.\n"
