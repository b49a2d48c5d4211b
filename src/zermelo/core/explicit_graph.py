"""An explicit AND/OR graph as a game, for problems that are not board games.

The OR player wins a node if one of its children is a win, the AND player must be beaten in all of
them. Every search runs on such a graph as on any other game: the OR player moves first in the sense
of ``FIRST_WINS``, a move is the name of a child, a position the name of a node.

All graphs share one kernel a search: a graph is data, stored row by row (the children of node i are
``children[first[i]]`` up to ``children[first[i + 1] - 1]``).
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, Rules
from zermelo.errors import BadGame, BadMove, BadPosition, counted, listed, quoted
from zermelo.kernel.bits import mix, word
from zermelo.kernel.rng import below

Name = str | int
Node = str | tuple[str, Sequence[Name]]

OWNERS = {"or": 0, "and": 1}
ENDS = {"win": FIRST_WINS, "loss": SECOND_WINS, "draw": DRAW}
END_NAMES = {code: name for name, code in ENDS.items()}
# max_moves is a constant of the compiled searches: in steps, so that few of them are compiled.
STEPS = (64, 1024, 65_535)
LONGEST_PLAYOUT = 1_000  # in a graph with a cycle, where a random walk may never end


class Arrays(NamedTuple):
    """A graph as arrays; ``longest`` bounds a playout."""

    first: np.ndarray[Any, Any]
    children: np.ndarray[Any, Any]
    owner: np.ndarray[Any, Any]
    end: np.ndarray[Any, Any]
    longest: int


def graph(nodes: Mapping[Name, Node], root: Name | None = None) -> Graph:
    """The game on an AND/OR graph.

    ``nodes`` maps each name to ``("or", [children])``, to ``("and", [children])``, or to what a
    leaf is worth to the OR player: ``"win"``, ``"loss"`` or ``"draw"``. ``root`` is the first name
    unless given. Searches try children in the order given. Where the graph has a cycle, a
    repetition is a draw: the OR player has not won.
    """
    return Graph(nodes, root)


class Graph(Game):
    """The OR player wants to reach a win, the AND player to prevent it."""

    name = "graph"
    players = ("or", "and")

    def __init__(self, nodes: Mapping[Name, Node], root: Name | None = None) -> None:
        if not isinstance(nodes, Mapping) or not nodes:
            raise BadGame("graph: the nodes must be a dictionary with at least one node.")
        root = next(iter(nodes)) if root is None else root
        self.names = _names(nodes, root)
        self.numbers = {name: i for i, name in enumerate(self.names)}
        self._root = self.numbers[str(root)]
        self._arrays, self._has_cycle = _arrays(nodes, self.numbers)
        super().__init__()
        self.values["graph"] = self._digest()

    def __repr__(self) -> str:
        return f"<graph of {counted(len(self.names), 'node')}, {self.values['graph']}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Graph) and self.values == other.values

    def __hash__(self) -> int:
        return hash(self.values["graph"])

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.nodes(), self.names[self._root])

    def nodes(self) -> dict[str, Node]:
        """The graph as ``graph`` takes it, its names as texts."""
        arrays, names, kinds = self._arrays, self.names, list(OWNERS)
        found: dict[str, Node] = {}
        for i, name in enumerate(names):
            below_it = arrays.children[arrays.first[i] : arrays.first[i + 1]]
            inner = kinds[arrays.owner[i]], [names[child] for child in below_it]
            found[name] = END_NAMES.get(int(arrays.end[i]), inner)
        return found

    @property
    def changed(self) -> dict[str, Any]:
        """A digest tells one graph from another."""
        return dict(self.values)

    def define(self) -> Rules:
        """The rules; nothing of a graph is a constant of the code. A move is a node's number."""

        def moves(g, s, out):
            first = g.first[s.node]
            n = g.first[s.node + 1] - first
            for i in range(n):
                out[i] = g.children[first + i]
            return n

        def play(g, s, move, t):
            t.node = move

        def mover(g, s):
            return np.int64(g.owner[s.node])

        def outcome(g, s):
            return np.int64(g.end[s.node])

        def key(g, s):
            return mix(word(s.node))

        def playout(g, s, rng, scratch):
            node = np.int64(s.node)
            for _ in range(g.longest):
                if g.end[node] != ONGOING:
                    break
                first = g.first[node]
                draw = below(rng, g.first[node + 1] - first)
                node = np.int64(g.children[first + draw])
            end = np.int64(g.end[node])
            return end if end != ONGOING else np.int64(DRAW)

        arrays = self._arrays
        widest = int(np.max(np.diff(arrays.first)))
        return Rules(
            state=[("node", "i8")], max_moves=next(step for step in STEPS if widest <= step),
            max_length=arrays.longest, moves=moves, play=play, mover=mover, outcome=outcome,
            key=key, exact_key=True, cyclic=self._has_cycle, playout=playout, data=arrays,
        )

    def start(self) -> Position:
        """The root."""
        return self.position(node=self._root)

    def read(self, text: str) -> Position:
        """The name of a node."""
        if text not in self.numbers:
            raise BadPosition(
                f"graph: there is no node {quoted(text)}; nodes: {listed(self.names)}."
            )
        return self.position(node=self.numbers[text]).read_as("node")

    def format(self, position: Position) -> str:
        """The name of the node."""
        return self.names[int(position.state[0]["node"])]

    def move_name(self, position: Position, move: int) -> str:
        """The name of the child."""
        return self.names[move]

    def parse_move(self, position: Position, text: str) -> int:
        """The child called ``text``."""
        code = self.numbers.get(text.strip(), -1)
        if code not in position.codes():
            raise BadMove(
                f"{quoted(text)} is not a child of {quoted(position.text)}; children: "
                f"{listed(position.moves())}."
            )
        return code

    def diagram(self, position: Position) -> str:
        """The node and its children, leaves with their value."""
        arrays, node = self._arrays, int(position.state[0]["node"])

        def shown(i: int) -> str:
            end = END_NAMES.get(int(arrays.end[i]))
            return f"{self.names[i]} ({end})" if end else self.names[i]

        if position.outcome is not None:
            return shown(node)
        children = [shown(code) for code in position.codes()]
        return f"{self.names[node]}, {position.to_move} of: {listed(children)}"

    def _digest(self) -> str:
        digest = hashlib.sha256(repr((self.names, self._root)).encode())
        for array in self._arrays[:-1]:
            digest.update(array.tobytes())
        return digest.hexdigest()[:12]


