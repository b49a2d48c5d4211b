"""``python -m benchmarks.distributed``: one worker, two, one with two threads, the plain search.

For each position: visits, processor seconds of the searches, and wall-clock seconds, of the plain
search with one and two threads, of one worker and two, and of one worker with two threads. The
bars: two workers, or two threads, at least 1.8 times as fast as one (of the same method), and one
worker within a tenth of the plain search. Run it on a machine with two free cores; ``--quick`` has
small positions only. The papers' positions are read from the directory ``ZERMELO_DATA``.

``--samples`` measures what the checks of claims cost: the processor seconds of all processes
together, with samples and without, beside the plain search, by turns. It minds no busy machine.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import zermelo
from zermelo.cluster.messages import decode
from zermelo.cluster.samples import EVERY, Samples
from zermelo.cluster.session import Distributed
from zermelo.core.position import Position
from zermelo.crews.crew import Finished
from zermelo.jobs.machine import environment

MEMORY = "1GB"
HARDEST = 10
PROBED, PROBE = 200, 300_000  # of the papers' positions, and visits to find the hardest by
AGAINST_ONE = ("2 workers", "1 worker, threads=2")  # compared with one worker
QUICK = [("connect-four", {}, "444444"), ("connect-four", {}, "44444"),
         ("hex", {"size": 4}, "start")]
# The ending: random moves from the start, 25 empty squares.
SAMPLED = [("connect-four", "44444"), ("connect-four", "44443"),
           ("othello", "-XXXXX----XOOX--XXO-OOOO-OXOOOO-OOOXOO--XOX-OX-----XXOX-------OX O")]


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


def processors() -> float:
    """Processor seconds of this process, and of those that it has seen the end of."""
    return sum(os.times()[:4])


def alone(position: Position) -> int:
    """Visits of the plain search."""
    return zermelo.solve(position, memory=MEMORY).nodes


def started(position: Position, workers: int) -> int:
    """Workers that begin, and end."""
    with Distributed(position, workers=workers, memory=MEMORY) as solver:
        while len(solver.master.crew.capacity()) < workers:
            solver.master.crew.finished(0.1)
    return 0


def sampled(position: Position, workers: int, every: int) -> int:
    """Visits of a search in which one claim in ``every`` is checked, or none."""
    with Distributed(position, workers=workers, memory=MEMORY, every=every) as solver:
        return solver.run().nodes


class Checks:
    """What samples cost by themselves: how many, the workers' seconds for the proofs, and the
    master's for checking them."""

    number, proving, checking = 0, 0.0, 0.0

    def take(self, samples: Samples, each: Finished) -> int | None:
        """As ``Samples.take``, by the clock of the processor."""
        assert each.answer is not None
        self.number += 1
        self.proving += decode(each.answer)[0].get("seconds", 0.0)
        before = time.process_time()
        try:
            return TAKE(samples, each)
        finally:
            self.checking += time.process_time() - before


TAKE = Samples.take


def measured(run: Callable[[], int]) -> tuple[int, float, Checks]:
    """Visits, processor seconds of all processes that took part, and what checks took of them."""
    checks, before = Checks(), processors()
    Samples.take = lambda samples, each: checks.take(samples, each)  # type: ignore[method-assign]
    try:
        visits = run()
    finally:
        Samples.take = TAKE  # type: ignore[method-assign]
    return visits, processors() - before, checks


def samples(runs: int) -> None:
    """What the checks of claims cost, and how much of the rest is starting."""
    print(f"{'position':19} {'method':16} {'visits':>12} {'cpu s':>8} {'checks':>7} {'proving':>8} "
          "checking")
    for name, text in SAMPLED:
        position = zermelo.game(name).parse(text)
        methods = {"plain": partial(alone, position)}
        for workers in (1, 2):
            methods |= {f"{workers}, start alone": partial(started, position, workers),
                        f"{workers}, samples": partial(sampled, position, workers, EVERY),
                        f"{workers}, no samples": partial(sampled, position, workers, 0)}
        zermelo.solve(position, nodes=1)  # compile
        started(position, 1)
        for _ in range(runs):
            for method, run in methods.items():
                visits, seconds, checks = measured(run)
                print(f"{name:13} {text[:5]} {method:16} {visits:12,} {seconds:8.2f} "
                      f"{checks.number:7} {checks.proving:8.2f} {checks.checking:8.2f}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="small positions only")
    parser.add_argument("--samples", action="store_true", help="what the checks of claims cost")
    parser.add_argument("--runs", type=int, default=3, help="with --samples: how often")
    options = parser.parse_args()
    print(", ".join(f"{name} {value}" for name, value in environment().items()))
    if options.samples:
        samples(options.runs)
        return
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
