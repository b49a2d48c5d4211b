"""Searches and their options, the tasks they are given, and their runs.

A ``Search`` is a frozen record of options under the papers' names, with checked values. It starts
runs: a ``Run`` answers one task and can be advanced bit by bit. Once it has found a proof, a
``Walk`` leads through it.
"""

from __future__ import annotations

import sys
from collections import namedtuple
from collections.abc import Callable, Iterator, Sequence
from dataclasses import Field, dataclass, field, fields, replace
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Protocol, Self

from zermelo.errors import BadOption, did_you_mean, quoted
from zermelo.search.reasons import LOST, NEVER, UNKNOWN, WON

if TYPE_CHECKING:
    from zermelo.core.game import Game
    from zermelo.core.position import Position
    from zermelo.core.rules import Lines, Rules
    from zermelo.search.common.recorder import Recorder
    from zermelo.search.common.saved import Saved, Saving

TRUE = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
Numbers = dict[str, Any]


def option(default: Any, help: str, low: float | None = None, high: float | None = None,
           choices: tuple[str, ...] = (), kw_only: bool = False,
           file_unless: tuple[str, ...] = (), implied: bool = False) -> Any:
    """Return a field of a search with its default and what is valid; None as default allows None.
    ``file_unless``: a value that is not one of these is the path of a file. ``implied``: jobs leave
    it out where it has its default, so that those from before it was there keep their digests."""
    facts = {"help": help, "low": low, "high": high, "choices": choices,
             "file_unless": file_unless, "implied": implied}
    return field(default=default, metadata=facts, kw_only=kw_only)


@dataclass(frozen=True)
class Task:
    """The question that a run answers, and what it may use.

    Does ``attacker`` get at least ``threshold`` from ``position``? A win is a score of at least 1.
    ``horizon``: within this many plies. ``after``: an earlier run from the same position whose
    proved facts may be used. ``shares``: a run of the same game, from another position perhaps,
    whose table may be used where it serves any position. ``plain``: nothing but the rules.
    ``candidates``: the attacker plays the game's candidates only, so that LOST means no more than
    not won by them. ``exact``: if the attacker does not win it will be asked whether the other
    player does; a search may have both in mind from the start. ``evaluate_many``: what values
    leaves instead of playouts, ``batch`` leaves' children at a time (see ``best_first.evaluated``).
    ``alone``: the run shares nothing with others, since it will go on from a checkpoint.
    """

    position: Position
    attacker: int
    memory: int
    seed: int = 0
    plain: bool = False
    threshold: int = 1
    horizon: int | None = None
    threads: int = 1
    after: Run | None = None
    shares: Run | None = None
    candidates: bool = False
    exact: bool = False
    evaluate_many: Callable[[list[Position]], Any] | None = None
    batch: int = 1
    alone: bool = False

    @property
    def rules(self) -> Rules:
        """The rules for the kernels: they have candidates only where these are asked for."""
        rules = self.position.game.rules
        if self.candidates or rules.candidates is None:
            return rules
        return replace(rules, candidates=None)

    @property
    def finished(self) -> int:
        """WON or LOST for the attacker where the game is over, else UNKNOWN."""
        end, game = self.position.outcome, self.position.game
        if end is None:
            return UNKNOWN
        if self.threshold == 1 or game.rules.score is None:
            return WON if end == ("first", "second")[self.attacker] else LOST
        score = game.board.score(self.position.state)
        return WON if (score if self.attacker == 0 else -score) >= self.threshold else LOST


@dataclass(frozen=True, slots=True)
class Seen:
    """A node of a run's tree or table, as it can be seen.

    move        what leads to it; None for the root
    status      UNKNOWN, WON or LOST for the attacker: what is proved, on this path at least
    numbers     by name; those of the search, not proved
    children    how many moves the search tries there: 0 at the end of a game or at a leaf, None
                where that is not known before the node is opened
    held        False where the run does not have the node, or its table has lost it: then
                ``numbers`` is empty, or has those with which a new node begins
    best        the search would go there from its parent; or it is the move of a proof
    thresholds  those with which it is being searched (depth first)
    """

    move: int | None
    status: int
    numbers: Numbers
    children: int | None = None
    held: bool = True
    best: bool = False
    thresholds: Numbers | None = None


