"""What games know beyond their rules never changes a value: held against exhaustive search.

Small positions are searched with the naive twins, larger ones with the games' own compiled rules
and nothing else (``checks.values``), which is itself held against the twins here.
"""

import json
import random
import warnings
from collections import Counter
from functools import cache

import numpy as np
import pytest
from brute import BruteForce
from naive.connect_four import NaiveConnectFour
from naive.hex import NaiveHex
from naive.k_in_a_row import NaiveKInARow
from naive.othello import NaiveOthello
from naive.p_game import NaivePGame
from without_compiler import printed_by

import zermelo
from zermelo import NO_MOVE
from zermelo.checks.knowledge import ExactValues
from zermelo.compiler.jit import jit_enabled, kernel
from zermelo.core.board import moves_array, states_array

SEED = 1913
BUDGET = 200_000

# game, parameters, twin; random games, shortest and longest opening; how many are for the twin
SETS = {
    "connect-four 4x4": (
        "connect-four", {"columns": 4, "rows": 4}, NaiveConnectFour, 500, 0, 15, 80),
    "connect-four 5x4 line 3": (
        "connect-four", {"columns": 5, "rows": 4, "line": 3}, NaiveConnectFour, 400, 2, 14, 60),
    "connect-four 5x5": (
        "connect-four", {"columns": 5, "rows": 5}, NaiveConnectFour, 500, 12, 24, 40),
    "connect-four 7x6": ("connect-four", {}, NaiveConnectFour, 200, 28, 41, 20),
    "hex 3x3": ("hex", {"size": 3}, NaiveHex, 300, 0, 8, 120),
    "hex 4x4": ("hex", {"size": 4}, NaiveHex, 400, 4, 15, 30),
    "hex 5x5": ("hex", {"size": 5}, NaiveHex, 200, 12, 24, 0),
    "tic-tac-toe": ("k-in-a-row", {}, NaiveKInARow, 300, 1, 8, 120),
    "4x4 line 3 exactly": ("k-in-a-row", {"columns": 4, "rows": 4, "overline": "no-win"},
                           NaiveKInARow, 300, 6, 15, 30),
    "4x3 two stones": (
        "k-in-a-row", {"columns": 4, "rows": 3, "stones": 2}, NaiveKInARow, 300, 1, 11, 80),
    "othello 4x4": ("othello", {"size": 4}, NaiveOthello, 100, 1, 14, 0),
    "othello 6x6 loses": (
        "othello", {"size": 6, "no_move": "loses"}, NaiveOthello, 20, 1, 36, 0),
}
WITH_CLAIMS = [name for name in SETS if not name.startswith("othello")]
FOR_THE_TWIN = [name for name, facts in SETS.items() if facts[-1]]


def no_forced(g, s, out):
    return 0


def no_estimate(g, s):
    return 1, 1


def no_idea(g, s, side):
    return False


def no_sight(g, s, side):
    return 0


@cache
def facts_of(game):
    """A function of positions: forced moves, estimate, who cannot win, plies to go, and what is
    foreseen."""
    rules = game.rules
    forced, estimate = rules.forced or no_forced, rules.estimate or no_estimate
    cannot_win, remaining = rules.cannot_win or no_idea, rules.remaining
    foreseen = rules.foreseen or no_sight

    def all_at_once(g, states, out, found):
        s = states[0]
        found[0], found[1] = estimate(g, s)
        found[2], found[3] = cannot_win(g, s, 0), cannot_win(g, s, 1)
        found[4], found[5] = foreseen(g, s, 0), foreseen(g, s, 1)
        found[6] = remaining(g, s)
        return forced(g, s, out)

    run, out, found = kernel(all_at_once), moves_array(rules), np.zeros(7, np.int64)

    def facts(position):
        states = states_array(rules, 1)
        states[0] = position.state[0]
        with np.errstate(all="ignore"):
            n = run(rules.data, states, out, found)
        phi, delta, *claims, plies = (int(number) for number in found)
        hopeless, sight = tuple(map(bool, claims[:2])), tuple(claims[2:])
        return [int(code) for code in out[:n]], (phi, delta), hopeless, plies, sight

    return facts


def long_games(game, count: int, shortest: int, longest: int):
    """Positions of random games that are kept going: a move that ends one is the last choice."""
    chance = random.Random(SEED)
    for _ in range(count):
        position, wanted = game.start(), chance.sample(range(shortest, longest + 1), 4)
        for ply in range(longest + 1):
            if ply in wanted:
                yield position
            codes = position.codes()
            after = (position.play_code(code) for code in chance.sample(codes, len(codes)))
            ongoing = next((child for child in after if child.outcome is None), None)
            if ongoing is None:
                break
            position = ongoing


@cache
def cases(name: str):
    """The game, its twin and the positions of a set, each once."""
    game_name, parameters, twin, count, shortest, longest, _ = SETS[name]
    game = zermelo.game(game_name, **parameters)
    if not jit_enabled():
        count, shortest = 2, max(shortest, longest - 6)
    return game, twin(**parameters), list(dict.fromkeys(
        long_games(game, count, shortest, longest)))


def check_position(position, value, value_after):
    """``value`` is the mover's, ``value_after(code)`` that player's after a move, if known."""
    codes, estimate, hopeless, _, sight = facts_of(position.game)(position)
    legal = position.codes()
    assert set(codes) <= set(legal), position
    assert len(set(codes)) == len(codes), position
    assert min(estimate) >= 1, position
    after = [value_after(code) for code in codes]
    if after and None not in after:
        assert max(after) == value, position
    for side in (0, 1):
        if hopeless[side]:
            assert value < 1 if side == position.mover else value > -1, (position, side)
        if sight[side]:
            wins = value == (1 if side == position.mover else -1)
            assert wins == (sight[side] > 0), (position, side)
    game, finish = position.game, NO_MOVE
    if game.rules.finish is not None:
        finish = game.board.ask(game.rules.finish, position.state)
    if finish != NO_MOVE:
        assert value_after(finish) in (1, None), position
    return Counter(positions=1, narrowed=0 < len(codes) < len(legal), hopeless=sum(hopeless),
                   won=sight.count(1), not_won=sight.count(-1), finished=finish != NO_MOVE)


