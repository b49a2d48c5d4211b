"""Hex's notations: move lists, rows of stones, diagrams; records are read in ``records``."""


from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.errors import BadPosition, quoted
from zermelo.games import grid
from zermelo.games.hex.rules import words_of

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
