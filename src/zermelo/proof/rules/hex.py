"""Hex for the checker. Square (row, column) is bit size * row + column, rows from the top; X joins
top and bottom, O left and right."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from zermelo.errors import quoted
from zermelo.proof.budget import CheckBudget
from zermelo.proof.header import Refused
from zermelo.proof.rules.base import (
    WORD,
    BoardRules,
    Images,
    State,
    joined_rows,
    only,
    side_of,
    stones_of,
    whole,
)

NEAR = ((0, 1), (0, -1), (1, 0), (-1, 0), (1, -1), (-1, 1))
CELL = re.compile(r"([a-z])([1-9][0-9]?)")


class HexRules(BoardRules):
    """``size`` x ``size`` cells; without draws. Where there is a swap rule, a certificate is about
    a position in which no swap is left, and then the rules are the same."""

    between = "/"

    def __init__(self, parameters: dict[str, Any], folded: bool) -> None:
        only(parameters, "size", "swap")
        swap = parameters.get("swap", "no")
        if swap not in ("no", "yes"):
            raise Refused(f"swap is {quoted(swap)}, not yes or no")
        self.swap = swap == "yes"
        self.side = self.columns = side = whole(parameters, "size", 1, 16)
        self.cells = cells = side * side
        self.order = range(cells)
        super().__init__(folded, cells, (1 << cells) - 1)
        self.half_turn = Images(cells, lambda i: cells - 1 - i)
        top, left = (1 << side) - 1, sum(1 << (side * row) for row in range(side))
        self.edges = ((top, top << (cells - side)), (left, left << (side - 1)))
        self.near = [self._near(i) for i in range(cells)]

    def _near(self, cell: int) -> int:
        row, column = divmod(cell, self.side)
        around = [(row + down, column + right) for down, right in NEAR]
        return sum(1 << (self.side * r + c) for r, c in around
                   if 0 <= r < self.side and 0 <= c < self.side)

    def joined(self, stones: int, player: int) -> bool:
        """Return True if ``stones`` join the edges of ``player``: a walk from stone to stone."""
        begin, goal = self.edges[player]
        near, todo = self.near, stones & begin
        rest = stones ^ todo
        while todo:
            stone = todo & -todo
            if stone & goal:
                return True
            more = near[stone.bit_length() - 1] & rest
            rest ^= more
            todo = todo ^ stone | more
        return False

    def linked(self, player: int, stones: int, pairs: Sequence[int],
             budget: CheckBudget | None = None) -> bool:
        """Return True if ``stones`` join the edges of ``player`` with any one cell of each pair.

        Groups of stones and the two edges become one where a pair has both of its cells next to
        both of them: whichever cell is taken, it links the two. No pair may share a cell with
        another, or with the stones.
        """
        if stones.bit_count() + 2 * len(pairs) != (stones | sum(pairs)).bit_count():
            return False
        touch = [self.edges[player][0], self.edges[player][1],
                 *(self.near[i] | 1 << i for i in range(self.cells) if stones >> i & 1)]
        links = [*(1 << i for i in range(self.cells) if stones >> i & 1), *pairs]
        group = list(range(len(touch)))  # the edges, then the stones; what each of them touches
        changed = True
        while changed and group[0] != group[1]:
            changed = False
            for link in links:
                if budget is not None:
                    budget.look()  # among many stones a link takes milliseconds
                near = {g for g in set(group)
                        if not link & ~self._reach(touch, group, g)}
                if len(near) > 1:
                    group = [min(near) if g in near else g for g in group]
                    changed = True
        return group[0] == group[1]

    @staticmethod
    def _reach(touch: list[int], group: list[int], number: int) -> int:
        """Return the cells next to the members of a group, or on its edge."""
        found = 0
        for cells, member in zip(touch, group, strict=True):
            found |= cells if member == number else 0
        return found

    def end(self, state: State) -> int | None:
        """Return the winner, who can only be the player who moved last."""
        own, taken, turn = state
        return 1 - int(turn) if self.joined(own ^ taken, 1 - turn) else None

    def moves(self, state: State) -> list[int]:
        """Return the empty cells, row by row."""
        taken = state[1]
        return [i for i in range(self.cells) if not taken >> i & 1]

    def fold(self, state: State) -> tuple[int, int]:
        """Return the board or its half turn: the one with the least X, then O."""
        x, o = self.stones(state)
        there, then = self.half_turn(x), self.half_turn(o)
        if (self.words(there), self.words(then)) < (self.words(x), self.words(o)):
            x, o = there, then
        return (o if state[2] else x), x | o

    def words(self, stones: int) -> list[int]:
        """Return what is compared: words of whole rows from the top, on more than 64 cells."""
        rows = WORD // self.side if self.cells > WORD else self.side
        size = rows * self.side
        return [stones >> at & (1 << size) - 1 for at in range(0, self.cells, size)]

    def read(self, text: str) -> State:
        """Read a position that has no swap ahead."""
        own, taken, turn = state = self._read(text)
        if self.swap and taken.bit_count() < 2 and not (own if turn else own ^ taken):
            raise Refused(f"in {quoted(text)} a swap may still come, which no certificate holds")
        return state

    def _read(self, text: str) -> State:
        """Read ``3x3: a1 b2``, moves in turn from the empty board; or rows, ``X.O/.../... X``."""
        head, colon, moves = text.partition(":")
        if colon:
            if head != f"{self.side}x{self.side}":
                raise Refused(f"{quoted(text)} is for a board of another size")
            return self._played(moves.split())
        board, _, side = text.partition(" ")
        turn = side_of(side)
        own, taken = stones_of(joined_rows(board, self.side, self.side), range(self.cells), ".",
                               turn)
        if self.joined(own, turn):
            raise Refused(f"{side} has won already and can't be to move")
        return (own, taken, turn)

    def _played(self, names: list[str]) -> State:
        state: State = (0, 0, 0)
        for name in names:
            found = CELL.fullmatch(name)
            column, row = (ord(found[1]) - ord("a"), int(found[2]) - 1) if found else (99, 99)
            cell = self.side * row + column
            if max(column, row) >= self.side or state[1] >> cell & 1 or self.end(state) is not None:
                raise Refused(f"{quoted(name)} is not a move in {quoted(' '.join(names))}")
            state = self.play(state, cell)
        return state

    def diagram(self, state: State) -> str:
        """Return the rows, each half a cell further to the right."""
        return "\n".join(" " * i + " ".join(row) for i, row in enumerate(self.rows_of(state)))

    def move_name(self, state: State, move: int) -> str:
        """Return column letter and row number."""
        row, column = divmod(move, self.side)
        return f"{chr(ord('a') + column)}{row + 1}"
