"""Run: one best-first search in progress, seen from Python. Does the attacker win?"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from functools import cached_property, partial
from typing import Any

import numpy as np

from zermelo.compiler.compile_errors import rules_that_compile
from zermelo.compiler.jit import jit_enabled, kernel
from zermelo.core.board import moves_array, scratch_for, states_array
from zermelo.core.position import Position
from zermelo.errors import BadGame
from zermelo.search.base import Opened, Proof, ProvedTree, Task
from zermelo.search.best_first import saved
from zermelo.search.best_first.driver import run_of
from zermelo.search.best_first.inspector import Walk, open_node
from zermelo.search.best_first.plan import CONTROL, Array, Planned, Tree
from zermelo.search.best_first.pool import (
    MOST_CHILDREN,
    MOST_NODES,
    NOBODY,
    contiguous_lengths,
    linked_lengths,
    node_dtype,
    node_pool,
)
from zermelo.search.common.rules import first_path, kept, may_lengthen
from zermelo.search.reasons import DEEPER, LOST, NEVER, TOO_MANY, UNKNOWN, too_long, too_many_moves

FIRST_PATH = 4_096


class Parts:
    """What the runs of a search on a game have in common."""

    def __init__(self, search: Planned, task: Task) -> None:
        self.rules = task.rules
        self.plan = search.plan(self.rules)

    @cached_property
    def run(self) -> Any:
        """The kernel."""
        return kernel(run_of(self.rules, self.plan))

    @cached_property
    def select(self) -> Any:
        """The plan's ``select``, to be called from Python."""
        return kernel(self.plan.select)


