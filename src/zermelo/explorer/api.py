"""The API: games, searches and boards; sessions and their events; certificates that are sent; the
lab. What needs a game is asked of the query workers."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
from collections.abc import AsyncIterable, AsyncIterator, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from zermelo.explorer.processes import ANSWER_SECONDS, Denied, QueryWorkers
from zermelo.explorer.sessions import Events, LiveSession, Sessions
from zermelo.storage.whole_files import Folder
from zermelo.version import __version__

MOST_FILES, MOST_BYTES = 40, 2_000_000_000


@dataclass(frozen=True)
class Kept:
    """A file, under a number of ours; no request names a file."""

    id: str
    path: Path
    name: str


class Files:
    """All files that are kept, in a folder that is removed with the server."""

    def __init__(self) -> None:
        self.folder = Folder("zermelo-explore")
        self.known: dict[str, Kept] = {}
        self.numbers = itertools.count(1)

    def new(self, name: str) -> Kept:
        """Return a new file, not written yet."""
        id = str(next(self.numbers))
        kept = self.known[id] = Kept(id, self.folder.path / f"{id}.proof", name)
        self._tidy()
        return kept

    async def receive(self, parts: AsyncIterable[bytes]) -> Kept:
        """Write what is sent into a new file."""
        kept = self.new("certificate.proof")
        try:
            with kept.path.open("wb") as file:
                async for part in parts:
                    file.write(part)
        except BaseException:
            self.forget(kept)
            raise
        return kept

    def get(self, id: str) -> Kept:
        """Return the file with this number."""
        kept = self.known.get(id)
        if kept is None or not kept.path.exists():
            raise Denied(f"there is no certificate {id[:20]!r} here.", 404)
        return kept

    def forget(self, kept: Kept) -> None:
        """Remove a file."""
        self.known.pop(kept.id, None)
        kept.path.unlink(missing_ok=True)

    def _tidy(self) -> None:
        """Remove the oldest files if there are too many."""
        while len(self.known) > 1 and (len(self.known) > MOST_FILES or self._size() > MOST_BYTES):
            self.forget(next(iter(self.known.values())))

    def _size(self) -> int:
        return sum(kept.path.stat().st_size for kept in self.known.values() if kept.path.exists())

    def close(self) -> None:
        """Remove all files."""
        self.folder.close()


BASE = "/api/v1"
REPLAY_SECONDS = 60.0
Json = dict[str, Any]


async def body_of(request: Request, *fields: str) -> Json:
    """Return the object of JSON in a request; Denied if it has other fields than ``fields``, where
    some are given."""
    try:
        given = json.loads(await request.body() or b"{}")
    except (ValueError, RecursionError):
        raise Denied("the request is not JSON.") from None
    if not isinstance(given, dict):
        raise Denied("the request is not an object with named fields.")
    unknown = [name for name in given if fields and name not in fields]
    if unknown:
        raise Denied(f"there is no field {unknown[0][:40]!r} here; fields: {', '.join(fields)}.")
    return given


class Api:
    """The handlers of all addresses that only ask a query worker."""

    def __init__(self, queries: QueryWorkers, about: Json) -> None:
        self.queries, self.facts = queries, about

    def routes(self) -> list[Route]:
        """Return the addresses and their handlers."""
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
        """Return the version, and what the server allows."""
        return JSONResponse({"version": __version__, **self.facts})

    def _once(self, ask: str) -> Any:
        """Return a handler of a question whose answer never changes."""
        async def handler(request: Request) -> Response:
            return JSONResponse(await self.queries.once(ask))

        return handler

    def _asking(self, ask: str, *fields: str, seconds: float = ANSWER_SECONDS) -> Route:
        """Return the route of a question that a query worker answers."""
        async def handler(request: Request) -> Response:
            given = await body_of(request, *fields)
            return JSONResponse(await self.queries.ask(ask, seconds, **given))

        return Route(f"{BASE}/{ask}", handler, methods=["POST"])


LAB_SECONDS = 120.0
MOST_ROWS = 1000


class FileApi:
    """The handlers of ``/certificates`` and ``/lab``."""

    def __init__(self, queries: QueryWorkers, lab: QueryWorkers, sessions: Sessions, files: Files,
                 store: str | None) -> None:
        self.queries, self.lab, self.sessions, self.files = queries, lab, sessions, files
        self.store = store
        self.sent: dict[str, dict[str, object]] = {}

    def routes(self) -> list[Route]:
        """Return the addresses and their handlers."""
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
            about = await self.queries.ask("certificate", path=str(kept.path))
            session = await self.sessions.start(
                {"kind": "verify", "certificate": kept.id, "path": str(kept.path)})
        except BaseException:
            self.files.forget(kept)
            raise
        told = self.sent[kept.id] = {"id": kept.id, **about, "session": session.id}
        return JSONResponse(told)

    async def certificate(self, request: Request) -> Response:
        """Return what is known about a certificate that was sent or written here."""
        kept = self.files.get(request.path_params["id"])
        if kept.id not in self.sent:
            about = await self.queries.ask("certificate", path=str(kept.path))
            self.sent[kept.id] = {"id": kept.id, **about, "session": None}
        return JSONResponse(self.sent[kept.id])

    async def node(self, request: Request) -> Response:
        """Return a position of a certificate: the prover's move, and all replies."""
        kept = self.files.get(request.path_params["id"])
        given = await body_of(request, "path", "offset", "count", "claim")
        return JSONResponse(await self.queries.ask("node", path=given.pop("path", None),
                                                 file=str(kept.path), **given))

    async def experiments(self, request: Request) -> Response:
        """Return all experiments and their progress."""
        return JSONResponse(await self._lab("experiments"))

    async def experiment(self, request: Request) -> Response:
        """Return one experiment: its plan and its results."""
        return JSONResponse(await self._lab("experiment", **self._which(request)))

    async def jobs(self, request: Request) -> Response:
        """Return some of the jobs of an experiment."""
        query = request.query_params
        return JSONResponse(await self._lab(
            "jobs", offset=_whole(query.get("offset"), "offset", 0),
            count=min(_whole(query.get("count"), "count", 100), MOST_ROWS),
            sort=query.get("sort"), filter=query.get("filter"), **self._which(request)))

    async def figure(self, request: Request) -> Response:
        """Return a figure of an experiment."""
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
        raise Denied(f"{name}={text[:40]!r} is not a whole number.")
    return int(text)


