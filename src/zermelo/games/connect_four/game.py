"""Connect Four on any board that fits 64 bits, with any line length.

A state is two words. Column c takes rows + 1 bits from bit c * (rows + 1) upwards, row 0 at the
bottom; the topmost bit of a column stays empty, so that shifted lines do not run into the next one.
With 6 rows and 7 columns the bits are

     6 13 20 27 34 41 48   <- always empty
     5 12 19 26 33 40 47   <- top row
     .  .  .  .  .  .  .
     0  7 14 21 28 35 42   <- bottom row

``own`` holds the stones of the player to move, ``mask`` those of both, ``turn`` who moves.
"""

from typing import ClassVar

import numpy as np

from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.core.reading import built_in_probabilities
from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, Parameter, Rules
from zermelo.errors import BadMove, BadOption, quoted
from zermelo.games.connect_four import text as connect_four_text
from zermelo.games.connect_four.knowledge import (
    NAMES,
    categories_of,
    evaluate_of,
    knowledge_of,
    playouts_of,
)
from zermelo.games.connect_four.text import CELL, STONES, centre, picture
from zermelo.kernel.bits import ONE, ZERO, mix, word

TURN_BITS = np.uint64(0x9E3779B97F4A7C15)


class ConnectFour(Game):
    """X begins; a stone falls to the lowest free square of its column; four in a row win."""

    name = "connect-four"
    players = ("X", "O")
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
        """A move string, a board (rows top to bottom), or columns (``c4-cols``, a1 upwards)."""
        return connect_four_text.read(self, text)

    def format(self, position: Position) -> str:
        """The board, rows top to bottom, and the side to move."""
        return "".join("".join(row) for row in self._grid(position)) + f" {position.to_move}"

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

    def _grid(self, position: Position) -> list[list[str]]:
        state = position.state[0]
        own, mask, turn = int(state["own"]), int(state["mask"]), int(state["turn"])
        first = own if turn == 0 else own ^ mask
        pitch = self["rows"] + 1

        def mark(bit: int) -> str:
            return "." if not mask >> bit & 1 else "X" if first >> bit & 1 else "O"

        return [
            [mark(column * pitch + row) for column in range(self["columns"])]
            for row in reversed(range(self["rows"]))
        ]

    def diagram(self, position: Position) -> str:
        """The board with column numbers below."""
        width = len(str(self["columns"]))
        rows = [*self._grid(position), [str(c + 1) for c in range(self["columns"])]]
        return "\n".join(" ".join(mark.rjust(width) for mark in row) for row in rows)

    @property
    def stones(self) -> tuple[str, str]:
        """The colours of the players' stones in the picture."""
        return STONES["X"][0], STONES["O"][0]

    @property
    def cell(self) -> float:
        """How wide a square is in the picture."""
        return CELL

    def spots(self, position: Position, move: int) -> list[tuple[float, float]]:
        """Where the stone comes to rest."""
        free = sum(row[move] == "." for row in self._grid(position))
        return [centre(free - 1, move)]

    def svg(self, position: Position) -> str:
        """A blue board with red (X) and yellow (O) stones; a click on a column is a move."""
        return picture(self._grid(position), position.moves())

    def square_spots(self) -> dict[str, tuple[float, float]]:
        """a1 is at the lower left."""
        return {name: centre(index // self["columns"], index % self["columns"])
                for index, name in enumerate(self._names())}

    def _names(self) -> list[str]:
        """The squares, row by row from the top."""
        return [f"{chr(ord('a') + column)}{row}" for row in range(self["rows"], 0, -1)
                for column in range(self["columns"])]

    def marks(self, position: Position) -> list[str]:
        """Empty, X and O."""
        return [".", *self.players]

    def cells(self, position: Position) -> dict[str, str]:
        """The mark on each square."""
        marks = [mark for row in self._grid(position) for mark in row]
        return dict(zip(self._names(), marks, strict=True))

    def with_mark(self, cells: dict[str, str], square: str, mark: str) -> dict[str, str]:
        """A stone on an empty square falls; where one is taken away, those above it come down."""
        return connect_four_text.with_mark(cells, square, mark)

    def notations(self, position: Position) -> list[tuple[str, str]]:
        """Boards, and moves where the position was reached by them."""
        return connect_four_text.notations(self, position, self._grid(position))
