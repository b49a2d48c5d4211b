"""A real browser for tests: the fixtures ``page`` and ``explorer``.

One server and one chromium for all such tests that come one after the other. Then both are ended:
Playwright keeps an event loop running in the thread that started it, and tests that come later want
to start one themselves. Where there is no chromium, the tests are skipped and say so; with
``ZERMELO_BROWSER_TESTS=required`` that is a failure.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

from zermelo.explorer.security import COOKIE

WAIT = 60_000  # ms: a first look may have to compile, on a busy machine
SMALL = "game=connect-four&columns=5&rows=4&line=3"  # a game that other tests compile too
PLACE = {"game": "connect-four", "parameters": {"columns": 5, "rows": 4, "line": 3},
         "position": "start", "moves": []}


def missing() -> str | None:
    """Why there is no browser to test with, or None."""
    try:
        import playwright.sync_api  # noqa: F401
    except ImportError:
        return "playwright is not installed"
    return None if shutil.which("chromium") else "there is no chromium on this machine"


_held: dict[str, Any] = {}  # the browser and the server's URL
_tokens: dict[str, str] = {}  # of each server that was started, by its URL
_after = ExitStack()  # ends them


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_teardown(item: Any, nextitem: Any) -> Iterator[None]:
    """After the last of several tests with a browser, at the end of a file."""
    yield
    goes_on = nextitem is not None and (
        "browser" in getattr(nextitem, "fixturenames", ()) or nextitem.path == item.path)
    if _held and not goes_on:
        _held.clear()
        _after.close()


@pytest.fixture(scope="module")
def browser() -> Any:
    """One chromium."""
    reason = missing()
    if reason is not None:
        if os.environ.get("ZERMELO_BROWSER_TESTS") == "required":
            pytest.fail(f"browser tests are required, but {reason}")
        pytest.skip(f"no browser tests: {reason}")
    from playwright.sync_api import expect, sync_playwright

    if "browser" not in _held:
        expect.set_options(timeout=WAIT)
        play = _after.enter_context(sync_playwright())
        _held["browser"] = play.chromium.launch(executable_path=shutil.which("chromium"),
                                                args=["--no-sandbox"])
        _after.callback(_held["browser"].close)
    return _held["browser"]


def started(*arguments: str) -> tuple[subprocess.Popen[str], str]:
    """A server on a free port, and its URL without the token, which new contexts have."""
    process = subprocess.Popen(
        [sys.executable, "-m", "zermelo", "explore", *arguments, "--no-browser", "--port", "0"],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True)
    assert process.stdout is not None
    for line in process.stdout:
        for word in line.split():
            if word.startswith("http://"):
                url, _, token = re.sub("[?&]token=", " ", word).partition(" ")
                _tokens[url] = token
                return process, url.rstrip("/")
    raise AssertionError("zermelo explore ended before it said where it is")


def ended(process: subprocess.Popen[str]) -> None:
    """Stop a server as Ctrl-C does."""
    process.send_signal(signal.SIGINT)
    process.wait(30)


@pytest.fixture(scope="module")
def explorer(browser: Any) -> Any:
    """The URL of a running server."""
    if "explorer" not in _held:
        process, _held["explorer"] = started()
        _after.callback(ended, process)
    return _held["explorer"]


def token_of(base: str) -> str:
    """The token of the server that was started at this address."""
    return next(token for url, token in _tokens.items() if url.startswith(f"{base}/"))


def opened(browser: Any, known: bool = True, **options: Any) -> Any:
    """A page of a fresh browser context, which servers know unless that is not wanted; what goes
    wrong in its scripts is in ``page.wrong``."""
    context = browser.new_context(**{"viewport": {"width": 1280, "height": 900}, **options})
    context.set_default_timeout(WAIT)
    for url, token in _tokens.items() if known else ():
        port = url.split("/")[2].rpartition(":")[2]
        context.add_cookies([{"name": f"{COOKIE}-{port}", "value": token, "url": url}])
    found = context.new_page()
    found.wrong = []
    found.on("pageerror", lambda error: found.wrong.append(str(error)))
    found.on("console", lambda message: found.wrong.append(message.text)
             if message.type == "error" and "Failed to load resource" not in message.text else None)
    return found


@pytest.fixture
def page(browser: Any) -> Iterator[Any]:
    """A page in a window of 1280 x 900; its scripts may not fail."""
    found = opened(browser)
    yield found
    found.context.close()
    assert found.wrong == []


def asked(page: Any, explorer: str, address: str, **body: Any) -> Any:
    """The answer of the API."""
    answer = page.request.post(f"{explorer}/api/v1{address}", data=body)
    assert answer.ok, answer.text()
    return answer.json()


def loaded(page: Any) -> set[str]:
    """The files of the page's own code, as they are asked for."""
    files: set[str] = set()
    page.on("request", lambda asked: files.add(found[1]) if (
        found := re.search(r"/static/(.*[.](?:js|css))$", asked.url)) else None)
    return files


def violations(page: Any) -> list[str]:
    """What axe finds that is serious or worse, one line each."""
    from axe_playwright_python.sync_playwright import Axe

    found = Axe().run(page).response["violations"]
    return [f"{each['id']}: {node['html'][:160]}" for each in found
            if each["impact"] in ("serious", "critical") for node in each["nodes"]]
