"""VCDT on the set of forced wins of Connect6: right turns, milliseconds, visits a second.

Run with ``ZERMELO_DATA=directory python -m benchmarks.threats``.
"""

import os
import time
from pathlib import Path
from statistics import median

import zermelo


def main() -> None:
    """Solve all positions, three times; the best times count."""
    path = Path(os.environ["ZERMELO_DATA"]) / "connect6" / "forced_wins.txt"
    rows = [row for row in path.read_text().splitlines() if not row.startswith("#")]
    game, right, cases = zermelo.game("connect6"), 0, []
    for row in rows:
        turns, side, _, *stones = row.partition("|")[0].split()
        cases.append((int(turns), "bw".index(side), game.parse(" ".join(stones))))
    zermelo.solve(cases[0][2])  # compile or load
    whole, search, visits = [], 0.0, 0
    for turns, side, position in cases:
        times = []
        for _ in range(3):
            began = time.perf_counter()
            result = zermelo.solve(position)
            times.append(time.perf_counter() - began)
        right += (result.proved and result.root == {"turns": turns}
                  and result.last.outcome == ("first", "second")[side])
        whole.append(min(times))
        visits += result.nodes
        search += min(search_seconds(position) for _ in range(3))
    print(f"right: {right} of {len(rows)}")
    print(f"solve, with the line: median {1000 * median(whole):.2f} ms, most "
          f"{1000 * max(whole):.1f} ms")
    print(f"search alone: {visits:,} visits, {visits / search / 1000:.0f} k visits/s")


def search_seconds(position: zermelo.Position) -> float:
    """The processor time of the search itself, without setting up and without the line."""
    session = zermelo.start(position, goal="win")
    session.prepare()
    began = time.thread_time()
    session.runs[0].advance(1 << 40)
    return time.thread_time() - began


if __name__ == "__main__":
    main()
