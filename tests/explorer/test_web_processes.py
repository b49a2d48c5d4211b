"""The processes of the explorer: what kills one harms no other, and none is left behind."""

import asyncio
import http.client
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace

import httpx
import pytest
from command import alive, descendants, until
from web import BEARER, GROWING, LONG, SMALL, checked, serving

from zermelo.explorer.processes import ChildProcess
from zermelo.explorer.sessions import NOBODY

WON = {**SMALL, "moves": ["3", "1", "2", "1"]}
ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def server():
    with serving() as running:
        yield running


def process_of(server, id):
    return server.sessions.known[id].child.pid


def test_the_server_itself_loads_no_compiler():
    code = ("import sys, zermelo.cli.explore, zermelo.explorer.server; "
            "print([name for name in ('numpy', 'numba', 'zermelo.core.game') "
            "if name in sys.modules])")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_a_killed_search_says_so_and_goes_on(server):
    id, other = server.start(**LONG), server.start(**LONG)
    server.running(id)
    server.running(other)
    os.kill(process_of(server, id), signal.SIGKILL)
    state = server.rested(id)
    assert state["state"] == "failed"
    assert "killed (SIGKILL" in state["error"]
    assert state["error"].endswith(".")
    assert server.state(other)["state"] == "running"  # nobody else is harmed
    told = server.post(f"/sessions/{id}/continue", {"limits": {"nodes": 5000}})
    assert told == {"state": "waiting"}
    assert server.rested(id)["stopped"] == "nodes"
    for one in (id, other):
        server.client.delete(f"/sessions/{one}")


def test_a_crash_is_told_by_its_signal(server):
    id = server.start(**LONG)
    server.running(id)
    os.kill(process_of(server, id), signal.SIGSEGV)
    assert "killed (SIGSEGV)" in server.rested(id)["error"]
    server.client.delete(f"/sessions/{id}")


@pytest.mark.parametrize("line", [b"[" * 100_000, b"[]", b'{"id": []}', b"{" + b" " * 5000])
def test_a_process_that_sends_what_is_no_message_is_given_up(line):
    async def given_up():
        ours, theirs = socket.socketpair()
        with theirs:
            reader, writer = await asyncio.open_connection(sock=ours, limit=1 << 20)
            child = ChildProcess(0, reader, writer, SimpleNamespace(kill=lambda child: None))
            child.ended.set_result(1)
            theirs.sendall(line + b"\n")
            await asyncio.wait_for(child.task, 60)
            return child.over

    assert asyncio.run(given_up())


def test_a_dead_desk_is_replaced(server):
    server.post("/board", {"place": WON})
    desk = server.app.app.state.queries.workers[0]
    os.kill(desk.pid, signal.SIGKILL)
    until(lambda: desk.over)
    assert server.post("/board", {"place": WON})["to_move"] == "X"


def test_a_dead_host_is_replaced(server):
    id = server.start(**LONG)
    server.running(id)
    children = descendants(server.host.process.pid)
    assert len(children) >= 2
    os.kill(server.host.process.pid, signal.SIGKILL)
    until(lambda: not any(map(alive, children)))  # they die with it
    assert server.rested(id)["state"] == "failed"
    assert server.post("/board", {"place": WON})["to_move"] == "X"
    server.post(f"/sessions/{id}/continue", {"limits": {"nodes": 5000}})
    assert server.rested(id)["stopped"] == "nodes"


def test_a_thousand_searches_at_once_are_refused(server, monkeypatch):
    assert server.sessions.limits.live == 8
    monkeypatch.setattr(server.sessions.limits, "live", 2)  # so that others get a turn

    def ask(count):
        link = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
        found = []
        for _ in range(count):
            link.request("POST", "/api/v1/sessions", json.dumps(LONG),
                         {"Content-Type": "application/json", **BEARER})
            answer = link.getresponse()
            found.append((answer.status, json.loads(answer.read())))
        return found

    with ThreadPoolExecutor(20) as pool:
        answers = [one for several in pool.map(ask, [50] * 20) for one in several]
    begun = [told["id"] for status, told in answers if status == 200]
    refused = [told["error"] for status, told in answers if status == 429]
    assert (len(begun), len(refused)) == (2, 998)
    assert "no more than 2 may" in refused[-1]
    for id in begun:
        assert server.client.delete(f"/sessions/{id}").status_code == 200
    until(lambda: len(descendants(server.host.process.pid)) <= 3)


