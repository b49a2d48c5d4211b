"""Events: nothing is lost, whoever comes back; a slow watcher costs no memory."""

import asyncio
import json
import threading
import time

import httpx
import pytest
from command import until
from web import BEARER, LONG, SMALL, events_of, serving

from zermelo.explorer.sessions import KEPT_OTHERS, KEPT_PROGRESS, Events, Log

WON = {**SMALL, "moves": ["3", "1", "2", "1"]}


@pytest.fixture(scope="module")
def server():
    with serving() as running:
        yield running


def watching(server, sessions, **headers):
    """A stream of events."""
    url = f"{server.url}/api/v1/events?sessions={sessions}"
    return httpx.stream("GET", url, headers={**BEARER, **headers}, timeout=60)


def numbers(found):
    return [number for number, _, _ in found]


def test_a_watcher_sees_a_search_from_its_beginning_to_its_end(server):
    id = server.start(place=WON, search="pn", plain=True)
    with watching(server, id) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        found = events_of(stream, 1, ["result"])
    kinds = [kind for _, kind, _ in found]
    assert kinds[0] == "state"
    assert kinds[-1] == "result"
    assert found[-1][2]["result"]["value"] == "win"
    assert all(data["session"] == id for _, _, data in found)
    assert numbers(found) == sorted(set(numbers(found)))


def test_who_comes_back_has_missed_nothing(server):
    id = server.start(**LONG)
    with watching(server, id) as stream:
        before = events_of(stream, 3)
    last = before[-1][0]
    server.running(id)
    time.sleep(0.5)  # events come while nobody is there
    with watching(server, id, **{"Last-Event-ID": str(last)}) as stream:
        after = events_of(stream, 3)
    with watching(server, f"{id}&after={last}") as stream:
        assert numbers(events_of(stream, 3)) == numbers(after)
    server.stop(id)
    with watching(server, id) as stream:
        every = events_of(stream, 1, ["result"])
    assert numbers(before) + numbers(after) == numbers(every)[: len(before) + len(after)]
    server.client.delete(f"/sessions/{id}")


def test_two_watchers_see_the_same(server):
    id = server.start(**LONG)
    found = [None, None]

    def watch(which):
        with watching(server, id) as stream:
            found[which] = events_of(stream, 6)

    threads = [threading.Thread(target=watch, args=[which]) for which in (0, 1)]
    for thread in threads:
        thread.start()
    until(lambda: server.state(id)["watchers"] == 2)
    for thread in threads:
        thread.join(60)
    assert numbers(found[0]) == numbers(found[1])
    until(lambda: server.state(id)["watchers"] == 0)
    server.client.delete(f"/sessions/{id}")


def test_two_sessions_in_one_stream(server):
    ids = [server.start(place=WON, search="pn", plain=True) for _ in range(2)]
    for id in ids:
        server.rested(id)
    with watching(server, ",".join([*ids, "999"])) as stream:
        found = events_of(stream, 2, ["result"])
    assert {data["session"] for _, _, data in found} == set(ids)
    assert numbers(found) == sorted(numbers(found))


def test_more_than_can_be_served_are_refused(server, monkeypatch):
    monkeypatch.setattr("zermelo.explorer.api.MOST_WATCHERS", 0)
    assert "no more can" in server.get("/events", 429, sessions="1")


def test_of_progress_the_last_is_kept_and_of_the_rest_all():
    log, events = Log(), Events()
    for number in range(2 * KEPT_PROGRESS):
        events.add("1", "progress", {"nodes": number})
        events.add("1", "move", {"move": str(number)})
    log = events.logs["1"]
    assert len(log.progress) == KEPT_PROGRESS
    assert len(log.others) == 2 * KEPT_PROGRESS < KEPT_OTHERS
    assert log.dropped == 2 * KEPT_PROGRESS - 1
    found = events.after(["1"], 0)
    assert [event.number for event in found] == sorted(event.number for event in found)
    assert len(found) == 3 * KEPT_PROGRESS
    assert events.after(["1"], events.last) == []
    assert [event.number for event in events.after(["1"], events.last - 2)] == [
        events.last - 1, events.last]


def test_who_has_missed_too_much_is_told_to_begin_anew():
    async def run():
        events = Events()
        for number in range(KEPT_PROGRESS + 10):
            events.add("1", "progress", {"nodes": number})
        late, early = events.stream(["1"], 3), events.stream(["1"], events.last - 1)
        told = [await anext(late), await anext(late)]
        assert told[1] == 'event: reset\ndata: {"session": "1"}\n\n'
        await anext(early)
        assert f"id: {events.last}\n" in await anext(early)
        events.forget("1")
        assert events.after(["1"], 0) == []

    asyncio.run(run())


def test_a_slow_watcher_costs_nothing_and_gets_what_is_kept():
    async def run():
        events = Events()
        slow = events.stream(["1"], None)
        await anext(slow)
        for number in range(10 * KEPT_PROGRESS):  # it does not read meanwhile
            events.add("1", "progress", {"nodes": number})
        events.add("1", "result", {"result": {}})
        assert len(events.logs["1"].progress) == KEPT_PROGRESS
        got = ""
        while "event: result" not in got:
            got += await anext(slow)
        assert got.count("event: progress") == KEPT_PROGRESS
        last = got.rstrip().rpartition("data: ")[2]
        assert json.loads(last) == {"session": "1", "result": {}}

    asyncio.run(run())


def test_a_stream_says_now_and_then_that_it_is_there(monkeypatch):
    async def run():
        stream = Events().stream([], None)
        await anext(stream)
        assert await anext(stream) == ": still here\n\n"

    monkeypatch.setattr("zermelo.explorer.sessions.KEEP_ALIVE", 0.01)
    asyncio.run(run())
