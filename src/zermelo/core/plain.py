"""PlainGame: a game in plain Python, whose positions are any hashable objects."""

from __future__ import annotations

import sys
from collections.abc import Callable, Hashable, Iterable
from typing import Any, ClassVar

from zermelo.core.game_files import FILE_MODULE
from zermelo.core.pickling import class_from_file
from zermelo.core.rules import Parameter, read_parameters
from zermelo.errors import BadGame

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
        """What people call a move: one word."""
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
    """What the game is called: the name it has, or that of its class."""
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
