"""Othello: notations, perft, rules against OpenSpiel and the slow twin, and its endgame search."""

import random
from functools import cache

import numpy as np
import pytest
from brute import Scores, random_game
from conformance import check_refused
from hypothesis import given, settings
from hypothesis import strategies as st
from naive.othello import NaiveOthello

import zermelo
from zermelo.compiler.jit import jit_enabled, kernel
from zermelo.core.position import Position
from zermelo.errors import BadMove, BadOption
from zermelo.games.othello.endgame import SPACE
from zermelo.games.othello.game import Othello, squares
from zermelo.kernel.bits import word
from zermelo.kernel.rays import enclosed, reach

GAMES = {
    (size, rule): Othello(size=size, no_move=rule)
    for size in (4, 6, 8) for rule in ("pass", "loses")
}
GAME, SMALL = GAMES[8, "pass"], GAMES[4, "pass"]
START = "-" * 27 + "OX" + "-" * 6 + "XO" + "-" * 27
# Move sequences from the start, a pass being a move; OpenSpiel 2.0.2, othello.
PERFT = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288]
# White's discs are gone after nine moves.
WIPE_OUT = "e6f4e3f6g5d6e7f5c5"
# After these eight moves Black must pass.
MUST_PASS = "e6f6c4e7e8d8g7f8"


def opened() -> str:
    """The board after f5 d6 c3, rows top to bottom."""
    rows = ["--------", "--------", "--X-----", "---XX---", "---OXX--", "---O----"]
    return "".join([*rows, "--------", "--------"])


@pytest.mark.parametrize(
    "text",
    [
        f"{opened()} O",
        f"{opened()} o",
        f"{opened()} 1",
        f"  {opened().replace('-', '.').lower()}   O\n",
        opened().translate(str.maketrans("XO-", "01*")) + " 1",
        opened().translate(str.maketrans("XO-", "01*")) + " O",
        f"{opened()} O; D3:+6; F3:-2;",
        f"{opened()} O; d3:0",
        "\n".join(opened()[i : i + 8] for i in range(0, 64, 8)) + "\nO",
        "/".join(opened()[i : i + 8] for i in range(0, 64, 8)) + " O",
        " ".join(f"{opened()}O"),
        "ggf:" + opened().replace("X", "*") + " O",
        "ggf: 8 " + opened().replace("X", "*") + " O",
        "GGF:BO[8 " + opened().replace("X", "*") + " O]",
        "f5d6c3",
        "F5D6C3",
        "f5 d6 c3",
        "f5, d6,c3",
    ],
)
def test_reads_every_notation(text):
    position = GAME.parse(text)
    assert position.text == f"{opened()} O"
    assert GAME.parse(position.text) == position


def test_small_boards_have_their_own_number_of_squares():
    assert SMALL.start().text == "-----OX--XO----- X"
    assert SMALL.start().moves() == ["b1", "a2", "d3", "c4"]
    assert SMALL.parse("*****10**01***** 0") == SMALL.start()
    assert SMALL.parse("ggf:4 -----O*--*O----- *") == SMALL.start()
    six = GAMES[6, "pass"]
    assert six.start().text == "--------------OX----XO-------------- X"
    assert six.parse("c2").text == "--------X-----XX----XO-------------- O"
    assert six.parse("c2").moves() == ["b2", "d2", "b4"]


@pytest.mark.parametrize("word", ["pass", "PASS", "pa", "ps", "--", ""])
def test_passes_are_written_or_inferred(word):
    before = GAME.parse(MUST_PASS)
    assert before.moves() == ["pass"]
    after = before.play(word) if word else before.play("pass")
    assert after.text == before.text[:-1] + "OX"[before.mover]
    name = after.moves()[0]
    assert GAME.parse(f"{MUST_PASS}{word}{name}") == after.play(name)
    assert GAME.parse(f"{MUST_PASS} {word} {name}") == after.play(name)


