"""The smoke set: every game, one search of each family, a certificate, games of one's own.

    python tests/smoke.py

prints what it found as JSON: the same with any versions of Python, Numba and NumPy that
pyproject.toml allows. It needs nothing but the package.
"""

import json
import tempfile
from pathlib import Path

import numpy as np

import zermelo

GAMES = ("connect-four", "othello", "hex", "p-game", "k-in-a-row", "tic-tac-toe", "gomoku",
         "connect6", "lines-of-action", "xiangqi")
CHOMP = Path(__file__).parents[1] / "examples" / "chomp.py"


def moves(g, s, out):
    steps = np.zeros(3, np.int64)  # an array of its own, for which references are counted
    for i in range(3):
        steps[i] = i + 1
    out[:3] = steps
    return min(s.heap, 3)


def play(g, s, move, t):
    t.heap, t.who = s.heap - move, 1 - s.who


def mover(g, s):
    return s.who


def outcome(g, s):
    return 2 - s.who if s.heap == 0 else 0


def key(g, s):
    return s.heap * 2 + s.who


class Heap(zermelo.Game):
    """One to three are taken from a heap; who takes the last one wins."""

    def define(self):
        """Its rules."""
        return zermelo.Rules(state=[("heap", "i8"), ("who", "i8")], max_moves=3, max_length=30,
                             moves=moves, play=play, mover=mover, outcome=outcome, key=key)


def games():
    """How many lines of two moves each game begins with."""
    return {name: zermelo.game(name).start().perft(2) for name in GAMES}


def searches():
    """Values and nodes of one search of each family."""
    start, found = zermelo.game("tic-tac-toe").start(), {}
    for search in ("pn", "df-pn", "alpha-beta"):
        found[search] = zermelo.solve(start, search, nodes=20_000)
    fours = zermelo.game("gomoku", columns=9, rows=9).parse("e5 a1 e6 a3 e7 a5")
    found["vcdt"] = zermelo.solve(fours, "vcdt", nodes=20_000)
    return {search: [str(result.value), result.nodes] for search, result in found.items()}


def certificate():
    """A proof, written and checked in two ways."""
    session = zermelo.Session(zermelo.game("connect-four", columns=4, rows=4).start(), "weak-df-pn")
    session.advance()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "four.proof"
        written = zermelo.write_proof(session, path)
        reports = [zermelo.verify(path, rules=rules) for rules in ("naive", "compiled")]
    return [written.records, *(report.verified for report in reports)]


def own_games():
    """Values of games of one's own."""
    chomp = zermelo.game(f"{CHOMP}:Chomp")
    found = [zermelo.solve(position, "pn", nodes=20_000)
             for position in (Heap().position(heap=13, who=0), chomp.start())]
    return [[str(result.value), result.nodes] for result in found]


if __name__ == "__main__":
    print(json.dumps({"games": games(), "searches": searches(), "certificate": certificate(),
                      "own games": own_games()}))
