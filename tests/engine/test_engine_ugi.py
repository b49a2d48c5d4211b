"""UGI, and with it what all engines share: lines, limits, stopping, nonsense, the end of input."""

import io
import os
import re

import pytest
from engines import OPTIONS, WORDS, Talk, made, nonsense, transcript

import zermelo
from zermelo.engine import LONGEST, InputLines, OutputLines, TooLong
from zermelo.engine.thinking import (
    LARGEST,
    EngineSettings,
    MoveBudget,
    Thinking,
    share_of_clock,
    whole,
)

SMALL = {"game": "connect-four", "columns": 5, "rows": 4, "line": 3}
LARGE = {"game": "connect-four"}  # no end in sight


def ugi(text, **options):
    return transcript("ugi", text, **{**SMALL, **options})


def test_handshake():
    lines = ugi("ugi\nisready\n")
    assert lines[0] == f"id name Zermelo {zermelo.__version__}"
    assert lines[1].startswith("id author ")
    assert "option name Hash type spin default 67 min 1 max 1048576" in lines
    assert lines[-2:] == ["ugiok", "readyok"]


def test_the_client_asks_for_the_rules():
    assert ugi("position startpos moves 3 2\nquery p1turn\nquery gameover\nquery result\n"
               "query islegal 3\nquery islegal 7\nquery islegal 3 3\n") == [
        "response true", "response false", "response none", "response true", "response false",
        "info string error: query 'islegal 3 3' is not understood; queries are p1turn, gameover, "
        "result, fen, moves, islegal MOVE."]
    over = "position startpos moves 3 1 3 1 3\n"
    assert ugi(over + "query gameover\nquery result\nquery p1turn\nquery moves\ngo nodes 10\n") == [
        "response true", "response p1win", "response false", "response", "bestmove (none)"]
    assert ugi("query fen\nquery moves\nposition fen 33 moves 1\nquery fen\n") == [
        "response .................... X", "response 1 2 3 4 5", "response ............O..X.X.. O"]


def test_repetition_ends_a_game():
    moves = " ".join(["a1a2", "a10a9", "a2a1", "a9a10"] * 2)
    lines = transcript("ugi", f"position startpos moves {moves}\nquery result\nquery gameover\n",
                       game="xiangqi", dialect="uci")
    assert lines == ["response draw", "response true"]


def test_a_proof_ends_the_search():
    lines = ugi("position startpos\ngo nodes 100000\n")
    assert lines[-2] == "info string X wins: proved"
    assert lines[-1].startswith("bestmove 3 ponder ")
    told = lines[-3].split()
    assert told[:3] == ["info", "score", "mate"]
    line = told[told.index("pv") + 1 :]
    start = zermelo.game("connect-four", columns=5, rows=4, line=3).start()
    assert start.play(*line).outcome == "first"
    assert int(told[3]) == len(line)


def test_draws_and_losses_are_told_too():
    lines = transcript("ugi", "position startpos\ngo nodes 100000\n", game="tic-tac-toe")
    assert any(" score cp 0 " in line for line in lines)
    assert "info string draw: proved" in lines
    lost = ugi("position startpos moves 3\ngo nodes 100000\n")
    assert any(" score mate -" in line for line in lost)
    assert "info string X wins: proved" in lost


def test_a_budget_of_nodes_or_depth_gives_the_same_move_every_time():
    for limit in ("nodes 3000", "depth 4"):
        first, second = (transcript("ugi", f"position startpos moves 4 4\ngo {limit}\n", **LARGE)
                         for _ in range(2))
        assert first[-1] == second[-1]
        assert first[-1].startswith("bestmove ")
    told = next(line for line in first if line.startswith("info depth"))
    assert int(told.split()[2]) >= 4
    assert " score cp " in told


def test_an_only_move_is_played_at_once():
    position = zermelo.game("othello", size=4).start()
    while len(position.moves()) > 1:
        position = position.play(position.moves()[0])
    played, only = " ".join(position.played_names()), position.moves()[0]
    set_up = f"position startpos moves {played}\n"
    lines = transcript("ugi", f"{set_up}go movetime 60000\n", game="othello", size=4)
    assert lines[0].split("nodes ")[1].startswith("0 ")
    assert lines[-1] == f"bestmove {only}"
    longer = transcript("ugi", f"{set_up}go depth 30\n", game="othello", size=4)
    assert longer[-2].endswith(": proved")  # who asks for a depth wants to know more


