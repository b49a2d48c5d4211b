"""Hex, with or without the swap rule, on boards of 1 x 1 to 16 x 16 cells.

X moves first and joins the top edge with the bottom edge; O joins left and right. Cells are named
as on HexWiki and in red-bean's SGF: a1 at the top left, letters for columns, numbers for rows.

``x`` and ``o`` hold the stones of the two players, ``turn`` who moves (see ``rules``).

Notations are move lists, rows, diagrams, SGF in two dialects and HexWorld links. ``swap-pieces`` is
the move ``swap`` of the rules: the stone changes colour and is mirrored, so that each player keeps
the own edges. Little Golem's ``swap`` means that. ``swap-sides`` changes only who plays which
colour: the board stays as it is, so for the board nothing has happened.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import cos, pi, sin, sqrt
from typing import ClassVar

from zermelo.core import svg
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.core.rules import Parameter, Rules
from zermelo.core.svg import Spot
from zermelo.errors import BadMove, BadOption, BadPosition, quoted
from zermelo.games import grid, sgf
from zermelo.games.hex.rules import LARGEST, rules_for, with_swap, words_of

MARKS = {"X": 0, "x": 0, "O": 1, "o": 1, ".": None, "-": None, "*": None}
EDGES = ("top and bottom", "left and right")
EDGE_ROWS = 2  # of the letters x above and below a diagram


def cell_name(size: int, cell: int) -> str:
    """Column a.. from the left, row 1.. from the top."""
    return f"{chr(ord('a') + cell % size)}{cell // size + 1}"


def build(game: Game, x: int, o: int, turn: int) -> Position:
    """The position with these stones, cell i as bit i."""
    size = game["size"]
    return game.position(x=words_of(size, x), o=words_of(size, o), turn=turn)


def stones(position: Position) -> tuple[int, int]:
    """The stones of X and of O, cell i as bit i."""
    size, state = position.game["size"], position.state[0]
    if size * size <= 64:
        return int(state["x"]), int(state["o"])
    span = 64 // size * size
    x, o = (sum(int(part) << (span * i) for i, part in enumerate(state[f])) for f in "xo")
    return x, o


def joined(game: Game, bits: int, player: int) -> bool:
    """Do these stones join the two edges of ``player``?"""
    return build(game, *((0, bits) if player else (bits, 0)), 1 - player).outcome is not None


def read_rows(game: Game, text: str) -> Position | None:
    """A board in rows or as a diagram; None if the text is not a board."""
    size = game["size"]
    body = _undrawn(text, size)
    if "/" in body or "." in body or (body and set(body) <= {*MARKS, *" \t\r\n"}):
        return _from_rows(game, body).read_as("rows")
    return None


def drawn_size(text: str) -> int | None:
    """The size of the board that a diagram shows; None if the text does not begin as one."""
    top, edge = ([line.split() for line in text.splitlines() if line.strip()] + [[], []])[:2]
    names = [chr(ord("a") + i) for i in range(len(top))]
    return len(top) if top and top == names and edge == ["x"] * len(top) else None


def _undrawn(text: str, size: int) -> str:
    """The rows of a diagram, without the letters along the edges."""
    found = grid.undrawn(text, size, size + EDGE_ROWS)
    board, _, side = found.partition(" ")
    top, *rows, bottom = board.split("/") if found != text else [""]*2
    if found == text or top != bottom or top != "x" * size:
        return text
    if any(len(row) != size + 2 or row[0] != "o" or row[-1] != "o" for row in rows):
        return text
    return f"{'/'.join(row[1:-1] for row in rows)} {side}".strip()


def _from_rows(game: Game, body: str) -> Position:
    """Rows from the top, set apart by / or line ends or run together; then who moves."""
    size, side = game["size"], ""
    parts = body.replace("/", " ").split()
    if len(parts) > 1 and parts[-1] in tuple("XOxo") and len("".join(parts)) == size * size + 1:
        side = parts[-1].upper()
        body = body[:-1].rstrip()
    rows = grid.rows_of("hex", body, size, size)
    found = [0, 0]
    for r, row in enumerate(rows):
        for c, mark in enumerate(row):
            if mark not in MARKS:
                name = cell_name(size, r * size + c)
                raise BadPosition(f"hex: {quoted(mark)} at {name} is not a cell; use X, O and '.'.")
            player = MARKS[mark]
            if player is not None:
                found[player] |= 1 << (r * size + c)
    return _from_stones(game, found[0], found[1], side, body)


def _from_stones(game: Game, x: int, o: int, side: str, body: str) -> Position:
    if not side:
        surplus = x.bit_count() - o.bit_count()
        if surplus not in (0, 1):
            raise BadPosition(
                f"hex: {quoted(body)} has {x.bit_count()} X and {o.bit_count()} O; X begins, so X "
                "has as many as O or one more (add X or O after a space to say who moves)."
            )
        side = game.players[surplus]
    turn = game.players.index(side)
    if joined(game, o if turn else x, turn):
        raise BadPosition(
            f"hex: {side} already joins {EDGES[turn]} in {quoted(body)}, so {side} can't be to "
            "move."
        )
    return build(game, x, o, turn)


RADIUS = 22  # of a cell
STEP = RADIUS * sqrt(3)
CORNERS = [(RADIUS * sin(k * pi / 3), -RADIUS * cos(k * pi / 3)) for k in range(6)]
CELL, RIM = "#f6f2e8", "#a39d8c"
COLOURS = {"X": svg.STONES["red"], "O": svg.STONES["blue"]}
RIMS = {"X": "#8e2b24", "O": "#234a76"}


def _open_sides(last: int, row: int, column: int) -> dict[int, int]:
    """The owner of the edge at each side without a neighbour; 0 is the upper right, clockwise."""
    sides = {3: 1, 4: 1} if column == 0 else {}
    sides |= {0: 1, 1: 1} if column == last else {}
    sides |= {5: 0, 0: 0} if row == 0 else {}
    return sides | ({2: 0, 3: 0} if row == last else {})


SWAP, SWAP_SIDES = ("swap", "swap-pieces"), "swap-sides"
PLAYERS = ("B", "W")
PREFIX = re.compile(r"([0-9]{1,4})\s*x\s*([0-9]{1,4})\s*:", re.IGNORECASE | re.ASCII)
LINK = re.compile(r"([0-9]{1,4})(?:x([0-9]{1,4}))?[a-z0-9]*(?:,([^,]*))?(?:,.*)?", re.DOTALL)
LINK_MOVE = re.compile(r"[A-Za-z]{1,2}[0-9]{1,3}|:[rf][bw]|:.|\S", re.ASCII)
LINK_WORDS = {":s": "swap-pieces", ":S": "swap-sides", ":p": "pass",
              ":rb": "resign", ":rw": "resign", ":fb": "forfeit", ":fw": "forfeit"}
RED_BEAN = re.compile(r"[a-z]{1,3}[0-9]{1,4}")
LITTLE_GOLEM = re.compile(r"[a-z]{2}")
SIZE = re.compile(r"([0-9]{1,4})(?::([0-9]{1,4}))?")


def _of_size(game: Game, columns: str, rows: str | None, text: str) -> Game:
    """The game of the size that a text names; a size that was asked for must agree with it."""
    sizes = {int(columns), int(rows or columns)}
    if sizes == {game["size"]}:
        return game
    if len(sizes) > 1 or "size" in game.changed:
        raise BadPosition(
            f"hex: {quoted(text)} is for a board of {columns} x {rows or columns} cells, but this "
            f"one has size={game['size']}."
        )
    return type(game)(**{**game.values, "size": sizes.pop()})


def _with_swap(game: Game, names: Sequence[str]) -> Game:
    """The game that a record was played by: with the swap rule where a swap was made."""
    swap = "yes" if any(name in SWAP for name in names) else "no"
    if swap == game["swap"] or (swap == "no" and SWAP_SIDES not in names):
        return game
    return type(game)(**{**game.values, "swap": swap})


def _replay(game: Game, moves: Sequence[str], letters: bool = False,
            second_begins: bool = False) -> Position:
    """The position after ``moves``; ``letters``: rows are written with letters too."""
    names = [LINK_WORDS.get(move, move).lower() for move in moves]
    game = _with_swap(game, names)
    position = build(game, 0, 0, 1) if second_begins else game.start()
    for index, name in enumerate(names, 1):
        if letters and LITTLE_GOLEM.fullmatch(name):
            name = f"{name[0]}{ord(name[1]) - ord('a') + 1}"
        move = moves[index - 1]
        place = f"move {index}" if name == move else f"move {index}, {quoted(move)}"
        try:
            if name in sgf.ENDS:
                if index < len(moves):
                    raise BadMove(f"{quoted(name)} ends the game, but {quoted(moves[index])} "
                                  "follows.")
            elif name == SWAP_SIDES:
                _check_sides(position)
            else:
                position = _passed(position) if name == "pass" else position.play(name)
        except BadMove as error:
            raise BadPosition(f"hex: {place}: {error}") from None
    return position


def _check_sides(position: Position) -> None:
    """Sides are swapped after the first stone, and never again."""
    if sum(bits.bit_count() for bits in stones(position)) != 1 or position.mover != 1:
        raise BadMove(f"{quoted(SWAP_SIDES)}: a swap is the answer to the first stone.")


def _passed(position: Position) -> Position:
    """The turn handed over: not a move of the game, but records set up positions with it."""
    if position.outcome is not None:
        raise BadMove("'pass': the game is over, no move is legal.")
    return build(position.game, *stones(position), 1 - position.mover)


def _from_link(game: Game, text: str) -> Position:
    """HexWorld: ``#<size><how to draw>,<moves>,<moves taken back>``."""
    parts = LINK.fullmatch(text.rpartition("#")[2].strip())
    if not parts:
        raise BadPosition(
            f"hex: {quoted(text)} is not a HexWorld link; one looks like '#11c1,a3b4', size first."
        )
    game = _of_size(game, parts[1], parts[2], text)
    return _replay(game, LINK_MOVE.findall(parts[3] or ""))