@dataclass(frozen=True, slots=True)
class Opened:
    """A node with those of its children that were asked for, how many there are, and other paths
    to the same position, as far as they are found without searching."""

    node: Seen
    children: list[Seen]
    total: int
    also: tuple[tuple[int, ...], ...] = ()


Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Change:
    """A node whose numbers or status are others than before."""

    path: Path
    before: Numbers
    after: Numbers
    status: int


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a search and its effects: an expansion, or, depth first, a visit.

    path        the moves to the node that was expanded or entered
    created     its children that were not there before
    changed     the nodes whose numbers changed, from the last one up
    children    how many children it has now
    numbers     its own, and its status, after the step
    thresholds  depth first: of the nodes on the path, by their paths
    again       depth first: it has been entered before
    back_to     depth first: how long the path is where the search goes on
    """

    path: Path
    created: list[Seen]
    changed: list[Change]
    children: int
    numbers: Numbers
    status: int
    thresholds: dict[Path, Numbers] | None = None
    again: bool = False
    back_to: int = 0


class Walk(Protocol):
    """A place in a proof that was found. It begins at the root of the run."""

    def best(self) -> int | None:
        """Return the move to play: shortest for the prover, longest for the other; None at the
        end."""

    def follow(self, move: int, position: Position) -> bool:
        """Go on after ``move``, which leads to ``position``; False if the proof ends there."""


class ProvedTree(NamedTuple):
    """The nodes of a tree with an answer, the root first.

    ``lengths``: the plies that each proved node lasts. ``linked``: children are found by ``first``
    and ``next``, where 0 is no node; else ``count`` of them lie side by side from ``first``.
    """

    status: int
    nodes: Any
    lengths: Any
    linked: bool


@dataclass(frozen=True)
class ThreatPlan:
    """A win by turns of the attacker and, where these end, by threats.

    nodes  a node of the attacker has ``turn``, and ``then``, the number of the next node, or None
           where it wins by threats. One of the defender has ``replies``, each a turn and the number
           of the next node: those that threats alone do not answer. The first is the root.
    win    ``win(owners, left)``: a win by threats where the attacker moves, as the turns that it
           takes and the first of them; None if there is none
    hint   ``hint(owners, turns)``: one within ``turns`` turns, below the last position given to
           ``win``
    """

    nodes: list[dict[str, Any]]
    win: Callable[[Any, int], tuple[int, tuple[int, ...]] | None]
    hint: Callable[[Any, int], tuple[int, tuple[int, ...]] | None]


Batches = Iterator[tuple[Any, Any, Any]]


@dataclass(frozen=True)
class Proof:
    """The proof of an answered run, in the forms that it can give; None for the others.

    records   ``records(search, progress)``: batches of states in which the prover
              moves, its moves, and ranks that fall along every line. They answer all replies, but
              where ``search`` positions settle a move
    load      load or compile what ``records`` needs
    ranked    the ranks fall in a cyclic game, too
    folded    the states of the records are the game's to fold by its symmetries
    move      ``move(state, plies)``: the prover's move in a state that many plies below the root
    by_zones  the proof trusts the game's zones instead of answering all replies
    threats   a win by threats
    tree      a proved tree, which a table can take over
    plies     ``plies()``: within how many a win comes, or a bound from below
    sooner    ``sooner(plies)``: a run with a win in fewer, if little work finds one
    """

    records: Callable[..., Batches] | None = None
    load: Callable[[], None] | None = None
    ranked: bool = False
    folded: bool = True
    move: Callable[[Any, int], int] | None = None
    by_zones: bool = False
    threats: Callable[[], ThreatPlan] | None = None
    tree: Callable[[], ProvedTree] | None = None
    plies: Callable[[], int | None] | None = None
    sooner: Callable[[int], Run | None] | None = None


class Run(Protocol):
    """A search for the answer to one task: does the attacker win?

    What a run says no more about than its family does has the answers that stand here.
    """

    task: Task
    position: Position  # at which the search begins
    attacker: int  # whose win is in question

    def __init__(self, task: Task) -> None:
        self.task, self.position, self.attacker = task, task.position, task.attacker

    @cached_property
    def finished(self) -> int:
        """WON or LOST for the attacker where the game is over, else UNKNOWN."""
        return self.task.finished

    @property
    def proof_length(self) -> int:
        """The plies that the proof found lasts; 0 where the search does not keep that."""
        return 0

    @property
    def status(self) -> int:
        """UNKNOWN, WON or LOST for the attacker: what is proved."""

    @property
    def leaning(self) -> int:
        """WON or LOST for the attacker: a conclusion short of a proof; UNKNOWN if there is none."""
        return UNKNOWN

    @property
    def nodes(self) -> int:
        """Nodes so far, as the papers count."""

    @property
    def iterations(self) -> int:
        """Expansions so far."""

    @property
    def bytes(self) -> int:
        """The memory in use."""

    @property
    def fill(self) -> float | None:
        """The part of the memory allowed to its tree or table that is in use."""
        return None

    @property
    def counters(self) -> Numbers:
        """The counts beside nodes and iterations."""
        return {}

    @property
    def path(self) -> list[tuple[int, Numbers]]:
        """The moves being searched, with the numbers of the nodes they lead to."""

    def advance(self, budget: int, node_limit: int = NEVER, pause: int = NEVER) -> int:
        """Make at most ``budget`` steps; return the reason to stop (see ``reasons``).

        The search also stops once it has ``node_limit`` nodes or ``pause`` iterations.
        """

    def charge(self, nodes: int) -> None:
        """Take ``nodes``, done for it elsewhere, off those left to a search that ``narrows``."""
        return

    def grow(self, memory: int) -> None:
        """Use up to ``memory`` bytes from now on; what is known stays."""

    def numbers(self) -> Numbers:
        """The root's numbers, by name."""

    def moves(self) -> list[tuple[int, int, Numbers]]:
        """The root's moves that are known: (move, status, numbers)."""

    def chosen(self) -> int | None:
        """The root's move that would be played now; None while there is none."""

    def walk(self) -> Walk:
        """A walk through the proof found."""

    def proof(self) -> Proof:
        """Return what is proved, for certificates and for other searches."""

    def save(self, saving: Saving) -> None:
        """Keep in a checkpoint what ``restore`` needs; to be called while the run rests."""

    def restore(self, saved: Saved) -> None:
        """Go on from a checkpoint of the same question, as a run that has just begun."""

    def open(self, path: Sequence[int], offset: int, count: int) -> Opened:
        """The node that the legal moves ``path`` lead to, and ``count`` children from ``offset``.

        To be called while the run rests. Looking changes nothing: the run goes on as it would have.
        """

    @property
    def lossless(self) -> bool:
        """True if the table of a search that ``shares`` can't have lost anything."""
        return False

    def status_of(self, state: Any, visits: int) -> int:
        """Return the status of any state of an ongoing game by the table of a search that
        ``shares``, if ``visits`` visits show it."""
        return UNKNOWN


