"""Positions worth a look, with where they are from and what to search them with."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

from zermelo.core.board_view import picture_of
from zermelo.core.position import Position
from zermelo.games.registry import game as game_by_name


@dataclass(frozen=True)
class Famous:
    """A position with a title, a sentence and its source.

    ``search`` and ``goal`` settle it within seconds, unless it is ``long``; ``value`` and ``score``
    are what they then find.
    """

    id: str
    title: str
    words: str
    source: str
    game: str
    parameters: dict[str, Any]
    position: str
    search: str
    goal: str
    value: str
    moves: str = ""
    score: int | None = None
    long: bool = False
    page: str = "board"  # of the explorer: "live" where the search has to be seen at work

    @cached_property
    def at(self) -> Position:
        """The position itself."""
        game = game_by_name(self.game, **self.parameters)
        return game.parse(self.position).play(*self.moves.split())

    def to_dict(self) -> dict[str, Any]:
        """For JSON, with a picture."""
        place = {"game": self.game, "parameters": self.parameters, "position": self.position,
                 "moves": self.moves.split()}
        return {"id": self.id, "title": self.title, "words": self.words, "source": self.source,
                "place": place, "page": self.page, "search": self.search, "goal": self.goal,
                "long": self.long, "picture": picture_of(self.at)}


@cache
def famous() -> tuple[Famous, ...]:
    """Return all famous positions, in the order in which a page shows them."""
    text = files("zermelo.games").joinpath("famous.json").read_text("utf-8")
    return tuple(Famous(**each) for each in json.loads(text))
