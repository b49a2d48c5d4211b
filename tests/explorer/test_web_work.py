"""What the processes of the explorer do, called in this one; and what the command refuses."""

import asyncio
import json
import os
import shlex
import signal
import socket
from pathlib import Path

import lab_files
import pytest
from command import call
from test_web_api import WON

import zermelo
from zermelo.cli.explore import _listen
from zermelo.errors import BadCertificate, BadOption, UnknownGame, ZermeloError
from zermelo.explorer import certificates, lab_work
from zermelo.explorer.position_ref import MOST_GAMES, Games, text_of, texts_of
from zermelo.explorer.processes import ChildEnded, Denied, HostProcess, NoProcess, QueryWorkers
from zermelo.explorer.query_worker import answer
from zermelo.explorer.session_kinds import KINDS, Talk, check, session_kind
from zermelo.explorer.sessions import Events, ServerLimits, Sessions, within
from zermelo.proof.budget import Exceeded
from zermelo.proof.header import Refused as Fails
from zermelo.workers.messages import plain

CHOMP = "examples/chomp.py:Chomp"


class Notes:
    """A channel whose other end is a list."""

    def __init__(self, *messages):
        self.messages, self.sent = list(messages), []

    def send(self, message):
        self.sent.append(json.loads(json.dumps(message, allow_nan=False)))

    def pending(self):
        while self.messages:
            yield self.messages.pop(0)

    def kinds(self):
        return [message.get("event") for message in self.sent]


def asked(ask, **fields):
    return answer(Games(), {"ask": ask, **fields})


def worked(order, *messages):
    """What a session says that does this order."""
    channel = Notes(*messages)
    talk = Talk(channel)
    work = session_kind(Games(), order)
    talk.answers.update(work.answers)
    talk.work(lambda: work.run(talk, zermelo.Limits(nodes=100_000, memory=30_000_000)))
    return channel, talk


@pytest.mark.parametrize(("place", "kind", "said"), [
    ({"game": 5}, BadOption, "not a text"),
    *(({"game": name}, UnknownGame, "named when the server is started") for name in (
        "x.py:Game", "./x.py", "open-spiel:efg_game(filename=x.efg)",
        "OPEN-SPIEL:nfg_game(filename=x)", "open-spiel:a(b=c(d=e))")),
    ({"game": "hex", "colour": 1}, BadOption, "a place has no 'colour'"),
    ({"game": "hex", "parameters": 5}, BadOption, "not an object"),
    ({"game": "hex", "moves": "a1"}, BadOption, "not a list of texts"),
    ({"game": "hex", "moves": [""] * 10_001}, BadOption, "at most 10,000"),
])
def test_a_place_that_is_none(place, kind, said):
    with pytest.raises(kind, match=said):
        Games().position(place)


def test_games_are_made_once_and_not_kept_for_ever():
    games = Games()
    first = games.get("p-game", {"seed": 1})
    assert games.get("p-game", {"seed": 1}) is first
    for seed in range(2, MOST_GAMES + 2):
        games.get("p-game", {"seed": seed})
    assert len(games.made) == MOST_GAMES
    assert games.get("p-game", {"seed": 1}) is not first


def test_a_game_of_the_users_own(monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[2])
    games = Games(CHOMP)
    position = games.position({"game": CHOMP, "position": "4x3"})
    assert games.place(position)["game"] == CHOMP
    assert games.place(games.get("hex").start())["game"] == "hex"
    assert games.names()[0] == CHOMP


