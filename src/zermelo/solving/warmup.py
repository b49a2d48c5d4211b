"""warm_up(): compile what a game and its searches need, once, ahead of time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from zermelo.core.game import Game
from zermelo.kernel.tally import tally
from zermelo.search.base import Search
from zermelo.solving.result import Limits
from zermelo.solving.session import Session


def warm_up(game: Game, searches: Sequence[Search]) -> Iterator[dict[str, Any]]:
    """Run each search for a moment; yields what was compiled or loaded for it."""
    for search in searches:
        before = tally.compiled, tally.loaded, tally.seconds
        session = Session(game.start(), search, trace=1)
        session.run(Limits(nodes=2 * game.rules.max_moves + 2))
        _ = session.runs[0].walk().best()
        yield {
            "game": game.name, "search": search.id,
            "compiled": tally.compiled - before[0], "loaded": tally.loaded - before[1],
            "seconds": tally.seconds - before[2],
        }
