"""Rules as the checker needs them, and boards as two whole numbers.

The rules here are written for the checker alone: plain Python numbers, no array, no other part of
the library. A state of a board is (own, taken, turn): the squares of the player to move, the
squares of both, and the number of that player. Bit i of a number is square i.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from operator import itemgetter
from sys import getsizeof
from typing import Any

import numpy as np

from zermelo.errors import quoted
from zermelo.proof.budget import CheckBudget
from zermelo.proof.header import PASS, SEARCH, Claim, Refused, board_bytes, board_layout

State = Any
Array = np.ndarray[Any, Any]
SIDES_OF_BOARD = "XO"
CHUNK, NARROW = 13, 8  # bits of a board that are looked up at once; of one of several words
WORD, POINTER = 64, 8  # bits; bytes
MODULUS = 1 << WORD


class RulesOf(ABC):
    """The rules of one game with its parameters, as the checker needs them.

    A state is any value that can be compared and hashed. ``folded``: states that are images of each
    other under a symmetry of the board have the same key.
    """

    source = "naive"
    players: tuple[str, str] = ("X", "O")
    cyclic = False
    can_be_sent = True  # to another process

    def __init__(self, folded: bool) -> None:
        self.folded = folded

    @property
    @abstractmethod
    def layout(self) -> dict[str, Any]:
        """The layout of records, as the header must have it."""

    @property
    def table_bytes(self) -> int:
        """The memory of tables of symmetries, where they are large."""
        return 0

    @abstractmethod
    def read(self, text: str) -> State:
        """Return the state that ``text`` describes, in the one notation that certificates use."""

    @abstractmethod
    def record(self, data: bytes, prover: int) -> tuple[State, int]:
        """Return the state and the move of a record (without its rank)."""

    @abstractmethod
    def key(self, state: State) -> bytes:
        """Return the bytes by which a record of ``state``, or of an image of it, is found."""

    @abstractmethod
    def keys(self, records: Array) -> Array:
        """Return the keys of many records, as rows of bytes."""

    @abstractmethod
    def mover(self, state: State) -> int:
        """Return the player to move, 0 or 1."""

    @abstractmethod
    def end(self, state: State) -> int | None:
        """Return None while the game goes on, else FIRST, SECOND or DRAWN."""

    @abstractmethod
    def moves(self, state: State) -> list[int]:
        """Return the legal moves of a state that goes on; with none, its mover has lost."""

    def legal(self, state: State, move: int) -> bool:
        """Return True if ``move`` is legal."""
        return move in self.moves(state)

    @abstractmethod
    def play(self, state: State, move: int) -> State:
        """Return the state after a legal move."""

    def meet(self, records: Array, root: State, claim: Claim, budget: CheckBudget) -> None:
        """Learn the positions of ``records`` where these hold digests only."""
        return

    def levels(self, records: Array) -> Array | None:
        """Return a number for each record that rises along every line; None where there is none."""
        return None

    @abstractmethod
    def text(self, state: State) -> str:
        """Return the state in words."""

    @abstractmethod
    def move_name(self, state: State, move: int) -> str:
        """Return the name of a move."""

    def diagram(self, state: State) -> str:
        """Return a picture of the state."""
        return self.text(state)


class BoardRules(RulesOf):
    """Games in which stones are put on a board of numbered squares.

    columns, order   how many squares a row has; the squares, row by row from the top
    empty, between   the mark of an empty square; the text between two rows
    """

    columns: int
    order: Sequence[int]
    empty, between = ".", ""
    mover: Any = staticmethod(itemgetter(2))  # the third part of a state

    def __init__(self, folded: bool, bits: int, squares: int) -> None:
        super().__init__(folded)
        self.bits, self.squares = bits, squares
        self.size = board_bytes(bits)
        self.shift = 8 * self.size
        self.low = (1 << self.shift) - 1

    @property
    def layout(self) -> dict[str, Any]:
        """Two words of ``bits`` bits."""
        return board_layout(self.bits, self.squares)

    def record(self, data: bytes, prover: int) -> tuple[State, int]:
        """Return the state and the move: the bits of the second word that are not taken."""
        both = int.from_bytes(data, "big")
        taken = both >> self.shift
        second = both & self.low
        own = second & taken
        rest = second ^ own
        free = self.squares & ~taken
        if taken & ~self.squares or rest & ~free:
            raise Refused("it has a stone outside the board")
        state = self.checked(own, taken, prover)
        if rest == 0:  # a pass; with one square left, `search` is written like it
            return state, PASS if free & (free - 1) else SEARCH
        if rest & (rest - 1) == 0:
            return state, rest.bit_length() - 1
        if rest != free:
            raise Refused("it has several moves")
        return state, SEARCH

    def checked(self, own: int, taken: int, turn: int) -> State:
        """Return the state with these stones; raise Refused if no game leads to it."""
        return (own, taken, turn)

    def key(self, state: State) -> bytes:
        """Return the taken squares, then the mover's."""
        own, taken = self.fold(state) if self.folded else state[:2]
        return (taken << self.shift | own).to_bytes(2 * self.size, "big")

    def keys(self, records: Array) -> Array:
        """Return the keys of records: the mover's squares are among the taken ones."""
        taken, second = records[:, : self.size], records[:, self.size : 2 * self.size]
        return np.hstack([taken, second & taken])

    def levels(self, records: Array) -> Array | None:
        """Return the number of stones of each record."""
        stones = np.array([byte.bit_count() for byte in range(256)], np.int16)
        found = np.zeros(len(records), np.int16)
        for column in range(self.size):  # one by one, to spare memory
            found += stones[records[:, column]]
        return found

    @abstractmethod
    def fold(self, state: State) -> tuple[int, int]:
        """Return ``own`` and ``taken`` of the representative of a state and its images."""

    def play(self, state: State, move: int) -> State:
        """Return the state after a stone on square ``move``."""
        own, taken, turn = state
        return (taken ^ own, taken | 1 << move, 1 - turn)

    def stones(self, state: State) -> tuple[int, int]:
        """Return the squares of the first player and of the second."""
        own, taken, turn = state[:3]
        return (taken ^ own, own) if turn else (own, taken ^ own)

    def rows_of(self, state: State) -> list[str]:
        """Return the rows from the top, with a mark for each square."""
        x, o = self.stones(state)
        marks = "".join("X" if x >> i & 1 else "O" if o >> i & 1 else self.empty
                        for i in self.order)
        return [marks[i : i + self.columns] for i in range(0, len(marks), self.columns)]

    def text(self, state: State) -> str:
        """Return the rows, and the player to move, as ``read`` takes them."""
        return f"{self.between.join(self.rows_of(state))} {self.players[state[2]]}"

    def diagram(self, state: State) -> str:
        """Return the rows below each other."""
        return "\n".join(" ".join(row) for row in self.rows_of(state))


