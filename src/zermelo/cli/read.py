"""From the words of a command line to games, positions, searches and limits."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from zermelo.core.texts import file_text
from zermelo.errors import BadOption, BadPosition, ZermeloError, file_name, quoted
from zermelo.solving.result import Limits

if TYPE_CHECKING:
    from zermelo.core.game import Game
    from zermelo.core.position import Position
    from zermelo.search.base import Search
    from zermelo.search.zones.options import Zones

COMMENT = re.compile(r"\s*(#(?!\d)|$)")  # "#11c1,a3b4" is a position of Hex


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
    """``pn``, or ``ppn:theta=0.001,pr=0.001``, with further ``-p`` options; or the default one."""
    from zermelo.search.registry import search as search_by_id
    from zermelo.search.selection import DEFAULT_SEARCH, default_search

    if text is None:
        text = DEFAULT_SEARCH if game is None or narrow else default_search(game)
    id, _, inline = text.partition(":")
    given = pairs([word for word in inline.split(",") if word], "--search")
    given.update(pairs(options or (), "-p"))
    return search_by_id(id, **given)


def read_zones(candidates: bool, text: str | None) -> bool | Zones:
    """``width=8,threats=1``, or whether there are to be candidates at all."""
    if text is None:
        return candidates
    from zermelo.search.zones.options import Zones

    return Zones.read(pairs([word for word in text.split(",") if word], "--zones"))


def read_position(game: Game, text: str, to_move: str | None = None) -> Position:
    """A position; ``-`` reads it from standard input, ``to_move`` adds the side."""
    return game.parse(file_text("-") if text == "-" else text, to_move)


def read_file(game: Game, name: str, to_move: str | None) -> list[Position]:
    """One position per line, ``#`` begins a comment; all are read before any is searched."""
    positions = []
    for number, line in enumerate(file_text(name).splitlines(), 1):
        if COMMENT.match(line):
            continue
        try:
            positions.append(game.parse(line, to_move))
        except ZermeloError as error:
            raise BadPosition(f"file {file_name(name)}, line {number}: {error}") from None
    if not positions:
        raise BadOption(f"the file {file_name(name)} holds no position; it needs one per line.")
    return positions


def read_record(text: str | None, file: str | None) -> str:
    """A game record: as it is given, from a file (``#`` begins a comment) or standard input."""
    if (text is None) == (file is None):
        raise BadOption("give either a record or --file, not both or neither.")
    if text is not None and text != "-":
        return text
    lines = file_text(file or "-").splitlines()
    return "\n".join(line for line in lines if not COMMENT.match(line))


def read_limits(nodes: str | None, time: str | None, memory: str | None) -> Limits:
    """Limits from texts such as ``35e6``, ``2m`` and ``256MB``."""
    return Limits(nodes=nodes, time=time, memory=memory)
