"""The evaluation of Lines of Action against a slow twin that follows its description."""

import random
from itertools import combinations

import numpy as np
import pytest
from naive.lines_of_action import NaiveLinesOfAction

from zermelo.compiler.jit import jit_enabled, kernel
from zermelo.core.board import states_array
from zermelo.games.lines_of_action.game import LinesOfAction
from zermelo.games.lines_of_action.rules import (
    TO_MOVE,
    centre_of_mass,
    evaluate,
    pairs_and_quads,
    spread,
    weighted_mobility,
)
from zermelo.kernel.bits import popcount

FAST = jit_enabled()
GAMES = {size: LinesOfAction(size=size) for size in (4, 5, 8)}


def evaluate_first(g, states):
    return evaluate(g, states[0])


def parts_of_first(g, states):
    own, opp = states[0].own, states[0].opp
    n = popcount(own)
    centre = centre_of_mass(own, n)
    pairs, three, four = pairs_and_quads(own)
    return (centre, spread(g, own, n, centre), pairs, popcount(three),
            popcount(four), weighted_mobility(g, own, opp))


EVALUATE, PARTS = kernel(evaluate_first), kernel(parts_of_first)


def placed(position):
    states = states_array(position.game.rules, 1)
    states[0] = position.state[0]
    return states


def evaluated(position):
    return int(EVALUATE(position.game.rules.data, placed(position)))


def positions(size, games):
    """All positions of random games that go on."""
    chance = random.Random(size)
    for _ in range(games):
        position = GAMES[size].start()
        while position.outcome is None:
            yield position
            position = position.play_code(chance.choice(position.codes()))


def near(one, other):
    return max(abs(one[0] - other[0]), abs(one[1] - other[1]))


def half_up(total, n):
    return (2 * total + n) // (2 * n)


class NaiveShape:
    """The pieces of one side as (column, row), and what is counted about them."""

    def __init__(self, size, pieces):
        self.size, self.pieces, n = size, pieces, len(pieces)
        self.centre = tuple(half_up(sum(piece[i] for piece in pieces), n) for i in (0, 1))
        fewest = sorted(near((0, 0), (c, r)) for c in range(-3, 4) for r in range(-3, 4))[:n]
        self.spread = sum(near(piece, self.centre) for piece in pieces) - sum(fewest)
        self.cliques = [sum(all(near(*pair) == 1 for pair in combinations(some, 2))
                            for some in combinations(sorted(pieces), k)) for k in (1, 2, 3, 4)]

    def quads(self, count):
        """The lower left squares of quads with ``count`` pieces."""
        return [(c, r) for c in range(self.size - 1) for r in range(self.size - 1)
                if len({(c, r), (c + 1, r), (c, r + 1), (c + 1, r + 1)} & self.pieces) == count]

    def points(self):
        n, last = len(self.pieces), self.size - 1
        groups = sum((-1) ** k * count for k, count in enumerate(self.cliques))
        inside = sum(min(3, c, r, last - c, last - r) for c, r in self.pieces)
        means = 20 * inside + 20 * 2 * self.cliques[1] - 320 * self.spread
        quads = sum(near(quad, self.centre) <= 2 for k in (3, 4) for quad in self.quads(k))
        return means // n + 6 * quads - 15 * (groups - 1)


def half_moves(twin, state):
    total = 0
    for move in twin.moves(state):
        if move != "pass":
            edge = move[3] in ("a", "abcdefgh"[twin.size - 1]) or move[4] in ("1", str(twin.size))
            total += 2 + 2 * (move[2] == "x") - edge
    return total


@pytest.mark.long_cases("8-1")
@pytest.mark.parametrize(("size", "games"), [(4, 40), (5, 12), (8, 1)])
def test_agrees_with_the_twin(size, games):
    twin = NaiveLinesOfAction(size)
    for position in list(positions(size, games if FAST else 1))[: None if FAST else 12]:
        board, turn = twin.from_position(position)
        shapes = [NaiveShape(size, {square for square, who in board if who == side})
                  for side in (turn, 1 - turn)]
        own, other = (half_moves(twin, (board, side)) for side in (turn, 1 - turn))
        centre, wide, pairs, three, four, moves = PARTS(position.game.rules.data,
                                                          placed(position))
        mine = shapes[0]
        assert (centre % 8, centre // 8) == mine.centre
        assert (wide, pairs, moves) == (mine.spread, mine.cliques[1], own)
        assert (three, four) == (len(mine.quads(3)), len(mine.quads(4)))
        expected = shapes[0].points() - shapes[1].points() + 4 * (own - other) + 20
        assert evaluated(position) == expected, position.text


def test_what_is_good_for_one_is_bad_for_the_other():
    for position in list(positions(5, 4 if FAST else 1)):
        other = GAMES[5].parse(position.text[:-1] + "OX"[position.mover])
        assert evaluated(position) + evaluated(other) == 2 * TO_MOVE
        swapped = GAMES[5].parse(position.text.translate(str.maketrans("XO", "OX")))
        assert evaluated(swapped) == evaluated(position)


def test_pieces_that_stand_together_are_worth_more():
    together = GAMES[8].parse("8/8/2XXX3/2X.X3/8/8/O7/O5XO X".replace(".", "1"))
    apart = GAMES[8].parse("X6X/8/2X4X/8/8/1X6/O7/O5XO X")
    assert evaluated(together) > evaluated(apart) + 200


def choose(position):
    """The move after which the other side looks worst, or a win."""
    def looks(code):
        after = position.play_code(code)
        if after.outcome is None:
            return -evaluated(after)
        return 10**6 * {"draw": 0, ("first", "second")[position.mover]: 1}.get(after.outcome, -1)

    return max(position.codes(), key=looks)


@pytest.mark.skipif(not FAST, reason="whole games")
def test_one_ply_of_it_beats_chance():
    chance, won = random.Random(3), 0
    for number in range(10):
        position, plies = GAMES[8].start(), 0
        while position.outcome is None and plies < 300:
            clever = position.mover == number % 2
            code = choose(position) if clever else chance.choice(position.codes())
            position, plies = position.play_code(code), plies + 1
        won += position.outcome == ("first", "second")[number % 2]
    assert won == 10


def test_it_is_a_whole_number():
    assert isinstance(EVALUATE(GAMES[8].rules.data, placed(GAMES[8].start())), int | np.integer)
    assert evaluated(GAMES[8].start()) == TO_MOVE
