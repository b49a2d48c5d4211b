"""Bad input on the command line: status 2, one sentence on standard error, nothing on the other."""

import io
import os
import sys

import pytest
from command import call

import zermelo
from zermelo.cli import options as read
from zermelo.errors import BadOption, quoted
from zermelo.solving.session import Session
from zermelo.storage import whole_files

pytestmark = pytest.mark.usefixtures("without_jit")

TTT = "tic-tac-toe"
LONG = "4" * 100_000  # about what a command line can hold


@pytest.fixture(autouse=True)
def no_search(monkeypatch):
    """Bad input is noticed before anything is searched."""
    monkeypatch.setattr(Session, "ask", None)


def refused(*words, echo="", stdin=b""):
    done = call(*words, stdin=stdin)
    assert done.status == 2, done
    assert done.out == ""
    assert done.err.count("\n") == 1, done.err
    assert done.err.startswith("zermelo: ")
    assert done.err.endswith(".\n"), done.err
    assert len(done.err) < 450, done.err
    assert echo in done.err, done.err


@pytest.mark.parametrize(
    ("words", "echo"),
    [
        (["solve", "chess"], "there is no game 'chess'; games: connect-four, othello"),
        (["solve", "hxe"], "'hxe' (did you mean hex?)"),
        (["solve", ""], "there is no game ''"),
        (["solve", LONG], "(100,000 characters)"),
        (["solve", TTT, ""], "the position is empty; write 'start' for the initial one"),
        (["solve", TTT, "........"], "'........' has 8 squares"),
        (["solve", TTT, LONG], "(100,000 characters)"),
        (["solve", TTT, "a1 b1 a2 b2 a3 b3"], "move 6: 'b3': the game is over"),
        (["solve", "connect-four", f"X{'.' * 41}"], "has nothing below it"),
        (["solve", "othello", "-----XO--OX-----", "-g", "size=4"], "does not say who moves"),
        (["solve", "othello", "start", "--to-move", "O"], "in 'start' X is to move, not 'O'."),
        (["solve", TTT, "a1", "--to-move", "me"],
         "'me' is not a player; players are X, O, black, white, first, second."),
        (["solve", "connect-four", "?", "--to-move", "O"], "'?'"),
        (["solve", "connect-four", "44", "--to-move", "O"], "in '44' X is to move"),
        (["solve", TTT, "-g", "size=3"], "tic-tac-toe has no parameter 'size'; it has: columns"),
        (["solve", TTT, "-g", "columns"], "-g 'columns' is not of the form name=value"),
        (["solve", TTT, "-g", "=3"], "-g '=3' is not of the form name=value"),
        (["solve", TTT, "-g", "rows=3", "-g", "rows=4"], "-g 'rows=4' gives 'rows' a second time"),
        (["solve", TTT, "-g", "columns=many"], "columns='many' is not a whole number"),
        (["solve", TTT, "-g", f"columns={LONG}"], "(100,000 characters)"),
        (["solve", TTT, __file__], "is a file, not a position; to read a position from it, write"),
        (["annotate", TTT, __file__], "is a file, not a record; read it with --file "),
        (["solve", TTT, ".../......"], "has 9 squares in 2 rows, but a board of 3 columns x 3 rows "
         "has 9 in 3."),
        (["solve", TTT, "-s", "dfs"], "there is no search 'dfs'; searches: pn, pn2"),
        (["solve", TTT, "-s", ""], "there is no search ''"),
        (["solve", TTT, "-s", "ppn:theta"], "--search 'theta' is not of the form name=value"),
        (["solve", TTT, "-s", "ppn:theta=2"], "ppn: theta='2' is not valid; it is a number from"),
        (["solve", TTT, "-p", "R=1"], "weak-df-pn has no option 'R'; it has: epsilon, backup,"),
        (["solve", TTT, "--threads", "0"], "threads='0' is not a whole number from 1 to 256."),
        (["solve", TTT, "--threads", "x"], "--threads 'x' is not a whole number."),
        (["solve", TTT, "--threads", "2", "-s", "pn"], "threads=2: pn runs on one thread; df-pn, "
         "deep-df-pn, weak-df-pn, df-ppn, widening-df-pn, tca-df-pn, shared-df-pn, "
         "pds-pn can use more."),
        (["solve", TTT, "--goal", "score"], "goal='score': tic-tac-toe has no final score; valid"),
        (["solve", "othello", "--goal", "score", "-s", "uct"], "goal='score': uct can be asked for "
         "win and value only; df-pn, deep-df-pn, weak-df-pn, df-ppn, widening-df-pn, tca-df-pn, "
         "shared-df-pn, pds-pn, retrograde can do it."),
        (["compare", TTT, "start", "--goal", "shortest"], "goal='shortest': pn can be asked for"),
        (["solve", TTT, "--goal", "best"], "goal='best' is not one of win, value, score, short"),
        (["solve", TTT, "-s", "deep-pn", "-p", "R=x"], "deep-pn: R='x' is not valid"),
        (["solve", TTT, "--goal", "lose"], "goal='lose' is not one of win, value"),
        (["solve", TTT, "--nodes", "-5"], "the limit nodes='-5' is not valid"),
        (["solve", TTT, "--nodes", "0"], "the limit nodes='0' is not valid"),
        (["solve", TTT, "--nodes", "nan"], "the limit nodes='nan' is not valid"),
        (["solve", TTT, "--nodes", "many"], "such as 1000000, 35e6 or 35M"),
        (["solve", TTT, "--time", "inf"], "the limit time='inf' is not valid"),
        (["solve", TTT, "--time=-1"], "the limit time='-1' is not valid"),
        (["solve", TTT, "--memory", "1e999"], "the limit memory='1e999' is not valid"),
        (["solve", TTT, "--memory", "256XB"], "such as 256MB or 2GB"),
        (["solve", TTT, "--seed", "x"], "--seed 'x' is not a whole number"),
        (["solve", TTT, "--seed", "1.5"], "--seed '1.5' is not a whole number"),
        (["solve", TTT, "--seed", ""], "--seed '' is not a whole number"),
        (["solve", TTT, "--seed", LONG], "(100,000 characters)"),
        (["solve", TTT, "--seed", "-1"], "seed='-1' is not a whole number from 0 to"),
        (["solve", TTT, "--seed", str(2**64)], "seed='18446744073709551616'"),
        (["solve", TTT, "--trace", "0"], "trace='0' is not a whole number of at least 1"),
        (["solve", TTT, "--trace", "often"], "--trace 'often' is not a whole number"),
        (["analyze", TTT, "zz"], "square 1 of 'zz'"),
        (["analyze", TTT, "--nodes", "-1"], "the limit nodes='-1'"),
        (["analyze", TTT, "--seed", "x"], "--seed 'x' is not a whole number"),
        (["compare", TTT, "start", "--file", "x"], "either a position or --file, not both."),
        (["compare", TTT, "start", "-s", "pn", "-s", "abc"], "there is no search 'abc'"),
        (["compare", TTT, "start", "--workers", "0"], "workers='0' is not a whole number of at"),
        (["compare", TTT, "start", "--workers", "two"], "--workers 'two' is not a whole number"),
        (["compare", TTT, "start", "--goal", "all"], "goal='all'"),
        (["compare", TTT, "start", "--time", "0"], "the limit time='0'"),
        (["warmup", "chess"], "there is no game 'chess'"),
        (["warmup", TTT, "dfs"], "there is no search 'dfs'"),
        (["warmup", "-g", "size=3"], "-g 'size=3' needs a game"),
        (["check-game", "chess"], "there is no game 'chess'"),
        (["check-game", TTT, "--games", "all"], "--games 'all' is not a whole number"),
    ],
    ids=quoted,
)
def test_what_the_library_refuses(words, echo):
    refused(*words, echo=echo)


