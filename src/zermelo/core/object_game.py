"""``PlainGame``, games in plain Python; ``ObjectGame``, as searches see them; classes in files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable
from contextlib import suppress
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from zermelo.compiler.fingerprint import Reading
from zermelo.core import objects
from zermelo.core.board import Board, States
from zermelo.core.game import Game
from zermelo.core.game_files import FILE_MODULE, class_from_file, load_file, same_class
from zermelo.core.objects import (
    EVALUATE,
    SCORE,
    STATE,
    Methods,
    ObjectStore,
    Unstable,
    repr_of,
    stable_digest,
)
from zermelo.core.position import Position
from zermelo.core.rules import ONGOING, SECOND_WINS, Parameter, Rules, read_parameters
from zermelo.errors import (
    BadCertificate,
    BadGame,
    BadMove,
    BadPosition,
    UnknownGame,
    check_whole,
    file_name,
    listed,
    one_line,
    quoted,
)

NEEDED = ("start", "moves", "play", "mover", "outcome")
OPTIONAL = ("key", "evaluate", "score", "parse", "format")
MOST_MOVES, LONGEST = 1024, 1000


class PlainGame:
    """A game of Python objects. Subclass it and write five methods; no compiler is involved.

    A **state** is any hashable object that no method changes: a tuple, a text, a frozen dataclass.
    Two states that are equal are the same position. A **move** is any object; what people call it
    is its ``str``, or what ``move_name`` says. ``zermelo.game(MyGame)`` makes a game of it whose
    positions all searches can be asked about.

    start()               the initial state
    moves(state)          the legal moves of a state where the game goes on, in a fixed order; a
                          player who has none has lost
    play(state, move)     the state after a move; ``state`` itself stays as it is
    mover(state)          who moves, 0 or 1; also where the game is over
    outcome(state)        None while the game goes on, else "first", "second" or "draw"

    Optional:

    key(state)            a hashable object: states with equal keys are the same position
    evaluate(state)       how good the position looks for the player to move, a whole number
    score(state)          the final score of a finished game, from the first player's side
    format(state)         the state as a text, and ``parse(text)`` the state of such a text; without
                          them a position is written as the moves that lead to it
    move_name(state, move), diagram(state)    what people see

    ``cyclic``: a position can come up again in a game; then that is a draw. False where it can't,
    which is faster. ``max_moves``: no position has more moves; ``max_length``: no game is longer,
    of a game that is not cyclic, and random games that are longer are draws. ``max_score``: no
    score is further from 0; ``score_step``: scores differ from it by multiples of this.
    """

    name: ClassVar[str] = ""
    parameters: ClassVar[dict[str, Parameter]] = {}
    players: ClassVar[tuple[str, str]] = ("first", "second")
    cyclic: ClassVar[bool] = True
    max_moves: ClassVar[int] = MOST_MOVES
    max_length: ClassVar[int] = LONGEST
    max_score: ClassVar[int] = 1
    score_step: ClassVar[int] = 1

    def __init__(self, /, **parameters: Any) -> None:
        self.values = read_parameters(name_of(type(self)), self.parameters, parameters)

    def __getitem__(self, name: str) -> Any:
        """The value of a parameter."""
        return self.values[name]

    def __reduce__(self) -> Any:
        """A class from a game file is found again by its file."""
        kind = type(self)
        if not kind.__module__.startswith(FILE_MODULE):
            return object.__new__, (kind,), self.__dict__
        return from_file, (kind.__module__, sys.modules[kind.__module__].__file__,
                           kind.__qualname__, self.__dict__)

    start: Callable[[], Any]
    moves: Callable[[Any], Iterable[Any]]
    play: Callable[[Any, Any], Any]
    mover: Callable[[Any], int]
    outcome: Callable[[Any], str | None]
    key: Callable[[Any], Hashable]
    evaluate: Callable[[Any], int]
    score: Callable[[Any], int]
    parse: Callable[[str], Any]
    format: Callable[[Any], str]

    def move_name(self, state: Any, move: Any) -> str:
        """Return what people call a move: one word."""
        return default_name(move)

    def diagram(self, state: Any) -> str:
        """A picture of a state for a terminal."""
        written = getattr(self, "format", None)
        return str(state) if written is None else str(written(state))


def from_file(module: str, file: str, name: str, state: dict[str, Any]) -> PlainGame:
    """A game of a class in a game file, which is read unless that was done before."""
    kind = class_from_file(module, file, name)
    plain: PlainGame = object.__new__(kind)
    plain.__dict__.update(state)
    return plain


def name_of(kind: type[PlainGame]) -> str:
    """Return what the game is called: the name it has, or that of its class."""
    return kind.name or kind.__name__.lower()


def default_name(move: Any) -> str:
    """A move as one word: ``(1, 2)`` is 1-2."""
    if isinstance(move, tuple):
        return "-".join(default_name(part) for part in move)
    return "".join(str(move).split()).replace(",", "-")


def check_methods(plain: PlainGame) -> None:
    """Raise BadGame for a game without what every game needs."""
    name = name_of(type(plain))
    missing = [method for method in NEEDED if getattr(plain, method, None) is None]
    if missing:
        raise BadGame(f"{name}: a game in plain Python needs the methods {', '.join(NEEDED)}; "
                      f"{', '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing.")
    for method in (*NEEDED, *OPTIONAL):
        given = getattr(plain, method, None)
        if given is not None and not callable(given):
            raise BadGame(f"{name}: {method} must be a method, not {given!r}.")
    if hasattr(plain, "format") and not hasattr(plain, "parse"):
        raise BadGame(f"{name}: there is a method format, but no parse that reads its texts.")


# max_moves is a constant of the compiled searches: in steps, so that few of them are compiled.
STEPS = (1024, 65_535)
KEPT_GAMES = 64
DIGEST_FIELD = "digest"  # in the records of certificates


class ObjectGame(Game):
    """The game of a ``PlainGame``. Positions that it made belong to it: they are its numbers."""

    steady = False
    kind: ClassVar[Any]  # the plain class

    def __init__(self, plain: PlainGame) -> None:
        check_methods(plain)
        self.plain = plain
        self.name, self.values = name_of(type(plain)), dict(plain.values)
        check_whole(f"{self.name}: max_moves", plain.max_moves, 1, STEPS[-1])
        self.store = ObjectStore(Methods(plain, self.name))
        self.pace = self.store.pace
        self.rules = self.define()
        self.rules.check(self.name)

    def define(self) -> Rules:
        """The rules ask the store."""
        plain, ask = self.plain, objects
        return Rules(
            state=STATE, max_moves=next(step for step in STEPS if plain.max_moves <= step),
            max_length=plain.max_length, moves=ask.moves, play=ask.play, mover=ask.mover,
            outcome=ask.outcome, key=ask.key, exact_key=True, ahead=ask.ahead, stream=ask.stream,
            cyclic=bool(plain.cyclic), playout=ask.playout, playouts=ask.playouts,
            counted_playout=ask.counted_playout,
            evaluate=ask.evaluate if hasattr(plain, "evaluate") else None,
            score=ask.score if hasattr(plain, "score") else None,
            max_score=plain.max_score, score_step=plain.score_step, data=self.store.calls,
        )

    def __eq__(self, other: object) -> bool:
        return self is other or (
            isinstance(other, ObjectGame) and same_class(type(self), type(other))
            and by_parameters(type(self.plain)) and self.values == other.values)

    def __hash__(self) -> int:
        return hash((type(self).__qualname__, *self.values.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return game_of, (self.plain,)

    @property
    def reference(self) -> str | None:
        """The name under which the registry finds it, if it has one."""
        return getattr(self.plain, "reference", None)

    def number(self, position: Position) -> int:
        """The number of a position's object."""
        return int(position.state[0]["number"])

    def state(self, position: Position) -> Any:
        """The object itself."""
        return self.store.objects[self.number(position)]

    def identity(self, position: Position) -> Any:
        """The object's key."""
        return self.store.key(self.number(position))

    def packed(self, position: Position) -> tuple[Any, ...]:
        """The object goes with it."""
        return with_state, (self, self.state(position))

    def digest(self, state: Any) -> bytes:
        """Return what a certificate knows an object by: a digest of its key, or of its text."""
        try:
            return stable_digest(self.store.key_of(state))
        except Unstable as error:
            if hasattr(self.plain, "format"):
                return stable_digest(self._written("format", state))
            raise BadCertificate(f"{self.name}: {error}, so a certificate can't hold positions; "
                                 "give the game a method key that returns numbers, texts or tuples "
                                 "of them.") from None

    def with_state(self, state: Any) -> Position:
        """The position of an object."""
        return Position(self, self.board.place(self.store.add(state)))

    @cached_property
    def board(self) -> ObjectBoard:
        """The rules as functions on one state at a time."""
        return ObjectBoard(self.rules, self.name, self.store)

    def start(self) -> Position:
        """The initial position."""
        try:
            state = self.plain.start()
        except Exception as error:
            raise self.store.failed("start", error, None) from None
        return self.with_state(state)

    def read(self, text: str) -> Position:
        """A text of the game's own, or moves from the start."""
        if not hasattr(self.plain, "parse"):
            return self.play_all(self.start(), text.split()).read_as("moves")
        try:
            state = self.plain.parse(text)
        except Exception as error:
            with suppress(BadPosition):
                return self.play_all(self.start(), text.split()).read_as("moves")
            raise BadPosition(f"{self.name}: {quoted(text)} is neither a list of moves from the "
                              "start nor a text that parse reads: "
                              f"{type(error).__name__}: {one_line(error)}.") from None
        return self.with_state(state).read_as("text")

    def format(self, position: Position) -> str:
        """The game's own text, or the moves that lead to the position."""
        if hasattr(self.plain, "format"):
            return self._written("format", self.state(position))
        return " ".join(self._moves_to(position)) or "start"

    def _written(self, part: str, state: Any, *move: Any) -> str:
        """Return what a method of the plain game writes about a state; BadRule if it raises."""
        try:
            return str(getattr(self.plain, part)(state, *move))
        except Exception as error:
            raise self.store.failed(part, error, state) from None

    def _moves_to(self, position: Position) -> list[str]:
        """The names of the moves from the start: those played, or those by which the position was
        first met."""
        start = self.number(self.start())
        if self.number(position.origin) == start:
            return position.played_names()
        root, path = self.store.path(self.number(position))
        if root != start:
            raise BadPosition(f"{self.name}: {quoted(repr_of(self.state(position)))} was set up, "
                              "not reached from the start, so it can't be written as moves; "
                              "give the game the methods format and parse.")
        return [self._name(number, way) for number, way in path]

    def _name(self, number: int, move: int) -> str:
        return self._called(self.store.objects[number], self.store.moves(number)[move])

    def name_of(self, position: Position, what: Any) -> str:
        """Return what the game calls the move that is this object."""
        return self._called(self.state(position), what)

    def _called(self, state: Any, what: Any) -> str:
        name = self._written("move_name", state, what)
        if not name or len(name.split()) != 1 or name != name.strip():
            raise BadGame(f"{self.name}: the move {quoted(repr_of(what))} at "
                          f"{quoted(repr_of(state))} is called {name!r}; a name is one word.")
        return name

    def move_name(self, position: Position, move: int) -> str:
        """The name that the game gives to the move."""
        return self._name(self.number(position), move)

    def parse_move(self, position: Position, text: str) -> int:
        """The move of that name, in any case."""
        names = position.moves()
        wanted = text.strip()
        found = ([i for i, name in enumerate(names) if name == wanted]
                 or [i for i, name in enumerate(names) if name.lower() == wanted.lower()])
        if len(found) > 1:
            called = {names[i] for i in found}
            raise BadMove(f"{quoted(text)} is what {len(found)} moves are called here; give the "
                          "game a move_name that tells them apart." if len(called) == 1 else
                          f"{quoted(text)} may be {listed(sorted(called))} here.")
        if not found:
            raise BadMove(f"{quoted(text)} is not a legal move here; legal: {listed(names)}.")
        return found[0]

    @property
    def memory(self) -> int:
        """The memory of the objects."""
        return self.store.bytes

    def diagram(self, position: Position) -> str:
        """The picture that the game draws."""
        return self._written("diagram", self.state(position))


