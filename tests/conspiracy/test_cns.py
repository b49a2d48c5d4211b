"""Conspiracy number search: its numbers are what they are said to be, its proofs are true.

Random trees with estimates are its games; ``Twin`` has the numbers by their definition.
"""

import random
from collections import Counter
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pytest
from cases import cases, check_case
from command import call
from cyclic import random_graph, value_of, winners

import zermelo
from zermelo import CNS
from zermelo.core.game import Game
from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, Rules
from zermelo.kernel.bits import mix, word
from zermelo.search.base import Task
from zermelo.search.best_first.cns import spread
from zermelo.search.reasons import LOST, PRECISION, SLICE, SOLVED, UNKNOWN, WON

INF = float("inf")
WIDEST, DEEPEST, LONGEST = 4, 6, 1_000
ENDS = (FIRST_WINS, SECOND_WINS, DRAW)
GRAPH_ENDS = {"win": FIRST_WINS, "loss": SECOND_WINS, "draw": DRAW}


class Arrays(NamedTuple):
    """Node by node; ``children`` are theirs one after the other, from ``first`` on."""

    first: Any
    count: Any
    owner: Any
    end: Any
    points: Any
    children: Any


class Judged(Game):
    """A tree or a graph whose nodes have estimates; all share their code."""

    name = "judged"

    def __init__(self, rows, children, names=None) -> None:
        columns = [np.array(column, np.int64) for column in zip(*rows, strict=True)]
        self.arrays = Arrays(*columns, np.array(children, np.int64))
        self.names = names
        super().__init__()

    def define(self):
        def moves(g, s, out):
            for i in range(g.count[s.node]):
                out[i] = g.children[g.first[s.node] + i]
            return g.count[s.node]

        def play(g, s, move, t):
            t.node = move

        def mover(g, s):
            return g.owner[s.node]

        def outcome(g, s):
            return g.end[s.node]

        def key(g, s):
            return mix(word(s.node))

        def evaluate(g, s):
            return g.points[s.node]

        return Rules(state=[("node", "i8")], max_moves=WIDEST, max_length=LONGEST, moves=moves,
                     play=play, mover=mover, outcome=outcome, key=key, exact_key=True, cyclic=True,
                     evaluate=evaluate, data=self.arrays)

    def move_name(self, position, move):
        return self.names[move] if self.names else str(move)


def random_tree(seed: int, finished: float = 0.3, widest: int = 3) -> Judged:
    """A tree drawn from a seed. Players need not take turns; some nodes have no moves."""
    rng = random.Random(seed)
    rows, waiting = [[0, 0, rng.randrange(2), ONGOING, 0]], [(0, 0)]
    while waiting:
        node, depth = waiting.pop(0)
        if depth == DEEPEST or len(rows) > 60:
            rows[node][3] = rng.choice(ENDS)
        elif depth == 0 or rng.random() > finished:
            rows[node][:2] = len(rows), rng.randint(1, widest)
            for _ in range(rows[node][1]):
                waiting.append((len(rows), depth + 1))
                rows.append([0, 0, rng.randrange(2), ONGOING, rng.randint(-9, 9)])
        elif rng.random() > 0.1:  # the others are lost for who is to move
            rows[node][3] = rng.choice(ENDS)
    return Judged(rows, range(len(rows)))


def judged_graph(nodes, seed: int) -> Judged:
    """The graph of ``cyclic.random_graph`` with estimates."""
    rng, names, rows, children = random.Random(seed), [*nodes], [], []
    for node in nodes.values():
        below = [] if isinstance(node, str) else [names.index(child) for child in node[1]]
        owner = int(not isinstance(node, str) and node[0] == "and")
        end = GRAPH_ENDS.get(node, ONGOING) if isinstance(node, str) else ONGOING
        rows.append([len(children), len(below), owner, end, rng.randint(-9, 9)])
        children += below
    return Judged(rows, children, names)


