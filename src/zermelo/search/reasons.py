"""Why a search loop came back, in all wings that run in slices; and what is wrong with the game."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.errors import BadGame

if TYPE_CHECKING:
    from zermelo.core.game import Game

SOLVED, PRECISION, NODES, MEMORY, SLICE, DEEPER, TOO_MANY, GO, GROW, CANDIDATES = range(10)
NEVER = 1 << 62

# What stopped a search, in words.
STOPPED = {"nodes": "the node limit", "time": "the time limit", "memory": "the memory limit",
           "interrupted": "an interrupt", "candidates": "having no candidate moves left",
           "precision": "the precision asked for"}


def too_many_moves(game: Game) -> BadGame:
    """For TOO_MANY."""
    return BadGame(f"{game.name}: a position has more moves than max_moves={game.rules.max_moves}; "
                   "run 'zermelo check-game' for details.")


def too_long(game: Game) -> BadGame:
    """For DEEPER, in a game that says how long it can last."""
    return BadGame(f"{game.name}: a game lasts longer than max_length={game.rules.max_length}; "
                   "run 'zermelo check-game' for details.")
