"""Openings: positions after random moves, all different, the most even ones of several.

Even means that a small search finds it so: where the game has an evaluation, the value by ``pvs``
is near 0; where it has none, no side is known to win. Every opening is played with both colours,
so that one which is not even costs games, not fairness.
"""

from __future__ import annotations

import math
import random

from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.errors import BadOption, check_whole
from zermelo.solving.solve import solve

LOOK_NODES, LOOK_MEMORY = 10_000, 1 << 26
MOST_TRIES = 100
PLIES, BALANCE = 4, 4


def random_openings(game: Game, count: int, *, plies: int = PLIES, seed: int = 0,
                    balance: int = BALANCE) -> list[Position]:
    """Up to ``count`` openings of ``plies`` moves: the most even of ``balance`` times as many.

    Mirror images count as one. A small game may have fewer.
    """
    check_whole("openings", count, 1)
    check_whole("plies", plies, 0)
    check_whole("balance", balance, 1)
    found = _candidates(game, count * balance, plies, seed)
    if not found:
        raise BadOption(f"{game.name}: found no unfinished position after {plies} random moves in "
                        f"{MOST_TRIES} tries; take fewer plies.")
    if len(found) <= count:
        return found
    tilts = [imbalance(position) for position in found]
    chosen = sorted(range(len(found)), key=lambda i: tilts[i])[:count]
    return [found[i] for i in sorted(chosen)]


def _candidates(game: Game, count: int, plies: int, seed: int) -> list[Position]:
    """Different unfinished positions; each has a generator of its own."""
    found: dict[Position, Position] = {}
    for number in range(count):
        chance = random.Random(f"opening {seed} {number}")
        for _ in range(MOST_TRIES):
            position = random_walk(game.start(), plies, chance)
            if position is not None and position.canonical() not in found:
                found[position.canonical()] = position
                break
        else:
            break
    return list(found.values())


def random_walk(position: Position, plies: int, chance: random.Random) -> Position | None:
    """``position`` after this many random moves, or None if the game ends on the way."""
    for _ in range(plies):
        if position.outcome is not None:
            return None
        position = position.play_code(chance.choice(position.codes()))
    return position if position.outcome is None else None


def imbalance(position: Position) -> float:
    """How far from even a small search finds the position; infinite where a win is proved."""
    evaluated = position.game.rules.evaluate is not None
    result = solve(position, "pvs" if evaluated else None, nodes=LOOK_NODES, memory=LOOK_MEMORY)
    if result.stopped == "interrupted":
        raise KeyboardInterrupt
    if result.proved:
        return 0.0 if result.value == "draw" else math.inf
    points = result.root.get("estimate") if evaluated else 0
    return math.inf if points is None else float(abs(points))
