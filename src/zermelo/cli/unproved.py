"""What a command says about a position where nothing is proved: a move to play anyway."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from zermelo.cli.show import Live

if TYPE_CHECKING:
    from zermelo.playing import Guess
    from zermelo.solving.result import Limits
    from zermelo.solving.session import Session


def best_guess(session: Session, limits: Limits, live: Live,
               losing: Collection[str] = ()) -> Guess | None:
    """A move, found within a tenth of ``limits``; None if an interrupt comes first."""
    from zermelo.playing import BY_EVALUATION, guess

    live.what = f"{BY_EVALUATION} for {session.position.game.name}, for a best guess"
    try:
        return guess(session, limits, losing=losing)
    except KeyboardInterrupt:
        return None