@cache
def game_class_of(kind: Any) -> type[ObjectGame]:
    """The class of the games of a plain class; it has its name, and is found where that is."""
    def __init__(self: ObjectGame, /, **parameters: Any) -> None:
        ObjectGame.__init__(self, kind(**parameters))

    facts = {"__init__": __init__, "__module__": kind.__module__, "__doc__": kind.__doc__,
             "__qualname__": kind.__qualname__, "name": name_of(kind),
             "parameters": kind.parameters, "players": kind.players, "kind": kind}
    return type(kind.__name__, (ObjectGame,), facts)


def by_parameters(kind: Any) -> bool:
    """Return True if a plain game is no more than its class and its parameters."""
    return kind.__init__ is PlainGame.__init__ or hasattr(kind, "reference")


def game_of(plain: PlainGame) -> ObjectGame:
    """The game of a plain one. Where that is no more than its class and its parameters, equal ones
    share it, and with it the store."""
    kind: Any = type(plain)
    if by_parameters(kind):
        return _shared(kind, tuple(plain.values.items()))
    game = object.__new__(game_class_of(kind))
    ObjectGame.__init__(game, plain)
    return game


def _shared(kind: Any, values: tuple[tuple[str, Any], ...]) -> ObjectGame:
    game, reading = _kept(kind, values)
    if reading.change() is not None:  # its store knows positions by other rules
        _kept.cache_clear()
        game, _ = _kept(kind, values)
    return game


