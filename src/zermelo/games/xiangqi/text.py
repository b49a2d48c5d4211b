"""The notations of Xiangqi: FEN, lists of moves, and the names of single moves."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np

from zermelo.core.position import Position
from zermelo.errors import BadMove, BadPosition, listed, quoted
from zermelo.games import grid
from zermelo.games.xiangqi import names
from zermelo.games.xiangqi.rules import BESIDE, ROOM
from zermelo.games.xiangqi.tables import (
    BLACK,
    COLUMNS,
    KING,
    PAWN,
    ROWS,
    SQUARES,
    TURN_KEY,
    may_stand,
)

if TYPE_CHECKING:
    from zermelo.games.xiangqi.game import Xiangqi

FEN_LETTERS = ".KABNRCP"
# In pictures the two sides' pieces must differ without colour.
SIGNS = (" 帥仕相傌俥炮兵", " 將士象馬車砲卒")
EMPTY_SIGN = "\uff0b"
WIDE_LETTERS = "ａｂｃｄｅｆｇｈｉ"  # noqa: RUF001 (as wide as the signs)
FROM_SIGNS = {**dict(zip(map(ord, SIGNS[0][1:]), FEN_LETTERS[1:], strict=True)),
              **dict(zip(map(ord, SIGNS[1][1:]), FEN_LETTERS[1:].lower(), strict=True)),
              ord(EMPTY_SIGN): ".",
              **{ord(wide): f" {plain} " for wide, plain in zip(WIDE_LETTERS, "abcdefghi",
                                                                strict=True)}}
OTHER_LETTERS = str.maketrans("HEhe", "NBnb")
SIDES = {"w": 0, "r": 0, "b": 1}
KINDS = ("", "king", "advisor", "elephant", "horse", "rook", "cannon", "pawn")
MOST = (0, 1, 2, 2, 2, 2, 2, 5)
WHOLE = re.compile(r"(?:position\s+)?(?:(startpos)|(?:fen\s+)?(\S*/\S*)((?:\s+(?!moves\b)\S+)*))"
                   r"(?:\s+moves\b(.*))?", re.DOTALL)
COUNTERS = re.compile(r"(?:- -)?(?: ?[0-9]+ [0-9]+)?")
COORDINATES = re.compile(r"([a-i])([0-9]+)-?([a-i])([0-9]+)", re.ASCII)
NUMBER = re.compile(r"(?:^|(?<=\s))[0-9]+\.+(?=\s|[A-Za-z\u4e00-\u9fff])")


def board_of(position: Position) -> list[int]:
    """The pieces by square."""
    board: list[int] = position.state[0]["board"][:SQUARES].tolist()
    return board


def letter(piece: int) -> str:
    """As in FEN: upper case for Red."""
    mark = FEN_LETTERS[piece % BLACK]
    return mark if piece < BLACK else mark.lower()


def fen(position: Position) -> str:
    """The rows from Black's side and the side to move."""
    board = board_of(position)
    rows = ["".join(letter(piece) for piece in board[COLUMNS * row : COLUMNS * (row + 1)])
            for row in reversed(range(ROWS))]
    return f"{shortened('/'.join(rows))} {'wb'[int(position.state[0]['turn'])]}"


def shortened(rows: str) -> str:
    """Rows with digits for runs of empty squares."""
    return re.sub(r"\.+", lambda run: str(len(run[0])), rows)


def read(game: Xiangqi, text: str) -> Position:
    """A FEN, with or without moves after it, or moves from the start."""
    text = _undrawn(text)
    found = WHOLE.fullmatch(text)
    if found is None:
        return play_all(game, game.start(), _split(text)).read_as("moves")
    position = game.start() if found[1] else from_fen(game, found[2], found[3].split())
    if found[4] is None:
        return position.read_as("FEN")
    return play_all(game, position, _split(found[4])).read_as("FEN and moves")


def _undrawn(text: str) -> str:
    """The rows of a diagram as a FEN has them."""
    letters = text.translate(FROM_SIGNS)
    found = grid.undrawn(letters, COLUMNS, ROWS)
    return text if found == letters else found


def _split(text: str) -> list[str]:
    """The names of moves, without their numbers."""
    return NUMBER.sub(" ", text.replace(",", " ").replace(";", " ")).split()


def play_all(game: Xiangqi, position: Position, moves: Iterable[str]) -> Position:
    """``position`` after ``moves``; nothing can follow an end by repetition."""
    met = Counter(game.way_to(position))
    for number, name in enumerate(moves, 1):
        try:
            if met[position] >= game.times:
                end = game.ended_by_repetition(position)
                raise BadMove(f"{quoted(name)}: the position before it has come up {met[position]} "
                              f"times, so that the game is over, {game.in_words(end)}.")
            position = position.play(name)
        except BadMove as error:
            raise BadPosition(f"{game.name}: move {number}: {error}") from None
        met[position] += 1
    return position


