"""Following a tree as it grows, an expansion at a time.

The kernel runs as it always does, up to the next expansion. What it did is read off the tree: the
path array has the nodes it went through, the pool the nodes it made, and a copy of the older nodes
says which numbers are new. Only the nodes on the path can have changed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.search.base import Change, Numbers, Path, Seen, Step
from zermelo.search.best_first.look import seen, size

if TYPE_CHECKING:
    from zermelo.search.best_first.run import Run

SLICE = 1 << 20  # expansions of a nested search


class TreeRecorder:
    """What the last expansion did."""

    def __init__(self, run: Run) -> None:
        self.run, self.iterations, self.used = run, run.iterations, 0
        self.known: dict[int, tuple[int, Numbers]] = {}
        self._take_over()
        self._clear_path()

    def advance(self, search: Callable[..., int]) -> int:
        """One expansion; a nested search may need several calls."""
        return search(SLICE, pause=self.run.iterations + 1)

    def standing(self) -> list[tuple[Path, Seen]]:
        """The tree of an earlier question, where the run goes on with it."""
        run, found = self.run, list[tuple[Path, Seen]]()
        todo: list[tuple[Path, int]] = [((), 0)] if self.used > 1 else []
        while todo:
            path, n = todo.pop(0)
            for c in run.children(n):
                below = (*path, int(run.tree.nodes[c]["move"]))
                found.append((below, seen(run, c, best=False)))
                todo.append((below, c))
        return found

    def record(self) -> Step | None:
        """What the last expansion did."""
        run = self.run
        if run.iterations == self.iterations:
            return None
        self.iterations = run.iterations
        nodes = self._nodes()
        path = tuple(int(run.tree.nodes[n]["move"]) for n in nodes[1:])
        created = [seen(run, n, best=False) for n in range(self.used, run.size)]
        changed = self._changed(nodes, path)
        self._take_over()
        self._clear_path()
        status, numbers = self._now(nodes[-1])
        return Step(path, created, changed, size(run, nodes[-1]), numbers, status)

    def _nodes(self) -> list[int]:
        """The nodes from the root to the one that was expanded."""
        path: np.ndarray[Any, Any] = self.run.tree.path
        end = int(np.flatnonzero(path[1:] == 0)[0]) + 1
        return [int(n) for n in path[:end]]

    def _clear_path(self) -> None:
        """Nodes below the current one are left over from earlier paths; nobody reads them."""
        tree = self.run.tree
        tree.path[int(tree.control[0]["depth"]) + 1 :] = 0

    def _changed(self, nodes: list[int], path: Path) -> list[Change]:
        found = []
        for depth in range(len(nodes) - 1, -1, -1):
            now = self._now(nodes[depth])
            before = self.known[nodes[depth]]
            if now != before:
                found.append(Change(path[:depth], before[1], now[1], now[0]))
                self.known[nodes[depth]] = now
        return found

    def _now(self, n: int) -> tuple[int, Numbers]:
        return int(self.run.tree.nodes[n]["status"]), self.run.numbers(n)

    def _take_over(self) -> None:
        """The nodes that are new."""
        for n in range(self.used, self.run.size):
            self.known[n] = self._now(n)
        self.used = self.run.size


