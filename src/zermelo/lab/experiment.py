"""An experiment: what a short Python file states, and nothing about how it is run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any

from zermelo.conspiracy.watch import Watch
from zermelo.errors import BadOption, quoted
from zermelo.lab.positions import Positions
from zermelo.search.base import OptionSet, Search
from zermelo.search.registry import search as search_by_id
from zermelo.search.zones.options import Zones

if TYPE_CHECKING:  # what the functions that an experiment holds get and return
    from zermelo.lab.report.tables import Made
    from zermelo.lab.results import Results

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
        """Whether it answers a question about positions; games prove nothing."""
        return self.against is None and not isinstance(self.search, Watch)

    @property
    def narrows(self) -> bool:
        """Whether it can be kept to candidates."""
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
    """Who tells whether a conclusion is true: a proof, by ``weak-df-pn`` with the game's knowledge.

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
    """Something a paper says, and a test of it on the results.

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
