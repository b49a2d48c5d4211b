"""Which game files have been checked: remembered beside the compiled kernels, by their content.

Searches can't see a mistake in the rules, and "proved" is only as good as they are. So whoever
solves a game of their own that was never checked is reminded of ``check-game``, once.
"""

from __future__ import annotations

import hashlib
import sys
from contextlib import suppress
from pathlib import Path

from zermelo.compiler.cache import CHECKED_SUFFIX, place
from zermelo.core.game import Game
from zermelo.core.game_files import FILE_MODULE
from zermelo.core.watched import hint


def remember_check(game: Game) -> None:
    """The game has been checked, or its author reminded of that."""
    mark = _mark(game)
    if mark is not None:
        with suppress(OSError):  # then there is a reminder the next time
            mark.touch()


def reminder(game: Game) -> str | None:
    """A sentence about a game that was never checked; None where there is nothing to say."""
    mark = _mark(game)
    if mark is None or mark.exists():
        return None
    remember_check(game)
    return f"these rules were never checked; {hint(game).replace('for details', 'to do that')}."


def _mark(game: Game) -> Path | None:
    """The file that says that a game was checked; None for games that come with the library."""
    kind, cache = type(game), place()
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    if not kind.__module__.startswith(FILE_MODULE) or file is None:
        return None
    if cache is None or not cache.writable:
        return None
    try:
        content = Path(file).read_bytes()
    except OSError:
        return None
    digest = hashlib.sha256(content + kind.__qualname__.encode()).hexdigest()[:32]
    return cache.directory / f"{digest}{CHECKED_SUFFIX}"
