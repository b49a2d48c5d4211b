"""Engines: answers to other programs by a protocol, each loaded when it is asked for."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from zermelo.errors import BadOption, did_you_mean, quoted
from zermelo.games.registry import game_class

if TYPE_CHECKING:
    from zermelo.engine.loop import Engine

JSONL = "jsonl"
# Where the class is; the only game it is for; parameters that the protocol asks for.
ENGINES: dict[str, tuple[str, str | None, dict[str, str]]] = {
    "ugi": ("uci:Ugi", None, {}),
    "uci": ("uci:Uci", "xiangqi", {"dialect": "uci"}),
    "ucci": ("uci:Ucci", "xiangqi", {"dialect": "ucci"}),
    "htp": ("htp:Htp", "hex", {}),
    "nboard": ("nboard:NBoard", "othello", {}),
}
NAMES = (JSONL, *ENGINES)


def check_protocol(name: str) -> str:
    """``name`` if it is one."""
    if name not in NAMES:
        raise BadOption(f"--protocol {quoted(name)}{did_you_mean(name, NAMES)} is not one of "
                        f"{', '.join(NAMES)}.")
    return name


def engine_class(name: str) -> type[Engine]:
    """The engine that speaks a protocol other than jsonl."""
    module, _, attribute = ENGINES[name][0].partition(":")
    found: type[Engine] = getattr(import_module(f"zermelo.engine.{module}"), attribute)
    return found


def game_of(name: str, given: str | None) -> str:
    """The game: the one that the protocol is for, or the one that was named."""
    only = ENGINES[name][1]
    if only is None and given is None:
        raise BadOption(f"--protocol {name} is for any game: name one, such as 'zermelo engine "
                        f"connect-four --protocol {name}'.")
    if only is not None and given is not None and game_class(given).name != only:
        raise BadOption(f"--protocol {name} is for {only}, not for {quoted(given)}; ugi and jsonl "
                        "are for any game.")
    return given or str(only)