@pytest.mark.parametrize(
    ("words", "echo"),
    [
        (["--bogus"], "No such option: --bogus (see 'zermelo --help')"),
        (["solve", "--bogus"], "No such option: --bogus (see 'zermelo solve --help')"),
        (["solve", TTT, "--sede", "1"], "--sede"),
        (["solve", TTT, "-x"], "No such option: -x"),
        (["solve", f"--{LONG}"], "No such option: --444"),
        (["solve"], "Missing argument 'GAME' (see 'zermelo solve --help')"),
        (["compare"], "Missing argument 'GAME' (see 'zermelo compare --help')"),
        (["solve", TTT, "a1", "b1"], "a position of several words needs quotes (see"),
        (["solve", TTT, "--goal"], "'--goal' requires an argument (see 'zermelo solve --help')"),
        (["solve", TTT, "--json=yes"], "--json"),
        (["frobnicate"], "No such command 'frobnicate'"),
        (["solvee"], "No such command 'solvee'"),
        (["solve\nit"], "No such command"),
        (["games", "hex"], "unexpected extra argument"),
    ],
    ids=quoted,
)
def test_what_the_parser_refuses(words, echo):
    refused(*words, echo=echo)


def test_standard_input_that_is_no_position(monkeypatch):
    refused("solve", TTT, "-", stdin=b"", echo="the position is empty")
    refused("solve", TTT, "-", stdin=b"\xff\xfe\x00", echo="the file '-' is not a text in UTF-8")
    refused("solve", TTT, "-", stdin=b"4" * 10_000_000, echo="(10,000,000 characters)")
    refused("compare", TTT, "--file", "-", stdin=b"\n# none\n", echo="holds no position")
    monkeypatch.setattr(whole_files, "LARGEST_FILE", 1_000)
    refused("solve", TTT, "-", stdin=b"4" * 1_001, echo="the file '-' is larger than 1,000 bytes")
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(BadOption, match="it is not there"):
        read.read_position(zermelo.game(TTT), "-")
    closed = io.TextIOWrapper(io.BytesIO())
    closed.close()
    monkeypatch.setattr(sys, "stdin", closed)
    with pytest.raises(BadOption, match="it is not there"):
        read.read_position(zermelo.game(TTT), "-")


