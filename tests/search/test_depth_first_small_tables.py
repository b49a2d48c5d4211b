"""Tables that forget nearly everything, and keys that tell nearly nothing: right answers."""

from functools import cache

import numpy as np
import pytest
from cases import EightBits, cases, check_case

import zermelo
from zermelo import DFPN, DFPPN, PDSPN, TCADFPN, DeepDFPN, SharedDFPN, WeakDFPN, WideningDFPN
from zermelo.search.base import Task
from zermelo.search.common import table
from zermelo.search.common.table import BUCKET_BYTES, LOW_48
from zermelo.search.depth_first.driver import address_of
from zermelo.search.depth_first.table import INF
from zermelo.search.reasons import SLICE

FIVE_BY_FOUR = "connect-four 5x4 line 3"
TWO_STONES = "connect(4,3,3,2,1)"
BUCKETS = {"1 bucket": 1, "2 buckets": 2, "16 buckets": 16, "64 KB": 1024}


@cache
def memory_for(name, search, buckets):
    """A memory limit that leaves ``buckets`` buckets for the table."""
    memory = buckets * BUCKET_BYTES
    assert search.start(Task(cases(name)[0][0], 0, memory)).table.bytes == memory
    return memory


# What the tests of values compile: searches, plain, set.
ROWS = [
    (DFPN(epsilon=0), True, TWO_STONES), (DeepDFPN(20, 15), True, TWO_STONES),
    (DeepDFPN(0, 5), True, TWO_STONES), (DFPPN(playouts=5), True, TWO_STONES),
    (WeakDFPN(), False, FIVE_BY_FOUR), (DFPN(epsilon=0.25), True, "othello 4x4"),
    (DFPN(epsilon=0), True, "p-game"), (DFPPN(playouts=5), True, "p-game"),
    (WideningDFPN(), True, TWO_STONES),
    (TCADFPN(), True, TWO_STONES),
    (SharedDFPN(), True, TWO_STONES),
    (PDSPN(a=20, b=10, N=300), True, TWO_STONES),
]


@pytest.mark.long_cases(
    "df-pn-p-game-2 buckets", "df-pn-p-game-16 buckets", "df-pn-p-game-64 KB", "df-ppn-p-game-*")
@pytest.mark.parametrize("buckets", BUCKETS.values(), ids=BUCKETS)
@pytest.mark.parametrize(("search", "plain", "name"), [
    pytest.param(*row, id=f"{row[0].id}-{row[2]}") for row in ROWS])
def test_tables_of_a_few_entries_end_with_the_right_values(search, plain, name, buckets):
    memory = memory_for(name, search, buckets)
    for case in cases(name)[buckets % 7 :: 27 if buckets == 1 else 9]:
        check_case(case, search, plain=plain, memory=memory, nodes=5e7)


def test_forgetting_is_counted():
    position = zermelo.game("connect-four", columns=5, rows=4, line=3).start()
    exact = zermelo.solve(position, DFPN(epsilon=0), plain=True)
    assert exact.counters["exact"]
    memory = memory_for(FIVE_BY_FOUR, DFPN(epsilon=0), 16)
    forgetful = zermelo.solve(position, DFPN(epsilon=0), plain=True, memory=memory)
    assert not forgetful.counters["exact"]
    assert forgetful.value == exact.value
    assert forgetful.nodes > exact.nodes
    for result in (exact, forgetful):
        assert result.counters["visits"] == result.nodes
        assert result.counters["expansions"] == result.iterations
        assert result.counters["seesaw"] == result.nodes - result.iterations


def test_a_table_grows_while_it_is_used(monkeypatch):
    """From 4 KB on, which is allowed where keys are exact."""
    position = zermelo.game("p-game", branching=3, depth=10, seed=4).start()
    whole = DFPN(epsilon=0).start(Task(position, 0, 1 << 26, plain=True))
    whole.advance(1 << 40)
    monkeypatch.setattr(table, "FIRST_BYTES", 1 << 12)
    question = DFPN(epsilon=0).start(Task(position, 0, 1 << 26, plain=True))
    sizes = [question.table.bytes]
    while question.advance(50) == SLICE:
        sizes.append(question.table.bytes)
    assert sorted(set(sizes)) == [1 << 12, 1 << 15, 1 << 18]
    assert sizes == sorted(sizes)
    assert question.status == whole.status
    assert not question.counters["exact"]
    assert question.nodes < 1.5 * whole.nodes


@pytest.mark.parametrize(("name", "search"), [
    ("p-game", DFPN(epsilon=0)), ("othello 4x4", DFPN(epsilon=0.25))])
def test_a_session_given_more_memory_later_uses_it(name, search):
    """Also where its first table was too small to be moved into a larger one."""
    position = cases(name)[0][0].game.start()
    assert position.game.rules.exact_key == (name == "p-game")
    session = zermelo.start(position, search, plain=True)
    session.run(zermelo.Limits(memory=1_000, nodes=200))
    small = session.runs[0].table
    assert small.bytes <= 1_000
    value = session.run(zermelo.Limits(memory=1 << 24)).value
    assert small.bytes >= table.FIRST_BYTES
    assert value == zermelo.solve(position, search, plain=True).value


@pytest.mark.quick_cases("df-pn")
@pytest.mark.parametrize(
    ("search", "plain"), [(DFPN(epsilon=0), True), (WeakDFPN(), False), (DFPPN(playouts=5), True)],
    ids=["df-pn", "weak-df-pn", "df-ppn"])
def test_a_key_of_eight_bits(search, plain):
    game = EightBits(columns=5, rows=4, line=3)
    seen = set()
    for position, state, brute in cases(FIVE_BY_FOUR)[::3]:
        fields = {name: position.state[0][name] for name in position.state.dtype.names}
        poor = game.position(**fields)
        seen.add(game.board.key(poor.state))
        check_case((poor, state, brute), search, plain=plain)
        check_case((poor, state, brute), search, plain=plain, memory=100_000)
    assert 20 < len(seen) < 107
    start = zermelo.solve(game.start(), search, plain=plain)
    assert (start.value, start.proved) == ("win", True)


@pytest.mark.parametrize("search", [DeepDFPN(20, 15), DeepDFPN(0, 9)], ids=str)
def test_numbers_prove_nothing(monkeypatch, search):
    """Larger than whole numbers of the table could be, or zero, and nothing is proved."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    game = zermelo.game("connect-four")
    question = search.start(Task(game.start(), 0, 1 << 20, plain=True))
    seen = []
    for _ in range(40):
        question.advance(1)
        seen.append(question.numbers())
        assert question.status == 0
    numbers = [row["dn"] for row in seen[:5]]
    assert min(numbers) > INF if search.E else numbers == [0] * 5
    result = zermelo.start(game.start(), search, plain=True).run(zermelo.Limits(nodes=30))
    assert (result.value, result.proved, result.stopped) == ("unknown", False, "nodes")


def test_the_same_position_with_other_plies_left_is_another_entry(monkeypatch):
    """Also where the table is so small that only 64 bits tell entries apart."""
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    for game in (zermelo.game("othello", size=4), zermelo.game("connect-four")):
        checks = set()
        for horizon in range(1, 40):
            task = Task(game.start(), 0, 1 << 20, plain=True, horizon=horizon)
            question = WeakDFPN().start(task)
            stack, rules = question.stacks[0], game.rules
            address = address_of(rules, question.plan)
            _, check, _ = address(rules.data, stack, stack.words, 0, stack.states[0], 0)
            checks.add(int(np.uint64(check) & LOW_48))
        assert len(checks) == 39
