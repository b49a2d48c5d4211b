"""The API of the explorer with real processes behind it: boards, sessions, trees, proofs."""

import shlex

import pytest
from command import call, until
from web import GROWING, LONG, SMALL, serving

import zermelo

WON = {**SMALL, "position": "start", "moves": ["3", "1", "2", "1"]}  # 4 completes three


@pytest.fixture(scope="module")
def server():
    with serving(store="/nowhere/lab.sqlite") as running:
        yield running


def test_about(server):
    about = server.get("/about")
    assert about["version"] == zermelo.__version__
    assert about["own_game"] is None
    assert about["limits"]["sessions"] == 8


def test_games(server):
    games = {game["name"]: game for game in server.get("/games")}
    assert list(games) == zermelo.game_names()
    four = games["connect-four"]
    assert four["parameters"][0] == {"name": "columns", "default": 7, "help": "number of columns",
                                     "low": 1, "high": 16, "choices": []}
    assert four["start"] == {"game": "connect-four", "parameters": {}, "position": "start",
                             "moves": []}
    assert four["aliases"] == ["connect4", "connectfour", "c4"]
    for game in games.values():
        assert game["picture"].startswith("<svg")
        assert not game["own"]


def test_searches(server):
    searches = {search["id"]: search for search in server.get("/searches")}
    assert list(searches) == list(zermelo.SEARCHES)
    assert searches["pn"]["tree"] == "tree"
    assert searches["df-pn"]["tree"] == "table"
    assert [id for id, one in searches.items() if one["replay"]] == [
        id for id, kind in zermelo.SEARCHES.items() if kind.replays]
    tie = searches["pn"]["options"][-1]
    assert (tie["name"], tie["default"]) == ("tie", "left")
    assert "connect6" in searches["vcdt"]["default_for"]


def test_famous_positions(server):
    for each in server.get("/famous"):
        assert each["picture"].startswith("<svg")
        assert each["place"]["game"] in zermelo.game_names()


def test_recognise(server):
    found = server.post("/recognise", {"text": "44444"})
    assert found["readings"][0]["place"]["game"] == "connect-four"
    assert found["readings"][0]["record"]
    small = server.post("/recognise", {"text": "3 1 2", **SMALL})
    assert small["readings"][0]["place"] == {**SMALL, "position": "start", "moves": ["3", "1", "2"]}
    assert server.post("/recognise", {"text": "?"})["refused"]
    assert "text" in server.post("/recognise", {"text": 5}, 400)


def test_the_lab_without_results(server):
    names = [row["name"] for row in server.get("/lab")]
    assert "connect-four-searches" in names
    assert "not a whole number" in server.get("/lab/deep-pn-tie/jobs", 400, offset="x")
    assert "no store" in server.get("/lab/deep-pn-tie", 400)
    server.get("/lab/..%2f..%2fetc", 404)


def test_board(server):
    board = server.post("/board", {"place": WON})
    assert board["place"] == {**SMALL, "position": "start", "moves": ["3", "1", "2", "1"]}
    assert board["to_move"] == "X"
    assert [move["move"] for move in board["moves"]] == ["1", "2", "3", "4", "5"]
    assert 'data-move="4"' in board["svg"]
    assert board["played"][0] == {"move": "3", "player": 0}
    over = server.post("/board", {"place": {**WON, "moves": [*WON["moves"], "4"]}})
    assert (over["outcome"], over["moves"]) == ("first", [])
    line = server.post("/board", {"place": WON, "line": ["4"]})
    assert line["place"] == board["place"]
    assert line["svg"] != board["svg"]


def test_edit(server):
    start = {**SMALL, "position": "start"}
    edited = server.post("/edit", {"place": start, "square": "c1", "mark": "X"})
    assert edited["place"]["moves"] == []
    assert edited["text"].count("X") >= 1
    assert "there is no square" in server.post("/edit", {"place": start, "square": "z9",
                                                         "mark": "X"}, 400)


@pytest.mark.parametrize(("place", "said"), [
    ({"game": "chess"}, "there is no game 'chess'"),
    (None, "game is missing; it is a text"),
    ({"game": "/etc/passwd"}, "named when the server is started"),
    ({"game": "hex", "parameters": {"size": 99}}, "out of range"),
    ({"game": "hex", "position": 5}, "a position is a text"),
    ({"game": "hex", "moves": ["a1", "a1"]}, "a1"),
])
def test_a_place_that_is_none(server, place, said):
    assert said in server.post("/board", {"place": place}, 400)


