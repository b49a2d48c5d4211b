"""Position: a game and a state of it. Immutable; every method returns something new."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.core.game_files import same_class
from zermelo.core.rules import OUTCOMES
from zermelo.core.svg import captioned, status, with_last
from zermelo.errors import BadGame, BadMove, BadOption, listed, quoted

if TYPE_CHECKING:
    from zermelo.core.game import Game

Way = tuple[Any, int] | None  # the last move, and the way before it: longer ones share it


class Position:
    """A position of ``game``. Two positions are equal if the game and every field are.

    A position remembers the moves that led to it from the one that was set up, its ``origin``, and
    the ``notation`` that it was read from, if the game says so. That is not part of what it is:
    neither equality nor a pickle knows of it.
    """

    __slots__ = ("__dict__", "_origin", "_way", "game", "notation", "state")

    def __init__(self, game: Game, state: np.ndarray[Any, Any], *, origin: Position | None = None,
                 way: Way = None) -> None:
        self.game = game
        self.state = state
        self._origin, self._way = origin, way
        self.notation: str | None = None
        state.flags.writeable = False

    @cached_property
    def _seen(self) -> tuple[int, int, list[int]]:
        """Outcome, mover and legal move codes."""
        return self.game.board.describe(self.state)

    @property
    def outcome(self) -> str | None:
        """None while the game goes on, else ``first``, ``second`` or ``draw``."""
        return OUTCOMES[self._seen[0]]

    @property
    def mover(self) -> int:
        """Return who moves: 0 for the first player, 1 for the second."""
        return self._seen[1]

    @property
    def to_move(self) -> str:
        """The name of the player who moves."""
        return self.game.players[self._seen[1]]

    def codes(self) -> list[int]:
        """The legal moves as the codes that the rules use, in their order."""
        return list(self._seen[2])

    def moves(self) -> list[str]:
        """The legal moves, by name; none when the game is over."""
        return [self.game.move_name(self, code) for code in self._seen[2]]

    def play(self, *moves: str) -> Position:
        """The position after ``moves``, one after the other."""
        position = self
        for move in moves:
            if not isinstance(move, str):
                raise BadMove(f"a move is a text such as {self._example()}, not {quoted(move)}.")
            if position.outcome is not None:
                raise BadMove(f"{quoted(move)}: the game is over, no move is legal.")
            position = position.play_code(position.game.parse_move(position, move))
        return position

    def play_code(self, code: int) -> Position:
        """The position after the legal move with this code."""
        if code not in self._seen[2]:
            raise BadMove(f"move code {quoted(code)} is not legal here; legal: "
                          f"{listed(self._seen[2])}.")
        return Position(self.game, self.game.board.step(self.state, code), origin=self.origin,
                        way=(self._way, code))

    @property
    def origin(self) -> Position:
        """The position that was set up, and from which this one was reached by moves."""
        return self if self._origin is None else self._origin

    @property
    def played(self) -> list[int]:
        """The codes of the moves since ``origin``."""
        codes, way = [], self._way
        while way is not None:
            way, code = way
            codes.append(code)
        return codes[::-1]

    @property
    def way(self) -> list[Position]:
        """The positions from ``origin`` to this one."""
        found, played = [self.origin], self.played
        for code in played[:-1]:
            found.append(found[-1].play_code(code))
        return [*found, self] if played else found

    def played_names(self) -> list[str]:
        """The moves since ``origin``, by name."""
        return [at.game.move_name(at, code)
                for at, code in zip(self.way, self.played, strict=False)]

    def read_as(self, notation: str) -> Position:
        """This position, as read from a text in this notation."""
        same = Position(self.game, self.state, origin=self._origin, way=self._way)
        same.__dict__.update(self.__dict__)  # what the rules said about it
        same.notation = notation
        return same

    def key(self) -> int:
        """The hash of the state."""
        return self.game.board.key(self.state)

    def perft(self, depth: int) -> int:
        """Return how many sequences of ``depth`` moves there are; a finished game is not
        extended."""
        return self.game.board.perft(self.state, depth)

    def canonical(self) -> Position:
        """The representative of this position among its mirror images."""
        if self.game.rules.canonical is None:
            return self
        return Position(self.game, self.game.board.canonical(self.state)[0])

    @property
    def text(self) -> str:
        """The position in the game's notation; ``game.parse`` reads it back."""
        return self.game.format(self)

    @property
    def diagram(self) -> str:
        """A picture for a terminal."""
        return self.game.diagram(self)

    def svg(self) -> str:
        """A picture with the last move marked, and who moves below it."""
        return captioned(with_last(self, self.game.svg(self)), status(self))

    def _repr_svg_(self) -> str:
        return self.svg()

    def __repr__(self) -> str:
        return f"<{self.game.name} {self.text}>"

    def __str__(self) -> str:
        return self.diagram

    def __reduce__(self) -> tuple[Any, ...]:
        return self.game.packed(self)

    def __copy__(self) -> Position:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Position:
        return self

    def _same_game(self, other: Position) -> bool:
        return (self.game is other.game or same_class(type(self.game), type(other.game))
                ) and self.game.values == other.game.values

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Position)
            and self._same_game(other)
            and self.game.identity(self) == other.game.identity(other)
        )

    def __hash__(self) -> int:
        return hash((self.game.name, self.game.identity(self)))

    def _example(self) -> str:
        return repr(self.moves()[0]) if self.moves() else "'a1'"


def unpickled(game: Game, state: bytes) -> Position:
    """The position of ``game`` whose state has these bytes."""
    dtype = game.rules.dtype
    if len(state) != dtype.itemsize:
        raise BadGame(
            f"{game.name}: the pickled position has {len(state)} bytes, but a state has "
            f"{dtype.itemsize}; the game has changed since."
        )
    return Position(game, np.frombuffer(bytearray(state), dtype))  # with its padding, byte by byte


def check_position(given: object) -> None:
    """Raise BadOption for what is not a position, and BadGame if values that the rules depend on
    have changed: what was compiled and what is known of positions goes by the old ones."""
    if not isinstance(given, Position):
        raise BadOption(f"{quoted(given)} is not a Position; game.parse(text) makes one.")
    given.game.rules.reading.check()
