"""Leaves valued by a function of the user's, many at a time: "bring your own value network".

The tree, its rules and its proofs are those of the compiled search; only the chances come from
outside. A batch is gathered leaf by leaf. The first leaf is the one that the search expands anyway;
the others are those that it would, if every leaf that waits below a child made that child worse to
the player who chooses it (``virtual``). Then all new positions are valued at once, and the numbers
are backed up. A batch of 1 expands the same leaves as the compiled search does.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zermelo.compiler.jit import kernel
from zermelo.core.board import states_array
from zermelo.core.position import Position
from zermelo.core.rules import Rules
from zermelo.errors import BadOption, counted, quoted
from zermelo.search.base import Task
from zermelo.search.best_first.plan import Function, Plan
from zermelo.search.best_first.search import BestFirst, Run
from zermelo.search.reasons import NEVER, NODES, SLICE, UNKNOWN
from zermelo.workers.signals import Interrupts

TRIES = 8  # for a leaf of a batch, before it is taken as full


@dataclass(frozen=True)
class Valued(BestFirst):
    """A search whose leaves can be valued from outside."""

    takes_values: ClassVar[bool] = True

    @abstractmethod
    def unvalued(self) -> Function:
        """Return ``unvalued(nodes, n)``, which writes the numbers of a node until it is valued."""

    @abstractmethod
    def of_chance(self, p: float, q: float) -> dict[str, float]:
        """Return the numbers of a leaf that is won with chance p and not won with chance q."""

    @abstractmethod
    def virtual(self, numbers: dict[str, float], visits: int,
                attacker_moves: bool) -> dict[str, float]:
        """Return the numbers of a node below which leaves wait."""

    def start(self, task: Task) -> Run:
        """Begin a run, with leaves valued by playouts or from outside."""
        return Run(self, task) if task.evaluate_many is None else EvaluatedRun(self, task)


class Waiting(NamedTuple):
    """New nodes without a value: the path to their parent, the first of them, and their states."""

    path: list[int]
    first: int
    states: Any


class EvaluatedRun(Run):
    """A run whose leaves ``task.evaluate_many`` values."""

    search: Valued

    def __init__(self, search: Valued, task: Task) -> None:
        assert task.evaluate_many is not None
        self.batch = task.batch
        self.evaluate_many = task.evaluate_many
        self.interrupts = Interrupts()
        self.waiting: list[Waiting] = []
        super().__init__(search, task)
        self._backup = kernel(self.plan.backup)

    def _plan(self, rules: Rules) -> Plan:
        """Return the plan of the search, which notes new positions instead of valuing them."""
        unvalued = self.search.unvalued()

        def evaluate(g, o, tree, n, s, depth):
            o.states[n - o.first[0]] = s
            unvalued(tree.nodes, n)

        return replace(self.search.plan(rules), evaluate=evaluate)

    def _options(self, task: Task) -> Any:
        """Return the options, and where the states of new nodes are put, that of node ``first[0]``
        foremost."""
        return self.search.packed(states=states_array(self.rules, self.rules.max_moves + 1),
                                  first=np.zeros(1, np.int64))

    def advance(self, budget: int, node_limit: int = NEVER, pause: int = NEVER) -> int:
        """Expand whole batches until ``budget`` expansions are made; return the reason to stop."""
        control = self.tree.control[0]
        control["limit"] = control["pause"] = NEVER
        with self.interrupts.held():
            begun = self.size > 0
            reason = self._expand(0)
            if not begun:
                self._note([])
            self._value()
            end = self.iterations + budget
            while reason == SLICE and self.iterations < min(end, pause):
                if self.nodes >= node_limit:
                    return NODES
                self._gather()
                self._value()
                reason = self._expand(0)
                if self.interrupts.noted:
                    self.interrupts.noted = False
                    raise KeyboardInterrupt
        return NODES if reason == SLICE and self.nodes >= node_limit else reason

    def _gather(self) -> None:
        """Expand the leaves of a batch, as far as it goes."""
        visits: dict[int, int] = {}
        control = self.tree.control[0]
        for _ in range(TRIES * self.batch):
            if self.waiting and not self._descend(visits):
                continue
            before = self.size, self.iterations
            self.options.first[0] = before[0]
            reason = self._expand(1)
            if self.iterations > before[1]:
                path = self._path_to_parent(before[0])
                self._note(path)
                for n in path:
                    visits[n] = visits.get(n, 0) + 1
            control["depth"] = 0
            if self.status != UNKNOWN or reason != SLICE or len(self.waiting) >= self.batch:
                return

    def _descend(self, visits: dict[int, int]) -> bool:
        """Put the path to the next leaf in place; False if that leaf waits itself."""
        tree, control = self.tree, self.tree.control[0]
        newest = self.waiting[0].first
        n = 0
        path = [0]
        while int(tree.nodes[n]["count"]) and len(path) < len(tree.path) - 2:
            n = self._select(n, visits)
            path.append(n)
        for node in path:
            visits[node] = visits.get(node, 0) + 1
        if n >= newest or int(tree.nodes[n]["count"]):
            return False
        board = self.position.game.board
        for at, node in enumerate(path[1:], 1):
            tree.path[at] = node
            tree.states[at] = board.step(tree.states[at - 1: at], int(tree.nodes[node]["move"]))[0]
            if self.rules.cyclic:
                tree.keys[at] = np.uint64(board.key(tree.states[at: at + 1]) & (2**64 - 1))
        control["depth"] = len(path) - 1
        return True

    def _select(self, n: int, visits: dict[int, int]) -> int:
        """Return the child that the search would follow, with virtual numbers where leaves wait."""
        nodes = self.tree.nodes
        attacker_moves = int(nodes[n]["mover"]) == self.attacker
        changed = [c for c in self.children(n) if c in visits and nodes[c]["status"] == UNKNOWN]
        names = [name for name, _ in self._node_numbers()]
        real = [{name: float(nodes[c][name]) for name in names} for c in changed]
        for c, numbers in zip(changed, real, strict=True):
            self._put(c, self.search.virtual(numbers, visits[c], attacker_moves))
        chosen = int(self.select(self.options, nodes, n, attacker_moves))
        for c, numbers in zip(changed, real, strict=True):
            self._put(c, numbers)
        return chosen

    def _put(self, n: int, numbers: dict[str, float]) -> None:
        for name, number in numbers.items():
            self.tree.nodes[n][name] = number

    def _path_to_parent(self, first: int) -> list[int]:
        """Return the path to the node whose children begin at ``first``; it stays in place."""
        path, nodes = [], self.tree.nodes
        for n in self.tree.path:
            path.append(int(n))
            if int(nodes[n]["first"]) == first or int(nodes[n]["count"]) == 0:
                break
        return path

    def _note(self, path: list[int]) -> None:
        """Let the nodes that were just made wait for a value."""
        first = int(self.options.first[0])
        states = np.zeros(self.size - first, self.rules.dtype)
        states[:] = self.options.states[: len(states)]
        self.waiting.append(Waiting(path, first, states))

    def _value(self) -> None:
        """Value what waits, and back up."""
        nodes, game = self.tree.nodes, self.position.game
        places, positions = [], []
        for one in self.waiting:
            for i in range(len(one.states)):
                n = one.first + i
                if nodes[n]["status"] == UNKNOWN and (n > 0 or self.position.outcome is None):
                    places.append(n)
                    positions.append(Position(game, one.states[i: i + 1].copy()))
        if positions:
            answer = self.interrupts.call(self.evaluate_many, positions)
            for n, (win, loss) in zip(places, read_chances(answer, len(positions)), strict=True):
                mine = int(nodes[n]["mover"]) == self.attacker
                p = win if mine else loss
                q = (1.0 - p) if win + loss != 1.0 else (loss if mine else win)
                self._put(n, self.search.of_chance(p, q))
        for one in self.waiting:
            for n in reversed(one.path):
                attacker_moves = int(nodes[n]["mover"]) == self.attacker
                self._backup(self.options, nodes, n, n, attacker_moves)
        self.waiting = []


def read_chances(answer: Any, count: int) -> list[tuple[float, float]]:
    """Return the answer of ``evaluate_many``: for each position (wins, loses), or BadOption."""
    try:
        chances = np.asarray(answer, np.float64)
    except (TypeError, ValueError):
        chances = np.full(0, np.nan)
    if chances.shape == (count,):
        chances = np.stack([chances, 1.0 - chances], axis=1)
    in_range = chances.shape == (count, 2) and bool(
        np.all((chances >= 0) & (chances <= 1)) and np.all(chances.sum(axis=1) <= 1 + 1e-6))
    if not in_range:
        raise BadOption(f"evaluate_many returned {quoted(answer)} for "
                        f"{counted(count, 'position')}; it is a number from 0 to 1 for each, the "
                        "chance that the player to move wins, or two: that it wins, and that it "
                        "loses.")
    return [(float(win), float(loss)) for win, loss in chances]
