"""Xiangqi for the checker. Square (row, column) is 9 * row + column, rows from Red's side. A state
is (board, turn): 90 bytes, a letter each as in FEN and a dot for an empty square, and the player. A
move is 128 * from + to."""

from __future__ import annotations

import struct
from collections.abc import Iterator
from typing import Any

from zermelo.errors import quoted
from zermelo.proof.header import Refused
from zermelo.proof.rules.base import Array, RulesOf, State, only

MOVE = struct.Struct("<i")
MARKS = b".KABNRCP?kabnrcp"  # in the order of the codes of records
EMPTY = ord(".")
MOST = {"A": 2, "B": 2, "N": 2, "R": 2, "C": 2, "P": 5}  # of a piece that a side has
DIALECTS = ("ucci", "iccs", "uci", "wxf", "chinese")
WAYS = ((0, 1), (0, -1), (1, 0), (-1, 0))  # right, left, up, down: rows up, columns right
SLANTS = ((1, 1), (1, -1), (-1, 1), (-1, -1))
PALACE = {(row, column) for row in (0, 1, 2) for column in (3, 4, 5)}
ADVISORS = {(0, 3), (0, 5), (1, 4), (2, 3), (2, 5)}
ELEPHANTS = {(0, 2), (0, 6), (2, 0), (2, 4), (2, 8), (4, 2), (4, 6)}
EVERYWHERE = {(row, column) for row in range(10) for column in range(9)}
HOMES = {"K": PALACE, "A": ADVISORS, "B": ELEPHANTS}
KEPT = {"none": None, "red": (31, ord("P")), "black": (58, ord("p"))}  # square and piece
Step = tuple[int, int]  # where to, and the square that must be empty; -1 for none


def numbers(row: int, column: int, side: int) -> int:
    """Return a square whose row is counted from the side of a player."""
    return 9 * (9 - row if side else row) + column


def steps_of(letter: str, row: int, column: int) -> list[tuple[int, int, int, int]]:
    """Return the squares that a piece, which does not slide, goes to, and those on the way."""
    if letter in "KP":
        ways = [(up, right) for up, right in WAYS
                if letter == "K" or up == 1 or (up == 0 and row >= 5)]
        return [(row + up, column + right, -1, -1) for up, right in ways]
    if letter == "A":
        return [(row + up, column + right, -1, -1) for up, right in SLANTS]
    if letter == "B":
        return [(row + 2 * up, column + 2 * right, row + up, column + right)
                for up, right in SLANTS]
    return [(row + 2 * up + aside * right, column + 2 * right + aside * up, row + up,
             column + right) for up, right in WAYS for aside in (1, -1)]


