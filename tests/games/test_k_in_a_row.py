"""The k-in-a-row family: turns, lines, notations and their errors, perft, OpenSpiel, the twin."""

import os
import random
from pathlib import Path

import pytest
from conformance import Subject, check_refused, check_rules, check_text, seen
from naive.k_in_a_row import NaiveKInARow

from zermelo.compiler.jit import jit_enabled
from zermelo.errors import BadMove, BadOption, BadPosition
from zermelo.games.k_in_a_row.game import Connect6, Gomoku, KInARow, TicTacToe

FAST = jit_enabled()
TTT, SIX = TicTacToe(), Connect6()
PAIRS = KInARow(columns=4, rows=4, line=3, stones=2)
# Games of tic-tac-toe by length: 1440, 5328, 47952, 72576 and 127872 end with stone 5, 6, 7, 8
# and 9, 255168 in all (OEIS A061526); so 15120 sequences of 5 stones, (15120 - 1440) * 4 of 6, ...
PERFT = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
# A game of Connect6 that Black wins; game 3 of the set in lzy-wj/Nebula-Zero-Connect6 (MIT).
GAME_3 = (
    "j10 j11k10 k11i12 l12l9 m8l11 n11n9 n10o12 k8j9 i6k9 i10h11 g12l7 h12g11 f11h9 h13g10 "
    "h14i13 g15i15 m9m7 m6k7 j12l10"
)


def test_perft_of_tic_tac_toe():
    depth = 9 if FAST else 4
    assert [TTT.start().perft(d) for d in range(depth + 1)] == PERFT[: depth + 1]


def test_perft_of_two_by_two():
    # X has a line with its second stone, whatever happens (OEIS A061526: 24 games).
    assert [KInARow(columns=2, rows=2, line=2).start().perft(d) for d in range(5)] == [
        1, 4, 12, 24, 0,
    ]


SIZES = [
    {"columns": 3, "rows": 3, "line": 3},
    {"columns": 4, "rows": 3, "line": 3, "first": 3},
    {"columns": 6, "rows": 6, "line": 4, "stones": 2},
    {"columns": 7, "rows": 5, "line": 3, "stones": 2, "first": 2, "overline": "no-win"},
    {"columns": 9, "rows": 8, "line": 4, "stones": 3, "first": 2, "overline": "no-win"},
    {"columns": 26, "rows": 3, "line": 3, "stones": 2, "overline": "no-win"},
]


@pytest.mark.long_cases(
    "{'columns': 26, 'rows': 3, 'line': 3, 'stones': 2, 'overline': 'no-win'}",
    "{'columns': 9, 'rows': 8, 'line': 4, 'stones': 3, 'first': 2, 'overline': 'no-win'}")
@pytest.mark.parametrize("parameters", SIZES, ids=str)
def test_agrees_with_the_twin(parameters):
    subject = Subject(KInARow(**parameters), NaiveKInARow(**parameters), perft=1, walks=25)
    check_rules(subject)
    check_text(subject)


@pytest.mark.long_cases("50")
@pytest.mark.parametrize("games", [15, 50])
def test_connect6_agrees_with_the_twin(games):
    chance = random.Random(games)
    for _ in range(games if FAST else 1):
        position, state, twin = SIX.start(), (frozenset(), 0, 1), NaiveKInARow(**SIX.values)
        while position.outcome is None:
            codes = position.codes()
            assert codes == sorted(codes)
            assert len(codes) == 361 - len(state[0])
            assert position.mover == twin.mover(state)
            code = chance.choice(codes)
            state = twin.play(state, SIX.move_name(position, code))
            position = position.play_code(code)
            if len(state[0]) % 20 == 0:
                assert twin.outcome(state) == position.outcome
        assert position.outcome == twin.outcome(state)
        assert position.moves() == []


@pytest.mark.skipif("ZERMELO_DATA" not in os.environ, reason="ZERMELO_DATA is not set")
def test_human_connect6_games():
    lines = (Path(os.environ["ZERMELO_DATA"]) / "connect6" / "games.txt").read_text().splitlines()
    for line in [line for line in lines if not line.startswith("#")][::80]:
        _, winner, *stones = line.split()
        before = SIX.parse(" ".join(stones[:-1]))
        assert before.outcome is None
        last = before.play(stones[-1])
        assert last.outcome == {"black": "first", "white": "second"}[winner]
        assert SIX.parse(" ".join(stones)) == last == SIX.parse(last.text)


