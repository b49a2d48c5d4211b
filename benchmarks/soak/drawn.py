"""A position that was drawn, with the exact answers about it."""

import random
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import zermelo
from benchmarks.soak.retrograde import Retrograde, Scores


@dataclass(frozen=True)
class Drawn:
    """A position with the twin's idea of it and exact answers.

    ``scores`` is None where there are no scores; ``only_wins``: what is a draw here may be won by a
    rule for repetitions that the answers know nothing of.
    """

    position: zermelo.Position
    state: Any
    exact: Retrograde
    scores: Scores | None = None
    only_wins: bool = False


def drawn(position: zermelo.Position, exact: Retrograde, **more: Any) -> Drawn:
    """With its exact value, which is worked out here; TooLarge if it can't be."""
    state = exact.twin.from_position(SimpleNamespace(text=position.text))
    exact.of(state)
    return Drawn(position, state, exact, **more)


def walked(position: zermelo.Position, rng: random.Random, moves: int) -> zermelo.Position:
    """After so many random moves, or fewer where the game is over before."""
    for _ in range(moves):
        codes = position.codes()
        if not codes:
            break
        position = position.play_code(rng.choice(codes))
    return position
