"""The evaluation of Xiangqi against a slow twin that follows its description."""

import numpy as np
import pytest
from brute import random_game
from naive.xiangqi import NaiveXiangqi

from zermelo.compiler.jit import jit_enabled
from zermelo.games.xiangqi.game import Xiangqi
from zermelo.games.xiangqi.rules import TO_MOVE

FAST = jit_enabled()
GAME, TWIN = Xiangqi(), NaiveXiangqi()
SLIDING = {"R": 2, "C": 1, "N": 4}


def evaluated(position):
    return GAME.board.evaluate(position.state)


def games(count, plies):
    return [position for seed in range(count) for position in random_game(GAME, seed, plies - 1)
            if position.outcome is None]


def square_points(kind, column, row):
    """As the page says; rows counted from the owner's side."""
    inside = min(column, 8 - column)
    if kind == "K":
        return -8 * row - 4 * (column != 4)
    if kind == "A":
        return 20 + 2 * (column == 4)
    if kind == "B":
        return 20 + 3 * (column == 4) - 3 * (inside == 0)
    if kind == "N":
        return 84 + 2 * inside + 2 * min(row, 7) - 8 * (row == 0)
    if kind == "R":
        return 196 + 6 * (row >= 5) + 2 * (inside >= 3) - 4 * (row == 0)
    if kind == "C":
        return 92 + 6 * (column == 4) + 4 * (row >= 7)
    if row < 5 or row == 9:
        return 15 + 2 * (row == 9)
    return 21 + 4 * inside + 4 * (row >= 6)


def side_points(board, player):
    """All that one side has, but for the danger to its king."""
    other_king = next(square for square, letter in board.items() if letter == "kK"[player])
    total = 0
    for square, letter in board.items():
        kind, (column, row) = letter.upper(), square
        if TWIN._owner(letter) != player:
            continue
        total += square_points(kind, column, row if player == 0 else 9 - row)
        if kind not in SLIDING:
            continue
        reach = [to for to in TWIN._reach(board, square)
                 if to not in board or TWIN._owner(board[to]) != player]
        palace = [to for to in reach if TWIN._in_palace(to, 1 - player)]
        total += SLIDING[kind] * len(reach) + 3 * len(palace)
        low, high = sorted((row, other_king[1]))
        between = [(column, r) for r in range(low + 1, high)]
        if kind in "RC" and column == other_king[0] and between and not set(between) & set(board):
            total += 24
    return total


def danger(board, player):
    mine, theirs = ([letter.upper() for letter in board.values()
                     if TWIN._owner(letter) == side] for side in (player, 1 - player))
    horses = theirs.count("N")
    return (4 * (2 - mine.count("A")) * (theirs.count("R") + horses)
            + 3 * (2 - mine.count("B")) * (theirs.count("C") + horses))


def slow(position):
    board, turn = TWIN.from_position(position)
    board = dict(board)
    total = sum(sign * (side_points(board, side) - danger(board, side))
                for side, sign in ((turn, 1), (1 - turn, -1)))
    return total + 4


def test_agrees_with_the_twin():
    for position in games(4 if FAST else 1, 60 if FAST else 4):
        assert evaluated(position) == slow(position), position.text


def swapped(text):
    """The same position with sides changed."""
    rows, side = text.split()
    return f"{'/'.join(reversed(rows.swapcase().split('/')))} {'wb'[side == 'w']}"


def test_what_is_good_for_one_is_bad_for_the_other():
    met = 0
    for position in games(2, 60 if FAST else 5):
        assert evaluated(GAME.parse(swapped(position.text))) == evaluated(position)
        if not GAME.in_check(position):
            other = GAME.parse(position.text[:-1] + "bw"[position.mover])
            assert evaluated(position) + evaluated(other) == 2 * TO_MOVE
            met += 1
    assert met > 2


@pytest.mark.parametrize(("row", "text", "low", "high"), [
    (9, "R2K5", 190, 240), (9, "C2K5", 90, 130), (5, "2N6", 90, 140), (4, "2P6", 15, 45),
    (8, "4A4", 10, 40), (7, "4B4", 10, 40)])
def test_the_scale(row, text, low, high):
    """What one piece more is worth to Red; rows from the top."""
    rows = ["2bak1b2", "4a4", *["9"] * 7, "3K5"]
    before = GAME.parse("/".join(rows) + " w")
    rows[row] = text
    assert low <= evaluated(GAME.parse("/".join(rows) + " w")) - evaluated(before) <= high


def choose(position):
    """The move after which the other side looks worst, or a win."""
    def looks(code):
        after = position.play_code(code)
        return -evaluated(after) if after.outcome is None else 10**6

    return max(position.codes(), key=looks)


@pytest.mark.long
@pytest.mark.skipif(not FAST, reason="whole games")
def test_one_ply_of_it_beats_chance():
    for seed in range(3):
        chance, position, plies = np.random.default_rng(seed), GAME.start(), 0
        while position.outcome is None and plies < 60:
            clever = position.mover == seed % 2
            code = (choose(position) if clever else
                    position.codes()[chance.integers(len(position.codes()))])
            position, plies = position.play_code(code), plies + 1
        ahead = evaluated(position) * (1 if position.mover == seed % 2 else -1)
        assert position.outcome == ("first", "second")[seed % 2] or ahead > 300


def test_it_is_a_whole_number():
    assert evaluated(GAME.start()) == TO_MOVE
    assert all(-10_000 < evaluated(position) < 10_000 for position in games(1, 30))