def test_only_the_moves_that_are_asked_for():
    assert ugi("position startpos\ngo searchmoves 1 5 nodes 3000\n")[-1] in (
        "bestmove 1", "bestmove 5")
    assert ugi("position startpos\ngo nodes 3000 searchmoves 9\n")[0] == "bestmove (none)"
    hexed = transcript("ugi", "position startpos\ngo searchmoves a1 nodes 50\n", game="hex", size=3)
    assert hexed[-1] == "bestmove a1"  # no evaluation to look ahead with


def test_a_depth_is_for_games_with_an_evaluation():
    hexed = transcript("ugi", "go depth 2\ngo depth 2 nodes 1\n", game="hex", size=3)
    assert sum(line.startswith("bestmove ") for line in hexed) == 2


def test_clocks():
    assert share_of_clock(60.0) == pytest.approx(1.95)
    assert share_of_clock(60.0, 1.0, 10) == pytest.approx(6.7)
    assert share_of_clock(0.01) == 0.01
    lines = transcript("ugi", "go p1time 900 p2time 1 p1inc 0 p2inc 0\n", **LARGE)
    spent = [int(line.split()[line.split().index("time") + 1]) for line in lines
             if line.startswith("info ")]
    assert spent[-1] < 900
    assert lines[-1].startswith("bestmove ")


@pytest.mark.parametrize(("line", "said"), [
    ("foo", "unknown command 'foo'"), ("go depth", "a number must follow depth"),
    ("go nodes x", "nodes 'x' is not a whole number"), ("go fast", "go 'fast' is not understood"),
    ("position", "position '' is not understood"), ("position fen", "position 'fen' is not"),
    ("position startpos moves 9", "'9' is not a legal move here"), ("query", "query '' is not"),
    ("setoption Hash 3", "setoption is written"), ("setoption name Fish value 3", "no option"),
    ("setoption name Hash value 0", "Hash '0' is not a whole number of at least 1"),
    ("setoption name Hash value 9999999", "Hash '9999999' is more than 1,048,576"),
    (f"setoption name Hash value {'9' * 23}", f"Hash '{'9' * 23}' is more than 1,048,576"),
    ("setoption name Threads value 300", "Threads '300' is more than 256"),
    ("go nodes 0", "nodes '0' is not a whole number of at least 1"),
    (f"go nodes -{'9' * 23}", f"nodes '-{'9' * 23}' is not a whole number of at least 1"),
    ("go nodes --5", "nodes '--5' is not a whole number"), ("go nodes -", "nodes '-' is not a"),
    ("go nodes \u0665", "is not a whole number of at least 1"),
])
def test_what_is_wrong_is_said_in_a_sentence(line, said):
    lines = ugi(f"{line}\nisready\n")
    errors = [each for each in lines if each.startswith("info string error: ")]
    assert len(errors) == 1
    assert said in errors[0]
    assert errors[0].endswith(".")
    assert lines[-1] == "readyok"
    assert ("bestmove (none)" in lines) == line.startswith("go")  # a client waits for that


@pytest.mark.parametrize("limit", [
    "nodes", "movetime", "depth", "mate", "p1time", "p1time 60000 p1inc"])
def test_a_number_beyond_all_bounds_is_no_limit(limit):
    for digits in ("9" * 13, "9" * 23, "9" * 5000):
        lines = ugi(f"position startpos\ngo {limit} {digits}\n")
        assert lines[-2:] == ["info string X wins: proved", lines[-1]]
        assert lines[-1].startswith("bestmove 3 ")


@pytest.mark.parametrize(("text", "number"), [
    ("0", 0), ("-0", 0), ("007", 7), (f"{LARGEST - 1}", LARGEST - 1), (f"{LARGEST}", LARGEST),
    (f"{LARGEST + 1}", LARGEST), ("0" * 5000 + "12", 12), ("-12", -12)])
def test_whole_numbers_are_read_up_to_the_largest(text, number):
    assert whole("nodes", text, -20) == number


def test_nothing_is_searched_after_a_bad_position():
    lines = ugi("position fen nonsense\ngo nodes 10\nquery p1turn\nuginewgame\nquery p1turn\n")
    assert "there is no position to think about: connect-four: 'nonsense'" in lines[2]
    assert lines[1] == "bestmove (none)"
    assert "there is no position to ask about" in lines[3]
    assert lines[4] == "response true"


def test_options_change_the_search():
    output = io.StringIO()
    engine = made("ugi", output, **SMALL)
    for line in ("setoption name Hash value 100", "setoption name threads value 2", "", "stop",
                 "ponderhit"):
        engine.take(line)
    assert output.getvalue() == ""
    assert engine.settings == EngineSettings(memory=100_000_000, threads=2)


