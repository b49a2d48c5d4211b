"""The same searches as ordinary Python: the compiled ones expand the same nodes."""

import json
import os
import subprocess
import sys

import pytest

PROGRAM = """
import json, warnings, zermelo
warnings.simplefilter("ignore")
rows = []
for name, parameters, text in [
    ("connect-four", {"columns": 5, "rows": 4, "line": 3}, "12"),
    ("othello", {"size": 4}, "start"),
    ("hex", {"size": 3}, "start"), ("p-game", {"branching": 2, "depth": 6}, "start"),
    ("k-in-a-row", {"columns": 4, "rows": 3, "line": 3, "stones": 2, "first": 1}, "start"),
]:
    position = zermelo.game(name, **parameters).parse(text)
    for search in (zermelo.PN(), zermelo.PN2(a=20, b=5, N=200),
                   zermelo.DeepPN(), zermelo.MCPN(playouts=18), zermelo.PPN(playouts=3),
                   zermelo.PP(), zermelo.UCT(playouts=2)):
        result = zermelo.solve(position, search, nodes=60, seed=4)
        rows.append([name, search.id, str(result.value), result.nodes, result.root])
print(json.dumps(rows))
"""


def run(**environment):
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True,
                          env={**os.environ, **environment}, check=False)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.xdist_group("jit off")
def test_plain_python_expands_the_same_nodes():
    assert run(NUMBA_DISABLE_JIT="1") == run(NUMBA_DISABLE_JIT="0")
