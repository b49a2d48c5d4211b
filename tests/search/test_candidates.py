"""Searches in which the attacker tries candidates only: wins are wins, running out is unknown."""

import os
from dataclasses import replace
from pathlib import Path

import pytest
from command import call, loads
from cyclic import ENDS, SIDES, graph_of, random_graph, value_of

import zermelo
from zermelo.compiler.jit import jit_enabled
from zermelo.core.explicit_graph import Graph
from zermelo.errors import BadGame, BadOption

FAST = jit_enabled()
WINGS = [zermelo.DFPN(), zermelo.PN()]
OTHERS = [zermelo.DFPN(epsilon=0), zermelo.WeakDFPN(), zermelo.DeepDFPN(20, 15), zermelo.PN2(),
          zermelo.DeepPN(), zermelo.PPN(playouts=5), zermelo.MCTS()]
NEWER = [zermelo.WideningDFPN(), zermelo.TCADFPN(), zermelo.SharedDFPN(), zermelo.PDSPN()]
# Those with cycles: they share a kernel, and have the traps.
GRAPHS = [seed for seed in range(130) if graph_of(random_graph(seed)).rules.cyclic]


def every_other(g, s, side, out):
    """The children whose number is not that of their parent modulo 3."""
    first, n = g.first[s.node], 0
    for i in range(first, g.first[s.node + 1]):
        if (g.children[i] - s.node) % 3 != 0:
            out[n] = g.children[i]
            n += 1
    return n


class Narrow(Graph):
    """A graph with candidates."""

    def define(self):
        return replace(super().define(), candidates=every_other)


def candidates_of(game, nodes, name):
    at = game.numbers[name]
    return [child for child in nodes[name][1] if (game.numbers[child] - at) % 3 != 0]


def won_by_candidates(game, nodes, player):
    """The nodes from which ``player`` wins with candidates against everything."""
    won = {name for name, node in nodes.items() if isinstance(node, str) and ENDS[node] == player}
    while True:
        more = set()
        for name, node in nodes.items():
            if not isinstance(node, str) and name not in won:
                mine = SIDES[node[0]] == player
                children = candidates_of(game, nodes, name) if mine else node[1]
                if (any if mine else all)(child in won for child in children):
                    more.add(name)
        if not more:
            return won
        won |= more


def check(search, seeds, **options):
    """Both answers on random graphs with cycles; how often each."""
    wins = missed = 0
    for seed in seeds:
        nodes = random_graph(seed)
        game = Narrow(nodes, "n0")
        player = SIDES[nodes["n0"][0]]
        won = won_by_candidates(game, nodes, player)
        result = zermelo.solve(game.start(), search, candidates=True, nodes=1e6, memory="4MB",
                               **options)
        if "n0" in won:
            assert (result.value, result.proved, result.stopped) == ("win", True, "solved")
            assert value_of(nodes, "n0") == "win"
            wins += 1
        else:
            assert (result.value, result.proved, result.move) == ("unknown", False, None)
            assert (result.stopped, result.exit_status) == ("candidates", 10)
            missed += value_of(nodes, "n0") == "win"
        for row in result.moves:
            assert row.value == ("win" if row.move in won else "unknown") or row.value == "unknown"
    return wins, missed


@pytest.mark.parametrize("search", [
    *(pytest.param(search, marks=pytest.mark.long) for search in WINGS),
    *(pytest.param(search, marks=pytest.mark.full) for search in OTHERS)], ids=repr)
def test_only_wins_are_answers(search):
    wins, missed = check(search, GRAPHS, goal="win")
    assert wins > 10
    assert missed > 5  # that there is a win by other moves is no contradiction to unknown


def test_a_second_question_is_not_asked():
    assert check(WINGS[0], GRAPHS[:30], goal="value")[0] > 3


def test_without_them_the_value_is_the_usual_one():
    for seed in GRAPHS[:20]:
        nodes = random_graph(seed)
        result = zermelo.solve(Narrow(nodes, "n0").start(), "df-pn", memory="4MB")
        assert (result.value, result.proved) == (value_of(nodes, "n0"), True)


def test_refusals():
    with pytest.raises(BadOption, match="candidates: othello declares no candidate moves"):
        zermelo.start(zermelo.game("othello", size=4).start(), candidates=True)
    with pytest.raises(BadOption, match="candidates: pvs always tries all moves; pn, "):
        zermelo.start(XIANGQI.start(), "pvs", candidates=True)

    class Scored(Narrow):
        def define(self):
            return replace(super().define(), score=lambda g, s: 0, cyclic=False)

    nodes = {"a": ("or", ["b"]), "b": "win"}
    with pytest.raises(BadOption, match="they can prove wins only; valid goals are win, value"):
        zermelo.start(Scored(nodes).start(), "df-pn", goal="score", candidates=True)

    class NoFunction(Narrow):
        def define(self):
            return replace(super().define(), candidates=3)

    with pytest.raises(BadGame, match="candidates must be a function"):
        NoFunction(nodes)


