"""JSON lines: many requests at once, in processes of their own."""

import io
import json
import os
import signal
import threading

import pytest
from engines import WAIT, Said

import zermelo
from zermelo.engine import LONGEST, TooLong
from zermelo.engine.jsonl import serve
from zermelo.solving.result import Limits

SMALL = {"game": "connect-four", "parameters": {"columns": 5, "rows": 4, "line": 3}}
LARGE = {"game": "connect-four"}


class Client:
    """Asks, and remembers what was said to each request."""

    def __init__(self, **options):
        self.said = Said()
        reader, self.writer = os.pipe()
        source = io.FileIO(reader)
        options = {"limits": Limits(memory=1 << 26), "workers": 2, **options}
        self.thread = threading.Thread(
            target=lambda: serve(source, self.said, **options), daemon=True)
        self.thread.start()
        self.heard = []

    def raw(self, text):
        data = text.encode()
        while data:
            data = data[os.write(self.writer, data):]

    def tell(self, id, ask="solve", **fields):
        self.raw(json.dumps({"id": id, "ask": ask, **fields}) + "\n")

    def until(self, fits):
        while True:
            line = json.loads(self.said.lines.get(timeout=WAIT))
            self.heard.append(line)
            if fits(line):
                return line

    def last(self, id):
        """The last line for a request."""
        for line in self.heard:
            if line["id"] == id and line.get("last"):
                return line
        return self.until(lambda line: line["id"] == id and line.get("last"))

    def ask(self, id, ask="solve", **fields):
        self.tell(id, ask, **fields)
        return self.last(id)

    def of(self, id, event):
        return [line for line in self.heard if line["id"] == id and line["event"] == event]

    def close(self):
        os.close(self.writer)
        self.thread.join(WAIT)
        assert not self.thread.is_alive()


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("certificates")


@pytest.fixture(scope="module")
def client(folder):
    found = Client(certificates=folder)
    yield found
    found.close()


def test_a_search_tells_its_way_and_its_result(client):
    assert client.ask("a", place=SMALL) == {
        "id": "a", "event": "state", "state": "done", "stopped": "solved", "last": True}
    result = client.of("a", "result")[0]["result"]
    same = zermelo.solve(zermelo.game("connect-four", columns=5, rows=4, line=3).start())
    expected = same.to_dict()
    for varying in ("seconds", "compile_seconds", "peak_bytes"):
        del result[varying], expected[varying]
    assert result == json.loads(json.dumps(expected))
    assert client.of("a", "state")[0]["state"] == "waiting"
    assert client.of("a", "progress")


def test_values_of_moves_come_one_by_one(client):
    client.ask("v", "values", place=SMALL, progress=False)
    moves = client.of("v", "move")
    assert {line["move"] for line in moves} == set("12345")
    assert client.of("v", "progress") == []
    assert client.of("v", "result")[0]["result"]["value"] == "win"


def test_many_at_once_and_one_is_stopped(client):
    for id in (1, 2, 3):  # two run, one waits
        client.tell(id, place=LARGE)
    client.tell("board", "board", place=SMALL)
    assert client.last("board")["answer"]["to_move"] == "X"
    client.until(lambda line: line["event"] == "progress")
    first = next(line["id"] for line in client.heard if line["event"] == "progress"
                 and line["id"] in (1, 2, 3))
    assert client.ask("s", "stop", session=first)["answer"] == {"stopped": [first]}
    assert client.last(first)["stopped"] == "interrupted"
    assert client.of(first, "result")[0]["result"]["value"] == "unknown"
    assert sorted(client.ask("all", "stop")["answer"]["stopped"]) == sorted({1, 2, 3} - {first})
    assert {client.last(id)["state"] for id in (1, 2, 3)} == {"stopped"}
    assert "is not the id of a search that is at work" in client.ask(
        "again", "stop", session=1)["error"]