@pytest.mark.parametrize(("order", "said"), [
    ({"kind": "dance"}, "kinds: solve"), ({"kind": ["solve"]}, "kinds: solve"),
    ({"kind": "solve", "colour": 1}, "takes no 'colour'"),
    ({"kind": "annotate", "game": "hex", "record": 5}, "record"),
    ({"kind": "solve", "limits": 5}, "limits="),
    ({"kind": "solve", "limits": {"x": 1}}, "no limit"),
    *(({"kind": "solve", "place": {"game": "connect-four"}, name: wrong}, said)
      for name, wrong, said in (
          ("search", "magic", "there is no search 'magic'"), ("search", 5, "there is no search"),
          ("options", 5, "not an object"), ("goal", "glory", "goal"), ("goal", 5, "goal"),
          ("seed", "x", "seed"), ("seed", -1, "seed"), ("threads", 0, "threads"),
          ("threads", "2", "threads"), ("limits", {"time": "x"}, "time"),
          ("candidates", True, "candidate"))),
    *(({**order, "place": {"game": "connect-four"}, "game": "connect-four", "record": "4",
        "search": search, "options": {"probabilities": path}},
       f"{search}: probabilities='{path}': no request names a file; it is game or none here")
      for order in ({"kind": "solve"}, {"kind": "values"}, {"kind": "annotate"})
      for search, path in (("rps", "/etc/hostname"), ("erps", "x.json"))),
])
def test_an_order_that_is_none(order, said):
    if "options" in order:
        takes = (*KINDS[order["kind"]].takes, "kind")
        order = {name: value for name, value in order.items() if name in takes}
    with pytest.raises(ZermeloError, match=said):
        session_kind(Games(), order)


def test_probabilities_that_are_no_file():
    for words in ({}, {"probabilities": "game"}, {"probabilities": "none"}):
        order = {"kind": "solve", "place": {"game": "connect-four"}, "search": "rps",
                 "options": words}
        assert check(Games(), {"order": order})["options"]["probabilities"] in ("game", "none")


def test_games_of_openspiel_are_named_without_texts():
    names = ("open-spiel:havannah", "open-spiel:breakthrough(rows=4,columns=3)",
             "open-spiel:x(a=true,b=-0.5)")
    assert [Games().check(name) for name in names] == list(names)


def test_limits_are_those_of_the_server_where_none_are_given():
    assert within(None, 60, 5_000_000) == {"nodes": None, "time": 60, "memory": 5_000_000}
    assert within({"time": "2m", "memory": "3MB"}, 60, None)["memory"] == 3_000_000
    assert within({}, 60, None)["memory"] > 1 << 20
    with pytest.raises(BadOption, match="more than half of what is free"):
        within({"memory": "900000GB"}, 60, None)
    with pytest.raises(BadOption, match="not a list"):
        texts_of({}, "path")
    with pytest.raises(BadOption, match=r"^game is missing; it is a text\.$"):
        text_of(None, "game")


def test_solve_in_its_process():
    channel, talk = worked({"kind": "solve", "place": WON, "search": "pn", "plain": True},
                           {"ask": "tree", "id": 5, "path": []}, {"ask": "dance", "id": 6})
    assert channel.sent[-2]["result"]["value"] == "win"
    assert channel.sent[-1] == {"event": "state", "state": "done", "stopped": "solved"}
    told = {message["id"]: message for message in channel.sent if "id" in message}
    assert told[5]["answer"]["node"]["kind"] == "or"
    assert told[6] == {"id": 6, "refused": "this session has no answer to 'dance'."}
    talk.reply({"ask": "stop", "id": 7})  # it rests already
    assert channel.sent[-1] == {"id": 7, "answer": True}


def test_a_stop_is_answered_when_the_work_rests():
    channel = Notes({"ask": "stop", "id": 9})
    talk = Talk(channel)

    def work():
        talk.receive({"ask": "stop"})
        talk.between()

    talk.work(work)
    assert [message.get("state") or message.get("id") for message in channel.sent] == ["stopped", 9]


@pytest.mark.parametrize(("error", "said"), [
    (MemoryError(), "ran out of memory"), (BadOption("so."), "so."), (ZeroDivisionError("x"),
    "ZeroDivisionError: x.")])