def _names(nodes: Mapping[Name, Node], root: Name) -> list[str]:
    """The names as texts; no two alike, each such that ``parse`` finds it."""
    found: dict[str, Name] = {}
    for name in nodes:
        text = str(name)
        if not isinstance(name, str | int) or isinstance(name, bool):
            raise BadGame(f"graph: the node name {name!r} is neither a text nor a whole number.")
        if not text or text != text.strip():
            raise BadGame(f"graph: the node name {name!r} is empty or has white space around it.")
        if text in found:
            raise BadGame(f"graph: the nodes {found[text]!r} and {name!r} are written the same.")
        if text == "start" and name != root:
            raise BadGame("graph: a node called 'start' must be the root: 'start' is its name.")
        found[text] = name
    if isinstance(root, bool) or root not in nodes:
        raise BadGame(f"graph: the root {root!r} is not in the graph; nodes: "
                      f"{listed(found)}.")
    return list(found)


def _arrays(nodes: Mapping[Name, Node], numbers: dict[str, int]) -> tuple[Arrays, bool]:
    """The graph as arrays, and whether it has a cycle."""
    first, children = np.zeros(len(nodes) + 1, np.int64), []
    owner, end = np.zeros(len(nodes), np.uint8), np.zeros(len(nodes), np.uint8)
    for i, (name, node) in enumerate(nodes.items()):
        if isinstance(node, str) and node in ENDS:
            end[i] = ENDS[node]
        else:
            kind, below_it = _inner(name, node)
            owner[i] = OWNERS[kind]
            children += [_number(name, child, nodes, numbers) for child in below_it]
        first[i + 1] = len(children)
        own = children[first[i] :]
        if len(set(own)) < len(own):
            twice = next(child for j, child in enumerate(own) if child in own[:j])
            raise BadGame(f"graph: node {name!r} has the child "
                          f"{list(nodes)[twice]!r} twice.")
    every_child = np.array(children, np.int32)
    longest = _longest_path(first, every_child)
    bound = min(len(nodes), LONGEST_PLAYOUT) if longest is None else max(longest, 1)
    return Arrays(first, every_child, owner, end, bound), longest is None


def _inner(name: Name, node: Any) -> tuple[str, Sequence[Name]]:
    """An inner node as (kind, children)."""
    if (not isinstance(node, tuple | list) or len(node) != 2 or node[0] not in ("or", "and")
            or not isinstance(node[1], tuple | list)):
        raise BadGame(
            f"graph: node {name!r} is {quoted(node)}; a node is ('or', [children]), "
            "('and', [children]), or what a leaf is worth to the OR player: win, loss or draw."
        )
    kind, children = node
    if not children:
        raise BadGame(f"graph: node {name!r} has no children; a leaf is win, loss or draw.")
    if len(children) > STEPS[-1]:
        raise BadGame(f"graph: node {name!r} has {len(children):,} children; at most "
                      f"{STEPS[-1]:,} are possible.")
    return kind, children


def _number(name: Name, child: Any, nodes: Mapping[Name, Node], numbers: dict[str, int]) -> int:
    if isinstance(child, bool) or not isinstance(child, str | int) or child not in nodes:
        raise BadGame(f"graph: node {name!r} has the child {child!r}, which is not in the graph.")
    return numbers[str(child)]


def _longest_path(first: np.ndarray[Any, Any], children: np.ndarray[Any, Any]) -> int | None:
    """The number of moves of the longest path, or None if there is a cycle."""
    parents, lengths = np.bincount(children, minlength=len(first) - 1).tolist(), [0] * len(first)
    begin, target = first.tolist(), children.tolist()
    ready = [node for node, count in enumerate(parents) if count == 0]
    done = 0
    while ready:
        node = ready.pop()
        done += 1
        for child in target[begin[node] : begin[node + 1]]:
            lengths[child] = max(lengths[child], lengths[node] + 1)
            parents[child] -= 1
            if parents[child] == 0:
                ready.append(child)
    return max(lengths) if done == len(first) - 1 else None