# SOURCE: compositions of Shi Qing Ya Qu (1570), mates by continuous checks: number, FEN from
# kuiba1949/xiangqi-tools (BSD-3-Clause, 2018), the length of the shortest such mate in plies.
MATES = [
    (254, "3a3nC/1R4c2/2C1k2r1/9/9/r6N1/9/9/4p4/3K5 w", 5),
    (43, "C4kbN1/R2Pa4/4ca3/4rNR2/6b2/6c2/9/4C4/4p3r/5K3 w", 9),
    (10, "4kab1C/4a4/9/1R7/4P1N2/2N3B2/1n5r1/4n4/4A4/c1BAK4 w", 15),
    (6, "2b1kabn1/4aR3/3R2N2/4p1p2/5P3/4P4/3N2Pr1/4C1n2/3pAr3/4K3c w", 43),
]
XIANGQI = zermelo.game("xiangqi")
NO_CHECK = "3k5/9/9/9/9/9/9/9/4A4/4K4 w"


def check_mate(text, length, search, path):
    """Proved, a line of mate by checks, a certificate that stands, and the shortest length."""
    position = XIANGQI.parse(text)
    session = zermelo.start(position, search, goal="win", candidates=True, plain=True)
    result = session.run(zermelo.Limits(time=60, memory="200MB"))
    assert (result.value, result.proved, result.stopped) == ("win", True, "solved")
    for number, move in enumerate(result.line):
        position = position.play(move)
        assert number % 2 or XIANGQI.in_check(position)
    assert position.outcome == "first"
    assert len(result.line) >= length
    written = zermelo.write_proof(session, path, memory="200MB")
    assert written.report.verified
    assert written.report.claims[0].longest >= length
    return result


def shortest(text, search):
    return zermelo.solve(XIANGQI.parse(text), search, goal="shortest", candidates=True, time=60,
                         memory="200MB")


@pytest.mark.long
def test_mates_by_checks(tmp_path):
    for _, text, length in MATES if FAST else MATES[:1]:
        result = check_mate(text, length, "weak-df-pn", tmp_path / "proof")
        assert result.to_dict()["candidates"] is True
        found = shortest(text, "weak-df-pn")
        assert (found.distance, len(found.line)) == (length, length)


@pytest.mark.long
def test_running_out_of_checks_is_unknown():
    words = ("solve", "xiangqi", NO_CHECK, "--candidates", "--plain", "--memory", "10MB", "-q")
    done = call(*words, "--json")
    answer = loads(done.out)
    assert (done.status, answer["value"], answer["stopped"]) == (10, "unknown", "candidates")
    assert (answer["proved"], answer["move"], answer["line"]) == (False, None, [])
    assert "unknown: stopped by having no candidate moves left" in call(*words).out


def test_a_game_that_is_over():
    over = XIANGQI.parse("3k5/3R5/9/9/9/9/9/9/9/3RK4 b")
    result = zermelo.solve(over, candidates=True, memory="10MB")
    assert (result.value, result.proved, result.stopped) == ("loss", True, "solved")


@pytest.mark.parametrize(("search", "count"), [
    *(pytest.param(search, 2, marks=pytest.mark.long) for search in NEWER),
    *(pytest.param(search, 4, marks=pytest.mark.full)
      for search in ("df-pn", "pn", "pn2", "deep-df-pn"))], ids=str)
def test_mates_in_other_searches(search, count, tmp_path):
    for _, text, length in MATES[:count] if FAST else []:
        check_mate(text, length, search, tmp_path / "proof")


@pytest.mark.full
@pytest.mark.skipif("ZERMELO_DATA" not in os.environ, reason="needs the compositions")
def test_all_compositions(tmp_path):
    file = Path(os.environ["ZERMELO_DATA"]) / "xiangqi" / "continuous_check_mates.txt"
    rows = [line.split("\t") for line in file.read_text().splitlines() if line[0] != "#"]
    assert len(rows) == 109
    for _, text, length, *_ in rows:
        check_mate(text, int(length), "df-pn", tmp_path / "proof")
        if int(length) <= 15:
            assert shortest(text, "df-pn").distance == int(length), text
