"""Games that can repeat: right values, whatever the path; no disproof that leans on a repetition
is kept as final."""

import random
from dataclasses import replace

import pytest
from cyclic import SIDES, RepeaterLoses, graph_of, random_graph, value_of, value_with_rule, winners

import zermelo
from zermelo import (
    DFPN,
    DFPPN,
    PDSPN,
    PN,
    PN2,
    TCADFPN,
    UCT,
    DeepDFPN,
    SharedDFPN,
    WeakDFPN,
    WideningDFPN,
)
from zermelo.core.explicit_graph import Graph
from zermelo.search.common.rules import PATH_FREE
from zermelo.search.depth_first import driver

SEARCHES = [DFPN(epsilon=0), DeepDFPN(20, 15), WeakDFPN(), DFPPN(playouts=5), TCADFPN(), PN()]
IDS = [search.id for search in SEARCHES]
DATA_ONLY = [DFPN(), DeepDFPN(0, 5), WeakDFPN(epsilon=0, k=1), DFPPN(playouts=5, epsilon=0.5),
             TCADFPN(epsilon=0), PN()]
PAIRS = list(zip(SEARCHES, DATA_ONLY, strict=True))
LONGER = [(WideningDFPN(), WideningDFPN(base=0, factor=0.5)),  # long
          (SharedDFPN(), SharedDFPN(slack=0, epsilon=0)),
          (PDSPN(), PDSPN(a=10, b=5, N=300))]
FEW, GRAPHS = 100, 250  # how many are quick
RULED, RULED_GRAPHS = 150, 500  # the same for graphs with a rule for repetitions


def check_graph(nodes, search, **options):
    """Value, root moves and line of a random graph."""
    result = zermelo.solve(graph_of(nodes).start(), search, nodes=1e6, **options)
    assert (result.value, result.proved) == (value_of(nodes, "n0"), True), search
    mover = SIDES[nodes["n0"][0]]
    wins, losses = winners(nodes, mover), winners(nodes, 1 - mover)
    for row in result.moves:
        exact = "win" if row.move in wins else "loss" if row.move in losses else "draw"
        assert row.value in ("unknown", exact) or (row.value == "not-win" and exact != "win")
    check_line(nodes, result, wins if result.value == "win" else losses)
    return result


def check_line(nodes, result, winning):
    """Whoever wins stays on winning nodes until the game is won."""
    at = "n0"
    for move in result.line:
        assert move in nodes[at][1]
        at = move
        assert result.value == "draw" or at in winning
    if result.value != "draw":
        assert isinstance(nodes[at], str)


@pytest.mark.quick_cases("df-pn-few", "weak-df-pn-few")
@pytest.mark.parametrize("seeds", [range(FEW), range(FEW, GRAPHS)], ids=["few", "more"])
@pytest.mark.parametrize(("search", "other"), PAIRS + LONGER,
                         ids=IDS + [search.id for search, _ in LONGER])
def test_random_graphs_against_retrograde_analysis(search, other, seeds):
    """Random graphs, of which there are enough of every value."""
    values = []
    for seed in seeds:
        nodes = random_graph(seed)
        if graph_of(nodes).rules.cyclic:
            result = check_graph(nodes, search if seed % 2 else other, memory="4MB")
            values.append(result.value)
    assert len(values) > 0.9 * len(seeds)
    assert min(values.count(value) for value in ("win", "draw", "loss")) > 20


@pytest.mark.quick_cases("df-pn", "weak-df-pn")
@pytest.mark.parametrize("search", SEARCHES[:-1] + [search for search, _ in LONGER],
                         ids=IDS[:-1] + [search.id for search, _ in LONGER])
def test_random_graphs_with_tables_of_a_few_entries(search):
    for seed in range(60):
        nodes = random_graph(seed)
        if graph_of(nodes).rules.cyclic:
            check_graph(nodes, search, memory=1)