def _from_sgf(game: Game, text: str) -> Position:
    """The main line of a record in red-bean's dialect (``a3``) or Little Golem's (``ac``)."""
    moves: list[tuple[str, str]] = []
    record = sgf.SgfRecord("hex", text, "B[a3]")
    sgf.check("hex", record, ("11",), "Hex is GM[11]")
    for name, values in record.properties:
        if name == "SZ":
            size = SIZE.fullmatch(values[0])
            if not size:
                raise BadPosition(f"hex: SZ {quoted(values[0])} is not a board size; write SZ[11].")
            game = _of_size(game, size[1], size[2], text)
        if name in PLAYERS and len(values) > 1:
            raise BadPosition(f"hex: {name} has {len(values)} values, {quoted(values[0])} first; a "
                              "move is one cell.")
        if name in PLAYERS:
            moves.append((name, values[0].lower()))
    digits = next((name for _, name in moves if RED_BEAN.fullmatch(name)), "")
    letters = next((name for _, name in moves if LITTLE_GOLEM.fullmatch(name)), "")
    if digits and letters:
        raise BadPosition(
            f"hex: {quoted(digits)} is a cell as red-bean's SGF writes it, {quoted(letters)} one "
            "as Little Golem's does; a record must keep to one of them."
        )
    _check_colours(moves)
    # Red-bean's Black joins top and bottom, as X does, whoever begins. At Little Golem the player
    # who begins does, and the record calls that player White.
    position = _replay(game, [name for _, name in moves], letters=bool(letters),
                       second_begins=bool(digits) and moves[0][0] == "W")
    return position.read_as(f"SGF{', Little Golem' * bool(letters)}{', red-bean' * bool(digits)}")


