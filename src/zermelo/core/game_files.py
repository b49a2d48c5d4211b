"""Games of users in files, and pickles of games.

A file is read as a module with a name that every process gives it. The rules of a game are
closures, which no pickle holds. A game is its class and its parameters: the class by name, or by
its file for a game that was read from one.

Searches can't see a mistake in the rules, and "proved" is only as good as they are. So whoever
solves a game of their own that was never checked is reminded of ``check-game``, once: which files
were checked is remembered beside the compiled kernels, by their content.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import os
import sys
from contextlib import suppress
from functools import lru_cache
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
)
from operator import attrgetter
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from zermelo.compiler.cache import CHECKED_SUFFIX, place
from zermelo.compiler.jit import MORE
from zermelo.errors import BadGame, UnknownGame, ZermeloError, file_name, one_line

if TYPE_CHECKING:
    from zermelo.core.game import Game

FILE_MODULE = "zermelo_user_"  # how the names of modules read from game files begin


class FromSource(SourceFileLoader):
    """Loads a module from its source, never from byte code.

    Python takes byte code for valid if the size and the second of the file's last change fit, so
    rules that were edited twice within a second could run as they were.
    """

    def path_stats(self, path: str) -> dict[str, float]:
        """Byte code is neither read nor written where a file has no times."""
        raise OSError(path)


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
    loader = FromSource(name, str(source))
    spec = importlib.util.spec_from_file_location(name, source, loader=loader)
    assert spec is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # compiled kernels are found again by this name
    if str(source.parent) not in sys.path:
        # A game may import its neighbours; they come last, so that a neighbour called numba.py or
        # random.py never stands in for the real one.
        folder = str(source.parent)
        sys.path.append(folder)
        sys.path_importer_cache[folder] = FileFinder(
            folder, (ExtensionFileLoader, EXTENSION_SUFFIXES), (FromSource, SOURCE_SUFFIXES))
    try:
        loader.exec_module(module)
    except (Exception, SystemExit) as error:
        del sys.modules[name]
        if isinstance(error, ZermeloError):
            raise
        reason = one_line(f"{type(error).__name__}: {error}")
        raise BadGame(f"the file {file_name(path)} can't be run: {reason}.") from None
    return module


def beside(path: Path, source: str) -> list[Path]:
    """The files beside ``path``, whose text is ``source``, that it imports."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):  # not every neighbour that is named somewhere is ever loaded
        return []
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {name.name.partition(".")[0] for name in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names.add(node.module.partition(".")[0])
    return [file for name in sorted(names) if (file := path.parent / f"{name}.py").is_file()]


KEPT_GAMES = 64
Values = tuple[tuple[str, Any], ...]


def same_class(one: type[Game], other: type[Game]) -> bool:
    """Return True if two games are of one class: a file that is read twice, or a pickle from
    another process, brings its own."""
    alike = (one.__module__, one.__qualname__) == (other.__module__, other.__qualname__)
    return one is other or (alike and "<locals>" not in one.__qualname__)


def recipe(game: Game, base: type[Game]) -> tuple[Any, ...]:
    """Return what ``__reduce__`` of ``base``, the class of all games, returns."""
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
    """The game of a class in a game file with these parameters."""
    return from_class(class_from_file(module, file, name), values)


def class_from_file(module: str, file: str, name: str) -> Any:
    """A class in a game file, which is read unless that was done before."""
    kind = (getattr(sys.modules.get(module), name, None)
            or getattr(load_file(Path(file)), name, None))
    if kind is None:
        raise BadGame(f"the file {file!r} has no game {name}; it had one when this was pickled.")
    return kind


def hint(game: Game) -> str:
    """Return where more is said about a broken game."""
    kind = type(game)
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    if not kind.__module__.startswith(FILE_MODULE) or file is None:
        return MORE
    with suppress(ValueError, OSError):  # on another drive, or in a directory that is gone
        file = min(os.path.relpath(file), file, key=len)
    return f"run 'zermelo check-game {file}:{kind.__qualname__}' for details"


def remember_check(game: Game) -> None:
    """The game has been checked, or its author reminded of that."""
    mark = _mark(game)
    if mark is not None:
        with suppress(OSError):  # then there is a reminder the next time
            mark.touch()


def reminder(game: Game) -> str | None:
    """A sentence about a game that was never checked; None where there is nothing to say."""
    mark = _mark(game)
    if mark is None or mark.exists():
        return None
    remember_check(game)
    return f"these rules were never checked; {hint(game).replace('for details', 'to do that')}."


def _mark(game: Game) -> Path | None:
    """The file that says that a game was checked; None for games that come with the library."""
    kind, cache = type(game), place()
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    if not kind.__module__.startswith(FILE_MODULE) or file is None:
        return None
    if cache is None or not cache.writable:
        return None
    try:
        content = Path(file).read_bytes()
    except OSError:
        return None
    digest = hashlib.sha256(content + kind.__qualname__.encode()).hexdigest()[:32]
    return cache.directory / f"{digest}{CHECKED_SUFFIX}"
