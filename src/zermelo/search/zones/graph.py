"""Graph: the positions of a search by relevance zones, worked out when they are asked for.

A node is a position before a turn. The attacker's children are its candidates. The defender's are
the replies that no win by threats answers; without any the attacker has won, and where nothing is
known there is one child, ESCAPE, that the attacker has not won. What a node's children are, and how
many visits of threat searches it took, depends on the position alone: searches of the same
question share a graph, and each is charged as if it had been alone.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from zermelo.game import FIRST_WINS, ONGOING
from zermelo.lines import Lines
from zermelo.search.zones.options import Zones
from zermelo.search.zones.scout import NOTHING_KNOWN, Replies, Scout, Turn

ESCAPE, VICTORY = 0, 1  # nodes: not won, won


class Node:
    """A position: whose stones are where, who moves, and what is known about it.

    turns, children  the turns to try and the nodes they lead to; None while nobody asked
    cost             visits of threat searches that these took
    replies          at the defender's nodes: the zones
    """

    __slots__ = ("children", "cost", "left", "mover", "owners", "replies", "result", "turns")

    def __init__(self, owners: bytes, mover: int, left: int, result: int = ONGOING) -> None:
        self.owners, self.mover, self.left, self.result = owners, mover, left, result
        self.turns: list[Turn] | None = None
        self.children: list[int] = []
        self.cost = 0
        self.replies: Replies = NOTHING_KNOWN


class Graph:
    """The nodes of one attacker's search; ``meter`` is told about every node that is entered."""

    def __init__(self, lines: Lines, attacker: int, zones: Zones) -> None:
        self.lines, self.attacker, self.zones = lines, attacker, zones
        self.scout = Scout(lines, attacker, zones)
        blank = bytes(lines.squares)
        self.nodes = [Node(blank, attacker, 0, FIRST_WINS + 1 - attacker),
                      Node(blank, attacker, 0, FIRST_WINS + attacker)]
        self.numbers: dict[tuple[bytes, int, int], int] = {}
        self.meter: Callable[[int], None] | None = None

    def number(self, owners: bytes, mover: int, left: int) -> int:
        """The node of a position."""
        key = (owners, mover, left)
        found = self.numbers.get(key)
        if found is None:
            found = self.numbers[key] = len(self.nodes)
            self.nodes.append(Node(owners, mover, left))
        return found

    def open(self, number: int) -> Node:
        """A node with its children."""
        node = self.nodes[number]
        if node.turns is None:
            before = self.scout.visits
            mine = node.mover == self.attacker
            turns, ends = (self._attacks if mine else self._replies)(node)
            node.children = ends or [self._after(node, turn) for turn in turns]
            node.turns = turns
            node.cost = self.scout.visits - before
        if self.meter is not None:
            self.meter(number)
        return node

    def _attacks(self, node: Node) -> tuple[list[Turn], list[int]]:
        owners = np.frombuffer(node.owners, np.int8)
        win = self.scout.win(owners, node.left)
        if win is not None:
            return [win.turn], [VICTORY]
        return self.scout.attacks(owners, node.left), []

    def _replies(self, node: Node) -> tuple[list[Turn], list[int]]:
        replies = node.replies = self.scout.replies(np.frombuffer(node.owners, np.int8), node.left)
        return ([()], [ESCAPE]) if replies.open is None else (replies.open, [])

    def _after(self, node: Node, turn: Turn) -> int:
        owners = bytearray(node.owners)
        for square in turn:
            owners[square] = node.mover
        return self.number(bytes(owners), 1 - node.mover, self.lines.stones)
