"""Game: rules with their parameters, and text in and out.

A game is a class with a ``define`` method that returns a ``Rules`` record. The text methods have
defaults that serve any game.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from zermelo.core import svg
from zermelo.core.board import Board
from zermelo.core.game_files import recipe, same_class
from zermelo.core.position import Position, unpickled
from zermelo.core.reading import parse, read_fields
from zermelo.core.rules import Parameter, Rules, read_parameters
from zermelo.core.svg import with_line
from zermelo.core.watched import fields_text, look_first
from zermelo.errors import BadGame, BadMove, BadOption, BadPosition, listed, quoted

if TYPE_CHECKING:
    from zermelo.core.objects import ExpansionRate


class Game:
    """A game with its parameters. Subclass it, return ``Rules`` from ``define``, and play it.

    The text methods have defaults that serve any game: a position is ``start``, a list of moves, or
    ``field=value;...``; a move is its code. Override them where people write something better.
    """

    name: str = ""
    parameters: ClassVar[dict[str, Parameter]] = {}
    players: ClassVar[tuple[str, str]] = ("first", "second")
    # What else the players are called: pairs of names, of the first player and of the second.
    colours: ClassVar[tuple[tuple[str, str], ...]] = ()
    # Whether a place in the picture of one position is the same place in those of all others.
    steady: ClassVar[bool] = True
    # Points that decide a game, and that are an advantage in the short run: for scn and progress.
    thresholds: ClassVar[tuple[int, ...]] = ()

    # What new positions take, where they take longer than those that are known.
    pace: ExpansionRate | None = None

    def __init__(self, /, **parameters: Any) -> None:
        self.name = type(self).name or type(self).__name__.lower()
        self.values = read_parameters(self.name, self.parameters, parameters)
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

    def __eq__(self, other: object) -> bool:
        """Return True if it is the same game with the same parameters, wherever it was made."""
        if self is other:
            return True
        if not isinstance(other, Game) or not same_class(type(self), type(other)):
            return False
        # With an __init__ of its own a game is more than its parameters.
        return type(self).__init__ is Game.__init__ and self.values == other.values

    def __hash__(self) -> int:
        return hash((type(self).__qualname__, *self.values.items()))

    def __reduce__(self) -> tuple[Any, ...]:
        return recipe(self, Game)

    @property
    def sides(self) -> tuple[str, str]:
        """Return how the two players are written after a board, to say who moves."""
        return self.players

    @property
    def stones(self) -> tuple[str, str] | None:
        """The colours of the players' pieces in pictures, where the players' names don't say."""
        return None

    @property
    def stated(self) -> dict[str, Any]:
        """The parameters as a certificate names them."""
        implied = {k: p.default for k, p in self.parameters.items() if p.implied}
        return {k: v for k, v in self.values.items() if k not in implied or v != implied[k]}

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
        return Board(self.rules, self.name, partial(look_first, self))

    @property
    def memory(self) -> int:
        """The bytes that its positions take beside their states."""
        return 0

    @property
    def reference(self) -> str | None:
        """The name under which every process finds it, where that is not its class's to say."""
        return None

    def identity(self, position: Position) -> Any:
        """Return what tells a position from all others of the game, in every process."""
        return position.state.tobytes()

    def packed(self, position: Position) -> tuple[Any, ...]:
        """Return how a position is pickled: a function, and what it is to be called with."""
        return unpickled, (self, position.state.tobytes())

    @property
    def draw_at(self) -> int:
        """Return how often a position must have come up for a draw, in a game that is played."""
        return 3

    def repeated(self, position: Position) -> str:
        """Return how a game ends in which ``position`` has come up that often, in words."""
        return "a draw"

    def check_parameters(self) -> None:
        """Raise BadOption where parameters that are valid one by one do not fit together."""

    def check_certificate(self, position: Position) -> None:
        """Raise BadOption where no certificate can be about ``position``."""

    def position(self, **values: Any) -> Position:
        """The position with these state fields; fields not given are 0."""
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

    def parse(self, text: str, to_move: str | None = None) -> Position:
        """The position that ``text`` describes, in any notation of the game; it says in which.

        ``to_move`` says who moves where the text does not: a player's name or colour, or ``first``
        or ``second``. So may the text itself, with ``X to move`` at its end.
        """
        return parse(self, text, to_move)

    @property
    def all_names(self) -> list[tuple[str, str]]:
        """Return what the two players are called: pairs of names."""
        return [self.players, *self.colours, ("first", "second")]

    def player_called(self, name: str) -> int | None:
        """Return who is meant: 0 for the first player, 1 for the second, None for nobody."""
        wanted = name.strip().lower()
        return next((player for pair in self.all_names for player in (0, 1)
                     if wanted == pair[player].lower()), None)

    def read(self, text: str) -> Position:
        """The position in one of the game's own notations (``start`` is taken care of)."""
        if "=" in text:
            return read_fields(self, text).read_as("fields")
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
        return fields_text(position.state)

    def move_name(self, position: Position, move: int) -> str:
        """Return what people call the move with code ``move``."""
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
        return svg.text_picture(self.diagram(position))

    def line_diagram(self, position: Position, turns: list[list[str]]) -> str:
        """A picture with the moves of ``turns``, numbered, where a game can draw them."""
        return self.diagram(position)

    def line_svg(self, position: Position, turns: list[list[str]]) -> str:
        """A picture for a page with the moves of ``turns`` marked, where a game places them."""
        return with_line(self, position, turns)

    def spots(self, position: Position, move: int) -> list[tuple[float, float]]:
        """Return where a move is in the picture: the place of a stone, or of a piece before and
        after."""
        return []

    @property
    def cell(self) -> float:
        """Return how wide a square is in the picture."""
        return 44.0

    def last_move_svg(self, spots: list[tuple[float, float]]) -> str:
        """The mark of the last move, to be laid over the picture."""
        return svg.last_move(spots, self.cell)

    def from_to(self, position: Position, move: int) -> tuple[str, str] | None:
        """The names of the squares from and to, where pieces move."""
        return None

    def square_spots(self) -> dict[str, tuple[float, float]]:
        """The squares by name, and where they are in the picture; of games that can be edited."""
        return {}

    def marks(self, position: Position) -> list[str]:
        """The marks that can be put on a square, that of an empty one first; none in a game without
        ``cells``, whose positions can't be edited."""
        return [".", *self.players] if type(self).cells is not Game.cells else []

    def cells(self, position: Position) -> dict[str, str]:
        """The mark on each square; of games that can be edited."""
        return {}

    def with_mark(self, cells: dict[str, str], square: str, mark: str) -> dict[str, str]:
        """``cells`` with ``mark`` on ``square``, and what follows: stones may fall."""
        return {**cells, square: mark}

    def cleared(self, cells: dict[str, str]) -> dict[str, str]:
        """``cells`` without what can be taken away."""
        return dict.fromkeys(cells, ".")

    def cells_text(self, cells: dict[str, str], mover: int) -> str:
        """A text for ``parse`` with these marks and this player to move."""
        return "".join(cells.values()) + f" {self.players[mover]}"

    def notations(self, position: Position) -> list[tuple[str, str]]:
        """The game's own notations of the position, by name (see ``core.notations`` for all)."""
        return [("text", self.format(position))]

    def sgf(self, position: Position) -> str:
        """The moves that led from the start to ``position``, as a game record in SGF."""
        moves = self.sgf_moves(position)
        if moves is None:
            raise BadOption(f"{self.name}: games are not written as SGF.")
        if position.origin != self.start():
            raise BadPosition(f"{self.name}: {quoted(position.text)} was set up, not reached by "
                              "moves from the start; SGF needs the moves.")
        return f"(;FF[4]{moves})"
