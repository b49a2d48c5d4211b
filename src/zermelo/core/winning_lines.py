"""Lines: games that are won by taking all squares of a line, described by data.

A game that declares its lines in ``Rules.lines`` can be asked about threats: who completes a line
next turn, and what it takes to stop that. Nothing else about the game has to be known for it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

Array = np.ndarray[Any, Any]
EMPTY = 2  # owners of squares: 0 the first player, 1 the second


@dataclass(frozen=True, eq=False)
class Lines:
    """A player who has all squares of one of ``sets`` has won; the move ``i`` takes square ``i``.

    squares  how many squares there are
    sets     the lines, a row of square numbers each
    stones   moves a turn, from the second turn of the game on
    read     ``read(state)``: the owners of the squares (0, 1 or EMPTY), and the moves left in this
             turn
    guards   a row for each line: squares that must not be the player's as well, or the line does
             not count; -1 for none
    joint    this many stones stop all lines through any two squares; None if nobody knows
    """

    squares: int
    sets: Array
    stones: int
    read: Callable[[Any], tuple[Array, int]]
    guards: Array | None = None
    joint: int | None = None
