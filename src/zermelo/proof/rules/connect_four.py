"""Connect Four for the checker. A column of r rows takes r + 1 bits, the bottom first; the last one
stays empty. A move is the square on which the stone comes to lie."""

from __future__ import annotations

from typing import Any

from zermelo.errors import quoted
from zermelo.proof.header import DRAWN, Refused
from zermelo.proof.rules.base import BoardRules, Images, State, only, side_of, stones_of, whole


class ConnectFourRules(BoardRules):
    """``columns`` x ``rows`` squares; ``line`` stones in a row win."""

    def __init__(self, parameters: dict[str, Any], folded: bool) -> None:
        only(parameters, "columns", "rows", "line")
        self.columns = columns = whole(parameters, "columns", 1, 16)
        self.rows = rows = whole(parameters, "rows", 1, 15)
        self.line = line = whole(parameters, "line", 2, 16)
        self.pitch = pitch = rows + 1
        if columns * pitch > 64:
            raise Refused(f"a board of {columns} columns x {rows} rows does not fit 64 bits")
        self.bottoms = [1 << (c * pitch) for c in range(columns)]
        self.floor = sum(self.bottoms)
        super().__init__(folded, columns * pitch, self.floor * ((1 << rows) - 1))
        self.mirror = Images(self.bits, lambda i: i + (columns - 1 - 2 * (i // pitch)) * pitch)
        # From one end of a line to the other: up, to the right, and both ways aslant.
        fits = {1: line <= rows, pitch: line <= columns}
        fits |= dict.fromkeys((pitch - 1, pitch + 1), line <= min(rows, columns))
        # Shifted onto itself by these, a board keeps the squares where a line begins: by one step
        # those that begin two in a row, then by two steps those that begin four, and so on.
        jumps, have = [], 1
        while have < line:
            jumps.append(min(have, line - have))
            have += jumps[-1]
        self.shifts = [(step, [step * jump for jump in jumps[1:]])
                       for step, fit in fits.items() if fit]
        self.order = [i * pitch + rows - 1 - row for row in range(rows) for i in range(columns)]

    def checked(self, own: int, taken: int, turn: int) -> State:
        """Refuse a stone with an empty square below it: adding one must clear all in a column."""
        if taken & (taken + self.floor):
            raise Refused("it has a stone with nothing below it")
        return (own, taken, turn)

    def has_line(self, stones: int) -> bool:
        """Return True if ``stones`` hold a line."""
        for first, rest in self.shifts:
            found = stones & stones >> first
            for shift in rest:
                found &= found >> shift
            if found:
                return True
        return False

    def end(self, state: State) -> int | None:
        """Return the end: the player who moved last has a line, or the board is full."""
        own, taken, turn = state
        if self.has_line(own ^ taken):
            return 1 - int(turn)
        return DRAWN if taken == self.squares else None

    def moves(self, state: State) -> list[int]:
        """Return the lowest empty square of every column that is not full, from the left."""
        free = (state[1] + self.floor) & self.squares
        found = []
        while free:
            square = free & -free
            found.append(square.bit_length() - 1)
            free ^= square
        return found

    def legal(self, state: State, move: int) -> bool:
        """Return True if ``move`` is the lowest empty square of a column."""
        return move >= 0 and bool((state[1] + self.floor) & self.squares & 1 << move)

    def fold(self, state: State) -> tuple[int, int]:
        """Return the board or its mirror image: the one whose two numbers add up to less."""
        own, taken, _ = state
        mirror = self.mirror
        if mirror(own + taken) < own + taken:  # no column carries into the next
            return mirror(own), mirror(taken)
        return own, taken

    def read(self, text: str) -> State:
        """Read the rows from the top, and the player to move."""
        board, _, side = text.partition(" ")
        turn = side_of(side)
        own, taken = stones_of(board, self.order, ".", turn)
        if abs(2 * own.bit_count() - taken.bit_count()) > 1:
            raise Refused(f"one side of {quoted(board)} has two stones more than the other")
        if self.has_line(own):
            raise Refused(f"{side} has a line already and can't be to move")
        return self.checked(own, taken, turn)

    def move_name(self, state: State, move: int) -> str:
        """Return the number of the column, from 1."""
        return str(move // self.pitch + 1)
