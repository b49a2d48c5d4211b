"""Bad input in the library: one clear sentence of the right kind, and nothing half-done."""

import math
import time
from contextlib import suppress

import numpy as np
import pytest

import zermelo
from zermelo.errors import (
    BadGame,
    BadMove,
    BadOption,
    BadPosition,
    UnknownGame,
    UnknownSearch,
    ZermeloError,
    file_name,
    listed,
    one_line,
    quoted,
)

pytestmark = pytest.mark.usefixtures("without_jit")

HUGE = "4" * 10_000_000
DIGITS = 10**5_000  # Python refuses to print it
TTT = "tic-tac-toe"
SMALL = {"connect-four": {"columns": 4, "rows": 4}, "othello": {"size": 4}, "hex": {"size": 3}}
FLOATING = "....X..........."  # on a board of 4 x 4: nothing below the stone


def game(name=TTT):
    return zermelo.game(name, **SMALL.get(name, {}))


def start():
    return game().start()


def check(error, echo):
    """One sentence that repeats what was given."""
    message = str(error)
    assert "\n" not in message
    assert message.endswith("."), message
    assert len(message) < 400, message
    assert echo in message, message
    assert message == message.strip()
    assert isinstance(error, ValueError)


@pytest.mark.parametrize("name", zermelo.game_names())
@pytest.mark.parametrize(
    ("text", "echo"),
    [
        ("", "the position is empty; write 'start'"), ("  \n", "the position is empty"),
        ("rubbish!", "ubbish!"), ("99", "9"), ("x" * 5, "x"), ("\0\udcff", "\\x00"),
        (HUGE, "(10,000,000 characters)"), ("start start", "start"), ("zz a1", "z"),
        (None, "'None'"), (44, "'44'"), (["4"], "4"), (b"4", "4"),
    ],
    ids=quoted,
)
def test_no_position_of_any_game(name, text, echo):
    with pytest.raises(BadPosition) as caught:
        game(name).parse(text)
    check(caught.value, echo)
    assert str(caught.value).startswith(f"{name}: ")


@pytest.mark.parametrize("name", zermelo.game_names())
@pytest.mark.parametrize("move", ["", "zz", "99", "start", HUGE, "\0", None, 4, ["a1"], "a1 a1"],
                         ids=quoted)
def test_no_move_of_any_game(name, move):
    position = game(name).start()
    before = position.text
    with pytest.raises(BadMove) as caught:
        position.play(move)
    check(caught.value, "10,000,000" if move is HUGE else str(move).strip("[]'\0"))
    assert position.text == before


@pytest.mark.parametrize(
    ("name", "text", "echo"),
    [
        ("connect-four", "X" * 15, "has 15 squares, but a board of 4 columns x 4 rows has 16"),
        ("connect-four", FLOATING, "the X at column 1, row 2 from the top"),
        ("connect-four", "............XX..", "has 2 X and 0 O"),
        ("connect-four", "11111", "move 5: '1' is not a legal move here: column 1 is full"),
        ("connect-four", "12121212", "move 8: '2': the game is over"),
        ("othello", "-----XO--OX----", "is not a board of 4x4"),
        ("hex", "XXX/.../...", "has 3 X and 0 O"),
        (TTT, "a1 b1 a2 b2 a3 b3", "move 6: 'b3': the game is over"),
        (TTT, "XXX/OOO/...", "both have 3 in a row"),
        (TTT, "XX./.../...", "of 2 stones X has 1"),
        (TTT, "........", "has 8 squares"),
        ("p-game", "d=1,path=0.0", "move 2: '0': the game is over"),
    ],
)
def test_impossible_positions(name, text, echo):
    with pytest.raises(BadPosition) as caught:
        game(name).parse(text)
    check(caught.value, echo)


HOSTILE = ["1", "9", "x", "X", ".", "-", "*", "(", "[", "]", "a1", "A[", ";B[a1]", ",", "1,", "/",
           "=", "b=", "#", "#3,", ":", "\\", "x,", "a", "path=0.", "0", "ggf:", "pa", "a1b2", "\n."]


