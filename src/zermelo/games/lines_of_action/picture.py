"""The picture of a board of Lines of Action."""

from zermelo.core import svg
from zermelo.games.lines_of_action.rules import WIDTH

CELL, MARGIN, TOP = 44, 24, 6
SQUARES = ("#d2bd8e", "#e0d1ab")
PIECES = {"X": (svg.STONES["dark"], "#0d0f13"), "O": (svg.STONES["light"], "#6f6b60")}


def centre(size: int, square: int) -> tuple[float, float]:
    """Where a square is."""
    return MARGIN + CELL * (square % WIDTH + 0.5), TOP + CELL * (size - square // WIDTH - 0.5)


def picture(rows: list[str], squares: dict[str, tuple[float, float]]) -> str:
    """The rows from the top, and the squares by name in the same order."""
    size = len(rows)
    boards, pieces, labels = [], [], []
    for index, (name, (x, y)) in enumerate(squares.items()):
        row, column = divmod(index, size)
        boards.append(svg.rectangle(x - CELL / 2, y - CELL / 2, CELL, CELL,
                                    SQUARES[(row + column) % 2]))
        if rows[row][column] in PIECES:
            pieces.append(svg.disc(x, y, 17, *PIECES[rows[row][column]]))
        if column == 0:
            labels.append(svg.label(MARGIN / 2, y, name[1:]))
        if row == size - 1:
            labels.append(svg.label(x, y + CELL / 2 + MARGIN / 2, name[0]))
    end = MARGIN + CELL * size + 6
    areas = svg.areas(squares, CELL, kind="square")
    return svg.page(end, end, [*boards, *pieces, *labels, areas])
