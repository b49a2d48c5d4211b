"""Minimax searches in slices: bit for bit the same; limits to the node; progress; a move."""

import random

import pytest

import zermelo
from zermelo import ERPS, PVS, AlphaBeta
from zermelo.search.base import Task
from zermelo.search.reasons import NODES, SLICE, SOLVED, UNKNOWN

FOUR = zermelo.game("connect-four", columns=4, rows=4)
TWO_STONES = zermelo.game("k-in-a-row", columns=4, rows=3, line=3, stones=2, first=1)
# What the tests of values compile.
SEARCHES = [(AlphaBeta(), TWO_STONES.parse("a1")), (ERPS(), FOUR.start()),
            (PVS(), FOUR.parse("12"))]
each_search = pytest.mark.parametrize(
    ("search", "position"), SEARCHES, ids=[search.id for search, _ in SEARCHES])
HARD = zermelo.game("lines-of-action").start()


def ask(search, position, memory=1 << 12):
    """A question with a table of 64 buckets, so that entries are lost on the way."""
    return search.start(Task(position, position.mover, memory, plain=True))


def same(a, b):
    assert (a.nodes, a.iterations, a.status) == (b.nodes, b.iterations, b.status)
    assert (a.counters, a.numbers(), a.chosen()) == (b.counters, b.numbers(), b.chosen())
    assert (a.moves(), a.path) == (b.moves(), b.path)
    assert a.engine.table.words.tobytes() == b.engine.table.words.tobytes()
    assert a.engine.stack.history.tobytes() == b.engine.stack.history.tobytes()


@each_search
def test_any_cuts_give_the_same_search_bit_for_bit(search, position):
    whole = ask(search, position)
    assert whole.advance(1 << 40, 8_000) in (SOLVED, NODES)
    assert whole.nodes > 500
    for budgets in ([1], [7], None):
        rng = random.Random(5)
        cuts = ask(search, position)
        while (reason := cuts.advance(
                budgets[0] if budgets else rng.randint(0, 90), 8_000)) == SLICE:
            pass
        assert reason in (SOLVED, NODES)
        same(whole, cuts)


@each_search
def test_node_limits_stop_at_the_node_and_can_be_raised(search, position):
    whole, raised = ask(search, position), ask(search, position)
    whole.advance(1 << 40, 2_000)
    for limit in [*range(1, 60), *range(60, whole.nodes, 97), 2_000]:
        reason = raised.advance(1 << 40, limit)
        assert raised.nodes == limit or reason == SOLVED
        assert raised.advance(1 << 40, limit) == reason
    same(whole, raised)


@each_search
def test_sessions_continue_and_limits_are_totals(search, position):
    once = zermelo.start(position, search, plain=True).run()
    session = zermelo.start(position, search, plain=True)
    for nodes in (1, 2, once.nodes // 3, once.nodes // 2, once.nodes - 1, once.nodes):
        part = session.run(zermelo.Limits(nodes=nodes))
        assert part.nodes == nodes
    assert part.stopped == "solved"
    assert (once.value, once.nodes, once.iterations, once.root, once.line) == (
        part.value, part.nodes, part.iterations, part.root, part.line)
    assert [m.to_dict() for m in once.moves] == [m.to_dict() for m in part.moves]


def test_tables_that_grow_lose_nothing(monkeypatch):
    """A table that begins with a few buckets and grows knows in the end what a large one does."""
    from zermelo.search.common import table

    large = ask(ERPS(), FOUR.start(), 1 << 24)
    large.advance(1 << 40)
    monkeypatch.setattr(table, "FIRST_BYTES", 1 << 22)
    grown = ask(ERPS(), FOUR.start(), 1 << 26)
    grown.advance(1 << 40)
    assert (large.status, large.nodes) == (grown.status, grown.nodes)
    tiny = ask(ERPS(), FOUR.start(), 1)
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

    zermelo.solve(HARD, AlphaBeta(), time=60, progress=note)
    for progress in seen:
        assert set(progress.moves) <= set(HARD.moves())
        assert HARD.play(*[move for move, _ in progress.path]) is not None
    assert set(seen[-1].root) == {"estimate", "depth"}
    assert len(seen[-1].path) > 1


def test_an_interrupt_keeps_what_there_is():
    def stop(progress):
        raise KeyboardInterrupt

    session = zermelo.start(HARD, AlphaBeta())
    result = session.run(progress=stop)
    assert (result.stopped, result.value, result.move) == ("interrupted", "unknown", None)
    assert result.nodes > 0
    more = session.run(zermelo.Limits(nodes=result.nodes + 10_000))
    assert (more.stopped, more.nodes) == ("nodes", result.nodes + 10_000)


def test_time_limit():
    result = zermelo.solve(HARD, AlphaBeta(), time=0.2)
    assert result.stopped == "time"
    assert 0.15 < result.seconds < 20.0


def test_both_questions_share_one_search():
    lost = TWO_STONES.parse("a1")
    once, twice = (zermelo.solve(lost, AlphaBeta(), goal=goal, plain=True)
                   for goal in ("win", "value"))
    assert once.nodes <= twice.nodes < 2 * once.nodes
    assert twice.counters["evaluated"] >= once.counters["evaluated"]


def test_trace_samples_expansions():
    result = zermelo.solve(TWO_STONES.parse("a1"), AlphaBeta(), goal="win", plain=True, trace=30)
    expected = [30 * (i + 1) for i in range(result.iterations // 30)]
    assert [row["iterations"] for row in result.trace] == expected


def test_finished_games_need_no_node():
    position = FOUR.parse("1212121")
    result = zermelo.solve(position, ERPS(), plain=True)
    assert (result.value, result.proved, result.nodes, result.line) == ("loss", True, 0, [])
    assert (result.moves, result.root) == ([], {})


def test_a_question_says_nothing_before_it_has_begun():
    question = ask(AlphaBeta(), TWO_STONES.start())
    assert question.advance(0) == SLICE
    assert (question.status, question.nodes, question.numbers()) == (UNKNOWN, 0, {})
    assert (question.moves(), question.chosen(), question.path) == ([], None, [])


def test_a_move_to_play_under_a_budget():
    for nodes in (1, 10, 1_000):
        choice = zermelo.choose(HARD, AlphaBeta(), nodes=nodes)
        assert choice.move in HARD.moves()
        assert choice.result.nodes <= nodes
    assert (choice.proved, set(choice.root)) == (False, {"estimate", "depth"})
    assert zermelo.choose(HARD, AlphaBeta(), nodes=1_000).move == choice.move
    assert zermelo.choose(HARD, AlphaBeta(), time=0.1).move in HARD.moves()
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
