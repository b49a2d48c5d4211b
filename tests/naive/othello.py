"""Othello the slow way: walk from a square in every direction, one step at a time."""

from zermelo.core.position import Position

DIRECTIONS = [(1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1)]


class NaiveOthello:
    """A state is (board, mover); board maps every square, row by row, to "X", "O" or "-"."""

    def __init__(self, size: int = 8, no_move: str = "pass") -> None:
        self.size, self.no_move = size, no_move

    def start(self):
        middle = self.size // 2
        board = ["-"] * self.size**2
        for row, column, mark in ((-1, -1, "O"), (-1, 0, "X"), (0, -1, "X"), (0, 0, "O")):
            board[(middle + row) * self.size + middle + column] = mark
        return ("".join(board), 0)

    def from_position(self, position: Position):
        board, side = position.text.split()
        return (board, "XO".index(side))

    def mover(self, state) -> int:
        return state[1]

    def _turned(self, board: str, square: int, player: int) -> list[int]:
        mine, theirs = "XO"[player], "OX"[player]
        found = []
        for down, right in DIRECTIONS:
            row, column = divmod(square, self.size)
            walked = []
            while True:
                row, column = row + down, column + right
                if not (0 <= row < self.size and 0 <= column < self.size):
                    break
                mark = board[row * self.size + column]
                if mark == mine:
                    found += walked
                if mark != theirs:
                    break
                walked.append(row * self.size + column)
        return found

    def _squares(self, board: str, player: int) -> list[int]:
        return [i for i, mark in enumerate(board) if mark == "-" and self._turned(board, i, player)]

    def moves(self, state) -> list[str]:
        board, player = state
        names = ["abcdefgh"[i % self.size] + str(i // self.size + 1)
                 for i in self._squares(board, player)]
        if not names and self.no_move == "pass":
            return ["pass"]
        return names

    def play(self, state, move: str):
        board, player = state
        if move == "pass":
            return (board, 1 - player)
        square = (int(move[1]) - 1) * self.size + "abcdefgh".index(move[0])
        changed = {square, *self._turned(board, square, player)}
        marks = ["XO"[player] if i in changed else mark for i, mark in enumerate(board)]
        return ("".join(marks), 1 - player)

    def outcome(self, state) -> str | None:
        board, player = state
        if self._squares(board, player):
            return None
        if self._squares(board, 1 - player):
            return None if self.no_move == "pass" else ("second", "first")[player]
        lead = board.count("X") - board.count("O")
        return "draw" if lead == 0 else "first" if lead > 0 else "second"