# The search of a comes to c, whose only way leads back to a: c is not won on this path. Then a is
# won by b. At e, which looks like more work, c must not be taken for lost: it leads to a.
LATE = {
    "n0": ("and", ["a", "e"]), "a": ("or", ["c", "b"]), "c": ("or", ["a"]),
    "b": ("and", ["b1", "b2"]), "b1": ("or", ["w"]), "b2": ("or", ["w", "d"]),
    "e": ("or", ["c", "z1", "z2", "z3"]), "z1": ("and", ["d"]), "z2": ("and", ["d"]),
    "z3": ("and", ["d"]), "d": "draw", "w": "win",
}
LONGER = {**LATE, "c": ("and", ["c1"]), "c1": ("or", ["a"])}


def forgetful(repetition_of):
    """``repetition_of`` of a plain df-pn: a repetition is a draw, on every path."""
    def broken_of(rules):
        repetition = repetition_of(rules)

        def broken(*arguments):
            end, _ = repetition(*arguments)
            return end, PATH_FREE

        return broken

    return broken_of


@pytest.mark.parametrize("search", SEARCHES[:-1], ids=IDS[:-1])
@pytest.mark.parametrize("nodes", [LATE, LONGER], ids=["late", "longer"])
def test_where_a_plain_search_returns_a_false_disproof(monkeypatch, nodes, search):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    assert value_of(nodes, "n0") == "loss"
    assert zermelo.solve(graph_of(nodes).start(), search).value == "loss"
    monkeypatch.setattr(driver, "repetition_of", forgetful(driver.repetition_of))
    wrong = zermelo.solve(graph_of(nodes).start(), search)  # a game keeps what was made for it
    assert (wrong.value, wrong.proved) == ("draw", True)


@pytest.mark.quick_cases("df-pn", "weak-df-pn")
@pytest.mark.parametrize("search", SEARCHES, ids=IDS)
def test_a_move_that_is_lost_only_by_repeating_the_root_is_not_called_lost(search):
    """n1 leads back to the root alone. The root is won by n2, so n1 is no mistake."""
    nodes = {"n0": ("or", ["n1", "n2"]), "n1": ("and", ["n0"]), "n2": ("and", ["n3"]),
             "n3": ("or", ["w", "n0"]), "w": "win"}
    result = zermelo.solve(graph_of(nodes).start(), search)
    assert (result.value, result.line) == ("win", ["n2", "n3", "w"])
    assert {row.move: row.value for row in result.moves}["n1"] in ("unknown", "win")


@pytest.mark.quick_cases("df-pn", "weak-df-pn")
@pytest.mark.parametrize("search", SEARCHES[:-1], ids=IDS[:-1])
def test_numbers_that_feed_each_other_round_a_cycle_do_not_stall(search):
    """Nagai's df-pn would let the numbers climb by one, visit after visit, up to infinity."""
    nodes = {
        "n0": ("and", ["n8", "n2", "n4"]), "n1": ("and", ["l0", "n8"]),
        "n2": ("or", ["n6", "n5", "n4"]), "n3": ("and", ["n4", "l0", "n8", "n0"]),
        "n4": ("or", ["n6", "n7", "n1"]), "n5": ("or", ["n6", "n7", "n3", "n8"]),
        "n6": ("and", ["n5", "n4", "n7", "n0"]), "n7": ("and", ["n2"]),
        "n8": ("or", ["n2", "n6", "n4"]), "l0": "loss",
    }
    result = zermelo.solve(graph_of(nodes).start(), search, memory="4MB", nodes=2_000)
    assert (result.value, result.proved) == (value_of(nodes, "n0"), True)


class OddCyclesWin(Graph):
    """The OR player wins by a cycle of odd length, the other by one of even length."""

    def define(self):
        def repeat(g, path, i, n):
            return zermelo.FIRST_WINS if (n - i) % 2 == 1 else zermelo.SECOND_WINS

        return replace(super().define(), repeat=repeat)


def rule_of(kind, nodes):
    """The winner of a repetition, from the text of the rule."""
    if kind is RepeaterLoses:
        return lambda path, i: 1 - SIDES[nodes[path[-2]][0]]
    return lambda path, i: 0 if (len(path) - 1 - i) % 2 else 1


def exact_by_rule(nodes, rule):
    mover = SIDES[nodes["n0"][0]]
    if value_with_rule(nodes, "n0", mover, rule):
        return "win"
    return "loss" if value_with_rule(nodes, "n0", 1 - mover, rule) else "draw"


