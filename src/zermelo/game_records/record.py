"""A game record: the moves of a game, in any notation in which the game reads moves.

Moves may be given one by one, or as one text with spaces, commas or line ends between them. A text
that is not such a list is read as a position (``4455``, ``f5d6c3``, an SGF record): a position
knows the moves that led to it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from zermelo.core.game import Game
from zermelo.core.pgn import headers_of, moves_of
from zermelo.core.position import Position
from zermelo.core.texts import check_length
from zermelo.errors import BadOption, BadPosition, ZermeloError, quoted

BETWEEN = re.compile(r"[\s,]+")


@dataclass(frozen=True)
class Record:
    """The positions of a game, from the first to the last, and the moves between them."""

    positions: list[Position]
    moves: list[str]


def read_record(game: Game, record: str | Iterable[str],
                start: Position | str | None = None) -> Record:
    """The moves in ``record``, from the game's start or from ``start``."""
    if not isinstance(game, Game):
        raise BadOption(f"{quoted(game)} is not a game; zermelo.game(name) makes one.")
    if isinstance(record, str):
        check_length(game.name, record, "a record")
        headers, rest = headers_of(record)
        if headers:
            record, start = moves_of(rest) or "start", start or headers.get("FEN")
    begin = _begin(game, start)
    if isinstance(record, str):
        end = _read(begin, record.strip(), start is not None)
    elif isinstance(record, Iterable):
        end = begin.game.play_all(begin, record)
    else:
        raise BadPosition(f"{game.name}: a record is a text or a list of moves, not "
                          f"{quoted(record)}.")
    positions, moves = [begin if end.origin == begin else end.origin], []
    for code in end.played:
        moves.append(positions[-1].game.move_name(positions[-1], code))
        positions.append(positions[-1].play_code(code))
    return Record(positions, moves)


def _begin(game: Game, start: Position | str | None) -> Position:
    """Where the record begins, as a position that was set up."""
    if start is None:
        return game.start()
    found = game.parse(start) if isinstance(start, str) else start
    if not isinstance(found, Position) or type(found.game) is not type(game):
        shown = start.text if isinstance(start, Position) else start
        raise BadOption(f"the record starts from {quoted(shown)}, which is not a position of "
                        f"{game.name}.")
    return Position(found.game, found.state)


def _read(begin: Position, text: str, given: bool) -> Position:
    """The position after the moves in ``text``; where that fails, in what way it comes closest."""
    game = begin.game
    if not text:
        raise BadPosition(f"{game.name}: the record is empty; write 'start' for one without moves.")
    if text == "start":
        return begin
    complaints: list[ZermeloError] = []
    for words in (BETWEEN.split(text), text.splitlines()):  # a move may have spaces in it
        try:
            return game.play_all(begin, [word.strip() for word in words if word.strip()])
        except BadPosition as error:
            complaints.append(error)
    reader = _reader(begin)
    try:
        end = reader.parse(text)
        if end.played and _from_there(end.origin, begin, given):
            return end
        complaint: ZermeloError = BadPosition(
            f"{game.name}: {quoted(text)} does not lead from {quoted(begin.text)} by moves alone; "
            "a position to begin at is given apart from the moves (--from, or start=)."
        )
    except BadPosition as error:
        complaint = error
    raise (complaint if _reads_moves(reader, begin) else complaints[0]) from None


def _reader(begin: Position) -> Game:
    """The game as if it began at ``begin``: what reads moves from the start reads them there."""
    reader: Game = object.__new__(type(begin.game))
    reader.__dict__.update(begin.game.__dict__, start=lambda: begin)
    return reader


def _from_there(origin: Position, begin: Position, given: bool) -> bool:
    """Whether moves from ``origin`` are the record: a text may name a board of another size."""
    return origin == begin or (not given and origin == origin.game.start())


def _reads_moves(reader: Game, begin: Position) -> bool:
    """Whether the game reads moves as a position; then it says best what is wrong with them."""
    try:
        return bool(reader.parse(begin.moves()[0]).played)
    except (ZermeloError, IndexError):
        return False
