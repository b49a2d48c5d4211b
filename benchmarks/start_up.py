"""How long until something happens: starting, refusing, answering, compiling.

    python -m benchmarks.start_up [--runs 5] [--cold GAME ...]

Every figure is that of processes of their own, the least and the middle of several, in seconds on
the clock and of processor time. The kernels are kept in a directory of its own, which is empty at
first, and so is Python's byte code, whatever the environment says: the first process of each kind
makes it, and does not count. The bars are those of an idle core: on a busy machine the clock runs
on while a process waits for its turn, so starting is judged by the middle of its processor time.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from statistics import median
from typing import NamedTuple

COLD = ["connect-four", "othello", "tic-tac-toe", "hex", "k-in-a-row", "lines-of-action", "xiangqi",
        "p-game"]
HELP, ERROR, WARM, COMPILED = 0.25, 0.25, 0.8, 5.0  # bars, in seconds
# A move that can't be made, after some that can.
REFUSED = {"connect-four": "48", "othello": "d3 c3 a1", "hex": "a1 a1", "gomoku": "h8 h8",
           "connect6": "j10 j10", "lines-of-action": "b1-b3 a2-a9", "xiangqi": "b2e2 a9a3"}


class Took(NamedTuple):
    """Seconds of one process."""

    clock: float
    processor: float
    answer: str


def run(words: list[str], cache: str) -> Took:
    """``zermelo WORDS`` with kernels in ``cache``."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    done = subprocess.run([sys.executable, "-m", "zermelo", *words], capture_output=True, text=True,
                          env={**os.environ, "ZERMELO_CACHE": cache})
    clock = time.perf_counter() - began
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Took(clock, spent, done.stdout)


def several(what: str, words: list[str], cache: str, runs: int, bar: float) -> None:
    """Run it some times, and print the least and the middle."""
    run(words, cache)
    took = [run(words, cache) for _ in range(runs)]
    clocks, spent = ([row[i] for row in took] for i in (0, 1))
    verdict = "met" if median(spent) <= bar else "not met"
    print(f"{what:34} {min(clocks):6.2f} {median(clocks):6.2f} s   processor {min(spent):6.2f} "
          f"{median(spent):6.2f} s   bar {bar:4} s: {verdict}", flush=True)


def compiling(game: str, runs: int) -> None:
    """What the default search of a game takes to be compiled, for a cache that is empty."""
    seconds = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as cache:
            took = run(["solve", game, "--nodes", "1000", "--json"], cache)
            seconds.append(json.loads(took.answer)["compile_seconds"])
    verdict = "met" if median(seconds) <= COMPILED else "not met"
    print(f"{'compiling for ' + game:34} {min(seconds):6.2f} {median(seconds):6.2f} s"
          f"{'':28}   bar {COMPILED:4} s: {verdict}", flush=True)


def main() -> None:
    """Print a line for each figure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--cold", nargs="*", default=COLD, help="games to compile for")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as bytecode:
        os.environ["PYTHONDONTWRITEBYTECODE"], os.environ["PYTHONPYCACHEPREFIX"] = "", bytecode
        measure(options.runs, options.cold)


def measure(runs: int, cold: list[str]) -> None:
    """All figures."""
    print(f"load {os.getloadavg()[0]:.1f}; least and middle of {runs} processes")
    with tempfile.TemporaryDirectory() as cache:
        several("zermelo --help", ["--help"], cache, runs, HELP)
        several("a game that is not there", ["solve", "chess"], cache, runs, ERROR)
        for game, text in REFUSED.items():
            several(f"a bad move in {game}", ["solve", game, text], cache, runs, ERROR)
        several("zermelo solve, kernels at hand", ["solve", "tic-tac-toe"], cache, runs, WARM)
    for game in cold:
        compiling(game, max(1, runs // 2))


if __name__ == "__main__":
    main()
