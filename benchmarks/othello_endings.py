"""Othello endings to solve, made by games of a player who looks one move ahead.

Each move goes to the position that looks worst for the other side, by the game's evaluation; one of
six is any legal move. The seeds are fixed, so the positions are the same everywhere.
"""

from __future__ import annotations

import random

import zermelo
from zermelo.core.position import Position

ANY_MOVE = 1 / 6
# Empty squares, and how many positions: as many as the FFO positions 20 to 37 have, about.
SCORED = {15: 2, 16: 2, 17: 2, 18: 2, 19: 3, 20: 3, 21: 2, 22: 2}
DECIDED = {24: 4}


def ending(empty: int, seed: int) -> Position | None:
    """The position with so many empty squares in the game of a seed, if it gets there."""
    position, chance = zermelo.game("othello").start(), random.Random(seed)
    look = position.game.board
    while position.outcome is None and position.text.count("-") > empty:
        codes = position.codes()
        children = [position.play_code(code) for code in codes]
        if chance.random() < ANY_MOVE:
            position = chance.choice(children)
        else:
            position = min(children, key=lambda child: look.evaluate(child.state)
                           if child.outcome is None else 0)
    return position if position.outcome is None else None


def endings(numbers: dict[int, int], first: int) -> list[Position]:
    """Positions for the numbers of empty squares, from seeds beginning with ``first``."""
    found, seed = list[Position](), first
    for empty, count in numbers.items():
        wanted = len(found) + count
        while len(found) < wanted:
            position, seed = ending(empty, seed), seed + 1
            if position is not None:
                found.append(position)
    return found
