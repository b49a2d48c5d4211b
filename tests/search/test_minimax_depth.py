"""What a depth-limited value is: plain minimax to that depth. What minimax searches refuse."""

import random
from dataclasses import replace

import pytest
from brute import random_positions
from likely import likely

import zermelo
from zermelo import ERPS, PVS, RPS, AlphaBeta
from zermelo.search.base import Task
from zermelo.search.minimax.plan import DONE, FULL, MATE, UNIT
from zermelo.search.reasons import NODES, SLICE, SOLVED

FOUR = zermelo.game("connect-four", columns=4, rows=4)
OTHELLO = zermelo.game("othello", size=4)
EQUAL = likely("connect-four", 0.25)
LOA = zermelo.game("lines-of-action", size=5)
TWO_STONES = zermelo.game("k-in-a-row", columns=4, rows=3, line=3, stones=2, first=1)


def ask(search, position, memory=1 << 22, **options):
    return search.start(Task(position, position.mover, memory, **{"plain": True, **options}))


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


# What the tests of values compile.
CASES = [(PVS, FOUR, 4, 6), (AlphaBeta, TWO_STONES, 4, 4),
         pytest.param(AlphaBeta, LOA, 2, 3, marks=pytest.mark.long),
         pytest.param(PVS, OTHELLO, 4, 6, marks=pytest.mark.full)]


@pytest.mark.parametrize(("kind", "game", "deepest", "count"), CASES)
def test_a_value_to_a_depth_is_that_of_plain_minimax(kind, game, deepest, count):
    for position in random_positions(game, count, 0, 6, seed=11):
        if position.outcome is None:
            found = values_by_depth(kind(deeper=False), position, deepest)
            expected = {depth: minimax(position, depth) for depth in found}
            assert found == expected, position.text


@pytest.mark.parametrize("memory", [1 << 22, 1], ids=["a table", "a bucket"])
def test_searches_with_moves_of_one_ply_find_the_same_value_at_every_depth(memory):
    same = {"deeper": False, "probabilities": EQUAL}
    searches = [PVS(deeper=False), PVS(first="null", deeper=False),
                RPS(C=0.25, minFP=1.0, **same), ERPS(C=0.25, minFP=1.0, delta=0.0, **same)]
    for position in random_positions(FOUR, 12, 0, 5, seed=5):
        if position.outcome is None:
            rows = [values_by_depth(search, position, 7, memory=memory) for search in searches]
            assert rows[0]
            assert all(row == rows[0] for row in rows)


def test_a_win_is_as_short_as_can_be_where_the_table_keeps_to_the_depth():
    checked = 0
    for position in random_positions(TWO_STONES, 50, 2, 7, seed=3):
        result = zermelo.solve(position, AlphaBeta(deeper=False), plain=True)
        if result.value in ("win", "loss") and position.outcome is None:
            shortest = zermelo.solve(position, "df-pn", goal="shortest").distance
            assert result.root["value"] == f"{result.value} in {shortest}"
            assert len(result.line) == shortest
            checked += 1
    assert checked > 10


def run_to(search, position, nodes):
    question = ask(search, position)
    assert question.advance(1 << 40, nodes) in (SOLVED, NODES)
    return question


@pytest.mark.parametrize("deeper", [True, False])
@pytest.mark.parametrize("search", [RPS, ERPS])
def test_with_every_move_at_one_ply_these_are_pvs_node_for_node(search, deeper):
    same = {"deeper": deeper, "probabilities": EQUAL}
    options = {"C": 0.25, "minFP": 1.0, **same}
    if search is ERPS:
        options["delta"] = float("inf")
    for position in random_positions(FOUR, 6, 0, 5, seed=9):
        one = run_to(search(**options), position, 20_000)
        other = run_to(PVS(first="null", **same), position, 20_000)
        assert (one.nodes, one.iterations, one.numbers(), one.counters) == (
            other.nodes, other.iterations, other.numbers(), other.counters)
        assert one.engine.table.words.tobytes() == other.engine.table.words.tobytes()
        assert one.engine.stack.history.tobytes() == other.engine.stack.history.tobytes()


def test_unlikely_moves_are_searched_less_deep():
    steep = likely("connect-four", 0.25, 0.25**3, 0.25**3)  # away from the middle: three plies
    start = FOUR.start()
    usual = {"C": 0.25, "minFP": 1.0}
    one = run_to(RPS(**usual, probabilities=steep), start, 3_000)
    other = run_to(RPS(**usual, probabilities=EQUAL), start, 3_000)
    assert one.engine.depth > other.engine.depth
    halfway = run_to(ERPS(**usual, m=0, probabilities=steep), start, 3_000)
    assert halfway.engine.table.words.tobytes() != one.engine.table.words.tobytes()
    never = run_to(ERPS(**usual, m=0, delta=2.0, probabilities=steep), start, 3_000)
    assert never.engine.table.words.tobytes() == one.engine.table.words.tobytes()


def test_likely_moves_are_tried_first():
    """The two columns in the middle are one category, the two at the sides another."""
    for chances, first in [((0.2, 0.1, 0.1), 1), ((0.1, 0.2, 0.1), 0), ((0.1,), 0)]:
        question = ask(PVS(probabilities=likely("connect-four", *chances)), FOUR.start())
        question.advance(1)
        assert question.path[0][0] == first


