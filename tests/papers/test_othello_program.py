"""The authors' Othello, boards and random games, against a naive twin and what is known of it."""

import json
from copy import deepcopy
from functools import cache, partial
from itertools import product
from random import Random
from statistics import mean

import numpy as np
import pytest
from command import call

import zermelo
from zermelo.kernel.rng import below
from zermelo_papers.sets.othello_program import DARK, EMPTY, LIGHT, Board, random_board, remade


@cache
def made(moves):
    """A hundred boards."""
    return [random_board(moves, Random(f"{moves}/{n}")) for n in range(100)]


def played(board, choose, side=DARK):
    """A random game as the program plays it: who has more discs, how many moves, how many of them
    were illegal; ``choose``: the place in a list of a length."""
    board, moves, illegal = deepcopy(board), 0, 0
    listed = board.moves(side)
    if not listed:
        side = 1 - side
        listed = board.moves(side)
    while listed:
        move = listed[choose(len(listed))]
        moves, illegal = moves + 1, illegal + (not board.ways(move[0], side))
        board.place(move, side)
        listed = board.moves(side) or board.moves(1 - side)
        side = 1 - side
    return np.sign(board.squares.count(DARK) - board.squares.count(LIGHT)), moves, illegal


def othello(board, playouts="program", side=DARK, **parameters):
    game = zermelo.game("othello", playouts=playouts, **parameters)
    return game.parse(f"{board.text()} {side}")


@pytest.mark.parametrize("side", [DARK, LIGHT])
def test_random_games_are_those_of_the_naive_twin(side):
    for board in (made(26)[0], *made(36)[:3], *made(40)[:6]):
        position = othello(board, side=side)
        if position.outcome is None:
            rng, ends = np.array([7], np.uint64), [0, 0, 0, 0]
            for _ in range(8):
                lead, _, _ = played(board, partial(below, rng), side)
                ends[{1: 1, -1: 2, 0: 3}[int(lead)]] += 1
            assert position.game.board.playout(position.state, 7, 8) == ends


def test_a_stuck_player_leaves_the_first_move_to_the_other():
    board = Board()
    board.squares = [EMPTY] * 64
    board.squares[:3] = DARK, LIGHT, LIGHT  # light can't move; dark takes all
    position = othello(board, side=LIGHT, no_move="loses")
    assert position.game.board.playout(position.state, 1, 20) == [0, 20, 0, 0]


@pytest.mark.parametrize(("moves", "share"), [(26, 0.63), (36, 0.56), (40, 0.50)])
def test_the_share_of_illegal_moves(moves, share):
    """As on the authors' boards, by a copy of their program that counts them."""
    chance = Random(moves)
    games = [played(board, chance.randrange) for board in made(moves)]
    assert sum(i for *_, i in games) / sum(n for _, n, _ in games) == pytest.approx(share, abs=0.05)


@pytest.mark.parametrize(("moves", "discs"), [(22, 28.5), (26, 32.1), (36, 41.7), (40, 46.1)])
def test_boards_have_as_many_discs_as_those_of_the_authors(moves, discs):
    """The mean number in their files."""
    found = mean(64 - board.squares.count(EMPTY) for board in made(moves))
    assert found == pytest.approx(discs, abs=0.07 * discs)
    assert found > moves + 4, "empty squares turn, too"


def test_win_rates_differ_from_those_of_legal_games():
    """By 0.18 to 0.24 in the mean on the authors' boards."""
    rates = []
    for board, how in product(made(36)[:40], ("program", "legal")):
        position = othello(board, how, no_move="loses")
        rates.append(position.game.board.playout(position.state, 1, 1000)[1] / 1000
                     if position.outcome is None else 0)
    differences = [abs(a - b) for a, b in zip(rates[::2], rates[1::2], strict=True)]
    assert 0.14 < mean(differences) < 0.34


def test_no_rule_and_no_proof_depends_on_how_random_games_go(tmp_path):
    text, path = f"{made(40)[1].text()} 0", tmp_path / "program.proof"
    done = [call("solve", "othello", text, "-g", f"playouts={how}", "-s", "weak-df-pn", "--json",
                 "--proof", str(path)) for how in ("legal", "program")]
    legal, theirs = (json.loads(one.out) for one in done)
    assert theirs["proved"]
    assert theirs["parameters"] == {"playouts": "program"}
    assert [theirs[name] for name in ("value", "nodes")] == [
        legal[name] for name in ("value", "nodes")]
    assert zermelo.verify(path).verdict == "verified"


def test_boards_as_positions():
    some = remade(22, 5, seed=3, no_move="loses").positions()
    assert [id for id, _ in some] == list("01234")
    assert some[4][1].text == remade(22, 5, seed=3).positions()[4][1].text
    assert {position.to_move for _, position in some} == {"X"}
    assert some[0][1].game["no_move"] == "loses"
