"""Graph: the positions of a search by relevance zones, worked out when they are asked for.

A node is a position before a turn. The attacker's children are its candidates. The defender's are
the replies that no win by threats answers; without any the attacker has won, and where nothing is
known there is one child, ESCAPE, that the attacker has not won. What a node's children are, and how
many visits of threat searches it took, depends on the position alone: searches of the same
question share a graph, and each is charged as if it had been alone.
"""

from __future__ import annotations

import random
from array import array
from collections.abc import Callable, Sequence

import numpy as np

from zermelo.core.rules import EMPTY, Array, Lines
from zermelo.search.base import Zones
from zermelo.search.threats.line_counts import line_counts_of
from zermelo.search.zones.generator import NOTHING_KNOWN, Replies, Turn, ZoneGenerator

ESCAPE, VICTORY = 0, 1  # nodes: not won, won
KEPT_KEYS, KEY_BYTES = 1 << 20, 16


class Node:
    """A position, by the turn that leads to it, and what is known about it.

    key              two hash words of its stones
    parent, turn     the first way it was found; the root has no parent
    mover, left      who moves, and the stones of that turn
    turns, children  the turns to try and the nodes they lead to; None until they are asked for
    cost             visits of threat searches that these took
    replies          at the defender's nodes: the zones
    """

    __slots__ = ("children", "cost", "key", "left", "mover", "parent", "replies", "turn",
                 "turns")

    def __init__(self, key: bytes, parent: int, turn: Turn, mover: int, left: int) -> None:
        self.key = key
        self.parent, self.turn, self.mover, self.left = parent, turn, mover, left
        self.turns: list[Turn] | None = None
        self.children: Sequence[int] = ()
        self.cost = 0
        self.replies: Replies = NOTHING_KNOWN


class Graph:
    """The nodes of one attacker's search; ``meter`` is called for every node that is entered.

    A node's ``key`` is two hash words of its stones; ``keys`` has the first of them, by number, for
    compiled code to read. Nodes beyond its end have to be asked for.
    """

    def __init__(self, lines: Lines, attacker: int, zones: Zones, owners: Array, mover: int,
                 left: int) -> None:
        self.lines, self.attacker, self.zones, self.owners = lines, attacker, zones, owners
        self.generator = ZoneGenerator(lines, attacker, zones)
        self.zobrist = line_counts_of(lines).zobrist.transpose(1, 2, 0)  # by side and square
        self.nodes = [Node(bytes((end + 1,) * KEY_BYTES), -1, (), attacker, 0)
                      for end in (ESCAPE, VICTORY)]
        self.numbers = {node.key: number for number, node in enumerate(self.nodes)}
        self.keys = np.zeros(KEPT_KEYS, np.uint64)
        self.keys[: len(self.nodes)] = [self.key(end) for end in (ESCAPE, VICTORY)]
        self.meter: Callable[[int], None] | None = None
        self.opened: list[int] = []  # nodes, in the order in which they got their children
        self.written, self.in_writing = array("q"), 0  # for checkpoints: see ``saved``
        stones = np.flatnonzero(owners != EMPTY)
        words = np.bitwise_xor.reduce(self.zobrist[owners[stones], stones], axis=0)
        self.root = len(self.nodes)
        self.nodes.append(Node(np.uint64(words).tobytes(), -1, (), mover, left))
        self.numbers[self.nodes[self.root].key] = self.root
        self.keys[self.root] = self.key(self.root)

    def key(self, number: int) -> int:
        """The first hash word of a node."""
        return int.from_bytes(self.nodes[number].key[:8], "little")

    def path(self, number: int) -> list[int]:
        """The nodes from the root to this one, by the first way that was found."""
        found = [number]
        while self.nodes[found[-1]].parent >= 0:
            found.append(self.nodes[found[-1]].parent)
        return found[::-1]

    def owners_of(self, number: int) -> Array:
        """The stones of a node."""
        owners = self.owners.astype(np.int8)
        for at in self.path(number)[1:]:
            node = self.nodes[at]
            owners[list(node.turn)] = 1 - node.mover
        return owners

    def open(self, number: int) -> Node:
        """A node with its children."""
        node = self.nodes[number]
        if node.turns is None:
            before, owners = self.generator.visits, self.owners_of(number)
            mine = node.mover == self.attacker
            turns, ends = (self._attacks if mine else self._replies)(node, owners)
            if self.zones.order:
                turns = list(turns)
                random.Random(f"{self.zones.order}/{node.key.hex()}").shuffle(turns)
            self.settle(number, turns, ends, self.generator.visits - before)
        if self.meter is not None:
            self.meter(number)
        return node

    def settle(self, number: int, turns: list[Turn], ends: list[int], cost: int) -> None:
        """Give a node its children: after ``turns``, or an end of the graph."""
        node = self.nodes[number]
        node.children = ends or self._after(number, turns)
        node.turns, node.cost = turns, cost
        self.opened.append(number)

    def _attacks(self, node: Node, owners: Array) -> tuple[list[Turn], list[int]]:
        win = self.generator.win(owners, node.left)
        if win is not None:
            return [win.turn], [VICTORY]
        return self.generator.attacks(owners, node.left), []

    def _replies(self, node: Node, owners: Array) -> tuple[list[Turn], list[int]]:
        replies = node.replies = self.generator.replies(owners, node.left)
        return ([()], [ESCAPE]) if replies.open is None else (replies.open, [])

    def _after(self, number: int, turns: list[Turn]) -> list[int]:
        """The nodes that ``turns``, all different, lead to."""
        node, numbers = self.nodes[number], self.numbers
        if not turns:
            return []
        stones = np.array(turns, np.int64)  # of one length: a full board ends all of them
        words = np.bitwise_xor.reduce(self.zobrist[node.mover, stones], axis=1)
        names = (words ^ np.frombuffer(node.key, np.uint64)).tobytes()
        keys = [names[at : at + KEY_BYTES] for at in range(0, len(names), KEY_BYTES)]
        new = [(key, turn) for key, turn in zip(keys, turns, strict=True) if key not in numbers]
        mover, left, first = 1 - node.mover, self.lines.stones, len(self.nodes)
        self.nodes += [Node(key, number, turn, mover, left) for key, turn in new]
        numbers.update((key, first + at) for at, (key, _) in enumerate(new))
        room = self.keys[first : len(self.nodes)]
        words = np.frombuffer(b"".join(key for key, _ in new), np.uint64)[::2]
        room[:] = words[: len(room)]
        return [numbers[key] for key in keys]
