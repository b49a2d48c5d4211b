"""From the words of a command line to games, positions, searches and limits."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from zermelo.errors import BadOption, BadPosition, ZermeloError, quoted
from zermelo.game import Game
from zermelo.games.registry import game as game_by_name
from zermelo.position import Position
from zermelo.result import Limits
from zermelo.search.base import Search
from zermelo.search.registry import search as search_by_id

LARGEST_FILE = 100_000_000


def pairs(words: Iterable[str], flag: str) -> dict[str, str]:
    """``name=value`` words as a dictionary."""
    found = {}
    for word in words:
        name, sign, value = word.partition("=")
        if not sign or not name:
            raise BadOption(f"{flag} {quoted(word)} is not of the form name=value.")
        found[name.strip()] = value.strip()
    return found


def read_game(name: str, parameters: Iterable[str]) -> Game:
    """The game with its ``-g`` parameters."""
    return game_by_name(name, **pairs(parameters, "-g"))


def read_search(text: str, options: Iterable[str] = ()) -> Search:
    """``pn``, or ``ppn:theta=0.001,pr=0.001``, with further ``-p`` options."""
    id, _, inline = text.partition(":")
    given = pairs([word for word in inline.split(",") if word], "--search")
    given.update(pairs(options, "-p"))
    return search_by_id(id, **given)


def read_position(game: Game, text: str, to_move: str | None = None) -> Position:
    """A position; ``-`` reads it from standard input, ``to_move`` adds the side."""
    if text == "-":
        text = sys.stdin.read()
    return game.parse(_with_side(text, to_move))


def read_file(game: Game, name: str, to_move: str | None) -> list[Position]:
    """One position per line, ``#`` begins a comment; all are read before any is searched."""
    try:
        text = sys.stdin.read() if name == "-" else _file_text(Path(name))
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "it is not a text file"
        raise BadOption(f"can't read the file {quoted(name)}: {reason}.") from None
    positions = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        try:
            positions.append(game.parse(_with_side(line, to_move)))
        except ZermeloError as error:
            raise BadPosition(f"{name}, line {number}: {error}") from None
    if not positions:
        raise BadOption(f"the file {quoted(name)} holds no position; it needs one per line.")
    return positions


def _file_text(path: Path) -> str:
    if path.stat().st_size > LARGEST_FILE:
        raise OSError(0, f"it is larger than {LARGEST_FILE:,} bytes")
    return path.read_text()


def _with_side(text: str, to_move: str | None) -> str:
    return text if to_move is None else f"{text.strip()} {to_move}"


def read_limits(nodes: str | None, time: str | None, memory: str | None) -> Limits:
    """Limits from texts such as ``35e6``, ``2m`` and ``256MB``."""
    return Limits(nodes=nodes, time=time, memory=memory)  # type: ignore[arg-type]


def read_seed(seed: int) -> dict[str, Any]:
    """The seed as an option of ``Session``."""
    return {"seed": seed}