MOST_WATCHERS, MOST_WATCHED = 200, 64
PROOF_SECONDS = 3600.0


class SessionApi:
    """The handlers of ``/sessions`` and ``/events``."""

    def __init__(self, sessions: Sessions, events: Events, files: Files) -> None:
        self.sessions, self.events, self.files = sessions, events, files
        self.watchers = 0

    def routes(self) -> list[Route]:
        """Return the addresses and their handlers."""
        get, post = ["GET"], ["POST"]
        every, one = f"{BASE}/sessions", f"{BASE}/sessions/{{id}}"
        return [
            Route(every, self.start, methods=post), Route(every, self.all_sessions, methods=get),
            Route(one, self.session, methods=get), Route(one, self.end, methods=["DELETE"]),
            Route(f"{one}/stop", self.stop, methods=post),
            Route(f"{one}/continue", self.go_on, methods=post),
            Route(f"{one}/tree", self.tree, methods=post),
            Route(f"{one}/proof", self.prove, methods=post),
            Route(f"{one}/proof", self.download, methods=get),
            Route(f"{BASE}/events", self.watch, methods=get),
        ]

    async def start(self, request: Request) -> Response:
        """Start a session."""
        order = await body_of(request)
        if "path" in order:
            raise Denied("a session takes no 'path': certificates are sent to /certificates.")
        order.setdefault("kind", "solve")
        if order["kind"] == "verify":
            order["path"] = str(self.files.get(str(order.get("certificate"))).path)
        session = await self.sessions.start(order)
        return JSONResponse({"id": session.id, "command": session.facts["command"]})

    async def all_sessions(self, request: Request) -> Response:
        """Return all sessions, in short."""
        return JSONResponse([session.summary() for session in self.sessions.known.values()])

    def _session(self, request: Request) -> LiveSession:
        return self.sessions.get(request.path_params["id"])

    async def session(self, request: Request) -> Response:
        """Return one session, whole."""
        return JSONResponse({**self._session(request).to_dict(), "event": self.events.last})

    async def stop(self, request: Request) -> Response:
        """Stop a session."""
        session = self._session(request)
        await self.sessions.stop(session)
        return JSONResponse({"state": session.state})

    async def go_on(self, request: Request) -> Response:
        """Go on with a session."""
        session = self._session(request)
        await self.sessions.go_on(session, (await body_of(request, "limits")).get("limits"))
        return JSONResponse({"state": session.state})

    async def end(self, request: Request) -> Response:
        """End a session and its process."""
        self.sessions.forget(self._session(request))
        return JSONResponse({})

    async def tree(self, request: Request) -> Response:
        """Return a node of the session's tree, with its children."""
        session = self._session(request)
        given = await body_of(request, "path", "offset", "count", "question")
        return JSONResponse(await self.sessions.ask(session, {"ask": "tree", **given}))

    async def prove(self, request: Request) -> Response:
        """Write a certificate of what the session has proved, and check it."""
        session = self._session(request)
        await body_of(request)
        if session.at_work:
            raise Denied("the search is running: stop it, or wait for its end.", 409)
        if session.proof is None:
            name = f"{session.facts['place']['game']}-{session.id}.proof"
            kept = self.files.new("".join(c if c.isalnum() or c in "-." else "-" for c in name))
            try:
                told = await self.sessions.ask(session, {"ask": "proof", "path": str(kept.path)},
                                               PROOF_SECONDS)
            except BaseException:
                self.files.forget(kept)
                raise
            session.proof = {**told, "certificate": kept.id,
                             "file": f"{BASE}/sessions/{session.id}/proof"}
        return JSONResponse(session.proof)

    async def download(self, request: Request) -> Response:
        """Return the certificate, as a file."""
        session = self._session(request)
        if session.proof is None:
            raise Denied("no certificate of this session has been written.", 404)
        kept = self.files.get(session.proof["certificate"])
        return FileResponse(kept.path, media_type="application/octet-stream", filename=kept.name)

    async def watch(self, request: Request) -> Response:
        """Return the events of some sessions, as a stream."""
        names = [name for name in request.query_params.get("sessions", "").split(",") if name]
        if len(names) > MOST_WATCHED:
            raise Denied(f"{len(names)} sessions are too many to watch at once; at most "
                          f"{MOST_WATCHED}.")
        given = request.headers.get("last-event-id") or request.query_params.get("after")
        if given and not (given.isascii() and given.isdigit() and len(given) < 19):
            raise Denied(f"{given[:40]!r} is not the number of an event.")
        after = int(given) if given else None
        if self.watchers >= MOST_WATCHERS:
            raise Denied(f"{self.watchers} are watching; no more can.", 429)
        watched = [self.sessions.known[name] for name in names if name in self.sessions.known]
        self._count(watched, 1)  # now: by the time that the stream begins, others have asked
        return Watching(lambda: self._count(watched, -1), self._stream(names, after),
                        media_type="text/event-stream", headers={"cache-control": "no-store"})

    def _count(self, watched: list[LiveSession], by: int) -> None:
        self.watchers += by
        for session in watched:
            session.watchers += by

    async def _stream(self, names: list[str], after: int | None) -> AsyncIterator[str]:
        with contextlib.suppress(asyncio.CancelledError):
            async for text in self.events.stream(names, after):
                yield text


class Watching(StreamingResponse):
    """A stream that calls ``left`` at its end, however it ends, and if it never begins."""

    def __init__(self, left: Callable[[], None], *stream: Any, **about: Any) -> None:
        super().__init__(*stream, **about)
        self.left = left

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Send the stream."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.left()
