"""Numba, llvmlite and Typer are used as they are: nothing of theirs is replaced."""

import json
import os
import subprocess
import sys

import pytest
from heap_game import HEAP_WITH_ARRAYS

from zermelo.compiler.jit import jit_enabled

SOLVES = HEAP_WITH_ARRAYS + """
def heap():
    assert zermelo.solve(Heap().position(heap=7, who=0), "pn").proved

def solves(directory):
    start = zermelo.game("tic-tac-toe").start()
    for search in ("pn", "alpha-beta"):
        zermelo.solve(start, search, nodes=1000)
    four = zermelo.game("connect-four", columns=4, rows=4)
    session = zermelo.Session(four.start(), "weak-df-pn")
    session.advance()
    path = f"{directory}/four.proof"
    zermelo.write_proof(session, path)
    assert zermelo.verify(path, rules="compiled").verified
"""
LOADED = SOLVES + """
import json, sys
heap()
print(json.dumps(sorted(name for name in sys.modules if name.startswith(("numba", "llvmlite")))))
"""
ATTRIBUTES = """
import json, sys

def attributes(*packages):
    def ours(name):
        return str(name).partition(".")[0] in packages

    found = {}
    for name, module in sorted(sys.modules.items()):
        if not ours(name):
            continue
        found |= {(name, key): value for key, value in vars(module).items()}
        for kind in vars(module).values():
            if isinstance(kind, type) and ours(kind.__module__):
                found |= {(f"{kind.__module__}.{kind.__qualname__}", key): value
                          for key, value in vars(kind).items()}
    return found

def compare(before, after):
    changed = [f"{place}.{key}" for (place, key), value in after.items()
               if before.get((place, key), after) is not value
               and key != "__slotnames__"]  # Python's own, made when an object is copied
    changed += [f"{place}.{key} is gone" for place, key in set(before) - set(after)]
    print(json.dumps([len(before), sorted(changed)]))
"""
COMPARED = SOLVES + ATTRIBUTES + """
import importlib
import numba

for name in json.loads(sys.argv[2]):
    importlib.import_module(name)
assert numba.njit(lambda x, y: x[1:] + y)(np.arange(3), 2).sum() == 7
before = attributes("numba", "llvmlite")
heap()
solves(sys.argv[1])
compare(before, attributes("numba", "llvmlite"))
"""
COMMANDS = ATTRIBUTES + """
import io
from contextlib import redirect_stdout
import typer.core, typer.main

before = attributes("typer", "click")
from zermelo.cli import run
with redirect_stdout(io.StringIO()):
    assert run(["games"]) == run(["resume", "-h"]) == run(["lab", "list", "-h"]) == 0
after = {place: value for place, value in attributes("typer", "click").items()
         if place in before}  # less the modules that are loaded on use
compare(before, after)
"""


def run(code, *words, **environment):
    done = subprocess.run([sys.executable, "-c", code, *words], text=True, capture_output=True,
                          env={**os.environ, **environment})
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.skipif(not jit_enabled(), reason="about compiled code")
def test_every_attribute_of_numba_is_what_it_was(tmp_path):
    """Objects may be changed in place: registries of types, functions and passes are filled."""
    loaded = run(LOADED, tmp_path, ZERMELO_CACHE=str(tmp_path / "one"))
    assert {"numba.core.lowering", "llvmlite.binding.ffi"} <= set(loaded)
    seen, changed = run(COMPARED, tmp_path, json.dumps(loaded), ZERMELO_CACHE=str(tmp_path / "two"))
    assert seen > 10_000
    assert changed == []


def test_every_attribute_of_typer_is_what_it_was():
    seen, changed = run(COMMANDS)
    assert seen > 1000
    assert changed == []
