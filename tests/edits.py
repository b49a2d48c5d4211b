"""Small games that are edited at random: in their files, in what those import and read, and in a
running program. What their compiled rules say is held against a formula.

A player takes 1 to ``most`` stones, but never ``skip``; who takes the last one wins, or loses if
``misere``; who can't move has lost. The three numbers get into the rules in any of WAYS.
"""

import json
import random
from pathlib import Path
from typing import NamedTuple

import fresh

VALUES = {"most": (2, 3, 4, 5), "skip": (1, 2, 3, 9), "misere": (0, 1)}


class Way(NamedTuple):
    """How the number K, which is V, gets into rules that read it by ``reads``.

    ``change`` changes it in a running program (``home`` is the game's module). ``later``: a game
    that was made before depends on it, too, so it has to be refused.
    """

    reads: str
    game: str = ""
    config: str = ""
    values: str = ""
    define: str = "pass"
    change: str = ""
    later: bool = True


WAYS = {
    "literal": Way("V"),
    "global": Way("K", "K = V", change="home.K = V"),
    "closure": Way("K", define="K = V"),
    "default": Way("K()", "def K(x=V): return x", change="home.K.__defaults__ = (V,)"),
    "module": Way("config.K", config="K = V", change="config.K = V"),
    "two modules": Way("config.K", config="from values import K", values="K = V",
                       change="config.K = V"),
    "package": Way("config.values.K", values="K = V", change="values.K = V"),
    "json": Way("config.K", config="K = json.load(open('values.json'))['K']",
                change="config.K = V"),
    "environment": Way("config.K", config="K = int(os.environ['K'])", change="config.K = V"),
    "class": Way("K", config="class K: X = V", define="K = config.K.X", change="config.K.X = V",
                 later=False),
    "enumeration": Way("config.K.X", config="class K(IntEnum): X = V",
                       change="config.K = IntEnum('K', {'X': V})"),
    "named tuple": Way("K.x", "K = config.Limit(V)", config="class Limit(NamedTuple): x: int",
                       change="home.K = config.Limit(V)"),
    "tuple": Way("K[1]", "K = (0, V)", change="home.K = (0, V)"),
    "array": Way("K[1234]", "K = np.zeros(2000, np.int64)\nK[1234] = V",
                 change="home.K[1234] = V"),
    "helper": Way("K()", "from config import K", config="def K(): return values.K_far",
                  values="K_far = V", change="values.K_far = V"),
    "decorator": Way("K()", "@config.plus(V)\ndef K(): return 0",
                     change="home.K = config.plus(V)(lambda: 0)"),
    "lambda": Way("K()", "K = lambda: V", change="home.K.__code__ = (lambda: V).__code__"),
    "factory": Way("K()", "K = config.constant(V)",
                   change="home.K.__closure__[0].cell_contents = V"),
    "jitted": Way("K_now()", "from config import K_now",
                  config="K = V\n@njit\ndef K_now(): return K", change="config.K = V"),
    "jitted in a module": Way("config.K_now()", config="K = V\n@njit\ndef K_now(): return K",
                              change="config.K = V"),
    "by name": Way("getattr(config, 'K')", config="K = V", change="config.K = V"),
    "inner": Way("(lambda: config.K)()", config="K = V", change="config.K = V"),
}

GAME = """
import numpy as np
import zermelo, config
{globals}

class Edited(zermelo.Game):
    '''{words}'''
    def define(self):
        {define}
        def moves(g, s, out):
            '''{words}'''
            k = 0
            for i in range(1, {most} + 1):
                if i <= s.n and i != {skip}:
                    out[k] = i
                    k += 1
            return k
        def play(g, s, move, t):
            t.n = s.n - move
            t.m = 1 - s.m
        def mover(g, s):
            return s.m
        def outcome(g, s):
            if s.n > 0:
                return 0
            return 1 + s.m if {misere} == 1 else 2 - s.m
        def key(g, s):
            return s.n * 2 + s.m
        return zermelo.Rules(state=[("n", "i8"), ("m", "i8")], max_moves=9, max_length=50,
                             moves=moves, play=play, mover=mover, outcome=outcome, key=key)
"""
CONFIG = """
import functools, json, os
from enum import IntEnum
from typing import NamedTuple
from numba import njit
import values

def plus(k):
    def mark(f):
        @functools.wraps(f)
        def inner():
            return f() + k
        return inner
    return mark

def constant(k):
    return lambda: k
"""
PROGRAM = """
import json, sys, zermelo
from zermelo.core.rules import rules_digest
from zermelo.errors import BadGame, BadOption
from zermelo.compiler.jit import kernel
from zermelo.compiler.compile_stats import stats

def value_of(rules):
    moves, outcome = rules.moves, rules.outcome
    def values(g, states, out, found):
        for n in range(len(found)):
            states[0].n = n
            end = outcome(g, states[0])
            found[n] = end == 1
            if end == 0:
                for i in range(moves(g, states[0], out)):
                    if not found[n - out[i]]:
                        found[n] = True
    return kernel(values)

def look(game, run=None):
    run = run or value_of(game.rules)
    found = np.zeros(12, np.bool_)
    run(game.rules.data, np.zeros(1, game.rules.dtype), np.zeros(16, np.int32), found)
    try:
        digest = rules_digest("edited", game.rules)
    except BadOption:
        digest = None
    return run, [found.tolist(), digest]

import numpy as np
from enum import IntEnum
rows, steps, solving = [], json.loads(sys.argv[1]), bool(int(sys.argv[2]))
old = None
sys.path[:] = filter(None, sys.path)  # neighbours of a game are loaded as the game is
for change in steps:
    if change is not None:
        import config, values
        home = sys.modules[type(game).__module__]
        exec(change["do"])
        try:
            row = ["ran", look(game, old)[1][0]]
        except BadGame:
            row = ["refused"]
        game = type(game)()
    else:
        game, row = zermelo.game("edited.py:Edited"), None
    try:
        old, seen = look(game)
    except BadGame:
        rows.append([row, None, None])
        continue
    if solving:
        results = [zermelo.solve(game.position(n=n, m=0), "pn") for n in (5, 8, 11)]
        seen.append([[str(result.value), result.nodes] for result in results])
    rows.append([row, *seen])
print(json.dumps([rows, stats.compiled, stats.loaded]))
"""


