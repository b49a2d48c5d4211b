"""Searches by zones in checkpoints: the graph, and the run of the search in it.

What was found out about a node is kept as a list of numbers, in the order in which the nodes were
looked into. Read in that order, the nodes get the same numbers again.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from zermelo.search.base import MOST_STONES
from zermelo.search.common.saved import Saved, Saving, in_range
from zermelo.search.zones.game import ESCAPE, VICTORY, ZoneGraph
from zermelo.search.zones.generator import Replies, Turn

if TYPE_CHECKING:
    from zermelo.search.zones.run import Run

NOTHING = -1  # instead of the length of a list that is not there
MOST_COST = 1 << 62


def save(run: Run, saving: Saving) -> None:
    """The graph, the nodes that were paid for, and the search."""
    graph = run.game.graph
    saving.array("graph", np.frombuffer(written(graph), np.int64))
    saving.array("charged", np.array(sorted(run.charged), np.int64))
    saving.facts["threat_visits"] = run.threat_visits
    run.inner.save(saving.part("inner"))


def restore(run: Run, saved: Saved) -> None:
    """Let a run that has just begun, in a graph of its own, go on from there."""
    graph = run.game.graph
    _Reader(saved, graph).read()
    charged = saved.array("charged", np.int64)
    saved.require(in_range(charged, 0, len(graph.nodes) - 1))
    run.charged = set(charged.tolist())
    run.threat_visits = saved.number("threat_visits", 0, MOST_COST)
    run.inner.restore(saved.part("inner"))


def written(graph: ZoneGraph) -> array[int]:
    """Return the facts about the nodes; each checkpoint adds the new ones to those before."""
    out, done = graph.written, graph.in_writing
    for number in graph.opened[done:]:
        node = graph.nodes[number]
        assert node.turns is not None
        out.extend((number, node.cost))
        if node.mover == graph.attacker:
            out.append(int(list(node.children) == [VICTORY]))
            _put_turns(out, node.turns)
            continue
        replies = node.replies
        _put_turns(out, replies.open)
        _put(out, replies.zone)
        _put(out, replies.seconds)
        for second in replies.seconds.values():
            _put(out, second)
        _put_turns(out, replies.far)
        _put(out, replies.longest)
    graph.in_writing = len(graph.opened)
    return array("q", out)


def _put(out: array[int], numbers: Iterable[int] | None) -> None:
    listed = None if numbers is None else list(numbers)
    out.append(NOTHING if listed is None else len(listed))
    out.extend(listed or ())


def _put_turns(out: array[int], turns: Sequence[Turn] | None) -> None:
    out.append(NOTHING if turns is None else len(turns))
    for turn in turns or ():
        _put(out, turn)


class _Reader:
    """Reads the numbers again, and believes none of them."""

    def __init__(self, saved: Saved, graph: ZoneGraph) -> None:
        self.saved, self.graph = saved, graph
        self.numbers, self.at = saved.array("graph", np.int64).tolist(), 0

    def read(self) -> None:
        """Open the nodes of the graph."""
        graph, known = self.graph, len(self.graph.opened)  # a run may have looked at its root
        at = 0
        while self.at < len(self.numbers):
            number, cost = self._next(VICTORY + 1, len(graph.nodes) - 1), self._next(0, MOST_COST)
            node = graph.nodes[number]
            self.saved.require(graph.opened[at] == number if at < known else node.turns is None)
            if node.mover == graph.attacker:
                ends = [VICTORY] if self._next(0, 1) else []
                turns = self._turns() or []
                self.saved.require(not ends or len(turns) == 1)
            else:
                node.replies = self._replies()
                ends = [] if node.replies.open is not None else [ESCAPE]
                turns = [()] if node.replies.open is None else node.replies.open
            if not ends:
                self.saved.require(len({len(turn) for turn in turns}) <= 1
                                   and len(set(turns)) == len(turns) and () not in turns)
            if at >= known:
                graph.settle(number, turns, ends, cost)
            at += 1

    def _next(self, low: int, high: int) -> int:
        self.saved.require(self.at < len(self.numbers) and low <= self.numbers[self.at] <= high)
        self.at += 1
        return int(self.numbers[self.at - 1])

    def _squares(self, most: int) -> list[int] | None:
        count = self._next(NOTHING, most)
        if count == NOTHING:
            return None
        return [self._next(0, self.graph.lines.squares - 1) for _ in range(count)]

    def _turns(self) -> list[Turn] | None:
        count = self._next(NOTHING, len(self.numbers))
        if count == NOTHING:
            return None
        return [tuple(self._squares(MOST_STONES) or ()) for _ in range(count)]

    def _replies(self) -> Replies:
        squares = self.graph.lines.squares
        found = self._turns()
        zone = self._squares(squares) or []
        keys = self._squares(squares) or []
        seconds = {square: self._squares(squares) for square in keys}
        return Replies(found, zone, seconds, self._turns() or [],
                       tuple(self._squares(MOST_STONES) or ()))
