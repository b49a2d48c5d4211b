"""The k-in-a-row family Connect(m,n,k,p,q) of Wu and Huang: tic-tac-toe, Gomoku, Connect6.

A move is one stone. A turn has ``stones`` of them, the first turn of the game ``first``: the mover
changes when the stones of the turn are used up, and a line ends the game at once.

A board is a text of ``X``, ``O`` and ``.``, one character a square, row by row from the top.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

from zermelo.core import svg
from zermelo.core.position import Position
from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, Parameter, Rules
from zermelo.core.svg import Spot
from zermelo.errors import BadMove, BadOption, BadPosition, counted, quoted
from zermelo.games import grid, sgf
from zermelo.games.k_in_a_row.rules import LARGEST, WORD, Shape, lines_of, row_rules, word_rules

if TYPE_CHECKING:
    from zermelo.games.k_in_a_row.rules import Shape


MARKS = {"X": "X", "x": "X", "O": "O", "o": "O", ".": ".", "-": ".", "*": "."}
SQUARE = re.compile(r"([a-z])([1-9][0-9]?)", re.IGNORECASE | re.ASCII)
GROUP = re.compile(rf"(?:{SQUARE.pattern})+", re.IGNORECASE | re.ASCII)
SIDE = re.compile(r"([XO])([0-9]{0,2})", re.IGNORECASE | re.ASCII)


def square_name(shape: Shape, cell: int) -> str:
    """``a1`` is at the lower left."""
    row, column = divmod(cell, shape.columns)
    return f"{chr(ord('a') + column)}{shape.rows - row}"


def square_code(shape: Shape, name: str) -> int | None:
    """The square called ``name``, or None if the board has none."""
    match = SQUARE.fullmatch(name.strip())
    if match is None:
        return None
    column, row = ord(match[1].lower()) - ord("a"), shape.rows - int(match[2])
    inside = column < shape.columns and row >= 0
    return row * shape.columns + column if inside else None


def bits_of(board: str, mark: str) -> int:
    """Bit i is set where square i holds ``mark``."""
    return sum(1 << i for i, found in enumerate(board) if found == mark)


def runs(shape: Shape, board: str, mark: str) -> set[int]:
    """The lengths of the lines of ``mark`` in all four directions."""
    own = {divmod(i, shape.columns) for i, found in enumerate(board) if found == mark}
    found = set()
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for row, column in own:
            if (row - dr, column - dc) not in own:
                n = 1
                while (row + n * dr, column + n * dc) in own:
                    n += 1
                found.add(n)
    return found


def wins(shape: Shape, board: str, mark: str) -> bool:
    """Return True if ``mark`` has a line that wins."""
    lengths = runs(shape, board, mark)
    return shape.line in lengths if shape.exactly else max(lengths, default=0) >= shape.line


def result_of(shape: Shape, board: str) -> int:
    """The outcome of a board on which at most one player has a line."""
    for player, mark in enumerate("XO"):
        if wins(shape, board, mark):
            return FIRST_WINS + player
    return ONGOING if "." in board else DRAW


def turn_after(shape: Shape, n: int) -> tuple[int, int, int]:
    """Return who moves after ``n`` stones, how many are left in the turn, how many stones X has."""
    if n < shape.first:
        return 0, shape.first - n, n
    turns, part = divmod(n - shape.first, shape.stones)
    of_x = shape.first + turns // 2 * shape.stones
    if turns % 2 == 0:
        return 1, shape.stones - part, of_x
    return 0, shape.stones - part, of_x + part


def _read_moves(game: KInARow, text: str) -> Position:
    """``j10 i9l10 j8l8``, a group a turn; or every stone by itself."""
    groups = text.replace(",", " ").split()
    stones = [_stones(game, group, f"group {i + 1}") for i, group in enumerate(groups)]
    if any(len(group) > 1 for group in stones):
        _check_turns(game, stones, groups)
    return game.play_all(game.start(), [stone for group in stones for stone in group])


def _read_sgf(game: KInARow, text: str) -> Position:
    """``;B[j10];W[i9l10]``: a node a turn, Black is X; a resignation at the end changes nothing."""
    record = sgf.SgfRecord(game.name, text, "B[a1]")
    if record.branched:
        raise BadPosition(f"{game.name}: {quoted(text)} has variations; give one line of play.")
    sgf.check(game.name, record)
    groups = _turns(game, record, text)
    if groups and groups[-1] == "resign":
        groups.pop()
    if not groups:
        raise BadPosition(f"{game.name}: {quoted(text)} has no moves; write ;B[a1];W[b1] ...")
    stones = [_stones(game, group, f"turn {i + 1}") for i, group in enumerate(groups)]
    _check_turns(game, stones, groups)
    return game.play_all(game.start(), [stone for group in stones for stone in group])


def _turns(game: KInARow, record: sgf.SgfRecord, text: str) -> list[str]:
    """The values of ``B`` and ``W``, in turn; other properties are passed over."""
    groups: list[str] = []
    for name, values in record.properties:
        if name == "SZ" and _size(values[0]) != (game["columns"], game["rows"]):
            raise BadPosition(
                f"{game.name}: {quoted(text)} is for a board of size {quoted(values[0])}, not "
                f"{game['columns']} columns x {game['rows']} rows."
            )
        if name in ("B", "W"):
            for value in values:
                if name != "BW"[len(groups) % 2]:
                    raise BadPosition(
                        f"{game.name}: turn {len(groups) + 1} of {quoted(text)} is {name}'s; B "
                        "(that is X) begins and turns alternate."
                    )
                groups.append(value)
    return groups


def _size(value: str) -> tuple[int, int]:
    """``15`` or ``15:15``, columns first; anything else is not a size."""
    match = re.fullmatch(r"([0-9]{1,2})(?::([0-9]{1,2}))?", value)
    return (int(match[1]), int(match[2] or match[1])) if match else (0, 0)


def _stones(game: KInARow, group: str, place: str) -> list[str]:
    if not GROUP.fullmatch(group):
        raise BadPosition(
            f"{game.name}: {place}, {quoted(group)}, is not squares such as a1 or a1b2."
        )
    return [match[0].lower() for match in SQUARE.finditer(group)]


def _check_turns(game: KInARow, stones: list[list[str]], groups: list[str]) -> None:
    """Every turn has all its stones; the last may have fewer."""
    for i, group in enumerate(stones):
        due = game["stones"] if i else game["first"]
        if len(group) > due or (len(group) < due and i + 1 < len(stones)):
            raise BadPosition(
                f"{game.name}: turn {i + 1}, {quoted(groups[i])}, has "
                f"{counted(len(group), 'stone')}; it must have {due}."
            )


def _read_rows(game: KInARow, text: str) -> Position:
    """Rows from the top, or all squares in one piece; then, perhaps, the side to move."""
    text = grid.undrawn(text, game["columns"], game["rows"])
    *parts, last = text.split()
    match = SIDE.fullmatch(last)
    if match is not None and len("".join(parts).replace("/", "")) == game.shape.cells:
        board = _board(game, text[: text.rindex(last)])
        turn, left = _given_turn(game, board, "xo".index(match[1].lower()), match[2])
    else:
        board = _board(game, text)
        turn, left = _counted_turn(game, board)
    _check_lines(game, board, turn, left)
    return game.compose(board, turn, left)


def _board(game: KInARow, text: str) -> str:
    """The squares in one piece."""
    for i, mark in enumerate("".join(text.replace("/", "").split())):
        if mark not in MARKS:
            raise BadPosition(
                f"{game.name}: character {quoted(mark)}, square {i + 1} of {quoted(text)}, is not "
                "X, O or . (a move list begins with a square such as a1)."
            )
    rows = grid.rows_of(game.name, text, game["columns"], game["rows"])
    return "".join(MARKS[mark] for row in rows for mark in row)


def _counted_turn(game: KInARow, board: str) -> tuple[int, int]:
    x, o = board.count("X"), board.count("O")
    turn, left, of_x = turn_after(game.shape, x + o)
    if x != of_x:
        raise BadPosition(
            f"{game.name}: of {x + o} stones X has {of_x} in a game, not {x}; add X or O after "
            "a space to say who moves."
        )
    return turn, left


def _given_turn(game: KInARow, board: str, turn: int, number: str) -> tuple[int, int]:
    """The side as written; without a number the stones left are counted, or else a full turn."""
    due = _due(game, board, turn)
    counted, left, of_x = turn_after(game.shape, len(board) - board.count("."))
    if number == "":
        return turn, left if (counted, of_x) == (turn, board.count("X")) else due
    if not 1 <= int(number) <= due:
        raise BadPosition(
            f"{game.name}: {quoted(number)} stones left in the turn of {game.players[turn]}; "
            f"valid is 1 to {due}."
        )
    return turn, int(number)


def _due(game: KInARow, board: str, turn: int) -> int:
    """The stones of a full turn: X's first one may differ."""
    return int(game["first"] if turn == 0 and "O" not in board else game["stones"])


