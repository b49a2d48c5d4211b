"""The package of OpenSpiel: which of its games can be solved, and what it has to be asked for.

``open_spiel`` makes games of what is loaded here.
"""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

from zermelo.errors import BadOption, UnknownGame, did_you_mean, one_line, quoted

PREFIX = "open-spiel:"
KEPT_GAMES = 64
USUAL_BYTES, SAMPLE, TRIES = 4096, 16, 3
# Which property each part of a game's type must have, and what it means that it has not.
NEEDED = {
    "dynamics": ("SEQUENTIAL", "its players do not move one after the other"),
    "chance_mode": ("DETERMINISTIC", "it is not deterministic: there is chance in it"),
    "information": ("PERFECT_INFORMATION", "it has no perfect information"),
    "utility": ("ZERO_SUM", "it is not zero-sum"),
}


@lru_cache(KEPT_GAMES)
def loaded(text: str) -> Any:
    """OpenSpiel's game, if searches can be asked about it."""
    try:
        import pyspiel
    except ImportError:
        raise BadOption(f"{PREFIX}{text} needs the package open_spiel, which is not installed: "
                        "pip install 'zermelo[open-spiel]'.") from None
    name, known = text.partition("(")[0].strip(), pyspiel.registered_names()
    if name not in known:
        raise UnknownGame(f"OpenSpiel has no game {quoted(name)}{did_you_mean(name, known)}; "
                          "docs/open-spiel.md lists those that can be solved.")
    try:
        with silent():
            game = pyspiel.load_game(text)
            reason = why_not(game)
            # Some sizes that can be loaded have no start; and with some parameters a game that is
            # said to be deterministic begins by chance.
            if not reason and game.new_initial_state().is_chance_node():
                reason = NEEDED["chance_mode"][1]
    except Exception as error:
        raise BadOption(f"OpenSpiel can't load {quoted(text)}: {one_line(error)}.") from None
    if reason:
        raise BadOption(f"{PREFIX}{text} can't be solved: {reason}.")
    return game


def why_not(game: Any) -> str:
    """The property that a game lacks, in words; empty if searches can be asked about it."""
    if game.num_players() != 2:
        return f"it has {game.num_players()} player{'s' * (game.num_players() != 1)}, not two"
    kind = game.get_type()
    for part, (wanted, words) in NEEDED.items():
        if getattr(kind, part).name != wanted:
            return words
    return ""


@contextmanager
def silent() -> Iterator[None]:
    """OpenSpiel prints what it raises, too: to where errors go, which is closed meanwhile."""
    try:
        errors = sys.__stderr__.fileno() if sys.__stderr__ is not None else 2
        before = os.dup(errors)
    except (OSError, ValueError):
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, errors)
    try:
        yield
    finally:
        os.dup2(before, errors)
        os.close(before)
        os.close(nowhere)


def state_bytes(state: Any) -> int:
    """The memory of a state, about, by what the system's allocator counts for copies of it; where
    that can't be asked, a usual size. Other threads may allocate meanwhile, so the least counts."""
    try:
        count = ctypes.CDLL(None).mallinfo2
    except (AttributeError, OSError, TypeError):
        return USUAL_BYTES
    count.restype = _Allocated
    found = []
    for _ in range(TRIES):
        before = count()
        kept = [state.clone() for _ in range(SAMPLE)]
        after = count()
        found.append((after.in_use + after.mapped - before.in_use - before.mapped) // len(kept))
        del kept  # before the next ones are made
    return max(min(found), sys.getsizeof(state))


class _Allocated(ctypes.Structure):
    """What ``mallinfo2`` returns."""

    _fields_ = [(name, ctypes.c_size_t) for name in (
        "arena", "chunks", "small", "maps", "mapped", "most", "free_small", "in_use", "free",
        "top")]
