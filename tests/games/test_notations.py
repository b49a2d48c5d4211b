"""Reading texts of every game: what comes of odd ones, and what people paste."""

import random

import pytest
from brute import random_game
from command import call

import zermelo
from zermelo.errors import BadOption, BadPosition, ZermeloError
from zermelo.game_records.record import read_record, records
from zermelo.storage.whole_files import LARGEST_FILE, LONGEST_TEXT

pytestmark = pytest.mark.usefixtures("without_jit")

SMALL = {"connect-four": {"columns": 4, "rows": 4}, "othello": {"size": 4}, "hex": {"size": 3},
         "lines-of-action": {"size": 4}}
NAMES = zermelo.game_names()


def small(name):
    return zermelo.game(name, **SMALL.get(name, {}))


def test_the_largest_sizes_are_said(tmp_path, monkeypatch):
    game = small("tic-tac-toe")
    long = "a1 " * (LONGEST_TEXT // 3 + 1)
    with pytest.raises(BadPosition, match="too long for a position; it may have at most 100,000"):
        game.parse(long)
    with pytest.raises(BadPosition, match="too long for a record; it may have at most 100,000"):
        read_record(game, long)
    assert LARGEST_FILE == 100_000_000
    monkeypatch.setattr("zermelo.storage.whole_files.LARGEST_FILE", 8)
    (tmp_path / "x").write_text("a1 b2 c3")
    assert len(list(records(game, tmp_path / "x"))) == 1
    (tmp_path / "x").write_text("a1 b2 c3\n")
    with pytest.raises(BadOption, match="larger than 8 bytes"):
        list(records(game, tmp_path / "x"))


@pytest.mark.parametrize(("name", "parameters", "text"), [
    ("k-in-a-row", {"columns": 4, "rows": 4}, "......../........ X"),
    ("k-in-a-row", {"columns": 4, "rows": 4}, "........ ........"),
    ("hex", {"size": 4}, "......../........"), ("hex", {"size": 4}, "........ ........ X"),
    ("connect-four", {"columns": 4, "rows": 4}, "......../........"),
    ("connect-four", {"columns": 4, "rows": 4}, "........ ........ X"),
    ("connect-four", {"columns": 4, "rows": 4}, "00000000 00000000"),
    ("othello", {"size": 4}, "-----XO-/-OX----- X"),
    ("othello", {"size": 4}, "-----XO- -OX----- X"),
    ("lines-of-action", {"size": 4}, ".XX.O..O/O..O.XX. X"),
])
def test_rows_of_another_shape_are_not_this_board(name, parameters, text):
    with pytest.raises(BadPosition, match=r"squares in 2 rows|is not a board of 4x4") as caught:
        zermelo.game(name, **parameters).parse(text)
    assert str(caught.value).count("\n") == 0


VALID = {
    "connect-four": ["4412", "................ X", "c4-cols:" + "b," * 16, "https://x.org/?pos=44",
                     "1, 2, 3 O to move", '[Event "x"]\n1. 4 4 *'],
    "othello": ["a2a3b4", "-----XO--OX----- X", "ggf:BO[4 -----O*--*O----- *]",
                "-----XO--OX----- X; a2:+3",
                "(;GM[Othello]BO[4 -----O*--*O----- *]B[a2//1.0]W[a3];)"],
    "hex": ["3x3: a1 b2", "a1 swap b2", "#3c1,a1:sb2", "(;GM[11]SZ[3];B[a1];W[b2])",
            "(;GC[ game #1]SZ[3];W[ab];B[swap];W[bb])", "X../.O./... X"],
    "p-game": ["b=2,d=4,path=0.1", "seed=7"],
    "k-in-a-row": ["a1 b2", ";B[a1];W[b2]", "X../.O./... X"],
    "tic-tac-toe": ["a1,b2", "a1 b2 c3", "X../.O./..."],
    "gomoku": ["h8 h9 a15", ";B[h8];W[a1]"],
    "connect6": ["j10 i9l10 j8l8", ";B[j10];W[i9l10]"],
    "lines-of-action": ["b1-b3 a2-c2", "1. b1b3 2. a2c2", ".XX./O..O/O..O/.XX. X",
                        "(;GM[9]SZ[4];B[b1-b3])"],
    "xiangqi": ["h2e2 h9g7", "炮二平五 马8进7", "C2.5 H8+7", "4k4/9/9/9/9/9/9/9/9/3K5 w - - 0 1",
                "position startpos moves h2e2", '[Event "x"]\n1. C2.5 H8+7 1-0'],
}
ODD = ["İ", "\u0131", "\u017f", "\u212a", "²", "\u0661", "ß", "\ufb01", "\uff11", "\uff21", "①",
       "½", "\u2028", "\ufeff", "\0", "\ud800", "e\u0301", "\u202e", "十", "帥", "\t",
       "\x85", "\\", "'", "[", "]", "(", ")",
       ";", "#", "/", "-", "9" * 30, "A", "x"]


def mutated(text, chance):
    marks = list(text)
    for _ in range(chance.randint(1, 3)):
        at, kind = chance.randrange(len(marks) + 1), chance.randrange(4)
        if kind == 0:
            marks.insert(at, chance.choice(ODD))
        elif kind == 1:
            marks[at : at + 1] = [chance.choice(ODD)]
        elif kind == 2:
            del marks[at : at + chance.randint(1, 4)]
        else:
            marks[at:at] = marks[max(0, at - 5) : at]
    return "".join(marks)


def said(read, *arguments):
    """The sentence of a refusal; nothing where there is none."""
    try:
        read(*arguments)
    except ZermeloError as error:
        return str(error)
    return ""


@pytest.mark.long_cases("gomoku", "connect6", "xiangqi")
@pytest.mark.parametrize("name", NAMES)
def test_odd_texts_get_a_sentence_and_nothing_else(name):
    game, chance = small(name), random.Random(name)
    start = game.start()
    for round in range(200):
        valid = chance.choice(VALID[name])
        game.parse(valid)
        text = mutated(valid, chance)
        for sentence in (said(game.parse, text), said(read_record, game, text),
                         said(start.play, text), said(game.parse, valid, text)):
            assert "\n" not in sentence, (round, text)
            assert len(sentence) < 500, (round, text)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("odd", ODD[:12])
def test_no_letter_or_digit_of_another_script_is_a_move(name, odd):
    start = small(name).start()
    for text in (f"{odd}1", f"a{odd}", odd, f"a1{odd}"):
        with pytest.raises(ZermeloError):
            start.play(text)
    with pytest.raises(ZermeloError):
        small(name).parse(f"{odd}1 b2")


def test_parameters_with_the_names_of_arguments():
    for word in ("name=1", "self=1", "id=1", "parameters=1", "size=\u0663"):
        status, _, sentence = call("solve", "hex", "-g", word)
        assert (status, sentence.count("\n")) == (2, 1), sentence
    assert call("solve", "hex", "-p", "id=1")[0] == 2
    assert call("annotate", "tic-tac-toe", "İ1 b2")[0] == 2


@pytest.mark.parametrize("name", NAMES)
def test_the_printed_diagram_can_be_pasted_back(name):
    for position in [*random_game(small(name), 1, 59), *random_game(small(name), 2, 59)[-2:]]:
        game, drawn = position.game, position.diagram
        if position.outcome is None:
            if name not in ("p-game",):
                said = drawn if "to move" in drawn or "must pass" in drawn else (
                    f"{drawn}\n{position.to_move} to move")
                assert game.parse(said) == position, drawn
            if "to move" not in drawn and "must pass" not in drawn:
                assert game.parse(drawn, position.to_move) == position
        if name not in ("p-game",):
            again = game.parse(drawn)
            assert again.outcome == position.outcome
            assert again.diagram == drawn
        else:
            assert game.parse(drawn) == position


@pytest.mark.parametrize(("alias", "name"), [
    ("connect4", "connect-four"), ("c4", "connect-four"), ("loa", "lines-of-action"),
    ("reversi", "othello"), ("ttt", "tic-tac-toe"), ("tictactoe", "tic-tac-toe"),
    ("chinese-chess", "xiangqi"), ("Gomoku", "gomoku"), ("Connect-Four", "connect-four")])
def test_other_names_of_games(alias, name):
    assert zermelo.game(alias).name == name
    listed = call("games").out
    assert alias.lower() in listed


@pytest.mark.parametrize(("name", "board", "words"), [
    ("othello", "-----XO--OX-----", ("black", "Black", "first", "X", "x", "0")),
    ("lines-of-action", ".XX./O..O/O..O/.XX.", ("black", "first", "X")),
    ("xiangqi", "4k4/9/9/9/9/9/9/9/9/3K5", ("red", "Red", "w", "r", "first")),
    ("connect-four", "." * 16, ("red", "X", "first")),
    ("hex", ".../.../...", ("red", "black", "first")),
    ("gomoku", "." * 225, ("black", "first", "x"))])
def test_players_by_their_names_colours_and_numbers(name, board, words):
    game = small(name)
    for word in words:
        assert game.parse(board, word).mover == 0, word
        if word != "0":
            assert game.parse(f"{board}\n{word} to move").mover == 0, word
    assert game.parse(board, "second").mover == 1
    with pytest.raises(BadOption, match=r"to move, not 'second'\."):
        game.parse(f"{board} first to move", "second")


def test_the_link_of_a_solver():
    game = zermelo.game("connect-four")
    position = game.parse("https://connect4.gamesolver.org/?pos=44444")
    assert (position, position.notation) == (game.parse("44444"), "link")
    assert game.parse("https://connect4.gamesolver.org/en/?pos=").text == game.start().text
    with pytest.raises(BadPosition, match="move 2: '8' is not a legal move here"):
        game.parse("https://connect4.gamesolver.org/?pos=48")


GGF = ("(;GM[Othello]PC[GGS/os]PB[one]PW[two]RE[-2]TI[1:00]TY[4]BO[4 -----O*--*O----- *]"
       "B[a2//1.5]W[A3/2.1/0.5]B[b4];)")


def test_games_in_ggf():
    game = small("othello")
    position = game.parse(GGF)
    assert position == game.parse("a2a3b4")
    assert (position.notation, read_record(game, GGF).moves) == ("GGF", ["a2", "a3", "b4"])
    assert game.parse("(;GM[2];B[a2];W[a3];B[b4])") == position
    for text, sentence in [
            (GGF.replace("Othello", "Amazons"), "GM 'Amazons' is another game; Othello is GM"),
            (GGF.replace("W[A3", "B[A3"), "move 2: 'a3' is a move of B, but O \\(W\\) is to move"),
            (GGF.replace(";)", "BO[4 x];)"), "a second board, BO '4 x', follows move 3"),
            (GGF.replace("BO[4", "BO[8"), "is not a board of 4x4"),
            ("(;AB[a1])", "sets up a position with AB"), (GGF[:-1], "is not closed")]:
        with pytest.raises(BadPosition, match=sentence):
            game.parse(text)


PGN = """[Event "A match"]
[White "one \\\\ \\" two"]
[Result "1-0"]

1. h2e2 h9g7 {a comment 3. a0a1}
2.h0g2 ; another
i9h9 1-0
"""


def test_games_in_pgn(tmp_path):
    game = zermelo.game("xiangqi")
    moves = ["h2e2", "h9g7", "h0g2", "i9h9"]
    assert game.parse(PGN) == game.start().play(*moves)
    assert read_record(game, PGN).moves == moves
    (tmp_path / "games").write_text(PGN + PGN.replace("1-0", "*") + '[Event "none"]\n')
    found = list(records(game, tmp_path / "games"))
    assert [(one.moves, one.result) for one in found] == [
        (moves, "first"), (moves, ""), ([], "")]
    fen = "4k4/9/9/9/9/9/9/9/R8/3K5 b"
    begun = f'[FEN "{fen}"]\n\n1... e9e8 2. a1a8'
    assert game.parse(begun) == game.parse(fen).play("e9e8", "a1a8")
    assert read_record(game, begun).positions[0] == game.parse(fen)
    four = zermelo.game("connect-four")
    assert four.parse('[Event "x"]\n1. 4 4 2. 5 *') == four.parse("445")
    assert small("othello").parse('[Event "x"]\n1. a2 a3 2. b4') == small("othello").parse("a2a3b4")


def test_what_follows_a_resignation_is_refused():
    game = zermelo.game("lines-of-action")
    assert game.parse("b1-b3 resign") == game.parse("b1-b3")
    with pytest.raises(BadPosition, match="move 3: 'a2-c2' follows 'resign', which ends the game"):
        game.parse("b1-b3 resign a2-c2")


def test_finished_games_in_diagrams():
    game = small("othello")
    with pytest.raises(BadPosition, match="has not ended so"):
        game.parse("  a b c d\n1 - - - -\n2 - X O -\n3 - O X -\n4 - - - -\nX wins")
    with pytest.raises(BadPosition, match="is not a board of 4x4"):
        game.parse("1 - - - -\n2 - X O -\nX wins")


def test_the_sum_in_a_diagram_of_a_p_game_must_be_that_of_the_tree():
    game = zermelo.game("p-game")
    drawn = game.parse("path=0.1").diagram
    with pytest.raises(BadPosition, match="is not of this tree, where the sum there is"):
        zermelo.game("p-game", seed=5).parse(drawn)


def test_a_game_equals_what_comes_of_its_pickle():
    import pickle

    for name in NAMES:
        game = small(name)
        again = pickle.loads(pickle.dumps(game))
        assert (again, hash(again)) == (game, hash(game))
        assert type(game)(**game.values) == game
    assert small("hex") != zermelo.game("hex")
    assert zermelo.game("tic-tac-toe") != zermelo.game("k-in-a-row")
    assert small("hex") != "hex"
    graphs = [zermelo.graph({"r": ("or", ["a", "b"]), "a": end, "b": "loss"}) for end in
              ("win", "win", "draw")]
    assert graphs[0] == graphs[1] == pickle.loads(pickle.dumps(graphs[0]))
    assert graphs[0] != graphs[2]
    assert hash(graphs[0]) == hash(graphs[1])


def test_an_encoding_that_lacks_the_signs(tmp_path):
    import os
    import subprocess
    import sys

    done = subprocess.run(
        [sys.executable, "-m", "zermelo", "solve", "xiangqi", "4k4/9/9/9/9/9/9/9/R8/3K5 w",
         "-g", "pieces=chinese", "--nodes", "2", "-q"], capture_output=True, text=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"}, check=False)
    assert "Traceback" not in done.stderr
    assert "\\u5e25" in done.stdout
    assert done.returncode in (0, 10)


def test_compare_begins_at_the_start():
    done = call("compare", "tic-tac-toe", "-s", "df-pn", "--nodes", "50", "-q")
    assert done.status in (0, 10), done.err


@pytest.mark.parametrize(("name", "text", "marks"), [
    ("connect-four", "12341234", 'stroke-width="3"'), ("hex", "a1 b2 c1", 'stroke-width="3"'),
    ("othello", "a2a3b4", 'stroke-width="3"'),
    ("lines-of-action", "start", "<polygon"),
    ("xiangqi", "4k4/9/9/9/9/9/9/9/R8/3K5 w", "<polygon")])
def test_pictures_show_the_move_and_say_who_moves(name, text, marks):
    from xml.etree import ElementTree

    position = small(name).parse(text)
    move = position.moves()[0]
    picture = position.game.line_svg(position, [[move], [position.play(move).moves()[0]]])
    ElementTree.fromstring(picture)
    assert picture.count(marks) == position.svg().count(marks) + 1
    assert f">{position.to_move} to move<" in position.svg()
    result = zermelo.solve(position, nodes=3)
    assert f">{position.to_move} to move<" in result.svg()


def test_pictures_of_what_has_ended_or_is_drawn_otherwise():
    from zermelo.core.svg import captioned

    assert ">X wins<" in small("tic-tac-toe").parse("a1 b1 a2 b2 a3").svg()
    assert ">draw<" in small("tic-tac-toe").parse("XOX/XOO/OXX").svg()
    assert captioned("<svg/>", "X to move") == "<svg/>"


def test_a_side_in_the_text_that_its_moves_contradict():
    with pytest.raises(BadPosition, match=r"in '12' X is to move, not 'O'\."):
        small("connect-four").parse("12 O to move")


def test_fields_take_the_digits_0_to_9_only():
    game = small("othello")
    assert zermelo.Game.read(game, "own=1;opp=2;turn=0").mover == 0
    with pytest.raises(BadPosition, match="'own=\u0661' is not numbers that fit the field"):
        zermelo.Game.read(game, "own=\u0661")
