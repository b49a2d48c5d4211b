"""The server: pages, API and events, put together."""

from __future__ import annotations

import asyncio
import contextlib
import hashlib
from collections.abc import AsyncIterator
from dataclasses import dataclass, field
from pathlib import Path

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route

from zermelo.errors import ZermeloError
from zermelo.explorer.api import Api, FileApi, Files, SessionApi
from zermelo.explorer.processes import MOST_QUERY_WORKERS, Denied, HostProcess, QueryWorkers
from zermelo.explorer.security import FAILED, Guard, refusal
from zermelo.explorer.sessions import Events, ServerLimits, Sessions
from zermelo.workers.fork_server import Begun

FOLDER = Path(__file__).parent / "static"
PAGES = ("/", "/board", "/live", "/tree", "/replay", "/compare", "/proof", "/record", "/lab",
         "/help")
KINDS = {
    ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".json": "application/json",
    ".webmanifest": "application/manifest+json", ".png": "image/png", ".ico": "image/x-icon",
}


class Statics:
    """The list of files of the pages; nothing else is ever opened."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self.files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")
                      if path.is_file() and path.suffix in KINDS}

    async def page(self, request: Request) -> Response:
        """Return the shell, which is the same for every page."""
        return self._file("index.html", request)

    async def file(self, request: Request) -> Response:
        """Return one of the files."""
        return self._file(request.path_params["path"], request)

    def _file(self, name: str, request: Request) -> Response:
        path = self.files.get(name)
        if path is None:
            raise Denied("there is no such file.", 404)
        content = path.read_bytes()
        tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
        headers = {"etag": tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=KINDS[path.suffix], headers=headers)


@dataclass(frozen=True)
class ServerSettings:
    """The settings of a server."""

    token: str
    host: str = "127.0.0.1"
    port: int = 8421
    own_game: str | None = None
    store: str | None = None
    limits: ServerLimits = field(default_factory=ServerLimits)


def make_app(settings: ServerSettings, begun: Begun | None = None) -> Guard:
    """Return the application; its processes end with it. ``begun``: a host that was started
    before."""
    host = HostProcess(settings.own_game, begun)
    files, statics, events = Files(), Statics(), Events()
    queries, lab = QueryWorkers(host, most=1), QueryWorkers(host, most=1)
    limits = settings.limits
    sessions = Sessions(host, queries, events, limits)
    about = {"own_game": settings.own_game, "limits": {
        "sessions": limits.live, "memory": limits.memory, "time": limits.time,
        "grace": limits.grace}}
    api = [Api(queries, about).routes(), SessionApi(sessions, events, files).routes(),
           FileApi(queries, lab, sessions, files, settings.store).routes()]

    @contextlib.asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        async def warm_up() -> None:
            with contextlib.suppress(Denied):
                await host.start()
                await queries.once("games")
                await queries.renew()
                await queries.once("searches")
            queries.most = MOST_QUERY_WORKERS  # sooner, a second one would wait for loading

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
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=dict.fromkeys(
        (Denied, ZermeloError, 404, 405, ClientDisconnect, Exception), _sentence))
    app.router.redirect_slashes = False
    app.state.sessions, app.state.host, app.state.queries = sessions, host, queries
    app.state.events = events
    return Guard(app, settings.host, settings.port, settings.token)


async def _sentence(request: Request, error: Exception) -> Response:
    """Return an error as a sentence."""
    if isinstance(error, ClientDisconnect):  # not sent: the client left in its request
        return Response(status_code=400)
    if isinstance(error, Denied):
        return refusal(error.sentence, error.status)
    if isinstance(error, ZermeloError):
        return refusal(str(error), 400)
    status = getattr(error, "status_code", 503)
    return refusal({404: "there is nothing at this address.",
                    405: f"{request.method} does not go with this address."}.get(status, FAILED),
                   status)
