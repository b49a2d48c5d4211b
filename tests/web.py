"""A server of the explorer in this process, with real processes behind it, and who asks it."""

import json
import socket
import threading
from contextlib import contextmanager

import httpx
import uvicorn
from command import until

from zermelo.explorer.server import ServerSettings, make_app
from zermelo.explorer.sessions import ServerLimits

# Sizes and searches whose kernels other tests compile too.
SMALL = {"game": "connect-four", "parameters": {"columns": 5, "rows": 4, "line": 3}}
LONG = {"place": {"game": "connect-four"}, "search": "weak-df-pn"}  # no end in sight
GROWING = {"place": {"game": "connect-four"}, "search": "pn", "plain": True}
TOKEN = "a-token-of-the-tests"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
AT_WORK = ("waiting", "compiling", "running")


class Server:
    """A running server."""

    def __init__(self, own_game=None, store=None, **limits):
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        self.socket.bind(("127.0.0.1", 0))
        self.port = self.socket.getsockname()[1]
        limits = {"memory": 100_000_000, **limits}
        self.app = make_app(ServerSettings(
            port=self.port, token=TOKEN, own_game=own_game, store=store,
            limits=ServerLimits(**limits)))
        self.uvicorn = uvicorn.Server(uvicorn.Config(
            self.app, log_level="error", lifespan="on", timeout_graceful_shutdown=1))
        self.thread = threading.Thread(target=self.uvicorn.run,
                                       kwargs={"sockets": [self.socket]}, daemon=True)
        self.thread.start()
        self.url = f"http://127.0.0.1:{self.port}"
        self.client = httpx.Client(base_url=f"{self.url}/api/v1", timeout=120, headers=BEARER)
        until(lambda: self.uvicorn.started)

    @property
    def sessions(self):
        return self.app.app.state.sessions

    @property
    def host(self):
        return self.app.app.state.host

    def get(self, path, status=200, **query):
        return checked(self.client.get(path, params=query), status)

    def post(self, path, body=None, status=200):
        return checked(self.client.post(path, json={} if body is None else body), status)

    def start(self, **order):
        """A new session; its id."""
        return self.post("/sessions", order)["id"]

    def state(self, id):
        return self.get(f"/sessions/{id}")

    def rested(self, id, seconds=90):
        """The state of a session when it has ended."""
        return until(lambda: (state := self.state(id))["state"] not in AT_WORK and state, seconds)

    def running(self, id):
        """The state of a session when it has searched for a while."""
        return until(lambda: (state := self.state(id))["state"] == "running"
                     and state["progress"] and state)

    def stop(self, id):
        return self.post(f"/sessions/{id}/stop")

    def close(self):
        self.client.close()
        self.uvicorn.should_exit = True
        self.thread.join(20)
        assert not self.thread.is_alive()
        self.socket.close()


def checked(answer, status):
    assert answer.status_code == status, f"{answer.status_code}: {answer.text[:500]}"
    told = answer.json()
    if status >= 400:
        assert list(told) == ["error"]
        sentence = told["error"]
        assert sentence.endswith((".", ":", ".'")) or "\n" not in sentence, sentence
        return sentence
    return told


@contextmanager
def serving(**settings):
    server = Server(**settings)
    try:
        yield server
    finally:
        server.close()


def events_of(response, count=None, kinds=None):
    """(number, kind, data) of each event of a stream, until there were ``count`` of ``kinds``."""
    found, event = [], {}
    for line in response.iter_lines():
        if line:
            name, _, value = line.partition(": ")
            event[name] = value
            continue
        if "data" in event:
            number = int(event["id"]) if "id" in event else None
            found.append((number, event["event"], json.loads(event["data"])))
            wanted = [one for one in found if kinds is None or one[1] in kinds]
            if count is not None and len(wanted) >= count:
                return found
        event = {}
    return found
