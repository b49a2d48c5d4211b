"""Hex, with or without the swap rule, on boards of 1 x 1 to 16 x 16 cells.

X moves first and joins the top edge with the bottom edge; O joins left and right. Cells are named
as on HexWiki and in red-bean's SGF: a1 at the top left, letters for columns, numbers for rows.

``x`` and ``o`` hold the stones of the two players, ``turn`` who moves (see ``rules``).
"""

import re
from typing import ClassVar

from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.core.rules import Parameter, Rules
from zermelo.errors import BadMove, BadOption, quoted
from zermelo.games import sgf
from zermelo.games.hex.rules import LARGEST, rules_for, with_swap
from zermelo.games.hex.text import (
    COLOURS,
    STEP,
    SWAP,
    SWAP_SIDES,
    cell_name,
    centre,
    joined,
    picture,
    read,
    stones,
)

NAME = re.compile(r"([a-z])([1-9][0-9]?)")

class Hex(Game):
    """X and O take turns to fill a cell; X joins top and bottom, O left and right. No draws."""

    name = "hex"
    players = ("X", "O")
    colours = (("red", "blue"), ("black", "white"))
    parameters: ClassVar[dict[str, Parameter]] = {
        "size": Parameter(11, "cells along a side", low=1, high=LARGEST),
        "swap": Parameter("no", "whether O may answer the first stone by taking it over, mirrored",
                          choices=("no", "yes"), implied=True),
    }

    def define(self) -> Rules:
        """The rules as bit operations. Moves are cells, row by row: a1, b1, c1, ..."""
        rules = rules_for(self["size"])
        return with_swap(rules, self["size"]) if self["swap"] == "yes" else rules

    def read(self, text: str) -> Position:
        """A move list, rows of stones, an SGF record or a HexWorld link."""
        return read(self, text)

    def format(self, position: Position) -> str:
        """The moves, where alternate play leads here; else the rows and who moves."""
        size, turn = self["size"], position.mover
        order = [[i for i in range(size * size) if s >> i & 1] for s in stones(position)]
        if len(order[0]) - len(order[1]) == turn and self._win_comes_last(position, order):
            moves = [0] * (len(order[0]) + len(order[1]))
            moves[0::2], moves[1::2] = order
            return " ".join([f"{size}x{size}:", *(cell_name(size, cell) for cell in moves)])
        return "/".join("".join(row) for row in self._grid(position)) + f" {self.players[turn]}"

    def _win_comes_last(self, position: Position, order: list[list[int]]) -> bool:
        """Put a stone last without which the game is not over; False if there is none."""
        if position.outcome is None:
            return True
        winner = 1 - position.mover
        bits, cells = stones(position)[winner], order[winner]
        for cell in reversed(cells):
            if not joined(self, bits ^ (1 << cell), winner):
                cells.remove(cell)
                cells.append(cell)
                return True
        return False

    def move_name(self, position: Position, move: int) -> str:
        """Column letter and row number; or ``swap``."""
        if move == self["size"] ** 2:
            return "swap"
        return cell_name(self["size"], move)

    def parse_move(self, position: Position, text: str) -> int:
        """The empty cell called ``text``; or ``swap``."""
        size: int = self["size"]
        name = text.strip().lower()
        if name in (*SWAP, SWAP_SIDES):
            return self._swap(position, text)
        found = NAME.fullmatch(name)
        column, row = (ord(found[1]) - ord("a"), int(found[2]) - 1) if found else (size, size)
        if column >= size or row >= size:
            raise BadMove(
                f"{quoted(text)} is not a cell of the {size} x {size} board; cells are a1 to "
                f"{cell_name(size, size * size - 1)}."
            )
        x, o = stones(position)
        if (x | o) >> (row * size + column) & 1:
            raise BadMove(f"{quoted(text)}: there is a stone on this cell already.")
        return row * size + column

    def check_certificate(self, position: Position) -> None:
        """A record of a certificate has a cell for a move, and none for a swap."""
        x, o = stones(position)
        if self["swap"] == "yes" and (x | o).bit_count() < 2 and not o:
            raise BadOption("hex: a certificate can't hold a swap; one can be written about a "
                            "position after it, or with swap=no.")

    def _swap(self, position: Position, text: str) -> int:
        code: int = self["size"] ** 2
        if self["swap"] == "no":
            raise BadMove(f"{quoted(text)}: there is no swap in this game of Hex; with swap=yes "
                          "there is one.")
        if text.strip().lower() == SWAP_SIDES:
            raise BadMove(f"{quoted(text)}: that changes who plays which colour, which is not a "
                          f"move on the board; {SWAP[0]} changes the stone.")
        if code not in position.codes():
            raise BadMove(f"{quoted(text)}: a swap is the answer to the first stone.")
        return code

    def sgf_moves(self, position: Position) -> str:
        """The record in red-bean's dialect: GM[11], X is Black."""
        return sgf.moves_of(position, GM=11, SZ=self["size"]).replace("[swap]", "[swap-pieces]")

    def _grid(self, position: Position) -> list[list[str]]:
        size = self["size"]
        x, o = stones(position)
        marks = ["X" if x >> i & 1 else "O" if o >> i & 1 else "." for i in range(size * size)]
        return [marks[i : i + size] for i in range(0, size * size, size)]

    def diagram(self, position: Position) -> str:
        """A rhombus; x and o stand along the edges that X and O join."""
        size = self["size"]
        letters = " ".join(chr(ord("a") + c) for c in range(size))
        edge = " ".join("x" * size)
        lines = [f"   {letters}", f"    {edge}"]
        for r, row in enumerate(self._grid(position)):
            lines.append(f"{' ' * r}{r + 1:>2} o {' '.join(row)} o")
        return "\n".join([*lines, f"{' ' * size}     {edge}"])

    @property
    def stones(self) -> tuple[str, str]:
        """The colours of the players' stones in the picture."""
        return COLOURS["X"], COLOURS["O"]

    @property
    def cell(self) -> float:
        """How wide a cell is in the picture."""
        return STEP

    def spots(self, position: Position, move: int) -> list[tuple[float, float]]:
        """The cell; a swap is nowhere."""
        row, column = divmod(move, self["size"])
        return [] if move == self["size"] ** 2 else [centre(row, column)]

    def svg(self, position: Position) -> str:
        """X red, O blue; an edge has the colour of the player who joins it."""
        return picture(self._grid(position), position.outcome is None)

    def square_spots(self) -> dict[str, tuple[float, float]]:
        """The cells."""
        size = self["size"]
        return {cell_name(size, cell): centre(*divmod(cell, size))
                for cell in range(size * size)}

    def marks(self, position: Position) -> list[str]:
        """Empty, X and O."""
        return [".", *self.players]

    def cells(self, position: Position) -> dict[str, str]:
        """The mark on each cell."""
        marks = [mark for row in self._grid(position) for mark in row]
        return dict(zip(self.square_spots(), marks, strict=True))

    def cells_text(self, cells: dict[str, str], mover: int) -> str:
        """The rows from the top, and who moves."""
        size, marks = self["size"], list(cells.values())
        rows = ["".join(marks[i : i + size]) for i in range(0, size * size, size)]
        return f"{'/'.join(rows)} {self.players[mover]}"

    def notations(self, position: Position) -> list[tuple[str, str]]:
        """The moves as they were played, or an order that leads here; the rows; a link."""
        found = [("moves", self.format(position))]
        if position.origin == self.start():
            played = position.played_names()
            size = self["size"]
            found = [("moves", " ".join([f"{size}x{size}:", *played]))]
            link = "".join(":s" if name == "swap" else name for name in played)
            found.append(("HexWorld link", f"https://hexworld.org/board/#{size}c1,{link}"))
        return [*found, ("rows", self.cells_text(self.cells(position), position.mover))]