def _check_lines(game: KInARow, board: str, turn: int, left: int) -> None:
    """A line ends the game: only one player has one, and the last stone made it."""
    shape = game.shape
    winners = [mark for mark in game.players if wins(shape, board, mark)]
    if len(winners) > 1:
        raise BadPosition(f"{game.name}: X and O both have {shape.line} in a row.")
    if not winners:
        return
    winner = winners[0]
    earlier = (board[:i] + "." + board[i + 1 :] for i, m in enumerate(board) if m == winner)
    if all(wins(shape, before, winner) for before in earlier):
        raise BadPosition(
            f"{game.name}: {winner} has {shape.line} in a row without any one of its stones, so "
            "the game was over before."
        )
    last = turn if left < _due(game, board, turn) else 1 - turn
    if winner != game.players[last]:
        raise BadPosition(
            f"{game.name}: {winner} has {shape.line} in a row, so the last stone was {winner}'s, "
            f"and {game.players[turn]} can't be to move with {left} left in the turn."
        )


LARGEST_SQUARED = 64
CELL, CROSSING, EDGE, TOP = 48, 26, 24, 2
RIM, WOOD, GRAIN = "#8a8f98", "#e6cb94", "#7d6a45"
RED, BLUE = "#cf4a40", "#4a7fbc"


