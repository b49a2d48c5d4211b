"""Boards of rows and columns: what the games share in reading, writing and drawing them."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import ClassVar

from zermelo.core import svg
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.errors import BadPosition, counted, quoted

BETWEEN_ROWS = re.compile(r"[/\n]")


def rows_of(owner: str, text: str, columns: int, rows: int) -> list[str]:
    """The rows of a board, from the top, a character a square.

    Rows are set apart by /, line ends or spaces, or run together; squares may have spaces between
    them. What is set apart must be rows: two boards of other shapes with as many squares are not
    this one.
    """
    found = ["".join(line.split()) for line in BETWEEN_ROWS.split(text.strip().strip("/"))]
    if len(found) == 1:
        groups = text.strip().strip("/").split()
        found = groups if any(len(group) > 1 for group in groups) else ["".join(groups)]
        if len(found) == 1 and len(found[0]) == columns * rows:
            return in_rows(found[0], columns)
    if len(found) != rows or rows == 1:
        squares, apart = sum(map(len, found)), f" in {len(found)} rows" * (len(found) > 1)
        wanted = f"{columns * rows}" + f" in {rows}" * (squares == columns * rows)
        raise BadPosition(
            f"{owner}: {quoted(text)} has {counted(squares, 'square')}{apart}, but a board of "
            f"{columns} columns x {rows} rows has {wanted}."
        )
    for number, row in enumerate(found, 1):
        if len(row) != columns:
            raise BadPosition(
                f"{owner}: row {number}, {quoted(row)}, has {counted(len(row), 'square')}, not "
                f"{columns}."
            )
    return found


def undrawn(text: str, columns: int, lines: int) -> str:
    """A board as ``diagram`` draws it, without its labels and with / between the rows.

    Any other text is returned as it is: what makes a diagram is a line with the name of each
    column, a b c or 1 2 3, and nothing else, and ``lines`` more; who moves may stand after them.
    """
    words = [line.split() for line in text.splitlines() if line.strip()]
    names = [chr(ord("a") + i) for i in range(columns)], [str(i + 1) for i in range(columns)]
    at = next((i for i in (lines, 0) if i < len(words) and words[i] in names), None)
    if at is None or len(words) - lines not in (1, 2):
        return text
    lettered = words.pop(at) == names[0]
    side = [] if len(words) == lines else words.pop()
    rows = [row[1:] if lettered and row[0].isdigit() else row for row in words]
    return " ".join(["/".join("".join(row) for row in rows), *side])


def in_rows(squares: str, columns: int) -> list[str]:
    """The squares of a board, given in one piece, row by row."""
    return [squares[i : i + columns] for i in range(0, len(squares), columns)]


def stones_at(x: int, o: int, bits: Iterable[int], empty: str = ".") -> str:
    """X, O or ``empty`` for each of ``bits``, from the stones of the two players."""
    return "".join("X" if x >> bit & 1 else "O" if o >> bit & 1 else empty for bit in bits)


def by_player(position: Position) -> tuple[int, int]:
    """The pieces of X and of O, where a state has those of the player to move and the other's."""
    state = position.state[0]
    pieces = int(state["own"]), int(state["opp"])
    return pieces if state["turn"] == 0 else pieces[::-1]


# The fill and the rim of dark and light stones, by player.
DISCS = {"X": (svg.STONES["dark"], "#0d0f13"), "O": (svg.STONES["light"], "#6f6b60")}


def labels(squares: dict[str, svg.Spot], left: float, below: float,
           fill: str = "currentColor") -> list[str]:
    """The numbers of the rows at ``left`` and the letters of the columns at ``below``."""
    rows = [svg.label(left, y, name[1:], fill=fill)
            for name, (_, y) in squares.items() if name[0] == "a"]
    return rows + [svg.label(x, below, name[0], fill=fill)
                   for name, (x, _) in squares.items() if name[1:] == "1"]


def status_line(position: Position) -> str:
    """Return who moves or must pass, or who has won."""
    passing = position.moves() == ["pass"]
    return f"{position.to_move} must pass" if passing else svg.status(position)


class BoardGame(Game, ABC):
    """A game on a board of ``columns`` x ``rows`` squares, or of ``size`` x ``size``."""

    upwards: ClassVar[bool] = True  # rows are numbered from the bottom
    lowest = 1  # the number of the first one

    @property
    def shape_of_board(self) -> tuple[int, int]:
        """Columns and rows."""
        size = self.values.get("size")
        return (size, size) if size else (self["columns"], self["rows"])

    @abstractmethod
    def squares(self, position: Position) -> str:
        """The marks on the squares, row by row from the top."""

    @abstractmethod
    def centre(self, row: int, column: int) -> svg.Spot:
        """Return where a square is in the picture, rows from the top."""

    def lines(self, position: Position) -> list[str]:
        """The rows of the board from the top."""
        return in_rows(self.squares(position), self.shape_of_board[0])

    def square_spots(self) -> dict[str, svg.Spot]:
        """The squares, row by row from the top, columns named from a."""
        columns, rows = self.shape_of_board
        numbers = [self.lowest + (rows - 1 - row if self.upwards else row) for row in range(rows)]
        return {f"{chr(ord('a') + column)}{number}": self.centre(row, column)
                for row, number in enumerate(numbers) for column in range(columns)}

    def cells(self, position: Position) -> dict[str, str]:
        """The mark on each square."""
        return dict(zip(self.square_spots(), self.squares(position), strict=True))
