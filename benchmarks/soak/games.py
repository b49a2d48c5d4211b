"""Random positions of all games, small enough for an independent answer.

A shape is a game with fixed parameters as far as they are compiled into the searches; what is data
may differ from position to position.
"""

import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from certificates import NaiveGraph
from naive.connect_four import NaiveConnectFour
from naive.hex import NaiveHex
from naive.k_in_a_row import NaiveKInARow
from naive.lines_of_action import NaiveLinesOfAction
from naive.othello import NaiveOthello
from naive.p_game import NaivePGame
from naive.xiangqi import NaiveXiangqi

import zermelo
from benchmarks.soak.case import NO_COMPILER
from benchmarks.soak.retrograde import Retrograde, Scores, TooLarge

CHOMP = str(Path(__file__).parents[2] / "examples" / "chomp.py") + ":Chomp"
TWINS = {"connect-four": NaiveConnectFour, "othello": NaiveOthello, "hex": NaiveHex,
         "k-in-a-row": NaiveKInARow, "tic-tac-toe": NaiveKInARow, "p-game": NaivePGame,
         "lines-of-action": NaiveLinesOfAction, "xiangqi": NaiveXiangqi}
MOST = 500  # positions that can come up, where all of them are worked out anew for each case
WHOLE = 200_000  # the same where one board is worked out for all cases
TRIES = 500


@dataclass(frozen=True)
class Drawn:
    """A position with the twin's idea of it and exact answers.

    ``scores`` is None where there are no scores; ``only_wins``: what is a draw here may be won by a
    rule for repetitions that the answers know nothing of.
    """

    position: zermelo.Position
    state: Any
    exact: Retrograde
    scores: Scores | None = None
    only_wins: bool = False


class NaiveChomp:
    """A state is (row lengths from the bottom, mover)."""

    def from_position(self, position: Any) -> Any:
        """From the text of a position."""
        rows, side = position.text.split()
        lengths = tuple(int(n) for n in rows.split(",") if n != "0")
        return lengths, ("first", "second").index(side)

    def mover(self, state: Any) -> int:
        """Who moves."""
        return int(state[1])

    def moves(self, state: Any) -> list[str]:
        """Every square that is left."""
        return [f"{'abcdefgh'[column]}{row + 1}" for row, length in enumerate(state[0])
                for column in range(length)]

    def play(self, state: Any, move: str) -> Any:
        """The square and all above and to the right of it are eaten."""
        column, row = "abcdefgh".index(move[0]), int(move[1:]) - 1
        rows = [min(n, column) if i >= row else n for i, n in enumerate(state[0])]
        return tuple(n for n in rows if n), 1 - state[1]

    def outcome(self, state: Any) -> str | None:
        """Who eats nothing more has won."""
        return None if state[0] else ("first", "second")[state[1]]


def game_of(name: str, **parameters: Any) -> zermelo.Game:
    """A game; the same one for the same parameters. One that was compiled stays compiled."""
    return _game_of(NO_COMPILER in os.environ, name, **parameters)


@cache
def _game_of(plain: bool, name: str, **parameters: Any) -> zermelo.Game:
    return zermelo.game(name, **parameters)


@cache
def exact_for(name: str, most: int, **parameters: Any) -> Retrograde:
    """Exact answers for a game, kept as long as the process lives."""
    return Retrograde(NaiveChomp() if name == CHOMP else TWINS[name](**parameters), most)


def drawn(position: zermelo.Position, exact: Retrograde, **more: Any) -> Drawn:
    """With its exact value, which is worked out here; TooLarge if it can't be."""
    state = exact.twin.from_position(SimpleNamespace(text=position.text))
    exact.of(state)
    return Drawn(position, state, exact, **more)


def walked(position: zermelo.Position, rng: random.Random, moves: int) -> zermelo.Position:
    """After so many random moves, or fewer where the game is over before."""
    for _ in range(moves):
        codes = position.codes()
        if not codes:
            break
        position = position.play_code(rng.choice(codes))
    return position


