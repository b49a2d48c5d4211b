"""From a text to a position: what all games share before each reads its own notations.

Who moves may be said beside the text (``to_move``) or at its end, as diagrams have it: ``X to
move``, ``X must pass``, ``X wins``, ``draw``. Of PGN only the frame is read here: header lines in
square brackets, then moves with numbers, comments and the result.

How likely moves of a category are played is in data files, made from games that were played. A file
is one JSON object: the ``game``, its ``provenance``, and ``categories``, each with its ``name``, in
how many positions a move of it was ``played``, in how many one was ``available``, and the
``probability`` that follows. Files for built-in games lie in ``games/data``; without one a game
gives no probabilities, which makes all its categories alike.
"""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Container, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from zermelo.core.position import Position
from zermelo.errors import BadOption, BadPosition, ZermeloError, file_name, listed, one_line, quoted
from zermelo.storage.whole_files import check_length, file_text, lines_of

if TYPE_CHECKING:
    from zermelo.core.game import Game


# A name and a text in quotes, alone in its line.
HEADER = re.compile(r'\[\s{0,9}(\w{1,40})\s{1,9}"([^"\\]*(?:\\.[^"\\]*)*)"\s{0,9}\]', re.ASCII)
COMMENT = re.compile(r"\{[^{}]*\}|;[^\n]*")
NUMBER = re.compile(r"[0-9]{1,4}\.+")
RESULTS = ("1-0", "0-1", "1/2-1/2", "*")


def headers_of(text: str) -> tuple[dict[str, str], str]:
    """The headers before a game, and the rest; none if the text does not begin with one."""
    found: dict[str, str] = {}
    lines = text.splitlines()
    for at, line in enumerate(lines):
        if line.strip():
            header = HEADER.fullmatch(line.strip())
            if not header:
                return (found, "\n".join(lines[at:])) if found else (found, text)
            found[header[1]] = header[2]
    return found, "" if found else text


def moves_of(text: str) -> str:
    """The moves, without numbers, comments and the result at the end."""
    words = [NUMBER.sub("", word, count=1) if NUMBER.match(word) else word
             for word in COMMENT.sub(" ", text).split()]
    if words and words[-1] in RESULTS:
        words.pop()
    return " ".join(word for word in words if word)


STATUS = re.compile(r"(?:(?:^|\s)(\w{1,20}) (to move|must pass|wins)|\n *draw)\.?"
                    r" {0,9}(?:\([^()\n]{0,99}\))?$")
OUTCOMES = ("first", "second")


def parse(game: Game, text: str, to_move: str | None = None) -> Position:
    """The position that ``text`` describes."""
    if not isinstance(text, str):
        raise BadPosition(f"{game.name}: a position is a text, not {quoted(text)}.")
    check_length(game.name, text, "a position")
    text = text.strip()
    if not text:
        raise BadPosition(
            f"{game.name}: the position is empty; write 'start' for the initial one."
        )
    headers, rest = headers_of(text)
    if headers:
        return _from_pgn(game, headers, moves_of(rest))
    status = STATUS.search(text)
    player = None if status is None or status[1] is None else game.player_called(status[1])
    if status is None or (status[1] and player is None):
        return _read(game, text) if to_move is None else _with_mover(game, text, to_move)
    body = text[: status.start()].rstrip()
    if status[2] not in ("to move", "must pass"):
        return _finished(game, body, "draw" if player is None else OUTCOMES[player])
    said = game.players[player or 0]
    if to_move is not None and game.player_called(to_move) != player:
        raise BadOption(f"{game.name}: {quoted(text)} has {said} to move, not {quoted(to_move)}.")
    try:
        return _with_mover(game, body, said)
    except BadOption as error:
        raise BadPosition(str(error)) from None


def positions_in(game: Game, source: str | Path, to_move: str | None = None,
                 only: Container[int] | None = None) -> Iterator[tuple[int, Position]]:
    """The positions of a file, one per line, with the numbers of their lines from 1.

    ``only``: these lines and no others. Standard input is called ``-``.
    """
    for number, line in lines_of(file_text(source)):
        if only is not None and number not in only:
            continue
        try:
            yield number, game.parse(line, to_move)
        except ZermeloError as error:
            raise BadPosition(f"file {file_name(source)}, line {number}: {error}") from None


def _from_pgn(game: Game, headers: dict[str, str], moves: str) -> Position:
    """The position after the moves of a game, from the start or from what FEN says."""
    if "FEN" not in headers:
        return _read(game, moves or "start").read_as("PGN")
    begin = _read(game, headers["FEN"])
    game = begin.game  # a text may name another size
    return game.play_all(Position(game, begin.state), moves.split()).read_as("PGN")


