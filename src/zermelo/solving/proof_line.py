"""From proofs to a line of play.

The side that proves picks a shortest way through the proof found, the other side the reply that
lasts longest in it. Where two proofs bound a value from both sides, as in a draw, they are walked
side by side, and each side follows the one in which it is the prover.
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.core.position import Position
from zermelo.search.base import Run, Walk


def proof_line(runs: Sequence[Run]) -> list[str]:
    """The line of one run with a proof, or of the two that bound a value from both sides."""
    walks = [run.walk() for run in runs]
    position, line, seen = runs[0].position, [], set()
    cyclic = position.game.rules.cyclic
    while position.outcome is None and not (cyclic and position in seen):
        if cyclic:
            seen.add(position)
        move = _who_leads(walks, position).best()
        if move is None:
            break
        line.append(position.game.move_name(position, move))
        position = position.play_code(move)
        if not all(walk.follow(move, position) for walk in walks):
            break
    return line


def _who_leads(walks: list[Walk], position: Position) -> Walk:
    return next((walk for walk in walks if walk.prover == position.mover), walks[0])
