"""Experiment files for the tests of the lab, as a user would write them, and the lab on them."""

import sqlite3
from contextlib import closing
from pathlib import Path

from command import call, loads

from zermelo.jobs.store import Store
from zermelo.lab.experiment import experiment, store_path
from zermelo.lab.plan import plan_of
from zermelo.lab.results import Results


def prepare(folder, monkeypatch):
    """Experiment files in an empty directory, and a store of its own; in plain Python."""
    monkeypatch.chdir(folder)
    monkeypatch.setenv("ZERMELO_LAB", str(folder / "lab.sqlite"))
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    monkeypatch.delenv("ZERMELO_DATA", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(folder / "home"))
    for name, source in (("small", SMALL), ("traced", TRACED)):
        (folder / f"{name}_trees.py").write_text(source)
    return folder


def lab(*words):
    done = call("lab", *words)
    assert done.status in (0, 10), done.err
    return done


def ran(*words):
    return loads(lab("run", *words, "--backend", "in-process", "--json").out)


_kept: dict[tuple[str, ...], bytes] = {}


def have_run(*words, store=None):
    """Leave the store as after ``lab run WORDS`` on an empty one, which is run once a process."""
    path = Path(store or store_path())
    assert not path.exists()
    if words not in _kept:
        ran(*words, *(["--store", store] if store else []))
        with closing(sqlite3.connect(path)) as database:
            _kept[words] = database.serialize()
    else:
        path.write_bytes(_kept[words])


def results_of(name, **options):
    store = Store(store_path())
    return Results(plan_of(experiment(name), **options), store), store


SMALL = '''
"""Two searches on random trees."""
from zermelo.lab import *
import zermelo

experiment = Experiment(
    title="PN and PPN on small trees",
    source="A test.",
    positions=each("p-game", "seed", range(100, 120), branching=2, depth=6, take=Size(6, full=20)),
    arms=[Arm("PN", zermelo.PN(), nodes=400, memory="20MB"),
          Arm("PPN", zermelo.PPN(pr=0.2, playouts=2), nodes=400, memory="20MB", seeds=2)],
    tables=[Table("Small trees", ["wins", "mean nodes", "mean nodes of common vs PN"],
                  published={"concluded": {"PN": 6}})],
    figures=[Figure("bars", "bars", "Concluded", y="concluded", published={"PN": 6, "PPN": 9}),
             Figure("cactus", "cactus", "Concluded within nodes", x="nodes")],
    claims=[Claim("PN concludes all six", equals("concluded", 6, "PN"), "a test"),
            Claim("PPN never errs", none_false("PPN"))],
    differs="Nothing does.",
    judge=Judge(memory="20MB", nodes=20_000),
    minutes=Size(0.1, full=1),
)
'''

# Many jobs of some hundredths of a second, in plain Python.
MANY = '''
from zermelo.lab import *
import zermelo

experiment = Experiment(
    title="Many jobs",
    positions=each("p-game", "seed", range(30), branching=2, depth=12),
    arms=[Arm("PN", zermelo.PN(), nodes=60, memory="20MB"),
          Arm("PPN", zermelo.PPN(pr=0.02, playouts=2), nodes=30, memory="20MB")],
    tables=[Table("Many", ["wins", "mean nodes"], "set, arm")],
    judge=Judge(memory="20MB", nodes=100, certificate=False),
)
'''

TROUBLE = '''
import os
import subprocess
import time
from typing import NamedTuple
from zermelo import PN, Game, Parameter, Rules
from zermelo.lab import *

HOARD = []
TROUBLES = range(8)


class Facts(NamedTuple):
    trouble: int


class Trouble(Game):
    """Count to five; the second move does what the parameter says."""

    name = "trouble"
    parameters = {"trouble": Parameter(0, "which", low=0, high=9, kind="data")}

    def define(self):
        def moves(g, s, out):
            out[0] = 1
            out[1] = 2
            while g.trouble == 9:
                pass
            return 2

        def play(g, s, move, t):
            if s.n == 1 and g.trouble:
                misbehave(g.trouble)
            t.n = s.n + move

        def misbehave(which):
            while which == 1:  # allocates without bound, and uses it
                HOARD.append(bytearray(1 << 22))
                HOARD[-1][::4096] = b"x" * 1024
            while which == 2:  # never ends, and works now and then
                sum(range(300_000))
                time.sleep(0.1)
            if which == 3:
                os.abort()
            if which == 4:
                os._exit(7)
            if which == 5:
                raise ValueError("a bug in the rules")
            if which == 6:
                print("{ no row", flush=True)
            if which == 7:
                os.kill(os.getppid(), 9)
            if which == 8:  # leaves a process behind
                with open(os.environ["TROUBLE_FILE"], "a") as file:
                    print(subprocess.Popen(["sleep", "900"]).pid, file=file)

        def mover(g, s):
            return s.n & 1

        def outcome(g, s):
            return 0 if s.n < 5 else 1 + (s.n & 1)

        def key(g, s):
            return s.n

        return Rules(state=[("n", "u8")], max_moves=2, max_length=5, moves=moves, play=play,
                     mover=mover, outcome=outcome, key=key, data=Facts(self["trouble"]))


def make():
    for trouble in TROUBLES:
        yield str(trouble), Trouble(trouble=trouble).start()


experiment = Experiment(
    title="Jobs that end badly",
    positions=Positions("troubles", make),
    arms=[Arm("PN", PN(), nodes=100, memory="40MB", wall=12)],
    judge=None,
)
'''

# Samples of the root, for figures over iterations, labels and error rates.
TRACED = '''
from zermelo import PN, PPN, UCT
from zermelo.lab import *

experiment = Experiment(
    title="Traces of small trees",
    positions=[each("p-game", "seed", range(100, 106), name=f"depth {d}", branching=2, depth=d,
                    labels={"depth": d}) for d in (4, 5)],
    arms=[*sweep(PPN, {"pr": [None, 0.3], "theta": [0.01, 0.1]}, trace=1, memory="20MB",
                 fixed={"playouts": 2}, keep=lambda pr, theta: pr is None or pr > theta),
          Arm("UCT", UCT(playouts=2), nodes=400, trace=2, unit=2, memory="20MB"),
          Arm("PN", PN(), trace=1, memory="20MB", on=("depth 4",))],
    tables=[Table("By set", [("ids", lambda entries: len({e.cell.id for e in entries})),
                             "par2 nodes", "median iterations"], "set"),
            Table("One arm", ["mean cpu_seconds"], "set, arm", arms=["UCT"], note="A note.")],
    figures=[Figure("lines", "lines", "Nodes by depth", x="depth", y="mean nodes"),
             Figure("theta", "lines", "Nodes by theta", x="theta", y="mean nodes", series="pr",
                    published={"all": {0.01: 10.0, 0.1: 12.0}}, log_x=True, log_y=True),
             Figure("p", "trace", "The root's p", y="p", sets=["depth 4"], most=20),
             Figure("error", "error", "Wrong moves")],
    judge=Judge(moves=True, certificate=False, memory="20MB"),
)
'''
