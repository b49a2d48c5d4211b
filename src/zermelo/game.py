"""Game: what a game is. Rules as small functions, parameters, and text in and out.

A game is a class with a ``define`` method that returns a ``Rules`` record: a NumPy dtype for the
state and a few functions on it, written in the subset of Python that Numba compiles. The functions
are ordinary closures: integers from the enclosing method become constants of the machine code. The
library compiles them; a game imports neither Numba nor a search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from zermelo.errors import BadGame, BadMove, BadOption, BadPosition, listed, one_line, quoted

if TYPE_CHECKING:
    from zermelo.kernel.board import Board
    from zermelo.lines import Lines
    from zermelo.position import Position

ONGOING, FIRST_WINS, SECOND_WINS, DRAW = 0, 1, 2, 3
OUTCOMES = (None, "first", "second", "draw")
LONGEST_TEXT = 100_000
MOST_POINTS = 1_000_000  # no evaluation is further from 0

Function = Callable[..., Any]


@dataclass(frozen=True)
class Parameter:
    """One parameter of a game: its default, and what is valid.

    ``compile`` parameters (sizes, line length) become constants of the machine code: another value
    is compiled anew. ``data`` parameters (seeds, weights) reach the rules through ``Rules.data``.
    """

    default: Any
    help: str
    low: int | None = None
    high: int | None = None
    choices: tuple[str | int, ...] = ()
    kind: str = "compile"

    @property
    def valid(self) -> str:
        """What it may be, in words."""
        if self.choices:
            return ", ".join(map(str, self.choices))
        low, high = ("any" if end is None else str(end) for end in (self.low, self.high))
        return low if low == high else f"{low} to {high}"

    def read(self, owner: str, name: str, value: Any) -> Any:
        """``value``, given as text or as a number, checked."""
        if self.choices:
            for choice in self.choices:
                if type(value) in (str, int) and value in (choice, str(choice)):
                    return choice
            raise BadOption(f"{owner}: {name}={quoted(value)} is not one of {self.valid}.")
        try:
            number = int(value) if not isinstance(value, float) else None
        except (TypeError, ValueError):
            number = None
        if number is None or isinstance(value, bool):
            raise BadOption(f"{owner}: {name}={quoted(value)} is not a whole number.")
        low = self.low if self.low is not None else number
        high = self.high if self.high is not None else number
        if not low <= number <= high:
            raise BadOption(
                f"{owner}: {name}={number if abs(number) < 2**64 else quoted(number)} is out of "
                f"range; valid is {self.valid}."
            )
        return number


@dataclass(frozen=True)
class Rules:
    """The rules of a game with fixed parameters. ``g`` is ``data``; ``s`` and ``t`` are states.

    state       fields of the state, as for ``np.dtype``: ``[("own", "u8"), ("mask", "u8")]``
    max_moves   no position has more moves than this
    max_length  no game lasts longer; a playout that gets there is a draw
    moves       ``moves(g, s, out) -> n`` writes the legal moves, as codes, in a fixed order; 0 in
                an ongoing position means that its mover has lost
    play        ``play(g, s, move, t)`` writes all fields of the successor of ``s`` into ``t``
    mover       ``mover(g, s)``: who moves, 0 or 1
    outcome     ``outcome(g, s)``: ONGOING, FIRST_WINS, SECOND_WINS or DRAW
    key         ``key(g, s) -> uint64``: a hash of all of the state, the mover included
    data        a NamedTuple of arrays and numbers (its class at the top level of a module)
    exact_key   two different states never have the same key
    canonical   ``canonical(g, s, t) -> k`` writes the representative of ``s`` among its images;
                k says which symmetry was used
    move_image  ``move_image(g, k, move)`` maps a move of that representative back to ``s``
    cyclic      a position can come again
    repeat      ``repeat(g, path, i, n)``: the outcome when state n of the path equals state i;
                without it a repetition is a draw
    playout     ``playout(g, s, rng, scratch)``: the outcome of a game of uniformly random moves
                from ``s``, which stays as it is
    playouts    ``playouts(g, s, rng, n, won, scratch)``: how many of ``n`` such games end with
                the outcome ``won``; for games that can play many side by side
    forced      ``forced(g, s, out) -> n``: some of the legal moves, enough to know the value; 0
                for all of them
    candidates  ``candidates(g, s, side, out) -> n``: those moves of ``side``, who is to move, that
                a narrow search for a win of that side is to try; possibly none
    estimate    ``estimate(g, s) -> (phi, delta)``: how much work it looks for the mover to win an
                ongoing position, and for the other side to prevent that; whole numbers from 1
    cannot_win  ``cannot_win(g, s, side)``: True if ``side`` does not win an ongoing position
                against best play, by a rule of thumb that never errs; False says nothing
    remaining   ``remaining(g, s)``: how many plies an ongoing game can still last, about
    score       ``score(g, s)``: the final score of a finished game from the first player's side:
                above 0 where that player has won, 0 in a draw
    evaluate    ``evaluate(g, s)``: how good an ongoing position looks for the player to move, in
                points: a whole number, further from 0 than MOST_POINTS never
    categories  ``categories(g, s, moves, n, out)`` writes the category of each of the ``n`` moves,
                a number from 0, into ``out``; ``category_names`` are their names
    probabilities  how likely a move of each category is played where there is one, 0 to 1
    lines       the lines to complete, where that is how the game is won (see ``Lines``)
    max_score   no score is further from 0 than this; ``score_step``: scores differ from it by
                multiples of this
    """

    state: Any
    max_moves: int
    max_length: int
    moves: Function
    play: Function
    mover: Function
    outcome: Function
    key: Function
    data: Any = ()
    exact_key: bool = False
    canonical: Function | None = None
    move_image: Function | None = None
    cyclic: bool = False
    repeat: Function | None = None
    playout: Function | None = None
    playouts: Function | None = None
    forced: Function | None = None
    candidates: Function | None = None
    estimate: Function | None = None
    cannot_win: Function | None = None
    remaining: Function | None = None
    score: Function | None = None
    evaluate: Function | None = None
    categories: Function | None = None
    category_names: tuple[str, ...] = ()
    probabilities: tuple[float, ...] = ()
    lines: Lines | None = None
    max_score: int = 1
    score_step: int = 1

    @cached_property
    def dtype(self) -> np.dtype[Any]:
        """The state as an aligned NumPy dtype."""
        dtype: np.dtype[Any] = np.dtype(self.state, align=True)
        return dtype

    def check(self, owner: str) -> None:
        """Refuse what no search could run: a bad dtype, a missing function, a bound below 1."""
        try:
            dtype = self.dtype
        except (TypeError, ValueError) as error:
            raise BadGame(
                f"{owner}: state {quoted(self.state)} is no dtype: {one_line(error)}."
            ) from None
        if dtype.names is None or dtype.hasobject:
            raise BadGame(
                f"{owner}: state must have named fields of plain numbers, not {quoted(dtype)}."
            )
        for part in ("max_moves", "max_length", "max_score", "score_step"):
            bound = getattr(self, part)
            if not isinstance(bound, int) or bound < 1:
                raise BadGame(
                    f"{owner}: {part}={quoted(bound)} must be a whole number of at least 1."
                )
        optional = ("canonical", "move_image", "repeat", "playout", "playouts", "forced",
                    "candidates", "estimate", "cannot_win", "remaining", "score", "evaluate",
                    "categories")
        for part in ("moves", "play", "mover", "outcome", "key", *optional):
            value = getattr(self, part)
            if not callable(value) and not (value is None and part in optional):
                raise BadGame(f"{owner}: {part} must be a function, not {quoted(value)}.")
        if (self.canonical is None) != (self.move_image is None):
            raise BadGame(f"{owner}: canonical and move_image belong together.")
        self._check_categories(owner)
        if not isinstance(self.data, tuple):
            raise BadGame(f"{owner}: data must be a NamedTuple, not a {type(self.data).__name__}.")

    def _check_categories(self, owner: str) -> None:
        if (self.categories is None) != (not self.category_names):
            raise BadGame(f"{owner}: categories and category_names belong together.")
        given, names = self.probabilities, self.category_names
        if given and (len(given) != len(names) or not all(0.0 <= p <= 1.0 for p in given)):
            raise BadGame(f"{owner}: probabilities={quoted(given)} must be a number from 0 to 1 "
                          f"for each of the {len(names)} category_names.")


class Game:
    """A game with its parameters. Subclass it, return ``Rules`` from ``define``, and play it.

    The text methods have defaults that serve any game: a position is ``start``, a list of moves, or
    ``field=value;...``; a move is its code. Override them where people write something better.
    """

    name: str = ""
    parameters: ClassVar[dict[str, Parameter]] = {}
    players: ClassVar[tuple[str, str]] = ("first", "second")
    # Points that decide a game, and that are an advantage in the short run: for scn and progress.
    thresholds: ClassVar[tuple[int, ...]] = ()

    def __init__(self, **parameters: Any) -> None:
        self.name = type(self).name or type(self).__name__.lower()
        unknown = [name for name in parameters if name not in self.parameters]
        if unknown:
            valid = ", ".join(self.parameters) or "none"
            raise BadOption(
                f"{self.name} has no parameter {quoted(unknown[0])}; it has: {valid}."
            )
        self.values: dict[str, Any] = {}
        for name, parameter in self.parameters.items():
            value = parameters.get(name, parameter.default)
            self.values[name] = parameter.read(self.name, name, value)
        self.check_parameters()
        self.rules = self.define()
        if not isinstance(self.rules, Rules):
            kind = type(self.rules).__name__
            raise BadGame(f"{self.name}: define() must return zermelo.Rules, not {kind}.")
        self.rules.check(self.name)

    def __getitem__(self, name: str) -> Any:
        """The value of a parameter."""
        return self.values[name]

    def __repr__(self) -> str:
        given = ", ".join(f"{name}={value!r}" for name, value in self.values.items())
        return f"<{self.name}{' ' if given else ''}{given}>"

    def __reduce__(self) -> tuple[Any, ...]:
        from zermelo.pickling import recipe

        return recipe(self)

    @property
    def changed(self) -> dict[str, Any]:
        """The parameters that differ from their defaults."""
        return {k: v for k, v in self.values.items() if v != self.parameters[k].default}

    def define(self) -> Rules:
        """The rules under ``self.values``; called once."""
        raise BadGame(f"{self.name}: a game must have a method define that returns its Rules.")

    @cached_property
    def board(self) -> Board:
        """The rules as functions on one state at a time."""
        from zermelo.kernel.board import Board

        return Board(self.rules, self.name)

    @property
    def draw_at(self) -> int:
        """How often a position must have come up for a draw, in a game that is played."""
        return 3

    def check_parameters(self) -> None:
        """Raise BadOption where parameters that are valid one by one do not fit together."""

    def position(self, **values: Any) -> Position:
        """The position with these state fields; fields not given are 0."""
        from zermelo.position import Position

        dtype = self.rules.dtype
        state = np.zeros(1, dtype)
        for name, value in values.items():
            if name not in (dtype.names or ()):
                raise BadGame(f"{self.name}: the state has no field {quoted(name)}.")
            try:
                state[0][name] = value
            except (TypeError, ValueError, OverflowError) as error:
                raise BadGame(
                    f"{self.name}: {quoted(value)} does not fit the field {name}: {error}."
                ) from None
        return Position(self, state)

    def start(self) -> Position:
        """The initial position: all fields 0, unless a game says otherwise."""
        return self.position()

    def parse(self, text: str) -> Position:
        """The position that ``text`` describes, in any notation of the game; it says in which."""
        if not isinstance(text, str):
            raise BadPosition(f"{self.name}: a position is a text, not {quoted(text)}.")
        if len(text) > LONGEST_TEXT:
            raise BadPosition(f"{self.name}: {quoted(text)} is too long for a position.")
        text = text.strip()
        if not text:
            raise BadPosition(
                f"{self.name}: the position is empty; write 'start' for the initial one."
            )
        if text == "start":
            return self.start().read_as("start")
        return self.read(text)

    def read(self, text: str) -> Position:
        """The position in one of the game's own notations (``start`` is taken care of)."""
        if "=" in text:
            return self._read_fields(text).read_as("fields")
        return self.play_all(self.start(), text.replace(",", " ").split()).read_as("moves")

    def play_all(self, position: Position, moves: Iterable[str]) -> Position:
        """``position`` after ``moves``; says at which of them it fails."""
        for index, move in enumerate(moves):
            try:
                position = position.play(move)
            except BadMove as error:
                raise BadPosition(f"{self.name}: move {index + 1}: {error}") from None
        return position

    def format(self, position: Position) -> str:
        """A text that ``parse`` turns back into ``position``."""
        state, names = position.state[0], self.rules.dtype.names or ()
        return ";".join(
            f"{name}={'.'.join(str(x) for x in np.ravel(state[name]))}" for name in names
        )

    def move_name(self, position: Position, move: int) -> str:
        """What people call the move with code ``move``."""
        return str(move)

    def parse_move(self, position: Position, text: str) -> int:
        """The code of the legal move called ``text``."""
        wanted = text.strip().lower()
        names = {self.move_name(position, code): code for code in position.codes()}
        for name, code in names.items():
            if name.lower() == wanted:
                return code
        raise BadMove(f"{quoted(text)} is not a legal move here; legal: {listed(names)}.")

    def sgf_moves(self, position: Position) -> str | None:
        """The moves that led from the start to ``position`` as SGF, without what is around them:
        ``GM[9];B[b1-b3]``. None where the game has no SGF."""
        return None

    def diagram(self, position: Position) -> str:
        """A picture of the position for a terminal."""
        return self.format(position)

    def svg(self, position: Position) -> str:
        """A picture of the position for a page."""
        from zermelo.svg import text_picture

        return text_picture(self.diagram(position))

    def line_diagram(self, position: Position, turns: list[list[str]]) -> str:
        """A picture with the moves of ``turns``, numbered, where a game can draw them."""
        return self.diagram(position)

    def line_svg(self, position: Position, turns: list[list[str]]) -> str:
        """The same for a page."""
        return self.svg(position)

    def sgf(self, position: Position) -> str:
        """The moves that led from the start to ``position``, as a game record in SGF."""
        moves = self.sgf_moves(position)
        if moves is None:
            raise BadOption(f"{self.name}: games are not written as SGF.")
        if position.origin != self.start():
            raise BadPosition(f"{self.name}: {quoted(position.text)} was set up, not reached by "
                              "moves from the start; SGF needs the moves.")
        return f"(;FF[4]{moves})"

    def _read_fields(self, text: str) -> Position:
        values: dict[str, Any] = {}
        dtype = self.rules.dtype
        for part in text.split(";"):
            name, _, value = part.partition("=")
            if name.strip() not in (dtype.names or ()):
                known = ", ".join(dtype.names or ())
                raise BadPosition(f"{self.name}: no field {quoted(name)}; fields: {known}.")
            try:
                numbers = [int(number) for number in value.split(".")]
                shape = dtype[name.strip()].shape
                values[name.strip()] = np.reshape(numbers, shape) if shape else numbers[0]
                position = self.position(**values)
            except (ValueError, OverflowError):
                raise BadPosition(
                    f"{self.name}: {quoted(part)} is not numbers that fit the field."
                ) from None
        return position
