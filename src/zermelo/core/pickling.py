"""How a game is pickled, so that positions and results can go to other processes.

The rules of a game are closures, which no pickle holds. A game is its class and its parameters: the
class by name, or by its file for a game that was read from one.
"""

from __future__ import annotations

import sys
from functools import lru_cache
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.core.game_files import FILE_MODULE, load_file
from zermelo.errors import BadGame

if TYPE_CHECKING:
    from zermelo.core.game import Game

KEPT_GAMES = 64
Values = tuple[tuple[str, Any], ...]


def same_class(one: type[Game], other: type[Game]) -> bool:
    """Whether two games are of one class: a file that is read twice, or a pickle from another
    process, brings its own."""
    alike = (one.__module__, one.__qualname__) == (other.__module__, other.__qualname__)
    return one is other or (alike and "<locals>" not in one.__qualname__)


def recipe(game: Game, base: type[Game]) -> tuple[Any, ...]:
    """What ``__reduce__`` of ``base``, the class of all games, returns."""
    kind = type(game)
    if kind.__init__ is not base.__init__:
        raise BadGame(
            f"{game.name}: {kind.__qualname__} has an __init__ of its own, so parameters do not "
            "make it again; give it a __reduce__ too, or it can't be pickled."
        )
    module = sys.modules.get(kind.__module__)
    values = tuple(game.values.items())
    if kind.__module__.startswith(FILE_MODULE) and module is not None:
        return from_file, (kind.__module__, str(module.__file__), kind.__qualname__, values)
    try:
        findable = attrgetter(kind.__qualname__)(module) is kind
    except AttributeError:
        findable = False
    if not findable:
        raise BadGame(
            f"{game.name}: the class {kind.__qualname__} can't be found in the module "
            f"{kind.__module__}, so it can't be pickled; define it at the top level of a file."
        )
    return from_class, (kind, values)


def from_class(kind: Any, values: Values) -> Game:
    """The game of this class with these parameters."""
    game: Game = _from_class(kind, values)
    if game.rules.reading.change() is not None:
        _from_class.cache_clear()
        game = _from_class(kind, values)
    return game


@lru_cache(KEPT_GAMES)  # positions that come one by one share their game, and its machine code
def _from_class(kind: Any, values: Values) -> Any:
    return kind(**dict(values))


def from_file(module: str, file: str, name: str, values: Values) -> Game:
    """The same, of a class in a game file."""
    return from_class(class_from_file(module, file, name), values)


def class_from_file(module: str, file: str, name: str) -> Any:
    """A class in a game file, which is read unless that was done before."""
    kind = (getattr(sys.modules.get(module), name, None)
            or getattr(load_file(Path(file)), name, None))
    if kind is None:
        raise BadGame(f"the file {file!r} has no game {name}; it had one when this was pickled.")
    return kind
