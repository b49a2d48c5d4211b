"""Lines of Action for the checker. Square (row, column) is bit 8 * row + column, rows from the
bottom, whatever the size. A state is (own, opp, turn): the pieces of the player to move, those of
the other, and the number of that player. A move is 64 * from + to; 0 is the pass."""

from __future__ import annotations

import struct
from typing import Any

from zermelo.errors import quoted
from zermelo.proof.header import DRAWN, Refused
from zermelo.proof.rules.base import (
    Array,
    RulesOf,
    SquareImages,
    State,
    only,
    side_of,
    stones_of,
    whole,
)

WIDTH, PASS_CODE = 8, 0
RECORD, KEY = struct.Struct("<QQi"), struct.Struct("<QQ")
LINES = ((0, 1), (1, 1), (1, 0), (1, -1))  # rows up and columns right, then the other way
MOST_KNOWN = 200_000
Way = list[tuple[int, int, int]]  # for each distance: the last square, those before it, the move


class LinesOfActionRules(RulesOf):
    """``size`` rows and columns, a rule for moves that connect both sides, one for no move."""

    cyclic = True
    layout = {"kind": "fields", "fields": [["own", "<u8", 1], ["opp", "<u8", 1]]}  # noqa: RUF012

    def __init__(self, parameters: dict[str, Any], folded: bool) -> None:
        super().__init__(folded)
        only(parameters, "size", "simultaneous", "no_move", "repetition")
        self.columns = size = whole(parameters, "size", 3, 8)
        if (parameters.get("simultaneous") not in ("draw", "mover")
                or parameters.get("no_move") not in ("pass", "loses")
                or parameters.get("repetition") not in ("third", "second")):
            raise Refused(f"lines-of-action has no parameters {quoted(parameters)}")
        self.both_draw = parameters["simultaneous"] == "draw"
        self.passes = parameters["no_move"] == "pass"
        self.order = [WIDTH * row + column for row in reversed(range(size))
                      for column in range(size)]
        self.squares = sum(1 << i for i in self.order)
        self.images = SquareImages(size)
        self.lines = {i: self._lines(i) for i in self.order}
        self.near = {i: sum(1 << (i + step) for step in self._near(i)) for i in self.order}
        self.known: dict[int, bool] = {}

    def _way(self, square: int, up: int, right: int) -> Way:
        """Return the ends of all distances from ``square``, one way."""
        found: Way = []
        row, column = divmod(square, WIDTH)
        before = 0
        while True:
            row, column = row + up, column + right
            if not (0 <= row < self.columns and 0 <= column < self.columns):
                return found
            at = WIDTH * row + column
            found.append((1 << at, before, 64 * square + at))
            before |= 1 << at

    def _lines(self, square: int) -> list[tuple[int, Way, Way]]:
        """Return the four lines through a square: all of the line, and the two ways along it."""
        found = []
        for up, right in LINES:
            forth, back = self._way(square, up, right), self._way(square, -up, -right)
            found.append((1 << square | sum(way[0] for way in forth + back), forth, back))
        return found

    def _near(self, square: int) -> list[int]:
        """Return the steps to the neighbours of a square."""
        ways = [way for _, *both in self.lines[square] for way in both if way]
        return [way[0][2] % 64 - square for way in ways]

    def moves(self, state: State) -> list[int]:
        """Return the moves, piece by piece: right, left, up right, down left, up, down..."""
        own, opp, _ = state
        taken, rest, found = own | opp, own, []
        while rest:
            piece = rest & -rest
            rest ^= piece
            for line, forth, back in self.lines[piece.bit_length() - 1]:
                distance = (taken & line).bit_count()
                for way in (forth, back):
                    if distance <= len(way):
                        end, before, move = way[distance - 1]
                        if not (own & end or opp & before):
                            found.append(move)
        return found or ([PASS_CODE] if self.passes else [])

    def play(self, state: State, move: int) -> State:
        """Return the state after a move; a piece that stands where it ends is taken off."""
        own, opp, turn = state
        if move == PASS_CODE:
            return (opp, own, 1 - turn)
        end = 1 << (move & 63)
        return (opp & ~end, own ^ (1 << (move >> 6)) | end, 1 - turn)

    def connected(self, pieces: int) -> bool:
        """Return True if all pieces are one group: a walk from neighbour to neighbour."""
        found = self.known.get(pieces)
        if found is None:
            todo = pieces & -pieces
            rest, near = pieces ^ todo, self.near
            while todo:
                piece = todo & -todo
                more = near[piece.bit_length() - 1] & rest
                rest ^= more
                todo = todo ^ piece | more
            if len(self.known) >= MOST_KNOWN:
                self.known.clear()
            found = self.known[pieces] = rest == 0
        return found

    def mover(self, state: State) -> int:
        """Return the third part of the state."""
        return int(state[2])

    def end(self, state: State) -> int | None:
        """Return the side with all pieces in one group; if both have, the parameter decides."""
        own, opp, turn = state
        if self.connected(opp):  # of the player who moved last
            return DRAWN if self.both_draw and self.connected(own) else 1 - int(turn)
        return int(turn) if self.connected(own) else None

    def record(self, data: bytes, prover: int) -> tuple[State, int]:
        """Return the prover's pieces, the other's, and the move."""
        own, opp, move = RECORD.unpack(data)
        if own & opp or (own | opp) & ~self.squares:
            raise Refused("it has two pieces on one square, or one outside the board")
        return (own, opp, prover), move

    def key(self, state: State) -> bytes:
        """Return own pieces, then the other's; folded, of the image with the lowest of these."""
        own, opp, _ = state
        return KEY.pack(*(self.images.least(own, opp) if self.folded else (own, opp)))

    def keys(self, records: Array) -> Array:
        """Return the first bytes of each record."""
        return records[:, : KEY.size]

    def read(self, text: str) -> State:
        """Read the rows from the top, and the player to move."""
        board, _, side = text.partition(" ")
        turn, rows = side_of(side), board.split("/")
        if any(len(row) != self.columns for row in rows):
            raise Refused(f"{quoted(board)} has rows of another length than {self.columns}")
        own, taken = stones_of("".join(rows), self.order, ".", turn)
        most = 2 * (self.columns - 2)
        if not all(1 <= side.bit_count() <= most for side in (own, taken ^ own)):
            raise Refused(f"a side has no piece, or more than {most}, in {quoted(board)}")
        return (own, taken ^ own, turn)

    def text(self, state: State) -> str:
        """Return the rows, and the player to move, as ``read`` takes them."""
        return f"{self.diagram(state).replace(' ', '').replace(chr(10), '/')} " \
               f"{self.players[state[2]]}"

    def diagram(self, state: State) -> str:
        """Return the rows below each other."""
        own, opp, turn = state
        x, o = (opp, own) if turn else (own, opp)
        marks = ["X" if x >> i & 1 else "O" if o >> i & 1 else "." for i in self.order]
        return "\n".join(" ".join(marks[i : i + self.columns])
                         for i in range(0, len(marks), self.columns))

    def move_name(self, state: State, move: int) -> str:
        """Return ``b1-b3``, ``c1xa3`` or ``pass``."""
        if move == PASS_CODE:
            return "pass"
        begin, end = (f"{'abcdefgh'[i % WIDTH]}{i // WIDTH + 1}" for i in (move >> 6, move & 63))
        return f"{begin}{'x' if state[1] >> (move & 63) & 1 else '-'}{end}"