class XiangqiRules(RulesOf):
    """Repetition is a draw; a player without a move has lost."""

    players = ("Red", "Black")
    cyclic = True
    layout = {"kind": "fields", "fields": [["squares", "|u1", 45]]}  # noqa: RUF012

    def __init__(self, parameters: dict[str, Any], folded: bool) -> None:
        super().__init__(folded)
        only(parameters, "repetition", "protected", "dialect", "pieces")
        kept = parameters.get("protected", "none")
        if (parameters.get("repetition") != "draw" or parameters.get("dialect") not in DIALECTS
                or parameters.get("pieces") not in ("letters", "chinese")
                or not isinstance(kept, str) or kept not in KEPT):
            raise Refused(f"no certificate can be about xiangqi with {quoted(parameters)}")
        if folded:
            raise Refused("xiangqi has no symmetries here, so that nothing can be folded")
        self.kept = KEPT[kept]
        self.first = 1 if parameters["dialect"] == "uci" else 0
        self.steps = {piece: self._steps(piece) for piece in b"KABNPkabnp"}
        self.rays = [self._rays(square) for square in range(90)]
        self.own = (frozenset(b"KABNRCP"), frozenset(b"kabnrcp"))
        self.kings = b"Kk"
        self.horses = self._horses()
        self.allowed = [frozenset(piece for piece in MARKS if self._may_stand(chr(piece), square))
                        for square in range(90)]

    def _may_stand(self, piece: str, square: int) -> bool:
        """Return True if a piece may be on a square; compositions have pawns anywhere."""
        row, column = divmod(square, 9)
        return (9 - row if piece.islower() else row, column) in HOMES.get(piece.upper(), EVERYWHERE)

    def _steps(self, piece: int) -> list[list[Step]]:
        """Return, for each square, the steps of the piece from there, if it can be there."""
        letter, side = chr(piece).upper(), int(chr(piece).islower())
        home = HOMES.get(letter, EVERYWHERE)
        found: list[list[Step]] = [[] for _ in range(90)]
        for row, column in home:
            for to_row, to_column, leg_row, leg_column in steps_of(letter, row, column):
                if (to_row, to_column) in home:
                    leg = numbers(leg_row, leg_column, side) if leg_row >= 0 else -1
                    found[numbers(row, column, side)].append(
                        (numbers(to_row, to_column, side), leg))
        return found

    def _rays(self, square: int) -> list[list[int]]:
        """Return the squares to the right, left, up and down."""
        row, column = divmod(square, 9)
        return [list(range(square + 1, 9 * row + 9)), list(range(square - 1, 9 * row - 1, -1)),
                list(range(square + 9, 90, 9)), list(range(column, square, 9))[::-1]]

    def _horses(self) -> list[list[Step]]:
        """Return, for each square, the squares from which a horse takes there, and its legs."""
        found: list[list[Step]] = [[] for _ in range(90)]
        for at, steps in enumerate(self.steps[ord("N")]):
            for to, leg in steps:
                found[to].append((at, leg))
        return found

    def attacked(self, board: bytes | bytearray, king: int, side: int) -> bool:
        """Return True if the king on a square could be taken, or faces the other one."""
        enemy, rook, cannon, pawn, horse = b"krcpn" if side == 0 else b"KRCPN"
        for way, ray in enumerate(self.rays[king]):
            met = 0
            for square in ray:
                piece = board[square]
                if piece == EMPTY:
                    continue
                if met:
                    if piece == cannon:
                        return True
                    break
                if piece in (rook, enemy) or (
                        piece == pawn and square == ray[0] and way != 3 - side):
                    return True
                met = 1
        return any(board[at] == horse and board[leg] == EMPTY for at, leg in self.horses[king])

    def _ways(self, state: State) -> Iterator[int]:
        """Yield the moves, whether or not the king is safe."""
        board, side = state
        own = self.own[side]
        for at, piece in enumerate(board):
            if piece not in own:
                continue
            if piece in b"RrCc":
                yield from self._slides(board, at, piece in b"Cc", own)
                continue
            for to, leg in self.steps[piece][at]:
                if board[to] not in own and (leg < 0 or board[leg] == EMPTY):
                    yield 128 * at + to

    def _slides(self, board: bytes, at: int, jumps: bool, own: frozenset[int]) -> Iterator[int]:
        """Yield the moves of a rook, or of a cannon, which jumps to take."""
        for ray in self.rays[at]:
            met = False
            for to in ray:
                piece = board[to]
                if piece == EMPTY:
                    if not met:
                        yield 128 * at + to
                elif met or not jumps:
                    if piece not in own:
                        yield 128 * at + to
                    break
                else:
                    met = True

    def _safe(self, board: bytearray, side: int, king: int, move: int) -> bool:
        """Return True if a move leaves the own king safe, and takes no pawn that is protected. The
        board is left as it was."""
        at, to = move >> 7, move & 127
        piece, taken = board[at], board[to]
        if (to, taken) == self.kept:
            return False
        board[at], board[to] = EMPTY, piece
        found = not self.attacked(board, to if at == king else king, side)
        board[at], board[to] = piece, taken
        return found

    def _legal(self, state: State) -> Iterator[int]:
        """Return the legal moves, found one by one."""
        board, side = bytearray(state[0]), state[1]
        king = board.index(self.kings[side])
        return (move for move in self._ways(state) if self._safe(board, side, king, move))

    def moves(self, state: State) -> list[int]:
        """Return the moves piece by piece from a0, b0 on, each in the order of its steps."""
        return list(self._legal(state))

    def legal(self, state: State, move: int) -> bool:
        """Return True if ``move`` is legal."""
        board, side = bytearray(state[0]), state[1]
        return move in self._ways(state) and self._safe(
            board, side, board.index(self.kings[side]), move)

    def play(self, state: State, move: int) -> State:
        """Return the state after a move; a piece that stands where it ends is taken off."""
        board, at, to = bytearray(state[0]), move >> 7, move & 127
        board[to], board[at] = board[at], EMPTY
        return (bytes(board), 1 - state[1])

    def mover(self, state: State) -> int:
        """Return the second part of the state."""
        return int(state[1])

    def end(self, state: State) -> int | None:
        """Return the winner where the player to move has no move."""
        return None if next(self._legal(state), None) is not None else 1 - int(state[1])

    def record(self, data: bytes, prover: int) -> tuple[State, int]:
        """Return the board of the squares, two to a byte, and the move."""
        codes = [code for byte in data[:45] for code in (byte & 15, byte >> 4)]
        board = bytes(MARKS[code] for code in codes)
        return self._checked(board, prover), MOVE.unpack(data[45:])[0]

    def key(self, state: State) -> bytes:
        """Return the squares as codes, two to a byte."""
        codes = state[0].translate(CODES)
        return bytes(low | high << 4 for low, high in zip(codes[::2], codes[1::2], strict=True))

    def keys(self, records: Array) -> Array:
        """Return the first bytes of each record."""
        return records[:, :45]

    def _checked(self, board: bytes, turn: int) -> State:
        """Return the state with these pieces; raise Refused if the rules have no such state."""
        if board.count(b"K") != 1 or board.count(b"k") != 1 or b"?" in board:
            raise Refused("it does not have one king of each side, or it has a piece that "
                          "does not exist")
        for piece, allowed in zip(board, self.allowed, strict=True):
            if piece not in allowed:
                raise Refused(f"it has {chr(piece)} where that piece can't stand")
        if self.attacked(board, board.index(self.kings[1 - turn]), 1 - turn):
            raise Refused("the king of the side that is not to move could be taken")
        return (board, turn)

    def read(self, text: str) -> State:
        """Read the first two parts of a FEN."""
        rows, _, side = text.partition(" ")
        for digit in "123456789":
            rows = rows.replace(digit, "." * int(digit))
        lines = rows.split("/")
        if side not in ("w", "b") or len(lines) != 10 or any(len(line) != 9 for line in lines):
            raise Refused(f"{quoted(text)} is not a FEN of xiangqi")
        board = "".join(reversed(lines))
        if not set(board) <= set(".KABNRCPkabnrcp"):
            raise Refused(f"{quoted(text)} has signs that are not pieces")
        for piece in MOST:
            if max(board.count(piece), board.count(piece.lower())) > MOST[piece]:
                raise Refused(f"a side of {quoted(text)} has more than {MOST[piece]} of the piece "
                              f"{piece}")
        return self._checked(board.encode(), "wb".index(side))

    def text(self, state: State) -> str:
        """Return the first two parts of the FEN."""
        rows = self.diagram(state).replace(" ", "").split("\n")
        for run in range(9, 0, -1):
            rows = [row.replace("." * run, str(run)) for row in rows]
        return f"{'/'.join(rows)} {'wb'[state[1]]}"

    def diagram(self, state: State) -> str:
        """Return the rows from Black's side."""
        board = state[0].decode()
        return "\n".join(" ".join(board[9 * row : 9 * row + 9]) for row in reversed(range(10)))

    def move_name(self, state: State, move: int) -> str:
        """Return ``h2e2``; ranks from 1 in the dialect uci. Other dialects are not written."""
        return "".join(f"{'abcdefghi'[square % 9]}{square // 9 + self.first}"
                       for square in (move >> 7, move & 127))


CODES = bytes(MARKS.index(byte) if byte in MARKS else 0 for byte in range(256))
