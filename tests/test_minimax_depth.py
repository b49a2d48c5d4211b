"""What a depth-limited value is: plain minimax to that depth. And how the searches relate."""

import random
from dataclasses import replace
from functools import cache

import pytest
from brute import random_positions

import zermelo
from zermelo import ERPS, PVS, RPS, AlphaBeta
from zermelo.games.connect_four import ConnectFour
from zermelo.search.base import Task
from zermelo.search.minimax.score import MATE, UNIT
from zermelo.search.reasons import NODES, SLICE, SOLVED

FOUR = zermelo.game("connect-four", columns=4, rows=4)
OTHELLO = zermelo.game("othello", size=4)
LOA = zermelo.game("lines-of-action", size=5)
TWO_STONES = zermelo.game("k-in-a-row", columns=4, rows=3, line=3, stones=2, first=1)


def ask(search, position, memory=1 << 22, **options):
    return search.ask(Task(position, position.mover, memory, **{"plain": True, **options}))


def minimax(position, depth, ply=0):
    """The value for the player to move, by trying everything: the slow twin of all searches."""
    if position.outcome is not None:
        won = ("first", "second").index(position.outcome) if position.outcome != "draw" else None
        if won is None:
            return 0
        return MATE - ply if won == position.mover else ply - MATE
    if depth == 0:
        known = position.game.rules.evaluate is not None
        return position.game.board.evaluate(position.state) if known else 0
    values = []
    for code in position.codes():
        child = position.play_code(code)
        value = minimax(child, depth - 1, ply + 1)
        values.append(value if child.mover == position.mover else -value)
    return max(values)


