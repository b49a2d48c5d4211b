"""The pictures of the k-in-a-row family: for a terminal and for a page (see ``k_in_a_row``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.core import svg

if TYPE_CHECKING:
    from zermelo.games.k_in_a_row.shape import Shape

LARGEST_SQUARED = 64


def diagram(shape: Shape, board: str, numbers: dict[int, str] | None = None) -> str:
    """The board with row numbers on the left and column letters below.

    ``numbers``: what stands on some squares instead.
    """
    margin, marks = len(str(shape.rows)), [*board]
    for square, number in (numbers or {}).items():
        marks[square] = number
    width = max(map(len, marks))
    lines = []
    for row in range(shape.rows):
        squares = marks[row * shape.columns : (row + 1) * shape.columns]
        lines.append(f"{shape.rows - row:>{margin}} {_spaced(squares, width)}")
    return "\n".join([*lines, " " * (margin + 1) + _spaced(_letters(shape), width)])


def _spaced(marks: list[str], width: int) -> str:
    return " ".join(mark.rjust(width) for mark in marks)


def _letters(shape: Shape) -> list[str]:
    return [chr(ord("a") + column) for column in range(shape.columns)]


def picture(shape: Shape, board: str, numbers: dict[int, str] | None = None) -> str:
    """Marks in squares up to 64 squares, stones on crossings above; some carry numbers."""
    cell, edge = (48, 24) if shape.cells <= LARGEST_SQUARED else (26, 24)
    width, height = cell * shape.columns, cell * shape.rows
    squared = shape.cells <= LARGEST_SQUARED
    parts = _squares(shape, cell, edge) if squared else _crossings(shape, cell, edge)
    for i, mark in enumerate(board):
        row, column = divmod(i, shape.columns)
        x, y = edge + cell * (column + 0.5), cell * (row + 0.5)
        if mark != ".":
            parts += _mark(x, y, cell, mark) if squared else [_stone(x, y, cell, mark)]
    for i, number in (numbers or {}).items():
        row, column = divmod(i, shape.columns)
        fill = svg.STONES["light" if board[i] == "X" and not squared else "dark"]
        parts.append(svg.label(edge + cell * (column + 0.5), cell * (row + 0.5), number,
                               fill=fill))
    for column, letter in enumerate(_letters(shape)):
        parts.append(svg.label(edge + cell * (column + 0.5), height + edge / 2, letter))
    for row in range(shape.rows):
        parts.append(svg.label(edge / 2, cell * (row + 0.5), str(shape.rows - row)))
    return svg.page(edge + width, height + edge, parts)


def _squares(shape: Shape, cell: int, edge: int) -> list[str]:
    return [
        svg.rectangle(edge + cell * column, cell * row, cell, cell, "#ffffff", "#8a8f98")
        for row in range(shape.rows)
        for column in range(shape.columns)
    ]


def _crossings(shape: Shape, cell: int, edge: int) -> list[str]:
    half, right, bottom = cell / 2, cell * (shape.columns - 0.5), cell * (shape.rows - 0.5)
    parts = [svg.rectangle(edge, 0, cell * shape.columns, cell * shape.rows, "#e9cf97")]
    for column in range(shape.columns):
        x = edge + cell * (column + 0.5)
        parts.append(svg.line(x, half, x, bottom))
    for row in range(shape.rows):
        y = cell * (row + 0.5)
        parts.append(svg.line(edge + half, y, edge + right, y))
    return parts


def _mark(x: float, y: float, cell: int, mark: str) -> list[str]:
    arm = cell * 0.3
    if mark == "O":
        return [svg.disc(x, y, arm, "none", svg.STONES["blue"])]
    return [
        svg.line(x - arm, y - arm, x + arm, y + arm, svg.STONES["red"], 3),
        svg.line(x - arm, y + arm, x + arm, y - arm, svg.STONES["red"], 3),
    ]


def _stone(x: float, y: float, cell: int, mark: str) -> str:
    return svg.disc(x, y, cell * 0.45, svg.STONES["dark" if mark == "X" else "light"])
