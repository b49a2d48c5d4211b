"""recognise(): what may a text be? All readings over all games, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from zermelo.core.board_view import picture_of, place_of
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.core.texts import check_length
from zermelo.errors import BadOption, BadPosition, ZermeloError, quoted
from zermelo.games.likely import Likely, likely, named, place_in
from zermelo.games.registry import BUILT_IN
from zermelo.games.registry import game as game_by_name

TITLES = {
    "connect-four": "Connect Four", "othello": "Othello", "hex": "Hex", "p-game": "a P-game",
    "k-in-a-row": "k-in-a-row", "tic-tac-toe": "tic-tac-toe", "gomoku": "Gomoku",
    "connect6": "Connect6", "lines-of-action": "Lines of Action", "xiangqi": "Xiangqi",
}
# What a notation is called in a sentence; others are called what they are.
NOUNS = {
    "moves": "a list of moves", "board": "a board", "rows": "a board", "link": "a link",
    "c4-cols": "a board, column by column,", "transcript": "a transcript", "path": "a path",
    "OBF line": "an OBF line", "GGF board": "a GGF board", "GGF": "a game in GGF",
    "SGF": "a record in SGF", "PGN": "a record in PGN", "FEN": "a FEN",
    "FEN and moves": "a FEN with moves", "diagram": "a diagram", "start": "the start",
    "fields": "the fields of a state", "HexWorld link": "a HexWorld link",
    "SGF, red-bean": "a record in SGF (red-bean)",
    "SGF, Little Golem": "a record in SGF (Little Golem)", "place": "a link to a position",
}


@dataclass(frozen=True)
class Reading:
    """One thing that a text may be: a position of a game, with the moves that led to it."""

    position: Position
    notation: str

    @property
    def game(self) -> Game:
        """The game, with its parameters."""
        return self.position.game

    @property
    def parameters(self) -> dict[str, Any]:
        """Those that differ from their defaults."""
        return self.game.changed

    @property
    def moves(self) -> list[str]:
        """What was played since the position that the text begins with."""
        return self.position.played_names()

    @property
    def record(self) -> bool:
        """Whether it is the record of a game."""
        return len(self.position.played) > 1

    @property
    def words(self) -> str:
        """What it is, in words."""
        noun = NOUNS.get(self.notation, self.notation)
        if (self.notation, self.game.name) == ("moves", "connect-four"):
            noun = "a move string"
        count = len(self.position.played)
        moves = f"{count} move{'s' * (count != 1)}, " if count else ""
        end = self.position.outcome
        status = f"{self.position.to_move} to move" if end is None else (
            "a draw" if end == "draw" else f"{self.game.players[end == 'second']} wins")
        title = TITLES.get(self.game.name, self.game.name)
        return f"{noun} of {title}{self._size}, {moves}{status}"

    @property
    def _size(self) -> str:
        values = self.game.values
        if "size" in values:
            return f" {values['size']}x{values['size']}"
        if "columns" in values and self.game.changed:
            return f" {values['columns']}x{values['rows']}"
        return ""

    def to_dict(self) -> dict[str, Any]:
        """For JSON, with a picture."""
        return {"place": place_of(self.position), "notation": self.notation, "words": self.words,
                "record": self.record, "picture": picture_of(self.position)}


@dataclass(frozen=True)
class Refusal:
    """Why a text is nothing of a game that it looked like; of none, where ``game`` is empty."""

    game: str
    error: str


@dataclass(frozen=True)
class Recognised:
    """All readings of a text, the likeliest first, and why others are none."""

    readings: list[Reading]
    refused: list[Refusal]

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return {"readings": [reading.to_dict() for reading in self.readings],
                "refused": [{"game": each.game, "error": each.error} for each in self.refused]}


def recognise(text: str, game: Game | str | None = None) -> Recognised:
    """What ``text`` may be, over all built-in games, or as a text of ``game`` only.

    It may be a position, a record of moves or a link, in any notation. Sizes are those that the
    text tells, or the usual ones.
    """
    if not isinstance(text, str):
        raise BadPosition(f"recognise takes a text, not {quoted(text)}.")
    if game is not None and not isinstance(game, Game | str):
        raise BadOption(f"game={quoted(game)} is neither a game nor the name of one.")
    check_length("recognise", text, "a position or record")
    text, readings, refused = text.strip(), list[Reading](), list[Refusal]()
    own = game_by_name(game) if isinstance(game, str) else game
    for name, found in _tried(text, own):
        if isinstance(found, ZermeloError):
            if all(each.game != name for each in refused):
                refused.append(Refusal(name, str(found)))
        elif all(found.position != each.position for each in readings):
            readings.append(found)
    readings.sort(key=_odd)
    read = {reading.game.name for reading in readings}
    refused = [each for each in refused if each.game not in read]
    if not readings and not refused:
        refused.append(Refusal("", _nothing(text)))
    return Recognised(readings, refused)


def _odd(reading: Reading) -> bool:
    """Few stones set up by themselves: with pieces that move, or discs that turn, the game is over,
    which is rarely what is meant."""
    over = reading.position.outcome is not None and not reading.moves
    return over and reading.game.name in ("lines-of-action", "othello")


def _nothing(text: str) -> str:
    if not text or text == "start":
        return "there is no text." if not text else "'start' is the start of any game; choose one."
    return (f"{quoted(text)} looks like no position, record or link of a game that is built in; "
            "put the game before it, such as 'hex: a1 b2'.")


def _tried(text: str, own: Game | None) -> Iterator[tuple[str, Reading | ZermeloError]]:
    """The games that were asked, and what each made of the text."""
    place = place_in(text)
    if place is not None and own is None:
        yield _asked((place.game, dict(place.parameters)), place.position, place.moves)
        return
    if own is not None:
        found = _read(own, text)
        yield own.name, found
        if isinstance(found, Reading) or own.name not in BUILT_IN:
            return
    name, body = named(text)
    if not body:
        return
    wanted = own.name if own is not None else name
    guesses = likely(body) if body != "start" else []
    options = [each for each in guesses if wanted in (None, each[0])]
    if name is not None and own is None and not options:
        options = [(name, {})]
    for option in options:
        yield _asked(option, body)


def _asked(option: Likely, text: str, moves: list[str] | None = None
           ) -> tuple[str, Reading | ZermeloError]:
    name, parameters = option
    try:
        game = game_by_name(name, **parameters)
    except ZermeloError as error:
        return name, error
    return game.name, _read(game, text, moves)


def _read(game: Game, text: str, moves: list[str] | None = None) -> Reading | ZermeloError:
    """What one game makes of a text."""
    try:
        position = game.parse(text)
        if moves is None:
            return Reading(position, position.notation or "text")
        return Reading(position.play(*moves), "place")
    except ZermeloError as error:
        return error
