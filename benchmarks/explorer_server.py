"""A running explorer and who asks it, for ``benchmarks.explorer``."""

from __future__ import annotations

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
import time
from collections import Counter
from pathlib import Path
from typing import Any

BASE = "/api/v1"
START = {"game": "connect-four"}
LONG = {"place": START, "search": "weak-df-pn", "limits": {"memory": "256MB"}}
TICK = os.sysconf("SC_CLK_TCK")


class Server:
    """``zermelo explore`` in a process of its own."""

    def __init__(self) -> None:
        self.began = time.perf_counter()
        self.process = subprocess.Popen(
            [sys.executable, "-m", "zermelo", "explore", "--no-browser", "--port", "0"],
            stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        url, _, self.token = self.process.stdout.readline().split()[2].partition("/?token=")
        self.port = int(url.rpartition(":")[2])
        self.headers = {"Authorization": f"Bearer {self.token}"}
        self.link = self.connect()
        while True:
            try:
                self.get("/", base="")
                break
            except OSError:
                self.link = self.connect()
                time.sleep(0.01)
        self.page = time.perf_counter() - self.began

    def connect(self) -> http.client.HTTPConnection:
        """A connection to it."""
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=300)

    def ask(self, method: str, path: str, body: Any = None, kind: str = "application/json",
            base: str = BASE) -> tuple[int, bytes]:
        """Status and content of an answer."""
        headers = {**self.headers, **({} if method == "GET" else {"Content-Type": kind})}
        content = body if isinstance(body, bytes) else None if method == "GET" else json.dumps(body)
        for attempt in (0, 1):  # the server closes a connection that was quiet for a while
            try:
                self.link.request(method, base + path, content, headers)
                answer = self.link.getresponse()
                return answer.status, answer.read()
            except (BrokenPipeError, ConnectionResetError, http.client.RemoteDisconnected):
                if attempt:
                    raise
                self.link = self.connect()
        raise AssertionError

    def get(self, path: str, base: str = BASE) -> Any:
        """What GET answers."""
        status, content = self.ask("GET", path, base=base)
        assert status == 200, content
        return json.loads(content) if base else content

    def post(self, path: str, body: Any = None) -> Any:
        """What POST answers."""
        status, content = self.ask("POST", path, {} if body is None else body)
        assert status == 200, content
        return json.loads(content)

    def start(self, **order: Any) -> str:
        """The id of a new session."""
        return str(self.post("/sessions", order)["id"])

    def wait(self, id: str, *states: str) -> Any:
        """The state of a session when it is one of these."""
        while (found := self.get(f"/sessions/{id}"))["state"] not in states or (
                states == ("running",) and not found["progress"]):
            time.sleep(0.05)
        return found

    def end(self, id: str) -> None:
        """End a session."""
        self.ask("DELETE", f"/sessions/{id}")

    def close(self) -> int:
        """Ctrl-C; how many of its processes are left."""
        every = descendants(self.process.pid)
        self.process.send_signal(signal.SIGINT)
        self.process.wait(30)
        time.sleep(0.5)
        return sum(alive(pid) for pid in every)


def stat(pid: int) -> list[str]:
    """State, parent and so on of a process."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return ["Z", "0"]


def alive(pid: int) -> bool:
    return stat(pid)[0] != "Z"


def descendants(pid: int) -> list[int]:
    parents: dict[int, list[int]] = {}
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            parents.setdefault(int(stat(int(entry))[1]), []).append(int(entry))
    found, left = [], [pid]
    while left:
        children = parents.get(left.pop(), [])
        found += children
        left += children
    return found


def cpu(pid: int) -> float:
    """Processor seconds of a process so far."""
    words = stat(pid)
    return (int(words[11]) + int(words[12])) / TICK if len(words) > 12 else 0.0


class Watchers:
    """So many streams of events, all read."""

    def __init__(self, server: Server, id: str, count: int) -> None:
        self.seen: Counter[int] = Counter()
        self.links = []
        for which in range(count):
            link = server.connect()
            link.request("GET", f"{BASE}/events?sessions={id}", headers=server.headers)
            self.links.append(link)
            threading.Thread(target=self._read, args=[which, link], daemon=True).start()

    def _read(self, which: int, link: http.client.HTTPConnection) -> None:
        stream = link.getresponse()
        try:
            for line in stream:
                self.seen[which] += line.startswith(b"id:")
        except (OSError, ValueError, AttributeError):
            return

    def close(self) -> None:
        """No longer watch."""
        for link in self.links:
            if link.sock is not None:
                link.sock.close()


class Spent:
    """Processor time of the server and all its processes, for each of some requests. On a machine
    that does other work besides, it tells more than the clock."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.before = self.now()

    def settle(self) -> None:
        """Wait until nothing is being loaded any more."""
        before = -1.0
        while (now := self.now()) - before > 0.02:
            before = now
            time.sleep(0.5)

    def now(self) -> float:
        """Processor seconds so far."""
        return sum(map(cpu, [self.server.process.pid, *descendants(self.server.process.pid)]))

    def each(self, count: int) -> str:
        """In words."""
        return f"{1000 * (self.now() - self.before) / count:.1f} ms of processor time each"


def tell(what: str, figure: float, unit: str, bar: float | None = None, note: str = "") -> bool:
    """Print a line; whether the bar is kept."""
    kept = bar is None or figure <= bar
    limit = "" if bar is None else f"  bar {bar:g} {unit}: {'kept' if kept else 'MISSED'}"
    print(f"{what}: {figure:.4g} {unit}{limit}{f'  ({note})' if note else ''}", flush=True)
    return kept
