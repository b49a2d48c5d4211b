"""An experiment: what a short Python file states, and nothing about how it is run.

What the lab finds on this machine is here too: experiments by name or by file, position files, the
store, and the packages of its extra.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from importlib.util import find_spec
from itertools import islice, product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.conspiracy.rscn import Watch
from zermelo.core.game import Game
from zermelo.core.game_files import load_file
from zermelo.core.object_game import PlainGame
from zermelo.core.position import Position
from zermelo.core.reading import positions_in
from zermelo.errors import BadOption, did_you_mean, file_name, listed, quoted
from zermelo.games.registry import game as game_by_name
from zermelo.matches import random_walk
from zermelo.search.base import OptionSet, Search, Zones
from zermelo.search.registry import search as search_by_id

if TYPE_CHECKING:  # what the functions that an experiment holds get and return
    from zermelo.lab.results import Made, Results

AUTHORS = "github.com/90sradiosong/ProbabilityPNS (Primanita, Khalid and Iida 2020)"
PAPERS = "zermelo_papers"  # the package of the experiments, in the same wheel
PACKAGES = ("pandas", "scipy", "matplotlib", "pyarrow", "optuna")  # of the extra "lab"
# Where the authors of a file publish it.
SOURCES = {
    "connect-four/openings.txt": AUTHORS,
    "othello/random_openings22.txt": AUTHORS,
    "othello/random_openings26.txt": AUTHORS,
    "othello/random_openings26n.txt": AUTHORS,
    "othello/random_openings36.txt": AUTHORS,
    "othello/random_openings40.txt": AUTHORS,
    "othello/authors_pn_log_40.txt": f"{AUTHORS}, as PNSresult.txt",
    "othello/fforum-1-19.obf": "github.com/abulmo/edax-reversi",
}


@dataclass(frozen=True)
class Size:
    """A number with two values: ``default`` for a run of minutes, ``full`` as published."""

    default: Any
    full: Any


def sized(value: Any, full: bool) -> Any:
    """``value`` at this size."""
    if isinstance(value, Size):
        return value.full if full else value.default
    return value


MOST_TRIES = 100

Named = tuple[str, Position]
# A game by name or FILE.py:Class, by its class, or made.
AnyGame = str | type[Game] | type[PlainGame] | Game | PlainGame


@dataclass(frozen=True)
class Positions:
    """A set of positions, made when it is needed. ``make`` yields pairs of an id and a position.

    ``take``: how many, the first ones. ``unfinished``: leave out finished games. ``labels``: what
    tables and figures may order sets by. ``note``: where the positions are from, for the report.
    ``optional``: the set may be empty, for example because its file is not available.
    ``candidates``: the side to move is kept to the game's candidates, or to zones, by all arms.
    """

    name: str
    make: Callable[[], Iterable[Named]]
    take: Any = None
    labels: Mapping[str, Any] = field(default_factory=dict)
    note: str = ""
    unfinished: Any = False
    optional: bool = False
    candidates: bool | Zones = False

    def positions(self, full: bool = False) -> list[Named]:
        """The positions at this size, with their ids."""
        open_only = sized(self.unfinished, full)
        made = (named for named in self.make()
                if not (open_only and named[1].outcome is not None))
        found = list(islice(made, sized(self.take, full)))
        if not found and not self.optional:
            raise BadOption(f"the set of positions {quoted(self.name)} is empty.")
        return found


def called(game: AnyGame) -> str:
    """Name of a game: the one that it was given, or its own."""
    if isinstance(game, str):
        return game
    kind = game if isinstance(game, type) else type(game)
    return getattr(game, "name", "") or kind.__name__.lower()


def from_file(file: str, game: AnyGame, *, name: str = "", side: str = "", unfinished: Any = False,
              ids: Iterable[int] | None = None, take: Any = None,
              labels: Mapping[str, Any] | None = None, **parameters: Any) -> Positions:
    """One position per line of a data file; the id is the number of the line, from 0.

    ``side``: who moves, where the file leaves that out. ``unfinished``: leave out finished games.
    ``ids``: these lines only. A path that exists is read as it is.
    """
    wanted = None if ids is None else {id + 1 for id in ids}

    def make() -> Iterator[Named]:
        path = Path(file) if Path(file).is_file() else data_file(file)
        rules = game_by_name(game, **parameters)
        for number, position in positions_in(rules, path, side or None, wanted):
            yield str(number - 1), position

    note = f"{file}, published at {SOURCES[file]}" if file in SOURCES else file
    return Positions(name or Path(file).stem, make, take, labels or {}, note, unfinished)


def texts(game: AnyGame, positions: Sequence[str], *, name: str = "", take: Any = None,
          labels: Mapping[str, Any] | None = None, **parameters: Any) -> Positions:
    """Positions written out in the game's notation."""
    def make() -> Iterator[Named]:
        rules = game_by_name(game, **parameters)
        for number, text in enumerate(positions):
            yield str(number), rules.parse(text)

    return Positions(name or called(game), make, take, labels or {},
                     "written out in the experiment")


