"""Xiangqi, Chinese chess.

Red (upper case) starts at the bottom and moves first. Whoever has no move has lost: checkmated, or
stalemated. A king may not be left to be taken, nor may the two kings face each other on an open
file. Repetition is a draw, or, by a parameter, perpetual check loses.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import ClassVar

from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.core.rules import Parameter, Rules
from zermelo.games.xiangqi import text as text_of
from zermelo.games.xiangqi.rules import BLACK, COLUMNS, ROWS, SQUARES, in_check, rules_for
from zermelo.games.xiangqi.text import (
    DIALECTS,
    EMPTY_SIGN,
    LETTERS,
    SIGNS,
    WIDE_LETTERS,
    centre,
    first_rank,
    last_move,
    move_name,
    picture,
    square_name,
)

RED_KING, BLACK_KING = 3, 85  # d0 and e9: on an otherwise empty board they must not be in line
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"


class Xiangqi(Game):
    """Chinese chess."""

    name = "xiangqi"
    players = ("Red", "Black")
    colours = (("w", "b"), ("r", "b"), ("white", "black"))
    thresholds = (600, 200)
    times = 3  # how often a position must come up for the game to be over
    parameters: ClassVar[dict[str, Parameter]] = {
        "repetition": Parameter("draw", "a repeated position: a draw, for solving; or a "
                                "loss for a side that gave check with every move, for play",
                                choices=("draw", "perpetual-check-loses")),
        "protected": Parameter("none", "whose middle pawn may not be taken before it has moved, "
                               "where that side gives a horse", kind="data",
                               choices=("none", "red", "black")),
        "dialect": Parameter("ucci", "how moves are written: h2e2, H2-E2, h3e3 (ranks 1 to 10), "
                             "C2.5 or in Chinese", choices=DIALECTS, kind="data"),
        "pieces": Parameter("letters", "how pieces are drawn", choices=("letters", "chinese"),
                            kind="data"),
    }

    def define(self) -> Rules:
        """Two sets of rules; dialect and pictures are not part of them."""
        return rules_for(self["repetition"] == "perpetual-check-loses", self["protected"])

    @property
    def sides(self) -> tuple[str, str]:
        """As in a FEN."""
        return "w", "b"

    def start(self) -> Position:
        """The usual array of pieces, Red to move."""
        return self._start

    @cached_property
    def _start(self) -> Position:
        return text_of.from_fen(self, START, ["w"])

    def in_check(self, position: Position) -> bool:
        """Whether the player to move is in check."""
        return bool(self.board.ask(in_check, position.state))

    def way_to(self, position: Position) -> list[Position]:
        """The positions from the one that was set up to ``position``."""
        way = [position.origin]
        for code in position.played:
            way.append(way[-1].play_code(code))
        return way

    def ended_by_repetition(self, position: Position) -> str | None:
        """``first``, ``second`` or ``draw`` if the moves that led to ``position`` have brought it
        about for the third time; else None."""
        way = self.way_to(position)
        if way.count(position) < self.times:
            return None
        if self["repetition"] == "draw":
            return "draw"
        since = way[way.index(position) + 1 :]
        always = [all(self.in_check(after) for after in since if after.mover != side)
                  for side in (0, 1)]
        return "draw" if always[0] == always[1] else ("second", "first")[always[1]]

    def in_words(self, end: str | None) -> str:
        """Who has won."""
        return "a draw" if end == "draw" else f"{self.players[end == 'second']} has won"

    def read(self, text: str) -> Position:
        """A FEN, with or without moves after it, or moves from the start."""
        return text_of.read(self, text)

    def play_all(self, position: Position, moves: Iterable[str]) -> Position:
        """``position`` after ``moves``."""
        return text_of.play_all(self, position, moves)

    def format(self, position: Position) -> str:
        """The first two parts of a FEN."""
        return text_of.fen(position)

    def move_name(self, position: Position, move: int) -> str:
        """In the dialect."""
        return move_name(text_of.board_of(position), move, self["dialect"])

    def parse_move(self, position: Position, text: str) -> int:
        """Coordinates in the dialect, WXF or Chinese."""
        return text_of.parse_move(position, text)

    def _sign(self, piece: int) -> str:
        if self["pieces"] == "letters":
            return text_of.letter(piece)
        return SIGNS[piece // BLACK][piece % BLACK] if piece else EMPTY_SIGN

    def diagram(self, position: Position) -> str:
        """The board from Red's side with its coordinates, and who moves."""
        board, first = text_of.board_of(position), first_rank(self["dialect"])
        letters = self["pieces"] == "letters"
        gap, files = (" ", LETTERS) if letters else ("", WIDE_LETTERS)
        width = len(str(first + ROWS - 1))
        lines = []
        for row in reversed(range(ROWS)):
            signs = [self._sign(piece) for piece in board[COLUMNS * row : COLUMNS * (row + 1)]]
            lines.append(f"{row + first:>{width}} {gap.join(signs)}")
        end = position.outcome
        status = (f"{position.to_move} to move" if end is None
                  else f"{self.players[end == 'second']} wins")
        return "\n".join([*lines, f"{' ' * width} {gap.join(files)}", status])

    def spots(self, position: Position, move: int) -> list[tuple[float, float]]:
        """The crossings from and to."""
        return [centre(square) for square in (move >> 7, move & 127)]

    def from_to(self, position: Position, move: int) -> tuple[str, str]:
        """The crossings from and to."""
        return (square_name(move >> 7, self["dialect"]),
                square_name(move & 127, self["dialect"]))

    def last_move_svg(self, spots: list[tuple[float, float]]) -> str:
        """A ring around the piece, a small one where it came from."""
        return last_move(spots)

    def svg(self, position: Position) -> str:
        """Lines with the river and the palaces, and round pieces on the crossings."""
        pieces = {square: (self._sign(piece).upper(), piece >= BLACK)
                  for square, piece in enumerate(text_of.board_of(position)) if piece}
        return picture(pieces, self.square_spots())

    def square_spots(self) -> dict[str, tuple[float, float]]:
        """The crossings, from Red's left, rank by rank upwards."""
        return {square_name(square, self["dialect"]): centre(square)
                for square in range(SQUARES)}

    def marks(self, position: Position) -> list[str]:
        """Empty, and the pieces as in FEN."""
        return [".", *"KABNRCP", *"kabnrcp"]

    def cells(self, position: Position) -> dict[str, str]:
        """The piece on each crossing."""
        pieces = [text_of.letter(piece) for piece in text_of.board_of(position)]
        return dict(zip(self.square_spots(), pieces, strict=True))

    def with_mark(self, cells: dict[str, str], square: str, mark: str) -> dict[str, str]:
        """A king that is put leaves the crossing where it was."""
        if mark in ("K", "k"):
            cells = {name: "." if piece == mark else piece for name, piece in cells.items()}
        return {**cells, square: mark}

    def cleared(self, cells: dict[str, str]) -> dict[str, str]:
        """The kings alone, where they do not face each other."""
        return {name: {RED_KING: "K", BLACK_KING: "k"}.get(square, ".")
                for square, name in enumerate(cells)}

    def cells_text(self, cells: dict[str, str], mover: int) -> str:
        """A FEN."""
        pieces = list(cells.values())
        rows = ["".join(pieces[COLUMNS * row : COLUMNS * (row + 1)])
                for row in reversed(range(ROWS))]
        return f"{text_of.shortened('/'.join(rows))} {self.sides[mover]}"

    def notations(self, position: Position) -> list[tuple[str, str]]:
        """FEN, the line that engines read, and the moves of a game from the start."""
        found = [("FEN", self.format(position)), ("full FEN", f"{self.format(position)} - - 0 1")]
        if position.played:
            moves = " ".join(position.played_names())
            found.append(("FEN and moves", f"{position.origin.text} moves {moves}"))
            if position.origin == self.start():
                found.append(("moves", moves))
        return found