def truth(numbers: dict[str, int]) -> list[bool]:
    """Whether the player to move wins, by the number of stones."""
    wins = [numbers["misere"] == 1]
    for n in range(1, 12):
        takes = [i for i in range(1, numbers["most"] + 1) if i <= n and i != numbers["skip"]]
        wins.append(any(not wins[n - i] for i in takes))
    return wins


class Edited:
    """A game of three numbers, each with its way into the rules."""

    def __init__(self, chance: random.Random, folder: Path) -> None:
        self.chance, self.folder = chance, folder
        self.ways = {name: WAYS[chance.choice(list(WAYS))] for name in VALUES}
        self.numbers = {name: chance.choice(values) for name, values in VALUES.items()}
        self.words = 0

    def write(self) -> None:
        """All files."""
        parts = {part: "\n".join(self.filled(getattr(way, part), name)
                                 for name, way in self.ways.items())
                 for part in ("game", "config", "values")}
        reads = {name: self.filled(way.reads, name) for name, way in self.ways.items()}
        define = "; ".join(self.filled(way.define, name) for name, way in self.ways.items())
        (self.folder / "edited.py").write_text(GAME.format(
            globals=parts["game"], define=define, words=f"Words {self.words}", **reads))
        (self.folder / "config.py").write_text(CONFIG + parts["config"])
        (self.folder / "values.py").write_text(parts["values"])
        (self.folder / "values.json").write_text(json.dumps(self.numbers))

    def filled(self, text: str, name: str) -> str:
        """A text of a way, for the number ``name``."""
        return text.replace("K", name).replace("V", str(self.numbers[name]))

    def edit(self, names: list[str]) -> str:
        """Give one of these another value; which."""
        name = self.chance.choice(names)
        self.numbers[name] = self.chance.choice(
            [value for value in VALUES[name] if value != self.numbers[name]])
        return name

    def run(self, changes: int, solving: bool, cache: Path) -> list[str]:
        """Look at the game in a process that then changes it so often; what went wrong."""
        self.write()
        environment = {name: str(value) for name, value in self.numbers.items()}
        steps, expected = [None], [truth(self.numbers)]
        live = [name for name, way in self.ways.items() if way.change]
        before = dict(self.numbers)
        for _ in range(changes if live else 0):
            name = self.edit(live)
            way = self.ways[name]
            steps.append({"do": self.filled(way.change, name), "refused": way.later})
            expected.append(truth(self.numbers))
        self.numbers = before  # in the files
        code = f"import sys\nsys.argv = ['', {json.dumps(json.dumps(steps))}, '{int(solving)}']\n"
        found = []
        for place in (cache, cache / "cold") if solving else (cache,):
            done = fresh.run(code + PROGRAM, cwd=str(self.folder), ZERMELO_CACHE=str(place),
                             **environment)
            if done.status:
                return [f"{self.names()}: {done.err[-1500:]}"]
            found.append(json.loads(done.out)[0])
        may_refuse = WAYS["by name"] in self.ways.values()
        wrong = [f"{self.names()}, step {step} {steps[step]}: {row}, not {right}"
                 for step, (row, right) in enumerate(
                     zip(found[0], expected, strict=True))
                 if row[1] != right and not (row[1] is None and step and may_refuse)]
        wrong += [f"{self.names()}, step {step} {change}: a game made before ran: {row}"
                  for step, (change, row) in enumerate(zip(steps, found[0], strict=True))
                  if change and row[0] != ["refused"] and found[0][step - 1][1] is not None
                  and (change["refused"] or row[0][1] != expected[step - 1])]
        if len(found) == 2 and found[0] != found[1]:
            wrong.append(f"{self.names()}: warm {found[0]}, cold {found[1]}")
        digests: dict[str, list[bool]] = {}
        for row in found[0]:
            if row[2] is not None and digests.setdefault(row[2], row[1]) != row[1]:
                wrong.append(f"{self.names()}: one digest for two games")
        return wrong

    def names(self) -> str:
        """Which ways it has."""
        return f"{ {name: way.reads for name, way in self.ways.items()} } {self.numbers}"


def attack(edits: int, seed: int, folder: Path, solve_each: int) -> list[str]:
    """Make so many edits, and solve one game in so many, also with an empty cache; what went
    wrong."""
    chance, wrong, done, rounds = random.Random(seed), [], 0, 0
    while done < edits:
        place = folder / str(rounds)
        place.mkdir()
        game = Edited(chance, place)
        for _ in range(3):  # edits of files, each with two in the program
            wrong += game.run(2, rounds % solve_each == solve_each - 1, folder / "cache")
            game.edit(list(VALUES))
            game.words += 1
            done += 3
        rounds += 1
    return wrong