def each(game: AnyGame, vary: str, values: Iterable[Any], *, name: str = "", take: Any = None,
         labels: Mapping[str, Any] | None = None, **parameters: Any) -> Positions:
    """The initial position of the game under each value of one parameter, such as a seed."""
    kept = list(values)

    def make() -> Iterator[Named]:
        for value in kept:
            yield str(value), game_by_name(game, **parameters, **{vary: value}).start()

    told = called(game)
    note = f"{told}, {vary} from {kept[0]} to {kept[-1]}: ours" if kept else told
    return Positions(name or told, make, take, labels or {}, note)


def generated(game: AnyGame, plies: int | Sequence[int], count: int, *, seed: int = 0,
              name: str = "", take: Any = None, labels: Mapping[str, Any] | None = None,
              **parameters: Any) -> Positions:
    """``count`` positions after ``plies`` random moves, unfinished and all different; of several
    numbers of moves each in turn, so that there are easy and hard ones.

    Each position has a generator of its own, seeded by (seed, number): the first hundred of two
    hundred are the same as a hundred.
    """
    lengths = [plies] if isinstance(plies, int) else list(plies)
    told = ", ".join(map(str, lengths))

    def make() -> Iterator[Named]:
        rules = game_by_name(game, **parameters)
        seen: set[Position] = set()
        for number in range(count):
            chance, length = random.Random(f"{seed}/{number}"), lengths[number % len(lengths)]
            for _ in range(MOST_TRIES):
                position = random_walk(rules.start(), length, chance)
                if position is not None and position not in seen:
                    break
            else:
                raise BadOption(f"{called(game)}: found no new unfinished position after {length} "
                                f"random moves in {MOST_TRIES} tries; take fewer moves or "
                                "positions.")
            seen.add(position)
            yield str(number), position

    in_turn = " in turn" if len(lengths) > 1 else ""
    note = (f"our own: {told} random moves{in_turn}, seed {seed}; it stands in where no set is "
            "published")
    return Positions(name or f"{called(game)} after {told} moves", make, take, labels or {}, note)


KINDS = ("bars", "dots", "lines", "cactus", "trace", "error", "histogram", "sets", "calibration",
         "profile", "pairs")
MEMORY = "1GB"
WALL_FACTOR, WALL_GRACE, LONGEST_WALL = 4.0, 60.0, 3600.0


@dataclass(frozen=True)
class Arm:
    """One search of an experiment, with its limits for each job.

    ``nodes``, ``time``, ``memory``: where the search stops by itself; time is the processor's, in a
    match by the clock. ``wall``: seconds by the clock after which the job is killed; by default
    four times ``time`` and a minute, or an hour. ``seeds``: how many, or
    which. ``trace``: sample the root every ``trace`` iterations. ``unit``: how many of its
    iterations count as one, where searches are compared by iterations; a number, or one by set.
    ``on``: the names of the sets that it runs on, all of them by default. ``labels``: what tables
    and figures may call its options. ``against``: play a match with this search, two games from
    each position, with limits per move; ``longest``: a draw after this many moves. ``candidates``:
    the side to move tries the game's candidates only, or its relevance zones; ``Zones`` says how.
    """

    name: str
    search: Search | Watch
    nodes: Any = None
    time: Any = None
    memory: Any = MEMORY
    wall: Any = None
    seeds: Any = 1
    trace: Any = None
    unit: int | Mapping[str, int] = 1
    goal: str = "win"
    plain: bool = True
    on: tuple[str, ...] = ()
    labels: Mapping[str, Any] = field(default_factory=dict)
    against: Search | None = None
    longest: int | None = None
    candidates: bool | Zones = False

    @property
    def proves(self) -> bool:
        """Return True if the search answers questions about positions; games prove nothing."""
        return self.against is None and not isinstance(self.search, Watch)

    @property
    def narrows(self) -> bool:
        """Return True if the search can be kept to candidates."""
        return self.against is None and bool(getattr(self.search, "narrows", False))


def arms(searches: Mapping[str, Search | str] | Iterable[Search | str], **common: Any) -> list[Arm]:
    """One arm per search, all with the same limits; without names, searches name themselves."""
    if isinstance(searches, Mapping):
        return [Arm(name, _search(search), **common) for name, search in searches.items()]
    chosen = [_search(search) for search in searches]
    return [Arm(label_of(search), search, **common) for search in chosen]


def _search(search: Search | str) -> Search:
    return search_by_id(search) if isinstance(search, str) else search