def _read(game: Game, text: str) -> Position:
    return game.start().read_as("start") if text == "start" else game.read(text)


def _with_mover(game: Game, text: str, to_move: str) -> Position:
    """The position in ``text`` with this player to move; moves say themselves who is next."""
    player = game.player_called(to_move)
    mark = to_move if player is None else game.sides[player]
    try:
        return _read(game, f"{text}\n{mark}")
    except BadPosition as error:
        try:
            position = _read(game, text)
        except BadPosition:
            raise error from None
    if player is None:
        names = ", ".join(dict.fromkeys(name for pair in game.all_names for name in pair))
        raise BadOption(f"{game.name}: {quoted(to_move)} is not a player; players are {names}.")
    if position.mover != player:
        raise BadOption(f"{game.name}: in {quoted(text)} {position.to_move} is to move, not "
                        f"{quoted(to_move)}.")
    return position


def _finished(game: Game, text: str, outcome: str) -> Position:
    """The finished game in ``text`` with this outcome; who would move is told by that."""
    complaint: BadPosition | None = None
    for mark in ("", *game.sides):
        try:
            position = _read(game, f"{text}\n{mark}".strip())
        except BadPosition as error:
            complaint = complaint or error
            continue
        if position.outcome == outcome:
            return position
        complaint = BadPosition(f"{game.name}: the game in {quoted(text)} has not ended so.")
    assert complaint is not None
    raise complaint


def read_fields(game: Game, text: str) -> Position:
    """``field=value;...``, the fields of the state; those left out are 0."""
    values: dict[str, Any] = {}
    dtype = game.rules.dtype
    for part in text.split(";"):
        name, _, value = part.partition("=")
        if name.strip() not in (dtype.names or ()):
            known = ", ".join(dtype.names or ())
            raise BadPosition(f"{game.name}: no field {quoted(name)}; fields: {known}.")
        try:
            numbers = [_whole(number) for number in value.split(".")]
            shape = dtype[name.strip()].shape
            values[name.strip()] = np.reshape(numbers, shape) if shape else numbers[0]
            position = game.position(**values)
        except (ValueError, OverflowError):
            raise BadPosition(
                f"{game.name}: {quoted(part)} is not numbers that fit the field."
            ) from None
    return position


def _whole(text: str) -> int:
    """A whole number in the digits 0 to 9."""
    if not text.isascii():
        raise ValueError(text)
    return int(text)


LARGEST = 1 << 20  # bytes
DIRECTORY = Path(__file__).parents[1] / "games" / "data"


def built_in_probabilities(game: str, names: tuple[str, ...]) -> tuple[float, ...]:
    """The probabilities that come with a game, in the order of its category names; or ()."""
    path = DIRECTORY / f"{game}-probabilities.json"
    return read_probabilities(path, names) if path.is_file() else ()


def read_probabilities(path: str | Path, names: tuple[str, ...]) -> tuple[float, ...]:
    """The probabilities in an ordinary file, in the order of ``names``: these and no others."""
    try:
        state = Path(path).stat()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not there"
        raise BadOption(f"{file_name(path)} can't be read: {reason}.") from None
    if not stat.S_ISREG(state.st_mode) or state.st_size > LARGEST:
        raise BadOption(f"{file_name(path)} can't be read: it is not an ordinary file of at most "
                        f"{LARGEST >> 20} MB.")
    return _read_file(str(path), (state.st_mtime_ns, state.st_size), names)


@lru_cache(16)  # each move of a match asks again
def _read_file(path: str, state: tuple[int, int], names: tuple[str, ...]) -> tuple[float, ...]:
    """The file in this ``state``."""
    where = file_name(path)
    try:
        content: Any = json.loads(Path(path).read_text(encoding="utf-8"))
        found = {row["name"]: row["probability"] for row in content["categories"]}
    except OSError as error:
        raise BadOption(f"{where} can't be read: {error.strerror}.") from None
    except (ValueError, KeyError, TypeError) as error:
        raise BadOption(f"{where} holds no probabilities, that is one JSON object with categories, "
                        f"each with name and probability: {one_line(error)}.") from None
    for name, chance in found.items():
        if type(chance) not in (int, float) or not 0 <= chance <= 1:
            raise BadOption(f"{where}: the probability of {quoted(name)} is {quoted(chance)}; it "
                            "must be a number from 0 to 1.")
    if set(found) != set(names):
        odd = sorted(set(found) ^ set(names), key=str)
        raise BadOption(f"{where} does not have the game's {len(names)} categories: {listed(odd)} "
                        f"{'is' if len(odd) == 1 else 'are'} in one of the two only.")
    return tuple(float(found[name]) for name in names)