NOT_A_SQUARE = "is not a square, or not written like those before it"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "the position is empty; write 'start'"),
        (START, "does not say who moves; add a space and X or O \\(or 0, 1\\)."),
        (f"{START}; f5:+1", "does not say who moves"),
        (f"{START} Z", "'Z' after the board is not a side to move; write X or O"),
        (f"{START} black", "'black' after the board is not a side to move"),
        (f"{START} -", "'-' after the board is not a side to move"),
        (START[1:] + " X",
         "is not a board of 8x8; write its 64 squares, a space and the side to move"),
        (START + "- X", "is not a board of 8x8"),
        ("-----OX--XO----- X", "is not a board of 8x8"),
        (START[:-1] + "? X", f"'\\?' at h8 of .* {NOT_A_SQUARE}; write X, O and - .* 0, 1 and"),
        (START[:-1] + "0 X", f"'0' at h8 of .* {NOT_A_SQUARE}"),
        ("01" + START[2:] + " X", f"'-' at c1 of .* {NOT_A_SQUARE}"),
        (START.replace("X", "*") + " X", "can be read as a black disc .* ggf: .* empty square"),
        (START.replace("-", "*") + " X", "can be read as a black disc .* or as an empty square"),
        ("*" * 64 + " O", "can be read as a black disc .* or as an empty square"),
        (f"{START} X; f5", "'f5' in .* is not a move with its score, such as h5:\\+6."),
        (f"{START} X; f5:+1; i5:?", "'i5:\\?' in .* is not a move with its score"),
        ("ggf:", "'ggf:' is not a board of 8x8"),
        ("ggf:8 " + START.replace("X", "*"), "does not say who moves; add a space and \\* or O."),
        ("ggf:" + START.replace("X", "*") + " X",
         "'X' is not a side to move in GGF; write \\* or O."),
        (f"ggf:{START} *", f"'X' at e4 of .* {NOT_A_SQUARE}; write \\*, O and - after ggf:."),
        ("f5d6a1", "move 3: 'a1' is not a legal move here; legal: c3, c4, c5, c6, c7."),
        ("f5d9", "move 2: 'd9' is not a legal move here"),
        ("f5pass", "move 2: 'pass' is not a legal move here"),
        ("f5d", "'d', after move 1, does not begin with a move such as f5 or pass."),
        (WIPE_OUT + "a1", "move 10: 'a1': the game is over"),
    ],
)
def test_bad_positions_get_a_clear_sentence(text, sentence):
    check_refused(GAME, text, sentence)


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"size": 5}, "size='5' is not one of 4, 6, 8"),
        ({"size": 10}, "size='10' is not one of 4, 6, 8"),
        ({"no_move": "stays"}, "no_move='stays' is not one of pass, loses"),
        ({"rows": 8}, "has no parameter 'rows'; it has: size, no_move"),
    ],
)
def test_bad_parameters(parameters, sentence):
    with pytest.raises(BadOption, match=sentence):
        Othello(**parameters)


def board_texts(size: int) -> st.SearchStrategy[str]:
    """Any discs anywhere, from almost empty to full."""
    marks = st.sampled_from(["XO-", "XXO", "XOOO-", "X--", "O-"])
    return marks.flatmap(lambda chosen: st.text(chosen, min_size=size**2, max_size=size**2))


@settings(max_examples=150 if jit_enabled() else 20, deadline=None)
@given(data=st.data(), size=st.sampled_from((4, 6, 8)), side=st.sampled_from("XO"))
def test_notations_round_trip(data, size, side):
    game, board = GAMES[size, "pass"], data.draw(board_texts(size))
    position = game.parse(f"{board} {side}")
    assert position.text == f"{board} {side}"
    ggf = str.maketrans("XO-", "*O-")
    assert game.parse(f"ggf:{size} {board} {side}".translate(ggf)) == position
    if set(board) != {"-"}:
        assert game.parse(f"{board} {side}".translate(str.maketrans("XO-", "01*"))) == position
    for name, code in zip(position.moves(), position.codes(), strict=True):
        assert game.parse_move(position, name.upper()) == code
        assert game.move_name(position, code) == name


@settings(max_examples=300 if jit_enabled() else 20, deadline=None)
@given(data=st.data(), size=st.sampled_from((4, 6, 8)), side=st.sampled_from("XO"),
       rule=st.sampled_from(("pass", "loses")))
