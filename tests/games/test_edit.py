"""Setting up positions square by square."""

import random

import pytest

import zermelo
from zermelo import BadOption, BadPosition
from zermelo.core.board_view import edit

FOUR = zermelo.game("connect-four")
CHESS = zermelo.game("xiangqi")


@pytest.mark.parametrize(("name", "parameters"), [
    ("connect-four", {}), ("othello", {"size": 4}), ("hex", {"size": 4}), ("tic-tac-toe", {}),
    ("k-in-a-row", {"columns": 6, "rows": 5, "line": 4, "stones": 2}),
    ("lines-of-action", {"size": 5}), ("xiangqi", {})], ids=str)
def test_what_comes_out_can_be_parsed(name, parameters):
    game, rng, edited = zermelo.game(name, **parameters), random.Random(name), 0
    position = edit(game.start(), clear=True) if name == "xiangqi" else game.start()
    for _ in range(40):
        square = rng.choice(list(game.square_spots()))
        mark = rng.choice(game.marks(position))
        try:
            found = edit(position, square=square, mark=mark)
        except BadPosition:
            continue
        assert game.parse(found.text) == found
        assert found.played == []
        assert found.origin == found
        if name != "connect-four":
            assert game.cells(found)[square] == mark
        edited += found != position
        position = found
    assert edited > 5


def test_stones_fall():
    one = edit(FOUR.start(), square="d6", mark="X")
    assert FOUR.cells(one)["d1"] == "X"
    two = edit(one, square="d1", mark="O")  # the colour of a stone that is there
    assert FOUR.cells(two)["d1"] == "O"
    stack = FOUR.parse("44444")
    gone = edit(stack, square="d1", mark=".")
    assert [FOUR.cells(gone)[f"d{row}"] for row in range(1, 7)] == ["O", "X", "O", "X", ".", "."]
    full = FOUR.parse("444444")
    assert FOUR.cells(edit(full, square="d6", mark="."))["d6"] == "."
    with pytest.raises(BadPosition, match="4 X and 2 O"):
        edit(full, square="d6", mark="X")


def test_who_moves():
    board = edit(FOUR.parse("44"), to_move="O")
    assert board.to_move == "O"
    assert board.to_move == edit(board, square="a1", mark="X").to_move
    # X has four in a row, so that O must be to move.
    won = edit(FOUR.parse("112233"), square="d1", mark="X")
    assert (won.outcome, won.to_move) == ("first", "O")
    with pytest.raises(BadPosition, match="so X can't be to move"):
        edit(won, to_move="red")
    assert edit(won, to_move="yellow").text == won.text
    with pytest.raises(BadOption, match="'green' is not a player; players are X, O, red, yellow"):
        edit(won, to_move="green")


def test_a_cleared_board():
    assert edit(FOUR.parse("4455"), clear=True) == FOUR.start()
    assert edit(FOUR.parse("4455"), clear=True, to_move="O").to_move == "O"
    assert edit(CHESS.start(), clear=True).text == "4k4/9/9/9/9/9/9/9/9/3K5 w"
    empty = edit(zermelo.game("othello", size=4).start(), clear=True)
    assert empty.text == "-" * 16 + " X"
    with pytest.raises(BadPosition, match="X has 0 pieces"):
        edit(zermelo.game("lines-of-action", size=5).start(), clear=True)


def test_kings_are_moved_and_must_not_be_taken():
    moved = edit(CHESS.start(), square="e1", mark="K")
    assert (CHESS.cells(moved)["e1"], CHESS.cells(moved)["e0"]) == ("K", ".")
    with pytest.raises(BadPosition, match="0 kings"):
        edit(CHESS.start(), square="e0", mark=".")
    with pytest.raises(BadPosition, match="can't stand on"):
        edit(CHESS.start(), square="a4", mark="K")


@pytest.mark.parametrize(("asked", "complaint"), [
    ({"square": "z9", "mark": "X"}, "there is no square 'z9'; squares: a6, b6"),
    ({"square": "a1", "mark": "Q"}, "'Q' can't be put on a square; marks: . X O"),
    ({"square": "a1"}, "edit needs a square and a mark, or to_move, or clear"),
    ({}, "edit needs a square and a mark, or to_move, or clear"),
])
def test_refusals(asked, complaint):
    with pytest.raises(BadOption, match=complaint):
        edit(FOUR.start(), **asked)


def test_games_without_squares_and_what_is_no_position():
    with pytest.raises(BadOption, match="p-game: its positions can't be edited"):
        edit(zermelo.game("p-game").start(), clear=True)
    with pytest.raises(BadOption, match="is not a Position"):
        edit("start", clear=True)