def test_room_is_made_for_new_sessions(server, monkeypatch):
    for id in list(server.sessions.known):
        server.client.delete(f"/sessions/{id}")
    monkeypatch.setattr(server.sessions.limits, "kept", 2)
    monkeypatch.setattr(server.sessions.limits, "remembered", 3)
    ids = []
    for _ in range(5):
        ids.append(server.start(place=WON, search="pn", plain=True))
        server.rested(ids[-1])
    states = server.get("/sessions")
    assert len(states) <= 4
    assert [state["process"] for state in states[-2:]] == [True, True]
    assert sum(state["process"] for state in states) == 2
    assert ids[0] not in [state["id"] for state in states]


def test_what_nobody_watches_stops(server, monkeypatch):
    id = server.start(**LONG)
    session = server.sessions.known[id]
    server.running(id)
    with httpx.stream("GET", f"{server.url}/api/v1/events?sessions={id}", timeout=60,
                      headers=BEARER) as stream:
        lines = stream.iter_lines()  # kept, since the stream is closed with it
        assert next(lines).startswith("retry:")
        monkeypatch.setattr(server.sessions.limits, "grace", 0.5)
        time.sleep(2)
        assert session.at_work  # somebody is there
    until(lambda: session.state == "stopped", 10)
    assert session.result["nodes"] > 0
    assert session.stopped == NOBODY
    assert session.child is not None
    monkeypatch.setattr(server.sessions.limits, "keep_ended", 0.5)
    until(lambda: session.child is None, 10)  # and some time later its process ends
    server.client.delete(f"/sessions/{id}")


def test_what_hangs_is_given_up(server, monkeypatch):
    id = server.start(**LONG)
    server.running(id)
    monkeypatch.setattr(server.sessions.limits, "silence", 0.5)
    os.kill(process_of(server, id), signal.SIGSTOP)
    state = server.rested(id)
    assert (state["state"], state["process"]) == ("failed", False)
    assert "has said nothing for 0.5 s" in state["error"]
    server.client.delete(f"/sessions/{id}")


def test_compiling_is_no_silence(server, monkeypatch):
    """Looking into a tree may need machine code of its own, which takes longer than an answer."""
    monkeypatch.setattr("zermelo.explorer.sessions.ANSWER_SECONDS", 0.5)
    id = server.start(**LONG)
    server.running(id)
    session, pid = server.sessions.known[id], process_of(server, id)
    os.kill(pid, signal.SIGSTOP)
    with ThreadPoolExecutor(1) as pool:
        session.state = "running"
        asked = pool.submit(server.client.post, f"/sessions/{id}/tree", json={})
        until(lambda: session.child.asked)
        session.state, session.child.compiling = "compiling", True
        assert "still being compiled" in server.post(f"/sessions/{id}/tree", {}, 409)
        with pytest.raises(TimeoutError):
            asked.result(1.2)
        session.state, session.child.compiling = "running", False
        assert "no answer within" in checked(asked.result(10), 503)
    server.client.delete(f"/sessions/{id}")


def test_a_process_that_does_not_stop_is_killed(server, monkeypatch):
    monkeypatch.setattr("zermelo.explorer.sessions.STOP_SECONDS", 0.3)
    id = server.start(**LONG)
    server.running(id)
    pid = process_of(server, id)
    os.kill(pid, signal.SIGSTOP)
    assert server.stop(id) == {"state": "stopped"}
    until(lambda: not alive(pid))
    assert server.state(id)["process"] is False
    server.client.delete(f"/sessions/{id}")


def test_out_of_memory_is_a_sentence(server):
    id = server.start(**GROWING, limits={"memory": "2MB"})
    state = server.rested(id)
    assert (state["state"], state["stopped"]) == ("stopped", "memory")
    server.client.delete(f"/sessions/{id}")