def by_moves(name: str, least: int, most: int,
             **parameters: Any) -> Callable[[random.Random], Drawn]:
    """Positions after ``least`` to ``most`` random moves; few of them finished."""

    def draw(rng: random.Random) -> Drawn:
        position = walked(game_of(name, **parameters).start(), rng, rng.randint(least, most))
        if position.outcome is not None and rng.random() < 0.9:
            raise TooLarge
        return drawn(position, exact_for(name, MOST, **parameters))

    return draw


def disc_score(state: Any) -> int:
    """The winner's lead, with the squares that are left empty."""
    lead = int(state[0].count("X") - state[0].count("O"))
    return lead + (lead > 0) * state[0].count("-") - (lead < 0) * state[0].count("-")


@cache
def scores_of_othello(size: int) -> Scores:
    """Exact scores where a player without a move passes."""
    return Scores(NaiveOthello(size), disc_score)


def with_scores(rng: random.Random) -> Drawn:
    """A position of 4x4 Othello."""
    found = by_moves("othello", 3, 11, size=4)(rng)
    return Drawn(found.position, found.state, found.exact, scores_of_othello(4))


def by_board(empties: tuple[int, int], **parameters: Any) -> Callable[[random.Random], Drawn]:
    """A k-in-a-row board with few squares left, by placing stones at random."""

    def draw(rng: random.Random) -> Drawn:
        game = game_of("k-in-a-row", **parameters)
        columns, cells = parameters["columns"], parameters["columns"] * parameters["rows"]
        left = rng.randint(*empties)
        own = (cells - left) // 2 + rng.choice([-1, 0, 0, 0, 1, 2])
        marks = list("X" * own + "O" * (cells - left - own) + "." * left)
        rng.shuffle(marks)
        rows = ["".join(marks[i : i + columns]) for i in range(0, cells, columns)]
        side = rng.choice("XO") + str(rng.randint(1, parameters.get("stones", 1)))
        try:
            position = game.parse(f"{'/'.join(rows)} {side}")
        except zermelo.BadPosition:
            raise TooLarge from None
        if position.outcome is not None:
            raise TooLarge
        return drawn(position, exact_for("k-in-a-row", MOST, **parameters))

    return draw


def p_game(rng: random.Random) -> Drawn:
    """A random tree."""
    branching, depth = rng.choice([(2, 8), (2, 6), (3, 5), (3, 3), (4, 4), (5, 3)])
    given = {"branching": branching, "depth": depth, "range": rng.choice([1, 2, 10, 100]),
             "seed": rng.getrandbits(64)}
    position = walked(zermelo.game("p-game", **given).start(), rng, rng.randint(0, 2))
    return drawn(position, Retrograde(NaivePGame(**given), 2 * MOST))


def random_nodes(rng: random.Random, cyclic: bool) -> dict[str, Any]:
    """A graph as ``zermelo.graph`` takes it; players need not alternate."""
    inner = [f"n{i}" for i in range(rng.randint(2, 16))]
    ends = {f"end{i}": rng.choice(["win", "loss", "draw"]) for i in range(rng.randint(1, 5))}
    nodes: dict[str, Any] = {}
    for i, name in enumerate(inner):
        below = [*(inner if cyclic else inner[i + 1 :]), *ends]
        children = rng.sample(below, rng.randint(1, min(4, len(below))))
        if rng.random() < 0.5:  # else nearly all of them would be draws
            children = list(dict.fromkeys([*children[1:], rng.choice(list(ends))]))
        nodes[name] = (rng.choice(["or", "and"]), children)
    return {**nodes, **ends}


def graph(cyclic: bool) -> Callable[[random.Random], Drawn]:
    """Positions of explicit random graphs."""

    def draw(rng: random.Random) -> Drawn:
        nodes = random_nodes(rng, cyclic)
        return drawn(zermelo.graph(nodes).start(), Retrograde(NaiveGraph(nodes), MOST))

    return draw


def chomp(rng: random.Random) -> Drawn:
    """A bar of which something has been eaten."""
    rows = sorted((rng.randint(1, 4) for _ in range(rng.randint(1, 4))), reverse=True)
    text = f"{','.join(map(str, rows))} {rng.choice(['first', 'second'])}"
    return drawn(game_of(CHOMP).parse(text), exact_for(CHOMP, MOST))


