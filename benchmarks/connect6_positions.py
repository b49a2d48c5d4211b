"""Mine positions of Connect6 that threats alone do not win and relevance zones do.

The rule, fixed beforehand:

1. Candidates. *Openings*: the first player's stone in the centre, then turns of two random stones
   within three squares of it, 3 to 5 turns in all, by a seeded generator. *Self-play*: games in
   which each side plays one of its eight best turns by the heuristic of the zones, drawn by a
   seeded generator, until a side wins by threats. *Games*: those of people, in ZERMELO_DATA. Of a
   game the position is taken two turns before the winner's first position that is won by threats.
2. A candidate is left out if the side to move wins by threats (VCDT, depth 30,
   within 200,000 nodes).
3. It is kept if df-pn with epsilon 0 and the default zones proves a win of the side to move within
   200,000 nodes.
4. Its grade is *easy* below 20,000 of these nodes, *medium* below 60,000, else *hard*.

What is ours (openings, self-play) is written with its moves; games of people with their number and
the stones played.

    python -m benchmarks.connect6_positions openings --count 30 --seed 1 --most 600
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator

import numpy as np

import zermelo
from zermelo import DFPN, Position, Value, Zones
from zermelo.lab.experiment import data_file
from zermelo.search.zones.generator import ZoneGenerator

GAME = zermelo.game("connect6")
NODES = 200_000
GRADES = ((20_000, "easy"), (60_000, "medium"), (2 * NODES, "hard"))
NEAR, BEST, LONGEST = 3, 8, 40


def openings(seed: int) -> Iterator[tuple[str, Position]]:
    """Random stones around the centre."""
    rng, columns = random.Random(seed), GAME["columns"]
    near = [r * columns + c for r in range(9 - NEAR, 10 + NEAR) for c in range(9 - NEAR, 10 + NEAR)]
    number = 0
    while True:
        position, number = GAME.parse("j10"), number + 1
        for _ in range(2 * rng.randint(2, 4)):
            free = [square for square in near if square in position.codes()]
            position = position.play_code(rng.choice(free))
        yield f"o{seed}-{number}", position


def won_by_threats(position: Position) -> bool:
    """Whether the side to move wins by threats."""
    return zermelo.solve(position, "vcdt", goal="win", nodes=200_000).value == Value.WIN


def before_the_win(stones: list[int]) -> Position | None:
    """Two turns before the first position of a game that is won by threats."""
    positions = [GAME.start()]
    for stone in stones:
        positions.append(positions[-1].play_code(stone))
    for at in range(1, len(positions), 2):  # after 1, 3, 5 ... stones a turn begins
        if positions[at].outcome is None and won_by_threats(positions[at]):
            return positions[at - 4] if at >= 7 else None
    return None


def self_play(seed: int) -> Iterator[tuple[str, Position]]:
    """Games by the heuristic."""
    rng, number, lines = random.Random(seed), 0, GAME.rules.lines
    generators = [ZoneGenerator(lines, side, Zones(width=BEST)) for side in (0, 1)]
    while True:
        position, number = GAME.parse("j10"), number + 1
        while position.outcome is None and len(position.played) < LONGEST:
            owners, left = lines.read(position.state[0])
            if generators[position.mover].win(owners, left) is not None:
                position = position.play_code(position.codes()[0])  # it is found again below
                break
            turns = generators[position.mover].ranked(np.asarray(owners, np.int8), left)[:BEST]
            for stone in rng.choice(turns) if turns else position.codes()[:left]:
                position = position.play_code(stone)
        found = before_the_win([*position.played])
        if found is not None:
            yield f"s{seed}-{number}", found


def games(seed: int) -> Iterator[tuple[str, Position]]:
    """Those of people, in an order drawn by ``seed``."""
    rows = [row.split() for row in data_file("connect6/games.txt").read_text().splitlines()
            if not row.startswith("#")]
    random.Random(seed).shuffle(rows)
    for number, _, *stones in rows:
        codes = [GAME.parse_move(GAME.start(), stone) for stone in stones]
        found = before_the_win(codes)
        if found is not None:
            yield f"g{number}@{len(found.played)}", found


def mine(source: Iterator[tuple[str, Position]], count: int, seconds: float) -> Iterator[str]:
    """Lines of the file: id, grade, nodes, seesaw, moves."""
    kept, seen, began = 0, set[bytes](), time.monotonic()
    for id, position in source:
        if kept == count or time.monotonic() - began > seconds:
            return
        canonical = position.canonical().state.tobytes()
        if canonical in seen or position.outcome is not None or won_by_threats(position):
            continue
        seen.add(canonical)
        result = zermelo.solve(position, DFPN(epsilon=0.0), candidates=True, goal="win",
                               plain=True, nodes=NODES, memory="256MB")
        if result.value == Value.WIN:
            kept += 1
            grade = next(name for most, name in GRADES if result.nodes < most)
            moves = "" if id[0] == "g" else " ".join(
                GAME.move_name(position, stone) for stone in position.played)
            yield f"{id}\t{grade}\t{result.nodes}\t{result.counters['seesaw']}\t{moves}".rstrip()


def main() -> None:
    """From the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("source", choices=("openings", "self-play", "games"))
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=float, default=3_600, help="seconds")
    given = parser.parse_args()
    source = {"openings": openings, "self-play": self_play, "games": games}[given.source]
    for row in mine(source(given.seed), given.count, given.most):
        print(row, flush=True)
    print("done", file=sys.stderr)


if __name__ == "__main__":
    main()
