"""Where a search with workers stands."""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.core.game import Game
from zermelo.solving.goals import Subgoal


@dataclass
class ClusterProgress:
    """Where a search with workers stands. ``efficiency``: which part of the workers' time went
    into searching; ``settled``: how many of the root's moves are, and how many there are."""

    question: str
    flying: int
    workers: int
    settled: tuple[int, int]
    jobs: int
    visits: int
    seconds: float
    efficiency: float
    pn: int
    dn: int
    lost: int
    expelled: int


def in_words(game: Game, subgoal: Subgoal) -> str:
    """What is asked."""
    name = game.players[subgoal.player]
    if subgoal.threshold != 1:
        return f"does {name} get {subgoal.threshold:+d}?"
    return f"does {name} win?"
