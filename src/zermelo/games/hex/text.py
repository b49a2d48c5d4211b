"""Hex's notations: move lists, rows of stones, SGF records in two dialects, HexWorld links."""

import re
from collections.abc import Iterable, Iterator

from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.errors import BadMove, BadPosition, quoted
from zermelo.games.hex.rules import words_of

MARKS = {"X": 0, "x": 0, "O": 1, "o": 1, ".": None, "-": None, "*": None}
EDGES = ("top and bottom", "left and right")
SWAPS, ENDS = ("swap", "swap-pieces", "swap-sides"), ("resign", "forfeit")
PREFIX = re.compile(r"(\d{1,4})\s*x\s*(\d{1,4})\s*:", re.IGNORECASE)
LINK = re.compile(r"(\d{1,4})(?:x(\d{1,4}))?[a-z0-9]*(?:,([^,]*))?(?:,.*)?", re.DOTALL)
LINK_MOVE = re.compile(r"[A-Za-z]+\d+|:[rf][bw]|:.|\S")
LINK_WORDS = {":s": "swap-pieces", ":S": "swap-sides", ":p": "pass",
              ":rb": "resign", ":rw": "resign", ":fb": "forfeit", ":fw": "forfeit"}
VALUE = r"\[((?:\\.|[^\]\\])*)\]"
SGF = re.compile(rf"\s*(?:([;()])|([A-Z]+)\s*((?:{VALUE}\s*)+))", re.DOTALL)
RED_BEAN = re.compile(r"[a-z]+\d+")
LITTLE_GOLEM = re.compile(r"[a-z]{2}")
SIZE = re.compile(r"SZ\[(\d{1,4})(?::(\d{1,4}))?\]")


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


def read(game: Game, text: str) -> Position:
    """A move list or rows of stones, with or without the size before; SGF; a HexWorld link."""
    if "#" in text:
        return _from_link(game, text).read_as("HexWorld link")
    if "[" in text:
        return _from_sgf(game, text)
    prefix = PREFIX.match(text)
    if prefix:
        game = _of_size(game, prefix[1], prefix[2], text)
    body = text[prefix.end() :].strip() if prefix else text
    if "/" in body or "." in body or (body and set(body) <= {*MARKS, *" \t\r\n"}):
        return _from_rows(game, body).read_as("rows")
    return _replay(game.start(), body.replace(",", " ").split()).read_as("moves")


def _of_size(game: Game, columns: str, rows: str | None, text: str) -> Game:
    """The game of the size that a text names; a size that was asked for must agree with it."""
    sizes = {int(columns), int(rows or columns)}
    if sizes == {game["size"]}:
        return game
    if len(sizes) > 1 or game.changed:
        raise BadPosition(
            f"hex: {quoted(text)} is for a board of {columns} x {rows or columns} cells, but this "
            f"one has size={game['size']}."
        )
    return type(game)(size=sizes.pop())


def _replay(position: Position, moves: Iterable[str], letters: bool = False) -> Position:
    """``position`` after ``moves``; ``letters``: rows are written with letters too."""
    for index, move in enumerate(moves, 1):
        name = LINK_WORDS.get(move, move).lower()
        if letters and LITTLE_GOLEM.fullmatch(name):
            name = f"{name[0]}{ord(name[1]) - ord('a') + 1}"
        if name in ENDS:
            break
        try:
            position = _passed(position) if name == "pass" else position.play(name)
        except BadMove as error:
            place = f"move {index}" if name == move else f"move {index}, {quoted(move)}"
            raise BadPosition(f"hex: {place}: {error}") from None
    return position


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
            f"hex: {quoted(text)} is no HexWorld link; one looks like '#11c1,a3b4', size first."
        )
    game = _of_size(game, parts[1], parts[2], text)
    return _replay(game.start(), LINK_MOVE.findall(parts[3] or ""))


