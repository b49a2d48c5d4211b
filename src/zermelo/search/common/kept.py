"""What a search makes for a game, kept as long as the game is there.

Putting the parts of a search together and finding their kernel takes milliseconds, which is more
than the search itself takes on an easy position.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from zermelo.compiler.jit import jit_enabled

if TYPE_CHECKING:
    from zermelo.core.game import Game

Made = TypeVar("Made")


def kept(game: Game, key: tuple[object, ...], make: Callable[[], Made]) -> Made:
    """What ``make`` makes, once for each ``key``; a search may be part of it."""
    store = vars(game).setdefault("_kept", {})
    full = (jit_enabled(), *key)
    try:
        found: Made | None = store.get(full)
    except TypeError:  # an option of somebody's own search that has no hash
        return make()
    if found is None:
        found = store[full] = make()
    return found
