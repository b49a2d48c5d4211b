"""What a desk answers about searches: which there are, whether an order is right, and replays."""

from __future__ import annotations

from dataclasses import fields

from zermelo.explorer.orders import check_order, read_search
from zermelo.explorer.places import Games, Json
from zermelo.search.registry import SEARCHES, default_search
from zermelo.solving.replay import replay


def searches(known: Games, message: Json) -> list[Json]:
    """All searches with their options."""
    usual: dict[str, list[str]] = {}
    for name in known.names():
        usual.setdefault(default_search(known.get(name)), []).append(name)
    return [{"id": id, "title": kind.title, "paper": kind.paper, "goals": list(kind.goals),
             "threaded": kind.threaded, "narrows": kind.narrows,
             "options": [{"name": item.name, "default": item.default,
                          "help": item.metadata.get("help", ""), "low": item.metadata.get("low"),
                          "high": item.metadata.get("high"),
                          "choices": list(item.metadata.get("choices") or ())}
                         for item in fields(kind)],
             "replay": kind.replays, "tree": kind.keeps,
             "default_for": usual.get(id, [])} for id, kind in SEARCHES.items()]


def check(known: Games, message: Json) -> Json:
    """Whether a session can be as it is ordered; the command that does the same."""
    return check_order(known, message["order"])


def replayed(known: Games, message: Json) -> Json:
    """A search from its beginning, step by step."""
    position = known.position(message.get("place"))
    given = {name: message[name] for name in ("steps", "goal", "seed") if
             message.get(name) is not None}
    search = read_search({"search": "pn", **message}, position.game)
    film = replay(position, search, plain=bool(message.get("plain")), **given)
    return {**film.to_dict(), "place": known.place(position)}


QUESTIONS = {"searches": searches, "check": check, "replay": replayed}
