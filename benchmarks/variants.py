"""The depth-first searches side by side on the papers' 200 Connect Four positions.

``python -m benchmarks.variants curve`` shows visits over epsilon, ``table`` all variants on the
positions that PN concludes, ``playouts`` those with random games, ``fresh`` options of the default
search on positions that they were not chosen on. ZERMELO_DATA names the directory with the papers'
position files. Searches are plain, but for the default one; the question is whether the side to
move wins, and times are processor seconds.
"""

from __future__ import annotations

import random
import sys
import time

import zermelo
from benchmarks.solvers import connect_four_lines, othello_positions
from zermelo import DFPN, DFPPN, PN, PPN, DeepDFPN, WeakDFPN
from zermelo.core.position import Position
from zermelo.search.base import Search
from zermelo.solving.result import Limits, Result
from zermelo.solving.session import Session

EPSILONS = (0, 0.05, 0.1, 0.25, 0.5, 1, 2, 4)
MOST_VISITS = 500_000
PN_NODES = 35_000_000  # the papers' limit
WEAK = {"epsilon": 0.25, "quick": 0, "fold": 0}
TABLE: list[Search] = [
    PN(), DFPN(epsilon=0), DFPN(epsilon=0.25), DFPN(epsilon=1), DeepDFPN(), DeepDFPN(epsilon=0.25),
    WeakDFPN(backup="max+unsolved-1", leaf="unit", epsilon=0, quick=0, fold=0),
    WeakDFPN(backup="max+unsolved-1", leaf="unit", **WEAK),
    WeakDFPN(backup="max", leaf="unit", **WEAK),
    WeakDFPN(leaf="unit", **WEAK), WeakDFPN(**WEAK), WeakDFPN(epsilon=0.25),
]
PLAYOUTS: list[tuple[Search, int]] = [  # with their limits, on every fourth of these positions
    (PN(), PN_NODES), (DFPN(epsilon=0.25), PN_NODES), (PPN(), 2_000_000), (DFPPN(), 2_000_000),
]


def positions() -> list[Position]:
    game = zermelo.game("connect-four")
    return [game.parse(line + " X") for line in connect_four_lines()]


def run(position: Position, search: Search, plain: bool, nodes: int) -> tuple[Result, float]:
    """A result with its processor seconds, compiling apart."""
    session = Session(position, search, goal="win", plain=plain)
    limits = Limits(memory="2GB" if search.id in ("pn", "ppn") else "256MB", nodes=nodes)
    session.prepare(limits)
    began = time.thread_time()
    result = session.run(limits)
    return result, time.thread_time() - began


def curve() -> None:
    """Visits over epsilon: df-pn within MOST_VISITS a position, weak df-pn to the end."""
    for plain, limit, make in (
            (True, MOST_VISITS, lambda e: DFPN(epsilon=e)),
            (False, 1 << 40, lambda e: WeakDFPN(epsilon=e))):
        for epsilon in EPSILONS:
            search = make(epsilon)
            found = [run(position, search, plain, limit) for position in positions()]
            proved = sum(result.proved for result, _ in found)
            visits = sum(result.nodes if result.proved else 2 * limit for result, _ in found)
            seesaw = sum(result.counters["seesaw"] for result, _ in found)
            seconds = sum(seconds for _, seconds in found)
            print(f"{search.id} epsilon {epsilon}: {proved} proved, {visits:,} visits (unproved "
                  f"count twice the limit), {seesaw:,} seesaw, {seconds:.1f} s", flush=True)


def concluded() -> list[tuple[Position, str]]:
    """The positions that PN concludes within the papers' limit, and what it says."""
    found = [(position, run(position, PN(), True, PN_NODES)[0]) for position in positions()]
    return [(position, str(result.value)) for position, result in found if result.proved]


def row(search: Search, chosen: list[tuple[Position, str]], nodes: int) -> None:
    """Print what a search needs for these positions; the last of TABLE uses knowledge."""
    rows = [run(position, search, search != TABLE[-1], nodes) for position, _ in chosen]
    proved = [result for result, _ in rows if result.proved]
    wrong = sum(result.proved and str(result.value) != value
                for (result, _), (_, value) in zip(rows, chosen, strict=True))
    print(f"{search.id} {search.options}: {len(proved)} of {len(chosen)} proved, {wrong} wrong, "
          f"{sum(r.iterations for r in proved):,} expansions, "
          f"{sum(r.nodes for r in proved):,} nodes or visits "
          f"({sum(r.nodes for r, _ in rows):,} with the unproved), "
          f"{sum(seconds for _, seconds in rows):.1f} s", flush=True)


def table() -> None:
    """All variants on the positions that PN concludes."""
    chosen = concluded()
    for search in TABLE:
        row(search, chosen, PN_NODES)


def playouts() -> None:
    """Searches with random games beside others."""
    chosen = concluded()[::4]
    for search, nodes in PLAYOUTS:
        row(search, chosen, nodes)


def fresh() -> None:
    """40 random Connect Four positions of 13 stones, and 25 of the 36-move Othello file."""
    game, rng, boards = zermelo.game("connect-four"), random.Random(20261116), []
    while len(boards) < 40:
        position = game.start()
        while position.outcome is None and sum(map(position.text.count, "XO")) < 13:
            position = position.play(rng.choice(position.moves()))
        if position.outcome is None:
            boards.append(position)
    endings = othello_positions("random_openings36.txt", 24)[100:125]
    for options in ({}, {"epsilon": 0.25}, {"k": 2}, {"k": 2, "epsilon": 0.25}):
        for name, chosen, nodes in (("connect-four", boards, 1 << 40),
                                    ("othello", endings, 1_000_000)):
            rows = [run(position, WeakDFPN(**options), False, nodes) for position in chosen]
            print(f"{name} {options}: {sum(r.proved for r, _ in rows)} of {len(rows)} proved, "
                  f"{sum(r.nodes for r, _ in rows):,} visits", flush=True)


PARTS = {"table": table, "playouts": playouts, "curve": curve, "fresh": fresh}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