@pytest.mark.quick_cases("4x3 two stones", "hex 3x3", "connect-four 4x4", "tic-tac-toe")
@pytest.mark.parametrize("name", FOR_THE_TWIN)
def test_against_the_twin(name):
    game, naive, positions = cases(name)
    brute, values = BruteForce(naive), ExactValues(game.rules)
    late = sorted(positions, key=lambda p: facts_of(game)(p)[3])[: SETS[name][-1]]
    for position in late:
        state, mover = naive.from_position(position), position.mover
        value = brute.value(state)
        first = values.value(position.state, BUDGET)
        assert value == (first if mover == 0 else -first), position

        def after(code, state=state, position=position, mover=mover):
            child = naive.play(state, game.move_name(position, code))
            return brute.for_player(child, mover)

        check_position(position, value, after)


@pytest.mark.quick_cases(
    "4x3 two stones", "hex 3x3", "connect-four 4x4", "tic-tac-toe", "connect-four 7x6")
@pytest.mark.parametrize("name", WITH_CLAIMS)
def test_against_the_bare_rules(name):
    game, _, positions = cases(name)
    values, tally = ExactValues(game.rules), Counter()
    for position in positions:
        first = values.value(position.state, BUDGET)
        if first is None:
            continue

        def after(code, position=position):
            found = values.value(game.board.step(position.state, code), BUDGET)
            return -found if position.mover and found is not None else found

        tally += check_position(position, first if position.mover == 0 else -first, after)
    if jit_enabled():  # what knows nothing is never wrong
        assert tally["positions"] >= 300
        assert tally["narrowed"] >= 50
        assert tally["finished"] >= 50 or game.rules.finish is None
        assert min(tally["won"], tally["not_won"]) >= 50 or game.rules.foreseen is None
        assert tally["hopeless"] >= 15 or game.rules.cannot_win is None or "line 3" in name


def discs_to_put(twin, position):
    """How many squares each side of an Othello board can move to, corners twice, but at least 1:
    first the side that is not to move."""
    board, player = twin.from_position(position)
    last, size = len(board) - 1, twin.size
    return tuple(max(len(found) + len({0, size - 1, last - size + 1, last} & {*found}), 1)
                 for found in (twin._squares(board, 1 - player), twin._squares(board, player)))


@pytest.mark.long_cases("connect-four 5x4 line 3", "connect-four 5x5", "hex 4x4", "hex 5x5")
@pytest.mark.parametrize("name", SETS)
def test_estimates_count_the_moves_worth_trying_and_remaining_bounds_the_plies(name):
    game, twin, positions = cases(name)
    chance = random.Random(SEED)
    for number, position in enumerate(positions[:200]):
        codes, estimate, _, plies, _ = facts_of(game)(position)
        played, end = [], position
        while end.outcome is None and number < 60:
            played.append(chance.choice(end.moves()))
            end = end.play(played[-1])
        assert number >= 60 or 1 <= len(played) - played.count("pass") <= plies
        if game.name == "othello":
            assert estimate == discs_to_put(twin, position), position
            continue
        assert estimate == (1, len(codes or position.codes())), position
        assert len(game.board.forced(position.state)) == estimate[1]


def test_remaining_of_a_p_game_is_exact():
    game, twin = zermelo.game("p-game", depth=7), NaivePGame(depth=7)
    position, state, plies = game.start(), twin.start(), 7
    while twin.outcome(state) is None:
        assert game.board.ask(game.rules.remaining, position.state) == plies
        position, state, plies = position.play("1"), twin.play(state, "1"), plies - 1
    assert plies == 0


# Without the compiler.
KNOWN = [
    ("connect-four", {}, ["start", "4444452", "112233", "1212121", "445566", "3344556"]),
    ("hex", {"size": 4}, ["start", "b2 c2", "b2 c3 b3", "c2 b3 b4"]),
    ("k-in-a-row", {}, ["start", "b2 a1 c3", "b2 a1 c1 a3 a2 c2 b3", "a1 b2 c3 b1"]),
    ("k-in-a-row", {"columns": 9, "rows": 9, "line": 5, "overline": "no-win"},
     ["start", "e5 a1 e6 a2 e7 a3 e8", "a1 b1 a2 c1 a3 d1 a4 e1", "a1 e1 b2 e3 c3 e2 d4 e5"]),
    ("othello", {"size": 4}, ["start", "a2a3a4"]), ("p-game", {"depth": 6}, ["start", "path=0.1"]),
]


def rows():
    found = []
    for name, parameters, texts in KNOWN:
        game = zermelo.game(name, **parameters)
        for text in texts:
            board, state = game.board, game.parse(text).state
            rules = game.rules
            row = [name, text, board.forced(state), board.ask(rules.remaining, state)]
            row += [board.ask(rules.estimate, state)] if rules.estimate else []
            row += [board.ask(rule, state, side) for rule in (rules.cannot_win, rules.foreseen)
                    for side in (0, 1) if rule]
            found.append(row)
    return found


@pytest.mark.long
def test_plain_python_knows_the_same():
    assert printed_by(__file__) == json.loads(json.dumps(rows(), default=np.generic.item))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(json.dumps(rows(), default=np.generic.item))
