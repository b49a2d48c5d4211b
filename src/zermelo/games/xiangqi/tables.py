"""The board of Xiangqi: its squares, where each piece may stand and where it may go.

Square (row, column) is 9 * row + column, rows from Red's side: a0 is 0, b0 is 1, a1 is 9, i9 is 89.
A piece is its kind, plus 8 if it is Black's; 0 is an empty square.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from zermelo.kernel.bits import mix

COLUMNS, ROWS = 9, 10
SQUARES = COLUMNS * ROWS
NOWHERE = SQUARES  # a square beside the board that is always empty
KING, ADVISOR, ELEPHANT, HORSE, ROOK, CANNON, PAWN = range(1, 8)
BLACK = 8
PLAYERS = ("red", "black")
MIDDLE_PAWNS = (31, 58)  # where they stand at first; no other pawn can come there
PIECES = 16
STEPS = (1, -1, 9, -9)  # right, left, up, down
WAYS = ((0, 1), (0, -1), (1, 0), (-1, 0))
DIAGONALS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
# Two squares on and one aside: the leg is the first square of the way.
LEAPS = tuple(((2 * up + aside * right, 2 * right + aside * up), (up, right))
              for up, right in WAYS for aside in (1, -1))
LINE, LEAP = 1, 2  # bits of ``near``
TURN_KEY = 0  # where the key of the side to move stands: no piece has code 0


class Tables(NamedTuple):
    """What the rules and the evaluation look up.

    leaps    ``leaps[piece, square]``: where a king, advisor, elephant, horse or pawn goes; -1 ends
    legs     ``legs[piece, square]``: the squares that must be empty for that; NOWHERE for none
    reach    ``reach[square, way]``: how many squares there are to the edge
    horses   ``horses[square]``: from where a horse could take there; -1 ends
    hobbles  ``hobbles[square]``: the squares that must be empty for that
    near     ``near[king, square]``: LINE if what happens on the square can uncover or block an
             attack on a king, LEAP if a horse there could give check
    palace   ``palace[square]``: 1 in Red's palace, 2 in Black's, else 0
    keys     ``keys[piece, square]``: random words for the hash
    worth    ``worth[piece, square]``: points of a piece by where it stands, for the evaluation
    kept     ``kept[side]``: where ``side`` may not take a pawn; NOWHERE if it may everywhere
    ranks    ``ranks[jumps, file, men]``: where a rook (``jumps`` 0) or cannon (1) goes on a rank
             with these men; men and goals as bits, one for each square
    files    ``files[jumps, rank, men]``: the same on a file
    aims     ``aims[side, line]``: the squares of the palace of ``side`` on a rank, as bits, then
             those on the files, from line ROWS on
    """

    leaps: NDArray[np.int8]
    legs: NDArray[np.int8]
    reach: NDArray[np.int8]
    horses: NDArray[np.int8]
    hobbles: NDArray[np.int8]
    near: NDArray[np.uint8]
    palace: NDArray[np.uint8]
    keys: NDArray[np.uint64]
    worth: NDArray[np.int16]
    kept: NDArray[np.int8]
    ranks: NDArray[np.uint16]
    files: NDArray[np.uint16]
    aims: NDArray[np.uint16]


def on_board(row: int, column: int) -> bool:
    """Whether there is such a square."""
    return 0 <= row < ROWS and 0 <= column < COLUMNS


def may_stand(kind: int, row: int, column: int) -> bool:
    """Whether a piece of Red's may be set up on a square: pawns may stand where none can come in a
    game, as they do in some compositions."""
    if not on_board(row, column):
        return False
    in_palace = row <= 2 and 3 <= column <= 5
    if kind == KING:
        return in_palace
    if kind == ADVISOR:
        return in_palace and (row + column) % 2 == 1
    if kind == ELEPHANT:
        return (row, column % 4) in ((0, 2), (2, 0), (4, 2))
    return True


def square_of(piece: int, row: int, column: int) -> int:
    """The number of a square as the owner of ``piece`` counts rows."""
    return COLUMNS * (row if piece < BLACK else ROWS - 1 - row) + column


def targets(piece: int, row: int, column: int) -> Iterator[tuple[int, int, int, int]]:
    """Row and column that a piece other than a rook or cannon goes to, and those of its leg.

    Rows are counted, and ways are taken, from the owner's side of the board: Black's pieces go
    down before they go up.
    """
    kind = piece % BLACK
    if kind in (KING, PAWN):
        for up, right in WAYS:
            onward = kind == KING or up == 1 or (up == 0 and row >= 5)
            if onward and on_board(row + up, column + right):
                yield row + up, column + right, -1, -1
    elif kind == ADVISOR:
        for up, right in DIAGONALS:
            yield row + up, column + right, -1, -1
    elif kind == ELEPHANT:
        for up, right in DIAGONALS:
            yield row + 2 * up, column + 2 * right, row + up, column + right
    else:
        for (up, right), (leg_up, leg_right) in LEAPS:
            if on_board(row + up, column + right):
                yield row + up, column + right, row + leg_up, column + leg_right


def leap_tables() -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """``leaps`` and ``legs``; empty where a piece can't stand."""
    leaps = np.full((PIECES, SQUARES, 8), -1, np.int8)
    legs = np.full((PIECES, SQUARES, 8), NOWHERE, np.int8)
    for piece in [side + kind for side in (0, BLACK)
                  for kind in (KING, ADVISOR, ELEPHANT, HORSE, PAWN)]:
        for square in range(SQUARES):
            row, column = divmod(square, COLUMNS)
            row = row if piece < BLACK else ROWS - 1 - row
            if may_stand(piece % BLACK, row, column):
                found = [to for to in targets(piece, row, column)
                         if may_stand(piece % BLACK, *to[:2])]
                for i, (to_row, to_column, leg_row, leg_column) in enumerate(found):
                    leaps[piece, square, i] = square_of(piece, to_row, to_column)
                    if leg_row >= 0:
                        legs[piece, square, i] = square_of(piece, leg_row, leg_column)
    return leaps, legs


