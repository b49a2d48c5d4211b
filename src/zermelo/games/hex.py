"""Hex without the swap rule, on boards of 1 x 1 to 16 x 16 cells.

X moves first and connects the top edge with the bottom edge; O connects left and right. Cells are
named as on HexWiki and in red-bean's SGF: a1 at the top left, letters for columns, numbers for rows.
The rules themselves are in ``_hex_rules``.

``x`` and ``o`` hold the stones of the two players, ``turn`` who moves.
"""

import re
from collections.abc import Iterable
from math import cos, pi, sin, sqrt
from typing import ClassVar

from zermelo import svg
from zermelo.errors import BadMove, BadPosition, quoted
from zermelo.game import Game, Parameter, Rules
from zermelo.games._hex_rules import LARGEST, rules_for, words_of
from zermelo.position import Position

MARKS = {"X": 0, "x": 0, "O": 1, "o": 1, ".": None, "-": None, "*": None}
EDGES = ("top and bottom", "left and right")
PREFIX = re.compile(r"(\d+)\s*x\s*(\d+)\s*:", re.IGNORECASE)
LINK = re.compile(r"(\d+)(?:x(\d+))?[a-z0-9]*(?:,([^,]*))?(?:,.*)?", re.DOTALL)
LINK_MOVE = re.compile(r"[A-Za-z]+\d+|:[rf][bw]|:.|.", re.DOTALL)
LINK_WORDS = {":s": "swap", ":S": "swap", ":p": "pass",
              ":rb": "resign", ":rw": "resign", ":fb": "forfeit", ":fw": "forfeit"}
SGF = re.compile(r"\s*(?:([;()])|([A-Z]+)\s*((?:\[(?:\\.|[^\]\\])*\]\s*)+))", re.DOTALL)
WORDS = ("swap", "swap-pieces", "swap-sides", "pass", "resign", "forfeit")


