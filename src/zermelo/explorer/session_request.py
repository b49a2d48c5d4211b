"""Requests for sessions: read from the API's JSON, checked, and written as a command; and what a
query worker answers about searches."""

from __future__ import annotations

import shlex
from dataclasses import fields
from typing import Any

from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.errors import BadOption, check_whole, quoted
from zermelo.explorer.position_ref import Games, Json, fields_of, text_of
from zermelo.explorer.sessions import read_limits
from zermelo.game_records.annotate import Annotating
from zermelo.game_records.record import read_record
from zermelo.search.base import Search, Zones
from zermelo.search.registry import DEFAULT_SEARCH, SEARCHES, default_search, search_class
from zermelo.solving.replay import replay
from zermelo.solving.result import Goal, goal_named
from zermelo.solving.session import Session

SOLVE, VALUES, ANNOTATE, PROGRESS, VERIFY = "solve", "values", "annotate", "progress", "verify"
KINDS = (SOLVE, VALUES, ANNOTATE, PROGRESS, VERIFY)
FIELDS = {
    SOLVE: ("place", "search", "options", "goal", "seed", "plain", "candidates", "threads"),
    VALUES: ("place", "search", "options", "goal", "seed", "plain"),
    ANNOTATE: ("record", "game", "parameters", "from", "search", "options", "goal", "seed",
               "plain"),
    PROGRESS: ("record", "game", "parameters", "from", "T", "depth"),
    VERIFY: ("certificate", "path"),
}
ALWAYS = ("kind", "limits")
DEPTH = 5


def check_order(games: Games, order: Json) -> Json:
    """Check an order, and return what the server needs to know of it."""
    kind = order.get("kind")
    if not isinstance(kind, str) or kind not in FIELDS:
        raise BadOption(f"kind={quoted(kind)} is not a kind of session; kinds: {', '.join(KINDS)}.")
    for name in order:
        if name not in FIELDS[kind] and name not in ALWAYS:
            raise BadOption(f"{kind} takes no {quoted(name)}; it takes {', '.join(FIELDS[kind])} "
                            "and limits.")
    read_limits(order.get("limits"))
    return {SOLVE: _check_solve, VALUES: _check_solve, ANNOTATE: _check_annotate,
            PROGRESS: _check_progress, VERIFY: _check_verify}[kind](games, order)


def session_of(games: Games, order: Json) -> Session:
    """Return the session of an order of kind solve; of kind values, one for the position as a
    whole."""
    position = games.position(order.get("place"))
    candidates = _candidates(order.get("candidates"))
    search = read_search(order, position.game, narrow=bool(candidates))
    return Session(position, search, goal=_goal(order), seed=_seed(order), plain=_plain(order),
                   threads=1 if order.get("threads") is None else order["threads"],
                   candidates=candidates)


def annotating_of(games: Games, order: Json) -> Annotating:
    """Return the work of an order of kind annotate."""
    game, start = _game_and_start(games, order)
    return Annotating(game, _record(order), read_search(order, game), goal=_goal(order),
                      start=start, seed=_seed(order), plain=_plain(order))


def progress_of(games: Games, order: Json) -> Json:
    """Return the arguments of ``game_records.progress`` for an order of kind progress."""
    game, start = _game_and_start(games, order)
    depth = order.get("depth")
    return {"game": game, "record": _record(order), "start": start, "T": order.get("T"),
            "depth": DEPTH if depth is None else check_whole("depth", depth, 1, 30)}


def read_search(order: Json, game: Game, narrow: bool = False) -> Search:
    """Return the search with its options, none of which may name a file; the usual one for the game
    where none is named."""
    usual = DEFAULT_SEARCH if narrow else default_search(game)
    id = order.get("search")
    kind, options = search_class(usual if id is None else id), fields_of(
        order.get("options"), "options")
    for item in fields(kind):
        words = item.metadata.get("file_unless")
        if words and options.get(item.name, item.default) not in words:
            raise BadOption(f"{kind.id}: {item.name}={quoted(options[item.name])}: no request "
                            f"names a file; it is {' or '.join(words)} here.")
    return kind(**options)


def _candidates(given: Any) -> bool | Zones:
    if isinstance(given, dict):
        options: dict[str, Any] = {str(name): str(value) for name, value in given.items()}
        return Zones(**options)
    return bool(given)


def _goal(order: Json) -> Goal:
    goal = order.get("goal")
    return "value" if goal is None else goal_named(goal)


def _seed(order: Json) -> int:
    seed = order.get("seed")
    return 0 if seed is None else seed


def _plain(order: Json) -> bool:
    return bool(order.get("plain"))


def _game_and_start(games: Games, order: Json) -> tuple[Game, str | None]:
    start = order.get("from")
    if start is not None:
        text_of(start, "from")
    return games.get(order.get("game"), order.get("parameters")), start


