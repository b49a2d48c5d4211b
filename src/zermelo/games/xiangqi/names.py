"""What moves of Xiangqi are called: coordinates in three dialects, WXF, Chinese.

A board is a list of pieces by square (see ``xiangqi_tables``). WXF and Chinese count files from the
mover's right, 1 to 9, and say by how many ranks a piece goes forward or back, or to which file. Of
two pieces on one file the front one is ``+`` or 前, the rear one ``-`` or 后. Pawns are numbered
where there are more than two on a file, or two on several files: in WXF from the front of their
file, in Chinese over all such files, the right one first.
"""

from __future__ import annotations

from collections.abc import Sequence

from zermelo.games.xiangqi.tables import (
    ADVISOR,
    BLACK,
    CANNON,
    COLUMNS,
    ELEPHANT,
    KING,
    PAWN,
    ROOK,
    ROWS,
)

DIALECTS = ("ucci", "iccs", "uci", "wxf", "chinese")
LETTERS = "abcdefghi"
WXF = " KAEHRCP"
CHINESE = (" 帅仕相马车炮兵", " 将士象马车炮卒")
NUMERALS = "零一二三四五六七八九"
OTHER_SIGNS = str.maketrans({
    **dict(zip("帥將傌馬俥車砲包進後", "帅将马马车车炮炮进后", strict=True)),
    **{chr(0xFF10 + digit): str(digit) for digit in range(10)},  # full-width ones
})
PLACED = (KING, ROOK, CANNON, PAWN)  # pieces that keep their file when they go forward or back


def first_rank(dialect: str) -> int:
    """The number of Red's first rank in coordinates."""
    return 1 if dialect == "uci" else 0


def square_name(square: int, dialect: str) -> str:
    """File a to i from Red's left, rank from Red's side."""
    return f"{LETTERS[square % COLUMNS]}{square // COLUMNS + first_rank(dialect)}"


def move_name(board: Sequence[int], move: int, dialect: str) -> str:
    """The name of a legal move."""
    at, to = move >> 7, move & 127
    if dialect == "wxf":
        return wxf_name(board, at, to)
    if dialect == "chinese":
        return chinese_name(board, at, to)
    one, other = square_name(at, dialect), square_name(to, dialect)
    return f"{one}-{other}".upper() if dialect == "iccs" else one + other


def _seen(square: int, side: int) -> tuple[int, int]:
    """The rank that a player counts from the own side, and the file counted from the right."""
    row, column = divmod(square, COLUMNS)
    return (row, COLUMNS - column) if side == 0 else (ROWS - 1 - row, column + 1)


def _like_it(board: Sequence[int], at: int) -> dict[int, list[int]]:
    """The squares of all pieces like that on ``at``, by file, the front one first."""
    piece, files = board[at], dict[int, list[int]]()
    order = range(len(board)) if piece >= BLACK else reversed(range(len(board)))
    for square in order:
        if board[square] == piece:
            files.setdefault(_seen(square, piece // BLACK)[1], []).append(square)
    return files


def _crowded(files: dict[int, list[int]], file: int) -> bool:
    """Whether front and rear do not tell pawns apart."""
    several = [found for found in files.values() if len(found) > 1]
    return len(files[file]) > 2 or (len(files[file]) == 2 and len(several) > 1)


def _way(kind: int, side: int, at: int, to: int) -> tuple[int, int]:
    """1 forward, -1 back, 0 sideways; and by how many ranks, or to which file."""
    (rank, _), (end, file) = _seen(at, side), _seen(to, side)
    way = (end > rank) - (end < rank)
    return way, abs(end - rank) if way and kind in PLACED else file


def wxf_name(board: Sequence[int], at: int, to: int) -> str:
    """``C2.5``, ``H8+7``, ``R-.4`` for the rear rook, ``15+1`` for the first pawn of file 5."""
    kind, side = board[at] % BLACK, board[at] // BLACK
    files, file = _like_it(board, at), _seen(at, side)[1]
    way, number = _way(kind, side, at, to)
    place, letter = str(file), WXF[kind]
    if kind == PAWN and _crowded(files, file):
        letter = str(files[file].index(at) + 1)
    elif len(files[file]) == 2 and kind not in (ADVISOR, ELEPHANT):
        place = "+-"[files[file].index(at)]
    return f"{letter}{place}{'.+-'[way]}{number}"


def chinese_name(board: Sequence[int], at: int, to: int) -> str:
    """``炮二平五``, ``马8进7``, ``前车退1``."""
    kind, side = board[at] % BLACK, board[at] // BLACK
    files, file = _like_it(board, at), _seen(at, side)[1]
    way, number = _way(kind, side, at, to)
    sign = CHINESE[side][kind]
    name = f"{sign}{_numeral(file, side)}"
    if kind == PAWN and _crowded(files, file):
        name = _place_of_pawn(files, at, side) + sign
    elif len(files[file]) == 2 and kind not in (ADVISOR, ELEPHANT):
        name = "前后"[files[file].index(at)] + sign
    return f"{name}{'平进退'[way]}{_numeral(number, side)}"


def _place_of_pawn(files: dict[int, list[int]], at: int, side: int) -> str:
    """前, 中, 后 of three on one file; else their number, counted from the right file's front."""
    several = [files[file] for file in sorted(files) if len(files[file]) > 1]
    if len(several) == 1 and len(several[0]) == 3:
        return "前中后"[several[0].index(at)]
    order = [square for found in several for square in found]
    return _numeral(order.index(at) + 1, side)


def _numeral(number: int, side: int) -> str:
    return NUMERALS[number] if side == 0 else str(number)


def normal(text: str) -> str:
    """A WXF or Chinese name as ``wxf_name`` and ``chinese_name`` write it."""
    name = text.translate(OTHER_SIGNS).upper().replace("=", ".")
    return name if len(name) < 2 else {"N": "H", "B": "E"}.get(name[0], name[0]) + name[1:]


