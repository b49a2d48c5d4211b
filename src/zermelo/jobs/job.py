"""Jobs: a search on a position, or a game, with all that determines its answer, as plain data; and
the files that a job needs and other machines may lack.

Those are a game or a search of the user's own, the files beside it that it imports, and tables of
probabilities. They travel with the job, as texts. A machine that has the same file in the same
place uses its own; else it writes copies, in a directory where nobody else can write.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from zermelo.conspiracy.rscn import Watch
from zermelo.core.game import Game
from zermelo.core.game_files import FILE_MODULE, beside, load_file
from zermelo.core.position import Position
from zermelo.errors import BadOption, UnknownSearch, file_name, one_line, quoted
from zermelo.games.registry import BUILT_IN
from zermelo.games.registry import game as game_by_name
from zermelo.search.base import OptionSet, Search, Zones
from zermelo.search.code import code_digest
from zermelo.search.registry import SEARCHES
from zermelo.storage.whole_files import Folder
from zermelo.version import __version__

PACKAGE = Path(__file__).parents[1]
SOURCES = ("*.py", "*.json")
OPTION = "probabilities"  # the option of a search that may name a file

Files = dict[str, str]  # path on the machine that sends them: content
NOT_IN_TASK = ("version", "code")
SOLVE, PROVE, PLAY, WATCH = "solve", "prove", "play", "watch"
Options = TypeVar("Options", bound=OptionSet)


@dataclass(frozen=True)
class Job:
    """An order to a worker. ``kind`` prove: the value by a proof, for judging what others
    concluded; play: a game ``against`` another search, with these limits for each move; watch: the
    game that goes on from ``line``, followed by conspiracy numbers.

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
        """Return the key of the job in the store."""
        return _digest(self._facts())

    @cached_property
    def task(self) -> str:
        """Return the digest of all but the version: what was to be done, by whatever code."""
        return _digest({k: v for k, v in self._facts().items() if k not in NOT_IN_TASK})

    @cached_property
    def question(self) -> str:
        """Return the digest of the question, without the search: jobs with one question have one
        true answer."""
        facts = self._facts()
        return _digest({k: facts[k] for k in ("game", "parameters", "position", "goal")})

    def _facts(self) -> dict[str, Any]:
        """Return all fields; of a file only what is in it counts, not where it is."""
        facts = self._fields()
        for name in ("against", "candidates", "line"):
            if facts[name] is None or facts[name] is False:
                del facts[name]
        for name in ("game", "search"):
            facts[name] = facts[name].rpartition(":")[2]
        return facts

    def to_json(self) -> str:
        """Return the job as one line of JSON."""
        return json.dumps(self._fields(), ensure_ascii=True)

    def _fields(self) -> dict[str, Any]:
        """Return the fields by name, as they are: a plan has tens of thousands of jobs, too many to
        copy each."""
        return {name: getattr(self, name) for name in FIELDS}

    @classmethod
    def from_json(cls, text: str) -> Job:
        """Return the job that ``to_json`` wrote."""
        given = json.loads(text)
        return cls(**{name: given[name] for name in FIELDS})

    @property
    def start(self) -> Position:
        """Return the position."""
        return _game(self.game, tuple(self.parameters.items())).parse(self.position)

    def make(self) -> tuple[Position, Search]:
        """Return the position and the search."""
        return self.start, _search_class(self.search)(**self.options)

    def watch(self) -> Watch:
        """Return how to watch the game."""
        return Watch(**self.options)

    @property
    def zones(self) -> bool | Zones:
        """Return what narrows the search: nothing, candidates, or zones with these options."""
        return Zones(**self.candidates) if isinstance(self.candidates, dict) else self.candidates

    def opponent(self) -> Search:
        """Return the search that ``search`` plays against."""
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
    """Return the job of running ``search`` on ``position``; ``rest`` as in ``Job``."""
    narrow = bool(rest.get("candidates"))
    if isinstance(rest.get("candidates"), Zones):
        rest["candidates"] = rest["candidates"].stated
    return Job(
        game=game_name(position.game), parameters=position.game.changed, position=position.text,
        search=search_name(search), options=search.stated,
        version=__version__, code=code_digest(position.game, search, narrow=narrow), **rest,
    )


def play_job(start: Position, search: Search, other: Search, player: int, *,
             longest: int | None = None, **rest: Any) -> Job:
    """Return the job of playing a game from ``start``, ``search`` as player 0 or 1; limits are for
    a move.

    The job begins where ``start`` was set up and has its moves, which count for repetitions.
    """
    against = {"search": search_name(other), "options": other.stated, "player": player,
               "opening": start.played_names(), "longest": longest}
    return replace(
        job_for(start.origin, search, goal="value", trace=None, kind=PLAY, against=against, **rest),
        code=code_digest(start.game, search, other))


