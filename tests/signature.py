"""The node-count signature: exact counts for every search on a few positions of every game.

The searches are plain: what a game knows beyond its rules may grow without touching these counts,
but for evaluations and probabilities of moves, which the minimax searches live on.

Any change of a count is a change of a search or of a game's move order, to be declared by writing
the file anew: ``python tests/signature.py``.
"""

import json
from pathlib import Path

from cases import MAIN_SETS, NEWEST, left_to_the_full_tests

import zermelo

FILE = Path(__file__).parent / "data" / "signature.json"
LIMIT = 20_000
POSITIONS = [
    ("connect-four", {}, "****************O*****XX*****OXO**O*XXOX*O X"),
    ("connect-four", {"columns": 4, "rows": 4}, "12"),
    ("othello", {"size": 4}, "start"),
    ("othello", {"size": 4, "no_move": "loses"}, "start"),
    ("hex", {"size": 3}, "start"),
    ("hex", {"size": 4}, "a1 d4"),
    ("p-game", {"branching": 3, "depth": 7, "seed": 5}, "start"),
    ("k-in-a-row", {"columns": 4, "rows": 3, "line": 3, "stones": 2, "first": 1}, "start"),
    ("tic-tac-toe", {}, "start"),
]
SEARCHES = [
    zermelo.PN(), zermelo.PN(tie="deepest"), zermelo.PN2(a=500, b=100, N=5_000), zermelo.DeepPN(),
    zermelo.MCPN(), zermelo.PPN(), zermelo.PPN(theta=0.001, pr=0.001), zermelo.PP(),
    zermelo.MCTS(), zermelo.UCT(), zermelo.EWS(), zermelo.EWS(rates=False),
    zermelo.MOPNS(), zermelo.PNMCTS(), zermelo.PNMCTS(term="sum"), zermelo.GPNMCTS(),
    zermelo.GPNMCTS(term="max"),
]
# Depth-first searches take longer to compile: those that other tests compile too.
DEPTH_FIRST = [
    (("k-in-a-row", {"columns": 4, "rows": 3, "line": 3, "stones": 2, "first": 1}, "start"),
     [zermelo.DFPN(epsilon=0), zermelo.DFPN(), zermelo.DeepDFPN(3, 4), zermelo.DeepDFPN(20, 15),
      zermelo.WeakDFPN(), zermelo.WeakDFPN(backup="max+unsolved-1", leaf="unit", quick=0, fold=0),
      zermelo.DFPPN(), zermelo.WideningDFPN(), zermelo.TCADFPN(), zermelo.SharedDFPN(),
      zermelo.PDSPN(), zermelo.PDSPN(a=20, b=10, N=300)]),
    (("p-game", {"branching": 3, "depth": 7, "seed": 5}, "start"),
     [zermelo.DFPN(epsilon=0), zermelo.DFPN(), zermelo.DFPPN(), zermelo.DFPPN(epsilon=0.25)]),
    (("othello", {"size": 4}, "start"), [zermelo.DFPN(epsilon=0), zermelo.DFPN()]),
    (("connect-four", {"columns": 5, "rows": 4, "line": 3}, "3"),
     [zermelo.DFPN(epsilon=0), zermelo.WeakDFPN(), zermelo.WeakDFPN(epsilon=1, k=2)]),
]
# Minimax: what the tests of its values compile.
MINIMAX = [
    (("k-in-a-row", {"columns": 4, "rows": 3, "line": 3, "stones": 2, "first": 1}, "start"),
     [zermelo.AlphaBeta(), zermelo.AlphaBeta(deeper=False)]),
    (("connect-four", {"columns": 4, "rows": 4}, "12"),
     [zermelo.PVS(), zermelo.PVS(first="null"), zermelo.PVS(noise=3), zermelo.RPS(),
      zermelo.RPS(minFP=0.5), zermelo.ERPS(), zermelo.ERPS(minFP=0.5, delta=0)]),
]


# Conspiracy numbers, likewise.
CONSPIRACIES = [
    (("connect-four", {"columns": 5, "rows": 4, "line": 3}, "3"),
     [zermelo.CNS(), zermelo.CNS(aim="near"), zermelo.CNS(tie="left"),
      zermelo.CNS(conspirators=3)]),
]


SMALLEST = [POSITIONS[7], POSITIONS[8]]  # what `make test` looks at
# Other constants for code that is compiled elsewhere anyway: checked at length.
SECOND = [POSITIONS[0], POSITIONS[1], POSITIONS[3], POSITIONS[5], POSITIONS[8]]


MAIN = dict(zip(MAIN_SETS[1:], [POSITIONS[2], POSITIONS[4], POSITIONS[6], POSITIONS[7]],
                strict=True))


def at_length(place, search_id):
    """Whether a best-first search on such a position is left to ``make test-full``."""
    if search_id in NEWEST:
        return place != POSITIONS[8]
    return place in SECOND or any(
        place == main and left_to_the_full_tests(name, search_id) for name, main in MAIN.items())


def place_of(row):
    """The position of a row of the file."""
    return row["game"], row["parameters"], row["position"]


def of_most(place, search_id):
    """Whether such a row is none of those that are left to ``make test-full``."""
    best_first = search_id in {search.id for search in SEARCHES}
    return not (best_first and at_length(place, search_id))


def of_some(place, search_id):
    """Whether such a row is for ``make test``: of it other tests compile nearly everything."""
    return place in SMALLEST and of_most(place, search_id)


def of_all(place, search_id):
    """Every row."""
    return True


def rows(wanted=of_all):
    """A line per position and search that is wanted: what was asked, and the exact counts."""
    best_first = [(place, SEARCHES) for place in POSITIONS]
    for place, searches in best_first + DEPTH_FIRST + MINIMAX + CONSPIRACIES:
        name, parameters, text = place
        searches = [search for search in searches if wanted(place, search.id)]
        if not searches:
            continue
        position = zermelo.game(name, **parameters).parse(text)
        for search in searches:
            result = zermelo.solve(
                position, search, goal="win", nodes=LIMIT, seed=1, plain=True)
            yield {
                "game": name, "parameters": parameters, "position": text, "search": search.id,
                "options": search.options, "value": str(result.value), "nodes": result.nodes,
                "iterations": result.iterations, "root": result.root,
            }


def main() -> None:
    """Write the file anew."""
    text = ",\n".join(json.dumps(row) for row in rows())
    FILE.write_text(f"[\n{text}\n]\n")


if __name__ == "__main__":
    main()
