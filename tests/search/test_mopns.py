"""MOPNS: two questions, one tree, and the numbers of its paper."""

from itertools import product

import pytest
from cases import cases

import zermelo
from zermelo.search.base import Task
from zermelo.search.best_first.pn import INF
from zermelo.search.reasons import LOST, UNKNOWN, WON

GAME = zermelo.game("tic-tac-toe")
FOUR_BY_FIVE = zermelo.game("connect-four", columns=4, rows=5)


def run_of(search, exact=True):
    return search.start(Task(GAME.start(), 0, 1 << 26, seed=5, plain=True, exact=exact))


def numbers(tree, n):
    return [int(tree[n][name]) for name in ("pn", "dn", "their_pn", "their_dn")]


def of_status(status, pair):
    """(pn, dn) as a status has them."""
    return {UNKNOWN: pair, WON: [0, INF], LOST: [INF, 0]}[int(status)]


def test_minima_and_sums_in_every_node():
    run = run_of(zermelo.MOPNS())
    run.advance(1 << 30, 4_000)
    tree, draws = run.tree.nodes[: run.size], 0
    for n in range(run.size):
        pn, dn, their_pn, their_dn = numbers(tree, n)
        if tree[n]["count"]:
            below = [numbers(tree, c) for c in run.children(n)]
            mine = int(tree[n]["mover"]) == run.attacker
            one, every = ([min, sum], [sum, min]) if mine else ([sum, min], [min, sum])
            expected = of_status(tree[n]["status"],
                                 [f(row[i] for row in below) for i, f in enumerate(one)])
            expected += of_status(tree[n]["other"],
                                  [f(row[2 + i] for row in below) for i, f in enumerate(every)])
            assert [pn, dn, their_pn, their_dn] == [min(one, INF) for one in expected]
        g_win, s_draw, g_draw, s_loss = pn, dn, their_dn, their_pn
        assert g_draw <= g_win  # section 4.3: more is harder to prove
        assert s_draw <= s_loss
        assert (g_win == INF) == (s_draw == 0)  # proposition 2
        assert (g_draw == INF) == (s_loss == 0)
        assert not (tree[n]["status"] == WON and tree[n]["other"] != LOST)
        draws += (tree[n]["status"], tree[n]["other"]) == (LOST, LOST)
    assert draws > 50


def test_for_one_question_it_is_pn():
    for text in ("start", "a1", "a1 b2", "b1"):
        position = GAME.parse(text)
        mine, other = (zermelo.solve(position, search, goal="win", plain=True)
                       for search in ("mopns", "pn"))
        assert (mine.value, mine.nodes, mine.iterations, mine.line) == (
            other.value, other.nodes, other.iterations, other.line)


@pytest.mark.long
def test_without_draws_it_is_pn():
    """Proposition 3: with two outcomes MOPNS grows the tree of PN."""
    for position, _, _ in cases("hex 3x3")[::3]:
        mine, other = (zermelo.solve(position, search, plain=True) for search in ("mopns", "pn"))
        assert mine.value == other.value
        if mine.value == "win":
            assert mine.nodes == other.nodes


def test_the_second_question_goes_on_with_the_tree_of_the_first():
    session = zermelo.start(GAME.start(), "mopns", plain=True)
    found = session.run()
    first, second = session.runs
    assert (first.status, second.status, found.value) == (LOST, LOST, "draw")
    assert first.trunk is second.trunk
    assert found.nodes == first.nodes + second.nodes == second.size
    assert found.peak_bytes == second.bytes
    assert first.bytes == 0
    assert found.nodes < zermelo.solve(GAME.start(), "pn", plain=True).nodes


def test_either_question_can_be_looked_at_at_any_time():
    """Each run sees the tree from its own side, whoever had the last turn."""
    session = zermelo.start(GAME.start(), "mopns", plain=True)
    session.run()
    for run in (*session.runs, *reversed(session.runs)):
        assert run.status == LOST
        assert run.walk() is not None
        assert run.numbers() == {"G_win": "inf", "S_draw": 0, "G_draw": 0, "S_loss": "inf"}
        lengths = [int(run.lengths[c]) for c in run.children()]
        assert max(lengths) <= 9
        for _, status, _ in run.moves():
            assert status in (UNKNOWN, LOST)


@pytest.mark.long
def test_all_256_positions_of_the_paper():
    """Connect Four with 4 columns and 5 rows after four moves: table 1 of the paper has 16,947,536
    nodes for MOPNS and 20,175,238 for PN, which is counted there without the questions that do not
    decide the value."""
    total = two = fewer = 0
    for columns in product("1234", repeat=4):
        position = FOUR_BY_FIVE.parse("".join(columns))
        mine = zermelo.solve(position, "mopns", plain=True)
        pn = zermelo.solve(position, "pn", plain=True)
        assert mine.proved
        assert mine.value == pn.value
        needed = pn.nodes
        if pn.value == "loss":  # that the opponent wins says it all
            needed = zermelo.start(position, "pn", goal="win", plain=True,
                                   player=1 - position.mover).run().nodes
        total, two, fewer = total + mine.nodes, two + needed, fewer + (mine.nodes < needed)
    assert (total, two, fewer) == (16_944_696, 20_082_774, 218)
    assert total == pytest.approx(16_947_536, rel=0.001)
    assert two == pytest.approx(20_175_238, rel=0.005)