def test_a_turn_has_its_stones():
    game = KInARow(columns=5, rows=5, line=5, stones=2, first=3)
    position, movers, left = game.start(), [], []
    for code in range(9):
        movers.append(position.mover)
        left.append(position.text[-2:])
        position = position.play_code(code * 7 % 25)
    assert movers == [0, 0, 0, 1, 1, 0, 0, 1, 1]
    assert left == ["X3", "X2", "X1", "O2", "O1", "X2", "X1", "O2", "O1"]


def test_a_line_ends_the_game_in_the_middle_of_a_turn():
    position = PAIRS.parse("a1 a4d4 b1c1")
    assert (position.outcome, position.mover, position.moves()) == ("first", 1, [])
    position = PAIRS.parse("d4 a1b1 a4d1 c1")
    assert (position.outcome, position.mover) == ("second", 1)
    assert position.text.endswith(" O1")
    with pytest.raises(BadMove, match="the game is over"):
        position.play("a3")
    with pytest.raises(BadMove, match="'a3' is not a legal move here; the game is over"):
        PAIRS.parse_move(position, "a3")


def test_a_full_board_is_a_draw_in_the_middle_of_a_turn():
    game = KInARow(stones=2, first=2)
    position = game.parse("a3c3 b3b2 a2b1 c2a1 c1")
    assert (position.outcome, position.moves()) == ("draw", [])
    assert position.text == "XOX/XOO/OXX X1"
    assert game.parse(position.text) == position


@pytest.mark.parametrize("size", [7, 9])
def test_an_overline_wins_or_does_not(size):
    for overline, end in (("wins", "first"), ("no-win", None)):
        game = KInARow(columns=size, rows=size, line=3, overline=overline)
        for line in ("a1 b2 c3 d4 e5", "a7 b6 c5 d4 e3", "b2 b3 b4 b5 b6", "g4 f4 e4 d4 c4"):
            one, two, three, four, five = line.split()
            position = game.parse(f"{one} c7 {two} a3 {four} e7 {five} g1 {three}")
            assert position.outcome == end, line
            assert game.parse(position.text) == position
            exact = game.parse(f"{one} c7 {two} a3 {five} e7 {three}")
            assert exact.outcome == "first", line


def test_lines_do_not_run_over_the_edge():
    for size in (4, 9):
        game = KInARow(columns=size, rows=size, line=3)
        a, b, y, z = "a", "b", "abcdefghi"[size - 2], "abcdefghi"[size - 1]
        assert game.parse(f"{y}3 {a}1 {z}3 {b}4 {a}2").outcome is None
        assert game.parse(f"{b}2 {a}1 {a}3 {b}4 {z}4").outcome is None
        assert game.parse(f"{y}3 {a}1 {z}2 {b}4 {a}2").outcome is None


def test_another_order_leads_to_the_same_position():
    for game in (PAIRS, SIX):
        one, other = game.parse("a1 b1c1 d2d3"), game.parse("d3 c1b1 a1d2")
        assert one == other
        assert one.key() == other.key()
        left, right = game.parse("a1 b1c1 d2"), game.parse(f"{one.text[:-3]} O1")
        assert len({position.key() for position in (one, left, right)}) == 3


@pytest.mark.parametrize(
    ("game", "text", "expected"),
    [
        (TTT, "start", ".../.../... X"),
        (TTT, "a1", ".../.../X.. O"),
        (TTT, "B3 c1", ".X./.../..O X"),
        (TTT, "b3,c1", ".X./.../..O X"),
        (TTT, "xo./.x./... ", "XO./.X./... O"),
        (TTT, "xo.\n.x.\n...", "XO./.X./... O"),
        (TTT, "x o .\r\n. x .\r\n. . .\r\nO", "XO./.X./... O"),
        (TTT, "XO--X****", "XO./.X./... O"),
        (TTT, "XO..X.... X", "XO./.X./... X"),
        (TTT, "XO..X.... x1", "XO./.X./... X"),
        (TTT, "OO./.../... X", "OO./.../... X"),
        (TTT, "XXX/OO./...", "XXX/OO./... O"),
        (TTT, ";B[a1];W[b2]", ".../.O./X.. X"),
        (TTT, "(;GM[4]SZ[3]C[x\\]; B[c3\\]]\n;B[a1] ;W [b2])", ".../.O./X.. X"),
        (TTT, "(;SZ[3:3];B[a1](;W[b2];B[resign]))", ".../.O./X.. X"),
        (PAIRS, "start", "..../..../..../.... X1"),
        (PAIRS, "a1 b1c1 a4", "X.../..../..../XOO. X1"),
        (PAIRS, "a1 b1 c1 a4", "X.../..../..../XOO. X1"),
        (PAIRS, "X.../..../..../XOO.", "X.../..../..../XOO. X1"),
        (PAIRS, "X.../..../..../XOO. X", "X.../..../..../XOO. X1"),
        (PAIRS, "X.../..../..../XOO. X2", "X.../..../..../XOO. X2"),
        (PAIRS, "X.../..../..../XOO. O", "X.../..../..../XOO. O2"),
        (PAIRS, "X.../X.../..../XOO. X", "X.../X.../..../XOO. X2"),
        (PAIRS, ";B[a1];W[b1c1];B[a4]", "X.../..../..../XOO. X1"),
    ],
)
def test_reads_every_notation(game, text, expected):
    position = game.parse(text)
    assert position.text == expected
    assert game.parse(expected) == position


