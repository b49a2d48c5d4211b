"""Connect(m,n,k,p,q) the slow way: a set of stones, and every line measured from end to end."""

from zermelo.core.position import Position

LETTERS = "abcdefghijklmnopqrstuvwxyz"


class NaiveKInARow:
    """A state is (stones, mover, stones left); stones is a frozenset of (square, player)."""

    def __init__(self, columns: int = 3, rows: int = 3, line: int = 3, stones: int = 1,
                 first: int = 1, overline: str = "wins") -> None:
        self.columns, self.rows, self.line = columns, rows, line
        self.stones, self.first, self.overline = stones, first, overline

    def start(self):
        return (frozenset(), 0, self.first)

    def from_position(self, position: Position):
        board, side = position.text.split()
        stones = set()
        for row, marks in enumerate(board.split("/")):
            for column, mark in enumerate(marks):
                if mark != ".":
                    square = LETTERS[column] + str(self.rows - row)
                    stones.add((square, "XO".index(mark)))
        return (frozenset(stones), "XO".index(side[0]), int(side[1:] or 1))

    def mover(self, state) -> int:
        return state[1]

    def moves(self, state) -> list[str]:
        taken = {square for square, _ in state[0]}
        letters, numbers = LETTERS[: self.columns], range(self.rows, 0, -1)
        squares = [letter + str(number) for number in numbers for letter in letters]
        return [square for square in squares if square not in taken]

    def play(self, state, move: str):
        stones, mover, left = state
        assert move in self.moves(state)
        after = stones | {(move, mover)}
        return (after, mover, left - 1) if left > 1 else (after, 1 - mover, self.stones)

    def outcome(self, state) -> str | None:
        for player, name in enumerate(("first", "second")):
            own = {(LETTERS.index(s[0]), int(s[1:])) for s, who in state[0] if who == player}
            for length in self.lengths(own):
                if length == self.line or (length > self.line and self.overline == "wins"):
                    return name
        return "draw" if len(state[0]) == self.columns * self.rows else None

    def lengths(self, own: set[tuple[int, int]]):
        """The length of every line of ``own`` stones, from its first stone to its last."""
        for c, r in own:
            for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
                if (c - dc, r - dr) not in own:
                    length = 1
                    while (c + length * dc, r + length * dr) in own:
                        length += 1
                    yield length