def test_solve(server):
    told = server.post("/sessions", {"place": WON, "search": "pn", "plain": True, "seed": 3})
    state = server.rested(told["id"])
    assert (state["state"], state["kind"], state["search"]) == ("done", "solve", "pn")
    result = state["result"]
    assert (result["value"], result["proved"], result["move"]) == ("win", True, "4")
    assert state["place"]["moves"] == WON["moves"]
    assert state["progress"]["root"] == {"pn": 0, "dn": "inf"}
    status, output = call(*shlex.split(told["command"])[1:], "--quiet")[:2]
    assert status == 0
    assert "X wins: proved" in output
    assert any(session["id"] == told["id"] for session in server.get("/sessions"))


def test_the_command_says_it_all(server):
    order = {"place": SMALL, "search": "df-pn", "options": {"epsilon": 0.5}, "goal": "win",
             "seed": 2, "plain": True, "threads": 2, "limits": {"nodes": "2k", "memory": "64MB"}}
    told = server.post("/sessions", order)
    assert told["command"] == (
        "zermelo solve connect-four start -g columns=5 -g rows=4 -g line=3 -s df-pn -p epsilon=0.5 "
        "--goal win --seed 2 --plain --nodes 2k --memory 64MB --threads 2")
    server.rested(told["id"])


@pytest.mark.parametrize(("order", "said"), [
    ({"kind": "dance"}, "kinds: solve"), ({"path": "/etc/passwd"}, "no 'path'"),
    ({"limits": {"nodes": 0}}, "nodes"),
    ({"limits": {"memory": "900000GB"}}, "more than half of what is free"),
    ({"kind": "values", "threads": 2}, "values takes no 'threads'"),
])
def test_an_order_that_is_none(server, order, said):
    assert said in server.post("/sessions", {"place": SMALL, **order}, 400)


def test_candidates_may_have_options(server):
    place = {"game": "tic-tac-toe"}
    told = server.post("/sessions", {"place": place, "candidates": {"width": 4}, "goal": "win",
                                     "limits": {"nodes": 10}})
    assert "--zones width=4" in told["command"]
    server.get(f"/sessions/{told['id']}")
    assert server.client.delete(f"/sessions/{told['id']}").status_code == 200


def test_stop_and_go_on_lose_nothing(server):
    id = server.start(**LONG)
    server.running(id)
    assert server.stop(id) == {"state": "stopped"}
    state = server.state(id)
    assert state["stopped"] == "interrupted"
    nodes = state["result"]["nodes"]
    assert nodes > 0
    assert server.stop(id) == {"state": "stopped"}  # once more does no harm
    more = nodes + 100_000
    told = server.post(f"/sessions/{id}/continue", {"limits": {"nodes": more}})
    assert told == {"state": "running"}
    state = server.rested(id)
    assert state["stopped"] == "nodes"
    assert state["result"]["nodes"] >= more
    assert state["samples"][-1]["nodes"] >= more
    server.client.delete(f"/sessions/{id}")


def test_a_tree_while_it_grows(server):
    id = server.start(**GROWING, limits={"memory": "1GB"})
    server.running(id)
    root = server.post(f"/sessions/{id}/tree", {"path": []})
    assert (root["node"]["kind"], root["node"]["children"]) == ("or", 7)
    best = next(child for child in root["children"] if child["best"])
    below = server.post(f"/sessions/{id}/tree", {"path": [best["move"]], "count": 3})
    assert below["node"]["kind"] == "and"
    assert len(below["children"]) == 3
    assert below["more"] == 4
    assert "99" in server.post(f"/sessions/{id}/tree", {"path": ["99"]}, 400)
    assert "path" in server.post(f"/sessions/{id}/tree", {"path": 5}, 400)
    assert "running already" in server.post(f"/sessions/{id}/continue", {}, 409)
    assert "running" in server.post(f"/sessions/{id}/proof", {}, 409)
    server.client.delete(f"/sessions/{id}")
    assert "no session" in server.get(f"/sessions/{id}", 404)
    assert "no session" in server.post(f"/sessions/{id}/tree", {}, 404)


