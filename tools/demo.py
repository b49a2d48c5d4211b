"""``make demo``: one of the papers' positions, five searches side by side, and a checked proof.

The position is number 8 of the 200 Connect Four positions of Primanita, Khalid and Iida (2020), who
report 11,055 nodes for PN-search on it.
"""

from __future__ import annotations

import sys
from textwrap import fill

from zermelo.cli import show
from zermelo.core.position import Position
from zermelo.games.registry import game, game_names
from zermelo.proof import verify
from zermelo.search.registry import SEARCHES as ALL_SEARCHES
from zermelo.search.registry import search
from zermelo.solving.certify import write_proof
from zermelo.solving.result import Result
from zermelo.solving.solve import solve, start
from zermelo.storage.whole_files import Folder

POSITION = "****************O*****XX*****OXO**O*XXOX*O X"
WIDTH = 96  # of what is printed
NODES = 2_000_000
SEARCHES = ("pn", "ppn", "uct", "df-pn", "weak-df-pn")  # the last one writes the certificate
HEADER = ["search", "value", "proved", "nodes", "iterations", "seconds", "compile"]


def row_of(result: Result) -> list[str]:
    """A line of the table."""
    return [show.name_of(result.search), str(result.value), "yes" if result.proved else "no",
            f"{result.nodes:,}", f"{result.iterations:,}", f"{result.seconds:.3f}",
            f"{result.compile_seconds:.1f}"]


def print_proof(position: Position) -> None:
    """Write a certificate, check it, and print the result."""
    with Folder("zermelo-demo") as directory:
        path = directory / "demo.proof"
        session = start(position, SEARCHES[-1], goal="win", plain=True)  # compiled already
        session.run()
        write_proof(session, path, check=False)
        report, size = verify(path), path.stat().st_size
    print(f"\nAs a certificate the proof takes {size} bytes. A checker with rules of its own "
          f"followed it through\n{report.positions} positions: {report.claims[0].claim}, "
          f"{report.verdict}.")


def what_else() -> str:
    """The searches that were not shown, and the games."""
    others = [id for id in ALL_SEARCHES if id not in SEARCHES]
    return fill(f"There are {len(others)} more searches ({', '.join(others)}) and "
                f"{len(game_names())} games: 'zermelo searches', 'zermelo games'.",
                WIDTH, break_on_hyphens=False)


def main() -> None:
    """Solve, print the table, the board and the line."""
    position = game("connect-four").parse(POSITION)
    print("Does X, to move, win? Each search knows the rules alone, and may visit or create "
          f"{NODES:,} nodes.\n\n{position.diagram}\n")
    results = []
    for id in SEARCHES:
        print(f"{id} ...", file=sys.stderr, flush=True)
        results.append(solve(position, search(id), goal="win", nodes=NODES, plain=True))
    print(show.table(HEADER, [row_of(result) for result in results]))
    compiling = sum(result.compile_seconds for result in results)
    print(f"\nseconds are search time; compiling or loading kernels took {compiling:.1f} s more, "
          "and is done once")
    best = min((result for result in results if result.proved), key=lambda r: r.nodes)
    print(f"\n{best.search.id} needed the fewest nodes. {show.verdict(best)}; the move is "
          f"{best.move}:\n\n{position.play(best.move or '').diagram}\n")
    print(f"line {' '.join(best.line)}")
    print_proof(position)
    print("\n" + what_else())
    print("\nNow try '. .venv/bin/activate', then 'zermelo solve --help'.")


if __name__ == "__main__":
    main()
