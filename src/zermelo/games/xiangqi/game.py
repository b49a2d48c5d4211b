"""Xiangqi, Chinese chess.

Red (upper case) starts at the bottom and moves first. Whoever has no move has lost: checkmated, or
stalemated. A king may not be left to be taken, nor may the two kings face each other on an open
file. Repetition is a draw, or, by a parameter, perpetual check loses.

Positions are written as FEN or lists of moves, and moves in coordinates (three dialects), WXF or
Chinese. A board is a list of pieces by square (see ``rules``). WXF and Chinese count files from the
mover's right, 1 to 9, and say by how many ranks a piece goes forward or back, or to which file. Of
two pieces on one file the front one is ``+`` or 前, the rear one ``-`` or 后. Pawns are numbered
where there are more than two on a file, or two on several files: in WXF from the front of their
file, in Chinese over all such files, the right one first.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import ClassVar

import numpy as np

from zermelo.core import svg
from zermelo.core.position import Position
from zermelo.core.rules import Parameter, Rules
from zermelo.core.svg import Spot
from zermelo.errors import BadMove, BadPosition, listed, quoted
from zermelo.games import grid, sgf
from zermelo.games.xiangqi.rules import (
    ADVISOR,
    BESIDE,
    BLACK,
    CANNON,
    COLUMNS,
    ELEPHANT,
    KING,
    PAWN,
    ROOK,
    ROOM,
    ROWS,
    SQUARES,
    TURN_KEY,
    in_check,
    may_stand,
    rules_for,
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
    """Return True if front and rear do not tell pawns apart."""
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
    """The letter of FEN: upper case for Red."""
    mark = FEN_LETTERS[piece % BLACK]
    return mark if piece < BLACK else mark.lower()


def shortened(rows: str) -> str:
    """Rows with digits for runs of empty squares."""
    return re.sub(r"\.+", lambda run: str(len(run[0])), rows)


def _undrawn(text: str) -> str:
    """The rows of a diagram as a FEN has them."""
    letters = text.translate(FROM_SIGNS)
    found = grid.undrawn(letters, COLUMNS, ROWS)
    return text if found == letters else found


def _split(text: str) -> list[str]:
    """The names of moves, without their numbers."""
    return NUMBER.sub(" ", text.replace(",", " ").replace(";", " ")).split()


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
                where = square_name(len(board), game["dialect"])
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
                where = square_name(square, game["dialect"])
                raise BadPosition(f"{game.name}: {owner}'s {KINDS[kind]} can't stand on {where}, "
                                  f"as in {quoted(rows)}.")


def _other_dialect(position: Position, found: re.Match[str]) -> str:
    """A hint where the move is legal with ranks counted from 1, or from 0."""
    own = first_rank(position.game["dialect"])
    for dialect in ("uci", "ucci"):
        first = first_rank(dialect)
        ranks = [int(rank[:4]) - first for rank in found.group(2, 4)]
        squares = [COLUMNS * rank + LETTERS.index(file)
                   for rank, file in zip(ranks, found.group(1, 3), strict=True)]
        if first != own and all(0 <= rank < ROWS for rank in ranks) and (
                BESIDE * squares[0] + squares[1] in position.codes()):
            return f" with ranks from {own}, but with dialect={dialect} it is"
    return ""


def _from_coordinates(dialect: str, text: str, found: re.Match[str]) -> int:
    """The code of a move from one square to another."""
    first, squares = first_rank(dialect), []
    for column, rank in (found.group(1, 2), found.group(3, 4)):
        row = int(rank[:4]) - first
        if not 0 <= row < ROWS:
            other = "ucci" if first else "uci"
            raise BadMove(f"{quoted(text)}: there is no rank {rank[:4]}; with dialect={dialect} "
                          f"ranks are {first} to {first + ROWS - 1}, with dialect={other} "
                          f"{1 - first} to {ROWS - first}.")
        squares.append(COLUMNS * row + LETTERS.index(column))
    return BESIDE * squares[0] + squares[1]


CELL, LEFT, TOP, PIECE = 44, 44, 28, 19
RIGHT, BOTTOM = LEFT + CELL * (COLUMNS - 1), TOP + CELL * (ROWS - 1)
WOOD, LINE = "#e8d3a6", "#8a7346"


def _lines() -> list[str]:
    parts = [svg.line(LEFT, TOP + CELL * row, RIGHT, TOP + CELL * row, LINE) for row in range(ROWS)]
    river = TOP + 4 * CELL
    for column in range(COLUMNS):
        x = LEFT + CELL * column
        if column in (0, COLUMNS - 1):
            parts.append(svg.line(x, TOP, x, BOTTOM, LINE))
        else:
            parts += [svg.line(x, TOP, x, river, LINE),
                      svg.line(x, river + CELL, x, BOTTOM, LINE)]
    x = LEFT + 3 * CELL
    for y in (TOP, TOP + 7 * CELL):
        parts += [svg.line(x, y, x + 2 * CELL, y + 2 * CELL, LINE),
                  svg.line(x, y + 2 * CELL, x + 2 * CELL, y, LINE)]
    return parts


RED_KING, BLACK_KING = 84, 4  # d0 and e9: on an otherwise empty board they must not be in line
START = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR"


class Xiangqi(grid.BoardGame):
    """Chinese chess."""

    name = "xiangqi"
    players = ("Red", "Black")
    sides = ("w", "b")  # as in a FEN
    colours = (("w", "b"), ("r", "b"), ("white", "black"))
    thresholds = (600, 200)
    parameters: ClassVar[dict[str, Parameter]] = {
        "repetition": Parameter("draw", "a repeated position: a draw, for solving; or a "
                                "loss for a side that gave check with every move, for play",
                                choices=("draw", "perpetual-check-loses")),
        "protected": Parameter("none", "whose middle pawn may not be taken before it has moved, "
                               "where that side gives a horse", kind="data",
                               choices=("none", "red", "black")),
        "dialect": Parameter("ucci", "how moves are written: h2e2, H2-E2, h3e3 (ranks 1 to 10), "
                             "C2.5 or in Chinese", choices=DIALECTS, kind="data"),
        "pieces": Parameter("letters", "how pieces are drawn", choices=("letters", "chinese"),
                            kind="data"),
    }

    def define(self) -> Rules:
        """Two sets of rules; dialect and pictures are not part of them."""
        return rules_for(self["repetition"] == "perpetual-check-loses", self["protected"])

    def start(self) -> Position:
        """The usual array of pieces, Red to move."""
        return self._start

    @cached_property
    def _start(self) -> Position:
        return from_fen(self, START, ["w"])

    def in_check(self, position: Position) -> bool:
        """Return True if the player to move is in check."""
        return bool(self.board.ask(in_check, position.state))

    def ended_by_repetition(self, position: Position) -> str | None:
        """``first``, ``second`` or ``draw`` if the moves that led to ``position`` have brought it
        about for the third time; else None."""
        way = position.way
        if way.count(position) < self.draw_at:
            return None
        if self["repetition"] == "draw":
            return "draw"
        since = way[way.index(position) + 1 :]
        always = [all(self.in_check(after) for after in since if after.mover != side)
                  for side in (0, 1)]
        return "draw" if always[0] == always[1] else ("second", "first")[always[1]]

    def repeated(self, position: Position) -> str:
        """The end of a game in which ``position`` has come up for the third time, in words."""
        end = self.ended_by_repetition(position)
        return "a draw" if end == "draw" else f"{self.players[end == 'second']} has won"

    def read(self, text: str) -> Position:
        """A FEN, with or without moves after it, or moves from the start."""
        text = _undrawn(text)
        found = WHOLE.fullmatch(text)
        if found is None:
            return self.play_all(self.start(), _split(text)).read_as("moves")
        position = self.start() if found[1] else from_fen(self, found[2], found[3].split())
        if found[4] is None:
            return position.read_as("FEN")
        return self.play_all(position, _split(found[4])).read_as("FEN and moves")

    def play_all(self, position: Position, moves: Iterable[str]) -> Position:
        """``position`` after ``moves``; nothing can follow an end by repetition."""
        return sgf.replayed(position, ((None, move) for move in moves))

    def format(self, position: Position) -> str:
        """The first two parts of a FEN."""
        return self._fen(self.squares(position), position.mover)

    def _fen(self, squares: str, mover: int) -> str:
        """The rows from Black's side and the side to move."""
        return f"{shortened('/'.join(grid.in_rows(squares, COLUMNS)))} {self.sides[mover]}"

    @property
    def shape_of_board(self) -> tuple[int, int]:
        """Columns and rows."""
        return COLUMNS, ROWS

    @property
    def lowest(self) -> int:  # type: ignore[override]
        """The number of Red's first rank."""
        return first_rank(self["dialect"])

    def squares(self, position: Position) -> str:
        """The pieces as letters of FEN, row by row from Black's side."""
        letters = "".join(map(letter, board_of(position)))
        return "".join(reversed(grid.in_rows(letters, COLUMNS)))

    def centre(self, row: int, column: int) -> Spot:
        """Return where a crossing is, rows from Black's side."""
        return LEFT + CELL * column, TOP + CELL * row

    def move_name(self, position: Position, move: int) -> str:
        """In the dialect."""
        return move_name(board_of(position), move, self["dialect"])

    def parse_move(self, position: Position, text: str) -> int:
        """Coordinates in the game's dialect, WXF or Chinese; upper and lower case."""
        dialect, name = self["dialect"], "".join(text.split())
        found = COORDINATES.fullmatch(name.lower())
        if found:
            code = _from_coordinates(dialect, text, found)
            if code in position.codes():
                return code
        else:
            wanted, board = normal(name), board_of(position)
            for code in position.codes():
                at, to = code >> 7, code & 127
                if wanted in (wxf_name(board, at, to), chinese_name(board, at, to)):
                    return code
        hint = _other_dialect(position, found) if found else ""
        raise BadMove(f"{quoted(text)} is not a legal move here{hint}; legal: "
                      f"{listed(position.moves())}.")

    def _sign(self, piece: int) -> str:
        if self["pieces"] == "letters":
            return letter(piece)
        return SIGNS[piece // BLACK][piece % BLACK] if piece else EMPTY_SIGN

    def diagram(self, position: Position) -> str:
        """The board from Red's side with its coordinates, and who moves."""
        board, first = board_of(position), first_rank(self["dialect"])
        letters = self["pieces"] == "letters"
        gap, files = (" ", LETTERS) if letters else ("", WIDE_LETTERS)
        width = len(str(first + ROWS - 1))
        lines = []
        for row in reversed(range(ROWS)):
            signs = [self._sign(piece) for piece in board[COLUMNS * row : COLUMNS * (row + 1)]]
            lines.append(f"{row + first:>{width}} {gap.join(signs)}")
        return "\n".join([*lines, f"{' ' * width} {gap.join(files)}", svg.status(position)])

    def spots(self, position: Position, move: int) -> list[Spot]:
        """The crossings from and to."""
        return [self.centre(ROWS - 1 - square // COLUMNS, square % COLUMNS)
                for square in (move >> 7, move & 127)]

    def from_to(self, position: Position, move: int) -> tuple[str, str]:
        """The crossings from and to."""
        return (square_name(move >> 7, self["dialect"]),
                square_name(move & 127, self["dialect"]))

    def last_move_svg(self, spots: list[Spot]) -> str:
        """A ring around the piece, a small one where it came from."""
        (x, y), (to_x, to_y) = spots
        return svg.ring(x, y, 6) + svg.ring(to_x, to_y, PIECE + 1.5)

    def svg(self, position: Position) -> str:
        """Lines with the river and the palaces, and round pieces on the crossings."""
        spots = self.square_spots()
        parts = [svg.rectangle(0, 0, RIGHT + 28, BOTTOM + 50, WOOD, radius=6), *_lines(),
                 *grid.labels(spots, 12, BOTTOM + 36, svg.INK)]
        for name, mark in self.cells(position).items():
            if mark != ".":
                (x, y), colour = spots[name], svg.STONES["dark" if mark.islower() else "red"]
                sign = self._sign(FEN_LETTERS.index(mark.upper()) + BLACK * mark.islower())
                parts += [svg.disc(x, y, PIECE, "#fbf7ee", colour),
                          svg.disc(x, y, PIECE - 3.5, "none", colour),
                          svg.label(x, y, sign.upper(), 19, colour)]
        return svg.page(RIGHT + 28, BOTTOM + 50, [*parts, svg.areas(spots, CELL, kind="square")])

    def marks(self, position: Position) -> list[str]:
        """Empty, and the pieces as in FEN."""
        return [".", *"KABNRCP", *"kabnrcp"]

    def with_mark(self, cells: dict[str, str], square: str, mark: str) -> dict[str, str]:
        """A king that is put leaves the crossing where it was."""
        if mark in ("K", "k"):
            cells = {name: "." if piece == mark else piece for name, piece in cells.items()}
        return {**cells, square: mark}

    def cleared(self, cells: dict[str, str]) -> dict[str, str]:
        """The kings alone, where they do not face each other."""
        return {name: {RED_KING: "K", BLACK_KING: "k"}.get(square, ".")
                for square, name in enumerate(cells)}

    def cells_text(self, cells: dict[str, str], mover: int) -> str:
        """A FEN."""
        return self._fen("".join(cells.values()), mover)

    def notations(self, position: Position) -> list[tuple[str, str]]:
        """FEN, the line that engines read, and the moves of a game from the start."""
        found = [("FEN", self.format(position)), ("full FEN", f"{self.format(position)} - - 0 1")]
        if position.played:
            moves = " ".join(position.played_names())
            found.append(("FEN and moves", f"{position.origin.text} moves {moves}"))
            if position.origin == self.start():
                found.append(("moves", moves))
        return found
