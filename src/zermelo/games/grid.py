"""Boards written as rows of squares: what the games share in reading them."""

from __future__ import annotations

import re

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
            return [found[0][i : i + columns] for i in range(0, columns * rows, columns)]
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
