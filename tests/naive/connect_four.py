"""Connect Four the slow way: a dict of stones and a look at every line."""

from zermelo.core.position import Position


class NaiveConnectFour:
    """A state is (stones, mover); stones is a frozenset of ((column, row), player)."""

    def __init__(self, columns: int = 7, rows: int = 6, line: int = 4) -> None:
        self.columns, self.rows, self.line = columns, rows, line
        squares = {(c, r) for c in range(columns) for r in range(rows)}
        runs = [[(c + i * dc, r + i * dr) for i in range(line)] for c, r in squares
                for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1))]
        self.lines = [run for run in runs if squares.issuperset(run)]

    def start(self):
        return (frozenset(), 0)

    def from_position(self, position: Position):
        text, side = position.text.split()
        stones = set()
        for index, mark in enumerate(text):
            if mark != ".":
                row, column = divmod(index, self.columns)
                stones.add(((column, self.rows - 1 - row), "XO".index(mark)))
        return (frozenset(stones), "XO".index(side))

    def mover(self, state) -> int:
        return state[1]

    def moves(self, state) -> list[str]:
        heights = [0] * self.columns
        for (column, _), _ in state[0]:
            heights[column] += 1
        return [str(c + 1) for c in range(self.columns) if heights[c] < self.rows]

    def play(self, state, move: str):
        column = int(move) - 1
        height = sum(1 for (c, _), _ in state[0] if c == column)
        return (state[0] | {((column, height), state[1])}, 1 - state[1])

    def outcome(self, state) -> str | None:
        stones = dict(state[0])
        for run in self.lines:
            player = stones.get(run[0])
            if player is not None and all(stones.get(square) == player for square in run):
                return ("first", "second")[player]
        return "draw" if len(stones) == self.columns * self.rows else None
