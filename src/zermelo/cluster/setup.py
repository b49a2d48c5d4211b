"""What a worker needs to know before its first job, as plain data: game, position, search."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from zermelo.core.object_game import ObjectGame
from zermelo.core.position import Position
from zermelo.errors import BadGame, BadOption, file_name, one_line
from zermelo.games.registry import game as game_by_name
from zermelo.jobs.job import game_name
from zermelo.jobs.shipping import Files, copied, package_digest, same, with_neighbours
from zermelo.search.base import Search
from zermelo.search.code import code_digest
from zermelo.search.registry import search as search_by_id
from zermelo.version import __version__

FACTS: dict[str, type] = {  # what a journal says that it is about, and of what kind each is
    "game": str, "parameters": dict, "position": str, "search": str, "options": dict,
    "plain": bool, "seed": int, "version": str, "code": str, "goal": str}
WHICH_CODE = ("version", "code")


@dataclass(frozen=True)
class Setup:
    """A game of somebody's own is named FILE.py:Class; ``files`` are that file and those beside it
    that it imports, for machines that don't have the same. ``code`` is the digest of everything
    that the answer depends on, for a journal; empty where there is none. ``package``: of all
    sources of Zermelo, which every worker has to have. ``memory`` and ``threads``, of each worker,
    may be others whenever a search goes on."""

    game: str
    parameters: dict[str, Any]
    position: str
    search: str
    options: dict[str, Any]
    plain: bool
    seed: int
    memory: int
    version: str
    code: str
    files: Files = field(default_factory=dict)
    threads: int = 1
    package: str = ""

    def to_dict(self) -> dict[str, Any]:
        """As plain data."""
        return asdict(self)

    @property
    def facts(self) -> dict[str, Any]:
        """What the search is about, whoever works on it."""
        return {name: value for name, value in asdict(self).items() if name in FACTS}

    @classmethod
    def of(cls, position: Position, search: Search, *, plain: bool, seed: int,
           memory: int, threads: int = 1, kept: bool = False) -> Setup:
        """For workers that search below ``position``; ``kept``: in a journal."""
        check_game(position)
        name = game_name(position.game)
        files = with_neighbours(name.rpartition(":")[0]) if ".py:" in name else {}
        code = code_digest(position.game, search) if kept else ""
        return cls(name, position.game.changed, position.text, search.id, search.all_options,
                   plain, seed, memory, __version__, code, files, threads, package_digest())

    def make(self) -> tuple[Position, Search]:
        """The position and the search, for a worker; BadGame if this machine has another version
        of Zermelo. A game of somebody's own has the files that came with it."""
        if package_digest() != self.package:
            raise BadGame(f"a worker has other code than the master: Zermelo {package_digest()} "
                          f"there, {self.package} here; install the same version everywhere.")
        return self._made()

    def here(self) -> tuple[Position, Search, bool]:
        """The position and the search of a journal, and whether their code is what wrote it."""
        position, search = self._made()
        return position, search, code_digest(position.game, search) == self.code

    def _made(self) -> tuple[Position, Search]:
        position = game_by_name(self._name(), **self.parameters).parse(self.position)
        return position, search_by_id(self.search, **self.options)

    def _name(self) -> str:
        """The game's own file where all of them are the same here, else a copy of it."""
        if all(same(path, text) for path, text in self.files.items()):
            return self.game
        path, _, kind = self.game.rpartition(":")
        return f"{copied(self.files)[str(Path(path))]}:{kind}"


def other_code(journal: str | Path | None, version: object, position: Position) -> BadOption:
    """What to raise where a journal was written by other code."""
    return BadOption(f"the journal {file_name(journal)} was written by other code: Zermelo "
                     f"{one_line(version)} there, {__version__} here, or other rules of "
                     f"{position.game.name}; go on with what wrote it.")


def check_game(position: Position) -> None:
    """Refuse games that can't be searched in several processes."""
    game = position.game
    if isinstance(game, ObjectGame):
        raise BadOption(f"workers search compiled games only, and {game.name} is one in plain "
                        "Python; leave out workers.")
    if game.rules.repeat is not None:
        raise BadOption(f"{game.name} has its own rule for repetitions, by which the value of a "
                        "position depends on the moves before it; leave out workers.")
