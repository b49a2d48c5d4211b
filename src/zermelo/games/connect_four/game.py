"""Connect Four on any board that fits 64 bits, with any line length.

A state is two words. Column c takes rows + 1 bits from bit c * (rows + 1) upwards, row 0 at the
bottom; the topmost bit of a column stays empty, so that shifted lines do not run into the next one.
With 6 rows and 7 columns the bits are

     6 13 20 27 34 41 48   <- always empty
     5 12 19 26 33 40 47   <- top row
     .  .  .  .  .  .  .
     0  7 14 21 28 35 42   <- bottom row

``own`` holds the stones of the player to move, ``mask`` those of both, ``turn`` who moves.

Notations are moves, links, boards, and columns of the UCI data set.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import ClassVar

import numpy as np

from zermelo.core import svg
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.core.reading import built_in_probabilities
from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, Parameter, Rules
from zermelo.core.svg import Spot
from zermelo.errors import BadMove, BadOption, BadPosition, counted, quoted
from zermelo.games import grid
from zermelo.games.connect_four.knowledge import (
    NAMES,
    categories_of,
    evaluate_of,
    knowledge_of,
    playouts_of,
)
from zermelo.kernel.bits import ONE, ZERO, mix, word

# Letters and digits are two alphabets: in a board with both, a 0 may stand for O or for empty.
LETTERS = {"X": "X", "x": "X", "O": "O", "o": "O", "*": ".", ".": "."}
DIGITS = {"1": "X", "2": "O", "0": "."}
COLUMN_FORM, COLUMN_MARKS = "c4-cols", {"x": "X", "o": "O", "b": "."}
SINGLE_MARKS = "XxOo*.0123456789"
NUMERALS = frozenset("0123456789")
LINK = re.compile(r"https?://[^\s?#]*\?(?:[^\s?#]*&)?pos=([0-9]*)(?:[&#]\S*)?")
Reader = Callable[[Game, str, str], Position]


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
    """Return who moves, from the number of stones."""
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


CELL, EDGE = 48, 6  # a square, and the frame around all of them
BOARD, HOLE = "#3b6ea8", "#eef2f7"
STONES = {"X": ("#cf4a40", "#8e2b24"), "O": ("#ecc04a", "#9a7412"), ".": (HOLE, "#2c5586")}
TURN_BITS = np.uint64(0x9E3779B97F4A7C15)


class ConnectFour(grid.BoardGame):
    """X begins; a stone falls to the lowest free square of its column; four in a row win."""

    name = "connect-four"
    players = ("X", "O")
    cell = CELL
    stones = STONES["X"][0], STONES["O"][0]
    colours = (("red", "yellow"),)
    thresholds = (30, 10)
    parameters: ClassVar[dict[str, Parameter]] = {
        "columns": Parameter(7, "number of columns", low=1, high=16),
        "rows": Parameter(6, "number of rows", low=1, high=15),
        "line": Parameter(4, "stones in a row that win", low=2, high=16),
    }

    def check_parameters(self) -> None:
        """columns x (rows + 1) may be at most 64."""
        columns, rows = self["columns"], self["rows"]
        if columns * (rows + 1) > 64:
            raise BadOption(
                f"connect-four: {columns} columns x {rows} rows need {columns * (rows + 1)} bits; "
                "columns x (rows + 1) may be at most 64."
            )

    def define(self) -> Rules:
        """The rules as bit operations. Moves are columns 0.., from left to right."""
        columns, rows, length = self["columns"], self["rows"], self["line"]
        pitch = rows + 1
        bottom = word(sum(1 << (c * pitch) for c in range(columns)))
        full = word(int(bottom) * ((1 << rows) - 1))
        column = word((1 << rows) - 1)
        tops = word(int(bottom) << (rows - 1))
        exact = columns * pitch <= 63
        cells = columns * rows
        # Only directions in which a line fits: a word must not be shifted by 64 or more.
        steps = (1,) * (length <= rows) + (pitch,) * (length <= columns)
        steps += (pitch - 1, pitch + 1) * (length <= min(rows, columns))

        def line(stones):
            found = ZERO
            for step in steps:
                ends = stones
                for i in range(1, length):
                    ends &= stones >> (step * i)
                found |= ends
            return found

        if not steps:

            def line(stones):
                return ZERO

        elif length == 4:

            def line(stones):
                up = stones & (stones >> 1)
                flat = stones & (stones >> pitch)
                rise = stones & (stones >> (pitch + 1))
                fall = stones & (stones >> (pitch - 1))
                found = (up & (up >> 2)) | (flat & (flat >> (2 * pitch)))
                found |= (rise & (rise >> (2 * pitch + 2))) | (fall & (fall >> (2 * pitch - 2)))
                return found

        def moves(g, s, out):
            free = tops & ~s.mask
            n = 0
            for c in range(columns):
                if (free >> (c * pitch + rows - 1)) & ONE:
                    out[n] = c
                    n += 1
            return n

        def play(g, s, move, t):
            t.own = s.own ^ s.mask
            t.mask = s.mask | (s.mask + (ONE << word(move * pitch)))
            t.turn = 1 - s.turn

        def mover(g, s):
            return s.turn

        def outcome(g, s):
            if line(s.own ^ s.mask) != ZERO:
                return FIRST_WINS + 1 - s.turn
            return DRAW if s.mask == full else ONGOING

        def key(g, s):
            # In a column of height h, own + mask lies in 2^h - 1 .. 2^(h+1) - 2: no two alike.
            packed = s.own + s.mask
            if exact:
                return packed | (word(s.turn) << 63)
            return mix(packed) ^ (word(s.turn) * TURN_BITS)

        def mirror(stones):
            image = ZERO
            for c in range(columns):
                image |= ((stones >> (c * pitch)) & column) << ((columns - 1 - c) * pitch)
            return image

        def canonical(g, s, t):
            own, mask = mirror(s.own), mirror(s.mask)
            t.turn = s.turn
            if own + mask < s.own + s.mask:
                t.own, t.mask = own, mask
                return 1
            t.own, t.mask = s.own, s.mask
            return 0

        def move_image(g, k, move):
            return columns - 1 - move if k else move

        playout, playouts = playouts_of(columns, rows, line)
        knowledge = knowledge_of(columns, rows, length, steps, line)
        return Rules(
            state=[("own", "u8"), ("mask", "u8"), ("turn", "i8")],
            max_moves=columns, max_length=cells, moves=moves, play=play, mover=mover,
            outcome=outcome, key=key, exact_key=exact, canonical=canonical, move_image=move_image,
            playout=playout, playouts=playouts, evaluate=evaluate_of(columns, rows, length),
            categories=categories_of(columns, rows, length, steps), category_names=NAMES,
            probabilities=built_in_probabilities(self.name, NAMES), keeps_length=True,
            **knowledge._asdict(),
        )

    def read(self, text: str) -> Position:
        """A move string, a link, a board (rows from the top), or columns (``c4-cols``, upwards)."""
        link = LINK.fullmatch(text)
        if link:
            return _from_moves(self, link[1], "").read_as("link")
        body, side = _split(self, grid.undrawn(text, self["columns"], self["rows"]))
        found, errors = [], []
        for notation, reading in _readings(self, body):
            try:
                found.append(reading(self, body, side).read_as(notation))
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

    def format(self, position: Position) -> str:
        """The board, rows top to bottom, and the side to move."""
        return f"{self.squares(position)} {position.to_move}"

    def move_name(self, position: Position, move: int) -> str:
        """Columns count from 1."""
        return str(move + 1)

    def parse_move(self, position: Position, text: str) -> int:
        """The number of a column; says so where it is full."""
        legal = [str(code + 1) for code in position.codes()]
        wanted = text.strip()
        if wanted in legal:
            return int(wanted) - 1
        full = wanted in [str(column + 1) for column in range(self["columns"])]
        reason = f"column {wanted} is full" if full else "no such column"
        raise BadMove(f"{quoted(text)} is not a legal move here: {reason}; legal: "
                      f"{', '.join(legal) or 'none'}.")

    def squares(self, position: Position) -> str:
        """X, O and . row by row from the top."""
        state, pitch = position.state[0], self["rows"] + 1
        own, mask = int(state["own"]), int(state["mask"])
        first = own if state["turn"] == 0 else own ^ mask
        bits = (column * pitch + row for row in reversed(range(self["rows"]))
                for column in range(self["columns"]))
        return grid.stones_at(first, first ^ mask, bits)

    def diagram(self, position: Position) -> str:
        """The board with column numbers below."""
        width = len(str(self["columns"]))
        rows = [*self.lines(position), [str(c + 1) for c in range(self["columns"])]]
        return "\n".join(" ".join(mark.rjust(width) for mark in row) for row in rows)

    def spots(self, position: Position, move: int) -> list[Spot]:
        """Return where the stone comes to rest."""
        free = sum(row[move] == "." for row in self.lines(position))
        return [self.centre(free - 1, move)]

    def svg(self, position: Position) -> str:
        """A blue board with red (X) and yellow (O) stones; a click on a column is a move."""
        columns, rows = self.shape_of_board
        width, height = 2 * EDGE + CELL * columns, 2 * EDGE + CELL * rows
        parts = [svg.rectangle(0, 0, width, height, BOARD, radius=10)]
        for spot, mark in zip(self.square_spots().values(), self.squares(position), strict=True):
            parts.append(svg.disc(*spot, 19, *STONES[mark]))
        for c in range(columns):
            parts.append(svg.label(self.centre(0, c)[0], height + 14, str(c + 1)))
        tall = height + 28
        places = {move: (self.centre(0, int(move) - 1)[0], tall / 2) for move in position.moves()}
        return svg.page(width, tall, [*parts, svg.areas(places, CELL, tall)])

    def centre(self, row: int, column: int) -> Spot:
        """Return where a square is, rows from the top."""
        return EDGE + CELL * (column + 0.5), EDGE + CELL * (row + 0.5)

    def with_mark(self, cells: dict[str, str], square: str, mark: str) -> dict[str, str]:
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

    def notations(self, position: Position) -> list[tuple[str, str]]:
        """The board in four ways, and the moves where they are known."""
        rows, side = self.lines(position), position.to_move
        columns = [rows[row][column].lower().replace(".", "b") for column in range(self["columns"])
                   for row in reversed(range(self["rows"]))]
        found = [("board", self.format(position)), ("rows", f"{'/'.join(rows)} {side}"),
                 ("stars", f"{''.join(rows).replace('.', '*')} {side}"),
                 ("c4-cols", f"{COLUMN_FORM}: {','.join(columns)} {side}")]
        if position.origin == self.start():
            between = "," if self["columns"] > 9 else ""
            moves = between.join(str(code + 1) for code in position.played)
            standard = (self["columns"], self["rows"], self["line"]) == (7, 6, 4)
            found[:0] = [("moves", moves)] if moves else []
            if standard:
                found.append(("link", f"https://connect4.gamesolver.org/?pos={moves}"))
        return found