def _record(order: Json) -> str:
    return text_of(order.get("record"), "record")


def _check_solve(games: Games, order: Json) -> Json:
    made = session_of(games, order)
    solve = order["kind"] == SOLVE
    words = ["zermelo", "solve" if solve else "analyze", *position_words(games, made.position),
             *_search_words(made.search, made.position.game), *_asked_words(order),
             *limit_words(order)]
    if isinstance(order.get("candidates"), dict):
        given = ",".join(f"{name}={value}" for name, value in order["candidates"].items())
        words += ["--zones", given]
    elif made.candidates:
        words.append("--candidates")
    if made.threads > 1:
        words += ["--threads", str(made.threads)]
    return {"place": games.place(made.position), **_search_facts(made.search), "goal": made.goal,
            "seed": made.seed, "plain": made.by_rules, "candidates": made.candidates,
            "threads": made.threads, "command": shlex.join(words)}


def _check_annotate(games: Games, order: Json) -> Json:
    work = annotating_of(games, order)
    first = work.places[0].position
    words = ["zermelo", "annotate", *_record_words(games, first.game, order),
             *_search_words(work.search, first.game), *_asked_words(order), *limit_words(order)]
    return {**_record_facts(games, first, work.moves), **_search_facts(work.search),
            "goal": work.goal, "seed": work.seed, "plain": _plain(order),
            "command": shlex.join(words)}


def _check_progress(games: Games, order: Json) -> Json:
    asked = progress_of(games, order)
    played = read_record(asked["game"], asked["record"], asked["start"])
    words = ["zermelo", "progress", *_record_words(games, asked["game"], order),
             "--depth", str(asked["depth"])]
    wanted = order.get("T")
    for threshold in wanted if isinstance(wanted, list) else [] if wanted is None else [wanted]:
        words += ["-T", str(threshold)]
    words += limit_words({"limits": {"time": fields_of(order.get("limits"), "limits").get("time")}})
    return {**_record_facts(games, played.positions[0], played.moves), "depth": asked["depth"],
            "command": shlex.join(words)}


def path_of(order: Json) -> str:
    """Return the file of an order of kind verify."""
    path = order.get("path")
    if path is None:
        raise BadOption("path is missing; it is the name of a certificate's file.")
    if not isinstance(path, str):
        raise BadOption(f"path={quoted(path)} is not the name of a certificate's file.")
    return path


def _check_verify(games: Games, order: Json) -> Json:
    path_of(order)
    return {"certificate": order.get("certificate"), "command": "zermelo verify FILE"}


def _search_facts(search: Search) -> Json:
    return {"search": search.id, "options": search.all_options}


def _record_facts(games: Games, first: Position, moves: list[str]) -> Json:
    """Return the start of the record, and its moves."""
    place = games.place(first)
    return {"place": place, "record": {"moves": moves, "length": len(moves)}}


def _search_words(search: Search, game: Game) -> list[str]:
    words = []
    if search.id != default_search(game) or search.options:
        words += ["-s", search.id]
    for name, value in search.options.items():
        words += ["-p", f"{name}={value}"]
    return words


def _asked_words(order: Json) -> list[str]:
    words = []
    if _goal(order) != "value":
        words += ["--goal", _goal(order)]
    if _seed(order):
        words += ["--seed", str(_seed(order))]
    return [*words, *["--plain"] * _plain(order)]


def position_words(games: Games, position: Position) -> list[str]:
    """Return the game, the position and the parameters as arguments."""
    start = position == position.game.start()
    return [games.name_of(position.game), "start" if start else position.text,
            *_parameter_words(position.game)]


def _record_words(games: Games, game: Game, order: Json) -> list[str]:
    begin = order.get("from")
    return [games.name_of(game), order["record"], *_parameter_words(game),
            *([] if begin is None else ["--from", begin])]


def _parameter_words(game: Game) -> list[str]:
    return [word for name, value in game.changed.items() for word in ("-g", f"{name}={value}")]


def limit_words(order: Json) -> list[str]:
    """Return the limits as options."""
    limits = fields_of(order.get("limits"), "limits")
    return [word for name in ("nodes", "time", "memory") if limits.get(name) is not None
            for word in (f"--{name}", f"{limits[name]}")]


def searches(known: Games, message: Json) -> list[Json]:
    """Return all searches with their options."""
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
    """Check the order of a session; return its facts and the command that does the same."""
    return check_order(known, message["order"])


def replayed(known: Games, message: Json) -> Json:
    """Return a search from its beginning, step by step."""
    position = known.position(message.get("place"))
    given = {name: message[name] for name in ("steps", "goal", "seed") if
             message.get(name) is not None}
    search = read_search({"search": "pn", **message}, position.game)
    film = replay(position, search, plain=bool(message.get("plain")), **given)
    return {**film.to_dict(), "place": known.place(position)}


QUESTIONS = {"searches": searches, "check": check, "replay": replayed}