def test_files_that_hold_no_positions(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "empty").write_text("")
    (tmp_path / "binary").write_bytes(bytes(range(256)))
    (tmp_path / "zeros").write_bytes(b"\0" * 1_000)
    (tmp_path / "long").write_text("4" * 10_000_000)
    (tmp_path / "bad").write_text("a1\na1 b1\n\n# fine\na1 a1\n")
    (tmp_path / "folder").mkdir()
    for name, echo in (
        ("missing", "can't read the file 'missing': No such file or directory"),
        ("folder", "can't read the file 'folder': Is a directory"),
        ("empty", "the file 'empty' holds no position; it needs one per line"),
        ("binary", "the file 'binary' is not a text in UTF-8"),
        ("zeros", "file 'zeros', line 1: tic-tac-toe: character '\\x00', square 1"),
        ("long", "file 'long', line 1: tic-tac-toe: '444444"),
        ("bad", "file 'bad', line 5: tic-tac-toe: move 2: 'a1' is not a legal move here"),
        ("a" * 5_000, "can't read the file 'aaaa"),
        ("", "can't read the file '': "),
    ):
        refused("compare", TTT, "--file", name, echo=echo)


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads everything")
def test_a_file_without_permission(tmp_path):
    (tmp_path / "secret").write_text("a1")
    (tmp_path / "secret").chmod(0)
    refused("compare", TTT, "--file", str(tmp_path / "secret"), echo="Permission denied")


def test_games_in_files_that_are_none(tmp_path):
    (tmp_path / "broken.py").write_text("1 / 0\n")
    refused("solve", f"{tmp_path / 'broken.py'}:A", echo="can't be run: ZeroDivisionError")
    refused("solve", f"{tmp_path / 'missing.py'}:A", echo="No such file or directory")
