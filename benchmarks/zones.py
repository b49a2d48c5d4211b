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
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

import zermelo
from zermelo import DFPN, Position, Value, Zones
from zermelo.core.winning_lines import EMPTY, Array, Lines
from zermelo.lab.papers.connect6_deep_df_pn import people_wins, zone_wins
from zermelo.search.threats.walk import live_lines
from zermelo.search.zones.certificate import Certificate, certificate_of
from zermelo.search.zones.check import check_certificate
from zermelo.search.zones.generator import ZoneGenerator

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


def has_line(lines: Lines, owners: Array, side: int) -> bool:
    """Whether ``side`` has completed a line."""
    return bool((owners[lines.sets] == side).all(1).any())


def play(certificate: Certificate, position: Position, generator: ZoneGenerator, defender: Defender,
         rng: random.Random) -> str | None:
    """The outcome of a game in which the winner plays by the certificate, by the game's rules."""
    lines, node, played = generator.lines, 0, list[int]()
    owners, left = lines.read(position.state[0])
    side = position.mover
    while not has_line(lines, owners, 1 - side) and (owners == EMPTY).any():
        row = certificate.nodes[node] if node is not None else {}
        if side == certificate.winner:
            turn, node = row.get("turn"), row.get("then")
            if node is None:
                win = generator.win(owners, left)
                if win is None:
                    return None
                turn = win.turn
            owners[list(turn)] = side
        else:
            turn = []
            while len(turn) < left and (owners == EMPTY).any():
                turn.append(defender(lines, owners, side, left - len(turn), rng))
                owners[turn[-1]] = side
            known = {tuple(sorted(stones)): then for *stones, then in row.get("replies", ())}
            node = known.get(tuple(sorted(turn)))
        played += turn
        side, left = 1 - side, lines.stones
    for stone in played:
        position = position.play_code(stone) if position.outcome is None else position
    return position.outcome


def proof_of(position: Position) -> Certificate:
    """The certificate of the win of the side to move."""
    session = zermelo.start(position, DFPN(epsilon=0.0), goal="win", candidates=True, plain=True)
    session.run()
    return certificate_of(session.runs[0])


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
    for id, position in wins[given.skip : given.skip + given.take]:
        began, certificate = time.process_time(), proof_of(position)
        if given.write is not None:
            certificate.write(given.write / f"{id}.zones")
        checks = ["checked" if check_certificate(certificate, position).verified else "REFUSED"]
        if given.exhaustive and len(certificate.nodes) <= MOST_NODES:
            given.exhaustive -= 1
            found = check_certificate(certificate, position, exhaustive=True)
            checks.append("exhaustive too" if found.verified else "EXHAUSTIVE REFUSED")
        rng, wanted = random.Random(id), ("first", "second")[certificate.winner]
        generator = ZoneGenerator(position.game.rules.lines, certificate.winner,
                                  Zones(effort=1 << 30))
        won = [sum(play(certificate, position, generator, defender, rng) == wanted
                   for _ in range(given.games)) for defender in (anywhere, blocking)]
        print(f"{id}: {len(certificate.nodes)} nodes, {', '.join(checks)}, games won {won} of "
              f"{given.games} each, {time.process_time() - began:.0f} s", flush=True)


if __name__ == "__main__":
    main()
