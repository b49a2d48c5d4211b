"""Lines of Action the slow way: a dictionary of squares, walked over one step at a time."""

from zermelo.core.position import Position

DIRECTIONS = [(1, 0), (-1, 0), (1, 1), (-1, -1), (0, 1), (0, -1), (-1, 1), (1, -1)]
LETTERS = "abcdefgh"


class NaiveLinesOfAction:
    """A state is (board, mover); board is a set of ((column, row), player), rows from the bottom.
    """

    def __init__(self, size: int = 8, simultaneous: str = "draw", no_move: str = "pass",
                 repetition: str = "third") -> None:
        self.size, self.simultaneous, self.no_move = size, simultaneous, no_move

    def start(self):
        last, middle = self.size - 1, range(1, self.size - 1)
        first = [((c, r), 0) for c in middle for r in (0, last)]
        second = [((c, r), 1) for r in middle for c in (0, last)]
        return (frozenset(first + second), 0)

    def from_position(self, position: Position):
        rows, side = position.text.split()
        pieces = [((c, self.size - 1 - r), "XO".index(mark))
                  for r, row in enumerate(rows.split("/")) for c, mark in enumerate(row)
                  if mark != "."]
        return (frozenset(pieces), "XO".index(side))

    def mover(self, state) -> int:
        return state[1]

    def _on_board(self, square) -> bool:
        return all(0 <= number < self.size for number in square)

    def _along(self, square, direction):
        """The squares from ``square`` to the edge, without itself."""
        column, row = square
        while True:
            column, row = column + direction[0], row + direction[1]
            if not self._on_board((column, row)):
                return
            yield (column, row)

    def _targets(self, board, square, player):
        """Where the piece on ``square`` can go."""
        for direction in DIRECTIONS:
            back = (-direction[0], -direction[1])
            ahead, behind = (list(self._along(square, way)) for way in (direction, back))
            distance = 1 + sum(other in board for other in ahead + behind)
            if distance > len(ahead):
                continue
            if any(board.get(between) == 1 - player for between in ahead[: distance - 1]):
                continue
            if board.get(ahead[distance - 1]) != player:
                yield ahead[distance - 1]

    def name(self, square) -> str:
        return f"{LETTERS[square[0]]}{square[1] + 1}"

    def moves(self, state) -> list[str]:
        board, player = dict(state[0]), state[1]
        found = []
        for square in sorted(board, key=lambda square: (square[1], square[0])):
            if board[square] == player:
                found += [f"{self.name(square)}{'x' if to in board else '-'}{self.name(to)}"
                          for to in self._targets(board, square, player)]
        if not found and self.no_move == "pass":
            return ["pass"]
        return found

    def play(self, state, move: str):
        board, player = dict(state[0]), state[1]
        if move != "pass":
            begin, end = ((LETTERS.index(name[0]), int(name[1]) - 1)
                          for name in (move[:2], move[3:]))
            del board[begin]
            board[end] = player
        return (frozenset(board.items()), 1 - player)

    def connected(self, board, player: int) -> bool:
        """Can one walk from a piece of ``player`` to all the others, over that player's pieces?"""
        pieces = {square for square in board if board[square] == player}
        todo = [next(iter(pieces))]
        met = set(todo)
        while todo:
            column, row = todo.pop()
            near = {(column + right, row + up) for right, up in DIRECTIONS} & pieces - met
            met |= near
            todo += near
        return met == pieces

    def outcome(self, state) -> str | None:
        board, to_move = dict(state[0]), state[1]
        joined = [self.connected(board, player) for player in (0, 1)]
        if all(joined) and self.simultaneous == "draw":
            return "draw"
        if joined[1 - to_move]:
            return ("second", "first")[to_move]
        if joined[to_move]:
            return ("first", "second")[to_move]
        if self.no_move == "loses" and not self.moves(state):
            return ("second", "first")[to_move]
        return None
