"""Hex games as people keep them: move lists, SGF in two dialects, HexWorld links; and their swaps.

``swap-pieces`` is the move ``swap`` of the rules: the stone changes colour and is mirrored, so that
each player keeps the own edges. Little Golem's ``swap`` means that. ``swap-sides`` changes only who
plays which colour: the board stays as it is, so for the board nothing has happened.
"""

import re
from collections.abc import Sequence

from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.errors import BadMove, BadPosition, quoted
from zermelo.games import sgf
from zermelo.games.hex.text import build, drawn_size, read_rows, stones

SWAP, SWAP_SIDES = ("swap", "swap-pieces"), "swap-sides"
ENDS, COLOURS = ("resign", "forfeit"), ("B", "W")
PREFIX = re.compile(r"([0-9]{1,4})\s*x\s*([0-9]{1,4})\s*:", re.IGNORECASE | re.ASCII)
LINK = re.compile(r"([0-9]{1,4})(?:x([0-9]{1,4}))?[a-z0-9]*(?:,([^,]*))?(?:,.*)?", re.DOTALL)
LINK_MOVE = re.compile(r"[A-Za-z]{1,2}[0-9]{1,3}|:[rf][bw]|:.|\S", re.ASCII)
LINK_WORDS = {":s": "swap-pieces", ":S": "swap-sides", ":p": "pass",
              ":rb": "resign", ":rw": "resign", ":fb": "forfeit", ":fw": "forfeit"}
RED_BEAN = re.compile(r"[a-z]{1,3}[0-9]{1,4}")
LITTLE_GOLEM = re.compile(r"[a-z]{2}")
SIZE = re.compile(r"([0-9]{1,4})(?::([0-9]{1,4}))?")


def read(game: Game, text: str) -> Position:
    """A move list or rows of stones, with or without the size before; SGF; a HexWorld link."""
    if "[" in text:
        return _from_sgf(game, text)
    if "#" in text:
        return _from_link(game, text).read_as("HexWorld link")
    prefix, drawn = PREFIX.match(text), drawn_size(text)
    if prefix:
        game = _of_size(game, prefix[1], prefix[2], text)
    elif drawn is not None:
        game = _of_size(game, str(drawn), None, text)
    body = text[prefix.end() :].strip() if prefix else text
    board = read_rows(game, body)
    return board or _replay(game, body.replace(",", " ").split()).read_as("moves")


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
            if name in ENDS:
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
    for name, values in sgf.record_of("hex", text, "B[a3]").properties:
        game = _told(game, name, values, text)
        if name in COLOURS:
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
        if (colour == before) != (swap == SWAP_SIDES) and name not in ENDS:
            raise BadPosition(
                f"hex: move {i + 1}, {quoted(name)}, is {colour}'s, and so was the move before."
                if colour == before else
                f"hex: move {i + 1}, {quoted(name)}, is {colour}'s, but after {SWAP_SIDES} it is "
                f"again {before}'s turn."
            )


def _told(game: Game, name: str, values: list[str], text: str) -> Game:
    """The game after a property that says what is played; refuses what is not read."""
    if name == "SZ":
        size = SIZE.fullmatch(values[0])
        if not size:
            raise BadPosition(f"hex: SZ {quoted(values[0])} is not a board size; write SZ[11].")
        return _of_size(game, size[1], size[2], text)
    if name == "GM" and values[0] != "11":
        raise BadPosition(f"hex: GM {quoted(values[0])} is another game; Hex is GM[11].")
    if name in ("AB", "AW", "AE", "PL"):
        raise BadPosition(
            f"hex: the record sets up a position with {name}, which is not read; write the board "
            "in rows of X, O and . instead."
        )
    if name in COLOURS and len(values) > 1:
        raise BadPosition(
            f"hex: {name} has {len(values)} values, {quoted(values[0])} first; a move is one cell."
        )
    return game
