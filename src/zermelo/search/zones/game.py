"""The game by turns that the searches play: a move is a whole turn, and is the node it leads to.

A node of the graph is a position before a turn, worked out when it is asked for. The attacker's
children are its candidates. The defender's are the replies that no win by threats answers; without
any the attacker has won, and where nothing is known there is one child, ESCAPE, that the attacker
has not won. A node's children, and the visits of threat searches that they took, depend on the
position alone: searches of the same question share a graph, and each is charged as if it had been
alone.

The rules of the game, for compiled code, ask the graph by calls back to Python: a position takes
milliseconds to work out, so a call costs nothing, and the threat search is compiled once instead of
into every search.
"""

from __future__ import annotations

import random
from collections import OrderedDict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from zermelo.compiler.callback import Upcall, call_back
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.core.rules import DRAW, EMPTY, FIRST_WINS, ONGOING, Array, Lines, Rules
from zermelo.errors import BadOption
from zermelo.kernel.rng import next_counter
from zermelo.search.base import MOST_STONES, Zones
from zermelo.search.threats.line_counts import line_counts_of
from zermelo.search.zones.generator import MOST_REPLIES, Turn, ZoneGenerator

ESCAPE, VICTORY = 0, 1  # nodes: not won, won
KEPT_KEYS, KEY_BYTES = 1 << 20, 16
KEPT_GAMES = 4
MOVES, KEY, PLAYOUTS = range(3)
# A node's number, its turns, the end of the graph that they lead to, the cost, the longest turn.
Opening = tuple[int, list[Turn], list[int], int, Turn]


class Node:
    """A position, by the turn that leads to it, and what is known about it.

    key              two hash words of its stones
    parent, turn     the first way it was found; the root has no parent
    mover, left      who moves, and the stones of that turn
    turns, children  the turns to try and the nodes they lead to; None until they are asked for
    cost             visits of threat searches that these took
    longest          at the defender's nodes: a turn that loses to threats, and lasts longest
    """

    __slots__ = ("children", "cost", "key", "left", "longest", "mover", "parent", "turn", "turns")

    def __init__(self, key: bytes, parent: int, turn: Turn, mover: int, left: int) -> None:
        self.key = key
        self.parent, self.turn, self.mover, self.left = parent, turn, mover, left
        self.turns: list[Turn] | None = None
        self.children: Sequence[int] = ()
        self.cost = 0
        self.longest: Turn = ()


class ZoneGraph:
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
        self.opened: list[Opening] = []  # in the order in which nodes got their children
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
            self.settle((number, turns, ends, self.generator.visits - before, node.longest))
        if self.meter is not None:
            self.meter(number)
        return node

    def settle(self, opening: Opening) -> None:
        """Give a node its children."""
        number, turns, ends, cost, longest = opening
        node = self.nodes[number]
        node.children = ends or self._after(number, turns)
        node.turns, node.cost, node.longest = turns, cost, longest
        self.opened.append(opening)

    def open_again(self, openings: list[Any]) -> None:
        """Give nodes the children that they had in a checkpoint: opened in the same order, all get
        the numbers that they had."""
        for number, turns, ends, cost, longest in openings:
            if not (0 <= number < len(self.nodes) and len(turns) <= MOST_REPLIES
                    and set(ends) <= {ESCAPE, VICTORY}):
                raise ValueError
            if self.nodes[number].turns is None:  # a run may have looked at its root
                self.settle((number, [tuple(turn) for turn in turns], ends, int(cost),
                             tuple(longest)))

    def _attacks(self, node: Node, owners: Array) -> tuple[list[Turn], list[int]]:
        win = self.generator.win(owners, node.left)
        if win is not None:
            return [win.turn], [VICTORY]
        return self.generator.attacks(owners, node.left), []

    def _replies(self, node: Node, owners: Array) -> tuple[list[Turn], list[int]]:
        turns, node.longest = self.generator.replies(owners, node.left)
        return ([()], [ESCAPE]) if turns is None else (turns, [])

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