class Twin:
    """The tree of a question as plain Python, with the rules for conspiracy numbers as printed."""

    def __init__(self, question) -> None:
        self.attacker, self.thresholds = question.attacker, question.thresholds()
        self.bins = len(self.thresholds) + 3
        self.nodes = question.tree.nodes[: question.size].copy()
        self.arrays = question.position.game.rules.data
        self.places = {0: int(question.position.state[0]["node"])}
        for n in range(question.size):
            for c in self.children(n):
                self.places[c] = int(self.nodes[c]["move"])
        assert sorted(self.places) == [*range(question.size)]

    def children(self, n):
        first = int(self.nodes[n]["first"])
        return range(first, first + int(self.nodes[n]["count"]))

    def is_max(self, n):
        return self.arrays.owner[self.places[n]] == self.attacker

    def bin(self, points):
        return 1 + sum(points >= t for t in self.thresholds)

    def end(self, n):
        """The bin of a finished game, else None; one without moves is known once expanded."""
        end = self.arrays.end[self.places[n]]
        if end == DRAW:
            return self.bin(0)
        if end == ONGOING:
            if self.nodes[n]["status"] == UNKNOWN or self.arrays.count[self.places[n]] > 0:
                return None
            return 0 if self.is_max(n) else self.bins - 1
        return self.bins - 1 if end == FIRST_WINS + self.attacker else 0

    def estimate(self, n):
        points = self.arrays.points[self.places[n]]
        return self.bin(points if self.is_max(n) else -points)

    def needed(self, n):
        """(m, up-needed, down-needed), as in Song 2019, section 2.1.2."""
        bins, end = range(self.bins), self.end(n)
        if len(self.children(n)) == 0:
            m = self.estimate(n) if end is None else end
            other = 1 if end is None else INF
            return m, [other if v > m else 0 for v in bins], [other if v < m else 0 for v in bins]
        below = [self.needed(c) for c in self.children(n)]
        m = (max if self.is_max(n) else min)(value for value, _, _ in below)
        for_up, for_down = (min, sum) if self.is_max(n) else (sum, min)
        up = [for_up(up[v] for _, up, _ in below) if v > m else 0 for v in bins]
        down = [for_down(down[v] for _, _, down in below) if v < m else 0 for v in bins]
        return m, up, down

    def numbers(self, n):
        """CN(v) of every bin."""
        _, up, down = self.needed(n)
        return [a + b for a, b in zip(up, down, strict=True)]

    def status(self, n):
        """What the conspiracy numbers say about who wins."""
        m, up, _ = self.needed(n)
        if m == self.bins - 1:
            return WON
        return LOST if up[-1] == INF else UNKNOWN

    def leaves(self):
        """The leaves that may change."""
        return [n for n in range(len(self.nodes))
                if len(self.children(n)) == 0 and self.end(n) is None]

    def minimax(self, n, values):
        """The root's bin where leaves have these bins, each an array over many cases."""
        if n in values:
            return values[n]
        if len(self.children(n)) == 0:
            return np.array(self.end(n))
        below = [self.minimax(c, values) for c in self.children(n)]
        combine = np.maximum if self.is_max(n) else np.minimum
        found = below[0]
        for other in below[1:]:
            found = combine(found, other)
        return found

    def by_definition(self):
        """CN(v) of the root: try every value for every leaf, and count those that differ."""
        leaves = self.leaves()
        cases = np.indices((self.bins,) * len(leaves)).reshape(len(leaves), -1)
        own = np.array([self.estimate(n) for n in leaves], int)
        changed = (cases != own[:, None]).sum(axis=0) if leaves else np.zeros(1, int)
        found = self.minimax(0, dict(zip(leaves, cases, strict=True)))
        found = np.broadcast_to(found, changed.shape)
        return [int(changed[found == v].min()) if (found == v).any() else INF
                for v in range(self.bins)]

    def conspiracies(self, v):
        """The sets of leaves that bring the root to bin ``v`` by taking it themselves."""
        leaves = self.leaves()
        masks = np.arange(1 << len(leaves))
        values = {n: np.where(masks >> i & 1, v, self.estimate(n)) for i, n in enumerate(leaves)}
        found = np.broadcast_to(self.minimax(0, values), masks.shape)
        return [{n for i, n in enumerate(leaves) if mask >> i & 1}
                for mask in masks[found == v].tolist()]


