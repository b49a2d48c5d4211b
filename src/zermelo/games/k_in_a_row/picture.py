"""The pictures of the k-in-a-row family: for a terminal and for a page (see ``k_in_a_row``)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from zermelo.core import svg

if TYPE_CHECKING:
    from zermelo.games.k_in_a_row.shape import Shape

LARGEST_SQUARED = 64
SQUARE, CROSSING, EDGE, TOP = 48, 26, 24, 2
RIM, WOOD, GRAIN = "#8a8f98", "#e6cb94", "#7d6a45"
RED, BLUE = "#cf4a40", "#4a7fbc"


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


def stones_of(shape: Shape) -> tuple[str, str] | None:
    """The colours of the stones of X and O; None on a small board, where they are letters."""
    small = shape.cells <= LARGEST_SQUARED
    return None if small else (svg.STONES["dark"], svg.STONES["light"])


def cell_of(shape: Shape) -> float:
    """How wide a square is."""
    return SQUARE if shape.cells <= LARGEST_SQUARED else CROSSING


def centre(shape: Shape, square: int) -> tuple[float, float]:
    """Where a square is."""
    row, column = divmod(square, shape.columns)
    return EDGE + cell_of(shape) * (column + 0.5), cell_of(shape) * (row + 0.5) + TOP


def last_move(shape: Shape, spots: list[tuple[float, float]]) -> str:
    """A tinted square on small boards, a point on a stone on large ones."""
    cell = cell_of(shape)
    if shape.cells > LARGEST_SQUARED:
        return svg.last_move(spots, 1.3 * cell)
    x, y = spots[-1]
    return (f'<rect x="{x - cell / 2:g}" y="{y - cell / 2:g}" width="{cell:g}" height="{cell:g}" '
            f'fill="{svg.STONES["yellow"]}" fill-opacity="0.3"/>')


def picture(shape: Shape, board: str, numbers: dict[int, str] | None = None,
            free: bool = False) -> str:
    """Marks in squares up to 64 squares, stones on crossings above; some carry numbers.

    ``free``: a click on an empty square is a move.
    """
    squared, cell = shape.cells <= LARGEST_SQUARED, cell_of(shape)
    width, height = EDGE + cell * shape.columns, TOP + cell * shape.rows
    parts = _squares(shape) if squared else _crossings(shape)
    for i, mark in enumerate(board):
        x, y = centre(shape, i)
        if mark != ".":
            parts += _mark(x, y, cell, mark) if squared else [_stone(x, y, cell, mark)]
    for i, number in (numbers or {}).items():
        fill = "currentColor" if squared else svg.STONES["light" if board[i] == "X" else "dark"]
        parts.append(svg.label(*centre(shape, i), number, fill=fill))
    for column, letter in enumerate(_letters(shape)):
        parts.append(svg.label(centre(shape, column)[0], height + EDGE / 2, letter))
    for row in range(shape.rows):
        y = centre(shape, row * shape.columns)[1]
        parts.append(svg.label(EDGE / 2, y, str(shape.rows - row)))
    if free:
        parts.append(svg.areas({_name(shape, i): centre(shape, i)
                                for i, mark in enumerate(board) if mark == "."}, cell))
    return svg.page(width + 2, height + EDGE, parts)


def _name(shape: Shape, square: int) -> str:
    row, column = divmod(square, shape.columns)
    return f"{chr(ord('a') + column)}{shape.rows - row}"


def _squares(shape: Shape) -> list[str]:
    found = []
    for square in range(shape.cells):
        x, y = centre(shape, square)
        found.append(svg.rectangle(x - SQUARE / 2, y - SQUARE / 2, SQUARE, SQUARE, "none", RIM))
    return found


def _crossings(shape: Shape) -> list[str]:
    left, top = centre(shape, 0)
    right, bottom = centre(shape, shape.cells - 1)
    parts = [svg.rectangle(EDGE, TOP, CROSSING * shape.columns, CROSSING * shape.rows, WOOD,
                           radius=3)]
    for column in range(shape.columns):
        x = left + CROSSING * column
        parts.append(svg.line(x, top, x, bottom, GRAIN))
    for row in range(shape.rows):
        y = top + CROSSING * row
        parts.append(svg.line(left, y, right, y, GRAIN))
    return parts


def _mark(x: float, y: float, cell: float, mark: str) -> list[str]:
    arm = cell * 0.28
    if mark == "O":
        return [f'<circle cx="{x:g}" cy="{y:g}" r="{arm:g}" fill="none" stroke="{BLUE}" '
                'stroke-width="4"/>']
    return [svg.line(x - arm, y - arm, x + arm, y + arm, RED, 4),
            svg.line(x - arm, y + arm, x + arm, y - arm, RED, 4)]


def _stone(x: float, y: float, cell: float, mark: str) -> str:
    fill, rim = (svg.STONES["dark"], "#0d0f13") if mark == "X" else (svg.STONES["light"], "#6f6b60")
    return svg.disc(x, y, cell * 0.45, fill, rim)
