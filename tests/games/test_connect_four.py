"""Connect Four: notations and their errors, perft, rules against OpenSpiel and the slow twin."""

import random

import pytest
from conformance import Subject, check_refused, check_rules, check_text
from naive.connect_four import NaiveConnectFour

from zermelo.compiler.jit import jit_enabled
from zermelo.errors import BadMove, BadOption, BadPosition
from zermelo.games.connect_four.game import ConnectFour

# Position 161 of the openings of Primanita, Khalid & Iida 2020: 6 X, 5 O, and X to move.
ID_161 = "**O******X******O******X*****XO****OXXO**X"
# Move sequences from the empty board; OpenSpiel 2.0.2, connect_four.
PERFT = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
# Eight plies in the form of the UCI Connect-4 data set (Tromp 1995): a1..a6, b1.., then the value.
UCI = ",".join("bbbbbbbbbbbbxobbbbxoxoxobbbbbbbbbbbbbbbbbb") + ",win"

GAME = ConnectFour()
EMPTY = "." * 42


def low(*rows: str) -> str:
    """A board of which these are the lowest rows."""
    return "".join(rows).rjust(42, ".")


ONE_STONE, TWO_STONES = low("...X..."), low("...O...", "...X...")
TOWER = low("...X...", "...O...", "...X...")
ROWS = ["......."] * 5 + ["...X..."]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("start", f"{EMPTY} X"),
        (EMPTY, f"{EMPTY} X"),
        ("0" * 42, f"{EMPTY} X"),
        ("4", f"{ONE_STONE} O"),
        ("44455", f"{low('...X...', '...OX..', '...XO..')} O"),
        ("4,4,4", f"{TOWER} O"),
        ("4, 4, 4", f"{TOWER} O"),
        ("4 4 4", f"{TOWER} O"),
        ("444 O", f"{TOWER} O"),
        (TWO_STONES, f"{TWO_STONES} X"),
        (TWO_STONES.lower(), f"{TWO_STONES} X"),
        (TWO_STONES.translate(str.maketrans("XO.", "120")), f"{TWO_STONES} X"),
        (TWO_STONES.replace(".", "*"), f"{TWO_STONES} X"),
        (f"{ONE_STONE} X", f"{ONE_STONE} X"),
        (f"  {ONE_STONE}   x ", f"{ONE_STONE} X"),
        ("/".join(ROWS), f"{ONE_STONE} O"),
        ("\n".join(ROWS), f"{ONE_STONE} O"),
        ("\r\n".join([*ROWS, "X"]), f"{ONE_STONE} X"),
        (" ".join(ONE_STONE), f"{ONE_STONE} O"),
        (" ".join(f"{ONE_STONE}X"), f"{ONE_STONE} X"),
        (f"{ID_161} X", f"{ID_161.replace('*', '.')} X"),
        (ID_161, f"{ID_161.replace('*', '.')} O"),
    ],
)
def test_reads_every_notation(text, expected):
    assert GAME.parse(text).text == expected
    assert GAME.parse(expected) == GAME.parse(text)


@pytest.mark.parametrize(
    "text",
    [UCI, UCI.removesuffix(",win"), UCI.replace("win", "draw"), f"c4-cols:{UCI}", f"c4-cols {UCI}",
     f"c4-cols: {UCI}", f"{UCI} X", UCI.replace(",", ", ").replace("win", "loss")],
)
def test_reads_columns(text):
    assert GAME.parse(text) == GAME.parse("44444433")


def test_columns_without_a_blank():
    game = ConnectFour(columns=2, rows=2)
    assert game.parse("c4-cols:xoox") == game.parse("x,o,o,x")
    assert game.parse("x,o,o,x").text == "OXXO X"


def test_marks_stand_where_they_should():
    position = GAME.parse("1223344444")
    assert position.diagram.splitlines() == [
        ". . . . . . .",
        ". . . O . . .",
        ". . . X . . .",
        ". . . O . . .",
        ". X X X . . .",
        "X O O O . . .",
        "1 2 3 4 5 6 7",
    ]
    assert position.to_move == "X"
    assert position.svg().count("<circle") == 42 + 1  # and a mark on the last stone
    assert str(position) == position.diagram


def test_position_161_keeps_its_side():
    position = GAME.parse(f"{ID_161} X")
    assert position.to_move == "X"
    assert position.text.count("X") - 1 == 6
    assert position.text.count("O") == 5
    assert position != GAME.parse(ID_161)
    assert position.key() != GAME.parse(ID_161).key()


