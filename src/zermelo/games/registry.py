"""Finding a game: built-in ones by name, a user's own by file and class."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from zermelo.core.game import Game
from zermelo.core.game_files import load_file
from zermelo.errors import (
    BadGame,
    UnknownGame,
    ZermeloError,
    did_you_mean,
    file_name,
    listed,
    one_line,
    quoted,
)

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
        return _from_file(name)
    known = ALIASES.get(name.lower(), name.lower()) if isinstance(name, str) else ""
    if known not in BUILT_IN:
        raise UnknownGame(
            f"there is no game {quoted(name)}{did_you_mean(name, [*BUILT_IN, *ALIASES])}; games: "
            f"{', '.join(BUILT_IN)}, or FILE.py:Class."
        )
    module, attribute = BUILT_IN[known]
    found: type[Game] = getattr(import_module(f"zermelo.games.{module}"), attribute)
    return found


def game(name: str, /, **parameters: Any) -> Game:
    """The game called ``name`` (or ``FILE.py:Class``) with these parameters."""
    kind = game_class(name)
    try:
        return kind(**parameters)
    except ZermeloError:
        raise
    except Exception as error:
        reason = one_line(f"{type(error).__name__}: {error}")
        raise BadGame(f"{name}: its definition can't be run: {reason}.") from None


def _from_file(name: str) -> type[Game]:
    path, _, attribute = name.rpartition(":") if ".py:" in name else (name, "", "")
    module = load_file(Path(path))
    classes = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Game)
        and value.__module__ == module.__name__
    }
    if not attribute and len(classes) == 1:
        return next(iter(classes.values()))
    if attribute not in classes:
        wanted = f"has no game {quoted(attribute)}" if attribute else "does not hold just one game"
        raise UnknownGame(f"the file {file_name(path)} {wanted}; games in it: {listed(classes)}.")
    return classes[attribute]
