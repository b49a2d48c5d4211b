"""The picture of a Connect Four board."""

from zermelo.core import svg

CELL, EDGE = 48, 6  # a square, and the frame around all of them
BOARD, HOLE = "#3b6ea8", "#eef2f7"
STONES = {"X": ("#cf4a40", "#8e2b24"), "O": ("#ecc04a", "#9a7412"), ".": (HOLE, "#2c5586")}


def centre(row: int, column: int) -> tuple[float, float]:
    """Where a square is, rows from the top."""
    return EDGE + CELL * (column + 0.5), EDGE + CELL * (row + 0.5)


def picture(grid: list[list[str]], moves: list[str]) -> str:
    """The rows from the top; a click on a column of ``moves`` is a move."""
    rows, columns = len(grid), len(grid[0])
    width, height = 2 * EDGE + CELL * columns, 2 * EDGE + CELL * rows
    parts = [svg.rectangle(0, 0, width, height, BOARD, radius=10)]
    for r, row in enumerate(grid):
        for c, mark in enumerate(row):
            parts.append(svg.disc(*centre(r, c), 19, *STONES[mark]))
    for c in range(columns):
        parts.append(svg.label(centre(0, c)[0], height + 14, str(c + 1)))
    tall = height + 28
    places = {move: (centre(0, int(move) - 1)[0], tall / 2) for move in moves}
    return svg.page(width, tall, [*parts, svg.areas(places, CELL, tall)])
