"""A user's own game, by file and class."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from zermelo.core.game import Game
from zermelo.core.game_files import load_file
from zermelo.core.object_game import game_class_of, game_of
from zermelo.core.plain import PlainGame
from zermelo.errors import UnknownGame, file_name, listed, quoted


def class_in_file(name: str) -> type[Game]:
    """The class that ``path/to/file.py:Class`` names; the only one, where none is named."""
    path, _, attribute = name.rpartition(":") if ".py:" in name else (name, "", "")
    module = load_file(Path(path))
    classes = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Game | PlainGame)
        and value.__module__ == module.__name__
    }
    if not attribute and len(classes) == 1:
        return as_game_class(next(iter(classes.values())))
    if attribute not in classes:
        wanted = f"has no game {quoted(attribute)}" if attribute else "does not hold just one game"
        raise UnknownGame(f"the file {file_name(path)} {wanted}; games in it: {listed(classes)}.")
    return as_game_class(classes[attribute])


def as_game_class(kind: type[Game] | type[PlainGame]) -> type[Game]:
    """A class of games; that of a game in plain Python has the same name and parameters."""
    plain: Any = kind
    return game_class_of(plain) if issubclass(kind, PlainGame) else kind


def game_of_class(given: Any, parameters: dict[str, Any]) -> Game:
    """The game of a class with these parameters, or of a ``PlainGame``; a game with some of its
    parameters changed."""
    if isinstance(given, Game):
        return type(given)(**{**given.values, **parameters}) if parameters else given
    if isinstance(given, PlainGame) and not parameters:
        return game_of(given)
    if isinstance(given, type) and issubclass(given, Game | PlainGame):
        return as_game_class(given)(**parameters)
    raise UnknownGame(f"{quoted(given)} is neither the name of a game nor a class of games.")
