"""Record a run step by step, without having any part in it.

The kernel runs as it always does, up to the next expansion or visit. What it did is read off its
arrays: where it was, what stands there now, and by the numbers of before what is new.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from typing import Any

from zermelo.search.base import Change, Numbers, Path, Seen, Step
from zermelo.search.reasons import UNKNOWN


class Recorder(ABC):
    """Follows a run; nodes are told apart by their paths. A family says how a step is made, where
    it led, and what stands on the way."""

    def __init__(self, run: Any) -> None:
        self.run = run
        self.known: dict[Path, tuple[int, Numbers]] = {(): (run.status, run.numbers())}
        self.known |= {path: (seen.status, seen.numbers) for path, seen in self.standing()}

    @abstractmethod
    def advance(self, search: Callable[..., int]) -> int:
        """Make one step by ``search``, the run's own ``advance``."""

    def standing(self) -> list[tuple[Path, Seen]]:
        """Return the nodes beside the root that were there before the first step, with their
        paths."""
        return []

    def record(self) -> Step | None:
        """Return the effects of the last step; None while it is not complete."""
        path = self._path()
        if path is None:
            return None
        children, created, changed = self._children(len(path)), list[Seen](), list[Change]()
        for child in children:
            below = (*path, child.move or 0)
            if below in self.known:
                changed += self._changed(below, child.status, child.numbers)
            else:
                created.append(child)
                self.known[below] = child.status, child.numbers
        for depth in range(len(path), -1, -1):
            changed += self._changed(path[:depth], *self._node(depth))
            for child in self._beside(depth):
                below = (*path[: depth - 1], child.move or 0)
                changed += self._changed(below, child.status, child.numbers)
        status, numbers = self._node(len(path))
        return Step(path, created, changed, len(children), numbers, status, **self._more(path))

    def _changed(self, path: Path, status: int, numbers: Numbers) -> list[Change]:
        before = self.known.get(path, (UNKNOWN, {}))
        if before == (status, numbers):
            return []
        self.known[path] = status, numbers
        return [Change(path, before[1], numbers, status)]

    @abstractmethod
    def _path(self) -> Path | None:
        """Return the moves to the node that was expanded or entered; None if no step was made."""

    @abstractmethod
    def _node(self, depth: int) -> tuple[int, Numbers]:
        """Return the status and the numbers of the node at ``depth`` of the last path."""

    @abstractmethod
    def _children(self, depth: int) -> list[Seen]:
        """Return the children of that node."""

    def _beside(self, depth: int) -> list[Seen]:
        """Return nodes beside that node about which the step told something."""
        return []

    def _more(self, path: Path) -> dict[str, Any]:
        """Return what else the step has."""
        return {}
