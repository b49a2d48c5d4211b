"""Access to the server: Host, Origin, token, content type and size are checked before anything
else.

A page of another site must not reach this server through the user's browser, neither directly
(Origin) nor under a name that was made to point here (Host). Other users of this machine must not
either: every request has a token, from the URL that the server prints, then in a cookie, or in the
header Authorization. The cookie is sent when a link is followed (SameSite=Lax): no GET changes
anything.
"""

from __future__ import annotations

import hmac
import ipaddress
import logging
import socket
from collections.abc import Mapping
from urllib.parse import urlencode

from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from zermelo.explorer.processes import Denied

LOOPBACK = ("127.0.0.1", "localhost", "::1")
COOKIE = "zermelo-token"  # and the port, since cookies are shared by all ports of a host
MOST_BYTES, MOST_CERTIFICATE = 1 << 20, 100 << 20
JSON, BYTES = "application/json", "application/octet-stream"
FAILED = "something went wrong here; the server's output says what."
CERTIFICATES = "/api/v1/certificates"
HEADERS = {
    "content-security-policy":
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
        "connect-src 'self'; worker-src 'self'; manifest-src 'self'; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}

log = logging.getLogger("zermelo.explorer")


class Guard:
    """Around the application: what is not allowed does not get in, and no answer is a trace."""

    def __init__(self, app: Starlette, host: str, port: int, token: str) -> None:
        self.app, self.host, self.port, self.token = app, host, port, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = False

        async def send_safely(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            request = Request(scope)
            for name in ("host", "origin", "content-type", "content-length"):
                if len(request.headers.getlist(name)) > 1:
                    raise Denied(f"there is more than one header {name}.", 400)
            self._check_host(request.headers)
            answer: ASGIApp = self._welcome(request) or self.app
            limit = check_content(scope, request.headers)
            await answer(scope, _limited(receive, limit), send_safely)
        except Denied as error:
            if not begun:
                await refusal(error.sentence, error.status)(scope, receive, send_safely)
        except Exception:
            log.exception("%s %s", scope.get("method"), scope.get("path"))
            if not begun:
                await refusal(FAILED, 503)(scope, receive, send_safely)

    def _check_host(self, headers: Headers) -> None:
        given = headers.get("host", "")
        name, port = split_host(given)
        if port != self.port or not self._known(name):
            raise Denied(f"this server is not {given!r}; use the address that it printed.", 403)
        origin = headers.get("origin", f"http://{given}")
        scheme, _, rest = origin.partition("://")
        if scheme != "http" or split_host(rest) != (name, port):
            raise Denied(f"a page of {origin!r} may not use this server.", 403)

    def _known(self, name: str) -> bool:
        if name in LOOPBACK or name == self.host.lower():
            return True
        # Bound to all addresses, any of them will do, but no name that others have made up.
        return self.host in ("0.0.0.0", "::") and (
            is_address(name) or name == socket.gethostname().lower())

    def _welcome(self, request: Request) -> Response | None:
        """Return a redirection that sets the cookie, where the URL has the token."""
        given = dict(request.query_params)
        if same(given.pop("token", ""), self.token) and request.method == "GET":
            path = request.url.path if not request.url.path.startswith("//") else "/"
            cookie = f"{COOKIE}-{self.port}={self.token}; Path=/; HttpOnly; SameSite=Lax"
            return RedirectResponse(path + (f"?{urlencode(given)}" if given else ""), 303,
                                    {"set-cookie": cookie})
        kind, _, named = request.headers.get("authorization", "").partition(" ")
        tokens = [named.strip() if kind.lower() == "bearer" else "",
                  *cookies(request.headers.get("cookie", ""), f"{COOKIE}-{self.port}")]
        if not any(same(token, self.token) for token in tokens):
            raise Denied("this address needs the token: use the whole address that the server "
                         "printed.", 403)
        return None


def same(given: str, token: str) -> bool:
    """Return True if two tokens are the same, in a time that does not depend on where they
    differ."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), token.encode())


def cookies(text: str, name: str) -> list[str]:
    """Return the values of the cookies of this name; other programs' may have any form."""
    pairs = (part.strip().partition("=") for part in text.split(";"))
    return [value for found, _, value in pairs if found == name]


def split_host(text: str) -> tuple[str, int]:
    """Return name and port of ``localhost:8421`` or ``[::1]:8421``; port 80 where there is none."""
    name, sign, port = text.rpartition(":")
    if not sign or text.endswith("]"):
        name, port = text, "80"
    name = name.lower()
    if name.startswith("[") and name.endswith("]"):
        name = name[1:-1]
    return name, int(port) if port.isascii() and port.isdigit() and len(port) < 6 else -1


def is_address(name: str) -> bool:
    """Return True if ``name`` is an address in numbers."""
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def check_content(scope: Scope, headers: Mapping[str, str]) -> int:
    """Reject bodies that are too large or not JSON; return the limit."""
    if scope["method"] in ("GET", "HEAD"):
        return 0
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    certificate = scope["path"] == CERTIFICATES
    wanted = BYTES if certificate else JSON
    if kind != wanted and scope["method"] != "DELETE":  # which has no body, and asks first
        raise Denied(f"the content type {kind!r} is not {wanted}.", 415)
    limit = MOST_CERTIFICATE if certificate else MOST_BYTES
    given = headers.get("content-length", "0")
    if not (given.isascii() and given.isdigit()) or int(given) > limit:
        raise too_large(limit)
    return limit


def too_large(limit: int) -> Denied:
    """Return the refusal of a body that is too large."""
    return Denied(f"a request may have at most {limit >> 20} MB here.", 413)


def _limited(receive: Receive, limit: int) -> Receive:
    """Return a ``receive`` that takes no more than ``limit`` bytes, whatever the headers are."""
    taken = 0

    async def limited() -> Message:
        nonlocal taken
        message = await receive()
        if message["type"] == "http.request":
            taken += len(message.get("body", b""))
            if taken > limit:
                raise too_large(limit)
        return message

    return limited


def refusal(words: str, status: int) -> Response:
    """Return an answer of one sentence."""
    return JSONResponse({"error": words}, status, headers={"cache-control": "no-store"})
