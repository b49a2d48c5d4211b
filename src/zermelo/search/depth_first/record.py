"""Following a depth-first search, a visit at a time.

The kernel runs as it always does, up to the next visit. What it did is read off its stack: frames
and children of a node that was left stay there until the next visit. A node on the path has the
numbers that its children come to; one that was left those that its parent was told.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from zermelo.search.base import Change, Numbers, Path, Seen, Step
from zermelo.search.common.status import UNKNOWN, WON
from zermelo.search.depth_first.look import seen
from zermelo.search.depth_first.plan import Stack

if TYPE_CHECKING:
    from zermelo.search.depth_first.run import Run


class PathRecorder:
    """What the last visit did. Nodes are told apart by their paths."""

    def __init__(self, run: Run) -> None:
        self.run, self.visits, self.expansions = run, 0, 0
        self.depth = self._depth
        self.known: dict[Path, tuple[int, Numbers]] = {(): (run.status, run.numbers())}

    def advance(self, search: Callable[..., int]) -> int:
        """One visit."""
        return search(1)

    def standing(self) -> list[tuple[Path, Seen]]:
        """None: a depth-first search begins with the root."""
        return []

    def record(self) -> Step | None:
        """What the last visit did."""
        run = self.run
        if run.nodes == self.visits:
            return None
        entered, self.depth = self.depth + 1, self._depth
        again = run.iterations == self.expansions
        self.visits, self.expansions = run.nodes, run.iterations
        path = self._path(entered)
        created, changed = self._children(entered, path)
        for depth in range(entered, -1, -1):
            changed += self._changed(path[:depth], self._node(depth))
            if depth > self.depth:
                changed += self._siblings(depth - 1, path[: depth - 1])
        frames = self._stack.frames
        thresholds = {path[:depth]: run.search.show_thresholds(frames[depth]["th_pn"],
                                                               frames[depth]["th_dn"])
                      for depth in range(entered + 1)}
        status, numbers = self._node(entered)
        return Step(path, created, changed, int(frames[entered]["count"]), numbers, status,
                    thresholds, again, self.depth)

    @property
    def _stack(self) -> Stack:
        return self.run.stacks[0]

    @property
    def _depth(self) -> int:
        return int(self._stack.control[0]["depth"])

    def _path(self, depth: int) -> Path:
        stack = self._stack
        return tuple(int(stack.children[stack.frames[at]["chosen"]]["move"])
                     for at in range(depth))

    def _rows(self, depth: int) -> Any:
        frame = self._stack.frames[depth]
        return self._stack.children[frame["first"] : frame["first"] + frame["count"]]

    def _node(self, depth: int) -> tuple[int, Numbers]:
        """The node at ``depth`` of the path, as it stands."""
        run, stack = self.run, self._stack
        if depth == 0 and run.status != UNKNOWN:
            return run.status, run.numbers()
        if depth > self.depth:
            row = stack.children[stack.frames[depth - 1]["chosen"]]
            return self._row(row)
        frame = stack.frames[depth]
        mine = int(frame["mover"]) == run.attacker
        status, pn, dn, _ = run.parts.weigh(
            run.options, stack.children, int(frame["first"]), int(frame["count"]), mine)
        if status != UNKNOWN:
            return int(status), run.search.show_solved(status == WON)
        return UNKNOWN, run.search.show(pn, dn)

    def _row(self, row: Any) -> tuple[int, Numbers]:
        shown = seen(self.run, row, None)
        return shown.status, shown.numbers

    def _children(self, depth: int, path: Path) -> tuple[list[Seen], list[Change]]:
        """The children of the node that was entered: new ones, and those seen otherwise before."""
        created, changed = list[Seen](), list[Change]()
        for row in self._rows(depth):
            child = seen(self.run, row, None)
            below = (*path, int(row["move"]))
            if below in self.known:
                changed += self._changed(below, (child.status, child.numbers))
            else:
                created.append(child)
                self.known[below] = (child.status, child.numbers)
        return created, changed

    def _siblings(self, depth: int, path: Path) -> list[Change]:
        """What the table has told about other children on the way back."""
        chosen, found = int(self._stack.frames[depth]["chosen"]), list[Change]()
        first = int(self._stack.frames[depth]["first"])
        for at, row in enumerate(self._rows(depth), first):
            if at != chosen:
                found += self._changed((*path, int(row["move"])), self._row(row))
        return found

    def _changed(self, path: Path, now: tuple[int, Numbers]) -> list[Change]:
        before = self.known.get(path, (UNKNOWN, {}))
        if now == before:
            return []
        self.known[path] = now
        return [Change(path, before[1], now[1], now[0])]