def from_fen(game: Xiangqi, rows: str, rest: list[str]) -> Position:
    """The position of a FEN; the counters behind the side to move are read over."""
    if not rest or rest[0] not in SIDES:
        what = f"says {quoted(rest[0])} for" if rest else "does not say"
        raise BadPosition(f"{game.name}: the FEN {quoted(rows)} {what} who moves; write a space "
                          "and w (Red) or b (Black) after the board.")
    if not COUNTERS.fullmatch(" ".join(rest[1:])):
        raise BadPosition(f"{game.name}: {quoted(' '.join(rest[1:]))} after the side to move of a "
                          "FEN is not understood; write nothing, or - - and two numbers.")
    board = _board(game, rows.translate(OTHER_LETTERS))
    for piece in (0, BLACK):
        _check_pieces(game, board, piece, rows)
    position = make(game, board, SIDES[rest[0]])
    if game.in_check(make(game, board, 1 - SIDES[rest[0]])):
        owner, other = (game.players[SIDES[rest[0]] ^ i] for i in (0, 1))
        raise BadPosition(f"{game.name}: in {quoted(rows)} {owner} is to move and could take the "
                          f"king of {other}; no game leads there.")
    return position


def make(game: Xiangqi, board: list[int], turn: int) -> Position:
    """The position with these pieces."""
    kings, keys = [board.index(KING), board.index(KING + BLACK)], game.rules.data.keys
    hashed = np.uint64(0) if turn == 0 else keys[0, TURN_KEY]
    for square, piece in enumerate(board):
        if piece:
            hashed = hashed ^ keys[piece, square]
    return game.position(hash=hashed, board=board + [0] * (ROOM - SQUARES), kings=kings, turn=turn)


def _board(game: Xiangqi, text: str) -> list[int]:
    """The pieces by square, from the rows of a FEN."""
    rows = [re.sub("[0-9]", lambda run: "." * int(run[0]), row) for row in text.split("/")]
    if len(rows) != ROWS or any(len(row) != COLUMNS for row in rows):
        wrong = next((i for i, row in enumerate(rows) if len(row) != COLUMNS), None)
        where = "" if wrong is None else f" (row {wrong + 1} from the top has {len(rows[wrong])})"
        raise BadPosition(f"{game.name}: {quoted(text)} is not a board of {ROWS} rows with "
                          f"{COLUMNS} squares each{where}; write the rows from Black's side with / "
                          "between them.")
    board: list[int] = []
    for row in reversed(rows):
        for mark in row:
            kind = FEN_LETTERS.find(mark.upper())
            if kind < 0:
                where = names.square_name(len(board), game["dialect"])
                raise BadPosition(f"{game.name}: {quoted(mark)} at {where} is not a piece; write "
                                  "KABNRCP for Red, kabnrcp for Black, digits for empty squares.")
            board.append(kind + (BLACK if mark.islower() else 0))
    return board


def _check_pieces(game: Xiangqi, board: list[int], side: int, rows: str) -> None:
    """Refuse numbers of pieces, and places, that no game leads to."""
    owner = game.players[side // BLACK]
    for kind in range(KING, PAWN + 1):
        squares = [square for square in range(SQUARES) if board[square] == side + kind]
        if len(squares) > MOST[kind] or (kind == KING and not squares):
            valid = "just 1" if kind == KING else f"at most {MOST[kind]}"
            raise BadPosition(f"{game.name}: {owner} has {len(squares)} {KINDS[kind]}s in "
                              f"{quoted(rows)}; there must be {valid}.")
        for square in squares:
            row, column = divmod(square, COLUMNS)
            if not may_stand(kind, row if side == 0 else ROWS - 1 - row, column):
                where = names.square_name(square, game["dialect"])
                raise BadPosition(f"{game.name}: {owner}'s {KINDS[kind]} can't stand on {where}, "
                                  f"as in {quoted(rows)}.")


def parse_move(position: Position, text: str) -> int:
    """Coordinates in the game's dialect, WXF or Chinese; upper and lower case."""
    dialect, name = position.game["dialect"], "".join(text.split())
    found = COORDINATES.fullmatch(name.lower())
    if found:
        code = _from_coordinates(dialect, text, found)
        if code in position.codes():
            return code
    else:
        wanted, board = names.normal(name), board_of(position)
        for code in position.codes():
            at, to = code >> 7, code & 127
            if wanted in (names.wxf_name(board, at, to), names.chinese_name(board, at, to)):
                return code
    hint = _other_dialect(position, found) if found else ""
    raise BadMove(f"{quoted(text)} is not a legal move here{hint}; legal: "
                  f"{listed(position.moves())}.")


def _other_dialect(position: Position, found: re.Match[str]) -> str:
    """A hint where the move is legal with ranks counted from 1, or from 0."""
    own = names.first_rank(position.game["dialect"])
    for dialect in ("uci", "ucci"):
        first = names.first_rank(dialect)
        ranks = [int(rank[:4]) - first for rank in found.group(2, 4)]
        squares = [COLUMNS * rank + names.LETTERS.index(file)
                   for rank, file in zip(ranks, found.group(1, 3), strict=True)]
        if first != own and all(0 <= rank < ROWS for rank in ranks) and (
                BESIDE * squares[0] + squares[1] in position.codes()):
            return f" with ranks from {own}, but with dialect={dialect} it is"
    return ""


def _from_coordinates(dialect: str, text: str, found: re.Match[str]) -> int:
    """The code of a move from one square to another."""
    first, squares = names.first_rank(dialect), []
    for column, rank in (found.group(1, 2), found.group(3, 4)):
        row = int(rank[:4]) - first
        if not 0 <= row < ROWS:
            other = "ucci" if first else "uci"
            raise BadMove(f"{quoted(text)}: there is no rank {rank[:4]}; with dialect={dialect} "
                          f"ranks are {first} to {first + ROWS - 1}, with dialect={other} "
                          f"{1 - first} to {ROWS - first}.")
        squares.append(COLUMNS * row + names.LETTERS.index(column))
    return BESIDE * squares[0] + squares[1]
