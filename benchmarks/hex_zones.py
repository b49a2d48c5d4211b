"""Zones in Hex: visits with and without them, and 6x6 from the start with its certificate.

    python -m benchmarks.hex_zones                 all openings of 5x5, then 6x6
    python -m benchmarks.hex_zones --size 7 --time 600
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path
from time import process_time

import zermelo
from zermelo.solving.certify import write_proof


def openings(size: int, zones: str) -> tuple[int, list[str], float]:
    """Visits for all openings of a board, each by itself; those that win; and seconds."""
    game = zermelo.game("hex", size=size)
    visits, wins, began = 0, [], process_time()
    for move in game.start().moves():
        result = zermelo.solve(game.start().play(move), zermelo.WeakDFPN(zones=zones))
        visits += result.nodes
        if result.value == zermelo.Value.LOSS:
            wins.append(move)
    return visits, wins, process_time() - began


def from_the_start(size: int, time: float) -> None:
    """The empty board, proved and certified."""
    session = zermelo.start(zermelo.game("hex", size=size).start(), zermelo.WeakDFPN())
    began = process_time()
    result = session.run(zermelo.Limits(time=time))
    print(f"{size}x{size}: {result.value}, {result.nodes:,} visits, "
          f"{process_time() - began:.1f} s", flush=True)
    if not result.proved:
        return
    began = process_time()
    with tempfile.TemporaryDirectory() as place:
        written = write_proof(session, Path(place) / "hex.proof")
        print(f"certificate: {written.records:,} lines, {written.bytes:,} bytes, "
              f"{process_time() - began:.1f} s to write and check")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=6)
    parser.add_argument("--time", type=float, default=600.0)
    given = parser.parse_args()
    if given.size == 6:
        for zones in ("off", "on"):
            openings(5, zones)  # compiles
            visits, wins, seconds = openings(5, zones)
            print(f"5x5, all openings, zones {zones}: {visits:,} visits, {seconds:.1f} s, "
                  f"{len(wins)} win", flush=True)
    from_the_start(given.size, given.time)


if __name__ == "__main__":
    main()
