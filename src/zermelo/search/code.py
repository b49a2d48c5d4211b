"""Which code made a result: a digest of the sources that a job's answer depends on.

A version number alone would let results of two states of a working copy pass for one. Comments and
docstrings do not count: editing prose makes no result stale.
"""

from __future__ import annotations

import ast
import hashlib
import sys
from functools import cache
from pathlib import Path

from zermelo.core.game import Game
from zermelo.core.game_files import beside
from zermelo.search.base import OptionSet

PACKAGE = Path(__file__).parents[1]
COMMON = ("core/*.py", "compiler/*.py", "kernel/*.py", "search/*.py", "search/common/*.py",
          "solving/answer.py", "solving/session.py")
PLAYING = ("playing.py",)
NARROW = ("search/threats/*.py", "search/zones/*.py")
ROOMS = ("search", "games")  # in which imports are followed
DIGITS = 12


def code_digest(game: Game, *searches: OptionSet, narrow: bool = False) -> str:
    """The digest of the game and its data, and of the files beside it that one of somebody's own
    imports; the searches' wings and files, the kernels and ``solve``; of two searches, which play
    each other, also of what plays; of a search that is kept to candidates also of the zones; and
    the ``sources`` that a search names."""
    files = {Path(file) for search in searches
             if (file := str(getattr(search, "probabilities", ""))) and Path(file).is_file()}
    own = PLAYING if len(searches) > 1 else getattr(searches[0], "sources", ())
    further = (*own, *(NARROW if narrow else ()))
    return _of_classes((type(game), *map(type, searches)), further, frozenset(files))


@cache
def _of_classes(kinds: tuple[type, ...], further: tuple[str, ...], given: frozenset[Path]) -> str:
    files = {path for pattern in (*COMMON, *further) for path in PACKAGE.glob(pattern)} | given
    for kind in kinds:
        source = getattr(sys.modules.get(kind.__module__), "__file__", None)
        if source is None:
            continue
        path = Path(source)
        files.add(path)
        files.update(*map(_imported, _wing(path)))
        files.update(_wing(path))
        if not path.is_relative_to(PACKAGE):
            files.update(_neighbours(path))
        if path.is_relative_to(PACKAGE / "games"):
            name = path.parent.name.replace("_", "-")
            files.update((PACKAGE / "games" / "data").glob(f"{name}-*.json"))
    return _combined(frozenset(files))


def _wing(path: Path) -> list[Path]:
    """The files whose imports count: all of a search's wing or of a game's folder; or the file of
    somebody's own."""
    if any(path.is_relative_to(PACKAGE / room) for room in ROOMS):
        return sorted(path.parent.glob("*.py"))
    return [path]


def _neighbours(path: Path) -> set[Path]:
    """The files beside somebody's own that it imports, and what those import."""
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        file = waiting.pop()
        following = set(beside(file, file.read_text("utf-8", "replace"))) - found
        found |= following
        waiting += following
    return found


def _imported(path: Path) -> set[Path]:
    """The files of other searches and games that ``path`` imports, and what those import; but not
    the registries, which import all."""
    found: set[Path] = set()
    waiting = [path]
    while waiting:
        for file in _named_in(waiting.pop()) - found:
            found.add(file)
            waiting.append(file)
    return found


@cache
def _named_in(path: Path) -> frozenset[Path]:
    """The files of other searches and games that ``path`` itself imports."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        room, *rest = node.module.removeprefix("zermelo.").split(".")
        file = PACKAGE.joinpath(room, *rest).with_suffix(".py")
        if (node.module.startswith("zermelo.") and room in ROOMS and file.is_file()
                and file.name != "registry.py"):
            found.add(file)
    return frozenset(found)


@cache
def _combined(files: frozenset[Path]) -> str:
    digests = "".join(sorted(map(_file_digest, files)))  # many files have the same name
    return hashlib.sha256(digests.encode()).hexdigest()[:DIGITS]


@cache
def _file_digest(path: Path) -> str:
    if path.suffix != ".py":  # data, such as probabilities of moves
        return hashlib.sha256(path.read_bytes()).hexdigest()
    try:
        tree = ast.parse(path.read_bytes())
    except (SyntaxError, ValueError):  # a neighbour of somebody's own file, which is never loaded
        return hashlib.sha256(path.read_bytes()).hexdigest()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and len(body) > 1 and _is_text(body[0]):
            del body[0]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()


def _is_text(node: ast.stmt) -> bool:
    return (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str))
