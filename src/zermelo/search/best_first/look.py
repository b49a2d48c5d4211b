"""Looking into a tree: a node by the moves that lead to it, its children, and its double.

Nothing here writes to the tree, so that a search can be looked at between two slices.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from zermelo.search.base import Opened, Seen
from zermelo.search.best_first.pool import NOBODY
from zermelo.search.common.status import UNKNOWN, WON

if TYPE_CHECKING:
    from zermelo.search.best_first.run import Run

MOST_TRIES, MOST_DOUBLES = 40, 4


def open_node(run: Run, path: Sequence[int], offset: int, count: int) -> Opened:
    """The node at the end of ``path``, some of its children, and other ways to its position."""
    trail = follow(run, [0], path)
    if trail is None:
        return Opened(Seen(path[-1], UNKNOWN, {}, held=False), [], 0)
    n = trail[-1]
    best = len(trail) == 1 or followed(run, trail[-2]) == n
    next_best = followed(run, n)
    children = [seen(run, c, c == next_best) for c in some_children(run, n, offset, count)]
    return Opened(seen(run, n, best), children, size(run, n), tuple(doubles(run, path, trail)))


def seen(run: Run, n: int, best: bool) -> Seen:
    """Node ``n`` as it stands."""
    record = run.tree.nodes[n]
    move = int(record["move"]) if n > 0 else None
    return Seen(move, int(record["status"]), run.numbers(n), size(run, n), best=best)


def size(run: Run, n: int) -> int:
    """How many children of a node there are."""
    return int(run.tree.nodes[n]["made" if run.plan.linked else "count"])


def some_children(run: Run, n: int, offset: int, count: int) -> Sequence[int]:
    """The children of a node from number ``offset`` on."""
    if run.plan.linked:
        return run.children(n)[offset : offset + count]
    first, all = int(run.tree.nodes[n]["first"]), size(run, n)
    return range(first + min(offset, all), first + min(offset + count, all))


def child_by(run: Run, n: int, move: int) -> int | None:
    """The child that ``move`` leads to, if it is there."""
    nodes = run.tree.nodes
    if run.plan.linked:
        return next((c for c in run.children(n) if int(nodes[c]["move"]) == move), None)
    first = int(nodes[n]["first"])
    found = np.flatnonzero(nodes["move"][first : first + size(run, n)] == move)
    return first + int(found[0]) if len(found) else None


def follow(run: Run, trail: Sequence[int], path: Sequence[int]) -> list[int] | None:
    """The nodes of ``trail`` and those that ``path`` leads on to; None where the tree ends."""
    found = list(trail)
    for move in path:
        child = child_by(run, found[-1], move)
        if child is None:
            return None
        found.append(child)
    return found


def followed(run: Run, n: int) -> int | None:
    """The child that the search would follow; in a proof the move to play."""
    record = run.tree.nodes[n]
    mine = int(record["mover"]) == run.attacker
    if int(record["status"]) != UNKNOWN:
        return _proving(run, n, mine)
    if size(run, n) < int(record["count"]) or int(record["count"]) == 0:
        return None  # a child has to be made first
    child = int(run.parts.select(run.options, run.tree.nodes, n, mine))
    return child if child > NOBODY else None


def _proving(run: Run, n: int, mine: bool) -> int | None:
    """The child that a proof goes on with: the shortest way for the prover, else the longest."""
    nodes, status = run.tree.nodes, int(run.tree.nodes[n]["status"])
    same = [c for c in run.children(n) if int(nodes[c]["status"]) == status]
    shorten = mine == (status == WON)
    if not same:
        return None
    if run.status == UNKNOWN:  # the tree still grows
        return same[0] if shorten else None
    return (min if shorten else max)(same, key=lambda c: int(run.lengths[c]))


def doubles(run: Run, path: Sequence[int], trail: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Other paths of the tree to the same position: the last move and an earlier one of the same
    player exchanged. That finds most, and takes no search."""
    board, here, found = run.position.game.board, None, 0
    for tries, (at, other) in enumerate(_exchanged(run, path, trail)):
        if tries == MOST_TRIES or found == MOST_DOUBLES:
            return
        if follow(run, trail[: at + 1], other[at:]) is None:
            continue
        ends = []
        for way in (other,) if here is not None else (other, tuple(path)):
            state = run.position.state
            for move in way:
                state = board.step(state, move)
            ends.append(state.tobytes())
        here = here or ends[-1]
        if ends[0] == here:
            found += 1
            yield other


def _exchanged(run: Run, path: Sequence[int], trail: Sequence[int],
               ) -> Iterator[tuple[int, tuple[int, ...]]]:
    movers = [int(run.tree.nodes[n]["mover"]) for n in trail]
    last = len(path) - 1
    for at in range(last - 1, -1, -1):
        if movers[at] == movers[last] and path[at] != path[last]:
            other = list(path)
            other[at], other[last] = other[last], other[at]
            yield at, tuple(other)