class TurnGame(Game):
    """The turns of one attacker in ``base`` from ``root`` on."""

    name = "turns"

    def __init__(self, root: Position, attacker: int, zones: Zones) -> None:
        self.base, self.root, self.zones = root.game, root, zones
        lines = zones.lines_of(root.game)
        owners, left = lines.read(root.state[0])
        if left > MOST_STONES:  # the first turn of a game may be longer than the others
            raise BadOption(f"zones: {left} stones are left in this turn of {root.game.name}; one "
                            "or two are valid. Use a search without candidates.")
        self.graph = ZoneGraph(lines, attacker, zones, owners, root.mover, left)
        self._upcall = Upcall(self._answer)
        self._bases = {self.graph.root: root}
        self.failed: BaseException | None = None
        super().__init__()
        self.name, self.values = root.game.name, dict(root.game.values)

    def __reduce__(self) -> tuple[Any, ...]:
        return TurnGame, (self.root, self.graph.attacker, self.zones)

    def define(self) -> Rules:
        """Return rules that ask the graph."""
        attacker = self.graph.attacker
        ends = np.array([FIRST_WINS + 1 - attacker, FIRST_WINS + attacker, attacker], np.int64)
        calls = Calls(self._upcall.address, np.zeros(2, np.int64), np.zeros(1, np.uint64),
                      np.zeros(MOST_REPLIES, np.int32), self.graph.keys, ends)
        return Rules(
            state=[("key", "u8"), ("node", "i8"), ("turn", "i4"), ("result", "i4")],
            max_moves=MOST_REPLIES, max_length=self.graph.lines.squares + 2,
            moves=moves, play=play, mover=mover,
            outcome=outcome, key=key, data=calls,
            playout=playout, playouts=playouts,
        )

    def start(self) -> Position:
        """The position that is asked about."""
        root = self.graph.root
        return self.position(key=self.graph.key(root), node=root, turn=self.root.mover,
                             result=ONGOING)

    def node_of(self, position: Position) -> Node:
        """The node of a position of this game, with its children."""
        return self.graph.open(int(position.state[0]["node"]))

    def turn_to(self, position: Position, child: int) -> Turn:
        """The stones of the move ``child``."""
        node = self.node_of(position)
        assert node.turns is not None
        return node.turns[node.children.index(child)]

    def base_of(self, number: int) -> Position:
        """The position of a node in the game stone by stone, by the first way that was found."""
        way = self.graph.path(number)
        known = next(at for at in reversed(range(len(way))) if way[at] in self._bases)
        found = self._bases[way[known]]
        for node in way[known + 1 :]:
            for stone in self.graph.nodes[node].turn:
                found = found.play_code(stone)
            self._bases[node] = found
        return found

    def take_failure(self) -> BaseException | None:
        """Return, once, the error that a call from compiled code could not raise."""
        failed, self.failed = self.failed, None
        return failed

    def _answer(self, what: int, number: int, argument: int) -> int:
        while True:
            try:
                return self._looked_up(what, number)
            except KeyboardInterrupt as interrupt:  # when the slice is over: nothing is left half
                self.failed = interrupt
            except BaseException as error:
                self.failed = error
                return 0

    def _looked_up(self, what: int, number: int) -> int:
        calls, graph = self.rules.data, self.graph
        if what == KEY:
            calls.key[0] = graph.key(number)
            return 0
        if what == PLAYOUTS:
            return self._play_out(number, int(calls.numbers[0]), int(calls.numbers[1]))
        if number in (ESCAPE, VICTORY):
            return 0
        children = graph.open(number).children
        calls.list[: len(children)] = children
        return len(children)

    def _play_out(self, number: int, n: int, won: int) -> int:
        base = self.base_of(number)
        return self.base.board.playout(base.state, int(self.rules.data.key[0]), n)[won]


_kept: OrderedDict[tuple[Any, ...], TurnGame] = OrderedDict()


def turn_game(position: Position, attacker: int, zones: Zones, alone: bool = False) -> TurnGame:
    """The game by turns from a position; the last few are kept, for searches to share. ``alone``:
    a new one, in which nothing has been looked into."""
    name = (id(position.game), position.state.tobytes(), attacker, zones)
    found = _kept.pop(name, None)
    if found is None or alone:
        found = TurnGame(position, attacker, zones)
    _kept[name] = found
    while len(_kept) > KEPT_GAMES:
        _kept.popitem(last=False)
    return found


class Calls(NamedTuple):
    """The rules' way to ask: ``address`` of the function; ``numbers`` and ``key`` to and from it;
    ``list`` for moves. ``keys``: of the first nodes; ``ends``: the outcomes of the two last ones,
    and who attacks."""

    address: int
    numbers: Array
    key: Array
    list: Array
    keys: Array
    ends: Array


def moves(g, s, out):  # type: ignore[no-untyped-def]
    """The turns to try, as the nodes they lead to."""
    n = call_back(g.address, MOVES, s.node, 0)
    for i in range(n):
        out[i] = g.list[i]
    return n


def play(g, s, move, t):  # type: ignore[no-untyped-def]
    """Go to the node ``move``."""
    t.node, t.result, t.turn = move, ONGOING, 1 - s.turn
    if move <= VICTORY:
        t.result, t.turn = g.ends[move], g.ends[VICTORY + 1]
    if move < len(g.keys):
        t.key = g.keys[move]
    else:
        call_back(g.address, KEY, move, 0)
        t.key = g.key[0]


def mover(g, s):  # type: ignore[no-untyped-def]
    """The player who moves."""
    return np.int64(s.turn)


def outcome(g, s):  # type: ignore[no-untyped-def]
    """The result, which only the two ends of the graph have."""
    return np.int64(s.result)


def key(g, s):  # type: ignore[no-untyped-def]
    """A hash of the stones."""
    return s.key


def playouts(g, s, rng, n, won, scratch):  # type: ignore[no-untyped-def]
    """Play games of random stones from the position of the node."""
    g.numbers[0], g.numbers[1], g.key[0] = n, won, rng[0]
    rng[0] = next_counter(rng[0])
    return call_back(g.address, PLAYOUTS, s.node, 0)


def playout(g, s, rng, scratch):  # type: ignore[no-untyped-def]
    """Play one game of random stones."""
    for won in range(1, DRAW):
        counter = rng[0]
        if playouts(g, s, rng, 1, won, scratch) > 0:  # type: ignore[no-untyped-call]
            return won
        rng[0] = counter
    rng[0] = next_counter(rng[0])
    return DRAW
