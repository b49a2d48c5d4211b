"""The picture of an Othello board."""

from zermelo.core import svg

CELL, MARGIN = 44, 24
BOARD, GRID, DOT = "#3f7d52", "#2c5c3b", "#a9c9ae"
DISCS = {"X": (svg.STONES["dark"], "#0d0f13"), "O": (svg.STONES["light"], "#6f6b60")}


def centre(row: int, column: int) -> tuple[float, float]:
    """Where a square is, rows from the top."""
    return MARGIN + CELL * (column + 0.5), MARGIN + CELL * (row + 0.5)


def picture(size: int, cells: dict[str, str], moves: list[str]) -> str:
    """Dark discs for X, light ones for O, a dot where a disc can be put: a click there is a move.

    ``cells`` are the marks by name, row by row from the top.
    """
    end = MARGIN + CELL * size
    parts = [svg.rectangle(MARGIN, MARGIN, end - MARGIN, end - MARGIN, BOARD, radius=3)]
    for at in range(MARGIN, end + 1, CELL):
        parts += [svg.line(MARGIN, at, end, at, GRID), svg.line(at, MARGIN, at, end, GRID)]
    places: dict[str, tuple[float, float]] = {}
    for index, (name, mark) in enumerate(cells.items()):
        row, column = divmod(index, size)
        x, y = centre(row, column)
        if column == 0:
            parts.append(svg.label(MARGIN / 2, y, str(row + 1)))
        if row == 0:
            parts.append(svg.label(x, MARGIN / 2, name[0]))
        if mark in DISCS:
            parts.append(svg.disc(x, y, 18, *DISCS[mark]))
        elif name in moves:
            parts.append(svg.disc(x, y, 4, DOT, "none"))
            places[name] = (x, y)
    return svg.page(end + 6, end + 6, [*parts, svg.areas(places, CELL)])