@pytest.mark.quick_cases("RepeaterLoses-few")
@pytest.mark.parametrize("seeds", [range(RULED), range(RULED, RULED_GRAPHS)], ids=["few", "more"])
@pytest.mark.parametrize("kind", [RepeaterLoses, OddCyclesWin])
def test_a_games_own_rule_for_repetitions(kind, seeds):
    """Random graphs, of which there are enough of every value by the rule."""
    values = []
    for seed in seeds:
        nodes = random_graph(seed)
        game = kind(nodes, "n0")
        if game.rules.cyclic and sum(not isinstance(node, str) for node in nodes.values()) < 9:
            expected = exact_by_rule(nodes, rule_of(kind, nodes))
            for search in (DFPN(), DFPN(epsilon=0)):
                result = zermelo.solve(game.start(), search, nodes=1e6, memory="4MB")
                assert (result.value, result.proved) == (expected, True), (seed, search)
            values.append(expected)
    assert min(values.count(value) for value in ("win", "draw", "loss")) > len(seeds) / 50


def test_a_games_own_rule_in_the_other_searches(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    for seed in (204, 218, 276, 281, 370, 441, 449, 475):
        nodes = random_graph(seed)
        expected = exact_by_rule(nodes, rule_of(RepeaterLoses, nodes))
        for search in [*SEARCHES, PN2(a=2, b=1, N=20), UCT(playouts=1)]:
            result = zermelo.solve(RepeaterLoses(nodes, "n0").start(), search, nodes=3_000)
            assert (result.value, result.proved) == (expected, True), (seed, search)


def mirrored(seed):
    """A random graph of pairs n, m: what one leads to, the other leads to with n, m exchanged."""
    rng, count = random.Random(seed), random.Random(seed).randint(2, 4)
    pairs = [(f"n{i}", f"m{i}") for i in range(count)]
    ends = [("w", "w2"), ("l", "l2")]
    image = {a: b for pair in pairs + ends for a, b in (pair, pair[::-1])}
    nodes = {}
    for one, other in pairs:
        kind = rng.choice(["or", "and"])
        kids = sorted({rng.choice(rng.choice(pairs if rng.random() < 0.85 else ends))
                       for _ in range(rng.randint(1, 3))})
        nodes[one], nodes[other] = (kind, kids), (kind, [image[kid] for kid in kids])
    return nodes | {"w": "win", "w2": "win", "l": "loss", "l2": "loss"}


class MirroredRepeaterLoses(RepeaterLoses):
    """The same on mirrored graphs; the even node stands for both."""

    def define(self):
        def canonical(g, s, t):
            image = s.node & 1
            t.node = s.node - image
            return image

        def move_image(g, k, move):
            return move ^ k

        return replace(super().define(), canonical=canonical, move_image=move_image)


@pytest.mark.long
def test_a_rule_for_repetitions_is_not_folded():
    """Of two mirrored positions one may repeat the path, the other not."""
    values = []
    for seed in range(400):
        nodes = mirrored(seed)
        game = MirroredRepeaterLoses(nodes, "n0")
        if game.rules.cyclic:
            expected = exact_by_rule(nodes, rule_of(RepeaterLoses, nodes))
            result = zermelo.solve(game.start(), WeakDFPN(), nodes=1e5, memory="4MB")
            assert (result.value, result.proved) == (expected, True), seed
            values.append(expected)
    assert min(values.count(value) for value in ("win", "loss")) > 20


@pytest.mark.long
def test_long_cycles_grow_the_path():
    """Longer than the first path that is laid out."""
    length = 300
    nodes = {f"n{i}": ("or" if i % 2 else "and", [f"n{(i + 1) % length}"]) for i in range(length)}
    nodes["n280"] = ("and", ["n281", "w"])
    nodes["w"] = "win"
    for search in (DFPN(), DFPPN(playouts=1)):
        assert zermelo.solve(graph_of(nodes).start(), search, nodes=1e5).value == "draw"
    nodes["n280"] = ("and", ["w"])
    for search in (DFPN(), DFPPN(playouts=1)):
        result = zermelo.solve(graph_of(nodes).start(), search, nodes=1e5)
        assert (result.value, len(result.line)) == ("loss", 281)
