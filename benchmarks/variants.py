"""The depth-first searches side by side on the papers' 200 Connect Four positions.

``python -m benchmarks.variants curve`` shows visits over epsilon, ``table`` all variants on the
positions that PN concludes. ZERMELO_DATA names the directory with the papers' position files.
Searches are plain, the question is whether X wins, and times are processor seconds.
"""

from __future__ import annotations

import sys
import time

import zermelo
from benchmarks.solvers import connect_four_lines
from zermelo import DFPN, DFPPN, PN, PPN, DeepDFPN, WeakDFPN
from zermelo.position import Position
from zermelo.result import Limits, Result
from zermelo.search.base import Search
from zermelo.solve import Session

EPSILONS = (0, 0.05, 0.1, 0.25, 0.5, 1, 2, 4)
MOST_VISITS = 500_000
PN_NODES = 35_000_000  # the papers' limit
WEAK = {"quick": 0, "fold": 0}
TABLE: list[Search] = [
    PN(), DFPN(epsilon=0), DFPN(epsilon=0.25), DFPN(epsilon=1), DeepDFPN(), DeepDFPN(epsilon=0.25),
    WeakDFPN(epsilon=0, backup="max+unsolved-1", leaf="unit", **WEAK),
    WeakDFPN(backup="max+unsolved-1", leaf="unit", **WEAK),
    WeakDFPN(backup="max", leaf="unit", **WEAK),
    WeakDFPN(leaf="unit", **WEAK), WeakDFPN(**WEAK), WeakDFPN(), PPN(), DFPPN(),
    DFPPN(epsilon=0.25),
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


def table() -> None:
    """All variants on the positions that PN concludes within the papers' limit."""
    everything = positions()
    first = [run(position, TABLE[0], True, PN_NODES) for position in everything]
    chosen = [position for position, (result, _) in zip(everything, first, strict=True)
              if result.proved]
    print(f"{len(chosen)} positions")
    expected = [str(result.value) for result, _ in first if result.proved]
    for search in TABLE:
        rows = [run(position, search, search != WeakDFPN(), PN_NODES) for position in chosen]
        proved = [result for result, _ in rows if result.proved]
        wrong = sum(result.proved and str(result.value) != value
                    for (result, _), value in zip(rows, expected, strict=True))
        print(f"{search.id} {search.options}: {len(proved)} proved, {wrong} wrong, "
              f"{sum(r.iterations for r in proved):,} expansions, "
              f"{sum(r.nodes for r in proved):,} nodes or visits, "
              f"{sum(seconds for _, seconds in rows):.1f} s", flush=True)


if __name__ == "__main__":
    for part in sys.argv[1:] or ("table", "curve"):
        {"curve": curve, "table": table}[part]()
