"""Finding a game: built-in ones by name, a user's own by file and class."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from zermelo.errors import (
    BadGame,
    UnknownGame,
    ZermeloError,
    did_you_mean,
    one_line,
    quoted,
)

if TYPE_CHECKING:
    from zermelo.core.game import Game
    from zermelo.core.object_game import PlainGame

BUILT_IN = {
    "connect-four": ("connect_four.game", "ConnectFour"),
    "othello": ("othello.game", "Othello"),
    "hex": ("hex.game", "Hex"),
    "p-game": ("p_game.game", "PGame"),
    "k-in-a-row": ("k_in_a_row.game", "KInARow"),
    "tic-tac-toe": ("k_in_a_row.game", "TicTacToe"),
    "gomoku": ("k_in_a_row.game", "Gomoku"),
    "connect6": ("k_in_a_row.game", "Connect6"),
    "lines-of-action": ("lines_of_action.game", "LinesOfAction"),
    "xiangqi": ("xiangqi.game", "Xiangqi"),
}

OPEN_SPIEL = "open-spiel:"  # and a game as OpenSpiel writes it

# What else people call them.
ALIASES = {
    "connect4": "connect-four", "connectfour": "connect-four", "c4": "connect-four",
    "reversi": "othello",
    "pgame": "p-game",
    "mnk": "k-in-a-row",
    "tictactoe": "tic-tac-toe", "ttt": "tic-tac-toe", "noughts-and-crosses": "tic-tac-toe",
    "five-in-a-row": "gomoku",
    "connect-six": "connect6",
    "loa": "lines-of-action",
    "chinese-chess": "xiangqi",
}


def aliases_of(name: str) -> list[str]:
    """The other names of a built-in game."""
    return [alias for alias, meant in ALIASES.items() if meant == name]


def game_names() -> list[str]:
    """The built-in games."""
    return list(BUILT_IN)


def game_class(name: str) -> type[Game]:
    """The class of the game called ``name``, in any case, or of ``path/to/file.py:Class``."""
    if isinstance(name, str) and (".py:" in name or name.endswith(".py")):
        found: type[Game] = import_module("zermelo.core.object_game").class_in_file(name)
        return found
    if isinstance(name, str) and name.lower().startswith(OPEN_SPIEL):
        theirs = import_module("zermelo.games.open_spiel")
        found = theirs.open_spiel_class(name[len(OPEN_SPIEL) :])
        return found
    known = ALIASES.get(name.lower(), name.lower()) if isinstance(name, str) else ""
    if known not in BUILT_IN:
        raise UnknownGame(
            f"there is no game {quoted(name)}{did_you_mean(name, [*BUILT_IN, *ALIASES])}; games: "
            f"{', '.join(BUILT_IN)}, FILE.py:Class, or {OPEN_SPIEL}GAME."
        )
    module, attribute = BUILT_IN[known]
    found = getattr(import_module(f"zermelo.games.{module}"), attribute)
    return found


def game(name: str | type[Game] | type[PlainGame] | Game | PlainGame, /,
         **parameters: Any) -> Game:
    """The game called ``name`` (or ``FILE.py:Class``) with these parameters; or the game of a class
    of your own, or of a ``PlainGame``; or a game with these parameters changed."""
    if not isinstance(name, str):
        made: Game = import_module("zermelo.core.object_game").game_of_class(name, parameters)
        return made
    kind = game_class(name)
    try:
        return kind(**parameters)
    except ZermeloError:
        raise
    except Exception as error:
        reason = one_line(f"{type(error).__name__}: {error}")
        raise BadGame(f"{name}: its definition can't be run: {reason}.") from None