class Run:
    """A tree that grows by ``advance``; ``status`` is UNKNOWN, WON or LOST for the attacker."""

    save, restore = saved.save, saved.restore

    def __init__(self, search: Planned, task: Task) -> None:
        position, attacker, plain = task.position, task.attacker, task.plain
        self.parts = kept(position.game, (Parts, search, task.candidates),
                          partial(Parts, search, task))
        rules = self.rules = self.parts.rules
        self.plan = self.parts.plan
        if rules.max_moves > MOST_CHILDREN:
            raise BadGame(f"{position.game.name}: max_moves={rules.max_moves} is beyond the "
                          f"{MOST_CHILDREN} that a node can hold.")
        self.search, self.position, self.attacker = search, position, attacker
        self.candidates = task.candidates
        self.plain = plain
        self.options = self._options(task)
        self.dtype = node_dtype(self._node_numbers(), self.plan.linked)
        self.path_length = first_path(rules, FIRST_PATH)
        self.asked = self._capacity(task.memory)  # the system may have granted less
        self.tree = self._tree(self.asked)
        nested = self.plan.nested is not None
        self.inner: Any = self._tree(self._nested_capacity(self.asked)) if nested else ()
        control = self.tree.control[0]
        control["attacker"], control["seed"] = attacker, np.uint64(task.seed & (2**64 - 1))
        control["plain"] = plain
        self.tree.states[0] = position.state[0]
        self.advance(0)
        if position.outcome is not None and self.status == UNKNOWN:  # over for want of moves
            self.advance(1)
            self.tree.control[0]["iterations"] = 0

    def _options(self, task: Task) -> tuple[Any, ...]:
        """What the compiled parts read as ``o``."""
        return self.search.data()

    def _node_numbers(self) -> list[Any]:
        """The fields that the search adds to a node."""
        return self.search.node_numbers()

    def advance(self, budget: int, node_limit: int = NEVER, pause: int = NEVER) -> int:
        """At most ``budget`` expansions; why the loop came back (see ``driver``)."""
        control = self.tree.control[0]
        control["limit"], control["pause"] = node_limit, pause
        return self._expand(budget)

    def _expand(self, budget: int) -> int:
        """The loop, with room for as long a path as it needs."""
        while True:
            with rules_that_compile(self.position.game.name, self._run):
                reason = self._run(self.rules.data, self.options, self.tree, self.inner, budget)
            if reason != DEEPER:
                break
            self.deepen()
        if reason == TOO_MANY:
            raise too_many_moves(self.position.game)
        return int(reason)

    @property
    def _run(self) -> Any:
        return self.parts.run

    def charge(self, nodes: int) -> None:
        """Take ``nodes`` off those that are left to it: work done for it elsewhere."""
        self.tree.control[0]["limit"] -= nodes

    def grow(self, memory: int) -> None:
        """Use up to ``memory`` bytes from now on; the tree so far stays as it is."""
        capacity = self._capacity(memory)
        if capacity <= self.asked:
            return
        self.asked = capacity
        if self.inner:
            self.inner = self._wider(self.inner, self._nested_capacity(capacity))
        self.tree = self._wider(self.tree, capacity)

    @property
    def status(self) -> int:
        """UNKNOWN, WON or LOST."""
        return int(self.tree.nodes[0]["status"])

    @property
    def size(self) -> int:
        """How many nodes the pool holds."""
        return int(self.tree.control[0]["used"])

    @property
    def nodes(self) -> int:
        """How many nodes were created, as the papers count."""
        return int(self.tree.control[0]["nodes"])

    @property
    def iterations(self) -> int:
        """How many expansions were made."""
        return int(self.tree.control[0]["iterations"])

    @property
    def bytes(self) -> int:
        """The memory in use."""
        return self.size * self.dtype.itemsize + self._overhead()

    def numbers(self, n: int = 0) -> dict[str, Any]:
        """The numbers of a node, by name."""
        return self.search.show(self.tree.nodes[n])

    @property
    def arrived(self) -> bool:
        """The root is solved, or within the precision asked for."""
        return self.status != UNKNOWN or self.search.within_precision(self.tree.nodes[0])

    @property
    def leans_to_win(self) -> bool:
        """Of a root within the precision: nearer to a win than to not a win."""
        return self.search.leans_to_win(self.tree.nodes[0])

    def children(self, n: int = 0) -> list[int]:
        """The children of a node that exist, from left to right."""
        node = self.tree.nodes[n]
        first = int(node["first"])
        if not self.plan.linked:
            return list(range(first, first + int(node["count"])))
        found = []
        while first != NOBODY:
            found.append(first)
            first = int(self.tree.nodes[first]["next"])
        return found

    def moves(self) -> list[tuple[int, int, dict[str, Any]]]:
        """The root's children: (move, status, numbers)."""
        nodes = self.tree.nodes
        return [(int(nodes[c]["move"]), self._sure(int(nodes[c]["status"])), self.numbers(c))
                for c in self.children()]

    def _sure(self, status: int) -> int:
        """The status of a child of the root, unless it may rest on a repetition of the root."""
        by_path = self.rules.cyclic and (self.rules.repeat is not None or status == LOST)
        return UNKNOWN if by_path and status != self.status else status

    @property
    def proof_length(self) -> int:
        """Not kept."""
        return 0

    @property
    def counters(self) -> dict[str, Any]:
        """What is counted beside nodes and iterations: nothing."""
        return {}

    @property
    def path(self) -> list[tuple[int, dict[str, Any]]]:
        """The moves to the current node, with the numbers of the nodes they lead to."""
        control = self.tree.control[0]
        at = self.tree.path[: int(control["root_at"]) + int(control["depth"]) + 1]
        return [(int(self.tree.nodes[n]["move"]), self.numbers(n)) for n in at[1:]]

    def walk(self) -> Walk:
        """A walk through the proof found."""
        return Walk(self)

    def proof(self) -> Proof:
        """The tree."""
        return Proof(tree=lambda: ProvedTree(self.status, self.own_nodes, self.lengths,
                                             self.plan.linked))

    def open(self, path: Sequence[int], offset: int, count: int) -> Opened:
        """The node that ``path`` leads to, and ``count`` of its children."""
        return open_node(self, path, offset, count)

    @property
    def fill(self) -> float:
        """Which part of the pool is in use."""
        return self.size / len(self.tree.nodes)

    def again(self, position: Position, memory: int) -> Run | None:
        """A run for a part of the proof that this one threw away; None where it keeps all."""
        search = self.search.again()
        if search is None:
            return None
        return Run(search, Task(position, self.attacker, max(memory, 2 * self.inner.nodes.nbytes),
                                plain=self.plain, candidates=self.candidates))

    def chosen(self) -> int | None:
        """The root's move that would be played now; None while there is none."""
        child = self._chosen_child()
        return None if child is None else int(self.tree.nodes[child]["move"])

    def _chosen_child(self) -> int | None:
        open_children = [c for c in self.children() if self.tree.nodes[c]["status"] == UNKNOWN]
        if not open_children and self.status == UNKNOWN:
            return None
        attacker_moves = int(self.tree.nodes[0]["mover"]) == self.attacker
        if self.status != UNKNOWN:
            same = [c for c in self.children() if self.tree.nodes[c]["status"] == self.status]
            return same[0] if same else None
        choose = self.plan.choose or self.plan.select
        return int(kernel(choose)(self.options, self.tree.nodes, 0, attacker_moves))

    @property
    def own_nodes(self) -> Array:
        """The nodes, laid out as the run's kernel has them."""
        return self.tree.nodes

    @cached_property
    def lengths(self) -> np.ndarray[Any, Any]:
        """How many plies each proved node lasts in the proof found (final trees only)."""
        return self._measure()

    def _measure(self) -> Array:
        lengths = np.zeros(self.size, np.int32)
        measure = linked_lengths if self.plan.linked else contiguous_lengths
        kernel(measure)(self.tree.nodes, self.size, self.attacker, lengths)
        return lengths

    def _tree(self, capacity: int) -> Tree:
        rules = self.rules
        states = states_array(rules, self.path_length)
        child = states_array(rules, 1)
        control = np.zeros(1, CONTROL)
        control = control if jit_enabled() else control.view(np.recarray)
        return Tree(
            nodes=node_pool(self.dtype, capacity), path=np.zeros(len(states), np.int32),
            states=states, raw=states.view(np.uint8), keys=np.zeros(len(states), np.uint64),
            child=child, child_raw=child.view(np.uint8), moves=moves_array(rules),
            scratch=scratch_for(rules), control=control,
        )

    def _overhead(self) -> int:
        """The bytes that are there whatever the number of nodes: paths, and PN2's second pool."""
        return self._paths() + (int(self.inner.nodes.nbytes) if self.inner else 0)

    def _paths(self) -> int:
        trees = 1 if self.plan.nested is None else 2
        return trees * self.path_length * (self.rules.dtype.itemsize + 12)

    def _capacity(self, memory: int) -> int:
        """How many nodes of the tree fit into ``memory``, beside those of a nested search."""
        room = min((memory - self._paths()) // self.dtype.itemsize, MOST_NODES)
        if self.plan.nested is not None and room > 0:
            least = max(0, room - self._nested_capacity(room))  # it needs no more for a smaller one
            room = least - 1 + bisect_right(
                range(least, room), room, key=lambda size: size + self._nested_capacity(size))
        return max(1, room)

    def _nested_capacity(self, size: int) -> int:
        """How many nodes a nested search may need while the tree has up to ``size``."""
        return self.search.nested_nodes(size) + self.rules.max_moves + 2

    def _wider(self, tree: Tree, capacity: int) -> Tree:
        """The tree with room for ``capacity`` nodes, or as it is if the system grants no more."""
        nodes, used = node_pool(self.dtype, capacity), int(tree.control[0]["used"])
        if len(nodes) <= len(tree.nodes):
            return tree
        nodes[:used] = tree.nodes[:used]
        return tree._replace(nodes=nodes)

    def deepen(self) -> None:
        """Make room for a longer path; games that are not cyclic must keep to max_length."""
        if not may_lengthen(self.rules, self.path_length):
            raise too_long(self.position.game)
        self.path_length *= 2
        inner = self._longer(self.inner) if self.inner else ()
        self.tree, self.inner = self._longer(self.tree), inner

    def _longer(self, tree: Tree) -> Tree:
        used = len(tree.path)
        states = states_array(self.rules, self.path_length)
        path, keys = np.zeros(len(states), np.int32), np.zeros(len(states), np.uint64)
        states[:used], path[:used], keys[:used] = tree.states, tree.path, tree.keys
        return tree._replace(states=states, raw=states.view(np.uint8), path=path, keys=keys)
