"""The best-first driver: slices, limits, proof status, precision, what searches promise."""

import random

import numpy as np
import pytest
from cases import NEWEST
from heap_game import take
from paper_positions import CONNECT_FOUR

import zermelo
from zermelo.search.base import Task
from zermelo.search.best_first import pn, ppn
from zermelo.search.best_first import search as runs
from zermelo.search.best_first.plan import node_pool
from zermelo.search.reasons import NODES, SLICE
from zermelo.solving import result

GAME = zermelo.game("connect-four")
# What the signature compiles, for every search.
SMALL = zermelo.game("k-in-a-row", columns=4, rows=3, line=3, stones=2, first=1)
NEARLY_FULL = "O.OX/.X.O/.O.X X2"
SEARCHES = [
    zermelo.PN(), zermelo.PN(tie="deepest"), zermelo.PN2(a=200, b=50, N=2_000), zermelo.DeepPN(),
    zermelo.MCPN(playouts=5), zermelo.PPN(playouts=5), zermelo.PP(), zermelo.MCTS(playouts=3),
    zermelo.UCT(playouts=3), zermelo.UCT(playouts=3, shuffle=True),
]
# The newest are compiled for tic-tac-toe anyway.
TICTACTOE = zermelo.game("tic-tac-toe").start()
EVERY = [*((search, SMALL.start()) for search in SEARCHES),
         *((zermelo.search(id), TICTACTOE) for id in NEWEST)]
each_search = pytest.mark.parametrize(("search", "position"), EVERY,
                                      ids=[f"{s.id} {s.options}" for s, _ in EVERY])


def ask(search, position=None, seed=7, memory=1 << 26):
    position = position or SMALL.start()
    return search.start(Task(position, position.mover, memory, seed=seed, exact=True))


def same(a, b):
    assert (a.nodes, a.iterations, a.size, a.status) == (b.nodes, b.iterations, b.size, b.status)
    assert a.tree.nodes[: a.size].tobytes() == b.tree.nodes[: b.size].tobytes()


@pytest.mark.long_cases(
    "pn {'tie': 'deepest'}", "deep-pn {}", "ppn {'playouts': 5}", "mcts {'playouts': 3}")
