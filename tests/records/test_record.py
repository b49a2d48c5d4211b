"""Reading game records: every notation of moves, and one sentence for what is none."""

from pathlib import Path

import pytest
from command import call

import zermelo
from zermelo import BadOption, BadPosition, ZermeloError
from zermelo.game_records.record import read_record

CHOMP = f"{Path(__file__).parents[2] / 'examples' / 'chomp.py'}:Chomp"
TTT = zermelo.game("tic-tac-toe")


def moves_of(game, record, start=None):
    return " ".join(read_record(game, record, start).moves)


@pytest.mark.parametrize(
    ("game", "parameters", "record", "start", "moves"),
    [
        ("connect-four", {}, "4455", None, "4 4 5 5"),
        ("connect-four", {}, "4, 4\n5 5", None, "4 4 5 5"),
        ("connect-four", {"columns": 12, "rows": 4}, "12,1 12", None, "12 1 12"),
        ("connect-four", {}, "55", "44", "5 5"),
        ("connect-four", {}, "start", "44", ""),
        ("connect-four", {}, [], None, ""),
        ("connect-four", {}, ("1", "7"), None, "1 7"),
        ("othello", {}, "f5d6c3", None, "f5 d6 c3"),
        ("othello", {}, "F5 D6, C3", None, "f5 d6 c3"),
        ("othello", {"size": 4}, "a2a3b4c1a4b1", None, "a2 a3 b4 c1 a4 pass b1"),
        ("othello", {"size": 4}, "a2 a3 b4 c1 a4 pa b1", None, "a2 a3 b4 c1 a4 pass b1"),
        ("hex", {"size": 5}, "5x5: b2 c3 d1", None, "b2 c3 d1"),
        ("hex", {}, "#5c1,a3b4", None, "a3 b4"),
        ("hex", {}, "(;GM[11]SZ[5];B[a3];W[b4])", None, "a3 b4"),
        ("hex", {"size": 3}, "(;W[a3];B[b1])", ".../.../... O", "a3 b1"),
        ("connect6", {}, "j10 i9l10 j8l8", None, "j10 i9 l10 j8 l8"),
        ("connect6", {}, ";B[j10];W[i9l10]", None, "j10 i9 l10"),
        ("connect6", {}, "i9 l10", "j10", "i9 l10"),
        ("p-game", {"depth": 4}, "0 1 1", None, "0 1 1"),
        ("p-game", {}, "b=3,d=4,path=0.2", None, "0 2"),
        (CHOMP, {}, "c2 b1", None, "c2 b1"),
        (CHOMP, {}, "b2", "2x2", "b2"),
    ],
)
def test_every_notation_of_moves_is_read(game, parameters, record, start, moves):
    assert moves_of(zermelo.game(game, **parameters), record, start) == moves


def test_a_record_of_another_size_brings_its_board():
    record = read_record(zermelo.game("hex"), "#4c1,a3b4")
    assert [position.game["size"] for position in record.positions] == [4, 4, 4]


def test_moves_with_spaces_in_them():
    graph = zermelo.graph({"r": ("or", ["a b", "c"]), "a b": ("and", ["c", "d"]), "c": "win",
                           "d": "draw"})
    assert read_record(graph, "a b\n d \n").moves == ["a b", "d"]
    assert read_record(graph, ["a b", "d"]).moves == ["a b", "d"]
    assert read_record(graph, "d", start="a b").moves == ["d"]


def test_a_start_that_was_played_to_is_a_start():
    start = TTT.parse("b2 a1")
    record = read_record(TTT, "c3 b1", start)
    assert record.moves == ["c3", "b1"]
    assert record.positions[0] == start


@pytest.mark.parametrize(
    ("game", "record", "start", "sentence"),
    [
        ("connect-four", "4444449", None, "move 7: '9' is not a legal move here: no such column"),
        ("connect-four", "4 4 y", None, "'y'"),
        ("connect-four", "59", "44", "move 2: '9'"),
        ("connect-four", "1212121" + "3", None, "move 8: '3': the game is over"),
        ("connect-four", "", None, "the record is empty; write 'start' for one without moves"),
        ("connect-four", "." * 42, None, "does not lead from .* by moves alone"),
        ("connect-four", [4], None, "move 1: a move is a text such as '1', not '4'"),
        ("connect-four", 4, None, "a record is a text or a list of moves, not '4'"),
        ("connect-four", "4", "4?", r"'4\?'"),
        ("othello", "f5d9", None, "move 2: 'd9' is not a legal move"),
        ("hex", "a1 pass b2", None, "given apart from the moves"),
        ("hex", "(;W[a3];B[b4])", None, "does not lead from '11x11:' by moves alone"),
        ("connect6", "j10 i9l10 j8j8", None, "move 5: 'j8' is not a legal move here"),
        ("p-game", "0 2", None, "move 2: '2' is not a legal move here; legal: 0 to 1"),
        (CHOMP, "zz c2", None, "move 1: 'zz' is not a legal move here; legal: a1"),
        (CHOMP, "3x3", None, "move 1: '3x3' is not a legal move here"),
        (CHOMP, "a1 b1", None, "move 2: 'b1': the game is over"),
    ],
)
def test_a_bad_record_is_named(game, record, start, sentence):
    with pytest.raises(BadPosition, match=sentence) as caught:
        read_record(zermelo.game(game), record, start)
    assert str(caught.value).count("\n") == 0