def sweep(kind: type[Search], grid: Mapping[str, Sequence[Any]], *,
          keep: Callable[..., bool] = lambda **options: True,
          fixed: Mapping[str, Any] | None = None, named: str = "", **common: Any) -> list[Arm]:
    """An arm for every combination of the options in ``grid`` for which ``keep`` is true; names
    begin with that of the search, or as ``named``."""
    found = []
    for values in product(*grid.values()):
        options = dict(zip(grid, values, strict=True))
        if keep(**options):
            name = f"{named or kind.id} " + " ".join(f"{k}={_plain(v)}" for k, v in options.items())
            found.append(Arm(name, kind(**options, **(fixed or {})), labels=options, **common))
    return found


def _plain(value: Any) -> str:
    return "none" if value is None else f"{value:g}" if isinstance(value, float) else str(value)


def label_of(search: OptionSet) -> str:
    """The search with the options that differ from their defaults."""
    options = " ".join(f"{name}={_plain(value)}" for name, value in search.options.items())
    return f"{search.id} {options}".strip()


def label_of_arm(arm: Arm) -> str:
    """Its search, and the one that it plays against."""
    other = "" if arm.against is None else f" against {label_of(arm.against)}"
    return f"{label_of(arm.search)}{other}"


@dataclass(frozen=True)
class Judge:
    """Judges conclusions by proofs of ``weak-df-pn`` with the game's knowledge.

    Only positions that some arm concluded and none proved are judged, unless ``all``. ``proved``:
    those that some arm proved, too, so that there is a certificate beside every answer. ``moves``:
    prove the value of each move too, for error rates. ``certificate``: write a certificate of each
    proof and have it checked. ``on``: the names of the sets to judge, all of them by default.
    """

    nodes: Any = 50_000_000
    time: Any = 60
    memory: Any = MEMORY
    wall: Any = 600
    all: bool = False
    proved: bool = False
    moves: bool = False
    certificate: bool = True
    on: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """A table: a row for each set and arm (``rows``), and these columns.

    A column is a word of ``zermelo.lab.columns`` such as ``"proved"``, ``"mean nodes"`` or
    ``"median seconds of common"``, or a pair of a heading and a function of the rows. ``published``
    gives, by column, the number the paper prints for an arm, or for (set, arm); it stands beside
    ours. ``intervals``: numbers that have an interval of 95 % are shown with it. Proved, concluded
    and false / known are in every table, unless it is about games alone. In the title,
    ``{positions}`` stands for the number of positions of the run; so it does in the
    title of a figure.
    """

    title: str
    columns: Sequence[str | tuple[str, Callable[[Any], Any]]] = ()
    rows: str = "arm"
    published: Mapping[str, Mapping[Any, Any]] = field(default_factory=dict)
    arms: Sequence[str] = ()
    note: str = ""
    intervals: bool = False


@dataclass(frozen=True)
class Figure:
    """A figure.

    bars    column ``y`` for each arm, beside what is ``published``
    dots    the same as dots, for logarithmic axes
    lines   column ``y``, or those of ``ys`` by what to call them, over ``x``, a label of arms or
            sets; a line for each value of ``series``
    cactus  how many jobs were solved within each number of ``x`` (nodes, seconds, iterations)
    trace   the root's number ``y``, or those of ``ys`` by what to call them, over iterations, for
            each arm and position
    error   how often the move that would be chosen is wrong, over iterations
    histogram  how many positions have which number: a series for each of ``ys``, such as
            ``{"won": "rscn_first of tactical"}``
    sets    column ``y`` for each set, a dot for each arm; ``published``: names and bounds of ranges
    calibration  the share of positions that are won over p of the root, by ``series``, which is a
            label of sets
    profile  the share of positions that an arm concludes with at most a times the ``x`` (nodes,
            search_seconds) of the arm that takes least there, over a
    pairs   on how many positions each arm is ahead of each other one, by ``x``

    ``baseline``: a number to draw a line at, such as 100 %, or the name of an arm whose column it
    is. ``panels``: the arms that each panel of a profile or a cactus shows in colour.
    """

    name: str
    kind: str
    title: str
    x: str = ""
    y: str = ""
    series: str = "arm"
    x_label: str = ""
    y_label: str = ""
    log_x: bool = False
    log_y: bool = False
    arms: Sequence[str] = ()
    sets: Sequence[str] = ()
    published: Mapping[Any, Any] = field(default_factory=dict)
    most: float | None = None
    ys: Mapping[str, str] = field(default_factory=dict)
    baseline: float | str | None = None
    panels: Sequence[Sequence[str]] = ()

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise BadOption(f"figure {quoted(self.name)}: kind={quoted(self.kind)} is not one of "
                            f"{', '.join(KINDS)}.")