@pytest.mark.long_cases("tic-tac-toe", "gomoku", "connect6")
@pytest.mark.parametrize("name", zermelo.game_names())
def test_a_long_text_takes_no_longer_than_it_must(name):
    reader = game(name)
    texts = [piece * (99_000 // len(piece)) for piece in HOSTILE]
    texts += [f"1{' ' * 98_000}x", f"a1{' ,' * 49_000}", f"({' ' * 98_000}", f"X{' X' * 49_000}?",
              f";B[{'x' * 98_000}", f"b=2{' ' * 98_000},", f"start{' ' * 98_000}x"]
    for text in texts:
        began = time.perf_counter()
        with suppress(BadPosition):
            reader.parse(text)
        assert time.perf_counter() - began < 3, text[:20]


@pytest.mark.parametrize(
    ("error", "call", "echo"),
    [
        (UnknownGame, lambda: zermelo.game("chess"), "'chess'; games: connect-four"),
        (UnknownGame, lambda: zermelo.game("conect-four"), "(did you mean connect-four?)"),
        (UnknownGame, lambda: zermelo.game(""), "there is no game ''"),
        (UnknownGame, lambda: zermelo.game(HUGE), "(10,000,000 characters)"),
        (UnknownGame, lambda: zermelo.game(None), "'None'"),
        (UnknownGame, lambda: zermelo.game(["hex"]), "hex"),
        (UnknownSearch, lambda: zermelo.search("dfpn"), "'dfpn'"),
        (UnknownSearch, lambda: zermelo.search("deeppn"), "(did you mean deep-pn?)"),
        (UnknownSearch, lambda: zermelo.search(HUGE), "(10,000,000 characters)"),
        (UnknownSearch, lambda: zermelo.search(3), "'3'"),
        (UnknownSearch, lambda: zermelo.solve(start(), "alpha"), "'alpha'"),
        (UnknownSearch, lambda: zermelo.solve(start(), ""), "there is no search ''"),
        (BadOption, lambda: zermelo.game("hex", colums=3), "no parameter 'colums'; it has: size"),
        (BadOption, lambda: zermelo.game("hex", size="big"), "size='big' is not a whole number"),
        (BadOption, lambda: zermelo.game("hex", size=3.0), "size='3.0' is not a whole number"),
        (BadOption, lambda: zermelo.game("hex", size=True), "size='True' is not a whole number"),
        (BadOption, lambda: zermelo.game("hex", size=None), "size='None' is not a whole number"),
        (BadOption, lambda: zermelo.game("hex", size=0), "size=0 is out of range; valid is 1 to"),
        (BadOption, lambda: zermelo.game("hex", size="-3"), "size=-3 is out of range"),
        (BadOption, lambda: zermelo.game("hex", size=DIGITS), "can't be shown"),
        (BadOption, lambda: zermelo.game("hex", size=HUGE), "10,000,000 characters"),
        (BadOption, lambda: zermelo.game("othello", no_move="flee"), "'flee' is not one of pass"),
        (BadOption, lambda: zermelo.search("pn", tie="right"), "tie='right' is not valid; it is "
                                                               "one of left, deepest"),
        (BadOption, lambda: zermelo.search("pn", R=1), "pn has no option 'R'; it has: "),
        (BadOption, lambda: zermelo.search("pp", **{HUGE: 1}), "10,000,000 characters"),
        (BadOption, lambda: zermelo.PN(tie=3), "tie='3'"),
        (BadOption, lambda: zermelo.PN(shuffle="maybe"), "it is true or false"),
        (BadOption, lambda: zermelo.DeepPN(R=1.5), "R='1.5' is not valid; it is a number from 0 "
                                                   "to 1"),
        (BadOption, lambda: zermelo.DeepPN(R=math.nan), "R='nan'"),
        (BadOption, lambda: zermelo.DeepPN(R=True), "R='True'"),
        (BadOption, lambda: zermelo.PPN(playouts=0), "playouts='0'"),
        (BadOption, lambda: zermelo.PPN(playouts=1.5), "playouts='1.5' is not valid; it is a "
                                                       "whole number from 1"),
        (BadOption, lambda: zermelo.PPN(playouts=DIGITS), "can't be shown"),
        (BadOption, lambda: zermelo.PPN(playouts="inf"), "playouts='inf'"),
        (BadOption, lambda: zermelo.PPN(pr=-1), "pr='-1' is not valid; it is a number from 1e-300 "
                                                "to 0.5, or none"),
        (BadOption, lambda: zermelo.UCT(C=[]), "C='[]'"),
    ],
)
def test_unknown_names_and_bad_options(error, call, echo):
    with pytest.raises(error) as caught:
        call()
    check(caught.value, echo)


@pytest.mark.parametrize("name", ["nodes", "time", "memory"])
@pytest.mark.parametrize(
    "value",
    [0, -1, "-5", "0", "", " ", "nan", "inf", "-inf", "1e999", math.nan, math.inf, "many", "1x",
     "1 2", "--1", "1e", "e", "MB", True, False, [], b"5", DIGITS, "9" * 100, HUGE, "e" * 100_000,
     "1.2.3", "\u0664", "0x10"],
    ids=quoted,
)
def test_bad_limits(name, value):
    with pytest.raises(BadOption) as caught:
        zermelo.Limits(**{name: value})
    check(caught.value, f"the limit {name}={quoted(value)}")


def test_limits_have_their_own_units():
    for name, value in (("nodes", "2m"), ("time", "2MB"), ("memory", "2m2"), ("nodes", 0.5),
                        ("memory", "0.1B"), ("time", "2 weeks")):
        with pytest.raises(BadOption) as caught:
            zermelo.Limits(**{name: value})
        check(caught.value, f"the limit {name}='{value}'")
    assert zermelo.Limits("35e6", "2m", "256MB") == zermelo.Limits(35_000_000, 120, 256_000_000)
    assert zermelo.Limits("35M") == zermelo.Limits(35_000_000)
    assert zermelo.Limits("200k").nodes == zermelo.Limits("200 K").nodes == 200_000
    assert zermelo.Limits(np.int64(5), 0.1, "1GiB").memory == 2**30
    stopped = zermelo.solve(start(), "pn", nodes="1e300", time="1d", memory="1e3", plain=True)
    assert stopped.stopped == "memory"


@pytest.mark.parametrize(
    ("call", "echo"),
    [
        (lambda: zermelo.solve("4444"), "'4444' is not a Position"),
        (lambda: zermelo.solve(None), "'None' is not a Position"),
        (lambda: zermelo.solve(game()), "is not a Position"),
        (lambda: zermelo.solve(start(), 7), "'7' is not a search"),
        (lambda: zermelo.solve(start(), zermelo.PN), "is not a search; give an id, or an object"),
        (lambda: zermelo.solve(start(), goal="lose"), "goal='lose' is not one of win, value"),
        (lambda: zermelo.solve(start(), goal=None), "goal='None'"),
        (lambda: zermelo.solve(start(), goal=HUGE), "10,000,000 characters"),
        (lambda: zermelo.solve(start(), seed=-1), "seed='-1' is not a whole number from 0 to"),
        (lambda: zermelo.solve(start(), seed=2**64), "seed='18446744073709551616'"),
        (lambda: zermelo.solve(start(), seed="1"), "seed='1'"),
        (lambda: zermelo.solve(start(), seed=1.0), "seed='1.0'"),
        (lambda: zermelo.solve(start(), seed=True), "seed='True'"),
        (lambda: zermelo.solve(start(), seed=DIGITS), "can't be shown"),
        (lambda: zermelo.solve(start(), trace=0), "trace='0' is not a whole number of at least 1"),
        (lambda: zermelo.solve(start(), trace=True), "trace='True'"),
        (lambda: zermelo.solve(start(), trace=1.5), "trace='1.5'"),
        (lambda: zermelo.solve(start(), nodes=-1), "the limit nodes='-1'"),
        (lambda: zermelo.start(start(), player=2), "player='2' is not 0 (first), 1 (second)"),
        (lambda: zermelo.start(start()).run(1_000), "run needs Limits, such as Limits(nodes=1000)"),
        (lambda: zermelo.analyze("4444"), "'4444' is not a Position"),
        (lambda: zermelo.analyze(start(), time="soon"), "the limit time='soon'"),
        (lambda: zermelo.analyze(start(), seed=None), "seed='None'"),
        (lambda: zermelo.compare(start(), []), "name at least one search"),
        (lambda: zermelo.compare(start(), ["pn", zermelo.PN]), "is not a search"),
        (lambda: zermelo.compare(start(), "pn", workers=0), "workers='0' is not a whole number of"),
        (lambda: zermelo.compare(start(), "pn", workers=True), "workers='True'"),
        (lambda: zermelo.compare(start(), "pn", memory=0), "the limit memory='0'"),
        (lambda: zermelo.compare(5, "pn"), "'5' is neither a Position nor a list"),
        (lambda: zermelo.solve_many([start()], workers=-2), "workers='-2'"),
        (lambda: zermelo.solve_many([start()], zermelo), "is not a search"),
        (lambda: next(zermelo.compare([start(), "a1"], "pn", goal="all")), "goal='all'"),
        (lambda: list(zermelo.solve_many(["a1"], workers=1)), "'a1' is not a Position"),
    ],
)
def test_wrong_words_and_types_to_the_searching_functions(call, echo):
    with pytest.raises(BadOption) as caught:
        call()
    check(caught.value, echo)


def test_nothing_is_searched_if_a_later_search_is_unknown():
    with pytest.raises(UnknownSearch):
        zermelo.compare(start(), ["pn", "nonsense"])


def test_codes_and_fields_that_no_state_has():
    with pytest.raises(BadMove, match="move code '99' is not legal here; legal: 0, 1, 2") as caught:
        start().play_code(99)
    check(caught.value, "99")
    with pytest.raises(BadMove) as caught:
        zermelo.game("connect6").start().play_code(400)
    check(caught.value, " and more.")
    with pytest.raises(BadGame) as caught:
        game().position(colour=1)
    check(caught.value, "tic-tac-toe: the state has no field 'colour'.")


@pytest.mark.parametrize(
    ("source", "name", "error", "echo"),
    [
        ("", ":Game", UnknownGame, "has no game 'Game'; games in it: none."),
        ("import zermelo\nclass A(zermelo.Game): pass\nclass B(A): pass\n", ":C", UnknownGame,
         "has no game 'C'; games in it: A, B."),
        ("import zermelo\nclass A(zermelo.Game): pass\nclass B(A): pass\n", "", UnknownGame,
         "does not hold just one game; games in it: A, B."),
        ("import zermelo\nclass A(zermelo.Game): pass\n", ":A", BadGame,
         "a: a game must have a method define that returns its Rules."),
        ("def broken(:\n", ":A", BadGame, "can't be run: SyntaxError"),
        ("1 / 0", ":A", BadGame, "can't be run: ZeroDivisionError: division by zero."),
        ("raise ValueError('many\\nlines.\\n' * 100)", ":A", BadGame, "ValueError: many lines."),
        ("import sys; sys.exit('gone')", ":A", BadGame, "SystemExit: gone."),
        ("import zermelo; zermelo.game('chess')", ":A", UnknownGame, "there is no game 'chess'"),
        ("\0", ":A", BadGame, "can't be run"),
    ],
)
def test_files_without_the_game(tmp_path, source, name, error, echo):
    path = tmp_path / "own.py"
    path.write_text(source)
    with pytest.raises(error) as caught:
        zermelo.game(f"{path}{name}")
    check(caught.value, echo)


@pytest.mark.parametrize(
    ("name", "reason"),
    [("missing.py:A", "No such file"), (".", ""), ("a\0.py:A", "null"), (f"{'x' * 5_000}.py:A", ""),
     ("folder.py:A", "directory")],
)
def test_files_that_cannot_be_read(tmp_path, monkeypatch, name, reason):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.py").mkdir()
    with pytest.raises(UnknownGame) as caught:
        zermelo.game(name)
    check(caught.value, reason)


def test_sentences_are_short_whatever_is_put_in():
    assert quoted("a\nb") == "'a\\nb'"
    assert quoted(HUGE) == f"'{'4' * 30}...{'4' * 15}' (10,000,000 characters)"
    assert len(quoted("\U0010ffff" * 1_000)) < 150
    assert quoted(DIGITS) == '"an object of type int that can\'t be shown"'
    assert listed([]) == "none"
    assert listed(range(5)) == "0, 1, 2, 3, 4"
    assert listed(range(10**9)).endswith(", 22, 23, 24, 25, 26, 27, 28, 29, 30, 31 and more")
    assert len(listed([HUGE])) < 150
    assert one_line("Two\n lines.\n") == "Two lines"
    assert len(one_line(HUGE)) < 210
    assert file_name("a/b.txt") == "'a/b.txt'"
    assert len(file_name(HUGE)) < 100
    assert issubclass(ZermeloError, ValueError)
