"""Random positions of every game with their exact values, and what a result must say about them."""

from dataclasses import replace
from functools import lru_cache

from brute import VALUES, BruteForce, random_positions
from naive.connect_four import NaiveConnectFour
from naive.hex import NaiveHex
from naive.k_in_a_row import NaiveKInARow
from naive.othello import NaiveOthello
from naive.p_game import NaivePGame

import zermelo
from zermelo.games.connect_four.game import ConnectFour
from zermelo.kernel.bits import word

SEED = 20_240_613
# Searches that are quick on one small game, for which commands have them compiled anyway.
NEWEST = ["ews", "mopns", "pn-mcts", "gpn-mcts"]
NEWEST_ON = "tic-tac-toe"

# game, parameters, twin, positions, shortest and longest opening
SETS = {
    "connect-four 4x4": ("connect-four", {"columns": 4, "rows": 4}, NaiveConnectFour, 300, 8, 16),
    "connect-four 5x4 line 3": (
        "connect-four", {"columns": 5, "rows": 4, "line": 3}, NaiveConnectFour, 320, 5, 12),
    "othello 4x4": ("othello", {"size": 4}, NaiveOthello, 320, 2, 12),
    "othello 4x4 loses": (
        "othello", {"size": 4, "no_move": "loses"}, NaiveOthello, 300, 2, 12),
    "hex 3x3": ("hex", {"size": 3}, NaiveHex, 450, 1, 9),
    "hex 4x4": ("hex", {"size": 4}, NaiveHex, 170, 7, 16),
    "tic-tac-toe": ("k-in-a-row", {}, NaiveKInARow, 300, 1, 9),
    "connect(4,3,3,2,1)": (
        "k-in-a-row", {"columns": 4, "rows": 3, "line": 3, "stones": 2, "first": 1},
        NaiveKInARow, 320, 4, 12),
}
# A search is compiled for each game: of these pairs, `make test` has three of five games for a
# search, and PN on all of them; `make test-full` has the rest.
MAIN_SETS = ["connect-four 5x4 line 3", "othello 4x4", "hex 3x3", "p-game", "connect(4,3,3,2,1)"]
SOME_ON = ["pn2", "deep-pn", "mcpn", "ppn", "pp", "mcts", "uct"]
P_GAMES = [(2, 8), (3, 5), (4, 4)]
P_GAME_SEEDS = 175


def left_to_the_full_tests(name: str, search_id: str) -> bool:
    """Whether a best-first search is tried on a main set by ``make test-full`` only."""
    return search_id in NEWEST or (search_id in SOME_ON and (
        SOME_ON.index(search_id) + MAIN_SETS.index(name)) % len(MAIN_SETS) < 2)


@lru_cache(maxsize=2)  # tests of a set stand together, and its brute force remembers much
def cases(name: str):
    """(position, naive state, brute force) for each position of a set."""
    if name == "p-game":
        found = []
        for branching, depth in P_GAMES:
            for seed in range(P_GAME_SEEDS):
                parameters = {"branching": branching, "depth": depth, "range": 10, "seed": seed}
                position = zermelo.game("p-game", **parameters).start()
                brute = BruteForce(NaivePGame(**parameters))
                found.append((position, brute.naive.from_position(position), brute))
        return found
    game_name, parameters, twin, count, shortest, longest = SETS[name]
    brute = BruteForce(twin(**parameters))
    game = zermelo.game(game_name, **parameters)
    positions = random_positions(game, count, shortest, longest, SEED)
    return [(position, brute.naive.from_position(position), brute) for position in positions]


def check_line(result, brute, state):
    """The line is legal, keeps the value for both sides, and ends the game."""
    player, value = brute.naive.mover(state), brute.value(state)
    for move in result.line:
        assert move in brute.naive.moves(state)
        state = brute.naive.play(state, move)
        assert brute.for_player(state, player) == value
    assert brute.naive.outcome(state) is not None


def check_win(position, state, brute, search, **options):
    result = zermelo.solve(position, search, goal="win", **{"nodes": 5e6, **options})
    wins = brute.value(state) == 1
    assert result.proved, "goal win"
    assert result.value == ("win" if wins else "not-win")
    if wins:
        check_line(result, brute, state)
    else:
        assert result.move is None
    check_moves(result, brute, state, {1: "win", 0: "not-win", -1: "not-win"})


def check_value(position, state, brute, search, **options):
    result = zermelo.solve(position, search, goal="value", **{"nodes": 5e6, **options})
    assert result.proved, "goal value"
    assert result.value == VALUES[brute.value(state)]
    check_line(result, brute, state)
    check_moves(result, brute, state, VALUES)
    return result


def check_moves(result, brute, state, names):
    """What is said about each root move is true."""
    player = brute.naive.mover(state)
    for row in result.moves:
        if row.proved and row.value != "unknown":
            exact = brute.for_player(brute.naive.play(state, row.move), player)
            assert row.value in (names[exact], "not-win" if exact < 1 else "win")


def check_finished(position, brute, state, search):
    result = zermelo.solve(position, search)
    assert result.proved
    assert result.iterations == 0
    assert result.move is None
    assert result.value == VALUES[brute.value(state)]


def check_case(case, search, **options):
    """A search on one case, with both goals."""
    position, state, brute = case
    try:
        if brute.naive.outcome(state) is not None:
            check_finished(position, brute, state, search)
        else:
            check_win(position, state, brute, search, **options)
            check_value(position, state, brute, search, **options)
    except AssertionError as error:
        raise AssertionError(f"{search} on {position!r}: {error}") from error


class EightBits(ConnectFour):
    """Connect Four whose keys take 256 values."""

    name = "eight-bits"

    def define(self):
        rules = super().define()
        key = rules.key

        def poor(g, s):
            return key(g, s) & word(0xFF)

        return replace(rules, key=poor, exact_key=False)
