"""Job: a search on a position, or a game, with all that determines its answer, as plain data."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from zermelo.conspiracy.rscn import Watch
from zermelo.core.game import Game
from zermelo.core.game_files import FILE_MODULE, load_file
from zermelo.core.position import Position
from zermelo.errors import BadOption, UnknownSearch, quoted
from zermelo.games.registry import BUILT_IN
from zermelo.games.registry import game as game_by_name
from zermelo.playing import names_of
from zermelo.search.base import OptionSet, Search, Zones
from zermelo.search.code import code_digest
from zermelo.search.registry import SEARCHES
from zermelo.version import __version__

NOT_IN_TASK = ("version", "code")
SOLVE, PROVE, PLAY, WATCH = "solve", "prove", "play", "watch"
Options = TypeVar("Options", bound=OptionSet)


@dataclass(frozen=True)
class Job:
    """What a worker gets. ``kind`` prove: the value by a proof, for judging what others concluded;
    play: a game ``against`` another search, with these limits for each move; watch: the game that
    goes on from ``line``, followed by conspiracy numbers.

    ``game`` and ``search`` are names, or ``FILE.py:Class``; all options are given, defaults too.
    ``candidates``: whether the search is kept to them, or the options of its zones.
    """

    game: str
    parameters: dict[str, Any]
    position: str
    search: str
    options: dict[str, Any]
    seed: int
    goal: str
    plain: bool
    nodes: int | None
    time: float | None
    memory: int
    wall: float
    trace: int | None
    version: str
    code: str
    kind: str = SOLVE
    moves: bool = False
    certificate: bool = False
    against: dict[str, Any] | None = None
    candidates: bool | dict[str, Any] = False
    line: list[str] | None = None

    @cached_property
    def digest(self) -> str:
        """The key of the job in the store."""
        return _digest(self._facts())

    @cached_property
    def task(self) -> str:
        """The same without the version: what was to be done, whoever did it."""
        return _digest({k: v for k, v in self._facts().items() if k not in NOT_IN_TASK})

    @cached_property
    def question(self) -> str:
        """What is asked, without by which search: jobs with one question have one true answer."""
        facts = self._facts()
        return _digest({k: facts[k] for k in ("game", "parameters", "position", "goal")})

    def _facts(self) -> dict[str, Any]:
        """All fields; of a file only what is in it counts, not where it is."""
        facts = self._fields()
        for name in ("against", "candidates", "line"):
            if facts[name] is None or facts[name] is False:
                del facts[name]
        for name in ("game", "search"):
            facts[name] = facts[name].rpartition(":")[2]
        return facts

    def to_json(self) -> str:
        """One line."""
        return json.dumps(self._fields(), ensure_ascii=True)

    def _fields(self) -> dict[str, Any]:
        """By name, as they are: a plan has tens of thousands of jobs, too many to copy each."""
        return {name: getattr(self, name) for name in FIELDS}

    @classmethod
    def from_json(cls, text: str) -> Job:
        """The job that ``to_json`` wrote."""
        given = json.loads(text)
        return cls(**{name: given[name] for name in FIELDS})

    @property
    def start(self) -> Position:
        """The position."""
        return _game(self.game, tuple(self.parameters.items())).parse(self.position)

    def make(self) -> tuple[Position, Search]:
        """The position and the search."""
        return self.start, _search_class(self.search)(**self.options)

    def watch(self) -> Watch:
        """How to watch the game."""
        return Watch(**self.options)

    @property
    def zones(self) -> bool | Zones:
        """What the search is kept to: nothing, candidates, or zones with these options."""
        return Zones(**self.candidates) if isinstance(self.candidates, dict) else self.candidates

    def opponent(self) -> Search:
        """The search that ``search`` plays against."""
        assert self.against is not None
        return _search_class(self.against["search"])(**self.against["options"])


FIELDS = tuple(item.name for item in fields(Job))


@lru_cache(64)  # jobs that come one by one share their game, and its machine code
def _game(name: str, parameters: tuple[tuple[str, Any], ...]) -> Game:
    return game_by_name(name, **dict(parameters))


def _digest(facts: dict[str, Any]) -> str:
    text = json.dumps(facts, sort_keys=True, ensure_ascii=True)
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def job_for(position: Position, search: Search | Watch, **rest: Any) -> Job:
    """The job of running ``search`` on ``position``; ``rest`` as in ``Job``."""
    narrow = bool(rest.get("candidates"))
    if isinstance(rest.get("candidates"), Zones):
        rest["candidates"] = rest["candidates"].to_dict()
    return Job(
        game=game_name(position.game), parameters=position.game.changed, position=position.text,
        search=search_name(search), options=search.all_options,
        version=__version__, code=code_digest(position.game, search, narrow=narrow), **rest,
    )


def play_job(start: Position, search: Search, other: Search, player: int, *,
             longest: int | None = None, **rest: Any) -> Job:
    """The job of playing a game from ``start``, ``search`` as player 0 or 1; limits are for a move.

    The job begins where ``start`` was set up and has its moves, which count for repetitions.
    """
    against = {"search": search_name(other), "options": other.all_options, "player": player,
               "opening": names_of(start), "longest": longest}
    return replace(
        job_for(start.origin, search, goal="value", trace=None, kind=PLAY, against=against, **rest),
        code=code_digest(start.game, search, other))


def watch_job(start: Position, how: Watch, **rest: Any) -> Job:
    """The job of watching a game from ``start``, or from where that was set up. Its searches have a
    depth, and no limit but that."""
    for name in ("nodes", "time"):
        if rest[name] is not None:
            raise BadOption(f"{how.id} searches to a depth: {name}={quoted(rest[name])} does not "
                            "apply to it; set depth.")
    first, line = (start.origin, names_of(start)) if how.whole else (start, [])
    return job_for(first, how, goal="value", trace=None, kind=WATCH, line=line, **rest)


def with_options(search: Options, changed: Mapping[str, Any]) -> Options:
    """``search`` with some of its options changed; values may be texts."""
    return replace(search, **changed)


def game_name(game: Game) -> str:
    """The name under which another process finds the game."""
    if game.reference is not None:
        return game.reference
    if game.name in BUILT_IN and type(game).__module__.startswith("zermelo.games."):
        return game.name
    return _in_file(type(game), f"the game {game.name}")


def search_name(search: Search | Watch) -> str:
    """The id under which another process finds the search."""
    if SEARCHES.get(search.id) is type(search) or type(search) is Watch:
        return search.id
    return _in_file(type(search), f"the search {search.id}")


def _in_file(kind: type, what: str) -> str:
    module = sys.modules.get(kind.__module__)
    source = getattr(module, "__file__", None)
    if not kind.__module__.startswith(FILE_MODULE) or source is None:
        raise BadOption(f"{what}: {kind.__qualname__} is in no file that other processes can "
                        "read; define it at the top level of the experiment or in a file beside "
                        "it, as FILE.py:Class.")
    return f"{source}:{kind.__qualname__}"


def _search_class(name: str) -> type[Search]:
    if name in SEARCHES:
        return SEARCHES[name]
    path, _, attribute = name.rpartition(":")
    kind = getattr(load_file(Path(path)), attribute, None) if path else None
    if not (isinstance(kind, type) and issubclass(kind, Search)):
        raise UnknownSearch(f"there is no search {name!r}; searches: {', '.join(SEARCHES)}, or "
                            "FILE.py:Class.")
    return kind
