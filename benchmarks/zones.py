"""Proofs by relevance zones put to the test: checks, exhaustive checks, and games against them.

Every position of the sets ``connect6/zone-wins.txt`` and, with ``--people``, ``zone-wins-people``
is solved, its certificate checked, and the first proofs of at most ``MOST_NODES`` nodes also
without trust in any zone. Then the certificate plays: against a defender who puts stones anywhere,
and against one who completes lines, stops threats, and otherwise plays where the attacker has most.
Every game must be won. What has been done is printed line by line; ``--skip`` goes on after that.
With ``--write`` certificates are kept, one file for each position. With ``--mixed`` it is counted
instead how many are won by single and double threats alone.

    python -m benchmarks.zones --games 1000 --exhaustive 12
    python -m benchmarks.zones --mixed
"""

from __future__ import annotations

import argparse
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import zermelo
from zermelo import DFPN, Position, Value, Zones
from zermelo.core.rules import EMPTY, Array, Lines
from zermelo.proof.show import ProofWalk
from zermelo.search.threats.threat_search import live_lines
from zermelo_papers.connect6_deep_df_pn import people_wins, zone_wins

MOST_NODES = 12
Defender = Callable[[Lines, Array, int, int, random.Random], int]


def anywhere(lines: Lines, owners: Array, side: int, left: int, rng: random.Random) -> int:
    """A stone on any free square."""
    return int(rng.choice(np.flatnonzero(owners == EMPTY)))


def blocking(lines: Lines, owners: Array, side: int, left: int, rng: random.Random) -> int:
    """A stone that completes a line, or stops most threats, or stands in most lines of theirs."""
    mine = live_lines(lines, owners, side, left)[:1]
    theirs = live_lines(lines, owners, 1 - side)
    held = owners[lines.sets]
    rich = lines.sets[(held != side).all(1) & ((held == 1 - side).sum(1) >= 2)]
    for chosen in (mine, theirs, rich):
        counts = np.bincount(chosen.ravel(), minlength=len(owners)) * (owners == EMPTY)
        if counts.max(initial=0) > 0:
            return int(rng.choice(np.flatnonzero(counts == counts.max())))
    return anywhere(lines, owners, side, left, rng)


def play(walk: ProofWalk, position: Position, defender: Defender, rng: random.Random) -> str | None:
    """The outcome of a game in which the winner plays by the certificate, by the game's rules."""
    lines, node = position.game.rules.lines, walk.root
    assert lines is not None
    while node.end is None and position.outcome is None:
        owners, left = lines.read(position.state[0])
        move = (node.answer.move if node.by_prover
                else defender(lines, owners, node.mover, left, rng))
        node, position = node.after(move), position.play_code(move)
    return position.outcome


def write_proof_of(position: Position, path: Path) -> zermelo.Written:
    """Write and check the certificate of the win of the side to move."""
    session = zermelo.start(position, DFPN(epsilon=0.0), goal="win", candidates=True, plain=True)
    session.run()
    return zermelo.write_proof(session, path)


def mixed(wins: list[tuple[str, Position]]) -> None:
    """What turns that make a threat win, and with how many nodes, beside all turns."""
    kept = list[tuple[int, int]]()
    for _, position in wins:
        few, all_turns = (zermelo.solve(position, DFPN(epsilon=0.0), goal="win", candidates=zones,
                                        plain=True, nodes=200_000, memory="256MB")
                          for zones in (Zones(threats=1), Zones()))
        if few.value == Value.WIN:
            kept.append((few.nodes, all_turns.nodes))
    means = [sum(column) / len(kept) for column in zip(*kept, strict=True)]
    print(f"{len(kept)} of {len(wins)} won by turns that make a threat; nodes there in the mean: "
          f"{means[0]:,.0f}, with all turns {means[1]:,.0f}")


def main() -> None:
    """From the command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--take", type=int, default=1_000, help="positions")
    parser.add_argument("--skip", type=int, default=0, help="positions to leave out")
    parser.add_argument("--games", type=int, default=1_000, help="against each defender")
    parser.add_argument("--exhaustive", type=int, default=0, help="proofs to check without zones")
    parser.add_argument("--people", action="store_true", help="the set of people's games")
    parser.add_argument("--write", type=Path, help="a directory for the certificates")
    parser.add_argument("--mixed", action="store_true", help="count wins by threats of all kinds")
    given = parser.parse_args()
    wins = list((people_wins if given.people else zone_wins)())
    if given.mixed:
        mixed(wins[given.skip : given.skip + given.take])
        return
    with tempfile.TemporaryDirectory() as directory:
        for id, position in wins[given.skip : given.skip + given.take]:
            path = (given.write or Path(directory)) / f"{id}.proof"
            began, written = time.process_time(), write_proof_of(position, path)
            checks = ["checked"]
            if given.exhaustive and written.records <= MOST_NODES:
                given.exhaustive -= 1
                found = zermelo.verify(path, exhaustive=True)
                checks.append("exhaustive too" if found.verified else "EXHAUSTIVE REFUSED")
            rng, wanted = random.Random(id), ("first", "second")[position.mover]
            won = [sum(play(ProofWalk(path), position, defender, rng) == wanted
                       for _ in range(given.games)) for defender in (anywhere, blocking)]
            print(f"{id}: {written.records} nodes, {', '.join(checks)}, games won {won} of "
                  f"{given.games} each, {time.process_time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
