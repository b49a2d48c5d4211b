"""Positions and moves as text: what is written must be read back."""

from __future__ import annotations

from typing import Any

from zermelo.checks.findings import Findings
from zermelo.checks.walk import Look
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.errors import ZermeloError, quoted

RUBBISH = ("rubbish", "?", "-1", "0x1", "1,,2", "\u00e9")


def check_words(game: Game, looks: list[Look], findings: Findings) -> int:
    """Round trips of positions and of moves."""
    for look in looks:
        position = Position(game, look.state.copy())
        _check_position(game, position, look, findings)
        _check_moves(game, position, look, findings)
        for part in ("diagram", "svg"):
            drawn, error = _tried(getattr(game, part), position)
            if error or not isinstance(drawn, str):
                findings.add(part, f"{part} {error or 'does not return a text'}, at {{at}}.",
                             look.state)
    _check_rubbish(game, findings)
    return len(looks)


def _tried(function: Any, *arguments: Any) -> tuple[Any, str]:
    """What a function returns, or how it fails, in words."""
    try:
        return function(*arguments), ""
    except Exception as error:
        return None, f"raises {type(error).__name__}: {error}".rstrip(". ")


def _check_position(game: Game, position: Position, look: Look, findings: Findings) -> None:
    text, error = _tried(game.format, position)
    if error or not isinstance(text, str) or not text.strip():
        findings.add("format", f"format {error or f'returns {text!r}, not a text'}, at {{at}}.",
                     look.state)
        return
    again, error = _tried(game.parse, text)
    if error:
        findings.add("parse", f"parse does not read what format writes: {quoted(text)} {error}.")
    elif again != position:
        shown = again.text if isinstance(again, Position) else repr(again)
        findings.add("parse", f"parse does not give back what format writes: {quoted(text)} is "
                     f"read as {quoted(shown)}, or as a state with other fields.")


def _check_moves(game: Game, position: Position, look: Look, findings: Findings) -> None:
    names: dict[str, int] = {}
    for code in look.codes:
        name, error = _tried(game.move_name, position, code)
        if error or not isinstance(name, str):
            findings.add("move_name", f"move_name {error or f'returns {name!r}, not a text'}, at "
                         f"{{at}}, move code {code}.", look.state)
            return
        if name in names:
            findings.add("move_name", f"the moves {names[name]} and {code} have one name, "
                         f"{name!r}, at {{at}}.", look.state)
            return
        names[name] = code
    for name, code in names.items():
        again, error = _tried(game.parse_move, position, name)
        if error or again != code:
            findings.add("parse_move", f"parse_move of {name!r}, the name of move {code}, "
                         f"{error or f'gives {again!r}'}, at {{at}}.", look.state)
            return


def _check_rubbish(game: Game, findings: Findings) -> None:
    for text in RUBBISH:
        for part, arguments in (("parse", (text,)), ("parse_move", (game.start(), text))):
            try:
                getattr(game, part)(*arguments)
            except ZermeloError:
                continue
            except Exception as error:
                wanted = "BadPosition" if part == "parse" else "BadMove"
                findings.add(f"{part} rubbish", f"{part} of {text!r} raises "
                             f"{type(error).__name__}: {error}; bad text must raise {wanted}.")
