"""Xiangqi against OpenSpiel and pyffish along random games.

Left out, since the rules differ: what a repetition means (each ply is given to pyffish as a
position without a past; OpenSpiel is left where it ends a game that goes on here), chasing, and
OpenSpiel's limit of 500 moves. In WXF pyffish names the file where another piece on it could not
make such a move; here the front and the rear of two are always told apart.
"""

import random
import re
from collections import Counter

import pytest

from zermelo.compiler.jit import jit_enabled
from zermelo.games.xiangqi.game import Xiangqi, board_of, wxf_name

GAME = Xiangqi(dialect="uci")  # the ranks of Fairy-Stockfish
ACTION = re.compile(r"\w\((\d+),(\d+)\)-\((\d+),(\d+)\)")  # rows from the top

SHORT = (141, 383, 242)  # seeds of random games that end in mate after 28, 44 and 51 moves

pytestmark = pytest.mark.skipif(not jit_enabled(), reason="whole games")


def code_of(action):
    row, column, end_row, end_column = map(int, ACTION.fullmatch(action).groups())
    return 128 * (9 * (9 - row) + column) + 9 * (9 - end_row) + end_column


def spiel_actions(state):
    return {code_of(state.action_to_string(action)): action for action in state.legal_actions()}


def agree_with_openspiel(seeds, plies):
    """Legal moves and ends along random games; how the games ended."""
    pyspiel = pytest.importorskip("pyspiel")
    theirs, ends = pyspiel.load_game("xiangqi"), Counter()
    for seed in seeds:
        chance = random.Random(seed)
        position, state = GAME.start(), theirs.new_initial_state()
        while len(position.played) < plies:
            if position.outcome is not None:
                first = 1 if position.outcome == "first" else -1
                assert (state.is_terminal(), state.returns()) == (True, [first, -first])
                ends["mate" if GAME.in_check(position) else "stalemate"] += 1
                break
            if state.is_terminal():
                ends["left out"] += 1
                break
            actions = spiel_actions(state)
            assert sorted(actions) == sorted(position.codes()), position.text
            code = chance.choice(position.codes())
            state.apply_action(actions[code])
            position = position.play_code(code)
        else:
            ends["cut short"] += 1
    return ends


def wxf_names(position, code):
    """Our name, and the one with the file in place of front or rear."""
    ours, column = wxf_name(board_of(position), code >> 7, code & 127), (code >> 7) % 9
    file = 9 - column if position.mover == 0 else column + 1
    return ours, ours if ours[1] not in "+-" else f"{ours[0]}{file}{ours[2:]}"


def agree_with_pyffish(seeds, plies, step=1):
    """Legal moves, check, ends and WXF names at every ``step``-th ply of random games."""
    pyffish = pytest.importorskip("pyffish")
    ends = Counter()
    for seed in seeds:
        chance, position = random.Random(seed), GAME.start()
        while len(position.played) < plies:
            fen = f"{position.text} - - 0 1"
            if len(position.played) % step == 0 or position.outcome is not None:
                assert sorted(pyffish.legal_moves("xiangqi", fen, [])) == sorted(position.moves())
                assert pyffish.gives_check("xiangqi", fen, []) == GAME.in_check(position), fen
                ends["positions"] += 1
            if position.outcome is not None:
                assert pyffish.game_result("xiangqi", fen, []) < 0  # for the player to move
                ends["mate" if GAME.in_check(position) else "stalemate"] += 1
                break
            code = chance.choice(position.codes())
            if len(position.played) % step == 0:
                name = pyffish.get_san("xiangqi", fen, GAME.move_name(position, code), False,
                                       pyffish.NOTATION_XIANGQI_WXF)
                assert name.replace("=", ".") in wxf_names(position, code), fen
            position = position.play_code(code)
        else:
            ends["cut short"] += 1
    return ends


def test_agrees_with_openspiel():
    ends = agree_with_openspiel([*SHORT, *range(5)], 80)
    assert (ends["mate"], ends["left out"]) == (4, 0)


def test_agrees_with_pyffish():
    ends = agree_with_pyffish([*SHORT, 1], 80, step=2)
    assert ends["positions"] > 100
    assert ends["mate"] == 3


@pytest.mark.parametrize(("fen", "check"), [
    ("3k5/3R5/9/9/9/9/9/9/9/3RK4 b", True), ("3k5/9/3P5/9/9/9/9/9/9/4K4 b", False)])
def test_mate_and_stalemate_at_pyffish(fen, check):
    pyffish = pytest.importorskip("pyffish")
    assert pyffish.legal_moves("xiangqi", f"{fen} - - 0 1", []) == GAME.parse(fen).codes() == []
    assert pyffish.game_result("xiangqi", f"{fen} - - 0 1", []) < 0
    assert pyffish.gives_check("xiangqi", f"{fen} - - 0 1", []) == check


@pytest.mark.full
def test_agrees_with_both_in_a_thousand_games():
    for agree in (agree_with_openspiel, agree_with_pyffish):
        ends = agree(range(1000), 120)
        print(agree.__name__, dict(ends))
        assert ends["mate"] > 50
