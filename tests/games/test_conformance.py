"""Every game passes every conformance check, and agrees with OpenSpiel where that has it."""

import random

import pytest
from conformance import CHECKS, Subject, fits
from games_under_test import SUBJECTS

import zermelo
from zermelo.checks.knowledge import alike
from zermelo.compiler.jit import jit_enabled
from zermelo.core.position import Position

pytestmark = pytest.mark.slow


@pytest.mark.long_cases(
    "perft-othello", "play_writes_everything-lines-of-action", "*-hex", "*-hex-size9",
    "*-stones3-first2-overlineno-win",
    "*-k-in-a-row-columns9-rows9-line5-overlineno-win", "*-othello-size6-no_moveloses",
    "*-connect-four-columns8-rows7", "*-connect-four-columns4-rows4", "*-othello-size4",
    "*-k-in-a-row-columns6-rows5-line4-stones2", "*-lines-of-action-size5",
    "*-lines-of-action-size6-simultaneousmover-no_moveloses", "*-p-game-branching8-depth8-seed7")
@pytest.mark.parametrize("subject", SUBJECTS, ids=str)
@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__.removeprefix("check_"))
def test_conformance(check, subject: Subject):
    check(subject)


def test_chi_square_tells_a_biased_sample():
    assert fits([5000, 5100, 9900], [5000.0, 5000.0, 10000.0])
    assert not fits([5300, 4700, 10000], [5000.0, 5000.0, 10000.0])
    assert fits([20000, 0, 0], [20000.0, 0.0, 0.0])
    assert not fits([19999, 1, 0], [20000.0, 0.0, 0.0])
    assert not fits([19000, 1000, 0], [19995.0, 5.0, 0.0])
    assert alike([5000, 10000, 5000], [5100, 9900, 5000])
    assert not alike([5000, 10000, 5000], [5500, 9500, 5000])


# OpenSpiel's game, ours, how many random games.
SPIEL = [
    ("connect_four", "connect-four", {}, 200),
    ("connect_four(rows=4,columns=5,x_in_row=3)", "connect-four",
     {"columns": 5, "rows": 4, "line": 3}, 50),
    ("othello", "othello", {}, 100), ("tic_tac_toe", "k-in-a-row", {}, 500),
    ("mnk(m=5,n=4,k=4)", "k-in-a-row", {"columns": 5, "rows": 4, "line": 4}, 200),
    ("mnk(m=9,n=10,k=5)", "k-in-a-row", {"columns": 9, "rows": 10, "line": 5}, 100),
    ("gomoku(size=7,connect=4)", "k-in-a-row", {"columns": 7, "rows": 7, "line": 4}, 200),
    *((f"hex(board_size={size})", "hex", {"size": size}, games)
      for size, games in ((3, 80), (5, 70), (8, 30), (11, 14), (13, 6)))]
DRAWN = {"connect-four": lambda text: text.replace("\n", "").upper(),
         "othello": lambda text: "".join(
             line[2:17:2] for line in text.splitlines()[-9:-1]).upper()}


@pytest.mark.long_cases("5-*", "1-mnk(m=9*", "1-gomoku*")
@pytest.mark.parametrize(("theirs", "name", "parameters", "games"), SPIEL)
@pytest.mark.parametrize("times", [1, 5])
def test_agrees_with_openspiel(theirs, name, parameters, games, times):
    """Moves, their order, movers and outcomes; moves by name or boards too."""
    pyspiel = pytest.importorskip("pyspiel")
    game, chance = zermelo.game(name, **parameters), random.Random(2024)
    spiel = pyspiel.load_game(theirs)
    for _ in range(games * times if jit_enabled() else 5):
        position, state = game.start(), spiel.new_initial_state()
        while not state.is_terminal():
            assert position.codes() == state.legal_actions(), position.text
            assert (position.mover, position.outcome) == (state.current_player(), None)
            move = chance.choice(state.legal_actions())
            if name == "hex":
                assert game.move_name(position, move) == state.action_to_string(move)
            position = position.play_code(move)
            state.apply_action(move)
        assert position.outcome == {1: "first", -1: "second", 0: "draw"}[int(state.returns()[0])]
        if name in DRAWN:
            assert position.text.split()[0] == DRAWN[name](str(state))


def turned(squares, size, k):
    """A board turned by k quarters, and mirrored first if k is 4 or more."""
    rows = [squares[i : i + size] for i in range(0, len(squares), size)]
    rows = [row[::-1] for row in rows] if k >= 4 else rows
    for _ in range(k % 4):
        rows = [[*row] for row in zip(*rows[::-1], strict=True)]
    return "/".join("".join(row) for row in rows)


@pytest.mark.long
@pytest.mark.parametrize("name", ["othello", "lines-of-action"])
def test_all_eight_images_have_one_representative(name):
    for seed in range(80 if jit_enabled() else 8):
        chance = random.Random(seed)
        size = chance.choice((4, 6, 8))
        squares = list("XO") * chance.randint(1, 2 * size - 4)
        squares += "." * (size * size - len(squares))
        chance.shuffle(squares)
        game, side = zermelo.game(name, size=size), chance.choice("XO")
        images = [game.parse(f"{turned(squares, size, k)} {side}") for k in range(8)]
        assert len({image.canonical() for image in images}) == 1
        for image in images:
            folded, k = game.board.canonical(image.state)
            representative = Position(game, folded)
            assert representative in images
            for code in representative.codes():
                there = image.play_code(game.board.move_image(k, code))
                assert there.canonical() == representative.play_code(code).canonical()
