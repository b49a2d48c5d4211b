"""From the states of a game to the bytes of records, many at a time.

A key is what a record says of the state. On the boards of the built-in games it is two numbers: the
squares that are taken, and those of the prover, which is to move. Any other game's key is the
fields of its state as they are. Bytes are in the order that makes keys sort as bytes do.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.core.object_game import DIGEST_FIELD, ObjectGame
from zermelo.core.objects import DIGEST_BYTES
from zermelo.errors import BadCertificate
from zermelo.proof.header import KINDS, PASS, SEARCH, board_bytes, board_layout, fields_layout
from zermelo.proof.rules.k_in_a_row import IN_A_ROW

if TYPE_CHECKING:
    from zermelo.core.game import Game

Array = np.ndarray[Any, Any]
OTHELLO_PASS = 64
WORD = 64


class Packer:
    """Keys and moves of any game: the fields of the state, and the code of the move."""

    def __init__(self, game: Game, built_in: bool = False, fields: Any = None) -> None:
        self.dtype, self.built_in = game.rules.dtype, built_in
        self.plain = np.dtype(fields or [(name, little(self.dtype[name]))
                                         for name in self.dtype.names or ()])
        self.key_bytes = self.plain.itemsize
        for name in self.plain.names or ():
            if self.plain[name].base.str not in KINDS:
                raise BadCertificate(f"{game.name}: a certificate can't hold the field {name} of "
                                     f"type {self.plain[name].base}; it holds plain numbers.")

    @property
    def layout(self) -> dict[str, Any]:
        """The layout of records, for the header."""
        return fields_layout(self.plain)

    def keys(self, states: Array, prover: int) -> Array:
        """Return a row of bytes for each state."""
        plain = np.empty(len(states), self.plain)
        for name in self.plain.names or ():
            plain[name] = states[name]
        return rows(plain)

    def moves(self, keys: Array, moves: Array) -> Array:
        """Return the moves in the form of records."""
        return moves

    def records(self, keys: Array, moves: Array) -> Array:
        """Return keys and moves as rows of bytes."""
        return np.hstack([keys, rows(moves.astype("<i4"))])


class ObjectPacker(Packer):
    """Positions that are Python objects: a digest of what each is known by."""

    def __init__(self, game: ObjectGame) -> None:
        self.game = game
        super().__init__(game, fields=[(DIGEST_FIELD, "|u1", (DIGEST_BYTES,))])

    def keys(self, states: Array, prover: int) -> Array:
        """Return a row of bytes for each state."""
        objects, digest = self.game.store.objects, self.game.digest
        found = b"".join(digest(objects[number]) for number in states["number"].tolist())
        return np.frombuffer(found, np.uint8).reshape(len(states), DIGEST_BYTES)


class BoardPacker(Packer):
    """Boards of the built-in games: the move is the one bit that is set and not taken."""

    def __init__(self, game: Game, bits: int, squares: int) -> None:
        super().__init__(game, True)
        self.bits, self.squares = bits, squares
        self.word_bytes = board_bytes(bits)
        self.key_bytes = 2 * self.word_bytes
        self.board = np.frombuffer(squares.to_bytes(self.word_bytes, "big"), np.uint8)

    @property
    def layout(self) -> dict[str, Any]:
        """The layout of records, for the header."""
        return board_layout(self.bits, self.squares)

    @abstractmethod
    def stones(self, states: Array) -> tuple[Array, Array]:
        """Return the prover's squares and the other's, as rows of bytes."""

    def keys(self, states: Array, prover: int) -> Array:
        """Return the taken squares, then the prover's."""
        check_turn(states, prover)
        own, other = self.stones(states)
        return np.hstack([own | other, own])

    def moves(self, keys: Array, moves: Array) -> Array:
        """Return squares; raise BadCertificate where one is taken or not on the board."""
        real = moves >= 0
        bit = np.uint8(1) << (moves & 7).astype(np.uint8)
        at = np.clip(self.word_bytes - 1 - (moves >> 3), 0, self.word_bytes - 1)
        free = self.board & ~keys[:, : self.word_bytes]
        wrong = real & ((free[np.arange(len(moves)), at] & bit == 0) | (moves >= self.bits))
        wrong |= ~real & (moves != PASS) & (moves != SEARCH)
        if np.any(wrong):
            raise BadCertificate(f"{int(moves[wrong][0])} is not an empty square of the board; a "
                                 "record can't hold it as a move.")
        return moves

    def records(self, keys: Array, moves: Array) -> Array:
        """Return keys with the bit of the move in the second word, or all bits for `search`."""
        found, size = keys.copy(), self.word_bytes
        real = np.flatnonzero(moves >= 0)
        bit = np.uint8(1) << (moves[real] & 7).astype(np.uint8)
        found[real, 2 * size - 1 - (moves[real] >> 3)] |= bit
        search = np.flatnonzero(moves == SEARCH)
        free = self.board & ~keys[search, :size]
        # With one empty square all bits would be a move: no bit then means `search`.
        several = np.unpackbits(free, axis=1).sum(axis=1) > 1
        found[search[several], size:] |= free[several]
        return found


