"""A game without mistakes, and the same with some parts exchanged, for the tests of check-game."""

import numpy as np
import pytest

from zermelo import FIRST_WINS, ONGOING, SECOND_WINS, Game, Rules
from zermelo.checks.check_game import check_game
from zermelo.compiler.jit import jit_enabled
from zermelo.kernel.rng import below

compiled_only = pytest.mark.skipif(not jit_enabled(), reason="about compiled code")


# A game without mistakes: from a heap of 9 take 1, 2 or 3; who takes the last one wins.
def moves(g, s, out):
    n = min(3, s.heap)
    for i in range(n):
        out[i] = i + 1
    return n


def play(g, s, move, t):
    t.heap = s.heap - move
    t.turn = 1 - s.turn


def mover(g, s):
    return s.turn


def outcome(g, s):
    if s.heap > 0:
        return ONGOING
    return SECOND_WINS if s.turn == 0 else FIRST_WINS


def key(g, s):
    return np.uint64(2 * s.heap + s.turn)


def playout(g, s, rng, scratch):
    heap, turn = s.heap, s.turn
    while heap > 0:
        heap -= 1 + below(rng, min(3, heap))
        turn = 1 - turn
    return SECOND_WINS if turn == 0 else FIRST_WINS


GOOD = {
    "state": [("heap", "i8"), ("turn", "i8")], "max_moves": 3, "max_length": 9, "moves": moves,
    "play": play, "mover": mover, "outcome": outcome, "key": key,
}


class Take(Game):
    """The game above, with some parts exchanged."""

    changes: dict = {}  # noqa: RUF012

    def define(self):
        return Rules(**{**GOOD, **self.changes})

    def start(self):
        return self.position(heap=9)


def take(methods=None, **changes) -> Game:
    return type("Take", (Take,), {"changes": changes, **(methods or {})})()


def problems(game, **options) -> str:
    report = check_game(game, games=20, **options)
    assert report.ok == (not report.problems)
    for sentence in report.problems:
        assert sentence.endswith("."), sentence
        assert "\n" not in sentence
        assert "{" not in sentence
    return "\n".join(report.problems)


def moves_one_by_one(g, s, out):
    out[0] = 1
    return 1


# Mistakes that several files of tests look for.
def moves_far_too_many(g, s, out):
    for i in range(1000):
        out[i] = i
    return 3


def play_into_s(g, s, move, t):
    t.heap = s.heap - move
    t.turn = s.turn = 1 - s.turn


def mover_wrong(g, s):
    return 1 + s.turn


# A heap from which one or two are taken, as the text of a file; and one whose rules make arrays.
SOURCE = """
import numpy as np
import zermelo
def moves(g, s, out):
    MOVES
    return min(s.heap, 2)
def play(g, s, move, t): t.heap, t.who = s.heap - move, 1 - s.who
def mover(g, s): return s.who
def outcome(g, s): return 2 - s.who if s.heap == 0 else 0  # who took the last one wins
def key(g, s): return s.heap * 2 + s.who
class Heap(zermelo.Game):
    def define(self):
        return zermelo.Rules(state=[("heap", "i8"), ("who", "i8")], max_moves=2, max_length=9,
                             moves=moves, play=play, mover=mover, outcome=outcome, key=key)
"""
HEAP = SOURCE.replace("MOVES", "out[0], out[1] = 1, 2")
HEAP_WITH_ARRAYS = SOURCE.replace("MOVES", "out[:2] = np.arange(1, 3)")
