"""Games whose positions are Python objects: plain ones, and those of OpenSpiel.

They keep every position that was ever met, so a lot of cases has a game of its own.
"""

import random
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from certificates import NaiveGraph
from naive.connect_four import NaiveConnectFour
from naive.k_in_a_row import NaiveKInARow
from naive.othello import NaiveOthello
from plain_games import Nim

import zermelo
from benchmarks.soak.drawn import Drawn, walked
from benchmarks.soak.random_graphs import nodes_of, some_node
from benchmarks.soak.retrograde import Retrograde, TooLarge
from zermelo.games.open_spiel import open_spiel_class

MOST, KEPT = 1_500, 20_000
TWINS: dict[str, Any] = {"connect-four": NaiveConnectFour, "othello": NaiveOthello,
                         "k-in-a-row": NaiveKInARow}
# Of those games of OpenSpiel whose last moves can be tried in full.
OPEN_SPIEL = [
    "breakthrough(rows=4,columns=2)", "clobber(rows=2,columns=4)", "clobber(rows=3,columns=3)",
    "connect_four(rows=3,columns=3,x_in_row=3)", "hex(board_size=3)", "havannah(board_size=2)",
    "hex(num_cols=3,num_rows=2)", "mnk(m=3,n=3,k=3)", "nim(pile_sizes=1;2;3)", "tic_tac_toe",
    "nim(pile_sizes=1;2;3,is_misere=false)", "misere(game=tic_tac_toe())", "y(board_size=3)",
    "breakthrough", "othello", "dots_and_boxes(num_rows=2,num_cols=2)", "connect_four",
]


class Plain(zermelo.PlainGame):
    """A plain game whose methods are those of a slow twin."""

    name = "plain"

    def __init__(self, twin: Any, cyclic: bool = False) -> None:
        super().__init__()
        self.cyclic = cyclic  # type: ignore[misc]
        for part in ("start", "moves", "play", "mover", "outcome", "format", "parse"):
            if hasattr(twin, part):
                setattr(self, part, getattr(twin, part))


class PlainNodes(NaiveGraph):  # type: ignore[misc]
    """A graph that begins somewhere."""

    def start(self) -> str:
        """The first node."""
        return str(next(iter(self.nodes)))

    def format(self, state: str) -> str:
        """Its name."""
        return state

    def parse(self, text: str) -> str:
        """A node by its name."""
        if text not in self.nodes:
            raise ValueError("there is no such node")
        return text


def plain_graph(cyclic: bool) -> Callable[[random.Random, object], Drawn]:
    """Positions of random graphs whose rules are plain Python."""

    @lru_cache(maxsize=2)
    def made(lot: object) -> tuple[Any, Retrograde]:
        twin = PlainNodes(nodes_of(lot, cyclic))
        return zermelo.game(Plain(twin, cyclic)), Retrograde(twin, MOST)

    def draw(rng: random.Random, lot: object) -> Drawn:
        game, exact = made(lot)
        state = some_node(exact.twin.nodes, rng)
        return judged(game.with_state(state), state, exact)

    return draw


def judged(position: zermelo.Position, state: Any, exact: Retrograde) -> Drawn:
    """With the exact value; TooLarge if there is none, or if the game is over, mostly."""
    exact.of(state)
    return Drawn(position, state, exact)


def over(position: zermelo.Position, rng: random.Random) -> bool:
    """Whether it is finished and not wanted."""
    return position.outcome is not None and rng.random() < 0.95


def as_objects(name: str, least: int, most: int,
               **parameters: Any) -> Callable[[random.Random, object], Drawn]:
    """Positions of a built-in game whose rules are plain Python, after random moves."""
    exact = Retrograde(TWINS[name](**parameters), MOST)

    @lru_cache(maxsize=2)
    def made(lot: object) -> Any:
        return zermelo.game(Plain(exact.twin))

    def draw(rng: random.Random, lot: object) -> Drawn:
        game = made(lot)
        position = walked(game.start(), rng, rng.randint(least, most))
        if over(position, rng):
            raise TooLarge
        return judged(position, game.state(position), exact)

    return draw


