"""The picture of a Hex board: a rhombus of cells with their points up."""

from math import cos, pi, sin, sqrt

from zermelo.core import svg

RADIUS = 22  # of a cell
STEP = RADIUS * sqrt(3)
CORNERS = [(RADIUS * sin(k * pi / 3), -RADIUS * cos(k * pi / 3)) for k in range(6)]
CELL, RIM = "#f6f2e8", "#a39d8c"
COLOURS = {"X": svg.STONES["red"], "O": svg.STONES["blue"]}
RIMS = {"X": "#8e2b24", "O": "#234a76"}


def centre(row: int, column: int) -> tuple[float, float]:
    """Where a cell is."""
    return 40 + STEP * (column + row / 2 + 0.5), 36 + RADIUS * (1.5 * row + 1)


def picture(grid: list[list[str]], going_on: bool) -> str:
    """X red, O blue; an edge has the colour of the player who joins it; empty cells are moves."""
    size = len(grid)
    cells, edges, discs, labels = [], [], [], []
    for r, row in enumerate(grid):
        for c, mark in enumerate(row):
            (x, y), name = centre(r, c), f"{chr(ord('a') + c)}{r + 1}"
            points = [(x + dx, y + dy) for dx, dy in CORNERS]
            free = going_on and mark == "."
            cells.append(svg.polygon(points, CELL, RIM, name if free else None))
            if mark != ".":
                discs.append(svg.disc(x, y, 14, COLOURS[mark], RIMS[mark]))
            if r == 0:
                labels.append(svg.label(x - STEP / 4, y - 1.6 * RADIUS, name[0]))
            if c == 0:
                labels.append(svg.label(x - 0.9 * STEP, y, str(r + 1)))
            for k, player in _open_sides(size - 1, r, c).items():
                ends = (*points[k], *points[(k + 1) % 6])
                edges.append(svg.line(*ends, COLOURS["XO"[player]], 4))
    width, height = 60 + STEP * (1.5 * size - 0.5), 56 + RADIUS * (1.5 * size + 0.5)
    return svg.page(width, height, cells + edges + discs + labels)


def _open_sides(last: int, row: int, column: int) -> dict[int, int]:
    """Whose edge each side without a neighbour is; 0 is the upper right, then clockwise."""
    sides = {3: 1, 4: 1} if column == 0 else {}
    sides |= {0: 1, 1: 1} if column == last else {}
    sides |= {5: 0, 0: 0} if row == 0 else {}
    return sides | ({2: 0, 3: 0} if row == last else {})