def test_work_that_fails_says_so(error, said, capsys):
    def work():
        raise error

    channel = Notes()
    talk = Talk(channel)
    talk.answers["fail"] = lambda message: work()
    talk.work(work)
    assert channel.sent[-1]["state"] == "failed"
    assert said in channel.sent[-1]["error"]
    if not isinstance(error, MemoryError):
        talk.reply({"ask": "fail", "id": 1})
        assert said in channel.sent[-1]["refused"]
    capsys.readouterr()


def test_values_in_their_process():
    channel, _ = worked({"kind": "values", "place": WON, "search": "weak-df-pn"})
    moves = {m["move"]: m["value"] for m in channel.sent if m.get("event") == "move"}
    assert moves == {"1": "win", "2": "loss", "3": "loss", "4": "win", "5": "loss"}
    assert channel.sent[-1]["state"] == "done"


def test_records_in_their_process():
    small = {key: WON[key] for key in ("game", "parameters")}
    channel, _ = worked({"kind": "annotate", **small, "record": "3 1 2 1 4"})
    assert channel.sent[-2]["result"]["positions"][-1]["value"] == "loss"
    channel, _ = worked({"kind": "progress", **small, "record": "3 1", "depth": 2, "T": 1})
    assert [m["ply"] for m in channel.sent if m.get("event") == "step"] == [0, 1, 2]
    assert channel.sent[-1]["state"] == "done"


def test_certificates_in_their_process(tmp_path):
    session = zermelo.start(Games().position(WON), "weak-df-pn")
    session.run()
    path = str(zermelo.write_proof(session, tmp_path / "a.proof").path)
    channel, _ = worked({"kind": "verify", "path": path})
    assert channel.sent[-2]["result"]["verdict"] == "verified"
    assert asked("certificate", path=path)["answer"]["claims"] == ["X wins"]
    node = asked("node", file=path, path=[])["answer"]
    assert (node["answer"]["move"], node["board"]["to_move"]) == ("4", "X")
    assert node["answer"]["words"] == "as the certificate has it"
    after = asked("node", file=path, path=["4"])["answer"]
    assert (after["node"]["outcome"], after["board"]["outcome"]) == ("first", "first")
    assert "not a move of the proof" in asked("node", file=path, path=["1"])["refused"]
    assert "claim" in asked("node", file=path, claim=2)["refused"]
    damaged = bytearray(Path(path).read_bytes())
    damaged[-40] ^= 1
    Path(path).write_bytes(damaged)
    with pytest.raises(BadCertificate, match="does not hold"):
        certificates.certificate(Games(), {"path": path})
    assert certificates.own_rules(None, path) is None
    Path(path).write_text("nonsense")
    with pytest.raises(BadCertificate, match="the file that was sent is not a certificate"):
        certificates.certificate(Games(), {"path": path})
    with pytest.raises(BadCertificate, match="too long to show: time"):
        certificates._reading(Path(path), lambda: _raise(Exceeded("time", "time")))
    with pytest.raises(BadCertificate, match="so it is"):
        certificates._reading(Path(path), lambda: _raise(Fails("so it is")))


def _raise(error):
    raise error


def test_what_goes_wrong_at_a_desk_is_a_sentence(monkeypatch, capsys):
    assert asked("replay", place=WON, steps=3, plain=True)["answer"]["frames"][0]["step"] == 0
    assert "can't be replayed" in asked("replay", place=WON, search="alpha-beta")["refused"]
    monkeypatch.setattr("zermelo.explorer.query_worker.board_view", lambda *rest: 1 / 0)
    assert asked("board", place=WON) == {
        "refused": "this failed: ZeroDivisionError: division by zero."}
    monkeypatch.setattr("zermelo.explorer.query_worker.board_view",
                        lambda *rest: _raise(RecursionError()))
    assert "nested" in asked("board", place=WON)["refused"]
    capsys.readouterr()


def test_numbers_that_json_has_not():
    inf = float("inf")
    assert plain({1: (inf, -inf, float("nan"), 1.5)}) == {"1": ["inf", "-inf", None, 1.5]}


