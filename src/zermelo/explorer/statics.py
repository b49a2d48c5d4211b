"""The files of the pages: a fixed list, made when the server starts."""

from __future__ import annotations

import hashlib
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from zermelo.explorer.refusals import Refused

FOLDER = Path(__file__).parent / "static"
PAGES = ("/", "/board", "/live", "/tree", "/replay", "/compare", "/proof", "/record", "/lab",
         "/help")
KINDS = {
    ".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8", ".svg": "image/svg+xml", ".json": "application/json",
    ".webmanifest": "application/manifest+json", ".png": "image/png", ".ico": "image/x-icon",
}


class Statics:
    """Which files there are; nothing else is ever opened."""

    def __init__(self, folder: Path = FOLDER) -> None:
        self.files = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*")
                      if path.is_file() and path.suffix in KINDS}

    async def page(self, request: Request) -> Response:
        """The shell, which is the same for every page."""
        return self._file("index.html", request)

    async def file(self, request: Request) -> Response:
        """One of the files."""
        return self._file(request.path_params["path"], request)

    def _file(self, name: str, request: Request) -> Response:
        path = self.files.get(name)
        if path is None:
            raise Refused("there is no such file.", 404)
        content = path.read_bytes()
        tag = f'"{hashlib.sha256(content).hexdigest()[:20]}"'
        headers = {"etag": tag, "cache-control": "no-cache"}
        if request.headers.get("if-none-match") == tag:
            return Response(status_code=304, headers=headers)
        return Response(content, media_type=KINDS[path.suffix], headers=headers)
