"""Multiple-outcome proof-number search (Saffidine and Cazenave 2012): win, draw, loss in one tree.

For each outcome o there are two numbers: G(o), the leaves that must be proved to show that the
attacker gets at least o, and S(o), those to show that it gets at most o. G(loss) and S(win) are 0,
so that four are left. G is the minimum over the children where the attacker moves and the sum where
the other player does; S the reverse. The effort to show that the value is o is G(o) + S(o).

Each descent aims at the outcome with the least effort at the root, among those that are better
than what the attacker is known to get (the attracting outcome), and at the next worse one for the
other player: it follows the least G(o) where the attacker moves and the least S of the outcome
below o where the other does.

A node keeps the numbers of two questions, and what is proved of each:

    does the attacker win?      pn = G(win)           dn = S(draw)          status
    does the other player?      their_pn = S(loss)    their_dn = G(draw)    other

Each is found by logic from finished games. If a session asks for the exact value it asks first
whether one player wins and then, if not, whether the other does. The run of the second question
goes on with the tree of the first.

The kernel knows one attacker. For the second question the fields of all nodes change places with
their mirror images: ``status`` with ``other``, and each number with its partner. The run of the
first question has answered; it reads the tree through a view with the names exchanged.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from zermelo.core.rules import Rules
from zermelo.search.base import Task
from zermelo.search.best_first.plan import Array, Plan, Tree, verdict_of
from zermelo.search.best_first.pn import INF, proof_number
from zermelo.search.best_first.search import BestFirst, Run
from zermelo.search.common.saved import Saved, Saving
from zermelo.search.reasons import LOST, NEVER, UNKNOWN, WON

# What a node adds to its header; the rest is to make numbers begin at a multiple of four.
OTHER = [("other", "u1"), ("spare", "u1"), ("spare2", "u2")]


def other_of(nodes, n):
    """Return what is proved of a node for the attacker's opponent."""
    return nodes[n].other


def other_verdict_of(linked: bool) -> Any:
    """``verdict(nodes, n, attacker_moves)``: WON, LOST or UNKNOWN for the attacker's opponent, what
    the children of ``n`` say."""
    verdict = verdict_of(other_of, linked)

    def other_verdict(nodes, n, attacker_moves):
        return verdict(nodes, n, not attacker_moves)

    return other_verdict


@dataclass(frozen=True)
class BothSides(BestFirst):
    """A search whose nodes have numbers for both players, so that a tree answers both questions.

    ``mirrored``: the numbers that change places, seen from the other side.
    """

    mirrored: ClassVar[dict[str, str]]

    def task_data(self, task: Task) -> Any:
        """Return the options and ``both``: both questions count."""
        return self.packed(both=task.exact)

    def start(self, task: Task) -> TwoQuestionsRun:
        """Begin a run, or the other question on an earlier run's tree."""
        return TwoQuestionsRun(self, task)


class Trunk:
    """The tree that one or two runs share; ``facing`` is the attacker for whom it stands."""

    def __init__(self, facing: int, pairs: dict[str, str]) -> None:
        self.facing, self.pairs = facing, {"status": "other", **pairs}
        self.tree: Tree | None = None

    def seen_by(self, attacker: int) -> Tree:
        """Return the tree with this player as attacker."""
        assert self.tree is not None
        if attacker == self.facing:
            return self.tree
        nodes = self.tree.nodes
        return self.tree._replace(nodes=nodes.view(mirror(nodes.dtype, self.pairs)))

    def turn_to(self, attacker: int) -> None:
        """Let the tree stand for this attacker, and begin at the root: what was worth following
        for the other is not for it."""
        assert self.tree is not None
        control = self.tree.control[0]
        turn(self.tree.nodes[: int(control["used"])], self.pairs)
        control["attacker"] = self.facing = attacker
        control["depth"] = 0


def turn(nodes: Array, pairs: dict[str, str]) -> None:
    """Exchange the fields of each pair."""
    for name, partner in pairs.items():
        kept = nodes[name].copy()
        nodes[name] = nodes[partner]
        nodes[partner] = kept