class Named:
    """A plain game as a twin: its moves are the names that people know them by."""

    def __init__(self, plain: Any) -> None:
        self.plain, self.mover, self.outcome = plain, plain.mover, plain.outcome

    def moves(self, state: Any) -> list[str]:
        """Names of the moves."""
        return [self.plain.move_name(state, move) for move in self.plain.moves(state)]

    def play(self, state: Any, name: str) -> Any:
        """After the move of that name."""
        for move in self.plain.moves(state):
            if self.plain.move_name(state, move) == name:
                return self.plain.play(state, move)
        raise KeyError(name)


class Heaps(Nim):  # type: ignore[misc]
    """Nim from any heaps."""

    name = "nim"

    def __init__(self) -> None:  # not shared by all who ask for it, as a class alone would be
        super().__init__()

    def format(self, state: Any) -> str:
        """The heaps, and who moves."""
        return f"{','.join(map(str, state[0]))} {state[1]}"

    def parse(self, text: str) -> Any:
        """What ``format`` writes."""
        heaps, mover = text.split()
        return tuple(map(int, heaps.split(","))), int(mover)


_nim = Retrograde(Named(Heaps()), MOST)


@lru_cache(maxsize=2)
def _nim_of(lot: object) -> Any:
    return zermelo.game(Heaps())


def nim(rng: random.Random, lot: object) -> Drawn:
    """Heaps of chance; whoever can't take has lost."""
    state = (tuple(rng.randint(0, 3) for _ in range(3)), rng.randrange(2))
    return judged(_nim_of(lot).with_state(state), state, _nim)


class Node:
    """A state of OpenSpiel's, known by its history alone."""

    __slots__ = ("history", "state")

    def __init__(self, state: Any) -> None:
        self.state, self.history = state, tuple(state.history())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self.history == other.history

    def __hash__(self) -> int:
        return hash(self.history)


class NaiveOpenSpiel:
    """The rules of OpenSpiel by OpenSpiel's own word."""

    def mover(self, node: Node) -> int:
        """Who moves; nobody does when it is over."""
        return max(0, node.state.current_player())

    def named(self, node: Node) -> dict[str, int]:
        """Actions by name."""
        state, player = node.state, node.state.current_player()
        return {"".join(state.action_to_string(player, action).split()): action
                for action in state.legal_actions()}

    def moves(self, node: Node) -> list[str]:
        """Names of the actions."""
        return list(self.named(node))

    def play(self, node: Node, name: str) -> Node:
        """After an action."""
        return Node(node.state.child(self.named(node)[name]))

    def outcome(self, node: Node) -> str | None:
        """By the first player's return."""
        if not node.state.is_terminal():
            return None
        gained = node.state.returns()[0]
        return "first" if gained > 0 else "second" if gained < 0 else "draw"


@lru_cache(maxsize=2)
def _spiel_of(lot: object) -> tuple[Any, Retrograde]:
    rng = random.Random(f"OpenSpiel:{lot}")
    game = open_spiel_class(rng.choice(OPEN_SPIEL))(key=rng.choice(["history", "observation"]))
    return game, Retrograde(NaiveOpenSpiel(), MOST, KEPT)


def open_spiel(rng: random.Random, lot: object) -> Drawn:
    """A position near the end of a random game, as far from it as trying everything reaches."""
    game, exact = _spiel_of(lot)
    states, state = [], game.plain.spiel.new_initial_state()
    while not state.is_terminal():
        states.append(state.clone())
        state.apply_action(rng.choice(state.legal_actions()))
    node = Node(states[-rng.randint(1, min(6, len(states)))])
    position = game.start()
    for action in node.history:
        position = position.play_code(game_code(position, action))
    return judged(position, node, exact)


def game_code(position: zermelo.Position, action: int) -> int:
    """The code of an action: its place among the legal ones."""
    game: Any = position.game
    spot = game.state(position)
    return int(position.codes()[spot.state.legal_actions().index(action)])
