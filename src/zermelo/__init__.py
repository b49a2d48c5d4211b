"""Zermelo proves who wins.

import zermelo

game = zermelo.game("connect-four")
result = zermelo.solve(game.parse("44444"), nodes=1_000_000)
print(result.value, result.move, result.line)

Names are loaded when they are first used, so that ``import zermelo`` costs next to nothing: not
even the module ``typing`` is loaded, which takes longer than Ctrl-C may go unheard.
"""

from __future__ import annotations

from zermelo.public_names import homes_in_stub as _homes_in_stub
from zermelo.public_names import load_name as _load_name
from zermelo.version import __version__ as __version__

_HOMES = _homes_in_stub(__file__)
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    if name != "search":
        return _load_name(globals(), _HOMES, name)
    from importlib import import_module

    return import_module("zermelo.search")  # which finds a search by its id when it is called


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
