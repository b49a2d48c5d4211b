"""``zermelo explore``: a page on this machine with boards, values, searches at work and proofs."""

from __future__ import annotations

import html
import secrets
import socket
import sys
import threading
import webbrowser
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Annotated, Any
from urllib.parse import urlencode

import typer

from zermelo.cli.options import NUMBER, Parameters, pairs
from zermelo.errors import BadOption, quoted
from zermelo.explorer.processes import MODULE
from zermelo.games.registry import OPEN_SPIEL
from zermelo.storage.whole_files import Folder
from zermelo.workers.fork_server import start_host

FIRST_PORT, PORTS = 8421, 100

MaybeGame = Annotated[str | None, typer.Argument(
    metavar="GAME", help="A game to open (see 'zermelo games'), or FILE.py:Class for your own.")]
MaybePosition = Annotated[str | None, typer.Argument(
    metavar="POSITION", help="A position of it, in any notation.")]
HostName = Annotated[str, typer.Option(
    "--host", metavar="ADDRESS", help="Where to listen. Whoever has the address that is printed, "
    "with its token, can use the server.")]
Port = Annotated[str | None, typer.Option(
    "--port", metavar=NUMBER, help=f"The port; by default a free one from {FIRST_PORT} up.")]
NoBrowser = Annotated[bool, typer.Option("--no-browser", help="Do not open the browser.")]
StoreFile = Annotated[str | None, typer.Option(
    "--store", metavar="FILE", help="The results that the lab pages show; by default ZERMELO_LAB, "
    "or those in the user's data directory.")]
Grace = Annotated[str, typer.Option(
    "--grace", metavar=NUMBER, help="Stop a search when nobody has watched it for this many "
    "seconds.")]
Log = Annotated[bool, typer.Option("--log", help="Print every request.")]


def explore(
    game: MaybeGame = None, position: MaybePosition = None, g: Parameters = None,
    host: HostName = "127.0.0.1", port: Port = None, no_browser: NoBrowser = False,
    store: StoreFile = None, grace: Grace = "30", log: Log = False,
) -> None:
    """Look at games, values, searches and proofs in a browser, on this machine."""
    if not all(map(find_spec, ("starlette", "uvicorn"))):
        raise BadOption("the explorer needs Starlette and uvicorn: pip install 'zermelo[web]'.")
    limits, listening = _seconds(grace), _listen(host, port)
    token = secrets.token_urlsafe(24)
    number = listening.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host
    url = f"http://{shown}:{number}{_page(game, position, g, token)}"
    begun = start_host(MODULE)  # it loads the library while this process loads the server
    import uvicorn

    from zermelo.explorer.server import ServerSettings, make_app
    from zermelo.explorer.sessions import ServerLimits

    own = game if game is not None and (".py" in game or game.startswith(OPEN_SPIEL)) else None
    settings = ServerSettings(token, host, number, own, store, ServerLimits(grace=limits))
    app = make_app(settings, begun)
    folder = Folder("zermelo-open")

    class PageServer(uvicorn.Server):
        async def startup(self, sockets: list[socket.socket] | None = None) -> None:
            await super().startup(sockets)  # from here on it answers, and Ctrl-C ends it in order
            sys.stdout.write(f"zermelo explore: {url} (Ctrl-C stops it)\n")  # all at once
            sys.stdout.flush()
            if not no_browser:
                page = _redirecting(url, folder.path).as_uri()
                threading.Thread(target=webbrowser.open, args=[page]).start()  # it may wait

        def handle_exit(self, sig: int, frame: Any) -> None:
            app.app.state.events.end()  # else it would wait for those who watch
            folder.close()  # now, since uvicorn ends the process by the signal that it got
            super().handle_exit(sig, frame)

    server = PageServer(uvicorn.Config(
        app, log_level="info" if log else "critical", access_log=log, lifespan="on",
        timeout_graceful_shutdown=1))
    try:
        with suppress(KeyboardInterrupt):  # that is how it is stopped
            server.run(sockets=[listening])
    finally:
        folder.close()
    listening.close()


def _redirecting(url: str, folder: Path) -> Path:
    """Write a file that leads a browser to ``url`` into a folder that only its owner can read; the
    browser's command line, which has the file's name, can be read by every user of this machine."""
    file = folder / "zermelo.html"
    file.touch(mode=0o600)
    file.write_text('<!doctype html><meta charset="utf-8"><title>Zermelo</title>'
                    f'<meta http-equiv="refresh" content="0; url={html.escape(url)}">'
                    f'<a href="{html.escape(url)}">Zermelo</a>', "utf-8")
    return file


def _listen(host: str, port: str | None) -> socket.socket:
    """A socket on the port, or on the first free one."""
    wanted = range(FIRST_PORT, FIRST_PORT + PORTS)
    if port is not None:
        if not (port.isascii() and port.isdigit() and int(port) < 1 << 16):
            raise BadOption(f"--port {quoted(port)} is not a port: 0 to 65535, 0 for any.")
        wanted = range(int(port), int(port) + 1)
    reason = ""
    for number in wanted:
        kind = socket.AF_INET6 if ":" in host else socket.AF_INET
        # Named as TCP, so that asyncio sends each part of an answer at once (TCP_NODELAY).
        listening = socket.socket(kind, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind((host, number))
            listening.listen(128)
        except OSError as error:
            listening.close()
            reason = error.strerror or str(error)
            continue
        return listening
    where = f"port {port}" if port is not None else f"a port from {FIRST_PORT} up"
    raise BadOption(f"can't listen at {quoted(host)}, {where}: {reason}.")


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 < seconds < 1e9:
        raise BadOption(f"--grace {quoted(text)} is not a number of seconds above 0.")
    return seconds


def _page(game: str | None, position: str | None, parameters: list[str] | None,
          token: str) -> str:
    """The page to open: the start, or the board of a position."""
    query: dict[str, str] = {}
    if game is not None:
        query = {"game": game, "position": position or "start", **pairs(parameters or (), "-g")}
    path = "/" if game is None else "/board"
    return f"{path}?{urlencode({**query, 'token': token})}"