FLOATING = "".join([".......", "...X...", *["......."] * 4])


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "connect-four: the position is empty; write 'start' for the initial one."),
        (" \n", "the position is empty"),
        ("." * 41, "has 41 squares, but a board of 7 columns x 6 rows has 42; a move string has"),
        ("0" * 41, "has 41 squares"),
        ("." * 41 + " O", "has 41 squares"),
        ("X" * 43, "has 43 squares"),
        (FLOATING, "the X at column 4, row 2 from the top of .* has nothing below it."),
        (low("XX....."), "has 2 X and 0 O; the two may differ by at most one."),
        (low("XX.....") + " O", "has 2 X and 0 O; the two may differ by at most one."),
        (low("O......"), "has 0 X and 1 O; X begins, so X has as many as O or one more"),
        (low("OO....."), "has 0 X and 2 O; the two may differ by at most one."),
        (low("?X....."), "character '\\?' at column 1, row 6 from the top of .* is not a square"),
        (low("0X....."), "has both \\. and 0; use X, O and \\. .* or 1, 2 and 0, not both."),
        ("3" + "0" * 41, "move 2: '0' is not a legal move here: no such column"),
        ("1" + "0" * 41, "the X at column 1, row 1 from the top of .* has nothing below it."),
        ("4444444", "move 7: '4' is not a legal move here: column 4 is full; legal: 1, 2, 3, 5, 6"),
        ("448", "move 3: '8' is not a legal move here: no such column; legal: 1, 2, 3, 4"),
        ("4,,4", "move 2: '' is not a legal move here"),
        ("11223344", "connect-four: move 8: '4': the game is over, no move is legal."),
        ("444 X", "after the moves '444' O is to move, not X."),
        (f"{EMPTY} Z", "'Z' after the position is not a side to move; write X or O."),
        ("444 Z", "'Z' after the position is not a side to move; write X or O."),
        ("4 Z", "'Z' after the position is not a side to move; write X or O."),
        ("444 55", "'55' after the position is not a side to move"),
        (low("XXXXOOO") + " X", "X already has 4 in a row, so X can't be to move."),
        (low("OOOO...", "XXXX..."), "X already has 4 in a row, so X can't be to move."),
        ("c4-cols:b,b", "'c4-cols:b,b' has 2 squares"),
        ("c4-cols", "'c4-cols:' has 0 squares"),
        (UCI.replace("x", "z", 1), "character 'z' at column 3, row 6 .* squares are x o b."),
        ("rubbish", "'rubbish' has 7 squares"),
        ("\uff14", "has 1 square, but"),
        ("9" * 200_000, "is too long for a position; it may have at most 100,000"),
    ],
)
def test_bad_positions_get_a_clear_sentence(text, sentence):
    check_refused(GAME, text, sentence)


def test_two_readings_are_an_error_only_if_both_are_possible():
    game = ConnectFour(columns=2, rows=2, line=3)
    with pytest.raises(BadPosition, match="'1122' can be read as a move string and as a"):
        game.parse("1122")
    assert game.parse("1,1,2,2").text == "OOXX X"
    assert game.parse("XXOO").outcome == "draw"
    assert game.parse("1212").text == "XOXO X"
    narrow = ConnectFour(columns=1, rows=4)
    assert narrow.parse("1111").text == "OXOX X"
    assert narrow.parse("2121").text == "OXOX X"
    assert ConnectFour(columns=1, rows=1, line=2).parse("1").text == "X O"


def test_more_than_nine_columns_need_separators():
    game = ConnectFour(columns=12, rows=4)
    position = game.parse("12,1,10")
    assert position.text == "." * 36 + "O........X.X O"
    assert game.parse("12 1 10") == position
    assert game.parse("12 1 10 O") == position
    assert game.parse("12").text.index("X") == 47
    assert game.parse("\n".join(["0" * 12] * 4)) == game.start()
    with pytest.raises(BadPosition, match="move 1: '121' is not a legal move here: no such column"):
        game.parse("121")
    assert position.diagram.splitlines()[-1].split()[-1] == "12"


def test_full_column_and_finished_game_as_moves():
    full = GAME.parse("444444")
    assert full.moves() == ["1", "2", "3", "5", "6", "7"]
    with pytest.raises(BadMove, match="'4' is not a legal move here: column 4 is full"):
        full.play("4")
    won = GAME.parse("1122334")
    assert (won.outcome, won.to_move, won.moves()) == ("first", "O", [])
    assert GAME.parse(won.text) == won
    with pytest.raises(BadMove, match="'4': the game is over, no move is legal"):
        won.play("4")


def test_full_board_without_a_line_is_a_draw():
    position = GAME.parse("547125662261271266215743771576315353334444")
    assert (position.outcome, position.moves()) == ("draw", [])
    assert GAME.parse(position.text) == position


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"columns": 9, "rows": 7}, "9 columns x 7 rows need 72 bits; .* may be at most 64"),
        ({"columns": 17}, "columns=17 is out of range; valid is 1 to 16"),
        ({"line": 1}, "line=1 is out of range"),
        ({"rows": "six"}, "rows='six' is not a whole number"),
        ({"width": 7}, "has no parameter 'width'; it has: columns, rows, line"),
        ({"colums": 7}, r"has no parameter 'colums' \(did you mean columns\?\); it has: columns"),
    ],
)
def test_bad_parameters(parameters, sentence):
    with pytest.raises(BadOption, match=sentence):
        ConnectFour(**parameters)