@lru_cache(KEPT_GAMES)
def _kept(kind: Any, values: tuple[tuple[str, Any], ...]) -> tuple[ObjectGame, Reading]:
    spaces = tuple(vars(base) for base in kind.__mro__ if issubclass(base, PlainGame)
                   and base is not PlainGame)
    return game_class_of(kind)(**dict(values)), Reading(spaces=spaces)


class ObjectBoard(Board):
    """The rules on one position at a time: the store knows, no kernel is needed."""

    def __init__(self, rules: Rules, name: str, store: ObjectStore) -> None:
        super().__init__(rules, name)
        self.store = store

    def describe(self, state: States) -> tuple[int, int, list[int]]:
        """Outcome, mover and legal moves of ``state``."""
        number = int(state[0]["number"])
        end, mover = self.store.outcome(number), self.store.mover(number)
        count = len(self.store.moves(number)) if end == ONGOING else 0
        return end if count or end else SECOND_WINS - mover, mover, list(range(count))

    def step(self, state: States, move: int) -> States:
        """The state after ``move``."""
        return self.place(self.store.play(int(state[0]["number"]), move))

    def place(self, number: int) -> States:
        """An object as a state."""
        state = np.zeros(1, self.rules.dtype)
        state["number"], state["mover"] = number, self.store.mover(number)
        state["outcome"] = self.store.outcome(number)
        return state

    def score(self, state: States) -> int:
        """The final score of a finished game, from the first player's side."""
        return self.store.answer(SCORE, int(state[0]["number"]), 0)

    def evaluate(self, state: States) -> int:
        """Return how good an ongoing position looks for the player to move, in points."""
        return self.store.answer(EVALUATE, int(state[0]["number"]), 0)