def test_a_game_of_connect6():
    position = SIX.parse(GAME_3)
    assert position.outcome == "first"
    turns = GAME_3.split()
    nodes = "".join(f";{'BW'[i % 2]}[{turn}]" for i, turn in enumerate(turns))
    assert SIX.parse(f"(;FF[4]SZ[19]{nodes})") == position
    assert SIX.parse(GAME_3.rsplit(" ", 1)[0]).outcome is None


@pytest.mark.parametrize(
    ("game", "text", "why"),
    [
        (TTT, "a4", "move 1: 'a4' is not a square; a move is one square, a1 to c3"),
        (TTT, "a1 a1", "move 2: 'a1' is not a legal move here; X has a stone there"),
        (TTT, "a1b1", "turn 1, 'a1b1', has 2 stones; it must have 1"),
        (TTT, "a1 b", "group 2, 'b', is not squares such as a1"),
        (TTT, "a0", "'a', square 1 of 'a0'"),
        (TTT, "a1 a2 b1 b2 c1 c2", "move 6: 'c2': the game is over"),
        (SIX, "j10 i9 l10 j8l8", "turn 2, 'i9', has 1 stone; it must have 2"),
        (SIX, "j10i9 l10", "turn 1, 'j10i9', has 2 stones; it must have 1"),
        (SIX, "j10 i9l10m11", "turn 2, 'i9l10m11', has 3 stones; it must have 2"),
        (TTT, ";B[a1];B[b1]", "turn 2 of ';B.* is B's"),
        (TTT, ";W[a1]", "turn 1 of .* is W's"),
        (TTT, ";B[a1][b1]", "turn 2 of .* is B's"),
        (TTT, ";B[a1];W[tt]", "turn 2, 'tt', is not squares"),
        (TTT, ";B[a1];W[resign];B[b1]", "turn 2, 'resign', is not squares"),
        (TTT, "(;SZ[3])", "has no moves"),
        (TTT, ";B[resign]", "has no moves"),
        (TTT, "(;SZ[15];B[a1])", "board of size '15', not 3 columns x 3 rows"),
        (TTT, "(;SZ[big];B[a1])", "board of size 'big'"),
        (TTT, "(;AB[a1];W[b1])", "sets up a position with AB"),
        (TTT, "(;B[a1](;W[b1])(;W[b2]))", "has variations"),
        (TTT, "(;B[a1];W[b1", "the bracket at character 10 is not closed"),
        (TTT, "XO..X...", "has 8 squares, but a board of 3 columns x 3 rows has 9"),
        (TTT, "XO../X.../.", "row 1, 'XO..', has 4 squares, not 3"),
        (TTT, "XO.?X....", "character '\\?', square 4 of"),
        (TTT, "XX.......", "of 2 stones X has 1 in a game, not 2; add X or O"),
        (TTT, "XO....... X2", "'2' stones left in the turn of X; valid is 1 to 1"),
        (PAIRS, "X" + "." * 15 + " O3", "'3' stones left in the turn of O; valid is 1 to 2"),
        (PAIRS, "X" + "." * 15 + " O0", "'0' stones left in the turn of O; valid is 1 to 2"),
        (TTT, "XXX/OOO/... X", "X and O both have 3 in a row"),
        (KInARow(columns=4, rows=4), "XXX./..../OO.O/.XXX O", "without any one of its stones"),
        (TTT, "XXX/OO./..O", "X has 3 in a row, .* X can't be to move with 1 left"),
        (PAIRS, "XXX./OO../..../.... O1", "so the last stone was X's, and O can't"),
    ],
)
def test_bad_positions(game, text, why):
    check_refused(game, text, why)