def test_any_board_against_the_twin(data, size, side, rule):
    position = GAMES[size, rule].parse(f"{data.draw(board_texts(size))} {side}")
    twin = NaiveOthello(size, rule)
    state = twin.from_position(position)
    assert position.outcome == twin.outcome(state)
    if position.outcome is None:
        assert position.moves() == twin.moves(state)
        for name in position.moves():
            assert twin.from_position(position.play(name)) == twin.play(state, name)


def test_the_end_of_the_game():
    gone = GAME.parse(WIPE_OUT)
    assert (gone.outcome, gone.moves(), "O" in gone.text[:-1]) == ("first", [], False)
    assert SMALL.parse("XXXXXXXXOOOOOOOO X").outcome == "draw"
    assert SMALL.parse("XXXXXXXXXOOOOOOO O").outcome == "first"
    assert SMALL.parse("---------------- O").outcome == "draw"
    assert SMALL.parse("X--------------O X").outcome == "draw"
    with pytest.raises(BadMove, match="the game is over"):
        gone.play("a1")


def test_a_player_without_a_move_passes_or_loses():
    text = "--OX------------ O"
    assert SMALL.parse(text).moves() == ["pass"]
    assert SMALL.parse(text).play("pass").moves() == ["b1"]
    strict = GAMES[4, "loses"]
    assert (strict.parse(text).outcome, strict.parse(text).moves()) == ("first", [])
    assert strict.parse("--XO------------ X").outcome == "second"
    assert strict.parse("--XO------------ O").outcome is None
    assert strict.parse("XXXXXXXXXOOOOOOO X").outcome == "first"
    assert strict.parse("X-----------OOOO X").outcome == "second"
    assert strict.parse("X-----------OOOO O").outcome == "second"


def test_perft_from_the_start():
    depth = 9 if jit_enabled() else 3
    assert [GAME.start().perft(d) for d in range(depth + 1)] == PERFT[: depth + 1]


@pytest.mark.long
def test_four_by_four_is_a_win_for_the_second_player():
    """Known since long: 3 to 11 discs after perfect play."""
    game = SMALL

    @cache
    def lead(position: Position) -> int:
        if position.outcome is not None:
            board = position.text[:-1]
            return board.count("X") - board.count("O")
        best = max if position.mover == 0 else min
        return best(lead(position.play_code(code).canonical()) for code in position.codes())

    if jit_enabled():
        assert lead(game.start()) == 3 - 11


def test_the_turn_is_in_the_key():
    texts = ["X---------------", "O---------------", "-O--------------", "X--------------O"]
    positions = [SMALL.parse(f"{text} {side}") for text in texts for side in "XO"]
    assert len({position.key() for position in positions}) == len(positions)


def test_pictures():
    assert GAME.parse("f5d6c3").diagram.splitlines() == [
        "  a b c d e f g h",
        "1 - - - - - - - -",
        "2 - - - - - - - -",
        "3 - - X + - + - -",
        "4 - - - X X + - -",
        "5 - - - O X X + -",
        "6 - - - O - - - -",
        "7 - - - - - - - -",
        "8 - - - - - - - -",
        "O to move (X 5, O 2)",
    ]
    assert GAME.start().svg().count("<circle") == 8
    assert GAME.parse(MUST_PASS).diagram.splitlines()[-1].endswith("must pass (X 8, O 4)")
    assert GAME.parse(WIPE_OUT).diagram.endswith("X wins (X 13, O 0)")
    assert SMALL.parse("X--------------O X").diagram.endswith("draw (X 1, O 1)")


@pytest.mark.parametrize("size", [4, 8])
def test_the_winner_gets_the_empty_squares(size):
    game, empty = GAMES[size, "pass"], 0
    rules = game.rules
    for seed in range(60 if jit_enabled() else 3):
        position = random_game(game, seed)[-1]
        board, _ = NaiveOthello(size).from_position(position)
        lead, left = board.count("X") - board.count("O"), board.count("-")
        score = game.board.score(position.state)
        assert score == lead + left * ((lead > 0) - (lead < 0))
        assert abs(score) <= rules.max_score == size * size
        assert (rules.max_score - score) % rules.score_step == 0
        empty += left > 0
    assert empty or size == 8 or not jit_enabled()
    wiped_out = GAME.parse(WIPE_OUT)
    assert GAME.board.score(wiped_out.state) == 64