def test_a_search_that_waits_can_be_stopped(client):
    for id in ("w1", "w2", "w3"):
        client.tell(id, place=LARGE)
    assert client.ask("s3", "stop", session="w3")["answer"] == {"stopped": ["w3"]}
    assert client.last("w3") == {"id": "w3", "event": "state", "state": "stopped",
                                 "stopped": "interrupted", "last": True}
    client.ask("rest", "stop")
    assert client.of("w3", "progress") == []
    client.last("w1")
    client.last("w2")


def test_a_search_that_is_kept(client, folder):
    client.ask("k", place=SMALL, search="pn", keep=True)
    branch = client.ask("t", "tree", session="k", path=[])["answer"]
    assert branch["node"]["status"] == "won"
    proof = client.ask("p", "proof", session="k", path="one.proof")["answer"]
    assert proof["verified"]
    assert zermelo.verify(folder / "one.proof").verdict == "verified"
    for number, path in enumerate(("one.proof", str(folder / "one.proof"))):
        assert client.ask(f"c{number}", "verify", path=path)["state"] == "done"
    client.tell("k", place=SMALL)
    assert "belongs to another request" in client.until(lambda line: line["id"] == "k")["error"]
    assert client.ask("f", "forget", session="k")["answer"] == {}
    assert "is not the id of a search that has ended" in client.ask(
        "t2", "tree", session="k")["error"]


def test_a_search_goes_on(client):
    client.ask("g", place=LARGE, limits={"nodes": 1000}, keep=True)
    first = client.of("g", "result")[0]["result"]
    assert first["stopped"] == "nodes"
    assert client.ask("h", "continue", session="g", limits={"nodes": 5000})["stopped"] == "nodes"
    second = client.of("h", "result")[0]["result"]
    assert second["nodes"] >= 5000 > first["nodes"]
    assert "is not the id" in client.ask("i", "continue", session="g")["error"]


def test_a_record_is_annotated(client):
    last = client.ask("n", "annotate", game="connect-four", parameters=SMALL["parameters"],
                      record="33")
    assert [line["ply"] for line in client.of("n", "step")], last
    assert client.of("n", "result")


def test_questions(client):
    for number in range(300):  # they wait for each other
        client.tell(f"b{number}", "board", place=SMALL)
    assert {client.last(f"b{number}")["event"] for number in range(300)} == {"answer"}
    assert client.ask("q1", "about")["answer"]["version"] == zermelo.__version__
    assert len(client.ask("q2", "games")["answer"]) == 10
    assert client.ask("q3", "recognise", text="444")["answer"]["readings"]
    assert client.ask("q4", "edit", place=SMALL, clear=True)["event"] == "answer"


@pytest.mark.parametrize(("fields", "said"), [
    ({"ask": "sovle"}, "ask='sovle' (did you mean solve?) is not one of solve"),
    ({"ask": 3}, "ask='3' is not a text"), ({"place": {"game": "chess"}}, "no game 'chess'"),
    ({"place": SMALL, "depth": 3}, "solve takes no 'depth'"), ({"place": 3}, "place='3'"),
    ({"ask": "board", "places": 1}, "board takes no 'places'; it takes place, line"),
    ({"ask": "about", "x": 1}, "about takes no 'x'; it takes nothing"),
    ({"place": SMALL, "limits": {"memory": "900000GB"}}, "is more than half of what is free"),
    ({"place": SMALL, "search": "x"}, "'x'"), ({"ask": "proof", "session": 0}, "is not the id of"),
    ({}, "game is missing; it is a text"), ({"place": {"game": 3}}, "game='3' is not a text"),
    ({"place": {"game": "my.py:Game"}}, "there is no game 'my.py:Game' here"),
    ({"ask": "verify", "certificate": "x"}, "path is missing; it is a text"),
    ({"ask": "verify", "path": ["x"]}, "path=\"['x']\" is not a text"),
    ({"ask": "tree", "session": [1]}, "session='[1]' is not the id of a search"),
    ({"ask": "continue", "session": {}}, "session='{}' is not the id of a search"),
    ({"ask": "forget", "session": None}, "session='None' is not the id of a search"),
])
def test_what_is_wrong_is_an_object_with_a_sentence(client, fields, said):
    id = f"wrong {said}"
    client.raw(json.dumps({"id": id, **fields}) + "\n")
    line = client.last(id)
    assert line["event"] == "error"
    assert said in line["error"]
    assert line["error"].endswith(".")


