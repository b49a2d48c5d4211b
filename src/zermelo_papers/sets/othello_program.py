"""Boards as the program of Primanita, Khalid and Iida 2020 makes them, which legal play does not.

k moves are k / 2 steps of two placements, the one side's and then the other's. A move in the list
carries the directions in which it turns discs. The list is not cleared between the two placements,
so that the second may be a move of the first side's list, the square just taken included. The disc
turns what follows in the directions that the move carries and in those valid for its own colour, up
to the next disc of that colour or the border, empty squares too. A side without a move when a step
begins ends the board, which is kept as it is.
"""

from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

from zermelo import Position
from zermelo import game as game_by_name
from zermelo.lab import Positions

DARK, LIGHT, EMPTY = 0, 1, 2
Way = tuple[int, int]  # rows and columns of a step
Move = tuple[int, set[Way]]  # a square, and the directions in which discs turn
WAYS: list[Way] = [way for way in product((-1, 0, 1), (-1, 0, 1)) if way != (0, 0)]


class Board:
    """64 squares, row by row from the top."""

    def __init__(self) -> None:
        self.squares = [EMPTY] * 64
        self.squares[27] = self.squares[36] = LIGHT
        self.squares[28] = self.squares[35] = DARK

    def ray(self, square: int, way: Way) -> Iterator[int]:
        """The squares that follow in one direction, up to the border."""
        row, column = square // 8 + way[0], square % 8 + way[1]
        while 0 <= row < 8 and 0 <= column < 8:
            yield 8 * row + column
            row, column = row + way[0], column + way[1]

    def encloses(self, square: int, way: Way, side: int) -> bool:
        """Return True if a disc there encloses discs of the other side that way."""
        for number, at in enumerate(self.ray(square, way)):
            if self.squares[at] != 1 - side:
                return number > 0 and self.squares[at] == side
        return False

    def ways(self, square: int, side: int) -> set[Way]:
        """The directions in which a disc there encloses others."""
        return {way for way in WAYS if self.encloses(square, way, side)}

    def moves(self, side: int) -> list[Move]:
        """The legal moves of a side."""
        return [(square, ways) for square in range(64) if self.squares[square] == EMPTY
                and (ways := self.ways(square, side))]

    def place(self, move: Move, side: int) -> None:
        """Put a disc of ``side``, with the directions of ``move`` and those valid for ``side``."""
        square, ways = move
        ways = ways | self.ways(square, side)
        self.squares[square] = side
        for way in ways:
            for at in self.ray(square, way):
                if self.squares[at] == side:
                    break
                self.squares[at] = side

    def text(self) -> str:
        """The board as in the authors' files."""
        return "".join("01*"[square] for square in self.squares)


def random_board(moves: int, chance: Random) -> Board:
    """A board after ``moves`` of the program's random moves."""
    board = Board()
    for _ in range(moves // 2):
        listed = board.moves(DARK)
        if not listed:
            break
        for side in (DARK, LIGHT):
            board.place(chance.choice(listed), side)
            listed += board.moves(LIGHT)
    return board


def remade(moves: int, count: int, seed: int = 0, name: str = "", take: Any = None,
           labels: dict[str, Any] | None = None, **parameters: Any) -> Positions:
    """``count`` boards after ``moves`` moves, dark to move; each has a generator of its own."""
    def make() -> Iterator[tuple[str, Position]]:
        rules = game_by_name("othello", **parameters)
        for number in range(count):
            board = random_board(moves, Random(f"{seed}/{number}"))
            yield str(number), rules.parse(f"{board.text()} 0")

    note = f"made as the authors' program makes boards: {moves} random placements, seed {seed}"
    return Positions(name or f"{moves} moves, re-made", make, take, labels or {}, note)
