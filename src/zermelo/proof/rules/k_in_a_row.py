"""The k-in-a-row family for the checker. Square (row, column) is bit columns * row + column, rows
from the top. A state is (own, taken, turn, left): ``left`` stones are left in the mover's turn."""

from __future__ import annotations

import re
from functools import cached_property
from typing import Any

from zermelo.errors import counted, quoted
from zermelo.proof.header import DRAWN, Refused
from zermelo.proof.rules.base import (
    WORD,
    BoardRules,
    Images,
    State,
    joined_rows,
    mix,
    only,
    side_of,
    stones_of,
    whole,
)

IN_A_ROW = ("k-in-a-row", "tic-tac-toe", "gomoku", "connect6")  # the games of these rules
LARGEST = 26
SEED = 0x6B2D696E2D612D72  # of the hashes that order the images of a board of more than 64 squares
SIDE = re.compile(r"([XO])([1-9][0-9]?)?")
WAYS = ((0, 1), (1, 0), (1, 1), (1, -1))


class InARowRules(BoardRules):
    """``line`` in a row win; a turn has ``stones`` stones, the first of the game ``first``."""

    between = "/"

    def __init__(self, parameters: dict[str, Any], folded: bool) -> None:
        only(parameters, "columns", "rows", "line", "stones", "first", "overline")
        self.columns = whole(parameters, "columns", 1, LARGEST)
        self.rows = whole(parameters, "rows", 1, LARGEST)
        self.line = whole(parameters, "line", 2, max(self.columns, self.rows))
        self.per_turn = whole(parameters, "stones", 1, LARGEST)
        self.first = whole(parameters, "first", 1, LARGEST)
        if parameters.get("overline") not in ("wins", "no-win"):
            raise Refused(f"overline is {quoted(parameters.get('overline'))}")
        self.longer_wins = parameters["overline"] == "wins"
        self.cells = self.columns * self.rows
        self.order = range(self.cells)
        super().__init__(folded, self.cells, (1 << self.cells) - 1)
        self.inside = {way: self._inside(*way) for way in WAYS}
        self.root: State = (0, 0, 0, self.first)

    @cached_property
    def places(self) -> list[list[int]]:
        """The images of the squares under each symmetry."""
        symmetries = range(1, 8 if self.columns == self.rows else 4)
        return [[self._image(k, i) for i in range(self.cells)] for k in symmetries]

    @cached_property
    def images(self) -> list[Images]:
        """The images of sets of squares; large tables, which only folded records need."""
        return [Images(self.cells, place.__getitem__) for place in self.places]

    @property
    def table_bytes(self) -> int:
        """The memory that ``images`` take."""
        return Images.bytes_of(self.cells) * len(self.places) if self.folded else 0

    @cached_property
    def hashes(self) -> list[int]:
        """The hashes of X's stones, then of O's."""
        return [mix(SEED + i) for i in range(2 * self.cells)]

    def _image(self, k: int, square: int) -> int:
        """Return the image of a square: 4 exchanges rows and columns, 1 mirrors columns, 2 rows."""
        row, column = divmod(square, self.columns)
        if k & 4:
            row, column = column, row
        if k & 1:
            column = self.columns - 1 - column
        return self.columns * (self.rows - 1 - row if k & 2 else row) + column

    def _inside(self, down: int, right: int) -> int:
        """Return the squares from which a step leads to another square."""
        return sum(1 << i for i in range(self.cells)
                   if i // self.columns + down < self.rows
                   and 0 <= i % self.columns + right < self.columns)

    def has_line(self, stones: int) -> bool:
        """Return True if there is a line that wins: from its first stone, step by step."""
        for (down, right), inside in self.inside.items():
            step = self.columns * down + right
            ahead = stones & inside & stones >> step  # stones with another one next to them
            begin = stones if self.longer_wins else stones & ~(ahead << step)
            for _ in range(self.line - 1):
                begin = (begin & ahead) << step
            if begin and (self.longer_wins or begin & ~ahead):
                return True
        return False

    def end(self, state: State) -> int | None:
        """Return the end; the winner moved last: the mover within a turn, or the other side."""
        own, taken, turn, _ = state
        for stones, player in ((taken ^ own, 1 - turn), (own, turn)):
            if self.has_line(stones):
                return int(player)
        return DRAWN if taken == self.squares else None

    def moves(self, state: State) -> list[int]:
        """Return the empty squares, row by row."""
        taken = state[1]
        return [i for i in range(self.cells) if not taken >> i & 1]

    def play(self, state: State, move: int) -> State:
        """Return the state after a stone; the turn ends with the last of its stones."""
        own, taken, turn, left = state
        taken |= 1 << move
        own |= 1 << move
        if left > 1:
            return (own, taken, turn, left - 1)
        return (taken ^ own, taken, 1 - turn, self.per_turn)

    def checked(self, own: int, taken: int, turn: int) -> State:
        """Check that the prover moves, by the number of stones since the root."""
        due, left = self.root[2:]
        played = taken.bit_count() - self.root[1].bit_count()
        if played >= left:
            turns, part = divmod(played - left, self.per_turn)
            due, left = (due + 1 + turns) % 2, self.per_turn - part
        else:
            left -= played
        if played < 0 or due != turn:
            raise Refused("after that many stones the prover does not move")
        return (own, taken, turn, left)

    def fold(self, state: State) -> tuple[int, int]:
        """Return the image with the least X, then O; on more than 64 squares the least hash."""
        x, o = self.stones(state)
        if self.cells <= WORD:
            x, o = min([(x, o), *((image(x), image(o)) for image in self.images)])
        else:
            hashes = [self._hash(x, o, place) for place in ([*range(self.cells)], *self.places)]
            best = hashes.index(min(hashes))
            if best:
                x, o = self.images[best - 1](x), self.images[best - 1](o)
        return (o if state[2] else x), x | o

    def _hash(self, x: int, o: int, place: list[int]) -> int:
        found = 0
        for i in range(self.cells):
            if (x | o) >> i & 1:
                found ^= self.hashes[(o >> i & 1) * self.cells + place[i]]
        return found

    def read(self, text: str) -> State:
        """Read the rows from the top, the player, and the stones left where turns have several."""
        board, _, end = text.partition(" ")
        side = SIDE.fullmatch(end)
        turn = side_of(side[1] if side else end)
        several = (self.per_turn, self.first) != (1, 1)
        if several and (side is None or not side[2]):
            raise Refused(f"{quoted(text)} does not say how many stones are left in the turn")
        left = int(side[2] or 1) if side else 1
        marks = joined_rows(board, self.rows, self.columns)
        own, taken = stones_of(marks, range(self.cells), ".", turn)
        due = self.first if turn == 0 and own == taken else self.per_turn
        if left > due:
            raise Refused(f"{quoted(text)} has {counted(left, 'stone')} left in a turn")
        last = own if left < due else taken ^ own
        if self.has_line(taken ^ last) or (self.has_line(last) and all(
                self.has_line(last & ~(1 << i)) for i in range(self.cells))):
            raise Refused(f"in {quoted(text)} the game was over before the last stone")
        self.root = (own, taken, turn, left)
        return self.root

    def text(self, state: State) -> str:
        """Return the rows, the player to move, and the stones left where turns have several."""
        left = state[3] if (self.per_turn, self.first) != (1, 1) else ""
        return f"{super().text(state)}{left}"

    def move_name(self, state: State, move: int) -> str:
        """Return column letter, and row number from the bottom."""
        row, column = divmod(move, self.columns)
        return f"{chr(ord('a') + column)}{self.rows - row}"
