"""The inspector of best-first runs: the tree, each expansion, and the proof that was found.

Looking writes nothing to the tree, so that a search can be looked at between two slices. To record
a run, the path array has the nodes that an expansion went through. Only those can have changed.

On a walk through the proof, what a search threw away (PN2) is searched again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import numpy as np

from zermelo.search.base import Numbers, Opened, Path, Seen
from zermelo.search.best_first.plan import NO_NODE
from zermelo.search.common.recorder import Recorder
from zermelo.search.reasons import SLICE, UNKNOWN, WON

if TYPE_CHECKING:
    from zermelo.core.position import Position
    from zermelo.search.best_first.search import Run

MOST_TRIES, MOST_DOUBLES = 40, 4


def open_node(run: Run, path: Sequence[int], offset: int, count: int) -> Opened:
    """Return the node at the end of ``path``, some of its children, and other ways to its
    position."""
    trail = follow(run, [0], path)
    if trail is None:
        return Opened(Seen(path[-1], UNKNOWN, {}, held=False), [], 0)
    n = trail[-1]
    best = len(trail) == 1 or followed(run, trail[-2]) == n
    next_best = followed(run, n)
    children = [seen(run, c, c == next_best) for c in run.children(n)[offset : offset + count]]
    return Opened(seen(run, n, best), children, size(run, n), doubles(run, path, trail))


def seen(run: Run, n: int, best: bool) -> Seen:
    """Return node ``n`` as it stands."""
    record = run.tree.nodes[n]
    move = int(record["move"]) if n > 0 else None
    return Seen(move, int(record["status"]), run.numbers(n), size(run, n), best=best)


def size(run: Run, n: int) -> int:
    """Return the number of children of a node that exist."""
    return int(run.tree.nodes[n]["made" if run.plan.linked else "count"])


def child_by(run: Run, n: int, move: int) -> int | None:
    """Return the child that ``move`` leads to, if it exists."""
    nodes = run.tree.nodes
    return next((c for c in run.children(n) if int(nodes[c]["move"]) == move), None)


def follow(run: Run, trail: Sequence[int], path: Sequence[int]) -> list[int] | None:
    """Return the nodes of ``trail`` and those that ``path`` leads on to; None where the tree
    ends."""
    found = list(trail)
    for move in path:
        child = child_by(run, found[-1], move)
        if child is None:
            return None
        found.append(child)
    return found


def followed(run: Run, n: int) -> int | None:
    """Return the child that the search would follow; in a proof the move to play."""
    record = run.tree.nodes[n]
    mine = int(record["mover"]) == run.attacker
    if int(record["status"]) != UNKNOWN:
        return _proving(run, n, mine)
    if size(run, n) < int(record["count"]) or int(record["count"]) == 0:
        return None  # a child has to be made first
    child = int(run.select(run.options, run.tree.nodes, n, mine))
    return child if child > NO_NODE else None


def _proving(run: Run, n: int, mine: bool) -> int | None:
    """Return the child that a proof goes on with: shortest for the prover, else longest."""
    nodes, status = run.tree.nodes, int(run.tree.nodes[n]["status"])
    same = [c for c in run.children(n) if int(nodes[c]["status"]) == status]
    shorten = mine == (status == WON)
    if not same:
        return None
    if run.status == UNKNOWN:  # the tree still grows
        return same[0] if shorten else None
    return (min if shorten else max)(same, key=lambda c: int(run.lengths[c]))


def doubles(run: Run, path: Sequence[int], trail: Sequence[int]) -> tuple[Path, ...]:
    """Return other paths of the tree to the same position: the last move and an earlier one of the
    same player exchanged. That finds most, and takes no search."""
    here = _end_of(run, path)
    same = (other for at, other in islice(_exchanged(run, path, trail), MOST_TRIES)
            if follow(run, trail[: at + 1], other[at:]) is not None
            and _end_of(run, other) == here)
    return tuple(islice(same, MOST_DOUBLES))


def _end_of(run: Run, path: Sequence[int]) -> bytes:
    """Return the state that a path leads to, in bytes."""
    state = run.position.state
    for move in path:
        state = run.position.game.board.step(state, move)
    return state.tobytes()


def _exchanged(run: Run, path: Sequence[int], trail: Sequence[int],
               ) -> Iterator[tuple[int, Path]]:
    """Yield the place of an earlier move of the last mover, and the path with both exchanged."""
    movers = [int(run.tree.nodes[n]["mover"]) for n in trail]
    last = len(path) - 1
    for at in range(last - 1, -1, -1):
        if movers[at] == movers[last] and path[at] != path[last]:
            other = list(path)
            other[at], other[last] = other[last], other[at]
            yield at, tuple(other)


NESTED_SLICE = 1 << 20  # expansions of a nested search


class TreeRecorder(Recorder):
    """A recorder of each expansion."""

    run: Run

    def __init__(self, run: Run) -> None:
        super().__init__(run)
        self.iterations, self.trail = run.iterations, [0]
        self._clear_path()

    def advance(self, search: Callable[..., int]) -> int:
        """Make one expansion; a nested search may need several calls."""
        return search(NESTED_SLICE, pause=self.run.iterations + 1)

    def standing(self) -> list[tuple[Path, Seen]]:
        """Return the tree of an earlier question, where the run goes on with it."""
        run, found = self.run, list[tuple[Path, Seen]]()
        todo: list[tuple[Path, int]] = [((), 0)]
        while todo:
            path, n = todo.pop(0)
            for c in run.children(n):
                below = (*path, int(run.tree.nodes[c]["move"]))
                found.append((below, seen(run, c, best=False)))
                todo.append((below, c))
        return found

    def _path(self) -> Path | None:
        run, path = self.run, self.run.tree.path
        if run.iterations == self.iterations:
            return None
        self.iterations = run.iterations
        self.trail = [int(n) for n in path[: int(np.flatnonzero(path[1:] == 0)[0]) + 1]]
        self._clear_path()
        return tuple(int(run.tree.nodes[n]["move"]) for n in self.trail[1:])

    def _clear_path(self) -> None:
        """Clear the nodes below the current one, which are left over from earlier paths."""
        tree = self.run.tree
        tree.path[int(tree.control[0]["depth"]) + 1 :] = 0

    def _node(self, depth: int) -> tuple[int, Numbers]:
        n = self.trail[depth]
        return int(self.run.tree.nodes[n]["status"]), self.run.numbers(n)

    def _children(self, depth: int) -> list[Seen]:
        return [seen(self.run, c, best=False) for c in self.run.children(self.trail[depth])]


AGAIN_BYTES = 1 << 26
AGAIN_SLICE, AGAIN_SLICES = 1 << 16, 1 << 8


class Walk:
    """A place in the proof of one run."""

    def __init__(self, run: Run) -> None:
        self.run, self.node = run, 0

    def best(self) -> int | None:
        """Return the move to play: shortest for the prover, else longest; None at the end."""
        mine = int(self.run.tree.nodes[self.node]["mover"]) == self.run.attacker
        child = _proving(self.run, self.node, mine)
        return None if child is None else int(self.run.tree.nodes[child]["move"])

    def follow(self, move: int, position: Position) -> bool:
        """Go on after ``move``, which leads to ``position``; False if the proof ends there."""
        child = child_by(self.run, self.node, move)
        if child is None:
            return False
        self.node = child
        return self._children_or_again(position)

    def _children_or_again(self, position: Position) -> bool:
        """Return True if the current node has children, if need be after searching it again."""
        run = self.run
        if run.children(self.node) or position.outcome is not None:
            return True
        won = int(run.tree.nodes[self.node]["status"]) == WON
        by_path = run.rules.cyclic and (run.rules.repeat is not None or not won)
        fresh = None if by_path else run.again(position, AGAIN_BYTES)
        if fresh is None:
            return True  # a repetition, or a part that another path would not prove alike
        for _ in range(AGAIN_SLICES):  # short ones, so that Ctrl-C is noticed
            if fresh.advance(AGAIN_SLICE) != SLICE:
                break
        if fresh.status == UNKNOWN:
            return False
        self.run, self.node = fresh, 0
        return True
