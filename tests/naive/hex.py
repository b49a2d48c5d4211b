"""Hex the slow way: sets of (column, row), and a walk over neighbours from edge to edge."""

from zermelo.core.position import Position

NEIGHBOURS = ((1, 0), (-1, 0), (0, 1), (0, -1), (1, -1), (-1, 1))


class NaiveHex:
    """A state is (stones of X, stones of O, mover). X joins the rows, O the columns."""

    def __init__(self, size: int = 11, swap: str = "no") -> None:
        self.size, self.swap = size, swap == "yes"

    def start(self):
        return (frozenset(), frozenset(), 0)

    def from_position(self, position: Position):
        head, _, body = position.text.partition(":")
        if "/" not in head and "." not in head and "x" in head:
            cells = [self.cell(name) for name in body.split()]
            return (frozenset(cells[0::2]), frozenset(cells[1::2]), len(cells) % 2)
        rows, side = position.text.split()
        stones = {mark: set() for mark in "XO."}
        for row, marks in enumerate(rows.split("/")):
            for column, mark in enumerate(marks):
                stones[mark].add((column, row))
        return (frozenset(stones["X"]), frozenset(stones["O"]), "XO".index(side))

    def cell(self, name: str):
        return ("abcdefghijklmnopqrstuvwxyz".index(name[0]), int(name[1:]) - 1)

    def name(self, cell) -> str:
        return f"{'abcdefghijklmnopqrstuvwxyz'[cell[0]]}{cell[1] + 1}"

    def mover(self, state) -> int:
        return state[2]

    def moves(self, state) -> list[str]:
        taken = state[0] | state[1]
        cells = [(c, r) for r in range(self.size) for c in range(self.size)]
        names = [self.name(cell) for cell in cells if cell not in taken]
        can_swap = self.swap and (len(state[0]), len(state[1]), state[2]) == (1, 0, 1)
        return [*names, "swap"] if can_swap else names

    def play(self, state, move: str):
        x, o, mover = state
        if move == "swap":
            return (frozenset(), frozenset((row, column) for column, row in x), 0)
        cell = self.cell(move)
        return (x, o | {cell}, 0) if mover else (x | {cell}, o, 1)

    def joined(self, stones, axis: int) -> bool:
        """Do the stones join coordinate 0 and the last one along ``axis``?"""
        seen = {cell for cell in stones if cell[axis] == 0}
        todo = list(seen)
        while todo:
            column, row = todo.pop()
            if (column, row)[axis] == self.size - 1:
                return True
            for dc, dr in NEIGHBOURS:
                cell = (column + dc, row + dr)
                if cell in stones and cell not in seen:
                    seen.add(cell)
                    todo.append(cell)
        return False

    def outcome(self, state) -> str | None:
        if self.joined(state[0], 1):
            return "first"
        return "second" if self.joined(state[1], 0) else None