def test_lines_that_are_no_requests(client):
    for text, said in (("nonsense", "'nonsense' is not JSON"), ("[1]", "is not an object"),
                       ('{"id": {}}', "is neither a text nor a whole number"),
                       ("[" * 100_000, "is not JSON"), ("x" * (LONGEST + 1), TooLong.sentence)):
        client.raw(f"\n{text}\n")
        assert said in client.until(lambda line: line["id"] is None)["error"]


def test_a_path_is_needed_for_a_proof(client):
    client.ask("np", place=SMALL, search="pn", keep=True)
    assert "path='None' is not the name of a file" in client.ask(
        "np2", "proof", session="np")["error"]


def test_requests_name_files_below_the_directory_only(client, folder, tmp_path):
    (folder / "away").symlink_to(tmp_path)
    (tmp_path / "x.proof").write_text("not yours")
    for number, path in enumerate(("../x.proof", str(tmp_path / "x.proof"), "away/x.proof", ".", "",
                                   "a/../../x", "/dev/zero", "\0")):
        for ask in ("verify", "proof"):
            client.ask(f"{ask}{number}k", place=SMALL, search="pn", keep=True)
            fields = {"path": path, **({"session": f"{ask}{number}k"} if ask == "proof" else {})}
            assert "is not a file below the directory of certificates" in client.ask(
                f"{ask}{number}", ask, **fields)["error"]
    assert (tmp_path / "x.proof").read_text() == "not yours"


def test_without_a_directory_no_request_names_a_file(tmp_path):
    client = Client(workers=1)
    client.ask("k", place=SMALL, search="pn", keep=True)
    for ask, fields in (("verify", {}), ("proof", {"session": "k"}),
                        ("solve", {"place": SMALL, "search": "rps",
                                   "options": {"probabilities": str(tmp_path)}})):
        path = {} if ask == "solve" else {"path": str(tmp_path / "one.proof")}
        assert "no request names a file" in client.ask(ask, ask, **fields, **path)["error"]
    assert list(tmp_path.iterdir()) == []
    client.close()


def test_the_end_of_input_lets_searches_come_to_their_end():
    client = Client(workers=1)
    client.tell(1, place=SMALL)
    client.tell(2, place=SMALL)
    client.close()
    assert client.last(1)["state"] == client.last(2)["state"] == "done"


def test_nobody_reads_any_more():
    reader, writer = os.pipe()
    source, target = os.pipe()
    with os.fdopen(writer, "w") as stream, open(source, "rb", buffering=0) as lines:
        thread = threading.Thread(target=lambda: serve(lines, stream, workers=1), daemon=True)
        thread.start()
        os.write(target, json.dumps({"id": 1, "place": LARGE}).encode() + b"\n")
        assert os.read(reader, 10)
        os.close(reader)
        thread.join(WAIT)
        assert not thread.is_alive()
    os.close(target)


def test_a_signal_ends_it_in_good_order():
    said, (reader, writer) = Said(), os.pipe()
    os.write(writer, json.dumps({"id": 1, "place": LARGE}).encode() + b"\n")

    def interrupt():
        said.lines.get(timeout=WAIT)
        os.kill(os.getpid(), signal.SIGTERM)

    threading.Thread(target=interrupt, daemon=True).start()
    with io.FileIO(reader) as source, pytest.raises(KeyboardInterrupt):
        serve(source, said, workers=1)
    os.close(writer)
