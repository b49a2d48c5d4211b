"""References to positions, as the API has them: game, parameters, position and moves."""

from __future__ import annotations

import re
from typing import Any

from zermelo.core.board_view import place_of
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.errors import BadOption, UnknownGame, listed, quoted
from zermelo.games.registry import OPEN_SPIEL, game_class, game_names
from zermelo.games.registry import game as game_by_name

# A game of OpenSpiel without texts as parameters: some of those name files.
OF_OPEN_SPIEL = re.compile(rf"{OPEN_SPIEL}\w+(\((\w+=(-?[\d.]+|true|false),?)*\))?",
                           re.ASCII | re.IGNORECASE)
MOST_MOVES = 10_000
MOST_GAMES = 64
Json = dict[str, Any]


class Games:
    """The games that may be asked for: the built-in ones, and the user's own, if there is one."""

    def __init__(self, own: str | None = None) -> None:
        self.own = own
        self.made: dict[tuple[Any, ...], Game] = {}

    def names(self) -> list[str]:
        """Return the names of all games, the user's own first."""
        return [*([] if self.own is None else [self.own]), *game_names()]

    def check(self, name: Any) -> str:
        """Return ``name`` if it may be asked for: no request names a file, the command line
        does."""
        text_of(name, "game")
        theirs = name.lower().startswith(OPEN_SPIEL) and not OF_OPEN_SPIEL.fullmatch(name)
        if name != self.own and (theirs or ".py" in name or "/" in name):
            raise UnknownGame(f"there is no game {quoted(name)} here: a game of your own is named "
                              "when the server is started; games: "
                              f"{', '.join(self.names())}.")
        return str(name)

    def get(self, name: Any, parameters: Any = None) -> Game:
        """Return the game; for the same parameters the same object, with its machine code."""
        self.check(name)
        given = fields_of(parameters, "parameters")
        key = (name, *sorted((key, str(value)) for key, value in given.items()))
        if key not in self.made:
            if len(self.made) >= MOST_GAMES:
                self.made.pop(next(iter(self.made)))
            self.made[key] = game_by_name(name, **given)
        return self.made[key]

    def position(self, place: Any) -> Position:
        """Return the position of a place."""
        given = fields_of(place, "place")
        for name in given:
            if name not in ("game", "parameters", "position", "moves"):
                raise BadOption(f"a place has no {quoted(name)}; it has game, parameters, position "
                                "and moves.")
        game = self.get(given.get("game"), given.get("parameters"))
        return follow(game.parse(given.get("position", "start")), given.get("moves"))

    def name_of(self, game: Game) -> str:
        """Return the name under which the API knows a game."""
        built_in = game.name in game_names() and type(game) is game_class(game.name)
        return game.name if built_in or self.own is None else self.own

    def place(self, position: Position) -> Json:
        """Return the place of a position: its set-up, and the moves since."""
        return {**place_of(position), "game": self.name_of(position.game)}


def follow(position: Position, moves: Any) -> Position:
    """Return the position after ``moves``, a list of names."""
    for move in texts_of(moves, "moves"):
        position = position.play(move)
    return position


def fields_of(given: Any, what: str) -> Json:
    """Return ``given`` if it is an object of JSON; nothing where there is none."""
    if given is None:
        return {}
    if not isinstance(given, dict):
        raise BadOption(f"{what}={quoted(given)} is not an object with named fields.")
    return given


def text_of(given: Any, what: str) -> str:
    """Return ``given`` if it is a text."""
    if given is None:
        raise BadOption(f"{what} is missing; it is a text.")
    if not isinstance(given, str):
        raise BadOption(f"{what}={quoted(given)} is not a text.")
    return given


def texts_of(given: Any, what: str) -> list[str]:
    """Return ``given`` if it is a list of texts; nothing where there is none."""
    if given is None:
        return []
    if not isinstance(given, list) or not all(isinstance(text, str) for text in given):
        raise BadOption(f"{what}={quoted(given)} is not a list of texts.")
    if len(given) > MOST_MOVES:
        raise BadOption(f"{what} has {len(given):,} entries; at most {MOST_MOVES:,} are taken: "
                        f"{listed(given)}.")
    return given
