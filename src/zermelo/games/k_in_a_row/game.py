"""The k-in-a-row family Connect(m,n,k,p,q) of Wu and Huang: tic-tac-toe, Gomoku, Connect6.

A move is one stone. A turn has ``stones`` of them, the first turn of the game ``first``: the mover
changes when the stones of the turn are used up, and a line ends the game at once.
"""

from dataclasses import replace
from functools import cached_property
from typing import ClassVar

from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.core.rules import Parameter, Rules
from zermelo.errors import BadMove, BadOption, quoted
from zermelo.games import sgf
from zermelo.games.k_in_a_row import text as text_of
from zermelo.games.k_in_a_row.rules import LARGEST, WORD, Shape, lines_of, row_rules, word_rules
from zermelo.games.k_in_a_row.text import cell_of, centre, diagram, last_move, picture, stones_of


class KInARow(Game):
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
        shape, result = self.shape, text_of.result_of(self.shape, board)
        if shape.cells <= WORD:
            x, o = (text_of.bits_of(board, mark) for mark in self.players)
            return self.position(x=x, o=o, turn=turn, left=left, result=result)
        rows, hashed = text_of.rows_of(shape, board), 0
        for i, mark in enumerate(board):
            if mark != ".":
                hashed ^= int(self.rules.data.zobrist["XO".index(mark) * shape.cells + i])
        return self.position(
            stones=[text_of.bits_of(row, mark) for mark in self.players for row in rows],
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
        return "".join(".XO"[(x >> i & 1) + 2 * (o >> i & 1)] for i in range(shape.cells))

    def read(self, text: str) -> Position:
        """A move list, a game record in SGF, or the rows of the board."""
        return text_of.read(self, text)

    def format(self, position: Position) -> str:
        """The rows from the top, the side to move and, where turns differ, the stones left."""
        state = position.state[0]
        side = self.players[int(state["turn"])]
        left = int(state["left"]) if (self["stones"], self["first"]) != (1, 1) else ""
        return f"{'/'.join(text_of.rows_of(self.shape, self.squares(position)))} {side}{left}"

    def move_name(self, position: Position, move: int) -> str:
        """Column letter and row number, from a1 at the lower left."""
        return text_of.square_name(self.shape, move)

    def parse_move(self, position: Position, text: str) -> int:
        """The square called ``text``, if it is free."""
        code = text_of.square_code(self.shape, text)
        if code is None:
            highest = text_of.square_name(self.shape, self["columns"] - 1)
            raise BadMove(f"{quoted(text)} is not a square; a move is one square, a1 to {highest}.")
        if code not in position.codes():
            mark = self.squares(position)[code]
            why = f"{mark} has a stone there" if mark != "." else "the game is over"
            raise BadMove(f"{quoted(text)} is not a legal move here; {why}.")
        return code

    def sgf_moves(self, position: Position) -> str:
        """As Little Golem writes it: a turn in one node, X is Black."""
        columns, rows = self["columns"], self["rows"]
        size = columns if columns == rows else f"{columns}:{rows}"
        return sgf.moves_of(position, EV=self.name, SZ=size)

    def diagram(self, position: Position) -> str:
        """The board with row numbers on the left and column letters below."""
        return diagram(self.shape, self.squares(position))

    @property
    def stones(self) -> tuple[str, str] | None:
        """The colours of the players' stones in the picture; None where they are letters."""
        return stones_of(self.shape)

    @property
    def cell(self) -> float:
        """How wide a square is in the picture."""
        return cell_of(self.shape)

    def spots(self, position: Position, move: int) -> list[tuple[float, float]]:
        """The square."""
        return [centre(self.shape, move)]

    def last_move_svg(self, spots: list[tuple[float, float]]) -> str:
        """A tinted square on small boards, a point on a stone on large ones."""
        return last_move(self.shape, spots)

    def svg(self, position: Position) -> str:
        """Marks in squares on small boards, stones on crossings on large ones."""
        board = self.squares(position)
        return picture(self.shape, board, free=position.outcome is None)

    def line_diagram(self, position: Position, turns: list[list[str]]) -> str:
        """The board with the stones of ``turns``, each as the number of its turn."""
        return diagram(self.shape, self.squares(position), self._numbers(turns))

    def line_svg(self, position: Position, turns: list[list[str]]) -> str:
        """The same as a picture: stones of ``turns`` carry numbers."""
        if not turns:
            return self.svg(position)
        board = list(self.squares(position))
        for number, turn in enumerate(turns):
            for name in turn:
                code = text_of.square_code(self.shape, name)
                board[code or 0] = self.players[(position.mover + number) % 2]
        return picture(self.shape, "".join(board), self._numbers(turns))

    def square_spots(self) -> dict[str, tuple[float, float]]:
        """a1 is at the lower left."""
        return {text_of.square_name(self.shape, square): centre(self.shape, square)
                for square in range(self.shape.cells)}

    def marks(self, position: Position) -> list[str]:
        """Empty, X and O."""
        return [".", *self.players]

    def cells(self, position: Position) -> dict[str, str]:
        """The mark on each square."""
        return dict(zip(self.square_spots(), self.squares(position), strict=True))

    def notations(self, position: Position) -> list[tuple[str, str]]:
        """The rows; and the moves of a game from the start, turn by turn."""
        found = [("rows", self.format(position))]
        if position.origin == self.start() and position.played:
            found.insert(0, ("moves", text_of.turns_text(position)))
        return found

    def _numbers(self, turns: list[list[str]]) -> dict[int, str]:
        """The number of the turn on each of its squares."""
        return {text_of.square_code(self.shape, name) or 0: str(number + 1)
                for number, turn in enumerate(turns) for name in turn}


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
