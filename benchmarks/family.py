"""The family of proof-number searches on three small sets of positions, by the rules alone.

    python -m benchmarks.family
    python -m benchmarks.family --set hex --only df-pn --only pn

For family-tree.md: how many positions each search settles within a number of nodes, and how
many nodes it takes in all; one that is not settled counts twice the limit. Nodes are what each
search counts (docs/reference/counting.md): created nodes in a tree, visits with a table.
"""

import argparse
import csv
import random
import time
from collections.abc import Iterator
from importlib.resources import files

import zermelo

LIMIT = 200_000
COUNT = 12
SEED = 2026
# The first level of PN2 is small on such positions: with its defaults it would be PN.
OPTIONS = {"pn2": {"a": 2_000, "b": 500, "N": 20_000}}
BESIDE = ("alpha-beta", "pvs", "rps", "erps", "vcdt", "cns")  # not of the family
SETS = ("hex", "connect-four", "lines-of-action")
RANDOM = ("mcpn", "ppn", "mcts", "uct", "ews", "pn-mcts", "gpn-mcts", "df-ppn")
LONG_GAMES = ("lines-of-action",)  # whose random games take too long for this


def after_random_moves(game: zermelo.Game, plies: int) -> Iterator[zermelo.Position]:
    """Ongoing positions after so many random moves."""
    rng = random.Random(SEED)
    while True:
        position = game.start()
        for _ in range(plies):
            moves = position.moves()
            if not moves:
                break
            position = position.play(rng.choice(moves))
        if position.outcome is None and len(position.played) == plies:
            yield position


def positions(name: str) -> list[zermelo.Position]:
    """The positions of a set."""
    if name == "lines-of-action":
        file = files("zermelo_papers") / "sets" / "lines-of-action" / "tactics.csv"
        rows = list(csv.reader(file.read_text().splitlines()))[1 : COUNT + 1]
        return [zermelo.game(name).parse(row[-1]) for row in rows]
    game = (zermelo.game("hex", size=4) if name == "hex"
            else zermelo.game(name, columns=5, rows=5))
    some = after_random_moves(game, 2 if name == "hex" else 6)
    return [next(some) for _ in range(COUNT)]


def main() -> None:
    """Print a row for each set and search."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--set", action="append", dest="sets", default=[], choices=SETS)
    parser.add_argument("--only", action="append", default=[], metavar="ID")
    words = parser.parse_args()
    for name in words.sets or SETS:
        chosen = positions(name)
        without = BESIDE + (RANDOM if name in LONG_GAMES else ())
        for id in words.only or [id for id in zermelo.SEARCHES if id not in without]:
            search = zermelo.search(id, **OPTIONS.get(id, {}))
            settled, nodes, began = 0, 0, time.process_time()
            for position in chosen:
                result = zermelo.solve(position, search, goal="win", plain=True, seed=SEED,
                                       nodes=LIMIT)
                settled += result.proved
                nodes += result.nodes if result.proved else 2 * LIMIT
            print(f"{name:16} {id:16} {settled:3} of {len(chosen)} {nodes:10,} nodes "
                  f"{time.process_time() - began:6.1f} s", flush=True)


if __name__ == "__main__":
    main()
