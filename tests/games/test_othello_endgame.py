"""Othello's own search near the end, and its bit operations, against slow twins."""

import random
from functools import cache

import numpy as np
import pytest
from naive.othello import NaiveOthello

import zermelo
from zermelo.compiler.jit import jit_enabled, kernel
from zermelo.core.position import Position
from zermelo.games.othello.endgame import SPACE
from zermelo.games.othello.text import squares
from zermelo.kernel.bits import word
from zermelo.kernel.rays import enclosed, reach

SIZES = {size: zermelo.game("othello", size=size) for size in (4, 6, 8)}


def naive_score(twin: NaiveOthello, state) -> int:
    """The score for the player to move: the winner gets the empty squares."""

    @cache
    def best(state) -> int:
        if twin.outcome(state) is not None:
            board, player = state
            lead = board.count("XO"[player]) - board.count("OX"[player])
            return lead + board.count("-") * ((lead > 0) - (lead < 0))
        return max(-best(twin.play(state, move)) for move in twin.moves(state))

    return best(state)


def endings(size: int, most: int, count: int, seed: int) -> list[Position]:
    """Ongoing positions of random games with at most ``most`` empty squares."""
    chance, found = random.Random(seed), list[Position]()
    while len(found) < count:
        position, left = SIZES[size].start(), chance.randint(1, most)
        while position.outcome is None and position.text.count("-") > left:
            position = position.play_code(chance.choice(position.codes()))
        if position.outcome is None:
            found.append(position)
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
        score, state = naive_score(twin, twin.from_position(position)), position.state
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
        score = naive_score(twin, twin.from_position(position))
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
