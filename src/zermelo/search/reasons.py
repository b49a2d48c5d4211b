"""The reports of a search: a status, the reason to stop, and faults of the game.

A status is set by logic alone, never by numbers: nothing yet, yes, or no.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.errors import BadGame

if TYPE_CHECKING:
    from zermelo.core.game import Game

UNKNOWN, WON, LOST = 0, 1, 2

SOLVED, PRECISION, NODES, MEMORY, SLICE, DEEPER, TOO_MANY, GO, GROW, CANDIDATES = range(10)
NEVER = 1 << 62

# What stopped a search, in words.
STOPPED = {"nodes": "the node limit", "time": "the time limit", "memory": "the memory limit",
           "interrupted": "an interrupt", "candidates": "having no candidate moves left",
           "precision": "the precision asked for"}


def too_many_moves(game: Game) -> BadGame:
    """Return the error that TOO_MANY stands for."""
    return BadGame(f"{game.name}: a position has more moves than max_moves={game.rules.max_moves}; "
                   "run 'zermelo check-game' for details.")


def too_long(game: Game) -> BadGame:
    """Return the error that DEEPER stands for in a game with a max_length."""
    return BadGame(f"{game.name}: a game lasts longer than max_length={game.rules.max_length}; "
                   "run 'zermelo check-game' for details.")
