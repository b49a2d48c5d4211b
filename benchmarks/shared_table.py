"""``python -m benchmarks.shared_table``: what two threads on one table do for the same answer.

Visits and seconds of one thread and of two, by turns, for *does the mover win?*. Visits say how
much of the second thread's work was in vain, whatever else the machine does, and differ much from
run to run; seconds need an idle machine.

What can two threads gain at all? Beside them, two processes solve the same position at the same
time, each for itself. They share nothing but the machine: what each takes longer than one alone is
what the second core costs the first (caches, memory, a core that is half of a real one), and the
last column is the most that any two could gain here. ``--hard`` has the ten hardest of the papers'
positions (from the directory ``ZERMELO_DATA``) and the empty board with 64 MB.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import statistics
import time
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import zermelo
from benchmarks.distributed import connect_four


@dataclass(frozen=True)
class Case:
    """A position, and how it is solved; what a process needs to be told."""

    game: str
    parameters: tuple[tuple[str, Any], ...]
    text: str
    search: str = "weak-df-pn"
    plain: bool = False
    memory: str = "256MB"

    def solve(self, threads: int = 1, nodes: int | None = None) -> tuple[int, float]:
        """The visits and the seconds."""
        position = zermelo.game(self.game, **dict(self.parameters)).parse(self.text)
        began = time.perf_counter()
        result = zermelo.solve(position, self.search, goal="win", plain=self.plain,
                               threads=threads, memory=self.memory, nodes=nodes)
        assert result.proved or nodes is not None, self
        return result.nodes, time.perf_counter() - began


CASES = [
    *(Case("connect-four", (), text)
      for text in ("44444", "444441", "4444433", "44443", "33333")),
    Case("connect-four", (("columns", 5), ("rows", 5)), "3", "df-pn", True),
    Case("hex", (("size", 5),), "c1 c3 b3", "df-pn", True),
]


def hard() -> list[Case]:
    """The positions that the bar is about."""
    found = connect_four(Path(os.environ["ZERMELO_DATA"]))
    return [*(Case("connect-four", (), position.text) for _, position in found),
            Case("connect-four", (), "start", memory="64MB")]


def taken_away() -> float:
    """Seconds that other machines had of this one's processors, where the system tells."""
    stat = Path("/proc/stat")
    if not stat.exists():
        return 0.0
    return int(stat.read_text().split()[8]) / os.sysconf("SC_CLK_TCK")


def side_by_side(pool: Executor, case: Case) -> float:
    """Seconds of two processes that solve it at the same time, each for itself."""
    return statistics.mean(seconds for _, seconds in pool.map(Case.solve, [case, case]))


def measure(case: Case, rounds: int, pool: Executor) -> tuple[float, float, float]:
    """Of one thread: the part of visits, how many times as fast, and how fast two could be."""
    case.solve(nodes=1)  # compiles
    list(pool.map(Case.solve, [case] * 2, [1] * 2, [1] * 2))
    ones, twos, apart = [], [], []
    for _ in range(rounds):
        ones.append(case.solve())
        twos.append(case.solve(threads=2))
        apart.append(side_by_side(pool, case))
    one = statistics.mean(seconds for _, seconds in ones)
    more = statistics.mean(visits for visits, _ in twos) / ones[0][0]
    faster = one / statistics.mean(seconds for _, seconds in twos)
    most = 2 * one / statistics.mean(apart)
    print(f"{case.game} {case.text}, {case.search}: one thread {ones[0][0]:,} visits in "
          f"{one:.2f} s, two {', '.join(f'{visits:,}' for visits, _ in sorted(twos))}: {more:.2f} "
          f"of one's, {faster:.2f} times as fast; two processes {most:.2f}", flush=True)
    return more, faster, most


def main() -> None:
    """A line for each position, and the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=8, help="how often both run")
    parser.add_argument("--hard", action="store_true", help="the hardest ten and the empty board")
    options = parser.parse_args()
    began, away = time.perf_counter(), taken_away()
    with ProcessPoolExecutor(2, multiprocessing.get_context("spawn")) as pool:
        rows = [measure(case, options.rounds, pool) for case in (hard() if options.hard else CASES)]
    work, speed, most = (statistics.median(column) for column in zip(*rows, strict=True))
    share = (taken_away() - away) / (time.perf_counter() - began) / (os.cpu_count() or 1)
    print(f"medians: {work:.2f} of one thread's visits, {speed:.2f} times as fast; two processes "
          f"that share nothing do {most:.2f} times the work of one")
    print(f"meanwhile other machines had {100 * share:.0f} % of the processors")


if __name__ == "__main__":
    main()