def test_perft_from_the_empty_board():
    depth = 8 if jit_enabled() else 3
    assert [GAME.start().perft(d) for d in range(depth + 1)] == PERFT[: depth + 1]


@pytest.mark.parametrize(
    ("columns", "rows", "line"),
    [(16, 3, 3), (4, 15, 4), (1, 15, 2), (16, 1, 4), (8, 7, 9), (8, 7, 8), (3, 3, 4), (6, 5, 2),
     (9, 6, 5), (2, 2, 2)],
)
def test_other_sizes_and_lines_against_the_twin(columns, rows, line):
    subject = Subject(ConnectFour(columns=columns, rows=rows, line=line),
                      NaiveConnectFour(columns, rows, line), perft=1, walks=6)
    check_rules(subject)
    check_text(subject)


@pytest.mark.parametrize(
    ("columns", "rows", "line", "text"),
    [(8, 7, 9, "........" * 6 + "XXXXXXXX"), (16, 3, 16, "." * 32 + "XXXXXXXXXXXXXXX."),
     (4, 15, 16, "X..." * 15), (4, 15, 5, "X..." * 15)],
)
def test_lines_longer_than_the_board_are_never_found(columns, rows, line, text):
    game = ConnectFour(columns=columns, rows=rows, line=line)
    twin = NaiveConnectFour(columns, rows, line)
    stones = 0
    for index, mark in enumerate(text):
        if mark == "X":
            row, column = divmod(index, columns)
            stones |= 1 << (column * (rows + 1) + rows - 1 - row)
    position = game.position(mask=stones, turn=1)
    assert position.outcome == twin.outcome(twin.from_position(position))
    assert position.outcome == ("first" if line == 5 else None)


def test_the_turn_is_in_the_key_of_a_board_of_64_bits():
    game = ConnectFour(columns=8, rows=7)
    keys = {game.start().key(), game.parse("1").key(), game.parse(f"{'.' * 56} O").key()}
    assert len(keys) == 3


def test_mirror_images_have_one_representative():
    assert GAME.parse("1223").canonical() == GAME.parse("7665").canonical()
    assert GAME.parse("44").canonical() == GAME.parse("44")


@pytest.mark.parametrize(
    ("text", "moves"),
    [
        ("start", "4352617"),
        ("444444", "352617"),
        ("4455", "4352617"),
        ("121212", "1"),  # completes four
        ("12121", "1"),  # stops four
        ("445566", "3"),  # completes four; column 7 would too
        ("44556", "3"),  # column 3 or 7, which is no help
        (low("...OOO.", "X..XOX.") + " X", "45261"),  # 3 and 7 let O complete four above
    ],
)
def test_moves_worth_trying_from_the_centre(text, moves):
    position = GAME.parse(text)
    assert "".join(str(code + 1) for code in GAME.board.forced(position.state)) == moves
    assert GAME.board.ask(GAME.rules.estimate, position.state) == (1, len(moves))


def hopeless(game, state, side: int) -> bool:
    """No line left for ``side``, the other following up where the parity allows it; with sets."""
    stones = {square for square, player in state[0] if player == side}
    waits, reach = side != state[1], set()
    heights = [sum(c == column for (c, _), _ in state[0]) for column in range(game["columns"])]
    left = [game["rows"] - height for height in heights]
    follows = (sum(left) + waits) % 2 == 0
    for column, height in enumerate(heights):
        taken_now = waits and [n % 2 for n in left].count(1) == 1
        if follows and left[column] % 2 == 0:
            rows = range(height, game["rows"], 2)
        elif follows and taken_now:
            rows = range(height + 1, game["rows"], 2)
        elif follows:
            rows = (height, *range(height + 1, game["rows"], 2))
        else:
            rows = range(height, game["rows"])
        reach |= {(column, row) for row in rows}
    twin = NaiveConnectFour(game["columns"], game["rows"], game["line"])
    reached = frozenset((square, side) for square in stones | reach)
    return twin.outcome((reached, 0)) in (None, "draw")


@pytest.mark.quick_cases("size0")
@pytest.mark.parametrize("size", [(4, 4), (5, 5), (7, 6)])
def test_who_cannot_win(size):
    game, twin = ConnectFour(columns=size[0], rows=size[1]), NaiveConnectFour(*size)
    chance, found = random.Random(4), 0
    for _ in range(150 if jit_enabled() else 5):
        position = game.start()
        while position.outcome is None:
            state = twin.from_position(position)
            for side in (0, 1):
                answer = game.board.ask(game.rules.cannot_win, position.state, side)
                assert answer == hopeless(game, state, side), (position, side)
                found += answer
            position = position.play_code(chance.choice(position.codes()))
    assert found > 10 or not jit_enabled()
