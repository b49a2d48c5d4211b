"""Random requests: whatever is asked, the answer is an answer or one sentence, and no process is
left behind. ``benchmarks/explorer.py`` asks many more."""

import pytest
from command import alive, descendants, until
from web import serving

from benchmarks.explorer_requests import STATUSES, requests


def ask(server, method, path, body):
    """Send one request; its answer."""
    if isinstance(body, bytes):
        headers = {"content-type": "application/octet-stream"}
        return server.client.request(method, path, content=body, headers=headers)
    if method == "POST" or body is not None:
        return server.client.request(method, path, json=body)
    return server.client.request(method, path)


def check(server, seed, count):
    known = ["1"]
    for method, path, body in requests(seed, count):
        path = path.replace("ID", known[-1])
        answer = ask(server, method, path, body)
        shown = f"{method} {path} {body!r}: {answer.status_code} {answer.text[:300]}"
        assert answer.status_code in STATUSES, shown
        assert "Traceback" not in answer.text, shown
        assert "this failed:" not in answer.text, shown  # a bug that was caught
        if answer.status_code >= 400:
            assert list(answer.json()) == ["error"], shown
            assert answer.json()["error"].strip(), shown
        if (method, path) == ("POST", "/sessions") and answer.status_code == 200:
            known.append(answer.json()["id"])


@pytest.mark.parametrize("seed", [1])
def test_random_requests(seed):
    with serving() as server:
        check(server, seed, 300)
        for session in server.get("/sessions"):
            server.client.delete(f"/sessions/{session['id']}")
        until(lambda: len(descendants(server.host.process.pid)) <= 3)
        host = server.host.process.pid
        left = [host, *descendants(host)]
    until(lambda: not any(map(alive, left)), 10)
