"""Random trees with estimates as a game, and what conspiracy numbers are, by their definition."""

import random
from typing import Any, NamedTuple

import numpy as np

from zermelo.core.game import Game
from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, Rules
from zermelo.kernel.bits import mix, word
from zermelo.search.reasons import LOST, UNKNOWN, WON

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