def lines_of_action(size: int, pieces: int) -> Callable[[random.Random], Drawn]:
    """A board with few pieces of each side."""

    def draw(rng: random.Random) -> Drawn:
        given = {"size": size, "simultaneous": rng.choice(["draw", "mover"])}
        if size == 3:
            given["no_move"] = rng.choice(["pass", "loses"])
        squares = rng.sample(range(size * size), rng.randint(2, pieces) + rng.randint(2, pieces))
        marks = ["."] * (size * size)
        for at, square in enumerate(squares):
            marks[square] = "XO"[at % 2]
        rows = ["".join(marks[i : i + size]) for i in range(0, size * size, size)]
        position = game_of("lines-of-action", **given).parse(
            f"{'/'.join(rows)} {rng.choice('XO')}")
        if position.outcome is not None and rng.random() < 0.9:
            raise TooLarge
        return drawn(position, exact_for("lines-of-action", WHOLE, **given))

    return draw


def xiangqi_text(rng: random.Random, pieces: str) -> str:
    """Both kings and ``pieces`` anywhere; not always a position."""
    squares = [["."] * 9 for _ in range(10)]
    squares[rng.randint(0, 2)][rng.randint(3, 5)] = "k"
    squares[rng.randint(7, 9)][rng.randint(3, 5)] = "K"
    for piece in pieces:
        squares[rng.randrange(10)][rng.randrange(9)] = piece
    rows = ["".join(row) for row in squares]
    for run in range(9, 0, -1):
        rows = [row.replace("." * run, str(run)) for row in rows]
    return f"{'/'.join(rows)} {rng.choice('wb')}"


def xiangqi(repetition: str) -> Callable[[random.Random], Drawn]:
    """Kings and one more piece."""

    def draw(rng: random.Random) -> Drawn:
        try:
            position = game_of("xiangqi", repetition=repetition).parse(
                xiangqi_text(rng, rng.choice("NPRnp")))
        except zermelo.BadPosition:
            raise TooLarge from None
        return drawn(position, exact_for("xiangqi", WHOLE), only_wins=repetition != "draw")

    return draw


SHAPES: dict[str, Callable[[random.Random], Drawn]] = {
    "graph with cycles": graph(cyclic=True),
    "p-game": p_game,
    "connect-four 4x4": by_moves("connect-four", 8, 15, columns=4, rows=4),
    "tic-tac-toe": by_moves("tic-tac-toe", 2, 8),
    "othello 4x4": with_scores,
    "chomp": chomp,
    "hex 3x3": by_moves("hex", 2, 8, size=3),
    "k-in-a-row 4x3, two stones": by_moves("k-in-a-row", 5, 11, columns=4, rows=3, line=3,
                                           stones=2),
    "lines of action 3x3": lines_of_action(3, 2),
    "graph without cycles": graph(cyclic=False),
    "k-in-a-row 6x5, two stones": by_board((3, 7), columns=6, rows=5, line=4, stones=2),
    "lines of action 4x4": lines_of_action(4, 2),
    "connect-four 5x4, three in a row": by_moves("connect-four", 10, 17, columns=5, rows=4, line=3),
    "xiangqi": xiangqi("draw"),
    "k-in-a-row 6x5, no overlines": by_board((3, 7), columns=6, rows=5, line=4,
                                             overline="no-win"),
    "hex 4x4": by_moves("hex", 9, 15, size=4),
    "othello 4x4, no move loses": by_moves("othello", 3, 11, size=4, no_move="loses"),
    "xiangqi, perpetual check loses": xiangqi("perpetual-check-loses"),
    "lines of action 5x5": lines_of_action(5, 2),
}


def draw(shape: str, rng: random.Random) -> Drawn:
    """A position of a shape, with its exact value."""
    for _ in range(TRIES):
        try:
            return SHAPES[shape](rng)
        except TooLarge:
            continue
    raise AssertionError(f"{shape}: no position is small enough")
