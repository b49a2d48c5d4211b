"""Make the pictures of the explorer's page: ``python -m tools.screenshots [NAME ...]``.

Needs the extra ``web``, playwright, Pillow and chromium. A server is started on a free port; each
picture is one function below, named as its file in docs/explorer/.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import expect, sync_playwright

FOLDER = Path(__file__).parents[1] / "docs" / "explorer"
LARGEST = 150_000  # bytes of a picture
COLOURS = 200
EIGHT = "game=connect-four&position=****************O*****XX*****OXO**O*XXOX*O X"


@dataclass(frozen=True)
class Shot:
    """A picture: what is done to get there, and the window."""

    act: Callable[[Any, str], None]
    width: int = 1200
    height: int = 760
    theme: str = "light"


def measured(page: Any) -> None:
    """Wait for values, and for their lengths."""
    expect(page.locator(".look")).to_contain_text("moves settled")
    expect(page.locator(".look")).not_to_contain_text("Stop")
    page.wait_for_timeout(2500)
    expect(page.locator(".look")).not_to_contain_text("measuring")


def start(page: Any, url: str) -> None:
    """The start page."""
    page.goto(url)
    expect(page.locator(".games img").first).to_be_visible()
    expect(page.locator(".famous a").first).to_be_visible()
    page.wait_for_timeout(500)


def board(page: Any, url: str) -> None:
    """Position 8 of a published set, every move with its value and length."""
    page.goto(f"{url}/board?{EIGHT}")
    measured(page)


def hex_board(page: Any, url: str) -> None:
    """Hex 4x4 in the dark."""
    page.goto(f"{url}/board?game=hex&size=4")
    measured(page)


def live(page: Any, url: str) -> None:
    """A search at work."""
    page.goto(f"{url}/live?game=connect-four&moves=4,4,4")
    page.get_by_role("combobox", name="Search").select_option("pn")
    page.get_by_label("Nodes").fill("100M")
    page.get_by_role("button", name="Solve").click()
    expect(page.locator(".live .chart svg[role=img]")).to_be_visible()
    page.wait_for_timeout(8000)


def phone(page: Any, url: str) -> None:
    """Tic-tac-toe on a phone."""
    page.goto(f"{url}/board?game=tic-tac-toe&moves=b2,a2")
    measured(page)


SMALL = "game=connect-four&columns=5&rows=4"


def tree(page: Any, url: str) -> None:
    """The tree of a search at work, its most-proving path open."""
    page.goto(f"{url}/tree?game=connect-four&moves=4,4,3")
    page.get_by_role("link", name="Search with pn").click()
    expect(page.locator(".numbers")).to_contain_text("nodes/s")
    page.get_by_role("link", name="Tree").last.click()
    expect(page.locator("[role=treeitem]").nth(3)).to_be_visible()
    page.wait_for_timeout(4000)
    page.get_by_label("live").uncheck()
    page.get_by_role("button", name="Stop").click()
    page.get_by_role("button", name="Most-proving path").click()
    expect(page.locator(".way li").nth(5)).to_be_visible()
    page.locator(".tree-view").evaluate("view => { view.scrollTop = 0; }")
    page.wait_for_timeout(1500)


def replay(page: Any, url: str) -> None:
    """A step of proof-number search that changes numbers up to the root."""
    page.goto(f"{url}/replay?{SMALL}&search=pn")
    page.get_by_label("phase by phase").uncheck()
    for _ in range(16):
        page.get_by_role("button", name="A step forward").click()
    page.wait_for_timeout(1500)


def compare(page: Any, url: str) -> None:
    """Four searches on one position."""
    page.goto(f"{url}/compare?{SMALL}&moves=3")
    page.get_by_role("button", name="Start pn").click()
    for row in range(4):
        expect(page.locator(".sortable tbody tr").nth(row)).to_contain_text("done")
    page.get_by_role("button", name="nodes", exact=True).click()
    page.locator(".sortable").scroll_into_view_if_needed()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    page.wait_for_timeout(800)


def proof(page: Any, url: str) -> None:
    """A certificate, checked, a few moves into it."""
    place = {"game": "connect-four", "parameters": {"columns": 5, "rows": 4}, "moves": ["3", "3"]}
    made = page.request.post(f"{url}/api/v1/sessions", data={"kind": "solve", "place": place})
    id = made.json()["id"]
    while page.request.get(f"{url}/api/v1/sessions/{id}").json()["state"] != "done":
        page.wait_for_timeout(200)
    page.goto(f"{url}/proof?session={id}")
    expect(page.get_by_label("Verdict")).to_contain_text("Verified")
    for move in (1, 0):
        page.locator("[role=treeitem]").nth(1 + move).click()
        page.wait_for_timeout(700)


def record(page: Any, url: str) -> None:
    """A game, and the move that gave it away."""
    page.goto(f"{url}/record?{SMALL}&moves=3,3,3,3,2,4,1,4,4,4,5")
    expect(page.locator(".moves-list .gave-away")).to_have_count(1)
    page.locator('[data-ply="7"]').click()
    page.wait_for_timeout(800)


def lab(page: Any, url: str) -> None:
    """An experiment with results."""
    page.goto(f"{url}/lab?name=p-games")
    expect(page.locator("table tbody tr").first).to_contain_text("PN")


SHOTS = {
    "start": Shot(start, height=900), "board": Shot(board),
    "hex": Shot(hex_board, theme="dark"), "live": Shot(live, height=760),
    "phone": Shot(phone, width=360, height=740, theme="dark"),
    "tree": Shot(tree, height=820), "replay": Shot(replay, height=870),
    "compare": Shot(compare, height=900), "proof": Shot(proof, height=900, theme="dark"),
    "record": Shot(record, height=640), "lab": Shot(lab, height=700),
}


def lab_results(store: Path) -> None:
    """A small run, so that the lab has something to show."""
    subprocess.run(
        [sys.executable, "-m", "zermelo", "lab", "run", "p-games", "--set", "take=5", "--set",
         "nodes=200k", *(word for arm in ("PN", "PPN", "df-pn") for word in ("--only", arm)),
         "--store", str(store), "-q"], check=True, stdout=subprocess.DEVNULL)


def take(browser: Any, name: str, url: str, token: str) -> Path:
    """Make one picture."""
    shot = SHOTS[name]
    context = browser.new_context(viewport={"width": shot.width, "height": shot.height},
                                  color_scheme=shot.theme)
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto(f"{url}/help?token={token}")
    shot.act(page, url)
    path = FOLDER / f"{name}.png"
    page.screenshot(path=path)
    context.close()
    Image.open(path).convert("RGB").quantize(COLOURS).save(path, optimize=True)
    if path.stat().st_size > LARGEST:
        print(f"{path} has {path.stat().st_size:,} bytes, more than {LARGEST:,}", file=sys.stderr)
    return path


def main() -> None:
    """Make the pictures that are named, or all."""
    names = sys.argv[1:] or list(SHOTS)
    FOLDER.mkdir(exist_ok=True)
    expect.set_options(timeout=60_000)
    store = Path(tempfile.mkdtemp()) / "lab.db"
    if "lab" in names:
        lab_results(store)
    server = subprocess.Popen(
        [sys.executable, "-m", "zermelo", "explore", "--no-browser", "--port", "0", "--store",
         str(store)], stdout=subprocess.PIPE, text=True)
    try:
        assert server.stdout is not None
        url, _, token = server.stdout.readline().split()[2].partition("/?token=")
        with sync_playwright() as play:
            browser = play.chromium.launch(executable_path=shutil.which("chromium"),
                                           args=["--no-sandbox"])
            for name in names:
                path = take(browser, name, url, token)
                print(f"{path}: {path.stat().st_size:,} bytes")
            browser.close()
    finally:
        server.terminate()
        server.wait(30)
        shutil.rmtree(store.parent)


if __name__ == "__main__":
    main()
