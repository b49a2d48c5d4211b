"""Lines of Action on boards of 3x3 to 8x8 squares.

X (black) starts on the top and bottom row and moves first, O (white) on the left and right column.
A piece moves in a straight line, as many squares as there are pieces on that line, over its own
side's pieces but not over the other's, and captures where it comes to stand. Whoever has all pieces
in one group, diagonal neighbours included, has won.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import ClassVar

from zermelo.core import svg
from zermelo.core.position import Position
from zermelo.core.reading import built_in_probabilities
from zermelo.core.rules import Parameter, Rules
from zermelo.core.svg import Spot
from zermelo.errors import BadMove, BadPosition, counted, listed, quoted
from zermelo.games import grid, sgf
from zermelo.games.lines_of_action.rules import (
    LARGEST,
    NAMES,
    PASS,
    SMALLEST,
    WIDTH,
    categories,
    evaluate,
    rules_for,
)

LETTERS = "abcdefgh"
MARKS = {"X": 0, "x": 0, "O": 1, "o": 1, ".": 2, "-": 2, "*": 2}
PASSES = ("pass", "--", "")
MOVE = re.compile(r"([a-z])([0-9])([-x:]?)([a-z])([0-9])")
BEGINS_WITH_MOVE = re.compile(r"(?:1\.\s*)?(?:[a-h][0-9]|pass|--\s|--$)",
                              re.IGNORECASE | re.ASCII)
NUMBER = re.compile(r"[0-9]+\.*")


def square_name(square: int) -> str:
    """Column a.. from the left, row 1.. from the bottom."""
    return f"{LETTERS[square % WIDTH]}{square // WIDTH + 1}"


def _from_board(game: LinesOfAction, text: str) -> Position:
    """Rows from the top, set apart or not, digits for runs of empty squares; then who moves."""
    size = game["size"]
    parts = grid.undrawn(text, size, size).replace("/", " ").split()
    side = parts[-1].upper() if len(parts) > 1 and len(parts[-1]) == 1 else ""
    rows = [re.sub("[0-9]", lambda run: "." * int(run[0]), row)
            for row in (parts[:-1] if side in ("X", "O") else parts)]
    if len(rows) == 1:
        rows = [rows[0][i : i + size] for i in range(0, len(rows[0]), size)]
    if len(rows) != size or any(len(row) != size for row in rows):
        raise BadPosition(
            f"{game.name}: {quoted(text)} is not a board of {size}x{size}; write its {size} rows "
            "from the top with / between them, a space and the side to move, X or O."
        )
    if side not in ("X", "O"):
        raise BadPosition(f"{game.name}: {quoted(text)} does not say who moves; add a space and X "
                          "or O.")
    return _from_rows(game, rows, game.players.index(side))


def _from_rows(game: LinesOfAction, rows: list[str], turn: int) -> Position:
    pieces = [0, 0, 0]
    for height, row in enumerate(reversed(rows)):
        for column, mark in enumerate(row):
            square = WIDTH * height + column
            if mark not in MARKS:
                raise BadPosition(f"{game.name}: {quoted(mark)} at {square_name(square)} is not a "
                                  "square; write X, O and . (or digits for empty squares).")
            pieces[MARKS[mark]] |= 1 << square
    most = 2 * (game["size"] - 2)
    for side, found in zip(game.players, pieces, strict=False):
        if not 1 <= found.bit_count() <= most:
            raise BadPosition(f"{game.name}: {side} has {counted(found.bit_count(), 'piece')} in "
                              f"{quoted('/'.join(rows))}; valid is 1 to {most}.")
    return game.position(own=pieces[turn], opp=pieces[1 - turn], turn=turn)


CELL, MARGIN, TOP = 44, 24, 6
SQUARES = ("#d2bd8e", "#e0d1ab")


class LinesOfAction(grid.BoardGame):
    """A piece moves as far as there are pieces on its line; whoever joins all own pieces wins."""

    name = "lines-of-action"
    players = ("X", "O")
    stones = grid.DISCS["X"][0], grid.DISCS["O"][0]
    colours = (("black", "white"),)
    thresholds = (600, 200)
    parameters: ClassVar[dict[str, Parameter]] = {
        "size": Parameter(8, "rows and columns", low=SMALLEST, high=LARGEST, kind="data"),
        "simultaneous": Parameter("draw", "a move that connects both sides: a draw, or its player "
                                  "wins", choices=("draw", "mover"), kind="data"),
        "no_move": Parameter("pass", "what a player without a move does: pass, or lose at once",
                             choices=("pass", "loses"), kind="data"),
        "repetition": Parameter("third", "when a repeated position is a draw in a game "
                                "that is played; in searches any repetition is",
                                choices=("third", "second"), kind="data"),
    }

    def define(self) -> Rules:
        """The rules as bit operations; the parameters are data."""
        rules = rules_for(self["size"], self["simultaneous"] == "draw", self["no_move"] == "pass")
        return replace(rules, evaluate=evaluate, categories=categories, category_names=NAMES,
                       probabilities=built_in_probabilities(self.name, NAMES))

    @property
    def draw_at(self) -> int:
        """Return how often a position must have come up for a draw."""
        return 2 if self["repetition"] == "second" else 3

    def drawn_by_repetition(self, position: Position) -> bool:
        """Return True if the moves that led to ``position`` have brought it about often enough."""
        return position.way.count(position) >= self.draw_at

    def start(self) -> Position:
        """X on the top and bottom row, O on the left and right column, the corners empty."""
        last = self["size"] - 1
        x = sum(1 << i | 1 << (WIDTH * last + i) for i in range(1, last))
        o = sum(1 << (WIDTH * i) | 1 << (WIDTH * i + last) for i in range(1, last))
        return self.position(own=x, opp=o)

    def read(self, text: str) -> Position:
        """A board with the side to move, a list of moves, or an SGF record."""
        if "[" in text:
            return sgf.replayed(self.start(), self._sgf_moves(text), PASSES).read_as("SGF")
        if BEGINS_WITH_MOVE.match(text):
            names = re.sub(r"([0-9]\.)(?=\S)", r"\1 ", text.replace(",", " ")).split()
            moves = (name for name in names if not NUMBER.fullmatch(name))
            return self.play_all(self.start(), moves).read_as("moves")
        return _from_board(self, text).read_as("board")

    def _sgf_moves(self, text: str) -> Iterator[sgf.Played]:
        """Colour and value of the moves of a record, down to the first leaf."""
        size = self["size"]
        record = sgf.SgfRecord(self.name, text, "B[b1-b3]")
        sgf.check(self.name, record, ("9",), "Lines of Action is GM[9]")
        for name, (value, *_) in record.properties:
            if name == "SZ" and value not in (str(size), f"{size}:{size}"):
                raise BadPosition(f"{self.name}: SZ {quoted(value)} is the size of another board; "
                                  f"this one has size={size}.")
            if name in tuple(sgf.COLOURS):
                yield name, value

    def play_all(self, position: Position, moves: Iterable[str]) -> Position:
        """``position`` after ``moves``; passes may be left out."""
        return sgf.replayed(position, ((None, move) for move in moves), PASSES)

    def format(self, position: Position) -> str:
        """The rows from the top, and the side to move."""
        return f"{'/'.join(self.lines(position))} {self.players[int(position.state[0]['turn'])]}"

    def move_name(self, position: Position, move: int) -> str:
        """``b1-b3``, with x for a capture; or ``pass``."""
        if move == PASS:
            return "pass"
        captures = int(position.state[0]["opp"]) >> (move & 63) & 1
        return f"{square_name(move >> 6)}{'x' if captures else '-'}{square_name(move & 63)}"

    def parse_move(self, position: Position, text: str) -> int:
        """``b1-b3``, ``b1b3``; for a capture also ``b1xb3`` or ``b1:b3``; a pass by its names."""
        name = "".join(text.lower().split())
        if name in PASSES[:2]:
            code, sign = PASS, ""
        else:
            found = MOVE.fullmatch(name)
            if not found or found[1] not in LETTERS or found[4] not in LETTERS:
                raise BadMove(f"{quoted(text)} is not a move; write one square and the other, such "
                              "as b1-b3 or c1xa3, or pass.")
            begin, end = (WIDTH * (int(row) - 1) + LETTERS.index(column)
                          for column, row in (found.group(1, 2), found.group(4, 5)))
            code, sign = (64 * begin + end if begin != end else -1), found[3]
        if code not in position.codes():
            raise BadMove(f"{quoted(text)} is not a legal move here; legal: "
                          f"{listed(position.moves())}.")
        if sign in ("x", ":") and "x" not in self.move_name(position, code):
            raise BadMove(f"{quoted(text)} is written as a capture, but {square_name(code & 63)} "
                          f"is empty; write {self.move_name(position, code)}.")
        return code

    def sgf_moves(self, position: Position) -> str:
        """The record: GM[9], X is Black."""
        return sgf.moves_of(position, GM=9, SZ=self["size"])

    def squares(self, position: Position) -> str:
        """X, O and . row by row from the top."""
        span = range(self["size"])
        bits = (WIDTH * row + column for row in reversed(span) for column in span)
        return grid.stones_at(*grid.by_player(position), bits)

    def diagram(self, position: Position) -> str:
        """The board with its coordinates, and who moves."""
        size, rows = self["size"], self.lines(position)
        lines = [f"{size - i} {' '.join(row)}" for i, row in enumerate(rows)]
        return "\n".join([*lines, f"  {' '.join(LETTERS[:size])}", grid.status_line(position)])

    def spots(self, position: Position, move: int) -> list[Spot]:
        """The squares from and to; a pass is nowhere."""
        if move == PASS:
            return []
        return [self.centre(self["size"] - 1 - square // WIDTH, square % WIDTH)
                for square in (move >> 6, move & 63)]

    def from_to(self, position: Position, move: int) -> tuple[str, str] | None:
        """The squares from and to; a pass has none."""
        if move == PASS:
            return None
        return square_name(move >> 6), square_name(move & 63)

    def svg(self, position: Position) -> str:
        """A board of squares with dark (X) and light (O) pieces; each square knows its name."""
        spots, size = self.square_spots(), self["size"]
        parts = [svg.rectangle(x - CELL / 2, y - CELL / 2, CELL, CELL,
                               SQUARES[sum(divmod(index, size)) % 2])
                 for index, (x, y) in enumerate(spots.values())]
        parts += [svg.disc(*spots[name], 17, *grid.DISCS[mark])
                  for name, mark in self.cells(position).items() if mark in grid.DISCS]
        parts += grid.labels(spots, MARGIN / 2, TOP + CELL * size + MARGIN / 2)
        end = MARGIN + CELL * size + 6
        return svg.page(end, end, [*parts, svg.areas(spots, CELL, kind="square")])

    def centre(self, row: int, column: int) -> Spot:
        """Return where a square is, rows from the top."""
        return MARGIN + CELL * (column + 0.5), TOP + CELL * (row + 0.5)

    def notations(self, position: Position) -> list[tuple[str, str]]:
        """The board with and without digits; the moves of a game from the start."""
        rows, side = "/".join(self.lines(position)), self.players[position.mover]
        short = re.sub(r"\.+", lambda run: str(len(run[0])), rows)
        found = [("board", self.format(position)), ("digits", f"{short} {side}")]
        if position.origin == self.start() and position.played:
            found.insert(0, ("moves", " ".join(position.played_names())))
        return found
