"""``python -m benchmarks.shared_table``: what two threads on one table do for the same answer.

Visits and seconds of one thread and of two, by turns, for *does the mover win?*. Visits say how
much of the second thread's work was in vain, whatever else the machine does, and differ much from
run to run; seconds need an idle machine.
"""

from __future__ import annotations

import argparse
import statistics
import time

import zermelo
from zermelo.core.position import Position

CASES = [
    *(("connect-four", {}, text, "weak-df-pn", False)
      for text in ("44444", "444441", "4444433", "44443", "33333")),
    ("connect-four", {"columns": 5, "rows": 5}, "3", "df-pn", True),
    ("hex", {"size": 5}, "c1 c3 b3", "df-pn", True),
]


def solved(position: Position, search: str, plain: bool, threads: int) -> tuple[int, float]:
    """The visits and the seconds of a search to its end."""
    began = time.perf_counter()
    result = zermelo.solve(position, search, goal="win", plain=plain, threads=threads,
                           memory="256MB")
    assert result.proved, position
    return result.nodes, time.perf_counter() - began


def main() -> None:
    """A line for each position, and the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=8, help="how often both run")
    rounds = parser.parse_args().rounds
    work, speed = [], []
    for name, parameters, text, search, plain in CASES:
        position = zermelo.game(name, **parameters).parse(text)
        zermelo.solve(position, search, goal="win", plain=plain, nodes=1)  # compiles
        ones, twos = zip(*((solved(position, search, plain, 1), solved(position, search, plain, 2))
                           for _ in range(rounds)), strict=True)
        more = statistics.mean(two[0] for two in twos) / ones[0][0]
        faster = statistics.mean(one[1] for one in ones) / statistics.mean(two[1] for two in twos)
        work.append(more)
        speed.append(faster)
        print(f"{name} {text}, {search}: one thread {ones[0][0]:,} visits, two "
              f"{', '.join(f'{two[0]:,}' for two in sorted(twos))}: {more:.2f} of one's, "
              f"{faster:.2f} times as fast", flush=True)
    print(f"medians: {statistics.median(work):.2f} of one thread's visits, "
          f"{statistics.median(speed):.2f} times as fast")


if __name__ == "__main__":
    main()
