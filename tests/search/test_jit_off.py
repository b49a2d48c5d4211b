"""The same searches as ordinary Python: the compiled ones expand the same nodes.

Run as a program, this file prints what is to be compared.
"""

import json
import warnings

import pytest
from cases import MAIN_SETS, left_to_the_full_tests
from without_compiler import printed_by

import zermelo

pytestmark = pytest.mark.long

SEARCHES = [
    zermelo.PN(), zermelo.PN2(a=20, b=5, N=200), zermelo.DeepPN(), zermelo.MCPN(playouts=18),
    zermelo.PPN(playouts=3), zermelo.PP(), zermelo.UCT(playouts=2),
]
POSITIONS = [
    ("connect-four", {"columns": 5, "rows": 4, "line": 3}, "12"),
    ("othello", {"size": 4}, "start"),
    ("hex", {"size": 3}, "start"), ("p-game", {"branching": 2, "depth": 6}, "start"),
    ("k-in-a-row", {"columns": 4, "rows": 3, "line": 3, "stones": 2, "first": 1}, "start"),
]


def rows():
    found = []
    for main, (name, parameters, text) in zip(MAIN_SETS, POSITIONS, strict=True):
        position = zermelo.game(name, **parameters).parse(text)
        for search in SEARCHES:
            if left_to_the_full_tests(main, search.id):
                continue  # it would have to be compiled for this alone
            result = zermelo.solve(position, search, nodes=60, seed=4)
            found.append([name, search.id, str(result.value), result.nodes, result.root])
    return found


def test_plain_python_expands_the_same_nodes():
    assert printed_by(__file__) == json.loads(json.dumps(rows()))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print(json.dumps(rows()))
