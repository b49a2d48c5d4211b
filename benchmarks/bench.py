"""``make bench``: the speed of the searches, of starting up, and the bytes a node takes.

Best of three, two rounds; rates are nodes per second of search. ``--quick`` runs one round of one.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numba
import numpy as np

import zermelo
from benchmarks import yardstick
from benchmarks.positions import CONNECT_FOUR
from zermelo.compiler.jit import kernel
from zermelo.core.board import playouts_of, scratch_for, states_array
from zermelo.search.base import Task
from zermelo.search.best_first.search import BestFirst

QUICK = "--quick" in sys.argv
ROUNDS, TRIES = (1, 1) if QUICK else (2, 3)
MEMORY = 2 << 30
COPY = str(Path(__file__).parent.parent / "examples" / "connect_four_copy.py")


def machine() -> str:
    model = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    if info.exists():
        names = [line for line in info.read_text().splitlines() if line.startswith("model name")]
        model = names[0].partition(":")[2].strip() if names else model
    return (f"{model}, {os.cpu_count()} cores, {platform.system()}; Python "
            f"{platform.python_version()}, Numba {numba.__version__}, NumPy {np.__version__}, "
            f"Zermelo {zermelo.__version__}")


def best(*measures: Callable[[], float]) -> list[list[float]]:
    """For each of ``measures`` the best of TRIES, for each of ROUNDS; they take turns."""
    found = []
    for _ in range(ROUNDS):
        tries = [[measure() for measure in measures] for _ in range(TRIES)]
        found.append([max(column) for column in zip(*tries, strict=True)])
    return [list(row) for row in zip(*found, strict=True)]


def search_rate(search: BestFirst, id: int, nodes: int,
                game: str = "connect-four") -> Callable[[], float]:
    state = zermelo.game("connect-four").parse(CONNECT_FOUR[id]).state[0]
    position = zermelo.game(game).position(**{name: state[name] for name in state.dtype.names})

    def measure() -> float:
        question = search.start(Task(position, 0, MEMORY, plain=True))
        began = time.perf_counter()
        question.advance(1 << 60, nodes)
        return question.nodes / (time.perf_counter() - began)

    measure()  # compile
    return measure


def yardstick_rate(id: int, nodes: int) -> Callable[[], float]:
    state = zermelo.game("connect-four").parse(CONNECT_FOUR[id]).state[0]

    def measure() -> float:
        began = time.perf_counter()
        _, made, _ = yardstick.run(int(state["own"]), int(state["mask"]), nodes, nodes + 8)
        return made / (time.perf_counter() - began)

    yardstick.run(int(state["own"]), int(state["mask"]), 100, 200)
    return measure


def playout_rate(id: int, side_by_side: bool) -> Callable[[], float]:
    rules = zermelo.game("connect-four").rules
    playouts = playouts_of(rules if side_by_side else replace(rules, playouts=None))
    states, scratch = states_array(rules, 1), scratch_for(rules)
    states[0] = zermelo.game("connect-four").parse(CONNECT_FOUR[id]).state[0]

    def leaves(states, scratch, n):
        for _ in range(n):
            playouts((), states[0], scratch.rng, 60, zermelo.FIRST_WINS, scratch)

    run = kernel(leaves)

    def measure() -> float:
        began = time.perf_counter()
        run(states, scratch, 5_000)
        return 300_000 / (time.perf_counter() - began)

    measure()  # compile
    return measure


def command_seconds(*words: str) -> Callable[[], float]:
    program = [sys.executable, "-m", "zermelo", *words]

    def measure() -> float:
        began = time.perf_counter()
        subprocess.run(program, capture_output=True, check=False)
        return -(time.perf_counter() - began)

    measure()
    return measure


def line(name: str, figures: list[float], bar: str, unit: str) -> None:
    shown = " / ".join(f"{abs(figure):,.2f}" for figure in figures)
    print(f"| {name} | {shown} {unit} | {bar} |", flush=True)


def main() -> None:
    print(f"{machine()}\nbest of {TRIES}, {ROUNDS} round(s)\n")
    print("| what | measured | bar |\n|---|---|---|")
    for id in CONNECT_FOUR:
        ours, plain = best(search_rate(zermelo.PN(), id, 35_000_000), yardstick_rate(id, 6_000_000))
        line(f"PN, id {id}", [x / 1e6 for x in ours], "12", "M nodes/s")
        line(f"yardstick, id {id}", [x / 1e6 for x in plain], "-", "M nodes/s")
        line(f"PN / yardstick, id {id}",
             [a / b for a, b in zip(ours, plain, strict=True)], "1.3", "x")
    for search, nodes in ((zermelo.PN(), 35_000_000), (zermelo.PPN(), 300_000)):
        ours, copy = best(search_rate(search, 0, nodes), search_rate(search, 0, nodes, COPY))
        line(f"{search.id}, a user's copy of Connect Four / ours, id 0",
             [b / a for a, b in zip(ours, copy, strict=True)], "0.9", "x")
    for search in (zermelo.PPN(), zermelo.MCPN()):
        for id in CONNECT_FOUR:
            (rates,) = best(search_rate(search, id, 300_000))
            line(f"{search.id}, 60 playouts, id {id}", [x / 1e3 for x in rates], "300",
                 "k nodes/s")
    for id in CONNECT_FOUR:
        together, alone = best(playout_rate(id, True), playout_rate(id, False))
        line(f"playouts side by side, id {id}", [x / 1e6 for x in together], "-", "M games/s")
        line(f"playouts one by one, id {id}", [x / 1e6 for x in alone], "-", "M games/s")
    for id, kind in zermelo.SEARCHES.items():
        search = kind()
        if not isinstance(search, BestFirst):
            continue
        dtype = search.start(Task(zermelo.game("connect-four").start(), 0, 1 << 20)).dtype
        line(f"bytes a node, {id}", [dtype.itemsize], "24" if id == "pn" else "40", "bytes")
    line("zermelo solve, new process, warm cache",
         best(command_seconds("solve", "connect-four", CONNECT_FOUR[0], "-s", "pn"))[0], "1.5", "s")
    line("zermelo --help", best(command_seconds("--help"))[0], "0.6", "s")


if __name__ == "__main__":
    main()