def _crossings(columns: int, rows: int) -> list[str]:
    """The wood of a large board, and the lines on it."""
    half = CROSSING / 2
    right, bottom = EDGE + CROSSING * columns, TOP + CROSSING * rows
    parts = [svg.rectangle(EDGE, TOP, CROSSING * columns, CROSSING * rows, WOOD, radius=3)]
    for x in (EDGE + half + CROSSING * column for column in range(columns)):
        parts.append(svg.line(x, TOP + half, x, bottom - half, GRAIN))
    for y in (TOP + half + CROSSING * row for row in range(rows)):
        parts.append(svg.line(EDGE + half, y, right - half, y, GRAIN))
    return parts


def _mark(x: float, y: float, mark: str) -> list[str]:
    arm = CELL * 0.28
    if mark == "O":
        return [svg.ring(x, y, arm, BLUE, 4)]
    return [svg.line(x - arm, y - arm, x + arm, y + arm, RED, 4),
            svg.line(x - arm, y + arm, x + arm, y - arm, RED, 4)]


class KInARow(grid.BoardGame):
    """X begins; whoever first has k stones in a row, diagonals included, wins."""

    name = "k-in-a-row"
    players = ("X", "O")
    colours = (("black", "white"),)
    parameters: ClassVar[dict[str, Parameter]] = {
        "columns": Parameter(3, "number of columns (m)", low=1, high=LARGEST),
        "rows": Parameter(3, "number of rows (n)", low=1, high=LARGEST),
        "line": Parameter(3, "stones in a row that win (k)", low=2, high=LARGEST),
        "stones": Parameter(1, "stones per turn (p)", low=1, high=LARGEST),
        "first": Parameter(1, "stones at the first turn of the game (q)", low=1, high=LARGEST),
        "overline": Parameter("wins", "what a longer line does", choices=("wins", "no-win")),
    }

    def check_parameters(self) -> None:
        """A line must fit the board."""
        columns, rows, line = self["columns"], self["rows"], self["line"]
        if line > max(columns, rows):
            raise BadOption(
                f"{self.name}: line={line} does not fit a board of {columns} columns x {rows} "
                f"rows; valid is 2 to {max(columns, rows)}."
            )

    @cached_property
    def shape(self) -> Shape:
        """The parameters as numbers."""
        columns, rows, line, stones, first, overline = self.values.values()
        return Shape(columns, rows, line, stones, first, overline == "no-win")

    def define(self) -> Rules:
        """The layout that fits the board, and its lines."""
        shape = self.shape
        rules = word_rules(shape) if shape.cells <= WORD else row_rules(shape)
        return replace(rules, lines=lines_of(shape))

    def start(self) -> Position:
        """The empty board."""
        return self.compose("." * self.shape.cells, 0, self["first"])

    def compose(self, board: str, turn: int, left: int) -> Position:
        """The position with these squares (``X``, ``O``, ``.``, row by row from the top)."""
        shape, result = self.shape, result_of(self.shape, board)
        if shape.cells <= WORD:
            x, o = (bits_of(board, mark) for mark in self.players)
            return self.position(x=x, o=o, turn=turn, left=left, result=result)
        rows, hashed = grid.in_rows(board, shape.columns), 0
        for i, mark in enumerate(board):
            if mark != ".":
                hashed ^= int(self.rules.data.zobrist["XO".index(mark) * shape.cells + i])
        return self.position(
            stones=[bits_of(row, mark) for mark in self.players for row in rows],
            hash=hashed, turn=turn, left=left, result=result, count=shape.cells - board.count("."),
        )

    def squares(self, position: Position) -> str:
        """The squares of ``position``, as ``compose`` takes them."""
        shape, state = self.shape, position.state[0]
        if shape.cells <= WORD:
            x, o = int(state["x"]), int(state["o"])
        else:
            stones = [int(row) << (i % shape.rows * shape.columns)
                      for i, row in enumerate(state["stones"])]
            x, o = sum(stones[: shape.rows]), sum(stones[shape.rows :])
        return grid.stones_at(x, o, range(shape.cells))

    def read(self, text: str) -> Position:
        """The position that ``text`` describes in one of the notations."""
        if "[" in text:
            return _read_sgf(self, text).read_as("SGF")
        if SQUARE.match(text):
            return _read_moves(self, text).read_as("moves")
        return _read_rows(self, text).read_as("rows")

    def format(self, position: Position) -> str:
        """The rows from the top, the side to move and, where turns differ, the stones left."""
        state = position.state[0]
        side = self.players[int(state["turn"])]
        left = int(state["left"]) if (self["stones"], self["first"]) != (1, 1) else ""
        return f"{'/'.join(self.lines(position))} {side}{left}"

    def move_name(self, position: Position, move: int) -> str:
        """Column letter and row number, from a1 at the lower left."""
        return square_name(self.shape, move)

    def parse_move(self, position: Position, text: str) -> int:
        """The square called ``text``, if it is free."""
        code = square_code(self.shape, text)
        if code is None:
            highest = square_name(self.shape, self["columns"] - 1)
            raise BadMove(f"{quoted(text)} is not a square; a move is one square, a1 to {highest}.")
        if code not in position.codes():
            mark = self.squares(position)[code]
            why = f"{mark} has a stone there" if mark != "." else "the game is over"
            raise BadMove(f"{quoted(text)} is not a legal move here; {why}.")
        return code

    def sgf_moves(self, position: Position) -> str:
        """The record in Little Golem's way: a turn in one node, X is Black."""
        columns, rows = self["columns"], self["rows"]
        size = columns if columns == rows else f"{columns}:{rows}"
        return sgf.moves_of(position, EV=self.name, SZ=size)

    def diagram(self, position: Position) -> str:
        """The board with row numbers on the left and column letters below."""
        return self.line_diagram(position, [])

    @property
    def squared(self) -> bool:
        """Whether the picture has marks in squares, and not stones on crossings."""
        return self.shape.cells <= LARGEST_SQUARED

    @property
    def stones(self) -> tuple[str, str] | None:
        """The colours of the players' stones in the picture; None where they are letters."""
        return None if self.squared else (svg.STONES["dark"], svg.STONES["light"])

    @property
    def cell(self) -> float:
        """Return how wide a square is in the picture."""
        return CELL if self.squared else CROSSING

    def spots(self, position: Position, move: int) -> list[Spot]:
        """The square."""
        return [self.centre(*divmod(move, self.shape.columns))]

    def last_move_svg(self, spots: list[Spot]) -> str:
        """A tinted square on small boards, a point on a stone on large ones."""
        if not self.squared:
            return svg.last_move(spots, 1.3 * CROSSING)
        x, y = spots[-1]
        return (f'<rect x="{x - CELL / 2:g}" y="{y - CELL / 2:g}" width="{CELL}" height="{CELL}" '
                f'fill="{svg.STONES["yellow"]}" fill-opacity="0.3"/>')

    def svg(self, position: Position) -> str:
        """Marks in squares on small boards, stones on crossings on large ones."""
        return self.line_svg(position, [])

    def line_diagram(self, position: Position, turns: list[list[str]]) -> str:
        """The board with the stones of ``turns``, each as the number of its turn."""
        columns, rows = self.shape_of_board
        marks = [*(self.cells(position) | _numbers(turns)).values()]
        margin, width = len(str(rows)), max(map(len, marks))
        letters = [chr(ord("a") + column) for column in range(columns)]
        lines = [(str(rows - row), marks[row * columns : (row + 1) * columns])
                 for row in range(rows)]
        return "\n".join(f"{label:>{margin}} {' '.join(mark.rjust(width) for mark in line)}"
                         for label, line in [*lines, ("", letters)])

    def line_svg(self, position: Position, turns: list[list[str]]) -> str:
        """A picture in which the stones of ``turns`` carry numbers; without any, a click on an
        empty square is a move."""
        cells, spots, numbers = self.cells(position), self.square_spots(), _numbers(turns)
        for number, turn in enumerate(turns):
            cells |= dict.fromkeys(turn, self.players[(position.mover + number) % 2])
        columns, rows = self.shape_of_board
        cell, height = self.cell, TOP + self.cell * rows
        parts = [] if self.squared else _crossings(columns, rows)
        for x, y in spots.values() if self.squared else ():
            parts.append(svg.rectangle(x - cell / 2, y - cell / 2, cell, cell, "none", RIM))
        for name, mark in cells.items():
            if mark != ".":
                parts += (_mark(*spots[name], mark) if self.squared else
                          [svg.disc(*spots[name], cell * 0.45, *grid.DISCS[mark])])
        for name, text in numbers.items():
            fill = svg.STONES["light" if cells[name] == "X" else "dark"]
            parts.append(svg.label(*spots[name], text,
                                   fill="currentColor" if self.squared else fill))
        parts += grid.labels(spots, EDGE / 2, height + EDGE / 2)
        if not turns and position.outcome is None:
            parts.append(svg.areas({name: spots[name] for name, mark in cells.items()
                                    if mark == "."}, cell))
        return svg.page(EDGE + cell * columns + 2, height + EDGE, parts)

    def centre(self, row: int, column: int) -> Spot:
        """Return where a square is, rows from the top."""
        return EDGE + self.cell * (column + 0.5), self.cell * (row + 0.5) + TOP

    def notations(self, position: Position) -> list[tuple[str, str]]:
        """The rows; and the moves of a game from the start, turn by turn."""
        found = [("rows", self.format(position))]
        if position.origin == self.start() and position.played:
            found.insert(0, ("moves", " ".join(turn for _, turn in sgf.turns_of(position))))
        return found


def _numbers(turns: list[list[str]]) -> dict[str, str]:
    """The number of the turn on each of its squares."""
    return {name: str(number) for number, turn in enumerate(turns, 1) for name in turn}


def _other_defaults(**defaults: int) -> dict[str, Parameter]:
    """The family's parameters with other defaults."""
    return {
        name: replace(parameter, default=defaults.get(name, parameter.default))
        for name, parameter in KInARow.parameters.items()
    }


class TicTacToe(KInARow):
    """X begins; three in a row, also diagonally, win.

    Connect(3,3,3,1,1).
    """

    name = "tic-tac-toe"


class Gomoku(KInARow):
    """X begins; five or more in a row win.

    Connect(15,15,5,1,1), free style; ``overline="no-win"`` asks for exactly five.
    """

    name = "gomoku"
    parameters: ClassVar[dict[str, Parameter]] = _other_defaults(columns=15, rows=15, line=5)


class Connect6(KInARow):
    """X begins with one stone, then it is two per turn; six in a row win.

    Connect(19,19,6,2,1).
    """

    name = "connect6"
    parameters: ClassVar[dict[str, Parameter]] = _other_defaults(
        columns=19, rows=19, line=6, stones=2
    )
