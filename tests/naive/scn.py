"""Conspiracy numbers as they are defined, and alpha-beta that collects them, in plain Python."""

import math

import numpy as np
from trees import END, OPEN, is_inner, open_leaves, worth

from zermelo import DRAW, FIRST_WINS, ONGOING, SECOND_WINS
from zermelo.search.minimax.plan import SURE

DECIDED = 1 << 20  # beyond all points
FOR_FIRST = {FIRST_WINS: 1, DRAW: 0, SECOND_WINS: -1}


def by_definition(tree, T, scale):
    """(scn, chance): the least number of open leaves below T that must rise for the root's value
    to be at least T, and the chance that it is, by trying every set of them."""
    root = tree[0]
    leaves = [leaf for leaf in open_leaves(tree) if worth(leaf, root, 0) < T]
    sets = np.arange(1 << len(leaves))
    numbers = {id(leaf): i for i, leaf in enumerate(leaves)}

    def reached(node, ply):
        """For each set of leaves that rise: whether the node's value is at least T."""
        if not is_inner(node):
            if id(node) in numbers:
                return (sets >> numbers[id(node)]) & 1 == 1
            return np.full(len(sets), worth(node, root, ply) >= T)
        parts = [reached(child, ply + 1) for child in node[1]]
        return np.logical_or.reduce(parts) if node[0] == root else np.logical_and.reduce(parts)

    enough = reached(tree, 0)
    sizes = sum(((sets >> i) & 1 for i in range(len(leaves))), np.zeros(len(sets), int))
    chance = np.ones(len(sets))
    for i, leaf in enumerate(leaves):
        p = 0.5 if T >= SURE else 2.0 ** ((worth(leaf, root, 0) - T) / scale)
        chance *= np.where((sets >> i) & 1 == 1, p, 1 - p)
    return (int(sizes[enough].min()) if enough.any() else math.inf), float(chance[enough].sum())


def cut_off(g, depth, node=0, ply=0):
    """The tree that a search with quiescence to ``depth`` sees, its leaves worth what captures
    leave; ``g`` is the data of a ``CapturingTree``."""
    if g.end[node] != ONGOING:
        return (END, FOR_FIRST[int(g.end[node])])
    children = range(int(g.first[node]), int(g.first[node + 1]))
    mover = int(g.mover[node])
    if ply < depth:
        if not children:
            return (END, 2 * mover - 1)
        return (mover, [cut_off(g, depth, child, ply + 1) for child in children])
    value = calm(g, node)
    return (OPEN, value) if abs(value) < DECIDED else (END, value // DECIDED)


def calm(g, node):
    """What a position is worth to the first player after the captures that pay."""
    if g.end[node] != ONGOING:
        return DECIDED * FOR_FIRST[int(g.end[node])]
    children = list(range(int(g.first[node]), int(g.first[node + 1])))
    mover = int(g.mover[node])
    if g.checked[node]:
        found = [calm(g, child) for child in children] or [DECIDED * (2 * mover - 1)]
    else:
        found = [int(g.points[node]), *(calm(g, child) for child in children[::2])]
    return max(found) if mover == 0 else min(found)


class AlphaBeta:
    """Iterative deepening on a tree, with killers and history as the kernel orders moves."""

    def __init__(self, tree, T, scale, pruned, unseen):
        self.tree, self.root, self.T, self.scale = tree, tree[0], T, scale
        self.pruned, self.unseen, self.nodes = pruned, unseen, 0
        self.killers, self.history, self.first = {}, {}, None

    def search(self, depth):
        """(value, scn, chance) to this depth; the best move is tried first next time."""
        value, scn, chance, best = self.visit(self.tree, depth, -math.inf, math.inf, 0)
        self.first = best
        return value, scn, chance

    def leaf(self, value, over):
        if value >= self.T:
            return value, 0, 1.0, None
        if over:
            return value, math.inf, 0.0, None
        return value, 1, 2.0 ** ((value - self.T) / self.scale), None

    def order(self, mover, moves, ply):
        killers = self.killers.get(ply, [])

        def rank(move):
            if ply == 0 and move == self.first:
                return 0, 0
            if move in killers:
                return 1 + killers.index(move), 0
            return 9, -self.history.get((mover, move), 0)

        return sorted(moves, key=rank)

    def learn(self, mover, move, depth, ply):
        killers = self.killers.get(ply, [])
        if killers[:1] != [move]:
            self.killers[ply] = [move, *killers[:1]]
        slot = (mover, move)
        self.history[slot] = self.history.get(slot, 0) + (depth + 1) ** 2

    def visit(self, node, depth, alpha, beta, ply):
        self.nodes += 1
        if node[0] in (END, OPEN) or depth == 0:
            inner = is_inner(node)
            return self.leaf(0 if inner else worth(node, self.root, ply), node[0] == END)
        mover, children = node
        is_max, best, best_at, searched = mover == self.root, None, None, []
        left = self.order(mover, range(len(children)), ply)
        while left and alpha < beta:
            at = left.pop(0)
            value, scn, chance, _ = self.visit(children[at], depth - 1, alpha, beta, ply + 1)
            searched.append((scn, chance))
            if best is None or (value > best if is_max else value < best):
                best, best_at = value, at
                if is_max:
                    alpha = max(alpha, value)
                else:
                    beta = min(beta, value)
        if alpha >= beta:
            self.learn(mover, best_at, depth, ply)
        if self.pruned == "static":  # each is looked at, as a leaf
            self.nodes += len(left)
            leaves = [children[at] for at in left]
            searched += [self.leaf(0 if is_inner(leaf) else worth(leaf, self.root, ply + 1),
                                   leaf[0] == END)[1:3] for leaf in leaves]
        else:
            searched += [(self.pruned, self.unseen)] * len(left)
        if is_max:
            missed = math.prod(1 - chance for _, chance in searched)
            return best, min(scn for scn, _ in searched), 1 - missed, best_at
        return (best, sum(scn for scn, _ in searched),
                math.prod(chance for _, chance in searched), best_at)


def pn_tree(nodes, root, expansions):
    """(pn of the root, its tree) after so many expansions of plain PN on a graph of ``nodes``.

    The tree is nested lists ``[name, pn, dn, children]``; a leaf not expanded has None for them.
    """

    def new(name):
        node = nodes[name]
        known = {"win": (0, math.inf), "loss": (math.inf, 0), "draw": (math.inf, 0)}
        return [name, *(known[node] if isinstance(node, str) else (1, 1)), None]

    tree = new(root)
    for _ in range(expansions):
        if tree[1] == 0 or tree[2] == 0:
            break
        path = [tree]
        while path[-1][3]:
            which = 1 if nodes[path[-1][0]][0] == "or" else 2
            path.append(min(path[-1][3], key=lambda child, which=which: child[which]))
        path[-1][3] = [new(name) for name in nodes[path[-1][0]][1]]
        for node in reversed(path):
            pns, dns = ([child[i] for child in node[3]] for i in (1, 2))
            is_or = nodes[node[0]][0] == "or"
            node[1:3] = (min(pns), sum(dns)) if is_or else (sum(pns), min(dns))
    return tree[1], tree