def test_fractional_plies_by_equation_2():
    def plies(search, *chances):
        file = likely("connect-four", *chances)
        return replace(search, probabilities=file).data(
            FOUR.rules, 0).FP[:2].tolist()

    assert plies(RPS(C=0.25, minFP=0.25), 0.5, 0.0625) == [UNIT // 2, 2 * UNIT]
    assert plies(RPS(C=0.25, minFP=0.75), 0.5, 0.0625) == [3 * UNIT // 4, 2 * UNIT]
    assert plies(ERPS(minFP=0.5), 0.0, 1.0) == [64 * UNIT, UNIT // 2]
    assert plies(RPS(C=0.25, minFP=0.75, floor=False), 0.5, 0.0625) == [UNIT // 2, 2 * UNIT]
    assert plies(ERPS(floor=False), 0.0, 1.0) == [64 * UNIT, UNIT // 16]
    assert RPS(minFP=0.5).data(TWO_STONES.rules, 0).FP.tolist() == [UNIT]
    data = ERPS(delta=float("inf"), t=2, m=3).data(FOUR.rules, 0)
    assert (data.t, data.m, data.delta) == (2 * UNIT, 3, 1 << 40)


FIGURE_1 = [
    # t, m, delta, minFP, FP, number, what the searches of a move say (above alpha or not)
    (1, 5, 1.5, 0.5, 4, 1, (True, True), [("null", 1), ("full", 0.5)]),
    (1, 5, 1.5, 0.5, 4, 5, (False,), [("null", 1)]),
    (1, 5, 1.5, 0.5, 4, 6, (True, True, True), [("null", 4), ("null", 2.25), ("full", 0.5)]),
    (1, 5, 1.5, 0.5, 4, 6, (True, False), [("null", 4), ("null", 2.25)]),
    (1, 5, 1.5, 0.5, 2.5, 6, (True, True), [("null", 2.5), ("full", 0.5)]),  # 1.5: not above delta
    (1, 5, 1.5, 0.5, 0.75, 1, (True, True), [("null", 0.75), ("full", 0.5)]),
]


@pytest.mark.parametrize("row", FIGURE_1)
def test_the_searches_of_a_move_are_those_of_figure_1(row):
    t, m, delta, minFP, FP, number, above, expected = row
    C, alpha, beta = 0.25, 10, 90
    search = ERPS(t=t, m=m, delta=delta, C=C, minFP=minFP,
                  probabilities=likely("connect-four", C**FP))
    o, plan = search.data(FOUR.rules, 0), search.plan
    step, dec = plan.begin(o, number, 0, alpha)
    made = []
    for higher in above:
        made.append(("full" if step == FULL else "null", dec / UNIT))
        step, dec = plan.again(o, step, dec, 50 if higher else 5, alpha, beta)
    assert (made, step) == (expected, DONE)


def test_noise_is_small_and_the_same_for_a_position_each_time():
    noise, position = 7, FOUR.start()
    quiet = values_by_depth(PVS(), position, 1)[1]
    seen = set()
    for seed in range(40):
        values = [values_by_depth(PVS(noise=noise), position, 1, seed=seed)[1] for _ in range(2)]
        assert values[0] == values[1]
        assert abs(values[0] - quiet) <= noise
        seen.add(values[0])
    assert len(seen) > 3
    # One value a position: a search to just this depth is minimax, whatever the table forgets.
    rows = [values_by_depth(search(noise=noise, deeper=False), position, 6, seed=3, memory=memory)
            for search in (PVS, RPS) for memory in (1, 1 << 22)]
    assert rows[0] == rows[1]
    assert rows[0] != values_by_depth(PVS(deeper=False), position, 6)


def test_noise_leaves_wins_and_losses_alone():
    checked = 0
    for position in random_positions(FOUR, 40, 6, 9, seed=3):
        if position.outcome is None:
            plain = zermelo.solve(position, PVS(), plain=True)
            noisy = zermelo.solve(position, PVS(noise=100_000), plain=True, seed=5)
            assert (plain.value, noisy.proved) == (noisy.value, True)
            checked += plain.value != "draw"
    assert checked > 10


def test_estimates_are_never_called_proved():
    result = zermelo.solve(FOUR.start(), "pvs", nodes=3_000, plain=True)
    assert (result.value, result.proved, result.concluded) == ("unknown", False, False)
    assert (result.move, result.line) == (None, [])
    assert set(result.root) == {"estimate", "depth"}
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


@pytest.mark.parametrize(("options", "message"), [
    ({"C": 0}, "C=0 is not valid; it is a number above 0 and below 1"),
    ({"C": 1.0}, "C=1 is not valid"), ({"minFP": 0}, "minFP='0' is not valid"),
    ({"minFP": 17}, "from 0.0625 to 16")])
def test_options_out_of_range(options, message):
    for kind in (zermelo.RPS, zermelo.ERPS):
        with pytest.raises(zermelo.BadOption, match=message):
            kind(**options)


def no_kinds(g, s, moves, n, out):
    """Never called."""


@pytest.mark.parametrize(("parts", "message"), [
    ({"categories": None}, "categories and category_names belong together"),
    ({"category_names": ()}, "categories and category_names belong together"),
    ({"categories": no_kinds, "category_names": ("a", "b"), "probabilities": (0.5,)},
     "must be a number from 0 to 1 for each of the 2 category_names"),
    ({"categories": no_kinds, "category_names": ("a",), "probabilities": (1.5,)},
     "must be a number from 0 to 1"),
    ({"evaluate": 3}, "evaluate must be a function, not '3'"),
])
def test_categories_that_do_not_fit(parts, message):
    class Broken(type(FOUR)):
        def define(self):
            return replace(super().define(), **parts)

    with pytest.raises(zermelo.BadGame, match=message):
        Broken(columns=4, rows=4)


def test_no_move_to_choose():
    with pytest.raises(zermelo.BadOption, match="the game is over at"):
        zermelo.choose(FOUR.parse("1212121"), nodes=10)
    with pytest.raises(zermelo.BadOption, match="choose needs a budget"):
        zermelo.choose(FOUR.start())