def test_losing_without_a_move_has_no_score():
    rules = GAMES[8, "loses"].rules
    assert (rules.score, rules.max_score, rules.score_step) == (None, 1, 1)


SIZES = {size: zermelo.game("othello", size=size) for size in (4, 6, 8)}


def endings(size: int, most: int, count: int, seed: int) -> list[Position]:
    """Ongoing positions of random games with at most ``most`` empty squares."""
    chance, found = random.Random(seed), list[Position]()
    while len(found) < count:
        left, game = chance.randint(1, most), random_game(SIZES[size], chance.random())
        found += [position for position in game[:-1] if position.text.count("-") <= left][:1]
    return found


def test_runs_in_all_directions_against_the_twin():
    def both(own, opp, disc):
        return reach(own, opp), enclosed(own, opp, disc)

    fast, chance, twin = kernel(both), random.Random(8), NaiveOthello()
    for _ in range(2_000 if jit_enabled() else 60):
        marks = chance.choices("XO-", (1, chance.choice((1, 4)), chance.choice((0.1, 1))), k=64)
        board, at = "".join(marks), chance.randrange(64)
        board = f"{board[:at]}-{board[at + 1:]}"
        own, opp = (word(sum(1 << i for i in range(64) if board[i] == mark)) for mark in "XO")
        ends, turned = fast(own, opp, word(1 << at))
        assert (ends, turned) == both(own, opp, word(1 << at))
        assert int(turned) == sum(1 << i for i in twin._turned(board, at, 0))
        moves = int(ends) & ~int(own | opp)
        assert moves == sum(1 << i for i in twin._squares(board, 0))


@pytest.mark.long_cases("6-8-25")
@pytest.mark.parametrize(("size", "most", "count"), [(4, 9, 60), (6, 8, 25), (8, 8, 25)])
def test_the_endgame_knows_every_score(size, most, count):
    """One space for all: what it keeps of one position must not disturb the next."""
    rules, twin = SIZES[size].rules, NaiveOthello(size)
    endgame, space = rules.endgame, np.zeros(SPACE, np.uint64)

    def ask(g, states, side, threshold, space):
        return endgame(g, states[0], side, threshold, space)

    ask = kernel(ask)
    for position in endings(size, most if jit_enabled() else 4, count if jit_enabled() else 4, 3):
        score, state = Scores(twin).score(twin.from_position(position)), position.state
        if not jit_enabled():  # fields by their names, as in compiled code
            state = state.view(np.recarray)
        for side in (0, 1):
            own = score if side == position.mover else -score
            thresholds = [*range(own - 3, own + 5), 1, -64, 64]
            random.Random(own).shuffle(thresholds)
            for threshold in thresholds:
                reached, seen = ask(rules.data, state, side, threshold, space)
                assert reached == (own >= threshold), (position.text, side, threshold)
                assert seen >= 1


@pytest.mark.parametrize("size", [4, 8])
def test_exact_scores_of_endings(size):
    twin = NaiveOthello(size)
    for position in endings(size, 8 if jit_enabled() else 4, 12 if jit_enabled() else 2, 5):
        score = Scores(twin).score(twin.from_position(position))
        result = zermelo.solve(position, goal="score")
        assert result.score == (score, score), position.text


def test_a_game_without_passes_has_no_endgame_of_its_own():
    rules = zermelo.game("othello", no_move="loses").rules
    assert (rules.endgame, rules.endgame_space) == (None, 1)


def test_squares_outside_a_small_board_stay_empty():
    rules = SIZES[6].rules
    outside = ~sum(1 << bit for bit in squares(6)) & (2**64 - 1)
    for position in endings(6, 8, 5, 7):
        for code in position.codes():
            after = position.play_code(code).state[0]
            assert (int(after["own"]) | int(after["opp"])) & outside == 0
    assert rules.endgame is not None
