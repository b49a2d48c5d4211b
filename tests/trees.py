"""Random small trees as a game with an evaluation, and what a search of one must find.

A tree is nested tuples: ``(mover, [children])``, or a leaf ``(kind, points)`` with a kind of END
for a finished game, worth -1, 0 or 1 to the first player, or OPEN for a position at the horizon,
with points for the first player. Open leaves are all at the same depth.
"""

import random
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from zermelo import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, Game, Rules
from zermelo.search.minimax.plan import MATE

END, OPEN = "end", "open"
ENDS = {1: FIRST_WINS, 0: DRAW, -1: SECOND_WINS}
MOST_MOVES = 8


class Arrays(NamedTuple):
    """The children of node i are first[i] up to first[i + 1] - 1, in the order of their numbers."""

    first: np.ndarray[Any, Any]
    mover: np.ndarray[Any, Any]
    end: np.ndarray[Any, Any]
    points: np.ndarray[Any, Any]


def moves(g, s, out):
    n = g.first[s.node + 1] - g.first[s.node]
    for i in range(n):
        out[i] = i
    return n


def play(g, s, move, t):
    t.node = g.first[s.node] + move


def mover(g, s):
    return g.mover[s.node]


def outcome(g, s):
    return g.end[s.node]


def key(g, s):
    return np.uint64(s.node)


def evaluate(g, s):
    return g.points[s.node] if g.mover[s.node] == 0 else -g.points[s.node]


class Tree(Game):
    """A game on a tree: all trees share what is compiled."""

    name = "tree"

    def __init__(self, tree: Any) -> None:
        self.tree = tree
        super().__init__()

    def define(self) -> Rules:
        level, nodes = [self.tree], []
        while level:
            nodes += level
            level = [child for node in level if is_inner(node) for child in node[1]]
        first, at = [], 1
        for node in nodes:
            first.append(at)
            at += len(node[1]) if is_inner(node) else 0
        data = Arrays(
            np.array([*first, at], np.int64),
            np.array([node[0] if is_inner(node) else i % 2 for i, node in enumerate(nodes)],
                     np.int64),
            np.array([ENDS[node[1]] if node[0] == END else ONGOING for node in nodes], np.int64),
            np.array([node[1] if node[0] == OPEN else 0 for node in nodes], np.int64))
        return Rules(state=[("node", "i8")], max_moves=MOST_MOVES, max_length=64, moves=moves,
                     play=play, mover=mover, outcome=outcome, key=key, data=data, exact_key=True,
                     evaluate=evaluate)


def captures(g, s, out):
    """Every second child, the last one first."""
    n = 0
    for move in range(g.first[s.node + 1] - g.first[s.node] - 1, -1, -1):
        if move % 2 == 0:
            out[n] = move
            n += 1
    return n


def in_check(g, s):
    return g.checked[s.node]


class Capturing(NamedTuple):
    """``Arrays``, and who is in check."""

    first: np.ndarray[Any, Any]
    mover: np.ndarray[Any, Any]
    end: np.ndarray[Any, Any]
    points: np.ndarray[Any, Any]
    checked: np.ndarray[Any, Any]


class CapturingTree(Tree):
    """A tree whose inner nodes have points and captures too, and some, or all, are checks."""

    def __init__(self, tree: Any, seed: int, checks: float = 0.2) -> None:
        self.seed, self.checks = seed, checks
        super().__init__(tree)

    def define(self) -> Rules:
        plain = super().define()
        rng, count = np.random.default_rng(self.seed), len(plain.data.end)
        points = np.where(plain.data.points == 0, rng.integers(-50, 50, count), plain.data.points)
        checked = rng.random(count) < self.checks
        data = Capturing(*plain.data[:3], points, checked)
        return replace(plain, data=data, captures=captures, in_check=in_check)


def is_inner(node: Any) -> bool:
    return node[0] in (0, 1)


def random_tree(rng: random.Random, depth: int, widest: int, ends: float, strict: bool,
                mover: int = 0) -> Any:
    """``ends``: how often a game ends early; ``strict``: players alternate."""
    if depth == 0:
        return (OPEN, rng.randint(-50, 50))
    children = []
    for _ in range(rng.randint(1, widest)):
        if rng.random() < ends:
            children.append((END, rng.choice((-1, 0, 1))))
        else:
            after = 1 - mover if strict else rng.randint(0, 1)
            children.append(random_tree(rng, depth - 1, widest, ends, strict, after))
    return (mover, children)


def open_leaves(node: Any) -> list[Any]:
    """The leaves that may change, by identity."""
    if is_inner(node):
        return [leaf for child in node[1] for leaf in open_leaves(child)]
    return [node] if node[0] == OPEN else []


def worth(node: Any, root: int, ply: int) -> int:
    """The score of a leaf for the player ``root``."""
    sign = 1 if root == 0 else -1
    if node[0] == OPEN:
        return sign * node[1]
    return 0 if node[1] == 0 else sign * node[1] * (MATE - ply)