def test_a_host_of_its_own(monkeypatch):
    async def run():
        host = HostProcess(None)
        queries = QueryWorkers(host)
        try:
            board = await queries.ask("board", place=WON)
            assert board["to_move"] == "X"
            child = queries.workers[0]
            os.kill(child.pid, signal.SIGSTOP)
            with pytest.raises(NoProcess, match="there was no answer within"):
                await queries.ask("board", 0.5, place=WON)
            with pytest.raises(ChildEnded, match="has ended"):
                child.tell({})
            busy = asyncio.create_task(queries.ask("games"))
            await asyncio.sleep(0)
            monkeypatch.setattr("zermelo.explorer.processes.BUSY_SECONDS", 0.0)
            assert (await queries.ask("board", place=WON))["mover"] == 0  # a second desk helps out
            await busy
            assert len(queries.workers) == 2
            lost = queries.workers[0]
            question = asyncio.create_task(lost.ask({"ask": "games"}, 60.0))
            await asyncio.sleep(0)
            os.kill(lost.pid, signal.SIGKILL)
            with pytest.raises(ChildEnded, match="killed"):
                await question
            await _begun_again(host, queries)
            await _renewed(queries)
            monkeypatch.setattr("zermelo.explorer.processes.MOST_WAITING", 0)
            with pytest.raises(Denied, match="too many questions"):
                await queries.ask("board", place=WON)
        finally:
            await host.close()
        with pytest.raises(NoProcess, match="is stopping"):
            await host.child({})

    asyncio.run(run())


async def _begun_again(host, queries):
    """Stopped and begun again before its process is there, a session has one all the same."""
    sessions = Sessions(host, queries, Events(), ServerLimits())
    session = await sessions.start({"kind": "solve", "place": WON})
    before, first = set(host.children), session.task
    async with host.lock:  # no process is made meanwhile
        await asyncio.sleep(0)
        await sessions.stop(session)
        await sessions.go_on(session, None)
    await asyncio.gather(first, session.task)
    assert session.child is not None
    async with asyncio.timeout(60):
        while set(host.children) - before != {session.child.pid}:
            await asyncio.sleep(0.01)
    sessions.forget(session)
    async with asyncio.timeout(60):
        while set(host.children) - before:
            await asyncio.sleep(0.01)


async def _renewed(queries):
    """New queries come in the place of old ones, of which one that is at work is done first."""
    await queries.renew()
    (desk,) = queries.workers
    os.kill(desk.pid, signal.SIGSTOP)
    at_work = asyncio.create_task(queries.ask("board", place=WON))
    while not desk.busy:
        await asyncio.sleep(0)
    await queries.renew()
    fresh = queries.workers[-1]
    assert queries.workers == [desk, fresh]
    os.kill(desk.pid, signal.SIGCONT)
    assert (await at_work)["mover"] == 0
    assert queries.workers == [fresh]


def test_a_host_that_does_not_start_is_a_sentence(monkeypatch):
    async def run():
        monkeypatch.setattr("zermelo.explorer.processes.MODULE", "zermelo.version")
        host = HostProcess(None)
        try:
            with pytest.raises(NoProcess, match="no process can be started"):
                await host.child({})
        finally:
            await host.close()

    asyncio.run(run())


@pytest.mark.parametrize(("words", "said"), [
    (["--port", "x"], "not a port"), (["--port", "70000"], "not a port"),
    (["--grace", "x"], "not a number of seconds"), (["--grace", "-1"], "not a number of seconds"),
    (["--host", "999.1.1.1"], "can't listen at '999.1.1.1'"),
    (["hex", "start", "-g", "size"], "not of the form name=value"),
])
def test_what_the_command_refuses(words, said):
    done = call("explore", "--no-browser", *words)
    assert done.status == 2
    assert said in done.err
    assert done.err.count("\n") == 1


def test_answers_are_sent_at_once():
    with _listen("127.0.0.1", "0") as listening:
        assert listening.proto == socket.IPPROTO_TCP  # else asyncio leaves Nagle's delay of 40 ms