def values_by_depth(search, position, deepest, **options):
    """The root's value after each iteration up to a depth, or to the proof."""
    question, found = ask(search, position, **options), {}
    engine, complete = question.engine, question.engine._complete

    def note():
        complete()
        found[engine.depth // UNIT] = engine.value
        engine.stack.stop[0] = engine.depth >= deepest * UNIT

    engine._complete = note
    assert question.advance(1 << 40) in (SLICE, SOLVED)
    return found


CASES = [(AlphaBeta, FOUR, 4, 6), (PVS, OTHELLO, 4, 6), (AlphaBeta, TWO_STONES, 4, 4),
         (AlphaBeta, LOA, 2, 3)]


@pytest.mark.parametrize(("kind", "game", "deepest", "count"), CASES,
                         ids=[f"{kind.id} {game.name}" for kind, game, _, _ in CASES])
def test_a_value_to_a_depth_is_that_of_plain_minimax(kind, game, deepest, count):
    for position in random_positions(game, count, 0, 6, seed=11):
        if position.outcome is None:
            found = values_by_depth(kind(deeper=False), position, deepest)
            expected = {depth: minimax(position, depth) for depth in found}
            assert found == expected, position.text


@pytest.mark.parametrize("memory", [1 << 22, 1], ids=["a table", "a bucket"])
def test_pvs_and_alpha_beta_find_the_same_value_at_every_depth(memory):
    for position in random_positions(OTHELLO, 12, 0, 5, seed=5):
        if position.outcome is None:
            rows = [values_by_depth(search, position, 7, memory=memory) for search in
                    (AlphaBeta(deeper=False), PVS(deeper=False), PVS("null", deeper=False))]
            assert rows[0] == rows[1] == rows[2]
            assert rows[0]


def test_a_win_is_as_short_as_can_be_where_the_table_keeps_to_the_depth():
    checked = 0
    for position in random_positions(FOUR, 60, 5, 9, seed=3):
        result = zermelo.solve(position, AlphaBeta(deeper=False), plain=True)
        if result.value in ("win", "loss") and position.outcome is None:
            shortest = zermelo.solve(position, "df-pn", goal="shortest").distance
            assert result.root["value"] == f"{result.value} in {shortest}"
            assert len(result.line) == shortest
            checked += 1
    assert checked > 10


class Sorted(ConnectFour):
    """Connect Four whose moves have categories: the middle columns, and the others."""

    name = "sorted-connect-four"
    likely: tuple[float, ...] = (0.25, 0.25)

    def define(self):
        def categories(g, s, moves, n, out):
            for i in range(n):
                out[i] = 0 if 1 <= moves[i] <= 3 else 1

        return replace(super().define(), categories=categories,
                       category_names=("middle", "side"), probabilities=self.likely)


@cache
def sorted_game(*likely):
    kind = type("SortedSo", (Sorted,), {"likely": likely})
    return kind(columns=5, rows=4)


def run_to(search, position, nodes):
    question = ask(search, position)
    assert question.advance(1 << 40, nodes) in (SOLVED, NODES)
    return question


@pytest.mark.parametrize("deeper", [True, False])
@pytest.mark.parametrize("search", [RPS, ERPS])
def test_with_every_move_at_one_ply_these_are_pvs_node_for_node(search, deeper):
    options = {"C": 0.25, "minFP": 1.0, "deeper": deeper}
    if search is ERPS:
        options["delta"] = float("inf")
    for position in random_positions(sorted_game(0.25, 0.25), 6, 0, 5, seed=9):
        one = run_to(search(**options), position, 20_000)
        other = run_to(PVS(first="null", deeper=deeper), position, 20_000)
        assert (one.nodes, one.iterations, one.numbers()) == (
            other.nodes, other.iterations, other.numbers())
        assert one.engine.table.words.tobytes() == other.engine.table.words.tobytes()
        assert one.counters == other.counters


def test_unlikely_moves_are_searched_less_deep():
    """One ply of the root's depth is left after a middle move, none after the others."""
    game = sorted_game(0.25, 0.25 ** 3)
    same, position = sorted_game(0.25, 0.25), game.start()
    one = run_to(RPS(minFP=1.0), position, 3_000)
    other = run_to(RPS(minFP=1.0), same.start(), 3_000)
    assert one.engine.depth > other.engine.depth
    halfway = run_to(ERPS(minFP=1.0, m=0), position, 3_000)
    assert halfway.engine.table.words.tobytes() != one.engine.table.words.tobytes()


def test_fractional_plies_by_equation_2():
    rules = sorted_game(0.5, 0.0625).rules
    assert RPS(C=0.25, minFP=0.25).data(rules).FP.tolist() == [UNIT // 2, 2 * UNIT]
    assert RPS(C=0.25, minFP=0.75).data(rules).FP.tolist() == [3 * UNIT // 4, 2 * UNIT]
    assert RPS(minFP=0.5).data(FOUR.rules).FP.tolist() == [UNIT]
    never = replace(rules, probabilities=(0.0, 1.0))
    assert RPS(minFP=0.5).data(never).FP.tolist() == [64 * UNIT, UNIT // 2]
    data = ERPS(delta=float("inf"), t=2, m=3).data(rules)
    assert (data.t, data.m, data.delta) == (2 * UNIT, 3, 1 << 40)


def test_estimates_are_never_called_proved():
    result = zermelo.solve(zermelo.game("connect-four").start(), "pvs", nodes=30_000)
    assert (result.value, result.proved, result.concluded) == ("unknown", False, False)
    assert (result.move, result.line) == (None, [])
    assert set(result.root) == {"value", "depth"}
    assert result.root["depth"] >= 5
    assert {row.numbers["bound"] for row in result.moves} <= {"exact", "at most"}
    assert all(row.value == "unknown" for row in result.moves)


@pytest.mark.parametrize("game", [FOUR, OTHELLO, zermelo.game("lines-of-action")],
                         ids=lambda game: game.name)
def test_evaluations_change_sign_with_the_side(game):
    """Ours are symmetric but for the right to move: with colours and mover exchanged the same."""
    rng = random.Random(4)
    for position in random_positions(game, 20, 0, 10, seed=rng.randint(0, 99)):
        if position.outcome is None:
            state = position.state.copy()
            state["turn"] = 1 - state["turn"]
            assert game.board.evaluate(state) == game.board.evaluate(position.state)