FIVE = CNS(thresholds="-3/4")  # with a loss and a win: five bins
TREES, MOST_LEAVES = 2_000, 5
FOUR = zermelo.game("connect-four", columns=5, rows=4, line=3)


def ask(search, position, attacker=None, memory=1 << 20):
    attacker = position.mover if attacker is None else attacker
    return search.start(Task(position, attacker, memory, plain=True))


def stored(question, n=0):
    return question.tree.nodes[n]["cn"].tolist()


@pytest.mark.long
def test_the_numbers_are_the_least_numbers_of_leaves_that_must_change():
    kinds, leaves, seed = Counter(), Counter(), 0
    while sum(leaves.values()) < TREES:
        seed += 1
        tree = random_tree(seed, finished=0.15)
        question = ask(replace(FIVE, aim=("far", "near")[seed % 2]), tree.start(), seed // 2 % 2)
        question.advance(random.Random(seed).randint(1, 6))
        twin = Twin(question)
        if 0 < len(twin.leaves()) <= MOST_LEAVES:
            assert stored(question) == twin.by_definition(), seed
            kinds.update(twin.numbers(0))
            leaves[len(twin.leaves())] += 1
    assert min(leaves.values()) >= 50
    assert len(leaves) == MOST_LEAVES
    assert {0, 1, 2, 3, 4, INF} <= {*kinds}


def test_after_every_expansion_all_nodes_are_as_if_computed_anew():
    expansions, seen = 0, Counter()
    for seed in range(150):
        tree = random_tree(seed, finished=0.2)
        search = CNS(thresholds=("-3/4", "0/2")[seed % 3 == 0], tie=("value", "left")[seed % 2],
                     aim=("far", "near")[seed // 2 % 2])
        question = ask(search, tree.start(), seed // 4 % 2)
        while question.advance(1) == SLICE:
            expansions += 1
            twin = Twin(question)
            for n in range(question.size):
                assert stored(question, n) == twin.numbers(n), (seed, n)
                assert question.tree.nodes[n]["status"] == twin.status(n), (seed, n)
        seen[question.status] += 1
    assert expansions > 500
    assert min(seen[WON], seen[LOST]) > 20
    assert seen[UNKNOWN] == 0


@pytest.mark.long_cases("far")
@pytest.mark.parametrize("aim", ["far", "near"])
def test_the_leaf_expanded_is_in_a_smallest_conspiracy(aim):
    checked = 0
    for seed in range(120):
        question = ask(replace(FIVE, aim=aim), random_tree(seed, finished=0.15).start())
        while question.status == UNKNOWN:
            twin = Twin(question)
            numbers, m = twin.numbers(0), twin.needed(0)[0]
            least = min(numbers[v] for v in range(twin.bins) if v != m)
            distances = {abs(v - m) for v in range(twin.bins) if v != m and numbers[v] == least}
            far = (max if aim == "far" else min)(distances)
            aims = [v for v in (m + far, m - far) if 0 <= v < twin.bins and numbers[v] == least]
            before = question.tree.nodes["count"][: question.size].copy()
            status = question.tree.nodes["status"][: question.size].copy()
            if len(twin.leaves()) > 9:
                break
            question.advance(1)
            after = question.tree.nodes["count"][: len(before)]
            grown = [n for n in range(len(before)) if before[n] != after[n]] or [
                n for n in twin.leaves() if question.tree.nodes[n]["status"] != status[n]]
            assert len(grown) == 1
            assert any(grown[0] in group and len(group) == least
                       for group in twin.conspiracies(aims[0])), seed
            checked += 1
    assert checked > 150


def test_the_number_of_a_win_is_pns_proof_number():
    def pn(twin, n):
        if len(twin.children(n)) == 0:
            status = twin.status(n)
            return {WON: 0, LOST: INF, UNKNOWN: 1}[status]
        return (min if twin.is_max(n) else sum)(pn(twin, c) for c in twin.children(n))

    for seed in range(60):
        question = ask(FIVE, random_tree(seed).start())
        question.advance(4)
        assert stored(question)[-1] == pn(Twin(question), 0)


@pytest.mark.long
def test_agrees_with_brute_force():
    searches = [CNS(), CNS(aim="near"), CNS(tie="left")]
    for i, case in enumerate(cases("connect-four 5x4 line 3")[::2]):
        check_case(case, searches[i % 3], plain=True)


def test_it_stops_when_every_other_value_needs_so_many():
    stopped = 0
    for seed in range(200):
        question = ask(replace(FIVE, conspirators=3), random_tree(seed, finished=0.1).start())
        reason = question.advance(1 << 30)
        numbers = stored(question)
        at = numbers.index(0)
        if reason == PRECISION:
            stopped += 1
            assert min(x for v, x in enumerate(numbers) if v != at) >= 3
            assert question.leaning == UNKNOWN
        assert reason in (PRECISION, SOLVED)
    assert stopped > 8


def test_a_stable_estimate_is_no_answer():
    position = zermelo.game("connect-four", columns=5, rows=4, line=3).parse("1")
    result = zermelo.solve(position, CNS(conspirators=2), plain=True)
    if result.stopped == "solved":  # pragma: no cover
        pytest.fail("a position that is not solved at once is needed here")
    assert (result.value, result.proved, result.concluded) == ("unknown", False, False)
    assert result.stopped == "precision"
    assert result.exit_status == 10
    assert "estimate" in result.root
    done = call("solve", "connect-four", "-g", "columns=5", "-g", "rows=4", "-g", "line=3", "1",
                "-s", "cns", "-p", "conspirators=2", "--plain")
    assert done.status == 10
    assert "unknown: stopped by the precision asked for" in done.out


def test_numbers_are_those_of_the_player_to_move():
    position = FOUR.parse("3")
    mine, theirs = ask(CNS(), position, 1), ask(CNS(), position, 0)
    for question in (mine, theirs):
        question.advance(0)
    assert mine.numbers()["estimate"] == theirs.numbers()["estimate"]
    assert mine.numbers()["estimate"] == FOUR.board.evaluate(position.state)
    solved = zermelo.solve(position, CNS(), plain=True)
    assert solved.root["value"] == solved.value


def test_a_move_is_chosen_by_value_then_by_how_hard_it_is_to_bring_down():
    for nodes in (1, 10, 500):
        choice = zermelo.choose(FOUR.start(), "cns", nodes=nodes, plain=True)
        assert choice.move in FOUR.start().moves()
    question = ask(CNS(), FOUR.parse("3"))
    question.advance(60)
    nodes = question.tree.nodes
    children = question.children()
    best = max(int(nodes[c]["points"]) for c in children)
    equal = [c for c in children if nodes[c]["points"] == best]

    def firmness(c):
        at = int(nodes[c]["at"])
        return nodes[c]["cn"][at - 1] if at else INF

    chosen = next(c for c in equal if firmness(c) == max(map(firmness, equal)))
    assert question.status == UNKNOWN
    assert question.chosen() == nodes[chosen]["move"]


def test_the_second_question_listens_to_the_first():
    """When there is no win, the values of the first tree tell a draw from a loss."""
    game = zermelo.game("connect-four", columns=5, rows=4, line=3)
    found = 0
    for text in ("3333", "12", "1122", "2234", "113", "35", "123", "552"):
        position = game.parse(text)
        session = zermelo.start(position, CNS(), plain=True)
        session.run(zermelo.Limits(nodes=1_000_000))
        if len(session.runs) == 2:
            first = session.runs[0]
            again = zermelo.start(position, CNS(), plain=True)
            again.run(zermelo.Limits(nodes=first.nodes + 1))
            assert len(again.runs) == 2
            assert again.runs[1].size < first.size
            move = again.runs[1].chosen()
            assert move == again.runs[0].chosen()
            assert move in position.codes()
            found += 1
    assert found > 0


def test_any_cuts_give_the_same_tree_bit_for_bit():
    whole, cuts = (ask(CNS(), FOUR.parse("3")) for _ in range(2))
    whole.advance(1 << 40, 3_000)
    rng = random.Random(1)
    for limit in [*sorted(rng.randint(1, 3_000) for _ in range(40)), 3_000]:
        while cuts.advance(rng.randint(1, 50), limit) == SLICE:
            pass
    assert (whole.nodes, whole.iterations) == (cuts.nodes, cuts.iterations)
    assert whole.tree.nodes[: whole.size].tobytes() == cuts.tree.nodes[: cuts.size].tobytes()
    assert whole.status == UNKNOWN


def test_games_that_repeat_have_their_right_values():
    values = Counter()
    for seed in range(150):
        nodes = random_graph(seed)
        game = judged_graph(nodes, seed)
        result = zermelo.solve(game.start(), FIVE, nodes=300_000, memory="60MB")
        expected = value_of(nodes, "n0")
        if not result.proved:
            values["open"] += 1
            continue
        assert result.value == expected, seed
        mover = {"or": 0, "and": 1}[nodes["n0"][0]]
        wins, losses = winners(nodes, mover), winners(nodes, 1 - mover)
        for row in result.moves:
            exact = "win" if row.move in wins else "loss" if row.move in losses else "draw"
            assert row.value in ("unknown", exact) or (row.value == "not-win" and exact != "win")
        values[result.value] += 1
    assert min(values["win"], values["draw"], values["loss"]) > 10
    assert values["open"] < 15


def test_bins_are_about_equally_often_needed():
    assert spread([], 4) == [0, 1, 2]
    assert spread([5] * 9, 3) == [5, 6]
    assert spread(range(100), 4) == [25, 50, 75]
    assert spread([3, 1, 2], 1) == []


def test_bins_are_fixed_by_the_position_or_by_the_option(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    one, same = (ask(CNS(bins=8), FOUR.start()) for _ in range(2))
    assert len(one.thresholds()) == 7
    assert one.thresholds() == same.thresholds()
    assert ask(CNS(thresholds="-20/0/20"), FOUR.start()).thresholds() == [-20, 0, 20]
    without = zermelo.game("hex", size=2)
    for question in (ask(CNS(bins=1), FOUR.start()), ask(CNS(bins=8), without.start())):
        assert question.thresholds() == []
        assert question.conspirators() == [1, 0, 1]


def test_it_can_not_be_kept_to_candidates():
    """What is lost by candidates is not lost, and its numbers would say so."""
    with pytest.raises(zermelo.BadOption, match="candidates: cns always tries all moves"):
        zermelo.start(zermelo.game("xiangqi").start(), "cns", candidates=True)


@pytest.mark.parametrize(("options", "message"), [
    ({"bins": 0}, "cns: bins='0' is not valid; it is a whole number from 1 to 64"),
    ({"bins": 2.5}, "cns: bins='2.5' is not valid"),
    ({"conspirators": -1}, "conspirators='-1' is not valid; it is a whole number from 0"),
    ({"conspirators": 1}, "conspirators=1 is not valid: one is what every other value needs"),
    ({"thresholds": "a/b"}, "thresholds='a/b' is not valid; it is up to 63 whole numbers that "
     "rise"),
    ({"thresholds": "3/3"}, "thresholds='3/3' is not valid"),
    ({"thresholds": "0/1000001"}, "none further from 0 than 1,000,000"),
    ({"thresholds": "/".join(map(str, range(64)))}, "is not valid; it is up to 63"),
    ({"aim": "high"}, "aim='high' is not valid; it is one of far, near"),
    ({"tie": "deepest"}, "tie='deepest' is not valid; it is one of value, left"),
])
def test_options_that_are_not_valid(options, message):
    with pytest.raises(zermelo.BadOption) as caught:
        CNS(**options)
    assert message in str(caught.value)
    words = [word for name, value in options.items() for word in ("-p", f"{name}={value}")]
    done = call("solve", "connect-four", "start", "-s", "cns", *words)
    assert (done.status, done.out) == (2, "")
    assert "is not valid" in done.err
