"""The API of certificates that are sent, and of the lab."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from zermelo.explorer.api import BASE, body_of
from zermelo.explorer.desk import Desks
from zermelo.explorer.files import Files
from zermelo.explorer.refusals import Refused
from zermelo.explorer.sessions import Sessions

LAB_SECONDS = 120.0
MOST_ROWS = 1000


class FileApi:
    """The handlers of ``/certificates`` and ``/lab``."""

    def __init__(self, desks: Desks, lab: Desks, sessions: Sessions, files: Files,
                 store: str | None) -> None:
        self.desks, self.lab, self.sessions, self.files = desks, lab, sessions, files
        self.store = store
        self.sent: dict[str, dict[str, object]] = {}

    def routes(self) -> list[Route]:
        """The addresses."""
        get, post = ["GET"], ["POST"]
        return [
            Route(f"{BASE}/certificates", self.receive, methods=post),
            Route(f"{BASE}/certificates/{{id}}", self.certificate, methods=get),
            Route(f"{BASE}/certificates/{{id}}/node", self.node, methods=post),
            Route(f"{BASE}/lab", self.experiments, methods=get),
            Route(f"{BASE}/lab/{{name}}", self.experiment, methods=get),
            Route(f"{BASE}/lab/{{name}}/jobs", self.jobs, methods=get),
            Route(f"{BASE}/lab/{{name}}/figures/{{file}}", self.figure, methods=get),
        ]

    async def receive(self, request: Request) -> Response:
        """Take a certificate, and begin to check it."""
        kept = await self.files.receive(request.stream())
        try:
            about = await self.desks.ask("certificate", path=str(kept.path))
            session = await self.sessions.start(
                {"kind": "verify", "certificate": kept.id, "path": str(kept.path)})
        except BaseException:
            self.files.forget(kept)
            raise
        told = self.sent[kept.id] = {"id": kept.id, **about, "session": session.id}
        return JSONResponse(told)

    async def certificate(self, request: Request) -> Response:
        """What was said when a certificate was sent; also of one that was written here."""
        kept = self.files.get(request.path_params["id"])
        if kept.id not in self.sent:
            about = await self.desks.ask("certificate", path=str(kept.path))
            self.sent[kept.id] = {"id": kept.id, **about, "session": None}
        return JSONResponse(self.sent[kept.id])

    async def node(self, request: Request) -> Response:
        """A position of a certificate: the prover's move, and all replies."""
        kept = self.files.get(request.path_params["id"])
        given = await body_of(request, "path", "offset", "count", "claim")
        return JSONResponse(await self.desks.ask("node", path=given.pop("path", None),
                                                 file=str(kept.path), **given))

    async def experiments(self, request: Request) -> Response:
        """All experiments, and how far they are."""
        return JSONResponse(await self._lab("experiments"))

    async def experiment(self, request: Request) -> Response:
        """One experiment: what was planned, and what came of it."""
        return JSONResponse(await self._lab("experiment", **self._which(request)))

    async def jobs(self, request: Request) -> Response:
        """Some of the jobs of an experiment."""
        query = request.query_params
        return JSONResponse(await self._lab(
            "jobs", offset=_whole(query.get("offset"), "offset", 0),
            count=min(_whole(query.get("count"), "count", 100), MOST_ROWS),
            sort=query.get("sort"), filter=query.get("filter"), **self._which(request)))

    async def figure(self, request: Request) -> Response:
        """A figure of an experiment."""
        picture = await self._lab("figure", file=request.path_params["file"],
                                  **self._which(request))
        return Response(picture, media_type="image/svg+xml", headers={"cache-control": "no-store"})

    def _which(self, request: Request) -> dict[str, object]:
        return {"name": request.path_params["name"],
                "settings": _whole(request.query_params.get("settings"), "settings", 0)}

    async def _lab(self, ask: str, **fields: object) -> object:
        return await self.lab.ask(f"lab {ask}", LAB_SECONDS, store=self.store, **fields)


def _whole(text: str | None, name: str, usual: int) -> int:
    if text is None:
        return usual
    if not (text.isascii() and text.isdigit() and len(text) < 10):
        raise Refused(f"{name}={text[:40]!r} is not a whole number.")
    return int(text)
