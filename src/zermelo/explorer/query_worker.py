"""Query workers, which know the games: boards after a move, edits, pasted texts; and their host.

``python -m zermelo.explorer.query_worker NUMBER`` loads the library once; its children are copies
of it. The first message that a child gets makes it a query worker, which answers questions about
positions one after the other, or a session. The first one is made as soon as the games are loaded,
so that the start page need not wait for the compiler.
"""

from __future__ import annotations

import socket
import sys
import traceback
from collections.abc import Callable, Sequence
from importlib import import_module
from typing import Any

from zermelo.compiler.compile_stats import listener
from zermelo.compiler.jit import load_compiler
from zermelo.core.board_view import board_view, edit, picture_of
from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.core.rules import ONGOING
from zermelo.errors import ZermeloError, one_line
from zermelo.explorer.position_ref import Games, Json, text_of, texts_of
from zermelo.games.famous import famous
from zermelo.games.recognise import Recognised, recognise
from zermelo.games.registry import aliases_of, game_class, game_names
from zermelo.search.registry import SEARCHES, default_search
from zermelo.workers.fork_server import Channel, Message, serve_channels
from zermelo.workers.messages import plain

Answer = Callable[[Games, Json], Any]


def be_a_query_worker(channel: Channel, games: Games) -> None:
    """Answer questions until the process ends."""
    listener.tell = lambda begins: channel.send({"compiling": begins})
    while True:
        message = channel.next()
        channel.send({"id": message["id"], **answer(games, message)})


def answer(games: Games, message: Message) -> Message:
    """Return the answer to one question, or the sentence that refuses it."""
    try:
        return {"answer": plain(_known(message["ask"])(games, message))}
    except ZermeloError as error:
        return {"refused": str(error)}
    except RecursionError:
        return {"refused": "this is nested too deeply."}
    except Exception as error:  # a bug in a game, or here
        traceback.print_exc()
        return {"refused": one_line(f"this failed: {type(error).__name__}: {error}") + "."}


def _known(ask: str) -> Answer:
    home = "lab_work" if ask.startswith("lab ") else ELSEWHERE.get(ask)
    if home is None:
        return QUESTIONS[ask]
    found: Answer = import_module(f"zermelo.explorer.{home}").QUESTIONS[ask]
    return found


def games(known: Games, message: Json) -> list[Json]:
    """Return all games with their parameters and pictures."""
    return [_game(known, name) for name in known.names()]


def _game(known: Games, name: str) -> Json:
    kind = game_class(name)
    words = (kind.__doc__ or "").strip().splitlines()
    parameters = [{"name": key, "default": one.default, "help": one.help, "low": one.low,
                   "high": one.high, "choices": list(one.choices)}
                  for key, one in kind.parameters.items()]
    together = kind.check_parameters is not Game.check_parameters  # a condition for several
    row: Json = {"name": name, "words": words[0].replace("``", "") if words else "",
                 "own": name == known.own, "aliases": aliases_of(name),
                 "players": list(kind.players), "parameters": parameters,
                 "start": {"game": name, "parameters": {}, "position": "start", "moves": []}}
    game = known.get(name)
    return {**row, "default_search": default_search(game),
            "together": (kind.check_parameters.__doc__ or "").strip() if together else "",
            "picture": _picture(game)}


def _picture(game: Game) -> str:
    """Return the picture of a game's start. Nothing is clicked in it, so no rules are loaded."""
    start = Position(game, game.start().state)
    start.__dict__["_seen"] = (ONGOING, 0, [])
    return picture_of(start)


def board(known: Games, message: Json) -> Json:
    """Return the board of a place; with a line, its moves in the picture."""
    position = known.position(message.get("place"))
    return _shown(known, position, texts_of(message.get("line"), "line"))


def edited(known: Games, message: Json) -> Json:
    """Return the board after a change of one square, of who moves, or of all."""
    given = {name: text_of(message[name], name) for name in ("square", "mark", "to_move")
             if message.get(name) is not None}
    clear = bool(message.get("clear"))
    return _shown(known, edit(known.position(message.get("place")), clear=clear, **given))


def _shown(known: Games, position: Position, line: Sequence[str] = ()) -> Json:
    return {**board_view(position, line), "place": known.place(position)}


def recognised(known: Games, message: Json) -> Json:
    """Return the readings of a text, over all games or of one; of the user's own first."""
    text: Any = message.get("text")
    name = message.get("game")
    if name is not None:
        return _readings(known, recognise(text, known.get(name, message.get("parameters"))))
    found = _readings(known, recognise(text))
    if known.own is not None:
        own = _readings(known, recognise(text, known.get(known.own)))
        found["readings"] = [*own["readings"], *found["readings"]]
    return found


def _readings(known: Games, found: Recognised) -> Json:
    rows = [{**reading.to_dict(), "place": known.place(reading.position)}
            for reading in found.readings]
    return {**found.to_dict(), "readings": rows}


QUESTIONS: dict[str, Answer] = {
    "games": games, "board": board, "edit": edited, "recognise": recognised,
    "famous": lambda known, message: [each.to_dict() for each in famous()],
}
# These take more loading than a first look at the games.
ELSEWHERE = {"searches": "session_kinds", "check": "session_kinds", "replay": "session_kinds",
             "certificate": "certificates", "node": "certificates"}


SESSIONS = "zermelo.explorer.session_kinds"
LATER = (SESSIONS, "zermelo.explorer.certificates")


def work(channel: Channel) -> None:
    """Be a query worker or a session, by the first message."""
    order = channel.next()
    games = Games(order["own_game"])
    if order["be"] == "query worker":
        be_a_query_worker(channel, games)
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
    load_games()
    serve_channels(socket.socket(fileno=int(sys.argv[1])), work, load_the_rest)
