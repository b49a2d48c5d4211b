"""Connect Four in plain Python: a state is a tuple, a move is the number of a column.

    zermelo solve examples/plain_connect_four.py:ConnectFour -g columns=4 -g rows=4

No compiler is involved: any hashable object can be a state. The built-in game, which is compiled,
is some hundred times as fast.
"""

from typing import ClassVar

from zermelo import Parameter, PlainGame

DIRECTIONS = ((1, 0), (0, 1), (1, 1), (1, -1))


class ConnectFour(PlainGame):
    """A state is the stones in each column, from the bottom, as texts, and the last move."""

    parameters: ClassVar = {
        "columns": Parameter(5, "columns of the board", low=4, high=9),
        "rows": Parameter(4, "rows of the board", low=4, high=9),
    }
    players = ("X", "O")
    cyclic = False  # no position can come up twice: every move adds a stone

    def start(self):
        """An empty board; no column was the last one."""
        return ("",) * self["columns"], None

    def mover(self, state):
        """X begins."""
        return sum(map(len, state[0])) % 2

    def moves(self, state):
        """The columns that are not full, from 1."""
        return [i + 1 for i, column in enumerate(state[0]) if len(column) < self["rows"]]

    def play(self, state, move):
        """A stone on top of a column."""
        columns = list(state[0])
        columns[move - 1] += self.players[self.mover(state)]
        return tuple(columns), move

    def key(self, state):
        """The board alone: the last move only says where to look for a line."""
        return state[0]

    def outcome(self, state):
        """A line of four goes through the stone that fell last."""
        columns, last = state
        if last is None:
            return None
        x, y = last - 1, len(columns[last - 1]) - 1
        mark = columns[x][y]

        def count(dx, dy):
            n, cx, cy = 0, x + dx, y + dy
            while 0 <= cx < len(columns) and 0 <= cy < len(columns[cx]) and columns[cx][cy] == mark:
                n, cx, cy = n + 1, cx + dx, cy + dy
            return n

        if any(count(dx, dy) + count(-dx, -dy) >= 3 for dx, dy in DIRECTIONS):
            return "first" if mark == "X" else "second"
        return None if any(len(column) < self["rows"] for column in columns) else "draw"

    def diagram(self, state):
        """Row by row, the highest first."""
        rows = range(self["rows"] - 1, -1, -1)
        return "\n".join(" ".join(column[row : row + 1] or "." for column in state[0])
                         for row in rows)
