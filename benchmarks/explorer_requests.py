"""Random requests to the server of the explorer: right ones, wrong ones, and everything between."""

from __future__ import annotations

import random
from typing import Any

GAMES: dict[str, dict[str, Any]] = {
    "connect-four": {"columns": 5, "rows": 4, "line": 3}, "hex": {"size": 3},
    "othello": {"size": 4}, "tic-tac-toe": {},
}
MOVES = ["1", "2", "3", "a1", "b2", "c3", "d3", "pass", "", "99", "é", "a" * 300]
POSITIONS = ["start", "start", "start", "3 1 2 1", "a1 b2", "nonsense", "", "(;GM[2])", "0" * 5000]
ODD: list[Any] = [None, True, -1, 0, 10**30, 1.5, "", "x", [], {}, [[]], {"a": 1}, "\u0000", "💥",
                  "../../etc/passwd", ["3"] * 100]
SEARCHES = ["pn", "weak-df-pn", None, "magic"]
STATUSES = {200, 400, 404, 405, 409, 413, 415, 429, 503}
Request = tuple[str, str, Any]


def requests(seed: int, count: int) -> list[Request]:
    """(method, path, body) of ``count`` requests; ``ID`` in a path stands for a known session."""
    dice = random.Random(seed)
    return [_request(dice) for _ in range(count)]


def _request(dice: random.Random) -> Request:
    kind = dice.choice([_board, _board, _edit, _recognise, _start, _start, _of_session,
                        _of_session, _of_session, _get, _get, _replay, _certificate, _nonsense])
    return kind(dice)


def _maybe(dice: random.Random, value: Any, odds: float = 0.9) -> Any:
    return value if dice.random() < odds else dice.choice(ODD)


def _place(dice: random.Random) -> Any:
    game = dice.choice(list(GAMES))
    place = {"game": _maybe(dice, game, 0.97), "parameters": _maybe(dice, GAMES[game], 0.97),
             "position": _maybe(dice, dice.choice(POSITIONS)),
             "moves": _maybe(dice, [dice.choice(MOVES) for _ in range(dice.randrange(3))])}
    for name in list(place):
        if dice.random() < 0.1:
            del place[name]
    return _maybe(dice, place, 0.97)


def _board(dice: random.Random) -> Request:
    return "POST", "/board", {"place": _place(dice), "line": _maybe(dice, [], 0.8)}


def _edit(dice: random.Random) -> Request:
    return "POST", "/edit", {"place": _place(dice), "square": _maybe(dice, "b2"),
                             "mark": _maybe(dice, dice.choice(["X", "O", "."]))}


def _recognise(dice: random.Random) -> Request:
    return "POST", "/recognise", {"text": _maybe(dice, dice.choice(POSITIONS))}


def _start(dice: random.Random) -> Request:
    order = {
        "kind": _maybe(dice, dice.choice(["solve", "solve", "values", "annotate"])),
        "place": _place(dice), "search": _maybe(dice, dice.choice(SEARCHES)),
        "goal": _maybe(dice, dice.choice(["value", "win", None])), "seed": _maybe(dice, 1),
        "limits": _maybe(dice, {"nodes": 2000, "memory": "20MB"}), "plain": _maybe(dice, True),
    }
    if order["kind"] == "annotate":
        order = {**{key: order[key] for key in ("kind", "search", "limits")}, "record": "3 1",
                 "game": "connect-four", "parameters": GAMES["connect-four"]}
    return "POST", "/sessions", {k: v for k, v in order.items() if dice.random() < 0.9}


def _of_session(dice: random.Random) -> Request:
    id = dice.choice(["ID", "ID", "ID", "999", "x", "%00"])
    method, what, body = dice.choice([
        ("GET", "", None), ("POST", "/stop", {}), ("POST", "/continue", {"limits": {
            "nodes": _maybe(dice, 5000)}}), ("DELETE", "", None), ("GET", "/proof", None),
        ("POST", "/tree", {"path": _maybe(dice, [dice.choice(MOVES)]), "offset": _maybe(dice, 0)}),
        ("POST", "/tree", {}), ("POST", "/proof", {})])
    return method, f"/sessions/{id}{what}", body


def _get(dice: random.Random) -> Request:
    path = dice.choice(["/about", "/games", "/searches", "/famous", "/sessions", "/nothing",
                        "/lab/none", "/lab/none/jobs?offset=x", "/lab/none/figures/..%2f..%2fx",
                        "/events?after=x", "/certificates/7", "/../../etc/passwd", "//", "/%ff"])
    return dice.choice(["GET", "GET", "GET", "PUT"]), path, None


def _replay(dice: random.Random) -> Request:
    return "POST", "/replay", {"place": _place(dice), "search": _maybe(dice, "pn"),
                               "steps": _maybe(dice, 5), "plain": True}


def _certificate(dice: random.Random) -> Request:
    content = dice.choice([b"", b"zermelo certificate 2\n", dice.randbytes(200)])
    return "POST", "/certificates", content


def _nonsense(dice: random.Random) -> Request:
    path = dice.choice(["/board", "/sessions", "/recognise", "/edit", "/replay"])
    return "POST", path, dice.choice(ODD)
