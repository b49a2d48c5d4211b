"""Xiangqi the slow way: a dictionary of squares, and kings that could be taken on the next move."""

from zermelo.core.position import Position

LETTERS = "abcdefghi"
STRAIGHT = [(1, 0), (-1, 0), (0, 1), (0, -1)]  # right, left, up, down
ASLANT = [(1, 1), (-1, 1), (1, -1), (-1, -1)]


class NaiveXiangqi:
    """A state is (board, mover); board is a set of ((column, row), letter), rows from Red's side,
    letters as in FEN."""

    def __init__(self, repetition: str = "draw", protected: str = "none", **pictures: str) -> None:
        self.repetition = repetition
        self.kept = {"none": None, "red": ((4, 3), "P"), "black": ((4, 6), "p")}[protected]

    def start(self):
        back, pawns = "RNBAKABNR", range(0, 9, 2)
        red = [((c, 0), letter) for c, letter in enumerate(back)]
        red += [((c, 2), "C") for c in (1, 7)] + [((c, 3), "P") for c in pawns]
        black = [((c, 9 - r), letter.lower()) for (c, r), letter in red]
        return (frozenset(red + black), 0)

    def from_position(self, position: Position):
        return self.from_text(position.text)

    def from_text(self, text: str):
        rows, side = text.split()[:2]
        pieces = []
        for r, row in enumerate(rows.split("/")):
            for digit in "123456789":
                row = row.replace(digit, "." * int(digit))
            pieces += [((c, 9 - r), mark) for c, mark in enumerate(row) if mark != "."]
        return (frozenset(pieces), "wb".index(side))

    def mover(self, state) -> int:
        return state[1]

    def _on_board(self, square) -> bool:
        return 0 <= square[0] < 9 and 0 <= square[1] < 10

    def _in_palace(self, square, player) -> bool:
        low = 0 if player == 0 else 7
        return 3 <= square[0] <= 5 and low <= square[1] <= low + 2

    def _owner(self, letter) -> int:
        return 0 if letter.isupper() else 1

    def _along(self, square, step):
        """The squares from ``square`` to the edge, without itself."""
        column, row = square
        while True:
            column, row = column + step[0], row + step[1]
            if not self._on_board((column, row)):
                return
            yield (column, row)

    def _reach(self, board, square):
        """Where the piece on ``square`` could go, taken squares included, in the order of moves."""
        letter = board[square]
        player, kind = self._owner(letter), letter.upper()
        ahead = 1 if player == 0 else -1
        column, row = square
        height = row if player == 0 else 9 - row
        if kind in "KP":
            for right, up in STRAIGHT:
                to = (column + right, row + up * ahead)
                onward = up == 1 or (up == 0 and height >= 5)
                if self._in_palace(to, player) if kind == "K" else onward and self._on_board(to):
                    yield to
        elif kind == "A":
            for right, up in ASLANT:
                to = (column + right, row + up * ahead)
                if self._in_palace(to, player):
                    yield to
        elif kind == "B":
            for right, up in ASLANT:
                to, eye = (column + 2 * right, row + 2 * up * ahead), (column + right,
                                                                       row + up * ahead)
                home = to[1] <= 4 if player == 0 else to[1] >= 5
                if self._on_board(to) and home and eye not in board:
                    yield to
        elif kind == "N":
            for right, up in STRAIGHT:
                leg = (column + right, row + up * ahead)
                for aside in (1, -1):
                    to = (leg[0] + right + aside * up, leg[1] + (up + aside * right) * ahead)
                    if self._on_board(to) and leg not in board:
                        yield to
        else:
            for step in STRAIGHT:
                yield from self._slide(board, square, step, kind == "C")

    def _slide(self, board, square, step, cannon):
        met = False
        for to in self._along(square, step):
            if not met:
                if to not in board:
                    yield to
                elif cannon:
                    met = True
                else:
                    yield to
                    return
            elif to in board:
                yield to
                return

    def in_check(self, board, player) -> bool:
        """Can the other side take the king, or do the kings face each other?"""
        king = next(square for square in board if board[square] == "Kk"[player])
        for square in board:
            if self._owner(board[square]) != player and king in self._reach(board, square):
                return True
        other = next(square for square in board if board[square] == "kK"[player])
        if king[0] != other[0]:
            return False
        low, high = sorted((king[1], other[1]))
        return not any((king[0], row) in board for row in range(low + 1, high))

    def name(self, square) -> str:
        return f"{LETTERS[square[0]]}{square[1]}"

    def _after(self, board, at, to):
        after = {square: letter for square, letter in board.items() if square != at}
        after[to] = board[at]
        return after

    def moves(self, state) -> list[str]:
        board, player = dict(state[0]), state[1]
        found = []
        for square in sorted(board, key=lambda square: (square[1], square[0])):
            if self._owner(board[square]) == player:
                for to in self._reach(board, square):
                    if to in board and self._owner(board[to]) == player:
                        continue
                    if (to, board.get(to)) == self.kept:
                        continue
                    if not self.in_check(self._after(board, square, to), player):
                        found.append(self.name(square) + self.name(to))
        return found

    def checks(self, state) -> list[str]:
        """The moves that give check."""
        return [move for move in self.moves(state)
                if self.in_check(dict(self.play(state, move)[0]), 1 - state[1])]

    def play(self, state, move: str):
        board, player = dict(state[0]), state[1]
        at, to = ((LETTERS.index(name[0]), int(name[1])) for name in (move[:2], move[2:]))
        return (frozenset(self._after(board, at, to).items()), 1 - player)

    def outcome(self, state) -> str | None:
        return None if self.moves(state) else ("second", "first")[state[1]]
