"""Depth-first and minimax searches in slices: bit for bit the same; limits to the node."""

import random

import pytest

import zermelo
from zermelo import (
    DFPN,
    DFPPN,
    ERPS,
    PDSPN,
    PVS,
    TCADFPN,
    AlphaBeta,
    DeepDFPN,
    SharedDFPN,
    WeakDFPN,
    WideningDFPN,
)
from zermelo.search.base import Task
from zermelo.search.common import table as tables
from zermelo.search.reasons import NODES, SLICE, SOLVED, UNKNOWN

pytestmark = pytest.mark.slow

TWO_STONES = zermelo.game("k-in-a-row", columns=4, rows=3, line=3, stones=2, first=1)
FIVE_BY_FOUR = zermelo.game("connect-four", columns=5, rows=4, line=3)
FOUR = zermelo.game("connect-four", columns=4, rows=4)
HARD = zermelo.game("p-game", branching=3, depth=30, seed=1).start()
LOA = zermelo.game("lines-of-action").start()
# What the tests of values compile.
SEARCHES = [
    (DFPN(epsilon=0), True, TWO_STONES.parse("a1")),
    (DeepDFPN(3, 4, epsilon=0.25), True, TWO_STONES.parse("a1 b2")),
    (WeakDFPN(quick=2), False, FOUR.start()),
    (WeakDFPN(backup="max+unsolved-1", leaf="unit", quick=0, fold=0), True, TWO_STONES.parse("a1")),
    (DFPPN(playouts=5), True, TWO_STONES.parse("a1 b2")),
    (WideningDFPN(), True, TWO_STONES.parse("a1")),
    (TCADFPN(), True, TWO_STONES.parse("a1")),
    (SharedDFPN(), True, TWO_STONES.parse("a1")),
    (AlphaBeta(), True, TWO_STONES.parse("a1")), (ERPS(), True, FOUR.start()),
    (PVS(), True, FOUR.parse("12")),
]
each_search = pytest.mark.parametrize(
    ("search", "plain", "position"), SEARCHES, ids=[f"{s.id} {s.options}" for s, _, _ in SEARCHES])


def ask(search, plain, position, table=1 << 12):
    """A question with a table of 64 buckets, so that entries are lost on the way."""
    return search.start(Task(position, position.mover, table, seed=3, plain=plain))


def same(a, b):
    assert (a.nodes, a.iterations, a.status) == (b.nodes, b.iterations, b.status)
    assert (a.counters, a.numbers(), a.chosen()) == (b.counters, b.numbers(), b.chosen())
    assert (a.moves(), a.path) == (b.moves(), b.path)
    assert [x.tobytes() for x in arrays_of(a)] == [x.tobytes() for x in arrays_of(b)]


def arrays_of(question):
    """The table, and what the search has noted beside it."""
    engine = getattr(question, "engine", None)
    return ((engine.table.words, engine.stack.history) if engine
            else (question.table.words, question.stacks[0].root))


@pytest.mark.long_cases("weak-df-pn {'quick': 2}")
@each_search
def test_any_cuts_give_the_same_search_bit_for_bit(search, plain, position):
    whole = ask(search, plain, position)
    assert whole.advance(1 << 40, 8_000) in (SOLVED, NODES)
    assert whole.nodes > 40
    for budgets in ([1], [2], [7], None):
        rng = random.Random(5)
        cuts = ask(search, plain, position)
        while (reason := cuts.advance(
                budgets[0] if budgets else rng.randint(0, 90), 8_000)) == SLICE:
            pass
        assert reason in (SOLVED, NODES)
        same(whole, cuts)


def test_second_searches_are_cut_neither_by_slices_nor_by_limits():
    """A limit is kept but for one second search, and the search is the same bit for bit."""
    search, position = PDSPN(a=20, b=10, N=300), TWO_STONES.parse("a1")
    whole = ask(search, True, position)
    assert whole.advance(1 << 40, 30_000) == SOLVED
    for budget in (1, 7):
        cuts = ask(search, True, position)
        while cuts.advance(budget, 30_000) == SLICE:
            pass
        same(whole, cuts)
    raised = ask(search, True, position)
    for limit in (1, 50, 300, 30_000):
        reason, before = raised.advance(1 << 40, limit), raised.nodes
        assert reason == SOLVED or limit <= raised.nodes <= limit + 150 + 12
        assert (raised.advance(1 << 40, limit), raised.nodes) == (reason, before)
    same(whole, raised)
    assert 0 < whole.counters["settled"] < whole.counters["expansions"]


