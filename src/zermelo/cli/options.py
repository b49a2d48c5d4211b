"""The arguments and options that several commands share, and how their texts are read.

Numbers are taken as strings, so that the library itself says what is wrong with one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from zermelo.errors import BadOption, file_name, quoted
from zermelo.solving.result import seconds
from zermelo.storage.whole_files import file_text, lines_of

if TYPE_CHECKING:
    from zermelo.core.game import Game
    from zermelo.core.position import Position
    from zermelo.search.base import Search, Zones

NUMBER, PAIR = "NUMBER", "NAME=VALUE"

GameName = Annotated[str, typer.Argument(
    metavar="GAME", help="A game (see 'zermelo games'), or FILE.py:Class for your own, or "
         "open-spiel:NAME(...) for one of OpenSpiel's.")]
OwnGame = Annotated[str | None, typer.Option(
    "--game", metavar="FILE.py:Class", help="The game, if it is not a built-in one.")]
PositionText = Annotated[str, typer.Argument(
    metavar="POSITION", help="A position in the game's notation, 'start', or - for standard "
    "input.")]
Parameters = Annotated[list[str] | None, typer.Option(
    "-g", metavar=PAIR, help="A parameter of the game; may be repeated.")]
A_SEARCH = ("A search (see 'zermelo searches'), also as ID:NAME=VALUE,...; weak-df-pn by default, "
            "or vcdt for k-in-a-row games on large boards")
SearchName = Annotated[str | None, typer.Option(
    "--search", "-s", metavar="ID", help=f"{A_SEARCH}.")]
Options = Annotated[list[str] | None, typer.Option(
    "-p", metavar=PAIR, help="An option of the search; may be repeated.")]
Nodes = Annotated[str | None, typer.Option(
    "--nodes", metavar=NUMBER, help="Stop at this many nodes, e.g. 200k or 35e6.")]
Time = Annotated[str | None, typer.Option(
    "--time", metavar=NUMBER, help="Stop after this many seconds, e.g. 90, or 2m.")]
Memory = Annotated[str | None, typer.Option(
    "--memory", metavar=NUMBER, help="Use at most this much memory, e.g. 256MB; half of the free "
    "memory by default.")]
Seed = Annotated[str, typer.Option(
    "--seed", metavar=NUMBER, help="Random seed.")]
# Where nothing is drawn by chance: taken, as by all commands, and without effect.
NoSeed = Annotated[str, typer.Option("--seed", metavar=NUMBER, hidden=True)]
Plain = Annotated[bool, typer.Option(
    "--plain", help="Use only the rules, no knowledge of the game.")]
Knowledge = Annotated[bool, typer.Option(
    "--knowledge", help="Use what is known about the game; by default only the rules are used.")]
ToMove = Annotated[str | None, typer.Option(
    "--to-move", metavar="SIDE", help="Side to move, if the position text omits it.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Print no progress on standard error.")]

Goal = Annotated[str, typer.Option(
    "--goal", metavar="GOAL", help="What to find out. value: win, draw or loss; win: only whether "
    "the side to move wins; score: the final score; shortest: also the length of a shortest win.")]
WorthGoal = Annotated[str, typer.Option(
    "--goal", metavar="GOAL", help="What to find out. value: win, draw or loss; score: also the "
    "final score; shortest: also the length of each win or loss.")]
Proof = Annotated[str | None, typer.Option(
    "--proof", metavar="FILE", help="Write a certificate of the answer, and check it.")]



def pairs(words: Iterable[str], flag: str) -> dict[str, str]:
    """Read ``name=value`` words as a dictionary."""
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
    """Read a whole number."""
    if not re.fullmatch(r"\s*[-+]?[0-9]{1,40}\s*", text):
        raise BadOption(f"{flag} {quoted(text)} is not a whole number.")
    return int(text)


def maybe_whole(flag: str, text: str | None) -> int | None:
    """Read a whole number, if one is given."""
    return None if text is None else read_whole(flag, text)


def read_game(name: str, parameters: Iterable[str] | None) -> Game:
    """Return the game with its ``-g`` parameters."""
    from zermelo.games.registry import game as game_by_name

    return game_by_name(name, **pairs(parameters or (), "-g"))


def read_search(text: str | None, options: Iterable[str] | None = None,
                game: Game | None = None, narrow: bool = False) -> Search:
    """Return the search ``pn`` or ``ppn:theta=0.001,pr=0.001``, with more ``-p`` options; or the
    default one."""
    from zermelo.search.registry import DEFAULT_SEARCH, default_search
    from zermelo.search.registry import search as search_by_id

    if text is None:
        text = DEFAULT_SEARCH if game is None or narrow else default_search(game)
    id, _, inline = text.partition(":")
    given = pairs([word for word in inline.split(",") if word], "--search")
    given.update(pairs(options or (), "-p"))
    return search_by_id(id, **given)


def read_zones(candidates: bool, text: str | None) -> bool | Zones:
    """Read the options ``width=8,threats=1``; without any, return ``candidates``."""
    if text is None:
        return candidates
    from zermelo.search.base import Zones

    options: dict[str, Any] = pairs([word for word in text.split(",") if word], "--zones")
    return Zones(**options)


def read_position(game: Game, text: str, to_move: str | None = None) -> Position:
    """Read a position; ``-`` reads it from standard input, ``to_move`` adds the side."""
    if _names_a_file(text):
        raise BadOption(f"{quoted(text)} is a file, not a position; to read a position from it, "
                        f"write - instead, and < {text} at the end of the command.")
    return game.parse(file_text("-") if text == "-" else text, to_move)


def _names_a_file(text: str) -> bool:
    """Return True if a text, which should be a position or a record, names a file that exists."""
    try:
        return ("." in text or "/" in text) and Path(text).is_file()
    except (OSError, ValueError):
        return False


def read_file(game: Game, name: str, to_move: str | None) -> list[Position]:
    """Read one position per line, ``#`` begins a comment; all, before any is searched."""
    from zermelo.core.reading import positions_in

    positions = [position for _, position in positions_in(game, name, to_move)]
    if not positions:
        raise BadOption(f"the file {file_name(name)} holds no position; it needs one per line.")
    return positions


