"""``python -m benchmarks.distributed``: one worker, two, one with two threads, the plain search.

For each position: visits, processor seconds of the searches, and wall-clock seconds, of the plain
search with one and two threads, of one worker and two, and of one worker with two threads. The
bars: two workers, or two threads, at least 1.8 times as fast as one (of the same method), and one
worker within a tenth of the plain search. Run it on a machine with two free cores; ``--quick`` has
small positions only. The papers' positions are read from the directory ``ZERMELO_DATA``.
"""

from __future__ import annotations

import argparse
import os
import time
from pathlib import Path

import zermelo
from zermelo.cluster.session import Distributed
from zermelo.core.position import Position
from zermelo.jobs.hire import environment

MEMORY = "1GB"
HARDEST = 10
PROBED, PROBE = 200, 300_000  # of the papers' positions, and visits to find the hardest by
AGAINST_ONE = ("2 workers", "1 worker, threads=2")  # compared with one worker
QUICK = [("connect-four", {}, "444444"), ("connect-four", {}, "44444"),
         ("hex", {"size": 4}, "start")]


def positions(quick: bool) -> list[tuple[str, Position]]:
    """What is solved, under a name."""
    found = [(f"{name} {text}", zermelo.game(name, **parameters).parse(text))
             for name, parameters, text in QUICK]
    if quick:
        return found
    found = [("hex 5x5", zermelo.game("hex", size=5).start()),
             ("connect-four 7x6", zermelo.game("connect-four").start())]
    data = os.environ.get("ZERMELO_DATA")
    if data is None:
        print("ZERMELO_DATA is not set: the papers' positions are left out.")
        return found
    return found + connect_four(Path(data)) + othello(Path(data))


def connect_four(data: Path) -> list[tuple[str, Position]]:
    """The hardest of the papers' openings: those that take most visits, as far as that is seen."""
    game = zermelo.game("connect-four")
    lines = (data / "connect-four" / "openings.txt").read_text().split()[:PROBED]
    tried = []
    for number, line in enumerate(lines):
        position = game.parse(f"{line} X")
        tried.append((zermelo.solve(position, nodes=PROBE).nodes, number, position))
    tried.sort(key=lambda row: (-row[0], row[1]))
    return [(f"connect-four id {number}", position) for _, number, position in tried[:HARDEST]]


def othello(data: Path) -> list[tuple[str, Position]]:
    """Three endings with 24 to 26 empty squares."""
    game, found = zermelo.game("othello"), []
    for number, line in enumerate((data / "othello" / "random_openings36.txt").read_text().split()):
        empty = line.count("*")
        if 24 <= empty <= 26 and len(found) < 3:
            board = line.replace("*", "-").replace("1", "X").replace("0", "O")
            found.append((f"othello {empty} empties, {number}", game.parse(f"{board} X")))
    return found


def plain(position: Position, threads: int) -> tuple[int, float, float]:
    """Visits, processor seconds, seconds."""
    began, cpu = time.perf_counter(), time.process_time()
    result = zermelo.solve(position, memory=MEMORY, threads=threads)
    return result.nodes, time.process_time() - cpu, time.perf_counter() - began


def distributed(position: Position, workers: int, threads: int = 1) -> tuple[int, float, float]:
    """The same; the time that workers take to begin does not count."""
    with Distributed(position, workers=workers, threads=threads, memory=MEMORY) as solver:
        crew = solver.master.crew
        while len(crew.capacity()) < workers:
            crew.finished(0.1)
        began = time.perf_counter()
        result = solver.run()
        return result.nodes, solver.journal.seconds, time.perf_counter() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small positions only")
    options = parser.parse_args()
    print(", ".join(f"{name} {value}" for name, value in environment().items()))
    print(f"{'position':28} {'method':19} {'visits':>14} {'cpu s':>8} {'wall s':>8} speed")
    for name, position in positions(options.quick):
        zermelo.solve(position, nodes=1)  # compile
        rows = {"plain": plain(position, 1), "threads=2": plain(position, 2),
                "1 worker": distributed(position, 1), "2 workers": distributed(position, 2),
                "1 worker, threads=2": distributed(position, 1, 2)}
        for method, (visits, cpu, wall) in rows.items():
            base = rows["1 worker" if method in AGAINST_ONE else "plain"][2]
            print(f"{name:28} {method:19} {visits:14,} {cpu:8.2f} {wall:8.2f} {base / wall:5.2f}x",
                  flush=True)


if __name__ == "__main__":
    main()
