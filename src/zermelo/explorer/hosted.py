"""The host of the explorer, which its server starts: ``python -m zermelo.explorer.hosted NUMBER``.

It loads the library once; its children are copies of it. What a child is to be, a desk or a
session, is said by the first message that it gets. The first one is made as soon as the games are
loaded, so that the start page need not wait for the compiler.
"""

from __future__ import annotations

import socket
import sys
from importlib import import_module

from zermelo.compiler.jit import load_compiler
from zermelo.compiler.start import load_numba_alone
from zermelo.explorer.desk_work import be_a_desk
from zermelo.explorer.places import Games
from zermelo.games.registry import game_class, game_names
from zermelo.jobs.live import Channel, serve
from zermelo.search.registry import SEARCHES

SESSIONS = "zermelo.explorer.session_work"
LATER = (SESSIONS, "zermelo.explorer.order_work", "zermelo.explorer.proof_work")


def work(channel: Channel) -> None:
    """What a child does."""
    order = channel.next()
    games = Games(order["own_game"])
    if order["be"] == "desk":
        be_a_desk(channel, games)
    else:
        import_module(SESSIONS).be_a_session(channel, games, order)


def load_games() -> None:
    """Load what the first child needs."""
    for name in game_names():
        game_class(name)


def load_the_rest() -> None:
    """Load what all other children would have to load: sessions, compiler and searches."""
    for name in LATER:
        import_module(name)
    load_compiler()
    list(SEARCHES.values())


if __name__ == "__main__":
    load_numba_alone()
    load_games()
    serve(socket.socket(fileno=int(sys.argv[1])), work, load_the_rest)
