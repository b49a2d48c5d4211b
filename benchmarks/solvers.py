"""How fast hard positions are solved. ``python -m benchmarks.solvers PART ...``; see PARTS below.

ZERMELO_DATA names the directory with the papers' position files. Times are processor seconds of
this thread, so that a busy machine disturbs less; ratios are taken within one run.
"""

from __future__ import annotations

import os
import statistics
import sys
import time
from collections.abc import Iterable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import zermelo
from benchmarks.othello_endings import DECIDED, SCORED, endings
from zermelo.core.position import Position
from zermelo.solving.result import Limits, Result
from zermelo.solving.session import Session

DATA = Path(os.environ.get("ZERMELO_DATA", "."))
SIZES = {(4, 4): "=", (5, 4): "=", (6, 4): "-", (7, 4): "=", (8, 4): "-", (4, 5): "=", (5, 5): "=",
         (6, 5): "=", (7, 5): "=", (8, 5): "+", (4, 6): "=", (5, 6): "=", (6, 6): "-"}
SIGN = {"win": "+", "draw": "=", "loss": "-"}


def connect_four_lines() -> list[str]:
    """The papers' positions with their ids; bitbully can't take id 161."""
    return (DATA / "connect-four" / "openings.txt").read_text().split()


def othello_positions(name: str, most: int) -> list[Position]:
    """Unfinished positions of one of the papers' files with at most ``most`` empty squares."""
    game, found = zermelo.game("othello"), []
    for line in (DATA / "othello" / name).read_text().split():
        if len(line) == 64 and line.count("*") <= most:
            position = game.parse(line.translate(str.maketrans("01*", "XO-")) + " X")
            if position.outcome is None:
                found.append(position)
    return found


def timed(position: Position, **options) -> tuple[Result, float]:
    """A result and its processor seconds; compiling is done before."""
    memory = options.pop("memory", "256MB")
    session = Session(position, **options)
    session.prepare(Limits(memory=memory))
    began = time.thread_time()
    result = session.run(Limits(memory=memory))
    return result, time.thread_time() - began


def report(what: str, times: Iterable[float]) -> None:
    times = sorted(times)
    print(f"{what}: {len(times)} positions, {sum(times):.2f} s, median "
          f"{1000 * statistics.median(times):.2f} ms, largest {times[-1]:.2f} s", flush=True)


def peers() -> None:
    """The 199 positions against bitbully, both questions, its table cleared before each."""
    from bitbully.bitbully_core import BitBullyCore, BoardCore

    game, solver = zermelo.game("connect-four"), BitBullyCore()
    times: dict[str, list[float]] = {}
    wrong = 0
    for number, line in enumerate(connect_four_lines()):
        if number == 161:
            continue
        board = BoardCore()
        board.setBoard([["*XO".index(mark) for mark in line[i : i + 7]] for i in range(0, 42, 7)])
        position = game.parse(line + " X")
        # The same two questions: a window from 0 to 1 asks for a win alone; mtdf for the exact
        # score, as nullWindow does too.
        for name, ask in (("negamax", (board, 0, 1, 0)), ("mtdf", (board, 0))):
            solver.resetTranspositionTable()
            began = time.thread_time()
            score = getattr(solver, name)(*ask)
            times.setdefault(name, []).append(time.thread_time() - began)
        for goal in ("win", "value"):
            result, seconds = timed(position, goal=goal)
            times.setdefault(goal, []).append(seconds)
            expected = "win" if score > 0 else "not-win" if goal == "win" else (
                "draw" if score == 0 else "loss")
            wrong += str(result.value) != expected or not result.proved
    for name, seconds in times.items():
        report(name, seconds)
    print(f"wrong or unproved: {wrong}; win / negamax "
          f"{sum(times['win']) / sum(times['negamax']):.2f}, value / mtdf "
          f"{sum(times['value']) / sum(times['mtdf']):.2f}")


def tiny() -> None:
    """The same with a table of 64 KB."""
    game, times = zermelo.game("connect-four"), []
    for number, line in enumerate(connect_four_lines()):
        if number != 161:
            result, seconds = timed(game.parse(line + " X"), goal="win", memory=TINY)
            assert result.proved, (number, result)
            times.append(seconds)
    report("64 KB", times)


TINY = 64 * 1024


def empty() -> None:
    """The empty 7x6 board, with 64 MB."""
    result, seconds = timed(zermelo.game("connect-four").start(), goal="win", memory="64MB")
    print(f"7x6: {result.value}, proved {result.proved}, {result.nodes:,} visits, {seconds:.1f} s")