class WordPacker(BoardPacker):
    """Boards of a word a player: ``own`` and ``opp``, ``own`` and ``mask``, ``x`` and ``o``."""

    def stones(self, states: Array) -> tuple[Array, Array]:
        """Return the prover's squares and the other's, from the fields of the states."""
        names = self.dtype.names or ()
        if "x" in names:
            second = states["turn"] == 1
            own, other = (np.where(second, states[b], states[a]) for a, b in ("xo", "ox"))
        else:
            own = states["own"]
            other = states["opp"] if "opp" in names else states["mask"] ^ own
        return self._trimmed(own), self._trimmed(other)

    def _trimmed(self, words: Array) -> Array:
        return rows(words.astype(">u8"))[:, 8 - self.word_bytes :]


class ColumnPacker(WordPacker):
    """Connect Four: a move is a column, a record has the square on which the stone comes to lie."""

    def __init__(self, game: Game) -> None:
        self.columns, self.rows = game["columns"], game["rows"]
        pitch = self.rows + 1
        column = (1 << self.rows) - 1
        super().__init__(game, self.columns * pitch,
                         sum(column << (c * pitch) for c in range(self.columns)))

    def moves(self, keys: Array, moves: Array) -> Array:
        """Return the lowest empty square of each column."""
        if np.any((moves >= self.columns) | ((moves < 0) & (moves != SEARCH))):
            raise BadCertificate(f"a move of connect-four is a column, 0 to {self.columns - 1}.")
        bits = np.unpackbits(keys[:, : self.word_bytes][:, ::-1], axis=1, bitorder="little")
        pitch, n = self.rows + 1, len(moves)
        squares = bits[:, : self.columns * pitch].reshape(n, self.columns, pitch)
        heights = squares.sum(axis=2)[np.arange(n), np.maximum(moves, 0)].astype(np.int32)
        if np.any((moves >= 0) & (heights >= self.rows)):
            raise BadCertificate("a move of connect-four is in a column that is full.")
        landing = np.maximum(moves, 0) * np.int32(pitch) + heights
        return super().moves(keys, np.where(moves >= 0, landing, moves))


