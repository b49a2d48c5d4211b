"""The k-in-a-row family: turns, lines, notations and their errors, perft, OpenSpiel, the twin."""

import os
import random
from dataclasses import replace
from pathlib import Path

import pytest
from naive.k_in_a_row import NaiveKInARow

from zermelo.errors import BadMove, BadOption, BadPosition
from zermelo.games.k_in_a_row import Connect6, Gomoku, KInARow, TicTacToe
from zermelo.kernel.board import Board
from zermelo.kernel.jit import jit_enabled

FAST = jit_enabled()
TTT, SIX = TicTacToe(), Connect6()
PAIRS = KInARow(columns=4, rows=4, line=3, stones=2)
# Games of tic-tac-toe by length: 1440, 5328, 47952, 72576 and 127872 end with stone 5, 6, 7, 8
# and 9, 255168 in all (OEIS A061526); so 15120 sequences of 5 stones, (15120 - 1440) * 4 of 6, ...
PERFT = [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
# The first 20 stones and the whole of game 3 of the Connect6 games in lzy-wj/Nebula-Zero-Connect6.
GAME_3 = (
    "j10 j11k10 k11i12 l12l9 m8l11 n11n9 n10o12 k8j9 i6k9 i10h11 g12l7 h12g11 f11h9 h13g10 "
    "h14i13 g15i15 m9m7 m6k7 j12l10"
)


def family(**parameters):
    return KInARow(**parameters), NaiveKInARow(**parameters)


def walk(game, twin, chance):
    """One random game, the twin beside it."""
    position, state = game.start(), twin.start()
    while True:
        over = twin.outcome(state)
        assert position.outcome == over, position.text
        assert position.mover == twin.mover(state), position.text
        assert position.moves() == ([] if over else twin.moves(state)), position.text
        yield position, state
        if over:
            return
        move = chance.choice(position.moves())
        position, state = position.play(move), twin.play(state, move)


def test_perft_of_tic_tac_toe():
    depth = 9 if FAST else 4
    assert [TTT.start().perft(d) for d in range(depth + 1)] == PERFT[: depth + 1]


def test_perft_of_two_by_two():
    # X has a line with its second stone, whatever happens (OEIS A061526: 24 games).
    assert [KInARow(columns=2, rows=2, line=2).start().perft(d) for d in range(5)] == [
        1, 4, 12, 24, 0,
    ]


SIZES = [
    dict(columns=3, rows=3, line=3),
    dict(columns=4, rows=3, line=3, first=3),
    dict(columns=6, rows=6, line=4, stones=2),
    dict(columns=7, rows=5, line=3, stones=2, first=2, overline="no-win"),
    dict(columns=9, rows=8, line=4, stones=3, first=2, overline="no-win"),
    dict(columns=26, rows=3, line=3, stones=2, overline="no-win"),
]


@pytest.mark.parametrize("parameters", SIZES, ids=str)
def test_agrees_with_the_twin(parameters):
    game, twin = family(**parameters)
    chance = random.Random(7)
    for _ in range(25 if FAST else 2):
        for position, state in walk(game, twin, chance):
            assert twin.from_position(position) == state
            assert game.parse(position.text) == position


@pytest.mark.parametrize(("parameters", "depth"), [(SIZES[1], 4), (SIZES[3], 3), (SIZES[4], 2)])
def test_perft_is_the_twins(parameters, depth):
    game, twin = family(**parameters)

    def count(state, depth):
        if depth == 0 or twin.outcome(state):
            return depth == 0
        return sum(count(twin.play(state, move), depth - 1) for move in twin.moves(state))

    game_over = [pair for pair in walk(game, twin, random.Random(3))]
    for position, state in (game_over[0], game_over[-1 - depth], game_over[-1]):
        for d in range(depth if FAST else 2):
            assert position.perft(d) == count(state, d)


def test_connect6_agrees_with_the_twin():
    chance = random.Random(6)
    for _ in range(50 if FAST else 1):
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


@pytest.mark.parametrize(
    ("theirs", "parameters", "games"),
    [
        ("tic_tac_toe", dict(), 500),
        ("mnk(m=5,n=4,k=4)", dict(columns=5, rows=4, line=4), 200),
        ("mnk(m=9,n=10,k=5)", dict(columns=9, rows=10, line=5), 100),
        ("gomoku(size=7,connect=4)", dict(columns=7, rows=7, line=4), 200),
    ],
)
def test_agrees_with_openspiel(theirs, parameters, games):
    pyspiel = pytest.importorskip("pyspiel")
    reference, game = pyspiel.load_game(theirs), KInARow(**parameters)
    chance = random.Random(2024)
    for _ in range(games if FAST else 5):
        position, state = game.start(), reference.new_initial_state()
        while not state.is_terminal():
            assert position.codes() == state.legal_actions()
            assert position.mover == state.current_player()
            move = chance.choice(state.legal_actions())
            position = position.play_code(move)
            state.apply_action(move)
        wins = {1.0: "first", -1.0: "second", 0.0: "draw"}
        assert position.outcome == wins[state.returns()[0]]


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
    game = KInARow(columns=3, rows=2, line=3, stones=2, first=3)
    position = game.parse("a1b1c2 a2b2 c1")
    assert (position.outcome, position.moves()) == ("draw", [])
    assert position.text == "OOX/XXX X1".replace("XXX", "XXX") or position.outcome == "first"
