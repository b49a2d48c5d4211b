"""Connect Four's notations (moves, links, boards, columns of the UCI data set) and pictures."""

from __future__ import annotations

import re
from collections.abc import Callable

from zermelo.core import svg
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.errors import BadPosition, counted, quoted
from zermelo.games import grid

# Letters and digits are two alphabets: in a board with both, a 0 may stand for O or for empty.
LETTERS = {"X": "X", "x": "X", "O": "O", "o": "O", "*": ".", ".": "."}
DIGITS = {"1": "X", "2": "O", "0": "."}
COLUMN_FORM, COLUMN_MARKS = "c4-cols", {"x": "X", "o": "O", "b": "."}
SINGLE_MARKS = "XxOo*.0123456789"
NUMERALS = frozenset("0123456789")
LINK = re.compile(r"https?://[^\s?#]*\?(?:[^\s?#]*&)?pos=([0-9]*)(?:[&#]\S*)?")
Reader = Callable[[Game, str, str], Position]


def read(game: Game, text: str) -> Position:
    """A move string, a link, a board (rows top to bottom), or columns (``c4-cols``, upwards)."""
    link = LINK.fullmatch(text)
    if link:
        return _from_moves(game, link[1], "").read_as("link")
    body, side = _split(game, grid.undrawn(text, game["columns"], game["rows"]))
    found, errors = [], []
    for notation, reading in _readings(game, body):
        try:
            found.append(reading(game, body, side).read_as(notation))
        except BadPosition as error:
            errors.append(error)
    if not found:
        raise errors[-1]
    if any(other != found[0] for other in found):
        raise BadPosition(
            f"connect-four: {quoted(body)} can be read as a move string and as a full board of "
            "1 and 2; write the board with X and O, or the moves with commas."
        )
    return found[0]


def _split(game: Game, text: str) -> tuple[str, str]:
    """The position in one piece, and the side to move if one is given after it."""
    columns, cells, side = game["columns"], game["columns"] * game["rows"], ""
    head = COLUMN_FORM if text.startswith(COLUMN_FORM) else ""
    marks = text[len(head) :].lstrip(": \n").split(",")
    parts = ",".join(mark.strip() for mark in marks).split()
    squares = sum(len(part) - part.count("/") for part in parts)
    in_one_piece = len(parts) == 2 and len(parts[0]) > columns
    if len(parts) > 1 and parts[-1].upper() in game.players and (squares != cells or in_one_piece):
        side = parts.pop().upper()
    rows = {len(part) for part in parts}
    if columns > 9 and rows != {columns} and all(NUMERALS.issuperset(part) for part in parts):
        return ",".join(parts), side
    if len(rows) > 1 or (len(parts) > 1 and parts[-1] not in SINGLE_MARKS and rows == {1}):
        raise BadPosition(
            f"connect-four: {quoted(parts[-1])} after the position is not a side to move; "
            "write X or O."
        )
    if head:
        return f"{head}:{''.join(parts)}", side
    return ("" if rows == {1} else " ").join(parts), side


def _readings(game: Game, body: str) -> list[tuple[str, Reader]]:
    """The notations that ``body`` may be in."""
    moves: tuple[str, Reader] = ("moves", _from_moves)
    board: tuple[str, Reader] = ("board", _from_board)
    numbers = body.replace(",", "").replace(" ", "")
    if not numbers or not NUMERALS.issuperset(numbers):
        columns = body.startswith(COLUMN_FORM) or "b" in body or "," in body
        return [(COLUMN_FORM, _from_columns) if columns else board]
    if "," in body or not set(numbers) <= set(DIGITS):
        return [moves]
    if len(numbers) == game["columns"] * game["rows"]:
        return [moves, board]
    return [board if "0" in numbers and game["columns"] <= 9 else moves]


def _from_moves(game: Game, body: str, side: str) -> Position:
    separate = "," in body or game["columns"] > 9
    names = body.split(",") if separate and body else list(body.replace(" ", ""))
    position = game.play_all(game.start(), names)
    if side not in ("", position.to_move):
        raise BadPosition(
            f"connect-four: after the moves {quoted(body)} {position.to_move} is to move, "
            f"not {side}."
        )
    return position


def _from_columns(game: Game, body: str, side: str) -> Position:
    marks = [mark for mark in body.removeprefix(f"{COLUMN_FORM}:").split(",") if mark]
    if marks and marks[-1] in ("win", "loss", "draw"):
        marks.pop()
    text, rows = "".join(marks), game["rows"]
    _check_length(game, text, body)
    board = "".join(text[rows - 1 - row :: rows] for row in range(rows))
    return _from_marks(game, board, COLUMN_MARKS, side, body)


