"""Lines of Action on boards of 3x3 to 8x8 squares.

X (black) starts on the top and bottom row and moves first, O (white) on the left and right column.
A piece moves in a straight line, as many squares as there are pieces on that line, over its own
side's pieces but not over the other's, and captures where it comes to stand. Whoever has all pieces
in one group, diagonal neighbours included, has won.
"""

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import ClassVar

from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.core.reading import built_in_probabilities
from zermelo.core.rules import Parameter, Rules
from zermelo.games import sgf
from zermelo.games.lines_of_action import text as text_of
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
from zermelo.games.lines_of_action.text import PIECES, centre, picture

RESULTS = {"first": "X wins", "second": "O wins", "draw": "draw"}


class LinesOfAction(Game):
    """A piece moves as far as there are pieces on its line; whoever joins all own pieces wins."""

    name = "lines-of-action"
    players = ("X", "O")
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
        """How often a position must have come up for a draw."""
        return 2 if self["repetition"] == "second" else 3

    def way_to(self, position: Position) -> list[Position]:
        """The positions from the one that was set up to ``position``."""
        way = [position.origin]
        for code in position.played:
            way.append(way[-1].play_code(code))
        return way

    def drawn_by_repetition(self, position: Position) -> bool:
        """Whether the moves that led to ``position`` have brought it about often enough."""
        return self.way_to(position).count(position) >= self.draw_at

    def start(self) -> Position:
        """X on the top and bottom row, O on the left and right column, the corners empty."""
        last = self["size"] - 1
        x = sum(1 << i | 1 << (WIDTH * last + i) for i in range(1, last))
        o = sum(1 << (WIDTH * i) | 1 << (WIDTH * i + last) for i in range(1, last))
        return self.position(own=x, opp=o)

    def read(self, text: str) -> Position:
        """A board with the side to move, a list of moves, or an SGF record."""
        return text_of.read(self, text)

    def play_all(self, position: Position, moves: Iterable[str]) -> Position:
        """``position`` after ``moves``; passes may be left out."""
        return text_of.play_all(self, position, ((None, move) for move in moves))

    def format(self, position: Position) -> str:
        """The rows from the top, and the side to move."""
        return f"{'/'.join(self._rows(position))} {self.players[int(position.state[0]['turn'])]}"

    def move_name(self, position: Position, move: int) -> str:
        """``b1-b3``, with x for a capture; or ``pass``."""
        return text_of.move_name(position, move)

    def parse_move(self, position: Position, text: str) -> int:
        """``b1-b3``, ``b1xb3``, ``b1:b3``, ``b1b3``; or ``pass``."""
        return text_of.parse_move(position, text)

    def sgf_moves(self, position: Position) -> str:
        """The record: GM[9], X is Black."""
        return sgf.moves_of(position, GM=9, SZ=self["size"])

    def _rows(self, position: Position) -> list[str]:
        """X, O and . from the top."""
        state, span = position.state[0], range(self["size"])
        pieces = (int(state["own"]), int(state["opp"]))
        x, o = pieces if state["turn"] == 0 else pieces[::-1]
        marks = [["X" if x >> (WIDTH * row + column) & 1 else
                  "O" if o >> (WIDTH * row + column) & 1 else "." for column in span]
                 for row in span]
        return ["".join(row) for row in reversed(marks)]

    def diagram(self, position: Position) -> str:
        """The board with its coordinates, and who moves."""
        size, rows = self["size"], self._rows(position)
        lines = [f"{size - i} {' '.join(row)}" for i, row in enumerate(rows)]
        if position.outcome is not None:
            status = RESULTS[position.outcome]
        else:
            verb = "must pass" if position.codes() == [PASS] else "to move"
            status = f"{position.to_move} {verb}"
        return "\n".join([*lines, f"  {' '.join(text_of.LETTERS[:size])}", status])

    def spots(self, position: Position, move: int) -> list[tuple[float, float]]:
        """The squares from and to; a pass is nowhere."""
        if move == PASS:
            return []
        return [centre(self["size"], square) for square in (move >> 6, move & 63)]

    def from_to(self, position: Position, move: int) -> tuple[str, str] | None:
        """The squares from and to; a pass has none."""
        if move == PASS:
            return None
        return text_of.square_name(move >> 6), text_of.square_name(move & 63)

    @property
    def stones(self) -> tuple[str, str]:
        """The colours of the players' stones in the picture."""
        return PIECES["X"][0], PIECES["O"][0]

    def svg(self, position: Position) -> str:
        """A board of squares with dark (X) and light (O) pieces; each square knows its name."""
        return picture(self._rows(position), self.square_spots())

    def square_spots(self) -> dict[str, tuple[float, float]]:
        """Row by row from the top; a1 is at the lower left."""
        size = self["size"]
        squares = [WIDTH * row + column for row in reversed(range(size)) for column in range(size)]
        return {text_of.square_name(square): centre(size, square) for square in squares}

    def marks(self, position: Position) -> list[str]:
        """Empty, X and O."""
        return [".", *self.players]

    def cells(self, position: Position) -> dict[str, str]:
        """The mark on each square."""
        return dict(zip(self.square_spots(), "".join(self._rows(position)), strict=True))

    def notations(self, position: Position) -> list[tuple[str, str]]:
        """The board with and without digits; the moves of a game from the start."""
        rows, side = "/".join(self._rows(position)), self.players[position.mover]
        short = re.sub(r"\.+", lambda run: str(len(run[0])), rows)
        found = [("board", self.format(position)), ("digits", f"{short} {side}")]
        if position.origin == self.start() and position.played:
            found.insert(0, ("moves", " ".join(position.played_names())))
        return found
