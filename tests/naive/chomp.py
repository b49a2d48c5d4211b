"""Chomp the slow way: who eats the last square has won."""

from typing import Any


class NaiveChomp:
    """A state is (row lengths from the bottom, mover)."""

    def from_position(self, position: Any) -> Any:
        """From the text of a position."""
        rows, side = position.text.split()
        lengths = tuple(int(n) for n in rows.split(",") if n != "0")
        return lengths, ("first", "second").index(side)

    def mover(self, state: Any) -> int:
        """Who moves."""
        return int(state[1])

    def moves(self, state: Any) -> list[str]:
        """Every square that is left."""
        return [f"{'abcdefgh'[column]}{row + 1}" for row, length in enumerate(state[0])
                for column in range(length)]

    def play(self, state: Any, move: str) -> Any:
        """The square and all above and to the right of it are eaten."""
        column, row = "abcdefgh".index(move[0]), int(move[1:]) - 1
        rows = [min(n, column) if i >= row else n for i, n in enumerate(state[0])]
        return tuple(n for n in rows if n), 1 - state[1]

    def outcome(self, state: Any) -> str | None:
        """Who eats nothing more has won."""
        return None if state[0] else ("first", "second")[state[1]]