def _from_sgf(game: Game, text: str) -> Position:
    """The main line of a record in red-bean's dialect (``a3``) or Little Golem's (``ac``)."""
    size = SIZE.search(text)
    game = _of_size(game, size[1], size[2], text) if size else game
    moves = list(_sgf_moves(game, text))
    digits = next((name for _, name in moves if RED_BEAN.fullmatch(name)), "")
    letters = next((name for _, name in moves if LITTLE_GOLEM.fullmatch(name)), "")
    if digits and letters:
        raise BadPosition(
            f"hex: {quoted(digits)} is a cell as red-bean's SGF writes it, {quoted(letters)} one "
            "as Little Golem's does; a record must keep to one of them."
        )
    for i in range(1, len(moves)):
        colour, name = moves[i]
        if colour == moves[i - 1][0] and name not in ENDS:
            raise BadPosition(
                f"hex: move {i + 1}, {quoted(name)}, is {colour}'s, and so was the move before."
            )
    # Red-bean's Black joins top and bottom, as X does, whoever begins. At Little Golem the player
    # who begins does, and the record calls that player White.
    second_begins = digits and moves[0][0] == "W"
    position = _replay(build(game, 0, 0, 1) if second_begins else game.start(),
                       [name for _, name in moves], letters=bool(letters))
    return position.read_as(f"SGF{', Little Golem' * bool(letters)}{', red-bean' * bool(digits)}")


def _sgf_moves(game: Game, text: str) -> Iterator[tuple[str, str]]:
    """Colour and value of the moves, down to the first leaf."""
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
        if token[2]:
            values = [value.strip() for value in re.findall(VALUE, token[3], re.DOTALL)]
            yield from _sgf_property(game, token[2], values, text)


def _sgf_property(game: Game, name: str, values: list[str], text: str) -> list[tuple[str, str]]:
    """The move that a property is; checks those that say what is played."""
    if name == "SZ":
        size = SIZE.fullmatch(f"SZ[{values[0]}]")
        if not size:
            raise BadPosition(f"hex: SZ {quoted(values[0])} is no board size; write SZ[11].")
        _of_size(game, size[1], size[2], text)
    if name == "GM" and values[0] != "11":
        raise BadPosition(f"hex: GM {quoted(values[0])} is another game; Hex is GM[11].")
    if name in ("AB", "AW", "AE", "PL"):
        raise BadPosition(
            f"hex: the record sets up a position with {name}, which is not read; write the board "
            "in rows of X, O and . instead."
        )
    if name not in ("B", "W"):
        return []
    if len(values) > 1:
        raise BadPosition(
            f"hex: {name} has {len(values)} values, {quoted(values[0])} first; a move is one cell."
        )
    return [(name, values[0].lower())]


def _from_rows(game: Game, body: str) -> Position:
    """Rows from the top, set apart by / or line ends or run together; then who moves."""
    size, side = game["size"], ""
    parts = body.replace("/", " ").split()
    if len(parts) > 1 and parts[-1] in tuple("XOxo") and len("".join(parts)) == size * size + 1:
        side = parts[-1].upper()
        body = body[:-1].rstrip()
    rows = ["".join(row.split()) for row in re.split(r"[/\n]", body)]
    if len(rows) == 1 and len(rows[0]) == size * size:
        rows = [rows[0][i : i + size] for i in range(0, size * size, size)]
    if len(rows) != size:
        raise BadPosition(
            f"hex: {quoted(body)} has {len(rows)} row{'s' * (len(rows) > 1)}, the board has {size}."
        )
    found = [0, 0]
    for r, row in enumerate(rows):
        if len(row) != size:
            raise BadPosition(
                f"hex: row {r + 1}, {quoted(row)}, has {len(row)} cells, not {size}; who moves, X "
                "or O, stands after the last row and a space."
            )
        for c, mark in enumerate(row):
            if mark not in MARKS:
                name = cell_name(size, r * size + c)
                raise BadPosition(f"hex: {quoted(mark)} at {name} is no cell; use X, O and '.'.")
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
