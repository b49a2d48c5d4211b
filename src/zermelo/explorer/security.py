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
import json
import logging
import socket
from typing import Any
from urllib.parse import parse_qs, quote, urlencode

from zermelo.explorer.processes import Denied

Scope = dict[str, Any]
LOOPBACK = ("127.0.0.1", "localhost", "::1")
COOKIE = "zermelo-token"  # and the port, since cookies are shared by all ports of a host
BEARER = "bearer "
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

    def __init__(self, app: Any, host: str, port: int, token: str) -> None:
        self.app, self.host, self.port, self.token = app, host, port, token

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        """Serve one request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        begun = False

        async def send_safely(message: Scope) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                given = list(message.get("headers", []))
                names = {name.lower() for name, _ in given}
                message["headers"] = given + [
                    (name.encode(), value.encode()) for name, value in HEADERS.items()
                    if name.encode() not in names]
            await send(message)

        try:
            headers = headers_of(scope)
            self._check_host(headers)
            self._check_origin(headers)
            welcome = self._check_token(scope, headers)
            if welcome is not None:
                await send_safely({"type": "http.response.start", "status": 303,
                                   "headers": welcome})
                await send_safely({"type": "http.response.body", "body": b""})
                return
            limit = check_content(scope, headers)
            await self.app(scope, _limited(receive, limit), send_safely)
        except Denied as refusal:
            if not begun:
                await refuse(send_safely, refusal.sentence, refusal.status)
        except Exception:
            log.exception("%s %s", scope.get("method"), scope.get("path"))
            if not begun:
                await refuse(send_safely, FAILED, 503)

    def _check_host(self, headers: dict[str, str]) -> None:
        given = headers.get("host", "")
        name, port = split_host(given)
        if port == self.port and self._known(name):
            return
        raise Denied(f"this server is not {given!r}; use the address that it printed.", 403)

    def _known(self, name: str) -> bool:
        if name in LOOPBACK or name == self.host.lower():
            return True
        # Bound to all addresses, any of them will do, but no name that others have made up.
        return self.host in ("0.0.0.0", "::") and (
            is_address(name) or name == socket.gethostname().lower())

    def _check_origin(self, headers: dict[str, str]) -> None:
        origin = headers.get("origin")
        if origin is None:
            return
        scheme, _, rest = origin.partition("://")
        if scheme != "http" or split_host(rest) != split_host(headers.get("host", "")):
            raise Denied(f"a page of {origin!r} may not use this server.", 403)

    def _check_token(self, scope: Scope, headers: dict[str, str]) -> list[Any] | None:
        """Return the headers of a redirection that sets the cookie, where the URL has the token."""
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
        given = query.pop("token", [""])[0]
        if same(given, self.token) and scope["method"] == "GET":
            rest = urlencode(query, doseq=True)
            path = scope["path"] if not scope["path"].startswith("//") else "/"
            cookie = f"{COOKIE}-{self.port}={self.token}; Path=/; HttpOnly; SameSite=Lax"
            where = path + (f"?{rest}" if rest else "")
            return [(b"location", quote(where, safe="/?&=%+~").encode()),
                    (b"set-cookie", cookie.encode())]
        shown = headers.get("authorization", "")
        named = shown[len(BEARER):].strip() if shown.lower().startswith(BEARER) else ""
        tokens = [named, *cookies(headers.get("cookie", ""), f"{COOKIE}-{self.port}")]
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


def headers_of(scope: Scope) -> dict[str, str]:
    """Return the headers by name; a second one of the same name is refused where it matters."""
    found: dict[str, str] = {}
    for raw_name, raw_value in scope["headers"]:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        if name in found and name in ("host", "origin", "content-type", "content-length"):
            raise Denied(f"there is more than one header {name}.", 400)
        found[name] = value
    return found


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


def check_content(scope: Scope, headers: dict[str, str]) -> int:
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


def _limited(receive: Any, limit: int) -> Any:
    """Return a ``receive`` that takes no more than ``limit`` bytes, whatever the headers are."""
    taken = 0

    async def limited() -> Any:
        nonlocal taken
        message = await receive()
        if message["type"] == "http.request":
            taken += len(message.get("body", b""))
            if taken > limit:
                raise too_large(limit)
        return message

    return limited


async def refuse(send: Any, sentence: str, status: int) -> None:
    """Answer with a sentence."""
    body = json.dumps({"error": sentence}).encode()
    await send({"type": "http.response.start", "status": status,
                "headers": [(b"content-type", b"application/json"),
                            (b"content-length", str(len(body)).encode()),
                            (b"cache-control", b"no-store")]})
    await send({"type": "http.response.body", "body": body})