@each_search
def test_node_limits_stop_at_the_node_and_can_be_raised(search, plain, position):
    whole, raised = ask(search, plain, position), ask(search, plain, position)
    whole.advance(1 << 40, 2_000)
    most = whole.nodes
    for limit in [*range(1, min(most, 60)), *range(60, most, 97), 2_000]:
        reason = raised.advance(1 << 40, limit)
        assert raised.nodes == limit or reason == SOLVED
        assert raised.advance(1 << 40, limit) == reason
    same(whole, raised)


@each_search
def test_sessions_continue_and_limits_are_totals(search, plain, position):
    once = zermelo.start(position, search, plain=plain).run()
    session = zermelo.start(position, search, plain=plain)
    for nodes in sorted({1, 2, once.nodes // 3, once.nodes // 2, once.nodes - 1, once.nodes}):
        part = session.run(zermelo.Limits(nodes=nodes))
        assert part.nodes == nodes
    assert part.stopped == "solved"
    assert (once.value, once.nodes, once.iterations, once.root, once.line) == (
        part.value, part.nodes, part.iterations, part.root, part.line)
    assert [m.to_dict() for m in once.moves] == [m.to_dict() for m in part.moves]
    assert once.counters == part.counters or "evaluated" in once.counters


def test_a_limit_met_between_the_two_questions_is_kept():
    position = FIVE_BY_FOUR.parse("3")  # lost: the second question is needed
    first = zermelo.solve(position, goal="win").nodes
    result = zermelo.solve(position, nodes=first)
    assert (result.value, result.stopped, result.nodes) == ("not-win", "nodes", first)
    assert zermelo.solve(position, nodes=first + 1).nodes == first + 1


def test_prepare_makes_no_visit():
    for threads in (1, 2):
        session = zermelo.start(FIVE_BY_FOUR.start(), threads=threads)
        session.prepare()
        assert session.runs[0].nodes == 0
        assert session.result().moves[0].value == "unknown"


@pytest.mark.parametrize(("search", "step"), [
    *((DFPN(epsilon=0), step) for step in (1, 30, 100, 10**30)), (AlphaBeta(), 30),
    *((zermelo.search(id), 50) for id in ("pn", "pn2", "mcpn"))])
def test_trace_samples_expansions(search, step):
    """Visits that expand nothing must neither stall it nor be counted."""
    position = TWO_STONES.parse("a1")
    result = zermelo.solve(position, search, goal="win", plain=True, trace=step)
    expected = [step * (i + 1) for i in range(result.iterations // step)]
    assert [row["iterations"] for row in result.trace] == expected
    assert {row["move"] for row in result.trace[:-1]} <= {None, *position.moves()}
    plain = zermelo.solve(position, search, goal="win", plain=True)
    assert (plain.nodes, plain.iterations) == (result.nodes, result.iterations)
    if search.id != "alpha-beta":
        assert result.nodes > result.iterations
        assert all(set(row["root"]) == set(result.root) for row in result.trace[:-1])


def test_progress_shows_the_moves_settled_and_the_path():
    seen = []
    zermelo.solve(HARD, DFPN(), plain=True, time=1.0, progress=seen.append)
    assert seen
    for progress in seen:
        settled, moves = progress.settled
        assert 0 <= settled <= moves == 3
        assert set(progress.moves) == set(HARD.moves())
        assert set(progress.root) == {"pn", "dn"}
        assert HARD.play(*[move for move, _ in progress.path]).outcome is None
        assert all(set(numbers) == {"pn", "dn"} for _, numbers in progress.path)
    assert max(len(progress.path) for progress in seen) > 3


@pytest.mark.parametrize(("position", "search", "plain", "threads"), [
    (HARD, DFPN(), True, 1), (HARD, DFPN(), True, 2), (LOA, AlphaBeta(), False, 1),
    (zermelo.game("connect-four").start(), None, False, 1)])
def test_an_interrupt_keeps_what_there_is(position, search, plain, threads):
    def stop(progress):
        raise KeyboardInterrupt

    session = zermelo.start(position, search, plain=plain, threads=threads)
    result = session.run(progress=stop)
    assert (result.stopped, result.value, result.move) == ("interrupted", "unknown", None)
    assert result.nodes > 0
    more = session.run(zermelo.Limits(nodes=result.nodes + 10_000))
    assert more.stopped == "nodes"
    assert result.nodes + 10_000 <= more.nodes < result.nodes + 10_000 + threads


@pytest.mark.parametrize(("position", "search", "plain"), [
    (HARD, DFPN(), True), (LOA, AlphaBeta(), False),
    (zermelo.game("connect-four").start(), "pn", False)])
def test_time_limit(position, search, plain):
    result = zermelo.solve(position, search, plain=plain, time=0.2)
    assert result.stopped == "time"
    assert 0.15 < result.seconds < 20.0


@pytest.mark.parametrize(("game", "text", "search", "value"), [
    (zermelo.game("tic-tac-toe"), "a1 b1 a2 b2 a3", None, "loss"),
    (zermelo.game("tic-tac-toe"), "XOX/XOO/OXX O", None, "draw"),
    (FOUR, "1212121", ERPS(), "loss")])
def test_finished_games_need_no_node(game, text, search, value):
    result = zermelo.solve(game.parse(text), search)
    assert (result.value, result.proved, result.nodes, result.line) == (value, True, 0, [])
    assert result.moves == []


@pytest.mark.parametrize("search", [DFPN(epsilon=0), AlphaBeta()])
def test_a_question_says_nothing_before_it_has_begun(search):
    question = ask(search, True, TWO_STONES.start())
    assert question.advance(0) == SLICE
    assert (question.status, question.nodes, question.numbers()) == (UNKNOWN, 0, {})
    assert (question.moves(), question.chosen(), question.path) == ([], None, [])


def test_tables_that_grow_lose_nothing(monkeypatch):
    """A table that begins with a few buckets and grows knows in the end what a large one does."""
    large = ask(ERPS(), True, FOUR.start(), 1 << 24)
    large.advance(1 << 40)
    monkeypatch.setattr(tables, "FIRST_BYTES", 1 << 22)
    grown = ask(ERPS(), True, FOUR.start(), 1 << 26)
    grown.advance(1 << 40)
    assert (large.status, large.nodes) == (grown.status, grown.nodes)
    tiny = ask(ERPS(), True, FOUR.start(), 1)
    tiny.advance(1 << 40)
    assert tiny.status == large.status
    assert tiny.nodes > large.nodes
    assert not tiny.counters["exact"]
    assert len(tiny.engine.table.words) < len(large.engine.table.words)


def test_progress_shows_the_moves_and_the_path():
    seen = []

    def note(progress):
        seen.append(progress)
        if progress.root and len(progress.path) > 1:
            raise KeyboardInterrupt

    zermelo.solve(LOA, AlphaBeta(), time=60, progress=note)
    for progress in seen:
        assert set(progress.moves) <= set(LOA.moves())
        assert LOA.play(*[move for move, _ in progress.path]) is not None
    assert set(seen[-1].root) == {"estimate", "depth"}
    assert len(seen[-1].path) > 1


def test_both_questions_share_one_search():
    lost = TWO_STONES.parse("a1")
    once, twice = (zermelo.solve(lost, AlphaBeta(), goal=goal, plain=True)
                   for goal in ("win", "value"))
    assert once.nodes <= twice.nodes < 2 * once.nodes
    assert twice.counters["evaluated"] >= once.counters["evaluated"]


def test_a_move_to_play_under_a_budget():
    for nodes in (1, 10, 1_000):
        choice = zermelo.choose(LOA, AlphaBeta(), nodes=nodes)
        assert choice.move in LOA.moves()
        assert choice.result.nodes <= nodes
    assert (choice.proved, set(choice.root)) == (False, {"estimate", "depth"})
    assert zermelo.choose(LOA, AlphaBeta(), nodes=1_000).move == choice.move
    assert zermelo.choose(LOA, AlphaBeta(), time=0.1).move in LOA.moves()
    winning = FOUR.parse("112233")
    choice = zermelo.choose(winning, ERPS(), nodes=10_000, plain=True)
    assert (choice.move, choice.proved) == ("4", True)


def test_analyze_and_compare():
    position = TWO_STONES.parse("a1")
    analysis = zermelo.analyze(position, AlphaBeta(), plain=True)
    assert analysis.proved
    by_rules = zermelo.analyze(position, "df-pn", plain=True)
    assert {row.move: row.value for row in analysis.moves} == {
        row.move: row.value for row in by_rules.moves}
    rows = list(zermelo.compare(position, [AlphaBeta(), "df-pn"], goal="value"))
    assert [(row.value, row.proved) for row in rows] == [(by_rules.value, True)] * 2