def _from_board(game: Game, body: str, side: str) -> Position:
    text = "".join(body.replace("/", " ").split())
    _check_length(game, text, body)
    grid.rows_of("connect-four", body, game["columns"], game["rows"])
    digits, letters = set(text) & set(DIGITS), set(text) & set(LETTERS)
    if digits and letters:
        raise BadPosition(
            f"connect-four: {quoted(body)} has both {min(letters)} and {min(digits)}; use X, O "
            "and . (or x o ., X O *) or 1, 2 and 0, not both."
        )
    return _from_marks(game, text, DIGITS if digits else LETTERS, side, body)


def _from_marks(game: Game, text: str, marks: dict[str, str], side: str, body: str) -> Position:
    for index, mark in enumerate(text):
        if mark not in marks:
            raise BadPosition(
                f"connect-four: character {quoted(mark)} at {_square(game, index)} of "
                f"{quoted(body)} is not a square; squares are {' '.join(marks)}."
            )
    board = [marks[mark] for mark in text]
    return _from_cells(game, board, side or _side(game, board, body), body)


def _check_length(game: Game, text: str, body: str) -> None:
    columns, rows = game["columns"], game["rows"]
    if len(text) != columns * rows:
        raise BadPosition(
            f"connect-four: {quoted(body)} has {counted(len(text), 'square')}, but a board of "
            f"{columns} columns x {rows} rows has {columns * rows}; a move string has digits only."
        )


def _square(game: Game, index: int) -> str:
    row, column = divmod(index, game["columns"])
    return f"column {column + 1}, row {row + 1} from the top"


def _side(game: Game, board: list[str], body: str) -> str:
    """Who moves, from the number of stones."""
    first, second = board.count("X"), board.count("O")
    if second == first + 1:
        raise BadPosition(
            f"connect-four: {quoted(body)} has {first} X and {second} O; X begins, so X has "
            "as many as O or one more (add X or O after a space to say who moves)."
        )
    return game.players[1 if first > second else 0]


def _from_cells(game: Game, board: list[str], side: str, body: str) -> Position:
    columns, rows, stones = game["columns"], game["rows"], {"X": 0, "O": 0}
    if abs(board.count("X") - board.count("O")) > 1:
        raise BadPosition(
            f"connect-four: {quoted(body)} has {board.count('X')} X and {board.count('O')} O; "
            "the two may differ by at most one."
        )
    for index, mark in enumerate(board):
        if mark == ".":
            continue
        if index + columns < len(board) and board[index + columns] == ".":
            raise BadPosition(
                f"connect-four: the {mark} at {_square(game, index)} of {quoted(body)} has "
                "nothing below it."
            )
        row, column = rows - 1 - index // columns, index % columns
        stones[mark] |= 1 << (column * (rows + 1) + row)
    own, other = stones[side], stones["O" if side == "X" else "X"]
    if game.position(own=other, mask=own | other).outcome in ("first", "second"):
        raise BadPosition(
            f"connect-four: in {quoted(body)} {side} already has {game['line']} in a row, so "
            f"{side} can't be to move."
        )
    return game.position(own=own, mask=own | other, turn=game.players.index(side))


def with_mark(cells: dict[str, str], square: str, mark: str) -> dict[str, str]:
    """``cells`` (a1 at the lower left) with ``mark`` on ``square``, as stones fall.

    A stone on an empty square falls on those below it. Where one is taken away, those above it
    come down.
    """
    below = [name for name in reversed(cells) if name[0] == square[0]]  # from the bottom
    column = [cells[name] for name in below]
    at = below.index(square)
    if mark == ".":
        column.append(".")
        del column[at]
    else:
        column[min(at, column.index(".") if "." in column else at)] = mark
    return {**cells, **dict(zip(below, column, strict=True))}


def notations(game: Game, position: Position, rows: list[list[str]]) -> list[tuple[str, str]]:
    """The board in three ways, and the moves where they are known."""
    side = position.to_move
    columns = [rows[row][column].lower().replace(".", "b") for column in range(game["columns"])
               for row in reversed(range(game["rows"]))]
    squares = "".join("".join(row) for row in rows)
    found = [("board", game.format(position)),
             ("rows", "/".join("".join(row) for row in rows) + f" {side}"),
             ("stars", f"{squares.replace('.', '*')} {side}"),
             ("c4-cols", f"{COLUMN_FORM}: {','.join(columns)} {side}")]
    if position.origin == game.start():
        between = "," if game["columns"] > 9 else ""
        moves = between.join(str(code + 1) for code in position.played)
        standard = (game["columns"], game["rows"], game["line"]) == (7, 6, 4)
        found[:0] = [("moves", moves)] if moves else []
        if standard:
            found.append(("link", f"https://connect4.gamesolver.org/?pos={moves}"))
    return found


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
