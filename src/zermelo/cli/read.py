"""Turn the arguments of a command into games, positions, searches and limits."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zermelo.core.texts import file_text, lines_of
from zermelo.errors import BadOption, file_name, quoted
from zermelo.solving.result import Limits, seconds

if TYPE_CHECKING:
    from zermelo.core.game import Game
    from zermelo.core.position import Position
    from zermelo.search.base import Search, Zones


def pairs(words: Iterable[str], flag: str) -> dict[str, str]:
    """``name=value`` words as a dictionary."""
    found: dict[str, str] = {}
    for word in words:
        name, sign, value = (part.strip() for part in word.partition("="))
        if not sign or not name:
            raise BadOption(f"{flag} {quoted(word)} is not of the form name=value.")
        if name in found:
            raise BadOption(f"{flag} {quoted(word)} gives {quoted(name)} a second time.")
        found[name] = value
    return found


def read_whole(flag: str, text: str) -> int:
    """A whole number."""
    if not re.fullmatch(r"\s*[-+]?[0-9]{1,40}\s*", text):
        raise BadOption(f"{flag} {quoted(text)} is not a whole number.")
    return int(text)


def read_game(name: str, parameters: Iterable[str] | None) -> Game:
    """The game with its ``-g`` parameters."""
    from zermelo.games.registry import game as game_by_name

    return game_by_name(name, **pairs(parameters or (), "-g"))


def read_search(text: str | None, options: Iterable[str] | None = None,
                game: Game | None = None, narrow: bool = False) -> Search:
    """A search: ``pn``, ``ppn:theta=0.001,pr=0.001``, with more ``-p`` options, or the default."""
    from zermelo.search.registry import DEFAULT_SEARCH, default_search
    from zermelo.search.registry import search as search_by_id

    if text is None:
        text = DEFAULT_SEARCH if game is None or narrow else default_search(game)
    id, _, inline = text.partition(":")
    given = pairs([word for word in inline.split(",") if word], "--search")
    given.update(pairs(options or (), "-p"))
    return search_by_id(id, **given)


def read_zones(candidates: bool, text: str | None) -> bool | Zones:
    """The options ``width=8,threats=1``, or only whether to use candidates."""
    if text is None:
        return candidates
    from zermelo.search.base import Zones

    options: dict[str, Any] = pairs([word for word in text.split(",") if word], "--zones")
    return Zones(**options)


def read_position(game: Game, text: str, to_move: str | None = None) -> Position:
    """A position; ``-`` reads it from standard input, ``to_move`` adds the side."""
    if names_a_file(text):
        raise BadOption(f"{quoted(text)} is a file, not a position; to read a position from it, "
                        f"write - instead, and < {text} at the end of the command.")
    return game.parse(file_text("-") if text == "-" else text, to_move)


def names_a_file(text: str) -> bool:
    """Whether a text, which should be a position or a record, is the name of a file that exists."""
    try:
        return ("." in text or "/" in text) and Path(text).is_file()
    except (OSError, ValueError):
        return False


def read_file(game: Game, name: str, to_move: str | None) -> list[Position]:
    """One position per line, ``#`` begins a comment; all are read before any is searched."""
    from zermelo.core.reading import positions_in

    positions = [position for _, position in positions_in(game, name, to_move)]
    if not positions:
        raise BadOption(f"the file {file_name(name)} holds no position; it needs one per line.")
    return positions


def read_record(text: str | None, file: str | None) -> str:
    """A game record: as it is given, from a file (``#`` begins a comment) or standard input."""
    if (text is None) == (file is None):
        raise BadOption("give either a record or --file, not both or neither.")
    if text is not None and text != "-":
        if names_a_file(text):
            raise BadOption(f"{quoted(text)} is a file, not a record; read it with --file {text}.")
        return text
    return "\n".join(line for _, line in lines_of(file_text(file or "-")))


def read_limits(nodes: str | None, time: str | None, memory: str | None) -> Limits:
    """Limits from texts such as ``35e6``, ``2m`` and ``256MB``."""
    return Limits(nodes=nodes, time=time, memory=memory)


def read_every(text: str | None) -> float | None:
    """How often to write a checkpoint, in seconds, from a text such as ``5m``."""
    return None if text is None else seconds("every", text)
