"""What small questions cost.

``python -m benchmarks.small [certificates] [checking] [bulk] [shortest] [lengths]
[pages]``

Certificates of random Connect Four positions, the plain checker against the compiled one, easy
positions in bulk, the length of a win against its value, and what the system does for a table.
Processor seconds of this process; compiling is done before.
"""

from __future__ import annotations

import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import zermelo
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.proof import verify
from zermelo.search.common.table import aligned_words
from zermelo.solving.certify import write_proof
from zermelo.solving.result import Limits
from zermelo.solving.session import Session

GAME = zermelo.game("connect-four")
LENGTHS: list[tuple[str, dict[str, int], int, int, int]] = [  # and how many, after how many moves
    ("hex", {"size": 4}, 12, 0, 2), ("hex", {"size": 5}, 6, 4, 6),
    ("othello", {"size": 6}, 8, 18, 20), ("k-in-a-row", {}, 10, 1, 3),
    ("lines-of-action", {"size": 5}, 4, 6, 10)]
MEMORY = 1 << 28
SHORTEST = ("444555542", "44455554221", "4455")


def positions(count: int, fewest: int, most: int, seed: int,
              game: Game = GAME) -> list[Position]:
    """Ongoing games after random moves."""
    rng, found = random.Random(seed), list[Position]()
    while len(found) < count:
        position = game.start()
        for _ in range(rng.randint(fewest, most)):
            if position.outcome is None:
                position = position.play(rng.choice(position.moves()))
        if position.outcome is None:
            found.append(position)
    return found


def certificates() -> None:
    """Of wins and of no wins: records, and the seconds to write and to check them."""
    totals: dict[str, list[float]] = {}
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "proof"
        for number, position in enumerate(positions(151, 13, 18, seed=11)):
            session = Session(position, goal="win")
            result = session.run(Limits(nodes=3_000, memory="32MB"))
            if not result.proved:
                continue
            began = time.process_time()
            records = write_proof(session, path, check=False).records
            wrote = time.process_time()
            assert verify(path).verified, position
            if number > 0:  # the first one compiles
                row = totals.setdefault(str(result.value), [0, 0, 0, 0])
                for at, more in enumerate((1, records, wrote - began, time.process_time() - wrote)):
                    row[at] += more
    for value, (count, records, writing, checking) in totals.items():
        print(f"{value}: {count:.0f} positions, {records:,.0f} records, written in {writing:.2f} "
              f"s, checked in {checking:.2f} s")


def checking() -> None:
    """The same certificates under the plain checker and the compiled one."""
    ending = "--OOXXOO-O-OOOOO-X--XOOXXOXXXOXX-OOXOXXX-XXOXOXX--OOOXXX--OOOOO- O"
    cases = [("hex", {"size": 5}, "b2"), ("connect-four", {}, "4444445"), ("othello", {}, ending)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "proof"
        for name, parameters, moves in cases:
            session = Session(zermelo.game(name, **parameters).parse(moves))
            session.run(Limits(memory="256MB"))
            write_proof(session, path, check=False)
            verify(path, rules="compiled")  # compiles
            rates = []
            for rules in ("naive", "compiled"):
                began = time.process_time()
                report = verify(path, rules=rules)
                assert report.verified, report
                rates.append(report.positions / (time.process_time() - began))
            print(f"{name} {moves[:7]}: {report.positions:,} positions; {rates[0]:,.0f} a second, "
                  f"compiled {rates[1]:,.0f}: {rates[1] / rates[0]:.1f} times")


def bulk() -> None:
    """200 endings with 8 to 14 empty squares; the best and the middle of five rounds."""
    some = positions(200, 28, 34, seed=3)
    ways: dict[str, Callable[[], list[Any]]] = {
        "solve": lambda: [zermelo.solve(position).value for position in some],
        "solve and its line": lambda: [zermelo.solve(position).line for position in some],
        "solve_many(values_only=True)": lambda: list(zermelo.solve_many(some, values_only=True)),
    }
    assert ways["solve"]() == ways["solve_many(values_only=True)"]()
    for what, way in ways.items():
        seconds = []
        for _ in range(5):
            began = time.process_time()
            way()
            seconds.append(time.process_time() - began)
        least, middle = (1000 * found / len(some) for found in sorted(seconds)[:3:2])
        print(f"{what}: {least:.3f} ms each, {middle:.3f} ms in the middle of five rounds")


def shortest() -> None:
    """The length of a win against its value."""
    zermelo.solve(GAME.parse("4455"))
    for text in SHORTEST:
        seconds = []
        for goal in ("value", "shortest"):
            began = time.process_time()
            result = zermelo.solve(GAME.parse(text), goal=goal, memory="256MB")
            seconds.append(time.process_time() - began)
        print(f"{text}: {result.value} in {result.distance} plies; value {seconds[0]:.3f} s, "
              f"length {seconds[1]:.3f} s: {seconds[1] / seconds[0]:.1f} times")


def lengths() -> None:
    """The same for other games: random positions, all of a game together."""
    for name, parameters, count, fewest, most in LENGTHS:
        some = positions(count, fewest, most, 5, zermelo.game(name, **parameters))
        seconds, visits = [], []
        for goal in ("value", "shortest"):
            zermelo.start(some[0], goal=goal).run(Limits(nodes=100))
            began = time.process_time()
            results = [zermelo.start(one, goal=goal).run(Limits(memory="256MB")) for one in some]
            seconds.append(time.process_time() - began)
            visits.append(sum(result.nodes for result in results))
        print(f"{name} {parameters}: value {visits[0]:,} visits, {seconds[0]:.3f} s; length "
              f"{visits[1]:,}, {seconds[1]:.3f} s: {seconds[1] / seconds[0]:.1f} times", flush=True)


def pages() -> None:
    """The system's share: of a search whose table grows, and of touching as much memory twice."""
    def touch() -> None:
        aligned_words(MEMORY // 8)[:: 4096 // 8] = 1

    def solve() -> None:
        session.advance(Limits(memory="2GB"))

    session = Session(GAME.parse("4444"))
    session.prepare()
    for what, work in (("4444, default search", solve), (f"{MEMORY >> 20} MB", touch),
                       (f"{MEMORY >> 20} MB again", touch)):
        before = resource.getrusage(resource.RUSAGE_SELF)
        work()
        after = resource.getrusage(resource.RUSAGE_SELF)
        print(f"{what}: {after.ru_utime - before.ru_utime:.2f} s, of the system "
              f"{after.ru_stime - before.ru_stime:.2f} s, {after.ru_minflt - before.ru_minflt:,} "
              "page faults")


PARTS = {"certificates": certificates, "checking": checking, "bulk": bulk, "shortest": shortest,
         "lengths": lengths, "pages": pages}

if __name__ == "__main__":
    for part in sys.argv[1:] or PARTS:
        PARTS[part]()