def with_state(game: ObjectGame, state: Any) -> Position:
    """The position of ``state``, which a pickle has brought."""
    return game.with_state(state)


def class_in_file(name: str) -> type[Game]:
    """The class that ``path/to/file.py:Class`` names; the only one, where none is named."""
    path, _, attribute = name.rpartition(":") if ".py:" in name else (name, "", "")
    module = load_file(Path(path))
    classes = {
        key: value
        for key, value in vars(module).items()
        if isinstance(value, type) and issubclass(value, Game | PlainGame)
        and value.__module__ == module.__name__
    }
    if not attribute and len(classes) == 1:
        return as_game_class(next(iter(classes.values())))
    if attribute not in classes:
        wanted = f"has no game {quoted(attribute)}" if attribute else "does not hold just one game"
        raise UnknownGame(f"the file {file_name(path)} {wanted}; games in it: {listed(classes)}.")
    return as_game_class(classes[attribute])


def as_game_class(kind: type[Game] | type[PlainGame]) -> type[Game]:
    """A class of games; that of a game in plain Python has the same name and parameters."""
    plain: Any = kind
    return game_class_of(plain) if issubclass(kind, PlainGame) else kind


def game_of_class(given: Any, parameters: dict[str, Any]) -> Game:
    """The game of a class with these parameters, or of a ``PlainGame``; a game with some of its
    parameters changed."""
    if isinstance(given, Game):
        return type(given)(**{**given.values, **parameters}) if parameters else given
    if isinstance(given, PlainGame) and not parameters:
        return game_of(given)
    if isinstance(given, type) and issubclass(given, Game | PlainGame):
        return as_game_class(given)(**parameters)
    raise UnknownGame(f"{quoted(given)} is neither the name of a game nor a class of games.")
