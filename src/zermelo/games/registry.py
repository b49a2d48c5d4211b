"""Finding a game: built-in ones by name, a user's own by file and class."""

from __future__ import annotations

import hashlib
import importlib.util
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

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
from zermelo.game import Game

FILE_MODULE = "zermelo_user_"  # how the names of modules read from game files begin
BUILT_IN = {
    "connect-four": ("connect_four", "ConnectFour"),
    "othello": ("othello", "Othello"),
    "hex": ("hex", "Hex"),
    "p-game": ("p_game", "PGame"),
    "k-in-a-row": ("k_in_a_row", "KInARow"),
    "tic-tac-toe": ("k_in_a_row", "TicTacToe"),
    "gomoku": ("k_in_a_row", "Gomoku"),
    "connect6": ("k_in_a_row", "Connect6"),
    "lines-of-action": ("lines_of_action", "LinesOfAction"),
    "xiangqi": ("xiangqi", "Xiangqi"),
}


def game_names() -> list[str]:
    """The built-in games."""
    return list(BUILT_IN)


def game_class(name: str) -> type[Game]:
    """The class of the game called ``name``, or of ``path/to/file.py:Class``."""
    if isinstance(name, str) and (".py:" in name or name.endswith(".py")):
        return _from_file(name)
    if not isinstance(name, str) or name not in BUILT_IN:
        raise UnknownGame(
            f"there is no game {quoted(name)}{did_you_mean(name, BUILT_IN)}; games: "
            f"{', '.join(BUILT_IN)}, or FILE.py:Class."
        )
    module, attribute = BUILT_IN[name]
    found: type[Game] = getattr(import_module(f"zermelo.games.{module}"), attribute)
    return found


def game(name: str, **parameters: Any) -> Game:
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


def load_file(path: Path) -> ModuleType:
    """The module in ``path``, under a name that is the same in every process."""
    try:
        source = path.resolve()
        source.read_bytes()
    except (OSError, ValueError, RuntimeError) as error:
        reason = getattr(error, "strerror", None) or one_line(error)
        raise UnknownGame(f"can't read the file {file_name(path)}: {reason}.") from None
    digest = hashlib.sha256(str(source).encode()).hexdigest()[:12]
    name = f"{FILE_MODULE}{path.stem}_{digest}"
    spec = importlib.util.spec_from_file_location(name, source)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # compiled kernels are found again by this name
    if str(source.parent) not in sys.path:  # a game may import its neighbours
        sys.path.insert(0, str(source.parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        if isinstance(error, ZermeloError):
            raise
        reason = one_line(f"{type(error).__name__}: {error}")
        raise BadGame(f"the file {file_name(path)} can't be run: {reason}.") from None
    return module