def mirror(dtype: np.dtype[Any], pairs: dict[str, str]) -> np.dtype[Any]:
    """Return the record with the names in each pair exchanged."""
    assert dtype.names is not None
    assert dtype.fields is not None
    place = {name: name for name in dtype.names} | pairs | {b: a for a, b in pairs.items()}
    return np.dtype({"names": list(dtype.names), "formats": [dtype[name] for name in dtype.names],
                     "offsets": [dtype.fields[place[name]][1] for name in dtype.names],
                     "itemsize": dtype.itemsize})


class TwoQuestionsRun(Run):
    """A tree that grows; ``status`` is that of the run's own question."""

    search: BothSides

    def __init__(self, search: BothSides, task: Task) -> None:
        self.before = 0, 0  # nodes and iterations of the question before
        self.left: tuple[int, int] | None = None  # its own, once another run has the tree
        earlier = task.after
        if (task.exact and isinstance(earlier, TwoQuestionsRun) and earlier.search == search
                and earlier.position is task.position and earlier.task.plain == task.plain):
            self._take_over(earlier, task)
        else:
            self.trunk = Trunk(task.attacker, search.mirrored)
            super().__init__(search, task)

    def _take_over(self, earlier: TwoQuestionsRun, task: Task) -> None:
        """Go on with the tree of an earlier run."""
        nodes, iterations = earlier.nodes, earlier.iterations
        vars(self).update(vars(earlier), task=task, attacker=task.attacker,
                          _lengths=np.zeros(0, np.int32), left=None)
        self.before = super().nodes, super().iterations
        earlier.left = nodes, iterations
        self.trunk.turn_to(self.attacker)

    def save(self, saving: Saving) -> None:
        """Keep the run; a tree that two runs share is kept by the second."""
        saving.json("counts", [self.before, self.left])
        if self.left is None:
            super().save(saving)

    def restore(self, saved: Saved) -> None:
        """Let a run that has just begun go on from a checkpoint."""
        before, left = saved.json("counts")
        self.before = int(before[0]), int(before[1])
        if left is None:
            super().restore(saved)
        else:
            self.left = int(left[0]), int(left[1])

    @property
    def tree(self) -> Tree:
        """The tree as this run's attacker sees it."""
        return self.trunk.seen_by(self.attacker)

    @tree.setter
    def tree(self, tree: Tree) -> None:
        self.trunk.tree = tree

    @property
    def own_nodes(self) -> Array:
        """The nodes, laid out as the run's kernel has them: a copy, where the tree stands for the
        other player."""
        if self.trunk.facing == self.attacker:
            return self.tree.nodes
        assert self.trunk.tree is not None
        nodes = self.trunk.tree.nodes[: self.size].copy()
        turn(nodes, self.trunk.pairs)
        return nodes

    def advance(self, budget: int, node_limit: int = NEVER, pause: int = NEVER) -> int:
        """Make at most ``budget`` expansions; limits count from where this question began."""
        nodes, iterations = self.before
        return super().advance(budget, min(node_limit + nodes, NEVER),
                               min(pause + iterations, NEVER))

    @property
    def nodes(self) -> int:
        """The number of nodes created for this question."""
        return self.left[0] if self.left else super().nodes - self.before[0]

    @property
    def iterations(self) -> int:
        """The number of expansions made for this question."""
        return self.left[1] if self.left else super().iterations - self.before[1]

    @property
    def bytes(self) -> int:
        """The memory in use; a tree counts once."""
        return 0 if self.left else super().bytes


proved_of_other = other_verdict_of(linked=False)


def aims_at_draw(o, nodes):
    """Return True if a draw is the attracting outcome: G(draw) + S(draw) < G(win), and it is not
    known that the attacker gets that much."""
    if not o.both or nodes[0].other != UNKNOWN:
        return False
    return np.int64(nodes[0].their_dn) + np.int64(nodes[0].dn) < np.int64(nodes[0].pn)


def select(o, nodes, n, attacker_moves):
    """Return the leftmost child with the least G of the outcome aimed at, where the attacker moves,
    or the least S of the one below it."""
    draw = aims_at_draw(o, nodes)
    first = nodes[n].first
    best, least = first, np.int64(INF)
    for c in range(first, first + nodes[n].count):
        if draw:
            number = np.int64(nodes[c].their_dn if attacker_moves else nodes[c].their_pn)
        else:
            number = np.int64(nodes[c].pn if attacker_moves else nodes[c].dn)
        if number < least:
            best, least = c, number
    return best