def horse_tables(leaps: NDArray[np.int8], legs: NDArray[np.int8],
                 ) -> tuple[NDArray[np.int8], NDArray[np.int8]]:
    """``horses`` and ``hobbles``: the leaps of horses from where they end."""
    horses, hobbles = np.full((2, SQUARES, 8), -1, np.int8)
    count = np.zeros(SQUARES, int)
    for at in range(SQUARES):
        for to, leg in zip(leaps[HORSE, at], legs[HORSE, at], strict=True):
            if to >= 0:
                horses[to, count[to]], hobbles[to, count[to]] = at, leg
                count[to] += 1
    return horses, hobbles


def near_table(horses: NDArray[np.int8], hobbles: NDArray[np.int8]) -> NDArray[np.uint8]:
    """Rows, columns and the legs of horses that could give check; and where those stand."""
    near = np.zeros((SQUARES, SQUARES), np.uint8)
    squares = np.arange(SQUARES)
    for king in range(SQUARES):
        same = (squares // COLUMNS == king // COLUMNS) | (squares % COLUMNS == king % COLUMNS)
        near[king, same] = LINE
        for from_there, bit in ((hobbles[king], LINE), (horses[king], LEAP)):
            near[king, from_there[from_there >= 0]] |= bit
    return near


def reach_table() -> NDArray[np.int8]:
    """How far it is to the edge."""
    reach = np.zeros((SQUARES, 4), np.int8)
    for square in range(SQUARES):
        row, column = divmod(square, COLUMNS)
        reach[square] = COLUMNS - 1 - column, column, ROWS - 1 - row, row
    return reach


def palace_table() -> NDArray[np.uint8]:
    """The nine squares of either king."""
    palace = np.zeros(SQUARES, np.uint8)
    for square in range(SQUARES):
        row, column = divmod(square, COLUMNS)
        for side, height in enumerate((row, ROWS - 1 - row)):
            if may_stand(KING, height, column):
                palace[square] = side + 1
    return palace


def line_table(length: int) -> NDArray[np.uint16]:
    """Where a rook or a cannon goes on a line, by where it stands and where men are."""
    men = np.arange(1 << length)
    goes = np.zeros((2, length, 1 << length), np.uint16)
    for jumps, at, step in product((0, 1), range(length), (1, -1)):
        screens = np.zeros_like(men)
        for square in range(at + step, length if step > 0 else -1, step):
            there = men >> square & 1
            reached = screens == np.where(there, jumps, 0)
            goes[jumps, at] |= np.left_shift(reached, square, dtype=np.uint16)
            screens += there
    return goes


def aim_table(palace: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """The squares of each palace on every line."""
    aims = np.zeros((2, ROWS + COLUMNS), np.uint16)
    for square in range(SQUARES):
        row, column = divmod(square, COLUMNS)
        if palace[square]:
            aims[palace[square] - 1, row] |= 1 << column
            aims[palace[square] - 1, ROWS + column] |= 1 << row
    return aims


def hash_keys() -> NDArray[np.uint64]:
    """Words from a fixed sequence; those of the empty square are 0, but for the side to move."""
    words = [mix(np.uint64(0x9E3779B97F4A7C15 * (i + 1) & 0xFFFFFFFFFFFFFFFF))
             for i in range(PIECES * SQUARES)]
    keys = np.array(words, np.uint64).reshape(PIECES, SQUARES)
    keys[0, 1:] = 0
    return keys


def tables_for(worth: NDArray[np.int16], protected: str) -> Tables:
    """All tables; ``worth`` belongs to the evaluation, ``protected`` is the game's parameter."""
    kept = [MIDDLE_PAWNS[side] if protected == PLAYERS[side] else NOWHERE for side in (0, 1)]
    leaps, legs = leap_tables()
    horses, hobbles = horse_tables(leaps, legs)
    palace = palace_table()
    return Tables(leaps, legs, reach_table(), horses, hobbles, near_table(horses, hobbles),
                  palace, hash_keys(), worth, np.array(kept[::-1], np.int8),
                  line_table(COLUMNS), line_table(ROWS), aim_table(palace))
