"""The API: games, searches, boards. What needs a game is asked of the desks."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from zermelo.explorer.desk import ANSWER_SECONDS, Desks
from zermelo.explorer.refusals import Refused
from zermelo.version import __version__

BASE = "/api/v1"
REPLAY_SECONDS = 60.0
Json = dict[str, Any]


async def body_of(request: Request, *fields: str) -> Json:
    """The object of JSON in a request, which has no other fields than these, where some are
    given."""
    try:
        given = json.loads(await request.body() or b"{}")
    except (ValueError, RecursionError):
        raise Refused("the request is not JSON.") from None
    if not isinstance(given, dict):
        raise Refused("the request is not an object with named fields.")
    unknown = [name for name in given if fields and name not in fields]
    if unknown:
        raise Refused(f"there is no field {unknown[0][:40]!r} here; fields: {', '.join(fields)}.")
    return given


class Api:
    """The handlers of all addresses that only ask a desk."""

    def __init__(self, desks: Desks, about: Json) -> None:
        self.desks, self.facts = desks, about

    def routes(self) -> list[Route]:
        """The addresses."""
        return [
            Route(f"{BASE}/about", self.about, methods=["GET"]),
            *(Route(f"{BASE}/{name}", self._once(name), methods=["GET"])
              for name in ("games", "searches", "famous")),
            self._asking("recognise", "text", "game", "parameters"),
            self._asking("board", "place", "line"),
            self._asking("edit", "place", "square", "mark", "to_move", "clear"),
            self._asking("replay", "place", "search", "options", "goal", "seed", "plain", "steps",
                         seconds=REPLAY_SECONDS),
        ]

    async def about(self, request: Request) -> Response:
        """The version, and what the server allows."""
        return JSONResponse({"version": __version__, **self.facts})

    def _once(self, ask: str) -> Any:
        """What never changes."""
        async def handler(request: Request) -> Response:
            return JSONResponse(await self.desks.once(ask))

        return handler

    def _asking(self, ask: str, *fields: str, seconds: float = ANSWER_SECONDS) -> Route:
        """What a desk answers."""
        async def handler(request: Request) -> Response:
            given = await body_of(request, *fields)
            return JSONResponse(await self.desks.ask(ask, seconds, **given))

        return Route(f"{BASE}/{ask}", handler, methods=["POST"])