@dataclass(frozen=True)
class OptionSet:
    """A frozen record of options with checked values. ``id`` is its name in files and commands."""

    id: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str]

    def __new__(cls, /, *values: Any, **given: Any) -> Self:
        """Refuse unknown options; ``__init__`` takes the others."""
        known = [item.name for item in fields(cls)]
        for name in given:
            if name not in known:
                raise BadOption(f"{cls.id} has no option {quoted(name)}{did_you_mean(name, known)};"
                                f" it has: {', '.join(known) or 'none'}.")
        return super().__new__(cls)

    def __post_init__(self) -> None:
        for item in fields(self):
            object.__setattr__(self, item.name, self._checked(item, getattr(self, item.name)))
        self.check()

    def check(self) -> None:
        """Raise BadOption where options that are valid one by one do not fit together."""

    @property
    def options(self) -> dict[str, Any]:
        """The options that differ from their defaults."""
        defaults = {item.name: item.default for item in fields(self)}
        return {name: value for name, value in self.all_options.items()
                if value != defaults[name]}

    @property
    def all_options(self) -> dict[str, Any]:
        """All options, by name."""
        return {item.name: getattr(self, item.name) for item in fields(self)}

    @property
    def stated(self) -> dict[str, Any]:
        """All options but those that are implied and have their default."""
        given = self.options
        return {item.name: getattr(self, item.name) for item in fields(self)
                if item.name in given or not item.metadata.get("implied")}

    def _checked(self, item: Field[Any], value: Any) -> Any:
        """Return the value of an option, converted from text where needed."""
        kind = type(item.default) if item.default is not None else float
        valid = _valid(item, kind)
        if item.default is None and (value is None or str(value).lower() == "none"):
            return None
        converted = _convert(value, kind)
        low, high = item.metadata.get("low"), item.metadata.get("high")
        choices = item.metadata.get("choices")
        if (
            converted is None
            or (choices and converted not in choices)
            or (low is not None and not converted >= low)
            or (high is not None and not converted <= high)
        ):
            raise BadOption(f"{self.id}: {item.name}={quoted(value)} is not valid; it is {valid}.")
        return converted