class BitsPacker(BoardPacker):
    """Boards of more than a word: ``x`` and ``o`` in several, or ``stones`` row by row."""

    def __init__(self, game: Game, cells: int, chunk: int) -> None:
        super().__init__(game, cells, (1 << cells) - 1)
        self.chunk = chunk  # how many squares a number of the state holds

    def stones(self, states: Array) -> tuple[Array, Array]:
        """Return the prover's squares and the other's: all squares as bits, then as bytes."""
        if "stones" in (self.dtype.names or ()):
            half = states["stones"].shape[1] // 2
            x, o = states["stones"][:, :half], states["stones"][:, half:]
        else:
            x, o = states["x"], states["o"]
        second = (states["turn"] == 1)[:, None]
        first, other = self._bits(x), self._bits(o)
        return np.where(second, other, first), np.where(second, first, other)

    def _bits(self, numbers: Array) -> Array:
        size = 8 * numbers.dtype.itemsize
        little_end = np.ascontiguousarray(numbers, numbers.dtype.newbyteorder("<"))
        bits = np.unpackbits(little_end.view(np.uint8), axis=1, bitorder="little")
        squares = bits.reshape(len(numbers), -1, size)[:, :, : self.chunk]
        squares = squares.reshape(len(numbers), -1)[:, : self.bits]
        return np.packbits(squares, axis=1, bitorder="little")[:, ::-1]


class PassPacker(WordPacker):
    """Othello: the code of a pass is not a square."""

    def moves(self, keys: Array, moves: Array) -> Array:
        """Squares, or the pass."""
        return super().moves(keys, np.where(moves == OTHELLO_PASS, np.int32(PASS), moves))


class PiecesPacker(Packer):
    """Lines of Action: the pieces of both sides; the prover is to move."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, True, [("own", "<u8"), ("opp", "<u8")])

    def keys(self, states: Array, prover: int) -> Array:
        """Return the prover's pieces, then the other's."""
        check_turn(states, prover)
        return super().keys(states, prover)


class NibblePacker(Packer):
    """Xiangqi: the 90 squares, two to a byte; the prover is to move."""

    def __init__(self, game: Game) -> None:
        super().__init__(game, True, [("squares", "|u1", (45,))])

    def keys(self, states: Array, prover: int) -> Array:
        """Return the squares, two to a byte, the first in the lower half."""
        check_turn(states, prover)
        board = states["board"]
        return np.ascontiguousarray(board[:, 0:90:2] | board[:, 1:90:2] << np.uint8(4))


def check_turn(states: Array, prover: int) -> None:
    """Refuse states in which the prover does not move."""
    if np.any(states["turn"] != prover):
        raise BadCertificate("a record is for a position in which the prover moves; in "
                             f"{int(np.sum(states['turn'] != prover)):,} of these states the "
                             "other side does.")


def packer_for(game: Game) -> Packer:
    """Return the packer of the records of ``game``."""
    if isinstance(game, ObjectGame):
        return ObjectPacker(game)
    make = BUILT_IN.get(game.name)
    if make is None or not type(game).__module__.startswith("zermelo.games."):
        return Packer(game)
    return make(game)


def _othello(game: Game) -> Packer:
    low, high = (8 - game["size"]) // 2, (8 + game["size"]) // 2
    squares = sum(1 << (8 * r + c) for r in range(low, high) for c in range(low, high))
    return PassPacker(game, squares.bit_length(), squares)


def _hex(game: Game) -> Packer:
    size = game["size"]
    cells = size * size
    if cells <= WORD:
        return WordPacker(game, cells, (1 << cells) - 1)
    return BitsPacker(game, cells, WORD // size * size)


def _in_a_row(game: Game) -> Packer:
    cells = game["columns"] * game["rows"]
    if cells <= WORD:
        return WordPacker(game, cells, (1 << cells) - 1)
    return BitsPacker(game, cells, game["columns"])


BUILT_IN: dict[str, Callable[[Game], Packer]] = {
    "connect-four": ColumnPacker, "othello": _othello, "hex": _hex,
    "p-game": partial(Packer, built_in=True),
    "lines-of-action": PiecesPacker, "xiangqi": NibblePacker,
    **dict.fromkeys(IN_A_ROW, _in_a_row),
}


def little(kind: np.dtype[Any]) -> np.dtype[Any]:
    """Return a type of the same numbers, low byte first on every machine."""
    return kind.newbyteorder("<")


def rows(array: Array) -> Array:
    """Return each element as a row of bytes."""
    plain = np.ascontiguousarray(array)
    return plain.view(np.uint8).reshape(len(plain), plain.dtype.itemsize)