def watch_job(start: Position, how: Watch, **rest: Any) -> Job:
    """Return the job of watching a game from ``start``, or from where that was set up. Its searches
    have a depth, and no limit but that."""
    for name in ("nodes", "time"):
        if rest[name] is not None:
            raise BadOption(f"{how.id} searches to a depth: {name}={quoted(rest[name])} does not "
                            "apply to it; set depth.")
    first, line = (start.origin, start.played_names()) if how.whole else (start, [])
    return job_for(first, how, goal="value", trace=None, kind=WATCH, line=line, **rest)


def with_options(search: Options, changed: Mapping[str, Any]) -> Options:
    """Return ``search`` with some of its options changed; values may be texts."""
    return replace(search, **changed)


def game_name(game: Game) -> str:
    """Return the name under which another process finds the game."""
    if game.reference is not None:
        return game.reference
    if game.name in BUILT_IN and type(game).__module__.startswith("zermelo.games."):
        return game.name
    return _in_file(type(game), f"the game {game.name}")


def search_name(search: Search | Watch) -> str:
    """Return the id under which another process finds the search."""
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


@cache
def package_digest() -> str:
    """Return the version of Zermelo and a digest of all its sources and data: the same on every
    machine that may work for one store."""
    digest = hashlib.sha256()
    for path in sorted(path for kind in SOURCES for path in PACKAGE.rglob(kind)):
        digest.update(f"{path.relative_to(PACKAGE).as_posix()}\0".encode() + path.read_bytes())
    return f"{__version__} ({digest.hexdigest()[:12]})"


def files_of(job: Job) -> Files:
    """Return the files to send with a job."""
    found: Files = {}
    for path in _named(job):
        found.update(_known(path))
    return found


@cache
def _known(path: str) -> Files:
    """Return a file with its neighbours, read once: jobs are many, and all of one experiment."""
    return with_neighbours(path)


def _named(job: Job) -> list[str]:
    """Return the files that the job names itself."""
    against = job.against or {"search": "", "options": {}}
    own = [name.rpartition(":")[0] for name in (job.game, job.search, against["search"])]
    tables = [str(options.get(OPTION, "")) for options in (job.options, against["options"])]
    return [*(path for path in own if path.endswith(".py")),
            *(path for path in tables if path and Path(path).is_file())]


def _moved(job: Job, places: dict[str, str]) -> Job:
    """Return the job with its files in other places."""
    def name(old: str) -> str:
        path, _, kind = old.rpartition(":")
        return f"{places[path]}:{kind}" if path in places else old

    def options(old: dict[str, Any]) -> dict[str, Any]:
        return {**old, OPTION: places[old[OPTION]]} if old.get(OPTION) in places else old

    against = job.against
    if against is not None:
        against = {**against, "search": name(against["search"]),
                   "options": options(against["options"])}
    return replace(job, game=name(job.game), search=name(job.search), options=options(job.options),
                   against=against)


def with_neighbours(name: str) -> Files:
    """Return a file, those beside it that it imports, and those that they import."""
    found: Files = {}
    waiting = [Path(name)]
    while waiting:
        path = waiting.pop()
        if str(path) in found:
            continue
        try:
            found[str(path)] = text = path.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            reason = getattr(error, "strerror", None) or one_line(error)
            raise BadOption(f"can't send the file {file_name(path)} to the cluster: "
                            f"{reason}.") from None
        if path.suffix == ".py":
            waiting += beside(path, text)
    return found


class Unpacked:
    """The places of the files of jobs on this machine."""

    def __init__(self) -> None:
        self.places: dict[str, dict[str, str]] = {}  # by digest of the files

    def localise(self, job: Job, files: Files) -> Job:
        """Return the job as this machine can do it."""
        if all(same(path, text) for path, text in files.items()):
            return job
        digest = hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()
        if digest not in self.places:
            self.places[digest] = copied(files)
        return _moved(job, self.places[digest])


_folders: list[Folder] = []  # there until the process ends


def copied(files: Files) -> dict[str, str]:
    """Write copies, and return their places: files of one directory stay together, and apart from
    those of others."""
    _folders.append(Folder("zermelo-files"))
    top = _folders[-1].path
    places = {}
    for path, text in files.items():
        parent, _, name = path.replace("\\", "/").rpartition("/")
        copy = top / hashlib.sha256(parent.encode()).hexdigest()[:8] / name
        copy.parent.mkdir(exist_ok=True)
        copy.write_text(text, "utf-8")
        places[path] = str(copy)
    return places


def same(path: str, text: str) -> bool:
    """Return True if this machine has the file, with this content."""
    try:
        return Path(path).read_text("utf-8") == text
    except (OSError, UnicodeDecodeError):
        return False