def explore(*words, **options):
    """The command in a process of its own, a client with the token that it printed, and the
    address without it."""
    process = subprocess.Popen(
        [sys.executable, "-m", "zermelo", "explore", "--no-browser", *words],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT, **options)
    line = process.stdout.readline()
    assert line.startswith("zermelo explore: http://127.0.0.1:"), line + process.stderr.read()
    url, _, token = re.sub("[?&]token=", " ", line.split()[2]).partition(" ")
    base = "/".join(url.split("/")[:3])
    client = httpx.Client(base_url=f"{base}/api/v1", timeout=60,
                          headers={"Authorization": f"Bearer {token}"})
    return process, client, url


@pytest.mark.quick_cases("2")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_no_process_outlives_the_server(how):
    process, client, _ = explore()
    try:
        until(lambda: _is_served(client))
        id = client.post("/sessions", json=LONG).json()["id"]
        until(lambda: client.get(f"/sessions/{id}").json()["progress"])
        children = descendants(process.pid)
        assert len(children) >= 3  # host, desk, search
        process.send_signal(how)
        status = process.wait(20)
        assert status == (0 if how == signal.SIGINT else -how)
        until(lambda: not any(map(alive, children)), 5)
    finally:
        process.kill()
        process.communicate()


@pytest.mark.long
def test_a_free_port_is_taken_and_the_board_opened():
    process, client, url = explore("examples/chomp.py:Chomp", "4x3", "--port", "0")
    try:
        assert url.endswith("/board?game=examples%2Fchomp.py%3AChomp&position=4x3")
        until(lambda: _is_served(client))
        place = {"game": "examples/chomp.py:Chomp", "position": "4x3"}
        board = client.post("/board", json={"place": place}).json()
        assert board["place"]["game"] == "examples/chomp.py:Chomp"
        assert board["svg"].startswith("<svg")
        assert client.get("/about").json()["own_game"] == place["game"]
        assert client.get("/games").json()[0]["own"] is True
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)


def test_the_token_is_wanted_on_this_machine_and_no_process_shows_it():
    process, client, url = explore("--port", "0")
    try:
        until(lambda: _is_served(client))
        assert httpx.get(url).status_code == 403
        token = client.headers["Authorization"].partition(" ")[2]
        entered = httpx.get(f"{url}?token={token}", follow_redirects=True)
        assert entered.status_code == 200
        assert token not in str(entered.url)
        for pid in [process.pid, *descendants(process.pid)]:
            for name in ("cmdline", "environ"):
                assert token.encode() not in Path(f"/proc/{pid}/{name}").read_bytes()
    finally:
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=20)


BROWSER = """import sys, pathlib, urllib.parse
path = pathlib.Path(urllib.parse.urlparse(sys.argv[1]).path)
print(path, oct(path.stat().st_mode & 0o777), file=open(sys.argv[0] + ".seen", "w"))
"""


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM])
def test_the_browser_is_shown_the_way_by_a_file_that_goes_away(how, tmp_path):
    browser = tmp_path / "browser"
    browser.write_text(f"#!{sys.executable}\n{BROWSER}")
    browser.chmod(0o755)
    seen = tmp_path / "browser.seen"
    process = subprocess.Popen(
        [sys.executable, "-m", "zermelo", "explore", "hex", "--port", "0"],
        stdout=subprocess.PIPE, text=True, env={**os.environ, "BROWSER": str(browser)})
    url = process.stdout.readline().split()[2]
    until(lambda: seen.exists() and seen.read_text().endswith("\n"))
    name, mode = seen.read_text().split()
    assert mode == "0o600"
    assert url.replace("&", "&amp;") in Path(name).read_text()
    process.send_signal(how)
    process.communicate(timeout=20)
    assert not Path(name).exists()


@pytest.mark.long
def test_who_watches_does_not_keep_the_server_from_stopping():
    process, client, _ = explore("--port", "0")
    until(lambda: _is_served(client))
    with client.stream("GET", "/events?sessions=1") as stream:
        lines = stream.iter_lines()
        assert next(lines).startswith("retry:")
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
        assert time.monotonic() - began < 15
        assert list(lines)[-1:] in ([], [""])  # the stream has come to its end
    out, err = process.communicate()
    assert (out, err) == ("", "")


def _is_served(client):
    try:
        return not client.get("/about").is_error
    except httpx.TransportError:
        return False