@dataclass(frozen=True)
class PaperClaim:
    """A statement of a paper, and a test of it on the results.

    ``test`` gets a ``Results`` and returns True, False, ``"undecided"`` where its interval lies on
    both sides of the bound, or None where there are no results yet; or a pair of that and a
    sentence with the measured numbers. ``rule``: what was fixed beforehand, when it holds and what
    would refute it. ``full_only``: not judged at other sizes.
    """

    text: str
    test: Callable[[Results], Any]
    source: str = ""
    full_only: bool = False
    rule: str = ""


Claim = PaperClaim  # its name in ``zermelo.lab``


@dataclass(frozen=True)
class Experiment:
    """Positions x searches x seeds, the published numbers, and the tables and figures to make."""

    title: str
    positions: Sequence[Positions] | Positions
    arms: Sequence[Arm]
    source: str = ""
    about: str = ""
    tables: Sequence[Table | Callable[[Results], Made]] = ()
    figures: Sequence[Figure] = ()
    claims: Sequence[PaperClaim] = ()
    differs: str = ""
    judge: Judge | None = field(default_factory=Judge)
    minutes: Any = None
    name: str = ""
    file: str = ""

    def __post_init__(self) -> None:
        sets = [self.positions] if not isinstance(self.positions, Sequence) else self.positions
        object.__setattr__(self, "positions", tuple(sets))
        for what, names in (("sets of positions", [one.name for one in sets]),
                            ("arms", [arm.name for arm in self.arms])):
            if not names:
                raise BadOption(f"the experiment {quoted(self.title)} has no {what}.")
            twice = [name for name in names if names.count(name) > 1]
            if twice:
                raise BadOption(f"the experiment {quoted(self.title)} has two {what} called "
                                f"{quoted(twice[0])}; give them different names.")

    @property
    def sets(self) -> tuple[Positions, ...]:
        """The sets of positions."""
        return self.positions  # type: ignore[return-value]


def user_directory() -> Path:
    """The user's data directory of Zermelo."""
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or "~/AppData/Local"
    elif sys.platform == "darwin":
        base = "~/Library/Application Support"
    else:
        base = os.environ.get("XDG_DATA_HOME") or "~/.local/share"
    return Path(base).expanduser() / "zermelo"


def papers() -> Path | None:
    """The folder of the package of experiments; None where it is not installed."""
    found = find_spec(PAPERS)
    return None if found is None or found.origin is None else Path(found.origin).parent


def data_file(name: str) -> Path:
    """The data file called ``name``; one sentence where to get it if it is missing.

    The sets of the package of experiments are found first, then those in the directory
    ``ZERMELO_DATA`` and in the user's own.
    """
    chosen, own = os.environ.get("ZERMELO_DATA"), papers()
    folders = [*([Path(chosen)] if chosen else []), user_directory() / "data"]
    for folder in [*([own / "sets"] if own else []), *folders]:
        if (folder / name).is_file():
            return folder / name
    where = SOURCES.get(name)
    published = f"its authors publish it at {where}; " if where else ""
    looked = " and ".join(file_name(folder) for folder in folders)
    raise BadOption(f"the data file {name} is missing (looked in {looked}): {published}put it "
                    "there, or name its directory in ZERMELO_DATA.")


def store_path(given: str | None = None) -> Path:
    """The file of results: as given, ZERMELO_LAB, or in the user's data directory."""
    return Path(given or os.environ.get("ZERMELO_LAB") or user_directory() / "lab.sqlite")


def check_packages() -> None:
    """Refuse where the packages of the extra ``lab`` are not installed."""
    missing = [name for name in PACKAGES if find_spec(name) is None]
    if missing:
        raise BadOption(f"the lab needs {', '.join(missing)}: pip install 'zermelo[lab]'.")


def experiment_names() -> list[str]:
    """The experiments of the package ``zermelo_papers``, none where it is not installed."""
    folder = papers()
    return sorted(path.stem.replace("_", "-") for path in (folder.glob("*.py") if folder else ())
                  if not path.stem.startswith("_"))


def experiment(name: str) -> Experiment:
    """The experiment called ``name``, or the one in the file ``name``."""
    if name.endswith(".py"):
        found = _in_module(load_file(Path(name)), file_name(name), Path(name).stem)
        return replace(found, file=Path(name).name)
    if name not in experiment_names():
        raise BadOption(f"there is no experiment {quoted(name)}"
                        f"{did_you_mean(name, experiment_names())}; experiments: "
                        f"{listed(experiment_names())}, or FILE.py.")
    module = import_module(f"{PAPERS}.{name.replace('-', '_')}")
    return _in_module(module, name, name)


def _in_module(module: Any, where: str, name: str) -> Experiment:
    found = getattr(module, "experiment", None)
    if not isinstance(found, Experiment):
        raise BadOption(f"{where} has no experiment; it needs a line 'experiment = "
                        "Experiment(...)'.")
    return replace(found, name=found.name or name.replace("_", "-"))
