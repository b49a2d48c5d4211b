"""What was found wrong, and how it is told: one sentence for each kind of mistake."""

from __future__ import annotations

from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.core.watched import State
from zermelo.errors import counted


class Findings:
    """The mistakes of a game, the first of each kind, with the state and move where it shows."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.found: dict[str, tuple[str, list[State], int | None]] = {}
        self.fatal = False

    def add(self, kind: str, sentence: str, *states: State, move: int | None = None,
            fatal: bool = False) -> None:
        """Note a mistake; ``{at}`` and ``{and}`` in the sentence stand for the states' texts."""
        self.found.setdefault(kind, (sentence, [state.copy() for state in states], move))
        self.fatal |= fatal

    def sentences(self) -> list[str]:
        """The mistakes; positions in the game's own words unless its rules are too broken."""
        told = []
        for sentence, states, move in self.found.values():
            for mark, state in zip(("{at}", "{and}"), states, strict=False):
                sentence = sentence.replace(mark, self.text(state))
            if move is not None:
                sentence = sentence.replace("{move}", self.name(states[0], move))
            told.append(sentence)
        return told

    def text(self, state: State) -> str:
        """A state as the game writes it, or else field by field."""
        position = Position(self.game, state.copy())
        if not self.fatal:
            try:
                return repr(str(self.game.format(position)))
            except Exception:  # the text checks tell about it
                pass
        return repr(Game.format(self.game, position))

    def name(self, state: State, move: int) -> str:
        """A move as the game calls it, or else its code."""
        if not self.fatal:
            try:
                return str(self.game.move_name(Position(self.game, state.copy()), move))
            except Exception:
                pass
        return str(move)


def identity(state: State) -> bytes:
    """The fields of a state as bytes, without the padding between them."""
    return b"".join(state[name].tobytes() for name in state.dtype.names or ())


def differing(one: State, other: State) -> list[str]:
    """The fields in which two states differ."""
    names = one.dtype.names or ()
    return [name for name in names if one[name].tobytes() != other[name].tobytes()]


def untouched(one: State, other: State, fills: tuple[int, int]) -> bool:
    """Whether two states differ only where each still has the byte that it was filled with."""
    pairs = zip(one.tobytes(), other.tobytes(), strict=True)
    return all(pair == fills for pair in pairs if pair[0] != pair[1])


def lost_without_a_move(count: int) -> str:
    """Positions in which the game is over because nothing can be played."""
    return (f"{counted(count, 'position')} without a move, lost for "
            f"{'its' if count == 1 else 'their'} mover")
