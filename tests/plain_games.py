"""Games in plain Python: twins of compiled ones, and some with faults."""

import importlib.util
from pathlib import Path
from typing import ClassVar

from naive.connect_four import NaiveConnectFour
from naive.hex import NaiveHex
from naive.k_in_a_row import NaiveKInARow
from naive.othello import NaiveOthello

import zermelo

EXAMPLES = Path(__file__).parents[1] / "examples"


def compiled_chomp():
    spec = importlib.util.spec_from_file_location("compiled_chomp", EXAMPLES / "chomp.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.Chomp()


def plain(name, twin, **given):
    """A plain game whose methods are those of a slow twin."""
    def __init__(self, **parameters):
        zermelo.PlainGame.__init__(self, **parameters)
        self.twin = twin(**given)
        for part in ("start", "moves", "play", "mover", "outcome"):
            setattr(self, part, getattr(self.twin, part))

    return type(name, (zermelo.PlainGame,),
                {"__init__": __init__, "cyclic": False, "__module__": __name__})


class PlainChomp(zermelo.PlainGame):
    """A state is the lengths of the rows, from the bottom, and who moves."""

    cyclic = False

    def start(self):
        return ((4, 4, 4), 0)

    def moves(self, state):
        return [f"{'abcdefgh'[column]}{row + 1}"
                for row, length in enumerate(state[0]) for column in range(length)]

    def play(self, state, move):
        column, row = "abcdefgh".index(move[0]), int(move[1]) - 1
        rows = tuple(n if r < row else min(n, column) for r, n in enumerate(state[0]))
        return (rows, 1 - state[1])

    def mover(self, state):
        return state[1]

    def outcome(self, state):
        return None if state[0][0] else ("first", "second")[state[1]]


# The compiled game, the plain one, and the moves to where a search begins.
FIVE = {
    "connect four 5x4": (
        lambda: zermelo.game("connect-four", columns=5, rows=4),
        plain("PlainConnectFour", NaiveConnectFour, columns=5, rows=4), "3 3 3 3 2 4 2"),
    "tic-tac-toe": (
        lambda: zermelo.game("k-in-a-row"), plain("PlainTicTacToe", NaiveKInARow), "b2 a1"),
    "chomp": (compiled_chomp, PlainChomp, ""),
    "hex 3x3": (lambda: zermelo.game("hex", size=3), plain("PlainHex", NaiveHex, size=3), ""),
    "othello 4x4": (
        lambda: zermelo.game("othello", size=4), plain("PlainOthello", NaiveOthello, size=4),
        "b1 a1 a2 a3 a4"),
}


class Nim(zermelo.PlainGame):
    """Whoever takes the last stone wins: a player without a move has lost."""

    cyclic = False
    parameters: ClassVar = {"heap": zermelo.Parameter(3, "the largest heap", low=1, high=9)}
    max_score = 1

    def start(self):
        return (tuple(range(1, self["heap"] + 1)), 0)

    def moves(self, state):
        return [(heap, taken) for heap, stones in enumerate(state[0])
                for taken in range(1, stones + 1)]

    def play(self, state, move):
        heaps = list(state[0])
        heaps[move[0]] -= move[1]
        return (tuple(heaps), 1 - state[1])

    def mover(self, state):
        return state[1]

    def outcome(self, state):
        return None