@pytest.mark.parametrize("text", ["A" * 99_999, "[" * 99_999, "A[" * 49_999, " " * 50_000 + "y",
                                  "x" + " " * 99_000 + "y", "a1" * 49_999, "X" + "9" * 9_999])
def test_long_rubbish_is_refused_at_once(text):
    for game in (TTT, SIX):
        with pytest.raises(BadPosition):
            game.parse(text)


def test_bad_moves():
    for text in ("d1", "a4", "a0", "a01", "1a", "", "a1b1", "\u00e91", "a\u0661"):
        with pytest.raises(BadMove, match="is not a square; a move is one square, a1 to c3"):
            TTT.start().play(text)
    with pytest.raises(BadMove, match="'A1' is not a legal move here; X has a stone there"):
        TTT.parse("a1").play("A1")


def test_bad_parameters():
    with pytest.raises(BadOption, match="line=4 does not fit a board of 3 columns x 3 rows"):
        TicTacToe(line=4)
    with pytest.raises(BadOption, match=r"columns='?27'? is out of range"):
        KInARow(columns=27)
    with pytest.raises(BadOption, match="overline='loses' is not one of wins, no-win"):
        Gomoku(overline="loses")


def test_members_are_the_family_with_other_defaults():
    shapes = {game.name: tuple(game.values.values())[:5] for game in (TTT, Gomoku(), SIX)}
    assert shapes == {
        "tic-tac-toe": (3, 3, 3, 1, 1), "gomoku": (15, 15, 5, 1, 1), "connect6": (19, 19, 6, 2, 1),
    }
    assert KInARow().values == TTT.values
    assert SIX.changed == {}


def test_all_images_fold_to_one():
    texts = ["a1", "a3", "c1", "c3"]
    assert len({TTT.parse(text).canonical().text for text in texts}) == 1
    assert len({TTT.parse(f"{text} b2 {edge}").canonical().text
                for text, edge in (("a1", "a2"), ("a1", "b1"), ("c3", "b3"), ("c1", "c2"))}) == 1
    images = ["i10 i9l10", "k10 k9h10", "i10 i11l10", "k10 k11h10", "j9 i9j12", "j11 i11j8"]
    assert len({SIX.parse(text).canonical().text for text in images}) == 1


def test_pictures():
    position = PAIRS.parse("a1 b1c1 d4")
    assert position.diagram.splitlines() == [
        "4 . . . X", "3 . . . .", "2 . . . .", "1 X O O .", "  a b c d",
    ]
    assert position.svg().count("<circle") == 2
    assert position.svg().count("<line") == 4
    position = SIX.parse("j10 i9l10 a1")
    assert position.diagram.splitlines()[9].startswith("10 . . . . . . . . . X . O")
    assert position.svg().count("<circle") == 4 + 1  # and a mark on the last stone
    assert position.svg().count("<line") == 38


@pytest.mark.quick_cases("{'columns': 4, 'rows': 4, 'stones': 2}", "{}")
@pytest.mark.parametrize(
    "parameters",
    [{}, {"columns": 4, "rows": 4, "stones": 2}, {"columns": 9, "rows": 9, "line": 4},
     {"columns": 9, "rows": 9, "line": 5, "overline": "no-win"}],
    ids=str,
)
def test_lines_to_complete_and_to_stop(parameters):
    game, twin, found = KInARow(**parameters), NaiveKInARow(**parameters), 0
    for position, (stones, mover, left) in seen(Subject(game, twin, perft=1, walks=25)):
        if position.outcome is not None:
            continue

        def wins(player, stones=stones):
            return {move for move in twin.moves((stones, player, 1))
                    if twin.outcome((stones | {(move, player)}, player, 1)) in
                    ("first", "second")}

        urgent = wins(mover) or (wins(1 - mover) if left == 1 else set())
        forced = {game.move_name(position, c) for c in game.board.forced(position.state)}
        assert (len(forced) == 1 and forced <= urgent) if urgent else (
            forced == set(position.moves())), position
        found += bool(urgent)
    assert found > 10 or not FAST
