"""A run whose tree also answers the other player's question: does it win?

Such a tree has for every node what is proved of both: ``status`` is about the attacker, ``other``
about its opponent, and each is found by logic from finished games. If a session asks for the exact
value it asks first whether one player wins and then, if not, whether the other does. The run of the
second question goes on with the tree of the first.

The kernel knows one attacker. For the second question the fields of all nodes change places with
their mirror images: ``status`` with ``other``, and each number with its partner. The run of the
first question has answered; it reads the tree through a view with the names exchanged.
"""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from zermelo.search.base import Task
from zermelo.search.best_first.plan import Array, Planned, Tree
from zermelo.search.best_first.pool import contiguous_verdict_of, linked_verdict_of
from zermelo.search.best_first.run import Run
from zermelo.search.common.saved import Saved, Saving
from zermelo.search.reasons import NEVER

# What a node adds to its header; the rest is to make numbers begin at a multiple of four.
OTHER = [("other", "u1"), ("spare", "u1"), ("spare2", "u2")]


def other_of(nodes, n):
    """What is proved of a node for the attacker's opponent."""
    return nodes[n].other


_of_all = contiguous_verdict_of(other_of)
_of_linked = linked_verdict_of(other_of)


def other_verdict(nodes, n, attacker_moves):
    """WON, LOST or UNKNOWN for the attacker's opponent: what the children of ``n`` say."""
    return _of_all(nodes, n, not attacker_moves)


def linked_other_verdict(nodes, n, attacker_moves):
    """The same for linked children."""
    return _of_linked(nodes, n, not attacker_moves)


class BothSides(Planned, Protocol):
    """A search whose nodes have numbers for both players."""

    @property
    def mirrored(self) -> dict[str, str]:
        """Which number is which, seen from the other side."""

    def task_data(self, task: Task) -> tuple[Any, ...]:
        """What the compiled parts read for a question."""


class Trunk:
    """The tree that one or two runs share; ``facing`` is the attacker for whom it stands."""

    def __init__(self, facing: int, pairs: dict[str, str]) -> None:
        self.facing, self.pairs = facing, {"status": "other", **pairs}
        self.tree: Tree | None = None

    def seen_by(self, attacker: int) -> Tree:
        """The tree with this player as attacker."""
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
    """Exchange what stands in the fields of each pair."""
    for name, partner in pairs.items():
        kept = nodes[name].copy()
        nodes[name] = nodes[partner]
        nodes[partner] = kept


def mirror(dtype: np.dtype[Any], pairs: dict[str, str]) -> np.dtype[Any]:
    """The record with the names in each pair exchanged."""
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
        self.measured = np.zeros(0, np.int32)
        earlier = task.after
        if (task.exact and isinstance(earlier, TwoQuestionsRun) and earlier.search == search
                and earlier.position is task.position and earlier.plain == task.plain):
            self._take_over(earlier, task)
        else:
            self.trunk = Trunk(task.attacker, search.mirrored)
            super().__init__(search, task)

    def _take_over(self, earlier: TwoQuestionsRun, task: Task) -> None:
        self.search, self.position, self.attacker = earlier.search, task.position, task.attacker
        self.parts, self.rules, self.plan = earlier.parts, earlier.rules, earlier.plan
        self.options, self.dtype, self.inner = earlier.options, earlier.dtype, earlier.inner
        self.candidates, self.plain = earlier.candidates, earlier.plain
        self.path_length, self.asked = earlier.path_length, earlier.asked
        self.trunk = earlier.trunk
        earlier.left = earlier.nodes, earlier.iterations
        self.before = super().nodes, super().iterations
        self.trunk.turn_to(self.attacker)

    def save(self, saving: Saving) -> None:
        """As others do; a tree that two runs share is kept by the second."""
        if self.left is not None:
            saving.facts["left"] = list(self.left)
        else:
            saving.facts["before"] = list(self.before)
            super().save(saving)

    def restore(self, saved: Saved) -> None:
        """Let a run that has just begun go on from there."""
        if saved.has("left"):
            nodes, iterations = saved.numbers("left", 0, NEVER, 2)
            self.left = nodes, iterations
            saved.later.append(lambda: saved.require(self.trunk.facing != self.attacker))
            return
        super().restore(saved)
        nodes, iterations = saved.numbers("before", 0, NEVER, 2)
        saved.require(nodes <= super().nodes and iterations <= super().iterations)
        self.before = nodes, iterations

    @property
    def tree(self) -> Tree:
        """As this run's attacker sees it."""
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

    def _options(self, task: Task) -> tuple[Any, ...]:
        return self.search.task_data(task)

    def advance(self, budget: int, node_limit: int = NEVER, pause: int = NEVER) -> int:
        """At most ``budget`` expansions; limits count from where this question began."""
        nodes, iterations = self.before
        return super().advance(budget, min(node_limit + nodes, NEVER),
                               min(pause + iterations, NEVER))

    @property
    def lengths(self) -> Array:
        """How many plies each proved node lasts; anew where the tree has grown for the other."""
        if len(self.measured) != self.size:
            self.measured = self._measure()
        return self.measured

    @property
    def nodes(self) -> int:
        """How many nodes were created for this question."""
        return self.left[0] if self.left else super().nodes - self.before[0]

    @property
    def iterations(self) -> int:
        """How many expansions were made for this question."""
        return self.left[1] if self.left else super().iterations - self.before[1]

    @property
    def bytes(self) -> int:
        """The memory in use; a tree counts once."""
        return 0 if self.left else super().bytes
