"""The host of the explorer: ``python -m zermelo.web.hosted DESCRIPTOR`` is started by the server.

It loads the library once; its children are copies of it. What a child is to be, a desk or a
session, is said by the first message that it gets.
"""

from __future__ import annotations

import socket
import sys

from zermelo.games.registry import game_class, game_names
from zermelo.jobs.live import Channel, serve
from zermelo.kernel.jit import load_compiler
from zermelo.kernel.start import load_numba_alone
from zermelo.search.registry import SEARCHES
from zermelo.web.desk_work import be_a_desk
from zermelo.web.places import Games
from zermelo.web.session_work import be_a_session


def work(channel: Channel) -> None:
    """What a child does."""
    order = channel.next()
    games = Games(order["own_game"])
    if order["be"] == "desk":
        be_a_desk(channel, games)
    else:
        be_a_session(channel, games, order)


def load_everything() -> None:
    """Load what children would have to load: compiler, games and searches."""
    load_compiler()
    for name in game_names():
        game_class(name)
    list(SEARCHES.values())


if __name__ == "__main__":
    load_numba_alone()
    load_everything()
    serve(socket.socket(fileno=int(sys.argv[1])), work)
