"""Twenty tabs of a real browser on one search, for ``benchmarks.explorer``.

Browsers open six connections to one host at most, over HTTP/1.1. A stream of events for each tab
would leave none for the questions of the seventh; so one worker holds one stream for all tabs.
"""

from __future__ import annotations

import shutil
import statistics
import time
from typing import Any

from benchmarks.explorer_server import LONG, Server, tell

ENDLESS = {**LONG, "search": "df-pn", "plain": True}  # the default one is done too soon
SECONDS = 10
NOTICE = """() => {
  const seen = {changes: 0, last: performance.now(), longest: 0};
  const numbers = document.querySelector(".numbers");
  let words = numbers.textContent;
  new MutationObserver(() => {
    if (numbers.textContent === words) return;
    words = numbers.textContent;
    const now = performance.now();
    seen.changes += 1;
    seen.longest = Math.max(seen.longest, now - seen.last);
    seen.last = now;
  }).observe(numbers, {childList: true, subtree: true, characterData: true});
  window.seen = seen;
}"""
CLICK = """async () => {
  const board = document.querySelector("zm-board");
  const before = document.querySelector(".beside-status").textContent;
  const began = performance.now();
  board.querySelector("[data-move]").dispatchEvent(new MouseEvent("click", {bubbles: true}));
  while (document.querySelector(".beside-status").textContent === before) {
    await new Promise((done) => setTimeout(done, 1));
  }
  const drawn = performance.now() - began;
  const asked = performance.getEntriesByType("resource")
    .filter((each) => each.name.endsWith("/api/v1/board")).at(-1);
  return [drawn, asked.responseEnd - asked.requestStart];
}"""


def tabs(server: Server, count: int = 20) -> list[bool]:
    """All tabs are live, on one stream, and a click in any of them is answered."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        print("twenty tabs: not measured, playwright is not installed", flush=True)
        return []
    if shutil.which("chromium") is None:
        print("twenty tabs: not measured, there is no chromium", flush=True)
        return []
    id = server.start(**ENDLESS)
    server.wait(id, "running")
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=shutil.which("chromium"),
                                       args=["--no-sandbox"])
        context = browser.new_context()
        context.set_default_timeout(120_000)
        pages = [context.new_page() for _ in range(count)]
        pages[0].goto(f"http://127.0.0.1:{server.port}/help?token={server.token}")
        for page in pages:
            page.goto(f"http://127.0.0.1:{server.port}/live?game=connect-four&session={id}")
            page.locator(".numbers dd").first.wait_for()
        kept = _watch(server, id, pages)
        browser.close()
    server.end(id)
    return kept


def _watch(server: Server, id: str, pages: list[Any]) -> list[bool]:
    for page in pages:
        page.evaluate(NOTICE)
    time.sleep(SECONDS)
    watchers = server.get(f"/sessions/{id}")["watchers"]
    seen = [page.evaluate("seen") for page in pages]
    changes = [each["changes"] for each in seen]
    clicks = [page.evaluate(CLICK) for page in pages]
    took, answers = sorted(drawn for drawn, _ in clicks), sorted(answer for _, answer in clicks)
    print(f"{len(pages)} tabs: {min(changes)} to {max(changes)} changes of the numbers in "
          f"{SECONDS} s, at most {max(each['longest'] for each in seen) / 1000:.1f} s apart; "
          f"streams: {watchers}", flush=True)
    return [tell(f"{len(pages)} tabs: those that stand still", sum(not n for n in changes), "", 0),
            tell(f"{len(pages)} tabs: streams of events", watchers, "", 1),
            tell(f"click in each of {len(pages)} tabs, drawn", took[-1], "ms", 100,
                 f"worst; median {statistics.median(took):.1f} ms; of these for the answer of the "
                 f"server {answers[-1]:.1f} and {statistics.median(answers):.1f} ms")]