@dataclass(frozen=True)
class Search(OptionSet):
    """The options of a search. ``id`` is its name on the command line.

    ``goals``: what it can be asked for; ``threaded``: whether it can use several threads.
    ``narrows``: whether it can keep the attacker to the game's candidates.
    ``exhausted``: what it means, in words, that all it looks at is done without an answer.
    ``numbers_stones``: pictures show the stones of its lines with numbers.
    ``shares``: whether its table can serve searches from other positions of the game.
    ``keeps``: what can be seen of a run beside the root's moves: its whole ``tree``, what its
    ``table`` still has, or the ``moves`` of a proof found.
    ``replays``: whether it can be followed step by step (see ``zermelo.replay``).
    ``follows``: which children it follows, in words; {me} is the attacker.
    ``takes_values``: whether its leaves can be valued by a function of the user's.
    """

    goals: ClassVar[tuple[str, ...]] = ("win", "value")
    threaded: ClassVar[bool] = False
    narrows: ClassVar[bool] = False
    exhausted: ClassVar[str] = ""
    numbers_stones: ClassVar[bool] = False
    shares: ClassVar[bool] = False
    keeps: ClassVar[str] = "moves"
    replays: ClassVar[bool] = False
    follows: ClassVar[str] = "its own order"
    takes_values: ClassVar[bool] = False

    def check_game(self, game: Game) -> None:
        """Raise BadOption where the search can't be asked about ``game``."""

    def check_files(self, game: Game) -> None:
        """Raise BadOption where a file that the search reads for ``game`` can't be used."""

    def recorder(self, run: Any) -> Recorder | None:
        """Return a recorder of a run of this search from its beginning; None if it can't be
        followed."""
        return None

    def start(self, task: Task) -> Run:
        """Begin a run: does the attacker win?"""
        raise NotImplementedError

    def packed(self, **more: Any) -> Any:
        """Return the options, and ``more`` beside or instead, as compiled functions read them: a
        NamedTuple. A choice is its place among the choices, None is 0; other texts are left out."""
        values = {item.name: _number(item, getattr(self, item.name)) for item in fields(self)
                  if type(item.default) is not str or item.metadata.get("choices")} | more
        return _record(type(self).__module__, type(self).__name__, tuple(values))(*values.values())


@cache
def _record(module: str, name: str, names: tuple[str, ...]) -> Any:
    """Return the class of the options of a search for compiled functions; its module has it, too,
    where kernels that are loaded from disk find it again."""
    make: Any = namedtuple
    kind = make("_".join((name, *names)), names, module=module)
    setattr(sys.modules[module], kind.__name__, kind)
    return kind


def _number(item: Field[Any], value: Any) -> Any:
    """Return the value of an option as a number."""
    if type(item.default) is str:
        return item.metadata["choices"].index(value)
    return 0.0 if value is None else value


MOST_STONES = 2  # Z and Z': the defender's turn is one stone in each


@dataclass(frozen=True)
class Zones(OptionSet):
    """Candidates of a game with lines: the attacker's best turns against the defender's zones."""

    id: ClassVar[str] = "zones"

    width: int = option(5, "the attacker's turns in a position", low=1, high=100)
    depth: int = option(13, "the most turns of a win by threats", low=1, high=100)
    effort: int = option(1_000, "visits after which a search for threats gives up", low=10,
                         high=1 << 30)
    eager: bool = option(True, "look for wins by threats after all of the defender's replies at "
                         "once, and make nodes of the others only; otherwise when the search comes "
                         "to a reply")
    threats: int = option(0, "how many each of the attacker's turns has to make; 1 mixes single "
                          "and double ones", low=0, high=2)
    order: int = option(0, "not 0: try the turns of each position in a random order drawn from "
                        "this number instead of the generator's, to see how much luck there is in "
                        "the order", low=0, high=1 << 30, implied=True)

    def to_dict(self) -> dict[str, Any]:
        """Return all options, by name; an order only where there is one."""
        return self.stated

    def lines_of(self, game: Game) -> Lines:
        """Return the lines of a game; BadOption if zones are not for it."""
        lines = game.rules.lines
        if lines is None:
            raise BadOption(f"zones: {game.name} has no lines; valid are games that are won by "
                            "completing lines, with one or two stones per turn.")
        if lines.stones > MOST_STONES:
            raise BadOption(f"zones: {game.name} has {lines.stones} stones per turn; one or two "
                            "are valid.")
        return lines


def _convert(value: Any, kind: type) -> Any:
    """Return ``value`` as a ``kind``, or None."""
    if kind is bool:
        return value if isinstance(value, bool) else TRUE.get(str(value).lower())
    if kind is str:
        return value if isinstance(value, str) else None
    if isinstance(value, bool):
        return None
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        return None
    if kind is int:
        return int(number) if number == number and number.is_integer() else None
    return number if number == number else None


def _valid(item: Field[Any], kind: type) -> str:
    """Return the valid values of an option, in words."""
    if item.metadata.get("choices"):
        return "one of " + ", ".join(item.metadata["choices"])
    words = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}[kind]
    low, high = item.metadata.get("low"), item.metadata.get("high")
    if low is not None:
        words += f" from {low:g}"
    if high is not None:
        words += f" to {high:g}"
    if item.default is None:
        words += ", or none"
    return words