class Images:
    """A symmetry of a board: the images of its squares, looked up a few bits at a time."""

    def __init__(self, bits: int, image: Callable[[int], int]) -> None:
        self.chunk = self.chunk_of(bits)
        self.tables: list[list[int]] = []
        for begin in range(0, bits, self.chunk):
            table = [0]
            for i in range(begin, min(begin + self.chunk, bits)):
                square = 1 << image(i)
                table += [square | there for there in table]
            self.tables.append(table)

    @staticmethod
    def chunk_of(bits: int) -> int:
        """Return the number of bits that index a table."""
        return CHUNK if bits <= WORD else NARROW

    @staticmethod
    def bytes_of(bits: int) -> int:
        """Return the memory that the tables of a board take, about."""
        chunk = Images.chunk_of(bits)
        return (getsizeof(1 << bits) + POINTER) * -(-bits // chunk) << chunk

    def __call__(self, stones: int) -> int:
        """Return the image of ``stones``."""
        found, chunk = 0, self.chunk
        for table in self.tables:
            found |= table[stones & (1 << chunk) - 1]
            stones >>= chunk
        return found


class SquareImages:
    """The eight images of a square board whose row is a byte of the number, the first the lowest.
    """

    def __init__(self, size: int) -> None:
        self.size = size
        self.mirrored = bytes(int(f"{row:0{size}b}"[::-1], 2) for row in range(256))
        self.transposed = Images(8 * size, lambda i: i % 8 * 8 + i // 8)

    def eight(self, stones: int) -> list[int]:
        """Return all images of ``stones``."""
        first = stones.to_bytes(self.size, "little")
        second = self.transposed(stones).to_bytes(self.size, "little")
        third, fourth = first.translate(self.mirrored), second.translate(self.mirrored)
        rows = (first, second, third, fourth, first[::-1], second[::-1], third[::-1], fourth[::-1])
        return [int.from_bytes(image, "little") for image in rows]

    def image(self, k: int, stones: int) -> int:
        """Return the image number ``k``. A byte is a row: upside down is the bytes reversed."""
        rows = (self.transposed(stones) if k & 1 else stones).to_bytes(self.size, "little")
        if k & 2:
            rows = rows.translate(self.mirrored)
        return int.from_bytes(rows[::-1] if k & 4 else rows, "little")

    def least(self, own: int, other: int) -> tuple[int, int]:
        """Return the image of a position with the least ``own``, then the least ``other``."""
        images = self.eight(own)
        least = min(images)
        if images.count(least) == 1:
            return least, self.image(images.index(least), other)
        return least, min(o for m, o in zip(images, self.eight(other), strict=True) if m == least)


def side_of(text: str) -> int:
    """Return 0 for ``X``, 1 for ``O``."""
    if text not in ("X", "O"):
        raise Refused(f"{quoted(text)} is not a side to move")
    return SIDES_OF_BOARD.index(text)


def joined_rows(board: str, rows: int, columns: int) -> str:
    """Return a board in one piece, from rows with ``/`` between them."""
    found = board.split("/")
    if len(found) != rows or any(len(row) != columns for row in found):
        raise Refused(f"{quoted(board)} is not a board of {rows} rows of {columns} squares")
    return "".join(found)


def stones_of(board: str, squares: Sequence[int], empty: str, turn: int) -> tuple[int, int]:
    """Return ``own`` and ``taken`` of a board written as one mark a square."""
    if len(board) != len(squares) or not set(board) <= {*SIDES_OF_BOARD, empty}:
        raise Refused(f"{quoted(board)} is not a board of {len(squares)} squares")
    found = [sum(1 << i for i, mark in zip(squares, board, strict=True) if mark == side)
             for side in SIDES_OF_BOARD]
    return found[turn], found[0] | found[1]


def whole(parameters: dict[str, Any], name: str, low: int, high: int) -> int:
    """Return a parameter that is a whole number."""
    value = parameters.get(name)
    if type(value) is not int or not low <= value <= high:
        raise Refused(f"the parameter {name} is {quoted(value)}, not {low} to {high}")
    return value


def only(parameters: dict[str, Any], *names: str) -> None:
    """Raise Refused if there are other parameters than these."""
    for name in parameters:
        if name not in names:
            raise Refused(f"the game has no parameter {quoted(name)}")


def mix(x: int) -> int:
    """Return a bijection of 64-bit numbers that scatters them: the finaliser of SplitMix64.

    Steele, Lea & Flood (2014), with the constants of Stafford's variant 13.
    """
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 % MODULUS
    x = (x ^ x >> 27) * 0x94D049BB133111EB % MODULUS
    return x ^ x >> 31