def evaluate(g, o, tree, n, s, depth):
    """Write the numbers of a leaf: 1 each."""
    nodes = tree.nodes
    nodes[n].pn, nodes[n].dn, nodes[n].their_pn, nodes[n].their_dn = 1, 1, 1, 1
    nodes[n].other = UNKNOWN


def settled_or(status, pn, dn):
    """Return (pn, dn), or what a status says about them: proved (0, inf), disproved (inf, 0)."""
    if status == WON:
        return np.int64(0), np.int64(INF)
    if status == LOST:
        return np.int64(INF), np.int64(0)
    return min(pn, np.int64(INF - 1)), min(dn, np.int64(INF - 1))


def write(nodes, n, pn, dn, their_pn, their_dn):
    """Write the numbers of ``n`` by what is proved and by its children; return True if they
    changed."""
    pn, dn = settled_or(nodes[n].status, pn, dn)
    their_pn, their_dn = settled_or(nodes[n].other, their_pn, their_dn)
    changed = (pn != nodes[n].pn or dn != nodes[n].dn or their_pn != nodes[n].their_pn
               or their_dn != nodes[n].their_dn)
    nodes[n].pn, nodes[n].dn = pn, dn
    nodes[n].their_pn, nodes[n].their_dn = their_pn, their_dn
    return changed


def settle(o, nodes, n):
    """Write the numbers of a game that one player won."""
    nodes[n].other = LOST if nodes[n].status == WON else WON
    write(nodes, n, np.int64(1), np.int64(1), np.int64(1), np.int64(1))


def drawn(o, nodes, n):
    """Write the numbers of a draw: neither player won."""
    nodes[n].other = LOST
    write(nodes, n, np.int64(1), np.int64(1), np.int64(1), np.int64(1))


def backup(o, nodes, n, leaf, attacker_moves):
    """Write minimum and sum, for both questions; unchanged numbers end the backup."""
    nodes[n].other = proved_of_other(nodes, n, attacker_moves)
    first = nodes[n].first
    least, their_least = np.int64(INF), np.int64(INF)
    total, their_total = np.int64(0), np.int64(0)
    for c in range(first, first + nodes[n].count):
        if attacker_moves:
            least = min(least, np.int64(nodes[c].pn))
            total += np.int64(nodes[c].dn)
            their_least = min(their_least, np.int64(nodes[c].their_dn))
            their_total += np.int64(nodes[c].their_pn)
        else:
            least = min(least, np.int64(nodes[c].dn))
            total += np.int64(nodes[c].pn)
            their_least = min(their_least, np.int64(nodes[c].their_pn))
            their_total += np.int64(nodes[c].their_dn)
    if attacker_moves:
        return write(nodes, n, least, total, their_total, their_least)
    return write(nodes, n, total, least, their_least, their_total)


@dataclass(frozen=True)
class MOPNS(BothSides):
    """Multiple-outcome proof-number search."""

    id: ClassVar[str] = "mopns"
    title: ClassVar[str] = "multiple-outcome proof-number search"
    paper: ClassVar[str] = "Saffidine and Cazenave 2012"
    numbers: ClassVar[list[tuple[str, str]]] = [
        *OTHER, ("pn", "u4"), ("dn", "u4"), ("their_pn", "u4"), ("their_dn", "u4")]
    mirrored: ClassVar[dict[str, str]] = {"pn": "their_pn", "dn": "their_dn"}
    follows: ClassVar[str] = ("the least G of the outcome that it aims at where {me} moves and the "
                              "least S of the one below where {you} does")

    def plan(self, rules: Rules) -> Plan:
        """Return a plan with PN's two numbers, twice."""
        return Plan(select, evaluate, settle, backup, drawn=drawn, shuffle=self.shuffle)

    def show(self, node: Any) -> dict[str, Any]:
        """Return the four numbers that are not 0 from the start."""
        return {"G_win": proof_number(node["pn"]), "S_draw": proof_number(node["dn"]),
                "G_draw": proof_number(node["their_dn"]), "S_loss": proof_number(node["their_pn"])}