@each_search
def test_any_cuts_give_the_same_tree_bit_for_bit(search, position):
    whole, halves, cuts = (ask(search, position) for _ in range(3))
    whole.advance(1 << 40, 20_000)
    halves.advance(1 << 40, whole.nodes // 2)
    assert 500 < halves.nodes < whole.nodes
    halves.advance(1 << 40, 20_000)
    rng = random.Random(1)
    limits = [*sorted(rng.randint(1, whole.nodes) for _ in range(100)), 20_000]
    for limit in limits:
        while cuts.advance(rng.randint(1, 400), limit) == SLICE:
            pass
    same(whole, halves)
    same(whole, cuts)


@each_search
def test_sessions_continue_as_if_nothing_had_happened(search, position):
    most = zermelo.Limits(nodes=6_000)
    once = zermelo.start(position, search, seed=3, plain=True).run(most)
    session, stopped = zermelo.start(position, search, seed=3, plain=True), []
    for nodes in (100, 900, 2_500):
        part = session.run(zermelo.Limits(nodes=nodes))
        assert (part.value, part.stopped, part.proved) == ("unknown", "nodes", False)

    def between():  # as Ctrl-C does
        stopped.append(session.stopped)
        if len(stopped) < 4:
            raise KeyboardInterrupt

    for _ in range(3):
        assert session.run(between=between).stopped == "interrupted"
    found = session.run(most)
    assert (found.value, found.nodes, found.iterations, found.root, found.line) == (
        once.value, once.nodes, once.iterations, once.root, once.line)
    assert [m.to_dict() for m in found.moves] == [m.to_dict() for m in once.moves]
    assert found.peak_bytes == once.peak_bytes


@pytest.mark.long
@pytest.mark.parametrize("search", NEWEST)
def test_certificates_of_wins_draws_and_losses(search, tmp_path):
    for text, value in (("start", "draw"), ("a1 b1", "win"), ("a1 b1 c1 a2 b2", "loss")):
        session = zermelo.start(TICTACTOE.game.parse(text), search)
        assert session.run().value == value
        assert zermelo.write_proof(session, tmp_path / "proof").report.verified
        assert zermelo.verify(tmp_path / "proof").verified


def test_deep_pn_with_r_1_is_pn_node_for_node():
    for text in ("start", "a1", "b2", "b2 a1c3"):
        position = SMALL.parse(text)
        plain, deep = ask(zermelo.PN(), position), ask(zermelo.DeepPN(R=1.0), position)
        plain.advance(1 << 40, 50_000)
        deep.advance(1 << 40, 50_000)
        assert plain.size == deep.size
        for field in ("first", "move", "count", "status", "pn", "dn"):
            a, b = plain.tree.nodes[field], deep.tree.nodes[field]
            assert np.array_equal(a[: plain.size], b[: deep.size])


def test_deep_pn_with_r_0_goes_deep():
    depths = []
    for R in (0.0, 1.0):
        deep = ask(zermelo.DeepPN(R=R))
        deep.advance(25)
        depths.append(1 / deep.numbers()["deep"])
    assert depths[0] >= 8  # of 12 plies at most
    assert depths[1] <= 4


def test_the_deepest_tie_break_changes_the_order_only():
    position = GAME.parse(CONNECT_FOUR[0])
    left = zermelo.solve(position, zermelo.PN(), plain=True)
    deepest = zermelo.solve(position, zermelo.PN(tie="deepest"), plain=True)
    assert left.proved
    assert left.value == deepest.value
    assert left.nodes != deepest.nodes


def test_seeds_matter_only_where_chance_does():
    for search, position in EVERY:
        trees = []
        for seed in (0, 1):
            question = ask(search, position, seed=seed)
            question.advance(200)
            trees.append(question.tree.nodes[: question.size].tobytes())
        chance = "playouts" in search.all_options or search.shuffle
        assert (trees[0] != trees[1]) == chance, search


def test_shuffle_changes_the_order_of_moves_by_seed():
    orders = set()
    for seed in range(5):
        question = ask(zermelo.PN(shuffle=True), seed=seed)
        question.advance(1)
        orders.add(tuple(question.tree.nodes["move"][1:13]))
        assert sorted(question.tree.nodes["move"][1:13]) == list(range(12))
    assert len(orders) > 1


def test_one_order_of_moves_for_a_whole_search():
    """Wherever two moves are legal, the same one comes first; and another order by seed."""
    hex = zermelo.game("hex", size=3)

    def orders(seed, **options):
        search = zermelo.DeepPN(R=0.9, shuffle=True, **options)
        found = search.start(Task(hex.start(), 0, 1 << 22, seed=seed, plain=True))
        found.advance(200)
        nodes = found.tree.nodes[: found.size]
        return [nodes["move"][n["first"] : n["first"] + n["count"]].tolist() for n in nodes
                if n["count"]]

    def pairs(lists):
        return {(a, b) for one in lists for at, a in enumerate(one) for b in one[at + 1 :]}

    for seed in range(3):
        one = orders(seed, one_order=True)
        assert len(one) > 20
        assert not {(b, a) for a, b in pairs(one)} & pairs(one)
        several = orders(seed)
        assert {(b, a) for a, b in pairs(several)} & pairs(several)
    assert orders(0, one_order=True)[0] != orders(1, one_order=True)[0]
    assert "one_order" not in zermelo.DeepPN().stated, "jobs from before keep their digests"
    assert zermelo.DeepPN(shuffle=True, one_order=True).stated["one_order"] is True
    with pytest.raises(zermelo.BadOption, match="give shuffle=true too"):
        zermelo.DeepPN(one_order=True)


def test_a_full_pool_is_unknown_memory_and_more_memory_goes_on():
    session = zermelo.start(GAME.start(), "pn", goal="win")
    little = session.run(zermelo.Limits(memory="100KB"))
    assert (little.value, little.stopped, little.proved) == ("unknown", "memory", False)
    assert little.peak_bytes <= 100_000
    more = session.run(zermelo.Limits(memory="300KB"))
    assert more.stopped == "memory"
    assert more.nodes > little.nodes
    fresh = zermelo.solve(GAME.start(), "pn", goal="win", memory="300KB")
    assert (fresh.nodes, fresh.root) == (more.nodes, more.root)


def test_a_system_that_grants_less_is_asked_once(monkeypatch):
    granted = 1_000

    def stingy(dtype, wanted):
        asked.append(wanted)
        return node_pool(dtype, min(wanted, granted))

    asked = []
    monkeypatch.setattr(runs, "node_pool", stingy)
    session = zermelo.start(GAME.start(), "pn", goal="win")
    assert session.run(zermelo.Limits(memory="1MB")).stopped == "memory"
    granted = 10
    more = session.run(zermelo.Limits(memory="2MB"))
    assert (more.stopped, len(asked)) == ("memory", 2)
    assert more.nodes <= 1_000
    monkeypatch.undo()
    fresh = ask(zermelo.PN(), GAME.start())
    fresh.advance(more.iterations)
    assert more.root == fresh.numbers()


def test_free_memory_is_what_a_container_leaves(monkeypatch, tmp_path):
    limit, used = tmp_path / "limit", tmp_path / "used"
    monkeypatch.setattr(result, "GROUPS", [(str(limit), str(used))])
    anywhere = result.free_memory()
    for most, now, free in (("8000", "5000", 3_000), ("8000", "7999", 2_000), ("max", "1", None)):
        limit.write_text(most)
        used.write_text(now)
        assert result.free_memory() == free if free else result.free_memory() > anywhere // 4


@each_search
def test_memory_too_small_for_anything_is_unknown_until_there_is_more(search, position):
    session = zermelo.start(position, search)
    result = session.run(zermelo.Limits(memory=1))
    assert (result.value, result.stopped) == ("unknown", "memory")
    more = session.run(zermelo.Limits(memory="64MB", nodes=2_000))
    fresh = zermelo.solve(position, search, nodes=2_000)
    assert (more.stopped, more.nodes, more.root) == (fresh.stopped, fresh.nodes, fresh.root)


def test_node_limits_stop_before_the_next_expansion():
    question = ask(zermelo.PN())
    assert question.advance(1 << 40, 1) == NODES
    assert question.nodes == 1
    assert question.advance(1 << 40, 2) == NODES
    assert question.nodes == 13


def test_the_first_slice_keeps_the_time_limit_where_an_expansion_takes_long():
    few = zermelo.solve(SMALL.start(), zermelo.MCPN(playouts=100_000), goal="win", time=0.01)
    assert few.stopped == "time"
    assert few.iterations < 20


def test_bytes_a_node():
    for search in SEARCHES:
        assert ask(search).dtype.itemsize <= (24 if search.id in ("pn", "pn2") else 40)


def test_second_level_searches_share_the_memory_with_the_first_level():
    """PN2 has few second-level nodes where the first level is small, however large N is."""
    position = GAME.parse(CONNECT_FOUR[8])
    free = zermelo.solve(position, zermelo.PN2(), goal="win", plain=True)
    session = zermelo.start(position, zermelo.PN2(), goal="win", plain=True)
    stopped = session.run(zermelo.Limits(memory=200_000))
    assert (stopped.stopped, stopped.peak_bytes <= 200_000) == ("memory", True)
    assert stopped.nodes > 500
    found = session.run(zermelo.Limits(memory=2_000_000))
    assert (found.value, found.nodes, found.proved) == ("win", free.nodes, True)
    assert found.peak_bytes <= 2_000_000


def test_a_second_level_search_goes_on_in_more_memory():
    search = zermelo.PN2(a=200, b=50, N=2_000)
    whole, grown = ask(search), ask(search, memory=20_000)
    while not (grown.size > 250 and grown.tree.control[0]["under_way"]):
        assert grown.advance(7, 20_000) == SLICE
    before = len(grown.inner.nodes)
    grown.grow(10_000_000)
    assert len(grown.inner.nodes) > before
    while grown.advance(7, 20_000) == SLICE:
        pass
    whole.advance(1 << 40, 20_000)
    same(grown, whole)


class TestPrecision:
    position = SMALL.start()

    def test_a_conclusion_is_not_a_proof(self):
        result = zermelo.solve(self.position, zermelo.PPN(theta=0.001, pr=0.001), goal="win")
        assert (result.value, result.stopped) == ("win", "precision")
        assert result.concluded
        assert not result.proved
        assert result.root["q"] <= 0.001
        assert result.line == []
        assert result.exit_status == 11

    def test_a_conclusion_that_nobody_wins_asks_both_questions(self):
        result = zermelo.solve(SMALL.parse(NEARLY_FULL), zermelo.PPN(theta=0.3, pr=0.3))
        assert result.value == "draw"
        assert result.concluded
        assert not result.proved

    def test_pr_larger_than_theta_concludes_at_once(self):
        result = zermelo.solve(self.position, zermelo.PPN(theta=0.01, pr=0.5), goal="win")
        assert result.iterations == 0
        assert result.concluded


class TestNumbers:
    """Numbers alone prove nothing."""

    def nodes(self, search, children):
        nodes = np.zeros(len(children) + 1, search.start(Task(GAME.start(), 0, 10_000)).dtype)
        nodes[0]["first"], nodes[0]["count"] = 1, len(children)
        for node, values in zip(nodes[1:], children, strict=True):
            for name, value in values.items():
                node[name] = value
        return nodes.view(np.recarray)

    def test_sums_stay_below_infinity(self):
        big = {"pn": pn.INF - 1, "dn": pn.INF - 1}
        nodes = self.nodes(zermelo.PN(), [big, big])
        pn.backup((), nodes, 0, 0, True)
        assert (nodes[0].pn, nodes[0].dn, nodes[0].status) == (pn.INF - 1, pn.INF - 1, 0)

    def test_p_and_q_keep_their_order_when_products_underflow(self):
        tiny = {"p": 1e-200, "q": 1.0}
        nodes = self.nodes(zermelo.PPN(), [tiny, tiny])
        ppn.backup((), nodes, 0, 0, False)
        assert nodes[0].p == ppn.TINY
        assert nodes[0].status == 0

    def test_children_that_differ_only_in_q_are_told_apart(self):
        children = [{"p": 1.0, "q": 1e-40}, {"p": 1.0, "q": 1e-50}, {"p": 1.0, "q": 1e-45}]
        nodes = self.nodes(zermelo.PPN(), children)
        assert ppn.select((), nodes, 0, True) == 2
        assert ppn.select((), nodes, 0, False) == 1

    def test_or_and_rules(self):
        children = [{"p": 0.5, "q": 0.5}, {"p": 0.25, "q": 0.75}]
        nodes = self.nodes(zermelo.PPN(), children)
        ppn.backup((), nodes, 0, 0, True)
        assert (nodes[0].p, nodes[0].q) == (0.625, 0.375)
        ppn.backup((), nodes, 0, 0, False)
        assert (nodes[0].p, nodes[0].q) == (0.125, 0.875)


def test_progress_is_called_with_root_numbers():
    seen = []
    zermelo.solve(GAME.start(), "pn", time=0.7, progress=seen.append)
    assert seen
    assert seen[-1].nodes > 0
    assert set(seen[-1].root) == {"pn", "dn"}
    assert seen[-1].bytes > 0


class Ring(zermelo.Game):
    """A step forward or back on a ring of five, for ever; its key breaks the rules."""

    def define(self):
        def moves(g, s, out):
            out[0], out[1] = 1, 4
            return 2

        def play(g, s, move, t):
            t.at, t.turn = (s.at + move) % 5, 1 - s.turn

        def mover(g, s):
            return s.turn

        def outcome(g, s):
            return zermelo.ONGOING

        def key(g, s):
            return -1 - s.at * 2 - s.turn

        return zermelo.Rules(
            state=[("at", "i8"), ("turn", "i8")], max_moves=2, max_length=20, moves=moves,
            play=play, mover=mover, outcome=outcome, key=key, cyclic=True)


def test_repetitions_are_seen_whatever_the_type_of_the_key():
    result = zermelo.solve(Ring().start(), "pn", nodes=10_000)
    assert (result.value, result.proved) == ("draw", True)


def by_theory(g, s, out):
    """Forced moves: the one that leaves a multiple of four."""
    out[0] = s.heap % 4
    return 1 if s.heap % 4 else 0


@pytest.mark.quick_cases("pn")
@pytest.mark.parametrize("search", ["pn", "uct"])
def test_forced_moves_narrow_the_tree_unless_plain(search):
    for heap in (7, 8):
        position = take(forced=by_theory).position(heap=heap)
        narrow = zermelo.solve(position, search)
        plain = zermelo.solve(position, search, plain=True)
        assert narrow.value == plain.value == ("win" if heap % 4 else "loss")
        assert narrow.nodes < plain.nodes
        (compared,) = zermelo.compare(position, [search], goal="value")
        assert compared.nodes == plain.nodes


def test_a_result_reads_as_a_sentence():
    result = zermelo.solve(take().position(heap=3), "pn")
    assert str(result).startswith("first to move: win, proved\nmove 3\nline 3\npn: ")
    assert "win, proved" in result._repr_html_()
    assert result._repr_html_().startswith("<svg")
    stopped = zermelo.solve(GAME.start(), "pn", nodes=1)
    assert str(stopped).startswith("X to move: unknown, stopped by the node limit\npn: 1 node,")


def test_pn2_within_a_budget_keeps_its_proportions():
    usual, scaled = zermelo.PN2(), zermelo.PN2.within(1_000_000)
    assert (scaled.a, scaled.b, scaled.N) == (usual.a / 50, usual.b / 50, usual.N // 50)
    assert zermelo.PN2.within(50_000_000) == usual
    assert zermelo.PN2.within(1).N == 2