class Hex(Game):
    """X and O in turn take an empty cell; X joins top and bottom, O left and right. No draws."""

    name = "hex"
    players = ("X", "O")
    parameters: ClassVar[dict[str, Parameter]] = {
        "size": Parameter(11, "cells along a side", low=1, high=LARGEST),
    }

    def define(self) -> Rules:
        """The rules as bit operations. Moves are cells, row by row: a1, b1, c1, ..."""
        return rules_for(self["size"])

    def read(self, text: str) -> Position:
        """A move list, rows of stones, an SGF record or a HexWorld link."""
        if "#" in text:
            return self._from_link(text)
        if "[" in text:
            return self._from_sgf(text)
        prefix = PREFIX.match(text)
        if prefix:
            self._check_size(*prefix.groups(), text)
        body = text[prefix.end() :].strip() if prefix else text
        if "/" in body or "." in body or (body and set(body) <= {*MARKS, *" \t\n"}):
            return self._from_rows(body)
        return self._replay(self.start(), body.replace(",", " ").split())

    def _check_size(self, columns: str, rows: str | None, text: str) -> None:
        size = self["size"]
        if {int(columns), int(rows or columns)} != {size}:
            raise BadPosition(
                f"hex: {quoted(text)} is for a board of {columns} x {rows or columns} cells, but "
                f"this one has size={size}."
            )

    def _replay(self, position: Position, moves: Iterable[str], letters: bool = False) -> Position:
        """``position`` after ``moves``; ``letters`` if rows have letters too, as at Little Golem."""
        for index, move in enumerate(moves, 1):
            name = LINK_WORDS.get(move, move).lower()
            if letters and re.fullmatch("[a-z]{2}", name):
                name = f"{name[0]}{ord(name[1]) - ord('a') + 1}"
            if name in ("resign", "forfeit"):
                break
            try:
                position = self._passed(position) if name == "pass" else position.play(name)
            except BadMove as error:
                place = f"move {index}" if name == move else f"move {index}, {quoted(move)}"
                raise BadPosition(f"hex: {place}: {error}") from None
        return position

    def _passed(self, position: Position) -> Position:
        """The turn handed over. No rule of the game: records use it to set up positions."""
        if position.outcome is not None:
            raise BadMove("'pass': the game is over.")
        return self._position(*self._stones(position), 1 - position.mover)

    def _from_link(self, text: str) -> Position:
        """HexWorld: ``#<size><display options>,<moves>,<moves not yet made>``."""
        link = text.rpartition("#")[2].strip()
        parts = LINK.fullmatch(link)
        if not parts:
            raise BadPosition(
                f"hex: {quoted(text)} is no HexWorld link; one looks like '#11c1,a3b4', size first."
            )
        self._check_size(parts[1], parts[2], text)
        return self._replay(self.start(), LINK_MOVE.findall(parts[3] or ""))

    def _from_sgf(self, text: str) -> Position:
        """The main line of an SGF record, in red-bean's or Little Golem's dialect."""
        moves = list(self._sgf_moves(text))
        names = [name for _, name in moves if name not in WORDS]
        digits = [any(mark.isdigit() for mark in name) for name in names]
        if any(digits) and not all(digits):
            raise BadPosition(
                f"hex: {quoted(names[digits.index(True)])} is a cell as red-bean's SGF writes it, "
                f"{quoted(names[digits.index(False)])} as Little Golem's; a record must keep to one."
            )
        for index, ((colour, _), (after, name)) in enumerate(zip(moves, moves[1:], strict=False), 2):
            if colour == after and name not in ("resign", "forfeit"):
                raise BadPosition(f"hex: move {index}, {after}[{name}]: {after} moved just before.")
        # Red-bean's Black joins top and bottom, as X does. Little Golem's first player does, and
        # is called White.
        white_first = any(digits) and moves[0][0] == "W"
        start = self._position(0, 0, 1) if white_first else self.start()
        return self._replay(start, [name for _, name in moves], letters=not any(digits))

    def _sgf_moves(self, text: str) -> Iterable[tuple[str, str]]:
        """Colour and value of the moves down to the first leaf."""
        at, end = 0, len(text.rstrip())
        while at < end:
            token = SGF.match(text, at)
            if not token:
                raise BadPosition(
                    f"hex: {quoted(text)} is no SGF record: character {at + 1}, "
                    f"{quoted(text[at : at + 10])}, is not ; ( ) or a property such as B[a3]."
                )
            at = token.end()
            if token[1] == ")":
                return
            if not token[1]:
                values = re.findall(r"\[((?:\\.|[^\]\\])*)\]", token[3], re.DOTALL)
                yield from self._sgf_property(token[2], [v.strip() for v in values], text)

    def _sgf_property(self, name: str, values: list[str], text: str) -> list[tuple[str, str]]:
        if name == "SZ":
            columns, _, rows = values[0].partition(":")
            if not (columns.isdecimal() and (rows or columns).isdecimal()):
                raise BadPosition(f"hex: SZ[{values[0]}] is no board size; write SZ[11].")
            self._check_size(columns, rows or None, text)
        if name == "GM" and values[0] != "11":
            raise BadPosition(f"hex: GM[{values[0]}] is another game; Hex is GM[11].")
        if name in ("AB", "AW", "AE", "PL"):
            raise BadPosition(
                f"hex: the record sets up stones with {name}, which is not read; write the board in "
                "rows of X, O and . instead."
            )
        if name not in ("B", "W"):
            return []
        if len(values) > 1:
            raise BadPosition(f"hex: {name} has {len(values)} values; a move is one cell.")
        return [(name, values[0].lower())]

    def _from_rows(self, body: str) -> Position:
        """Rows from the top, set apart by / or line ends or run together, then who moves."""
        size, side = self["size"], ""
        words = body.split()
        if len(words) > 1 and words[-1] in ("X", "O", "x", "o"):
            marks = sum(mark not in "/" for word in words for mark in word)
            if marks == size * size + 1:
                side = words.pop().upper()
                body = body.rstrip()[:-1]
        rows = ["".join(row.split()) for row in re.split(r"[/\n]", body.strip())]
        if len(rows) == 1 and len(rows[0]) == size * size:
            rows = [rows[0][i : i + size] for i in range(0, size * size, size)]
        if len(rows) != size:
            raise BadPosition(f"hex: {quoted(body)} has {len(rows)} rows, the board has {size}.")
        stones = [0, 0]
        for r, row in enumerate(rows):
            if len(row) != size:
                raise BadPosition(
                    f"hex: row {r + 1}, {quoted(row)}, has {len(row)} cells, the board has {size} "
                    "in a row (who moves, X or O, stands after a space)."
                )
            for c, mark in enumerate(row):
                if mark not in MARKS:
                    raise BadPosition(
                        f"hex: character {quoted(mark)} at {self._name(r * size + c)} is no cell; "
                        "use X, O and . ."
                    )
                player = MARKS[mark]
                if player is not None:
                    stones[player] |= 1 << (r * size + c)
        return self._from_stones(stones[0], stones[1], side, body)

    def _from_stones(self, x: int, o: int, side: str, body: str) -> Position:
        if not side:
            surplus = x.bit_count() - o.bit_count()
            if surplus not in (0, 1):
                raise BadPosition(
                    f"hex: {quoted(body)} has {x.bit_count()} X and {o.bit_count()} O; X begins, so "
                    "X has as many as O or one more (add X or O after a space to say who moves)."
                )
            side = self.players[surplus]
        turn = self.players.index(side)
        if self._joined(o if turn else x, turn):
            raise BadPosition(
                f"hex: {side} already joins {EDGES[turn]} in {quoted(body)}, so {side} can't be to "
                "move."
            )
        return self._position(x, o, turn)

    def _position(self, x: int, o: int, turn: int) -> Position:
        size = self["size"]
        return self.position(x=words_of(size, x), o=words_of(size, o), turn=turn)

    def _stones(self, position: Position) -> tuple[int, int]:
        """The stones of X and of O, cell i as bit i."""
        state, span = position.state[0], 64 // self["size"] * self["size"]
        if not state["x"].shape:
            return int(state["x"]), int(state["o"])
        x, o = (sum(int(part) << (span * i) for i, part in enumerate(state[f])) for f in "xo")
        return x, o

    def _joined(self, stones: int, player: int) -> bool:
        """Do the player's stones join the player's edges?"""
        both = (stones, 0) if player == 0 else (0, stones)
        return self._position(*both, 1 - player).outcome is not None

    def format(self, position: Position) -> str:
        """The moves, as far as alternate play leads here, else the rows and who moves."""
        size, turn = self["size"], position.mover
        order = [[i for i in range(size * size) if s >> i & 1] for s in self._stones(position)]
        if len(order[0]) - len(order[1]) == turn and self._end_with_win(position, order):
            both = [*zip(*order, strict=False)] + ([(order[0][-1],)] if turn else [])
            names = [self._name(cell) for pair in both for cell in pair]
            return " ".join([f"{size}x{size}:", *names])
        return "/".join("".join(row) for row in self._grid(position)) + f" {self.players[turn]}"

    def _end_with_win(self, position: Position, order: list[list[int]]) -> bool:
        """Put last a stone without which the game is not over; False if there is none."""
        if position.outcome is None:
            return True
        winner = 1 - position.mover
        stones, cells = self._stones(position)[winner], order[winner]
        for cell in reversed(cells):
            if not self._joined(stones ^ (1 << cell), winner):
                cells.remove(cell)
                cells.append(cell)
                return True
        return False

    def _name(self, cell: int) -> str:
        row, column = divmod(cell, self["size"])
        return f"{chr(ord('a') + column)}{row + 1}"

    def move_name(self, position: Position, move: int) -> str:
        """Column letter and row number."""
        return self._name(move)

    def parse_move(self, position: Position, text: str) -> int:
        """The cell called ``text``, which must be empty."""
        size = self["size"]
        name = text.strip().lower()
        if name in WORDS[:3]:
            raise BadMove(f"{quoted(text)}: Hex is played without swap here.")
        found = re.fullmatch(r"([a-z])([1-9]\d?)", name)
        column, row = (ord(found[1]) - ord("a"), int(found[2]) - 1) if found else (size, size)
        if column >= size or row >= size:
            last = self._name(size * size - 1)
            raise BadMove(
                f"{quoted(text)} is not a cell of the {size} x {size} board; cells are a1 to {last}."
            )
        cell = row * size + column
        if cell not in position.codes():
            raise BadMove(f"{quoted(text)}: the cell is taken.")
        return cell

    def _grid(self, position: Position) -> list[list[str]]:
        size = self["size"]
        x, o = self._stones(position)
        marks = ["X" if x >> i & 1 else "O" if o >> i & 1 else "." for i in range(size * size)]
        return [marks[i : i + size] for i in range(0, size * size, size)]

    def diagram(self, position: Position) -> str:
        """The board as a rhombus; x and o stand along the edges that X and O join."""
        size = self["size"]
        letters = " ".join(chr(ord("a") + c) for c in range(size))
        edge = " ".join("x" * size)
        lines = [f"   {letters}", f"    {edge}"]
        for r, row in enumerate(self._grid(position)):
            lines.append(f"{' ' * r}{r + 1:>2} o {' '.join(row)} o")
        return "\n".join([*lines, f"{' ' * size}     {edge}"])

    def svg(self, position: Position) -> str:
        """X red, O blue, and the edges in the colour of the player who joins them."""
        size, radius = self["size"], 22
        red, blue = svg.STONES["red"], svg.STONES["blue"]
        step = radius * sqrt(3)
        corners = [(radius * sin(k * pi / 3), -radius * cos(k * pi / 3)) for k in range(6)]
        cells, edges, stones, labels = [], [], [], []
        for r, row in enumerate(self._grid(position)):
            for c, mark in enumerate(row):
                x, y = 40 + step * (c + r / 2 + 0.5), 36 + radius * (1.5 * r + 1)
                points = [(x + dx, y + dy) for dx, dy in corners]
                cells.append(svg.polygon(points, "#f6f2e8", "#8a8578"))
                if mark != ".":
                    stones.append(svg.disc(x, y, 14, red if mark == "X" else blue))
                if r == 0:
                    labels.append(svg.label(x - step / 4, y - 1.6 * radius, chr(ord("a") + c)))
                if c == 0:
                    labels.append(svg.label(x - 0.9 * step, y, str(r + 1)))
                for k in self._open_sides(r, c):
                    ends = (*points[k], *points[(k + 1) % 6])
                    at_top_or_bottom = (r == 0 and k in (5, 0)) or (r == size - 1 and k in (2, 3))
                    edges.append(svg.line(*ends, red if at_top_or_bottom else blue, 4))
        width, height = 60 + step * (1.5 * size - 0.5), 56 + radius * (1.5 * size + 0.5)
        return svg.page(width, height, cells + edges + stones + labels)

    def _open_sides(self, row: int, column: int) -> set[int]:
        """The sides of a cell without a neighbour; side k runs from corner k, clockwise from the top."""
        last = self["size"] - 1
        sides = {5, 0} if row == 0 else set()
        sides |= {2, 3} if row == last else set()
        sides |= {3, 4} if column == 0 else set()
        return sides | ({0, 1} if column == last else set())