def _check_colours(moves: list[tuple[str, str]]) -> None:
    """Colours take turns; after sides are swapped the one who swapped has the other colour."""
    for i in range(1, len(moves)):
        (before, swap), (colour, name) = moves[i - 1], moves[i]
        if (colour == before) != (swap == SWAP_SIDES) and name not in sgf.ENDS:
            raise BadPosition(
                f"hex: move {i + 1}, {quoted(name)}, is {colour}'s, and so was the move before."
                if colour == before else
                f"hex: move {i + 1}, {quoted(name)}, is {colour}'s, but after {SWAP_SIDES} it is "
                f"again {before}'s turn."
            )


NAME = re.compile(r"([a-z])([1-9][0-9]?)")


class Hex(grid.BoardGame):
    """X and O take turns to fill a cell; X joins top and bottom, O left and right. No draws."""

    name = "hex"
    players = ("X", "O")
    upwards = False
    cell = STEP
    stones = COLOURS["X"], COLOURS["O"]
    colours = (("red", "blue"), ("black", "white"))
    parameters: ClassVar[dict[str, Parameter]] = {
        "size": Parameter(11, "cells along a side", low=1, high=LARGEST),
        "swap": Parameter("no", "whether O may answer the first stone by taking it over, mirrored",
                          choices=("no", "yes"), implied=True),
    }

    def define(self) -> Rules:
        """The rules as bit operations. Moves are cells, row by row: a1, b1, c1, ..."""
        rules = rules_for(self["size"])
        return with_swap(rules, self["size"]) if self["swap"] == "yes" else rules

    def read(self, text: str) -> Position:
        """A move list or rows of stones, with or without the size before; SGF; a HexWorld link."""
        if "[" in text:
            return _from_sgf(self, text)
        if "#" in text:
            return _from_link(self, text).read_as("HexWorld link")
        game: Game = self
        prefix, drawn = PREFIX.match(text), drawn_size(text)
        if prefix:
            game = _of_size(game, prefix[1], prefix[2], text)
        elif drawn is not None:
            game = _of_size(game, str(drawn), None, text)
        body = text[prefix.end() :].strip() if prefix else text
        board = read_rows(game, body)
        return board or _replay(game, body.replace(",", " ").split()).read_as("moves")

    def format(self, position: Position) -> str:
        """The moves, where alternate play leads here; else the rows and who moves."""
        size, turn = self["size"], position.mover
        order = [[i for i in range(size * size) if s >> i & 1] for s in stones(position)]
        if len(order[0]) - len(order[1]) == turn and self._win_comes_last(position, order):
            moves = [0] * (len(order[0]) + len(order[1]))
            moves[0::2], moves[1::2] = order
            return " ".join([f"{size}x{size}:", *(cell_name(size, cell) for cell in moves)])
        return f"{'/'.join(self.lines(position))} {self.players[turn]}"

    def _win_comes_last(self, position: Position, order: list[list[int]]) -> bool:
        """Put a stone last without which the game is not over; False if there is none."""
        if position.outcome is None:
            return True
        winner = 1 - position.mover
        bits, cells = stones(position)[winner], order[winner]
        for cell in reversed(cells):
            if not joined(self, bits ^ (1 << cell), winner):
                cells.remove(cell)
                cells.append(cell)
                return True
        return False

    def move_name(self, position: Position, move: int) -> str:
        """Column letter and row number; or ``swap``."""
        if move == self["size"] ** 2:
            return "swap"
        return cell_name(self["size"], move)

    def parse_move(self, position: Position, text: str) -> int:
        """The empty cell called ``text``; or ``swap``."""
        size: int = self["size"]
        name = text.strip().lower()
        if name in (*SWAP, SWAP_SIDES):
            return self._swap(position, text)
        found = NAME.fullmatch(name)
        column, row = (ord(found[1]) - ord("a"), int(found[2]) - 1) if found else (size, size)
        if column >= size or row >= size:
            raise BadMove(
                f"{quoted(text)} is not a cell of the {size} x {size} board; cells are a1 to "
                f"{cell_name(size, size * size - 1)}."
            )
        x, o = stones(position)
        if (x | o) >> (row * size + column) & 1:
            raise BadMove(f"{quoted(text)}: there is a stone on this cell already.")
        return row * size + column

    def check_certificate(self, position: Position) -> None:
        """A record of a certificate has a cell for a move, and none for a swap."""
        x, o = stones(position)
        if self["swap"] == "yes" and (x | o).bit_count() < 2 and not o:
            raise BadOption("hex: a certificate can't hold a swap; one can be written about a "
                            "position after it, or with swap=no.")

    def _swap(self, position: Position, text: str) -> int:
        code: int = self["size"] ** 2
        if self["swap"] == "no":
            raise BadMove(f"{quoted(text)}: there is no swap in this game of Hex; with swap=yes "
                          "there is one.")
        if text.strip().lower() == SWAP_SIDES:
            raise BadMove(f"{quoted(text)}: that changes who plays which colour, which is not a "
                          f"move on the board; {SWAP[0]} changes the stone.")
        if code not in position.codes():
            raise BadMove(f"{quoted(text)}: a swap is the answer to the first stone.")
        return code

    def sgf_moves(self, position: Position) -> str:
        """The record in red-bean's dialect: GM[11], X is Black."""
        return sgf.moves_of(position, GM=11, SZ=self["size"]).replace("[swap]", "[swap-pieces]")

    def squares(self, position: Position) -> str:
        """X, O and . row by row from the top."""
        return grid.stones_at(*stones(position), range(self["size"] ** 2))

    def diagram(self, position: Position) -> str:
        """A rhombus; x and o stand along the edges that X and O join."""
        size = self["size"]
        letters = " ".join(chr(ord("a") + c) for c in range(size))
        edge = " ".join("x" * size)
        lines = [f"   {letters}", f"    {edge}"]
        for r, row in enumerate(self.lines(position)):
            lines.append(f"{' ' * r}{r + 1:>2} o {' '.join(row)} o")
        return "\n".join([*lines, f"{' ' * size}     {edge}"])

    def spots(self, position: Position, move: int) -> list[Spot]:
        """The cell; a swap is nowhere."""
        row, column = divmod(move, self["size"])
        return [] if move == self["size"] ** 2 else [self.centre(row, column)]

    def svg(self, position: Position) -> str:
        """X red, O blue; an edge has the colour of the player who joins it; empty cells are moves.
        """
        size, going_on = self["size"], position.outcome is None
        cells, edges, discs, labels = [], [], [], []
        for i, (name, mark) in enumerate(self.cells(position).items()):
            r, c = divmod(i, size)
            x, y = self.centre(r, c)
            points = [(x + dx, y + dy) for dx, dy in CORNERS]
            free = going_on and mark == "."
            cells.append(svg.polygon(points, CELL, RIM, name if free else None))
            if mark != ".":
                discs.append(svg.disc(x, y, 14, COLOURS[mark], RIMS[mark]))
            if r == 0:
                labels.append(svg.label(x - STEP / 4, y - 1.6 * RADIUS, name[0]))
            if c == 0:
                labels.append(svg.label(x - 0.9 * STEP, y, str(r + 1)))
            for k, player in _open_sides(size - 1, r, c).items():
                ends = (*points[k], *points[(k + 1) % 6])
                edges.append(svg.line(*ends, COLOURS["XO"[player]], 4))
        width, height = 60 + STEP * (1.5 * size - 0.5), 56 + RADIUS * (1.5 * size + 0.5)
        return svg.page(width, height, cells + edges + discs + labels)

    def centre(self, row: int, column: int) -> Spot:
        """Return where a cell is."""
        return 40 + STEP * (column + row / 2 + 0.5), 36 + RADIUS * (1.5 * row + 1)

    def notations(self, position: Position) -> list[tuple[str, str]]:
        """The moves as they were played, or an order that leads here; the rows; a link."""
        found = [("moves", self.format(position))]
        if position.origin == self.start():
            played = position.played_names()
            size = self["size"]
            found = [("moves", " ".join([f"{size}x{size}:", *played]))]
            link = "".join(":s" if name == "swap" else name for name in played)
            found.append(("HexWorld link", f"https://hexworld.org/board/#{size}c1,{link}"))
        return [*found, ("rows", f"{'/'.join(self.lines(position))} {position.to_move}")]