def test_what_is_no_game_or_no_start():
    with pytest.raises(BadOption, match="'tic-tac-toe' is not a game"):
        zermelo.annotate("tic-tac-toe", "a1")
    for start in (3, zermelo.game("connect-four").start()):
        with pytest.raises(BadOption, match=r"the record starts from .* not a position of tic-"):
            zermelo.annotate(TTT, "a1", start=start)
    with pytest.raises(ZermeloError, match="there is no search"):
        zermelo.annotate(TTT, "a1", "best")


def test_an_interrupt_before_anything_is_known(monkeypatch):
    def interrupted(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(zermelo.Session, "advance", interrupted)
    with pytest.raises(KeyboardInterrupt):
        zermelo.annotate(TTT, "a1")
    assert call("annotate", "tic-tac-toe", "a1") == (130, "", "zermelo: interrupted.\n")


def test_a_finished_game_needs_no_search():
    done = call("annotate", "tic-tac-toe", "start", "--from", "a1 b1 a2 b2 a3")
    assert (done.status, done.err) == (0, "")
    assert "no move threw anything away\n0 nodes, 0.000 s" in done.out


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["tic-tac-toe"], "give either a record or --file, not both or neither."),
        (["tic-tac-toe", "a1", "--file", "x"], "give either a record or --file"),
        (["tic-tac-toe", "--file", "no.txt"], "can't read the file 'no.txt'"),
        (["tic-tac-toe", "a1 a1"], "tic-tac-toe: move 2: 'a1' is not a legal move here"),
        (["tic-tac-toe", "a1", "--from", "x"], "'x'"),
        (["tic-tac-toe", "a1", "-s", "best"], "there is no search 'best'"),
        (["tic-tac-toe", "a1", "--nodes", "0"], "the limit nodes='0'"),
        (["tic-tac-toe", "a1", "--seed", "x"], "--seed 'x'"),
        (["chess", "e4"], "there is no game 'chess'"),
    ],
)
def test_bad_words_are_refused(words, sentence):
    done = call("annotate", *words)
    assert (done.status, done.out) == (2, "")
    assert done.err.count("\n") == 1
    assert sentence in done.err


# Which notation a text was taken for.
@pytest.mark.parametrize(
    ("game", "parameters", "texts"),
    [
        ("connect-four", {}, {
            "start": "start", "44455": "moves", "4,4,5": "moves", "." * 41 + "X": "board",
            "0" * 41 + "1 O": "board", "c4-cols: " + ",".join("b" * 42): "c4-cols"}),
        ("connect-four", {"columns": 2, "rows": 1, "line": 2}, {"12": "moves", ".X": "board"}),
        ("othello", {"size": 4}, {
            "-----OX--XO----- X": "board", "-----OX--XO----- X; a2:+3": "OBF line",
            "ggf: -----O*--*O----- *": "GGF board", "a2a3": "transcript"}),
        ("hex", {"size": 3}, {
            "3x3: a1": "moves", "a1 b2": "moves", "X../.../...": "rows", "#3,a1b2": "HexWorld link",
            "(;B[a1];W[b2])": "SGF, red-bean", "(;W[aa];B[bb])": "SGF, Little Golem",
            "(;GM[11])": "SGF"}),
        ("k-in-a-row", {}, {"a1 b2": "moves", ";B[a1];W[b2]": "SGF", "X../.../...": "rows"}),
        ("p-game", {}, {"b=2,path=0.1": "path"}),
        (CHOMP, {}, {"start": "start", "3x3": None}),
    ],
)
def test_a_position_says_how_it_was_written(game, parameters, texts):
    rules = zermelo.game(game, **parameters)
    for text, notation in texts.items():
        position = rules.parse(text)
        assert position.notation == notation, text
        assert rules.parse(position.text) == position
        for move in position.moves()[:1]:
            assert position.play(move).notation is None
    assert rules.start().notation is None


def test_notations_of_games_without_their_own():
    copy = zermelo.game(str(Path(CHOMP).with_name("connect_four_copy.py")))
    assert copy.parse("445").notation == "moves"
    assert copy.parse(copy.parse("445").text).notation == "fields"
    assert zermelo.graph({"a": ("or", ["b"]), "b": "win"}).parse("b").notation == "node"