def read_record(text: str | None, file: str | None) -> str:
    """Return a game record: as it is given, from a file (``#`` begins a comment) or standard
    input."""
    if (text is None) == (file is None):
        raise BadOption("give either a record or --file, not both or neither.")
    if text is not None and text != "-":
        if _names_a_file(text):
            raise BadOption(f"{quoted(text)} is a file, not a record; read it with --file {text}.")
        return text
    return "\n".join(line for _, line in lines_of(file_text(file or "-")))


def read_every(text: str | None) -> float | None:
    """Read how often to write a checkpoint, in seconds, from a text such as ``5m``."""
    return None if text is None else seconds("every", text)


def named(files: list[str], game: str | None,
          what: str = "certificate") -> tuple[str, str | None]:
    """Return the certificate, or another file, and the game before it or of ``--game``."""
    *before, file = files
    if len(before) == 1 and _holds_no_python(before[0]) and _is_game(file):
        raise BadOption(f"the game comes first, and then the {what}: {quoted(file)}, "
                        f"{file_name(before[0])}.")
    if len(before) > 1 or (before and (game is not None or _holds_no_python(before[0]))):
        raise BadOption(f"{quoted(' '.join(files))} is more than a game and a {what}; one "
                        f"{what} is taken at a time, and the game is named once.")
    return file, before[0] if before else game


def _holds_no_python(name: str) -> bool:
    """Return True for a file that can't be a game, such as another certificate."""
    return not name.endswith(".py") and os.path.isfile(name)


def _is_game(name: str) -> bool:
    """Return True if ``name`` is written as a game is."""
    from zermelo.games.registry import ALIASES, BUILT_IN

    return name.endswith(".py") or ".py:" in name or name.lower() in {*BUILT_IN, *ALIASES}
