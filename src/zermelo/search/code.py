"""The digest of the sources that the answer of a job depends on.

A version number alone would let results of two states of a working copy pass for one. Comments and
docstrings do not count: editing prose makes no result stale.
"""

from __future__ import annotations

import ast
import hashlib
import sys
from collections.abc import Callable, Iterable
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
FOLLOWED = ("search", "games")  # in which imports are followed
DIGITS = 12


def code_digest(game: Game, *searches: OptionSet, narrow: bool = False) -> str:
    """Return the digest of the game and its data, and of the files beside it that one of a user's
    own imports; the searches' families and files, the kernels and ``solve``; of two searches, which
    play each other, also of playing; of a search that is kept to candidates also of the zones; and
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
        for file in _family(path):
            files |= {file, *_reached(file, _named_in)}
        if not path.is_relative_to(PACKAGE):
            files |= _reached(path, _beside)
        if path.is_relative_to(PACKAGE / "games"):
            name = path.parent.name.replace("_", "-")
            files.update((PACKAGE / "games" / "data").glob(f"{name}-*.json"))
    return _combined(frozenset(files))


def _family(path: Path) -> list[Path]:
    """Return the files whose imports count: all of a search's family or of a game's folder; or the
    file of a user's own."""
    if any(path.is_relative_to(PACKAGE / package) for package in FOLLOWED):
        return sorted(path.parent.glob("*.py"))
    return [path]


def _reached(path: Path, step: Callable[[Path], Iterable[Path]]) -> set[Path]:
    """Return the files that steps from ``path`` lead to."""
    reached: set[Path] = set()
    waiting = [path]
    while waiting:
        following = set(step(waiting.pop())) - reached
        reached |= following
        waiting += following
    return reached


def _beside(path: Path) -> Iterable[Path]:
    """Return the files beside a user's own that it imports."""
    return beside(path, path.read_text("utf-8", "replace"))


@cache
def _named_in(path: Path) -> frozenset[Path]:
    """Return the files of other searches and games that ``path`` itself imports, but not the
    registries, which import all."""
    named = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not isinstance(node, ast.ImportFrom) or node.module is None:
            continue
        package, *rest = node.module.removeprefix("zermelo.").split(".")
        file = PACKAGE.joinpath(package, *rest).with_suffix(".py")
        if (node.module.startswith("zermelo.") and package in FOLLOWED and file.is_file()
                and file.name != "registry.py"):
            named.add(file)
    return frozenset(named)


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
    except (SyntaxError, ValueError):  # beside a user's own file, and never loaded
        return hashlib.sha256(path.read_bytes()).hexdigest()
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list) and len(body) > 1 and _is_text(body[0]):
            del body[0]
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest()


def _is_text(node: ast.stmt) -> bool:
    return (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str))
