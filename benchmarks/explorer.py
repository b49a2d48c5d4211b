"""The explorer's bars: ``python -m benchmarks.explorer``.

From the command to the page, how soon a click is answered beside a search at full speed, what being
watched costs a search, how long a node of a large tree takes to open, twenty watchers, twenty tabs
of a real browser, the code of each page, and random requests, of which none may fail and after
which no process may be left. ``--only tree tabs`` measures some of it.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable

from benchmarks.explorer_requests import STATUSES, requests
from benchmarks.explorer_server import LONG, START, Server, Spent, Watchers, descendants, tell
from benchmarks.explorer_tabs import tabs
from benchmarks.explorer_watched import telling, watched
from tools.page_code import LARGEST, code_of, pages

FOUR = 4  # the host, two desks and that of the lab
PARTS = ("code", "page", "clicks", "watched", "tree", "streams", "tabs", "requests")


def first_page() -> list[bool]:
    """From the command to the page, and to the games on it."""
    pages, games, spent = [], [], []
    for _ in range(3):
        server = Server()
        pages.append(server.page)
        server.get("/games")
        games.append(time.perf_counter() - server.began)
        spent.append(Spent(server).before)
        server.close()
    return [tell("command to page", statistics.median(pages), "s", 2.0),
            tell("command to page with its games", statistics.median(games), "s", 2.0,
                 f"{statistics.median(spent):.2f} s of processor time")]


def clicks(server: Server, note: str) -> bool:
    """How soon a board is answered."""
    server.post("/board", {"place": START})
    took, moves, spent = [], list[str](), Spent(server)
    dice = random.Random(1)
    for _ in range(200):
        moves = [*moves, dice.choice("1234567")] if len(moves) < 5 else []
        began = time.perf_counter()
        server.post("/board", {"place": {**START, "moves": moves}})
        took.append(time.perf_counter() - began)
        time.sleep(0.01)
    took.sort()
    return tell(f"click {note}", 1000 * took[-3], "ms", 100,
                f"99th of 100; median {1000 * statistics.median(took):.1f} ms"
                + (f"; {spent.each(200)}" if "nothing" in note else ""))


def large_tree(server: Server) -> list[bool]:
    """Opening nodes of a PN tree with a million nodes, at rest and while it grows."""
    order = {"place": START, "search": "pn", "plain": True}
    id = server.start(**order, limits={"nodes": 1_000_000, "memory": "1GB"})
    server.wait(id, "stopped")
    spent = Spent(server)
    resting, middle = opened(server, id)
    each = spent.each(101)
    server.post(f"/sessions/{id}/continue", {"limits": {"memory": "2GB"}})
    server.wait(id, "running")
    growing, middle_growing = opened(server, id)
    server.end(id)
    return [tell("opening a node, a million in the tree", resting, "ms", 100,
                 f"worst of 100; median {middle:.1f} ms; {each}"),
            tell("opening a node while the tree grows", growing, "ms", 100,
                 f"worst of 100; median {middle_growing:.1f} ms")]


def opened(server: Server, id: str) -> tuple[float, float]:
    """The longest and the middle of 100 times, in ms."""
    dice, took, path = random.Random(2), list[float](), list[str]()
    server.post(f"/sessions/{id}/tree", {"path": []})
    for _ in range(100):
        began = time.perf_counter()
        branch = server.post(f"/sessions/{id}/tree", {"path": path})
        took.append(1000 * (time.perf_counter() - began))
        children = [child["move"] for child in branch["children"] if child["children"]]
        path = [*path, dice.choice(children)] if children else []
    return max(took), statistics.median(took)


def twenty(server: Server) -> list[bool]:
    """Twenty watchers of one search."""
    id = server.start(**LONG)
    watchers = Watchers(server, id, 20)
    server.wait(id, "running")
    time.sleep(5)
    kept = clicks(server, "beside twenty watchers")
    least, most = min(watchers.seen[n] for n in range(20)), max(watchers.seen.values())
    watchers.close()
    server.end(id)
    behind = tell("twenty watchers: events behind", most - least, "events", 3,
                  f"{least} to {most} events seen")
    return [kept, behind]


def random_requests(server: Server, count: int) -> list[bool]:
    """Whatever is asked: no failure, and no process left."""
    statuses: Counter[int] = Counter()
    known, began, bugs = ["1"], time.perf_counter(), 0
    for method, path, body in requests(7, count):
        kind = "application/octet-stream" if isinstance(body, bytes) else "application/json"
        status, content = server.ask(method, path.replace("ID", known[-1]), body, kind)
        statuses[status] += 1
        bugs += b"this failed:" in content or b"something went wrong" in content
        if status not in STATUSES or b"this failed:" in content:
            print(f"  {method} {path} {str(body)[:200]}: {status} {content[:200]!r}")
        if (method, path, status) == ("POST", "/sessions", 200):
            known.append(json.loads(content)["id"])
    for session in server.get("/sessions"):
        server.end(session["id"])
    until = time.monotonic() + 20  # a busy machine takes its time to end what was killed
    while (left := len(descendants(server.process.pid))) > FOUR and time.monotonic() < until:
        time.sleep(0.2)
    told = ", ".join(f"{status}: {number:,}" for status, number in sorted(statuses.items()))
    wrong = sum(number for status, number in statuses.items() if status not in STATUSES)
    seconds = time.perf_counter() - began
    return [tell(f"{count:,} random requests: failures", wrong + bugs, "", 0, told),
            tell("processes after them", left, "", FOUR, f"host and desks; {seconds:.0f} s")]


def code() -> list[bool]:
    """The code of each page, with all that is ever loaded."""
    sizes = {page: sum(code_of(page).values()) for page in pages()}
    told = ", ".join(f"{page} {size / 1000:.1f}" for page, size in sizes.items())
    largest = max(sizes.values()) / 1000
    return [tell("code of the largest page", largest, "kB", LARGEST / 1000, told)]


def full_speed(server: Server) -> list[bool]:
    """How soon a click is answered, with a search beside it and without."""
    kept = [clicks(server, "with nothing beside it")]
    id = server.start(**LONG)
    watchers = Watchers(server, id, 1)
    server.wait(id, "running")
    kept.append(clicks(server, "beside a search at full speed"))
    watchers.close()
    server.end(id)
    return kept


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--requests", type=int, default=10_000)
    parser.add_argument("--nodes", type=int, default=20_000_000)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, metavar="PART",
                        help=", ".join(PARTS))
    words = parser.parse_args()
    kept = code() if "code" in words.only else []
    kept += first_page() if "page" in words.only else []
    server = Server()
    parts: dict[str, Callable[[], list[bool]]] = {
        "clicks": lambda: full_speed(server),
        "watched": lambda: [watched(server, words.nodes), telling(words.nodes)],
        "tree": lambda: large_tree(server),
        "streams": lambda: twenty(server),
        "tabs": lambda: tabs(server),
        "requests": lambda: random_requests(server, words.requests),
    }
    try:
        server.get("/games")
        Spent(server).settle()
        for name, part in parts.items():
            kept += part() if name in words.only else []
    finally:
        left = server.close()
    kept.append(tell("processes left after Ctrl-C", left, "", 0))
    sys.exit(0 if all(kept) else 1)


if __name__ == "__main__":
    main()
