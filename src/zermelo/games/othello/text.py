"""Othello's notations (boards, OBF lines, GGF boards and games, transcripts) and pictures."""

from __future__ import annotations

import re

from zermelo.core import svg
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.errors import BadMove, BadPosition, quoted
from zermelo.games import grid, sgf

PASS, COLOURS = 64, "BW"
PASSES = ("pass", "pa", "ps", "--")
MOVE = re.compile(r"[\s,]*(pass|pa|ps|--|[a-z][0-9])", re.IGNORECASE | re.ASCII)
VALUE = re.compile(r"([a-z][0-9]|pass|pa|ps|--):[+-]?[0-9]+", re.IGNORECASE | re.ASCII)

# Three ways of writing squares: 0 for black, 1 for white, 2 for empty.
LETTERS = {"X": 0, "x": 0, "O": 1, "o": 1, "-": 2, ".": 2}
DIGITS = {"0": 0, "1": 1, "*": 2}
GGF = {"*": 0, "O": 1, "-": 2}
WAYS, GGF_WAY = "X, O and - (or .), or 0, 1 and *", "*, O and - after ggf:"
SIDES, GGF_SIDES = "X or O (or 0, 1)", "* or O"


def squares(size: int) -> list[int]:
    """The bits of a board of ``size``, row by row from the top."""
    span = range((8 - size) // 2, (8 + size) // 2)
    return [8 * row + column for row in span for column in span]


def square_name(size: int, bit: int) -> str:
    """Column a.. from the left, row 1.. from the top."""
    first = (8 - size) // 2
    return f"{'abcdefgh'[bit % 8 - first]}{bit // 8 - first + 1}"


def read(game: Game, text: str) -> Position:
    """A board with the side to move, an OBF line, a GGF board or game, or a transcript."""
    if text.startswith(("(", ";")):
        return _from_game(game, text)
    text = _undrawn(text, game["size"])
    if text.lower().startswith("ggf:"):
        return _from_ggf(game, text).read_as("GGF board")
    if re.search("[a-hA-H]", text.split()[0]):
        return _from_transcript(game, text).read_as("transcript")
    body, _, values = text.partition(";")
    for value in values.split(";"):
        if value.strip() and not VALUE.fullmatch(value.strip()):
            raise BadPosition(
                f"othello: {quoted(value.strip())} in {quoted(text)} is not a move with its score, "
                "such as h5:+6."
            )
    board, side = _parts(game, body.replace("/", " ").split(), text, SIDES)
    if "*" in board and set(board) <= {"*", *LETTERS}:
        raise BadPosition(
            f"othello: * in {quoted(board)} can be read as a black disc (as in GGF: then write "
            "ggf: before the board) or as an empty square (then write the discs as 0 and 1)."
        )
    turn = LETTERS.get(side, DIGITS.get(side, 2))
    if turn == 2:
        raise BadPosition(
            f"othello: {quoted(side)} after the board is not a side to move; write {SIDES}."
        )
    position = _from_cells(game, board, (LETTERS, DIGITS), turn, WAYS)
    return position.read_as("OBF line" if ";" in text else "board")


def _undrawn(text: str, size: int) -> str:
    """The rows of a diagram; + marks a square where a disc can be put, which is empty."""
    found = grid.undrawn(text, size, size)
    return text if found == text else found.replace("+", "-")


def _from_transcript(game: Game, text: str) -> Position:
    """Moves one after the other; a pass may be written or left out."""
    position, at, number = game.start(), 0, 0
    while at < len(text):
        found = MOVE.match(text, at)
        if not found:
            raise BadPosition(
                f"othello: {quoted(text[at:].strip())}, after move {number}, does not begin with a "
                "move such as f5 or pass."
            )
        at, number = found.end(), number + 1
        position = _after(position, found[1].lower(), number, None)
    return position


def _after(position: Position, name: str, number: int, player: int | None) -> Position:
    """The position after one more move, of ``player`` if that is said; a pass may be left out."""
    if position.codes() == [PASS] and name not in PASSES:
        position = position.play_code(PASS)
    try:
        if position.outcome is None and player not in (None, position.mover):
            raise BadMove(f"{quoted(name)} is a move of {COLOURS[player or 0]}, but "
                          f"{position.to_move} ({COLOURS[position.mover]}) is to move.")
        return position.play(name)
    except BadMove as error:
        raise BadPosition(f"othello: move {number}: {error}") from None


def _from_game(game: Game, text: str) -> Position:
    """A game in GGF, or in SGF, which looks alike: ``BO[...]`` is the board it begins with."""
    record, position, number = sgf.record_of("othello", text, "B[d3]"), game.start(), 0
    for name, values in record.properties:
        value = values[0]
        if name == "GM" and value.lower() not in ("othello", "reversi", "2"):
            raise BadPosition(f"othello: GM {quoted(value)} is another game; Othello is "
                              "GM[Othello], or GM[2] in SGF.")
        if name in ("AB", "AW", "AE", "PL"):
            raise BadPosition(f"othello: the record sets up a position with {name}, which is not "
                              "read; write the board instead.")
        if name == "BO":
            if number:
                raise BadPosition(f"othello: a second board, BO {quoted(value)}, follows move "
                                  f"{number}.")
            position = _from_ggf(game, f"ggf:{value}")
        if name in ("B", "W"):
            number += 1  # GGF writes an estimate and a time after the move: D3/1.2/0.5
            move = value.split("/")[0].strip().lower()
            position = _after(position, move or "pass", number, COLOURS.index(name))
    return position.read_as("GGF" if any(p.name == "BO" for p in record.properties) else "SGF")


def _from_ggf(game: Game, text: str) -> Position:
    """What a GGF record has in ``BO[...]``: the size (may be left out), the board, the side."""
    parts = text[4:].strip().removeprefix("BO[").removesuffix("]").split()
    if parts and parts[0] == str(game["size"]):
        parts.pop(0)
    board, side = _parts(game, parts, text, GGF_SIDES)
    if side not in ("*", "O"):
        raise BadPosition(f"othello: {quoted(side)} is not a side to move in GGF; write "
                          f"{GGF_SIDES}.")
    return _from_cells(game, board, (GGF,), GGF[side], GGF_WAY)


def _parts(game: Game, parts: list[str], text: str, sides: str) -> tuple[str, str]:
    """The board, which may come in rows, and the side to move."""
    size, board = game["size"], "".join(parts)
    if len(board) == size * size and len({len(part) for part in parts}) == 1:
        raise BadPosition(
            f"othello: {quoted(text)} does not say who moves; add a space and {sides}."
        )
    if not parts or len(board) - len(parts[-1]) != size * size:
        raise BadPosition(
            f"othello: {quoted(text)} is not a board of {size}x{size}; write its {size * size} "
            f"squares, a space and the side to move, {sides}."
        )
    return "".join(grid.rows_of("othello", " ".join(parts[:-1]), size, size)), parts[-1]


def _from_cells(
    game: Game, board: str, alphabets: tuple[dict[str, int], ...], turn: int, ways: str
) -> Position:
    """The position on ``board``, all of it written in one of the ``alphabets``."""
    bits, fitting = squares(game["size"]), list(alphabets)
    for bit, mark in zip(bits, board, strict=True):
        fitting = [alphabet for alphabet in fitting if mark in alphabet]
        if not fitting:
            raise BadPosition(
                f"othello: {quoted(mark)} at {square_name(game['size'], bit)} of {quoted(board)} "
                f"is not a square, or not written like those before it; write {ways}."
            )
    discs = [0, 0, 0]
    for bit, mark in zip(bits, board, strict=True):
        discs[fitting[0][mark]] |= 1 << bit
    return game.position(own=discs[turn], opp=discs[1 - turn], turn=turn)


def notations(game: Game, position: Position, board: str) -> list[tuple[str, str]]:
    """The board in four ways, and the transcript where the game began at the start."""
    size, turn = game["size"], position.mover
    rows = [board[i : i + size] for i in range(0, size * size, size)]
    papers, ggf = str.maketrans("XO-", "01*"), str.maketrans("XO-", "*O-")
    found = [("board", game.format(position)),
             ("rows", f"{'/'.join(rows)} {position.to_move}"),
             ("OBF line", f"{board} {position.to_move};"),
             ("digits", f"{board.translate(papers)} {turn}"),
             ("GGF board", f"ggf: {size} {board.translate(ggf)} {'*O'[turn]}")]
    if position.origin == game.start() and position.played:
        found.insert(0, ("transcript", "".join(position.played_names())))
    return found


CELL, MARGIN = 44, 24
BOARD, GRID, DOT = "#3f7d52", "#2c5c3b", "#a9c9ae"
DISCS = {"X": (svg.STONES["dark"], "#0d0f13"), "O": (svg.STONES["light"], "#6f6b60")}


def centre(row: int, column: int) -> tuple[float, float]:
    """Where a square is, rows from the top."""
    return MARGIN + CELL * (column + 0.5), MARGIN + CELL * (row + 0.5)


def picture(size: int, cells: dict[str, str], moves: list[str]) -> str:
    """Dark discs for X, light ones for O, a dot where a disc can be put: a click there is a move.

    ``cells`` are the marks by name, row by row from the top.
    """
    end = MARGIN + CELL * size
    parts = [svg.rectangle(MARGIN, MARGIN, end - MARGIN, end - MARGIN, BOARD, radius=3)]
    for at in range(MARGIN, end + 1, CELL):
        parts += [svg.line(MARGIN, at, end, at, GRID), svg.line(at, MARGIN, at, end, GRID)]
    places: dict[str, tuple[float, float]] = {}
    for index, (name, mark) in enumerate(cells.items()):
        row, column = divmod(index, size)
        x, y = centre(row, column)
        if column == 0:
            parts.append(svg.label(MARGIN / 2, y, str(row + 1)))
        if row == 0:
            parts.append(svg.label(x, MARGIN / 2, name[0]))
        if mark in DISCS:
            parts.append(svg.disc(x, y, 18, *DISCS[mark]))
        elif name in moves:
            parts.append(svg.disc(x, y, 4, DOT, "none"))
            places[name] = (x, y)
    return svg.page(end + 6, end + 6, [*parts, svg.areas(places, CELL)])