def test_a_port_that_is_taken():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = call("explore", "--no-browser", "--port", str(port))
    assert (done.status, f"port {port}" in done.err) == (2, True)


def test_without_the_extra_the_command_says_what_to_install(monkeypatch):
    monkeypatch.setattr("zermelo.cli.explore.find_spec", lambda name: None)
    done = call("explore")
    assert done.status == 2
    assert "pip install 'zermelo[web]'" in done.err


@pytest.fixture
def lab(tmp_path, monkeypatch):
    """The lab's desk with one small experiment that has been run."""
    folder = lab_files.prepare(tmp_path, monkeypatch)
    lab_files.ran("small_trees.py")
    load = lab_work.experiment
    monkeypatch.setattr(lab_work, "experiment_names", lambda: ["small-trees"])
    monkeypatch.setattr(lab_work, "experiment", lambda name: load("small_trees.py"))
    lab_work._plan.cache_clear()
    store = str(folder / "lab.sqlite")

    def ask(what, **fields):
        return answer(Games(), {"ask": f"lab {what}", "store": store, "name": "small-trees",
                                "settings": 0, "offset": 0, "count": 100, **fields})

    yield ask
    lab_work._plan.cache_clear()


def test_the_lab(lab):
    (row,) = lab("experiments")["answer"]
    assert (row["jobs"], row["done"], row["running"], row["failed"]) == (18, 18, 0, 0)
    assert row["reports"] == ["as it is written"]
    one = lab("experiment")["answer"]
    assert one["tables"][0]["columns"][:2] == ["arm", "jobs"]
    assert [claim["text"] for claim in one["claims"]] == ["PN concludes all six", "PPN never errs"]
    assert [figure["file"] for figure in one["figures"]] == ["bars.svg", "cactus.svg"]
    assert one["complete"]
    assert lab("figure", file="bars.svg")["answer"].lstrip().startswith("<?xml")
    assert "no figure '../x'" in lab("figure", file="../x")["refused"]
    assert "from 0 to 0" in lab("experiment", settings=7)["refused"]
    assert "no experiment" in lab("experiment", name="none")["refused"]
    none = lab("experiments", store="/nowhere/lab.sqlite")["answer"]
    assert none[0]["jobs"] is None
    assert "no store" in lab("experiment", store="/nowhere/lab.sqlite")["refused"]


def test_the_jobs_of_the_lab(lab):
    every = lab("jobs")["answer"]
    assert every["total"] == len(every["rows"]) == 18
    ppn = lab("jobs", filter="ppn done", sort="-nodes", count=5)["answer"]
    assert (ppn["total"], len(ppn["rows"])) == (12, 5)
    nodes = [row["nodes"] for row in ppn["rows"]]
    assert nodes == sorted(nodes, reverse=True)
    assert "no such column" in lab("jobs", sort="colour")["refused"]
    assert lab("jobs", sort="value")["answer"]["total"] == 18
    row = lab("jobs", filter="pn", sort="nodes")["answer"]["rows"][0]
    done = call(*shlex.split(row["command"])[1:], "--json", "--quiet")
    assert json.loads(done.out)["nodes"] == row["nodes"]


def test_texts_of_a_game_of_the_users_own_come_first(monkeypatch):
    monkeypatch.chdir(Path(__file__).parents[2])
    games = Games(CHOMP)
    found = answer(games, {"ask": "recognise", "text": "4x3"})["answer"]
    assert found["readings"][0]["place"]["game"] == CHOMP
    one = answer(games, {"ask": "recognise", "text": "4x3", "game": CHOMP})["answer"]
    assert [reading["place"]["game"] for reading in one["readings"]] == [CHOMP]


def test_edits_are_texts():
    assert "square='True' is not a text" in asked("edit", place=WON, square=True)["refused"]
    cleared = asked("edit", place=WON, clear=True)["answer"]
    assert cleared["place"]["position"] == "start"
