"""Random positions of all games, small enough for an independent answer.

A shape is a game with fixed parameters as far as they are compiled into the searches; what is data
may differ from position to position. Shapes that are compiled in little time come first.
"""

import os
import random
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from naive.chomp import NaiveChomp
from naive.connect_four import NaiveConnectFour
from naive.hex import NaiveHex
from naive.k_in_a_row import NaiveKInARow
from naive.lines_of_action import NaiveLinesOfAction
from naive.othello import NaiveOthello
from naive.p_game import NaivePGame
from naive.xiangqi import NaiveXiangqi

import zermelo
from benchmarks.soak.case import NO_COMPILER
from benchmarks.soak.drawn import Drawn, drawn, walked
from benchmarks.soak.objects import as_objects, nim, open_spiel, plain_graph
from benchmarks.soak.random_graphs import graph
from benchmarks.soak.retrograde import Retrograde, Scores, TooLarge

CHOMP = str(Path(__file__).parents[2] / "examples" / "chomp.py") + ":Chomp"
TWINS = {"connect-four": NaiveConnectFour, "othello": NaiveOthello, "hex": NaiveHex,
         "k-in-a-row": NaiveKInARow, "tic-tac-toe": NaiveKInARow, "p-game": NaivePGame,
         "lines-of-action": NaiveLinesOfAction, "xiangqi": NaiveXiangqi}
MOST = 3_000  # positions that can come up; their values are kept for later cases
TREES, TREE = 6, 1_500  # random trees of a lot of cases, and their largest size
WHOLE = 200_000  # the same where one board is worked out for all cases
BOARDS = 32  # whose values are kept
TRIES = 500


def game_of(name: str, **parameters: Any) -> zermelo.Game:
    """A game; the same one for the same parameters. One that was compiled stays compiled."""
    return _game_of(NO_COMPILER in os.environ, name, **parameters)


@cache
def _game_of(plain: bool, name: str, **parameters: Any) -> zermelo.Game:
    return zermelo.game(name, **parameters)


@lru_cache(maxsize=BOARDS)
def exact_for(name: str, most: int, **parameters: Any) -> Retrograde:
    """Exact answers for a game, kept from case to case."""
    return Retrograde(NaiveChomp() if name == CHOMP else TWINS[name](**parameters), most)


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


@lru_cache(maxsize=2 * TREES)
def tree(lot: str) -> tuple[zermelo.Game, Retrograde]:
    """A random tree."""
    rng = random.Random(f"p-game:{lot}")
    branching, depth = rng.choice([(2, 9), (2, 6), (3, 6), (3, 3), (4, 5), (5, 4)])
    given = {"branching": branching, "depth": depth, "range": rng.choice([1, 2, 10, 100]),
             "seed": rng.getrandbits(64)}
    return zermelo.game("p-game", **given), Retrograde(NaivePGame(**given), TREE)


def p_game(rng: random.Random, lot: object) -> Drawn:
    """A position of one of the trees of a lot."""
    game, exact = tree(f"{lot}:{rng.randrange(TREES)}")
    return drawn(walked(game.start(), rng, rng.randint(0, 3)), exact)


def chomp(rng: random.Random) -> Drawn:
    """A bar of which something has been eaten."""
    rows = sorted((rng.randint(1, 4) for _ in range(rng.randint(1, 4))), reverse=True)
    text = f"{','.join(map(str, rows))} {rng.choice(['first', 'second'])}"
    return drawn(game_of(CHOMP).parse(text), exact_for(CHOMP, MOST))


def scattered(rng: random.Random, size: int, pieces: int) -> str:
    """A square board with 2 to ``pieces`` pieces of each side, or one more of the first."""
    squares = rng.sample(range(size * size), rng.randint(2, pieces) + rng.randint(2, pieces))
    marks = ["."] * (size * size)
    for at, square in enumerate(squares):
        marks[square] = "XO"[at % 2]
    rows = ["".join(marks[i : i + size]) for i in range(0, size * size, size)]
    return f"{'/'.join(rows)} {rng.choice('XO')}"


def lines_of_action(size: int, pieces: int) -> Callable[[random.Random], Drawn]:
    """A board with few pieces of each side."""

    def draw(rng: random.Random) -> Drawn:
        given = {"size": size, "simultaneous": rng.choice(["draw", "mover"])}
        if size == 3:
            given["no_move"] = rng.choice(["pass", "loses"])
        position = game_of("lines-of-action", **given).parse(scattered(rng, size, pieces))
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


Draw = Callable[[random.Random], Drawn]
# Those that are drawn from something which many cases share: its number is handed over.
BY_LOT: dict[str, Callable[[random.Random, object], Drawn]] = {
    "graph with cycles": graph(cyclic=True),
    "graph without cycles": graph(cyclic=False),
    "p-game": p_game,
    "plain graph with cycles": plain_graph(cyclic=True),
    "plain graph without cycles": plain_graph(cyclic=False),
    "plain tic-tac-toe": as_objects("k-in-a-row", 3, 8),
    "plain connect-four 4x4": as_objects("connect-four", 10, 15, columns=4, rows=4),
    "plain othello 4x4": as_objects("othello", 6, 11, size=4),
    "plain nim": nim,
    "OpenSpiel": open_spiel,
}
SHAPES: dict[str, Draw] = {
    "connect-four 4x4": by_moves("connect-four", 7, 15, columns=4, rows=4),
    "tic-tac-toe": by_moves("tic-tac-toe", 1, 8),
    "othello 4x4": with_scores,
    "hex 3x3": by_moves("hex", 1, 8, size=3),
    "lines of action 3x3": lines_of_action(3, 2),
    "lines of action 4x4": lines_of_action(4, 2),
    "hex 3x3, swap": by_moves("hex", 0, 7, size=3, swap="yes"),
    "k-in-a-row 4x3, two stones": by_moves("k-in-a-row", 4, 11, columns=4, rows=3, line=3,
                                           stones=2),
    "k-in-a-row 6x5, two stones": by_board((3, 7), columns=6, rows=5, line=4, stones=2),
    "k-in-a-row 6x5, no overlines": by_board((3, 7), columns=6, rows=5, line=4,
                                             overline="no-win"),
    "hex 4x4": by_moves("hex", 8, 15, size=4),
    "othello 4x4, no move loses": by_moves("othello", 3, 11, size=4, no_move="loses"),
    "connect-four 5x4, three in a row": by_moves("connect-four", 10, 17, columns=5, rows=4, line=3),
    "chomp": chomp,
    "xiangqi": xiangqi("draw"),
    "xiangqi, perpetual check loses": xiangqi("perpetual-check-loses"),
}
NAMES = [*BY_LOT, *SHAPES]


def draw(shape: str, rng: random.Random, lot: object = None) -> Drawn:
    """A position of a shape, with its exact value; what cases may share is that of ``lot``."""
    lot = rng.getrandbits(64) if lot is None else lot
    for _ in range(TRIES):
        try:
            return BY_LOT[shape](rng, lot) if shape in BY_LOT else SHAPES[shape](rng)
        except TooLarge:
            continue
    raise AssertionError(f"{shape}: no position is small enough")
