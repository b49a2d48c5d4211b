"""The game by turns that the searches play: a move is a whole turn, and is the node it leads to.

Its rules, for compiled code, ask the graph (see ``graph``) by calls back to Python: a position
takes milliseconds to work out, so a call costs nothing, and the threat search is compiled once
instead of into every search.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any, NamedTuple

import numpy as np

from zermelo.compiler.callback import Upcall, call_back
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, Array, Rules
from zermelo.errors import BadOption
from zermelo.kernel.rng import next_counter
from zermelo.search.base import MOST_STONES, Zones
from zermelo.search.zones.generator import MOST_REPLIES, Turn
from zermelo.search.zones.graph import ESCAPE, VICTORY, Graph, Node

KEPT_GAMES = 4


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
        self.graph = Graph(lines, attacker, zones, owners, root.mover, left)
        self._upcall = Upcall(self._answer)
        self._bases = {self.graph.root: root}
        self.failed: BaseException | None = None
        super().__init__()
        self.name, self.values = root.game.name, dict(root.game.values)

    def __reduce__(self) -> tuple[Any, ...]:
        return TurnGame, (self.root, self.graph.attacker, self.zones)

    def define(self) -> Rules:
        """Everything is asked of the graph."""
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


MOVES, KEY, PLAYOUTS = range(3)


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
    """Only the two ends of the graph are finished games."""
    return np.int64(s.result)


def key(g, s):  # type: ignore[no-untyped-def]
    """A hash of the stones."""
    return s.key


def playouts(g, s, rng, n, won, scratch):  # type: ignore[no-untyped-def]
    """Games of random stones, from the position of the node."""
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
