"""Othello for the checker. Square (row, column) of an 8 x 8 board is bit 8 * row + column, rows
from the top; smaller boards stand in its middle."""

from __future__ import annotations

from typing import Any

from zermelo.errors import quoted
from zermelo.proof.header import DRAWN, PASS, Refused
from zermelo.proof.rules.base import (
    BoardRules,
    SquareImages,
    State,
    only,
    side_of,
    stones_of,
    whole,
)

WIDTH = 8
MIDDLE = 0x7E7E7E7E7E7E7E7E
WAYS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]


class OthelloRules(BoardRules):
    """``size`` rows and columns; ``no_move``: ``pass`` or ``loses``."""

    empty = "-"

    def __init__(self, parameters: dict[str, Any], folded: bool) -> None:
        only(parameters, "size", "no_move")
        self.rows = self.columns = whole(parameters, "size", 4, 8)
        if self.rows % 2 or parameters.get("no_move") not in ("pass", "loses"):
            raise Refused(f"othello has no parameters {quoted(parameters)}")
        self.passes = parameters["no_move"] == "pass"
        self.first = (WIDTH - self.rows) // 2
        span = range(self.first, self.first + self.rows)
        self.order = [WIDTH * row + column for row in span for column in span]
        super().__init__(folded, self.order[-1] + 1, sum(1 << i for i in self.order))
        self.images = SquareImages(WIDTH)
        self.rays = {i: self._rays(i) for i in self.order}

    def _next(self, square: int, down: int, right: int) -> int | None:
        row, column = divmod(square, WIDTH)
        row, column = row + down, column + right
        last = self.first + self.rows
        inside = self.first <= row < last and self.first <= column < last
        return WIDTH * row + column if inside else None

    def _rays(self, square: int) -> list[list[int]]:
        """Return the squares seen from one, way by way, as bits; discs turn before the last."""
        rays = []
        for down, right in WAYS:
            ray, at = [], self._next(square, down, right)
            while at is not None:
                ray.append(1 << at)
                at = self._next(at, down, right)
            if len(ray) > 1:
                rays.append(ray)
        return rays

    def places(self, own: int, other: int, one: bool = False) -> int:
        """Return the squares for the owner of ``own``: behind a run of the other's discs.

        Runs grow disc by disc, along four lines and both ways. No run sideways or aslant goes on
        from column a or h. If ``one`` place is enough, not all need be found.
        """
        found, free, inner = 0, self.squares & ~(own | other), other & MIDDLE
        for step, discs in ((8, other), (1, inner), (7, inner), (9, inner)):
            up, down = own << step & discs, own >> step & discs
            for _ in range(self.rows - 3):
                up |= up << step & discs
                down |= down >> step & discs
            found |= up << step | down >> step
            if one and found & free:
                break
        return found & free

    def turned(self, own: int, other: int, square: int) -> int:
        """Return the discs that turn when the owner of ``own`` takes ``square``."""
        found = 0
        for ray in self.rays[square]:
            run = 0
            for bit in ray:
                if other & bit:
                    run |= bit
                    continue
                if own & bit:
                    found |= run
                break
        return found

    def moves(self, state: State) -> list[int]:
        """Return the squares in the order of their bits, or the pass."""
        own, taken, _ = state
        free, found = self.places(own, taken ^ own), []
        while free:
            square = free & -free
            found.append(square.bit_length() - 1)
            free ^= square
        return found or ([PASS] if self.passes else [])

    def play(self, state: State, move: int) -> State:
        """Return the state after a disc, with those it turns."""
        own, taken, turn = state
        if move == PASS:
            return (taken ^ own, taken, 1 - turn)
        other = taken ^ own
        return (other & ~self.turned(own, other, move), taken | 1 << move, 1 - turn)

    def end(self, state: State) -> int | None:
        """Return the end: neither can move, or the player without a move loses."""
        own, taken, turn = state
        other = taken ^ own
        if self.places(own, other, one=True):
            return None
        if self.places(other, own, one=True):
            return None if self.passes else 1 - int(turn)
        lead = own.bit_count() - other.bit_count()
        if lead == 0:
            return DRAWN
        return int(turn) if lead > 0 else 1 - int(turn)

    def fold(self, state: State) -> tuple[int, int]:
        """Return the image with the least ``own``, then with the least other discs."""
        own, taken, _ = state
        least, other = self.images.least(own, taken ^ own)
        return least, least | other

    def read(self, text: str) -> State:
        """Read the rows from the top, and the player to move."""
        board, _, side = text.partition(" ")
        turn = side_of(side)
        return (*stones_of(board, self.order, "-", turn), turn)

    def move_name(self, state: State, move: int) -> str:
        """Return column a.. from the left and row 1.. from the top, or ``pass``."""
        if move == PASS:
            return "pass"
        row, column = divmod(move, WIDTH)
        return f"{'abcdefgh'[column - self.first]}{row - self.first + 1}"
