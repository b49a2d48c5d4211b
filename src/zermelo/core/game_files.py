"""Reading a file with a user's own game, as a module with a name that every process gives it."""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import sys
from importlib.machinery import (
    EXTENSION_SUFFIXES,
    SOURCE_SUFFIXES,
    ExtensionFileLoader,
    FileFinder,
    SourceFileLoader,
)
from pathlib import Path
from types import ModuleType

from zermelo.errors import BadGame, UnknownGame, ZermeloError, file_name, one_line

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