def test_a_search_is_stopped_and_says_what_there_is():
    talk = Talk("ugi", **LARGE)
    talk.tell("isready", "position startpos moves 4", "go infinite")
    assert talk.until("info ")[0] == "readyok"
    talk.tell("isready", "query p1turn")  # the one is answered at once, the other later
    assert not any(line.startswith("response") for line in talk.until("readyok"))
    talk.tell("stop")
    assert talk.until("bestmove ")[-1].split()[1] in "1234567"
    assert talk.until("response") == ["response false"]
    talk.tell("quit")
    assert talk.end() == []


def test_pondering_becomes_thinking():
    talk = Talk("ugi", **LARGE)
    talk.tell("isready", "position startpos", "go ponder movetime 100")
    talk.until("info ")  # after half a second it is still at work
    talk.tell("ponderhit")
    talk.until("bestmove ")
    talk.tell("go ponder nodes 10", "stop")
    talk.until("bestmove ")
    assert talk.end() == []


def test_quit_and_the_end_of_input():
    talk = Talk("ugi", **LARGE)
    talk.tell("isready", "position startpos", "go infinite")
    talk.until("info ")
    talk.tell("quit")
    assert talk.until("bestmove ")
    talk.end()
    # Without an end of its own a search ends with the input, or when the next one is to begin.
    lines = transcript("ugi", "isready\nposition startpos\ngo infinite\ngo\n", **LARGE)
    assert sum(line.startswith("bestmove ") for line in lines) == 2
    # One that has an end comes to it.
    assert ugi("go nodes 100000")[-2] == "info string X wins: proved"


def test_nobody_reads_any_more():
    reader, writer = os.pipe()
    with os.fdopen(writer, "w") as stream:
        output = OutputLines(stream)
        assert not output.broken
        engine = made("ugi", stream, **SMALL)
        os.close(reader)
        assert output.broken
        with pytest.raises(BrokenPipeError):
            engine.take("isready")
        engine.serve(InputLines(io.BytesIO(b"foo\nisready\n")))
        assert engine.output.broken


def test_lines_have_a_limit():
    lines = ugi(b"a" * (LONGEST + 1) + b"\nisready\n" + b"b" * (LONGEST + 1))
    sentence = f"info string error: {TooLong.sentence}"
    assert lines == [sentence, "readyok", sentence]
    waiting = InputLines(io.BytesIO(b"c" * (LONGEST - 1) + b"\r\n\xff"))
    assert waiting.next() == "c" * (LONGEST - 1)
    assert waiting.next() == "\ufffd"
    assert waiting.next() is None


def test_a_bug_or_too_little_memory_does_not_end_an_engine(capsys):
    output = io.StringIO()
    engine = made("ugi", output, **SMALL)

    def fail(words):
        raise {"bug": RuntimeError("what?\nno"), "memory": MemoryError()}[words[0]]

    engine.commands["fail"] = fail
    engine.serve(InputLines(io.BytesIO(b"fail bug\nfail memory\nisready\n")))
    assert output.getvalue().splitlines() == [
        "info string error: this failed: RuntimeError: what? no.",
        "info string error: there is not enough memory for that.", "readyok"]
    assert "RuntimeError" in capsys.readouterr().err


def test_an_interrupt_is_not_kept():
    position = zermelo.game("connect-four").start()

    def interrupt():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Thinking(position, EngineSettings(memory=1 << 26), MoveBudget(seconds=5)).run(
            interrupt, lambda answer: None)


SAYS = {
    "ugi": r"(id|option|info|response|bestmove) .*|ugiok|readyok|response",
    "uci": r"(id|option|info|bestmove) .*|uciok|readyok",
    "ucci": r"(id|option|info|bestmove) .*|ucciok|readyok|nobestmove|bye",
    "nboard": r"(set myname|status|nodestats|search|===|pong|analysis) .*|status|learned",
}


@pytest.mark.parametrize("protocol", list(WORDS))
def test_every_line_is_answered_in_its_own_way(protocol):
    lines = list(nonsense(protocol, 1, 150))
    said = transcript(protocol, "\n".join(lines) + "\n", usual=MoveBudget(nodes=100),
                      **OPTIONS[protocol])
    assert not any("this failed" in line for line in said)
    if protocol == "htp":
        answers = [line for line in said if re.match(r"[=?][0-9]* ", line)]
        asked = [line for line in lines if re.sub(r"#.*", "", line).strip("\0\a\t ")]
        assert len(answers) <= len(asked)
        assert len(answers) > len(asked) / 2
    else:
        for line in said:
            assert re.fullmatch(SAYS[protocol], line), line
        searched = [line for line in lines if line.split()[:1] == ["go"]]
        if protocol != "nboard":
            answered = [line for line in said if re.match(r"(no)?bestmove", line)]
            assert len(answered) == len(searched)
