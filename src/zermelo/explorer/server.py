"""The server: pages, API and events, put together."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from typing import Any

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from zermelo.errors import ZermeloError
from zermelo.explorer.api import Api
from zermelo.explorer.api_files import FileApi
from zermelo.explorer.api_sessions import SessionApi
from zermelo.explorer.desk import MOST_DESKS, Desks
from zermelo.explorer.events import Events
from zermelo.explorer.files import Files
from zermelo.explorer.processes import Begun, Host
from zermelo.explorer.refusals import Refused
from zermelo.explorer.security import FAILED, Guard
from zermelo.explorer.sessions import Limits, Sessions
from zermelo.explorer.statics import PAGES, Statics


@dataclass(frozen=True)
class Settings:
    """How a server is started."""

    token: str
    host: str = "127.0.0.1"
    port: int = 8421
    own_game: str | None = None
    store: str | None = None
    limits: Limits = field(default_factory=Limits)


def make_app(settings: Settings, begun: Begun | None = None) -> Guard:
    """The application; its processes end with it. ``begun``: a host that was started before."""
    host, files, statics, events = Host(settings.own_game, begun), Files(), Statics(), Events()
    desks, lab = Desks(host, most=1), Desks(host, most=1)
    sessions = Sessions(host, desks, events, settings.limits)
    api = [Api(desks, _about(settings)).routes(), SessionApi(sessions, events, files).routes(),
           FileApi(desks, lab, sessions, files, settings.store).routes()]

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async def warm_up() -> None:
            with contextlib.suppress(Refused):
                await host.start()
                await desks.once("games")
                await desks.renew()
                await desks.once("searches")
            desks.most = MOST_DESKS  # a second one before that would wait for all to be loaded

        tasks = [asyncio.create_task(warm_up()), asyncio.create_task(sessions.housekeeping())]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await host.close()
            files.close()

    routes = [*(route for part in api for route in part),
              Route("/static/{path:path}", statics.file, methods=["GET"]),
              *(Route(page, statics.page, methods=["GET"]) for page in PAGES)]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers={
        Refused: _refused, ZermeloError: _bad_input, 404: _nothing_there, 405: _wrong_method,
        ClientDisconnect: _gone, Exception: _failed})
    app.router.redirect_slashes = False
    app.state.sessions, app.state.host, app.state.desks = sessions, host, desks
    app.state.events = events
    return Guard(app, settings.host, settings.port, settings.token)


def _about(settings: Settings) -> dict[str, Any]:
    limits = settings.limits
    allowed = {"sessions": limits.live, "memory": limits.memory, "time": limits.time,
               "grace": limits.grace}
    return {"own_game": settings.own_game, "limits": allowed}


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return sentence(error.sentence, error.status)


async def _bad_input(request: Request, error: Exception) -> Response:
    return sentence(str(error), 400)


async def _nothing_there(request: Request, error: Exception) -> Response:
    return sentence("there is nothing at this address.", 404)


async def _wrong_method(request: Request, error: Exception) -> Response:
    return sentence(f"{request.method} does not go with this address.", 405)


async def _gone(request: Request, error: Exception) -> Response:
    return Response(status_code=400)  # not sent: the client left in the middle of its request


async def _failed(request: Request, error: Exception) -> Response:
    return sentence(FAILED, 503)


def sentence(words: str, status: int) -> Response:
    """A refusal."""
    return JSONResponse({"error": words}, status, headers={"cache-control": "no-store"})