def sizes() -> None:
    """Connect Four by size, columns x rows."""
    for (columns, rows), expected in SIZES.items():
        game = zermelo.game("connect-four", columns=columns, rows=rows)
        result, seconds = timed(game.start())
        sign = SIGN.get(result.value, "?")
        agrees = "as published" if sign == expected else f"NOT {expected}"
        print(f"{columns}x{rows}: {sign} ({agrees}), {result.nodes:,} visits, "
              f"{seconds:.1f} s", flush=True)


def othello() -> None:
    """The papers' 40-move positions with at most 21 empties, 100 of 36 moves with at most 24."""
    for name, most, count in (("random_openings40.txt", 21, 1000),
                              ("random_openings36.txt", 24, 100)):
        results = [timed(p, goal="win") for p in othello_positions(name, most)[:count]]
        assert all(result.proved for result, _ in results)
        report(name, [seconds for _, seconds in results])


def othello_score() -> None:
    """Endings of our own (see othello_endings): 18 exact scores, and 4 times who wins."""
    for goal, numbers in (("score", SCORED), ("win", DECIDED)):
        times = []
        for position in endings(numbers, first=1):
            result, seconds = timed(position, goal=goal)
            assert result.proved
            told = result.score[0] if goal == "score" else result.value
            print(f"{position.text} {position.text.count('-')} empty: {told}, "
                  f"{result.nodes:,} visits, {seconds:.2f} s", flush=True)
            times.append(seconds)
        report(f"Othello endings, {goal}", times)


def othello_24() -> None:
    """Endings of our own with 24 empties that no option was chosen on: does the mover win?"""
    times = []
    for position in endings({24: 10}, first=1000):
        result, seconds = timed(position, goal="win")
        print(f"{position.text}: {result.value}, {result.nodes:,} visits, {seconds:.2f} s",
              flush=True)
        times.append(seconds)
    report("24 empties", times)


def six() -> None:
    """Othello 6x6 from the start: both questions."""
    result, seconds = timed(zermelo.game("othello", size=6).start(),
                            search=zermelo.WeakDFPN(fold=14), memory="2GB")
    print(f"6x6: {result.value}, proved {result.proved}, {result.nodes:,} visits, {seconds:.0f} s")


def fforum() -> None:
    """FFO 1-19: exact scores."""
    game, times = zermelo.game("othello"), []
    for line in (DATA / "othello" / "fforum-1-19.obf").read_text().splitlines():
        if line.strip() and not line.startswith("%"):
            result, seconds = timed(game.parse(line), goal="score")
            print(f"{line.strip()}: {result.score}, {seconds:.1f} s", flush=True)
            times.append(seconds)
    report("FFO 1-19", times)


def hex_openings() -> None:
    """Every opening of 3x3, 4x4 and 5x5."""
    for size in (3, 4, 5):
        start = zermelo.game("hex", size=size).start()
        began, winning = time.thread_time(), []
        for move in start.moves():
            result, _ = timed(start.play(move))
            assert result.proved
            if result.value == "loss":  # for the one who answers
                winning.append(move)
        print(f"hex {size}x{size}: {len(winning)} winning openings: {' '.join(winning)}; "
              f"{time.thread_time() - began:.1f} s", flush=True)


def visits_a_second(threads: int, seconds: float) -> float:
    """On the empty 7x6 board, by the clock."""
    session = Session(zermelo.game("connect-four").start(), goal="win", threads=threads)
    session.prepare(Limits(memory="256MB"))
    session.run(Limits(memory="256MB", time=seconds / 4))  # the table grows to its size
    before, began = sum(q.nodes for q in session.runs), time.perf_counter()
    result = session.run(Limits(memory="256MB", time=session.seconds + seconds))
    return (result.nodes - before) / (time.perf_counter() - began)


def threads() -> None:
    """Two threads on one table against two processes side by side, by turns."""
    ratios = []
    with ProcessPoolExecutor(2) as pool:
        for _ in range(3):
            apart = sum(pool.map(visits_a_second, (1, 1), (THREAD_SECONDS, THREAD_SECONDS)))
            together = visits_a_second(2, THREAD_SECONDS)
            ratios.append(together / apart)
            print(f"two threads {together / 1e6:.2f} M visits/s, two processes "
                  f"{apart / 1e6:.2f}, ratio {ratios[-1]:.2f}", flush=True)
    print(f"two threads / two processes: median {statistics.median(ratios):.2f}")


THREAD_SECONDS = 20.0

PARTS = {"peers": peers, "tiny": tiny, "empty": empty, "sizes": sizes, "othello": othello,
         "othello-score": othello_score, "othello-24": othello_24,
         "six": six, "fforum": fforum, "hex": hex_openings, "threads": threads}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
