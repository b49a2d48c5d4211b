"""The API of the sessions: start, look, stop, go on, tree, proof, and events."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from zermelo.explorer.api import BASE, body_of
from zermelo.explorer.events import Events
from zermelo.explorer.files import Files
from zermelo.explorer.refusals import Refused
from zermelo.explorer.sessions import Session, Sessions

MOST_WATCHERS, MOST_WATCHED = 200, 64
PROOF_SECONDS = 3600.0


class SessionApi:
    """The handlers of ``/sessions`` and ``/events``."""

    def __init__(self, sessions: Sessions, events: Events, files: Files) -> None:
        self.sessions, self.events, self.files = sessions, events, files
        self.watchers = 0

    def routes(self) -> list[Route]:
        """The addresses."""
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
            raise Refused("a session takes no 'path': certificates are sent to /certificates.")
        order.setdefault("kind", "solve")
        if order["kind"] == "verify":
            order["path"] = str(self.files.get(str(order.get("certificate"))).path)
        session = await self.sessions.start(order)
        return JSONResponse({"id": session.id, "command": session.facts["command"]})

    async def all_sessions(self, request: Request) -> Response:
        """All sessions, in short."""
        return JSONResponse([session.summary() for session in self.sessions.known.values()])

    def _session(self, request: Request) -> Session:
        return self.sessions.get(request.path_params["id"])

    async def session(self, request: Request) -> Response:
        """One session, whole."""
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
        """A node of the session's tree, with its children."""
        session = self._session(request)
        given = await body_of(request, "path", "offset", "count", "question")
        return JSONResponse(await self.sessions.ask(session, {"ask": "tree", **given}))

    async def prove(self, request: Request) -> Response:
        """Write a certificate of what the session has proved, and check it."""
        session = self._session(request)
        await body_of(request)
        if session.at_work:
            raise Refused("the search is running: stop it, or wait for its end.", 409)
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
        """The certificate, as a file."""
        session = self._session(request)
        if session.proof is None:
            raise Refused("no certificate of this session has been written.", 404)
        kept = self.files.get(session.proof["certificate"])
        return FileResponse(kept.path, media_type="application/octet-stream", filename=kept.name)

    async def watch(self, request: Request) -> Response:
        """The events of some sessions."""
        names = [name for name in request.query_params.get("sessions", "").split(",") if name]
        if len(names) > MOST_WATCHED:
            raise Refused(f"{len(names)} sessions are too many to watch at once; at most "
                          f"{MOST_WATCHED}.")
        given = request.headers.get("last-event-id") or request.query_params.get("after")
        if given and not (given.isascii() and given.isdigit() and len(given) < 19):
            raise Refused(f"{given[:40]!r} is not the number of an event.")
        after = int(given) if given else None
        if self.watchers >= MOST_WATCHERS:
            raise Refused(f"{self.watchers} are watching; no more can.", 429)
        watched = [self.sessions.known[name] for name in names if name in self.sessions.known]
        self._count(watched, 1)  # now: by the time that the stream begins, others have asked
        return Watching(lambda: self._count(watched, -1), self._stream(names, after),
                        media_type="text/event-stream", headers={"cache-control": "no-store"})

    def _count(self, watched: list[Session], by: int) -> None:
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