def test_a_proof_is_written_checked_downloaded_and_checked_again(server):
    id = server.start(place=WON, search="weak-df-pn")
    server.rested(id)
    assert "has been written" in server.get(f"/sessions/{id}/proof", 404)
    told = server.post(f"/sessions/{id}/proof")
    assert told["verified"]
    assert told["longest"] == 1
    assert told["file"] == f"/api/v1/sessions/{id}/proof"
    assert server.post(f"/sessions/{id}/proof") == told  # it is there
    file = server.client.get(f"/sessions/{id}/proof")
    assert file.headers["content-disposition"] == f'attachment; filename="connect-four-{id}.proof"'
    assert len(file.content) == told["bytes"]
    sent = server.client.post("/certificates", content=file.content,
                              headers={"content-type": "application/octet-stream"}).json()
    assert (sent["game"], sent["claims"]) == ("connect-four", ["X wins"])
    assert sent["digest"] == told["digest"]
    state = server.rested(sent["session"])
    badge = state["result"]
    assert (badge["verdict"], badge["longest"], badge["error"]) == ("verified", 1, None)
    assert badge["positions"] == told["positions"]
    again = server.start(kind="verify", certificate=sent["id"])
    assert server.rested(again)["result"]["digest"] == told["digest"]


def test_a_damaged_certificate_is_refused(server):
    id = server.start(place=WON, search="weak-df-pn")
    server.rested(id)
    server.post(f"/sessions/{id}/proof")
    content = bytearray(server.client.get(f"/sessions/{id}/proof").content)
    headers = {"content-type": "application/octet-stream"}

    def send(what):
        answer = server.client.post("/certificates", content=bytes(what), headers=headers)
        assert answer.status_code == 400
        return answer.json()["error"]

    content[-40] ^= 1
    assert "damaged" in send(content)
    assert "not a certificate" in send(b"nonsense")
    assert "not a certificate" in send(b"")
    assert "no certificate '999'" in server.post("/sessions", {"kind": "verify",
                                                               "certificate": "999"}, 404)


def test_nothing_proved_nothing_to_write(server):
    id = server.start(**GROWING, limits={"nodes": 1000})
    server.rested(id)
    assert "no proof to write" in server.post(f"/sessions/{id}/proof", {}, 400)
    server.client.delete(f"/sessions/{id}")


def test_annotate(server):
    id = server.start(kind="annotate", **SMALL, record="3 1 2 1 5 4")
    state = server.rested(id)
    assert state["state"] == "done"
    assert [step["ply"] for step in state["steps"]] == list(range(7))
    assert state["record"]["moves"] == ["3", "1", "2", "1", "5", "4"]
    assert state["result"]["positions"] == state["steps"]
    missed = state["steps"][4]
    assert (missed["value"], missed["kept"], missed["best"]) == ("win", False, ["1", "4"])
    assert "no answer to 'tree'" in server.post(f"/sessions/{id}/tree", {}, 400)


def test_annotate_goes_on_with_what_is_open(server):
    id = server.start(kind="annotate", game="connect-four", record="4", search="pn", plain=True,
                      limits={"nodes": 1000})
    state = server.rested(id)
    assert (state["state"], state["stopped"]) == ("stopped", "nodes")
    before = state["result"]["nodes"]
    server.post(f"/sessions/{id}/continue", {"limits": {"nodes": 20_000}})
    state = server.rested(id)
    assert state["result"]["nodes"] > before
    server.client.delete(f"/sessions/{id}")


def test_progress(server):
    id = server.start(kind="progress", game="connect-four",
                      parameters={"columns": 5, "rows": 4, "line": 3}, record="3 3 2", depth=3,
                      T=[1, "win"])
    state = server.rested(id)
    assert state["state"] == "done", state["error"]
    assert state["command"].endswith("--depth 3 -T 1 -T win")
    assert [step["ply"] for step in state["steps"]] == [0, 1, 2, 3]
    assert state["result"]["steps"] == state["steps"]
    assert "depth" in server.post("/sessions", {"kind": "progress", **SMALL, "record": "3",
                                                "depth": 99}, 400)


def test_a_session_without_its_process_can_go_on(server):
    id = server.start(place=WON, search="pn", plain=True)
    server.rested(id)
    session = server.sessions.known[id]
    child = session.child
    server.sessions._drop_process(session)
    until(lambda: child.ended.done())
    assert "no process any more" in server.post(f"/sessions/{id}/tree", {}, 409)
    assert server.state(id)["result"]["value"] == "win"  # what was found is kept
    assert server.post(f"/sessions/{id}/continue")["state"] == "waiting"
    assert server.rested(id)["state"] == "done"
    assert server.post(f"/sessions/{id}/tree")["node"]["status"] == "won"


def test_events_want_numbers(server):
    assert "not the number of an event" in server.get("/events", 400, after="x")
    assert "too many to watch" in server.get("/events", 400, sessions="1," * 65)
