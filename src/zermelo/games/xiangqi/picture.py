"""The picture of a Xiangqi board: lines with the river and the palaces, pieces on the crossings."""

from zermelo.core import svg
from zermelo.games.xiangqi.tables import COLUMNS, ROWS

CELL, LEFT, TOP, PIECE = 44, 44, 28, 19
RIGHT, BOTTOM = LEFT + CELL * (COLUMNS - 1), TOP + CELL * (ROWS - 1)
WOOD, LINE = "#e8d3a6", "#8a7346"


def centre(square: int) -> tuple[float, float]:
    """Where a crossing is."""
    return LEFT + CELL * (square % COLUMNS), BOTTOM - CELL * (square // COLUMNS)


def last_move(spots: list[tuple[float, float]]) -> str:
    """A ring around the piece, a small one where it came from."""
    (x, y), (to_x, to_y) = spots
    return svg.ring(x, y, 6) + svg.ring(to_x, to_y, PIECE + 1.5)


def picture(pieces: dict[int, tuple[str, bool]], squares: dict[str, tuple[float, float]]) -> str:
    """``pieces``: by square, what is written on a piece and whether it is Black's."""
    parts = [svg.rectangle(0, 0, RIGHT + 28, BOTTOM + 50, WOOD, radius=6), *_lines(), *_labels(
        squares)]
    for square, (sign, black) in pieces.items():
        x, y = centre(square)
        colour = svg.STONES["dark" if black else "red"]
        parts += [svg.disc(x, y, PIECE, "#fbf7ee", colour),
                  svg.disc(x, y, PIECE - 3.5, "none", colour),
                  svg.label(x, y, sign, 19, colour)]
    return svg.page(RIGHT + 28, BOTTOM + 50, [*parts, svg.areas(squares, CELL, kind="square")])


def _lines() -> list[str]:
    parts = [svg.line(LEFT, TOP + CELL * row, RIGHT, TOP + CELL * row, LINE) for row in range(ROWS)]
    river = TOP + 4 * CELL
    for column in range(COLUMNS):
        x = LEFT + CELL * column
        if column in (0, COLUMNS - 1):
            parts.append(svg.line(x, TOP, x, BOTTOM, LINE))
        else:
            parts += [svg.line(x, TOP, x, river, LINE),
                      svg.line(x, river + CELL, x, BOTTOM, LINE)]
    x = LEFT + 3 * CELL
    for y in (TOP, TOP + 7 * CELL):
        parts += [svg.line(x, y, x + 2 * CELL, y + 2 * CELL, LINE),
                  svg.line(x, y + 2 * CELL, x + 2 * CELL, y, LINE)]
    return parts


def _labels(squares: dict[str, tuple[float, float]]) -> list[str]:
    """The files below, the ranks on the left."""
    parts = []
    for name, (x, y) in squares.items():
        if x == LEFT:
            parts.append(svg.label(12, y, name[1:], fill=svg.INK))
        if y == BOTTOM:
            parts.append(svg.label(x, BOTTOM + 36, name[0], fill=svg.INK))
    return parts
