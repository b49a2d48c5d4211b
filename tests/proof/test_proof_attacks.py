"""Certificates made to harm whoever checks them: code, memory, time, odd headers, leftovers."""

import json
import os
import random
import tracemalloc
import zlib
from pathlib import Path

import numpy as np
import pytest
from certificates import digested, taken_apart, write
from command import call
from fifos import pipe
from forged_zones import header_of, zones_file

import zermelo
from zermelo.cli.certificates import as_text
from zermelo.errors import ZermeloError
from zermelo.games.registry import BUILT_IN, game_class
from zermelo.proof import SEARCH, CertificateWriter, Claim, verify
from zermelo.proof.budget import CheckBudget, Exceeded
from zermelo.proof.header import DEFAULTS
from zermelo.proof.read import Certificate
from zermelo.proof.rules import rules_for

FIVE = {"columns": 5, "rows": 5, "line": 4, "stones": 1, "first": 1, "overline": "wins"}


@pytest.mark.parametrize("name", ["evil.py", "./evil.py", "evil.py:Game"])
@pytest.mark.parametrize("command", ["verify", "show"])
def test_no_code_is_run_that_a_certificate_names(tmp_path, monkeypatch, name, command):
    monkeypatch.chdir(tmp_path)
    Path("evil.py").write_text('open("PWNED", "w").write("x")\n')
    header = header_of({}, "start", 0, wins=1, game=name)
    for built_in in (True, False):
        for kind in ("zones", "records"):
            given = {**header, "built_in": built_in}
            if kind == "records":
                given = {**{k: v for k, v in given.items() if k not in ("wins", "bytes")},
                         "kind": kind, "folded": False, "search": 10, "block": 1,
                         "layout": {"kind": "board", "bits": 9, "squares": "0x1ff"},
                         "claims": [{"player": "first", "name": "X", "claim": "wins",
                                     "ranked": False, "records": 0}]}
            head = b"zermelo certificate 2\n" + json.dumps(given).encode() + b"\n\n"
            Path("evil.proof").write_bytes(digested(head) if kind == "records" else zones_file(
                given, [{"win": 0}, [[0]]]))
            done = call(command, "evil.proof", *(("--moves", "") if command == "show" else ()))
            assert done.status in (1, 2)
            assert "evil.py" in done.out + done.err
    Path("evil.proof").write_text(
        'zermelo zones 1\n{"game":"evil.py","parameters":{},"position":"start","winner":0,'
        '"zones":{},"nodes":1}\n{"turn":[0],"then":null}\n')
    assert call(command, "evil.proof").status == 2
    assert not Path("PWNED").exists()


def test_what_the_rules_are_is_said(tmp_path):
    game, path = zermelo.game("tic-tac-toe", line=2), tmp_path / "t.proof"
    write(path, game.start(), [Claim(0)])
    said = call("verify", str(path)).out
    assert "tic-tac-toe line=2: .../.../... X\nX wins: verified" in said
    report = verify(path)
    assert (report.game, report.changed, report.position) == (
        "tic-tac-toe", {"line": 2}, ".../.../... X")
    assert report.parameters == dict(game.values)
    told = json.loads(call("verify", str(path), "--json").out)
    assert (told["game"], told["changed"], told["parameters"]["line"]) == (
        "tic-tac-toe", {"line": 2}, 2)
    assert call("show", str(path), "--moves", "").out.startswith("tic-tac-toe line=2: ")
    shown = json.loads(call("show", str(path), "--moves", "", "--json").out)
    assert shown["changed"] == {"line": 2}
    dot = call("show", str(path), "--export", "-", "--format", "dot").out
    assert dot.startswith("// tic-tac-toe line=2: X wins")


def test_defaults_are_those_of_the_games():
    assert list(DEFAULTS) == list(BUILT_IN)
    for name, usual in DEFAULTS.items():
        parameters = game_class(name).parameters
        assert usual == {key: parameter.default for key, parameter in parameters.items()
                         if key != "playouts"}  # which no certificate states


@pytest.mark.parametrize(("game", "parameters", "text"), [
    ("k-in-a-row", {"columns": 8, "rows": 2, "line": 3}, "X.../O.../..../.... X"),
    ("hex", {"size": 4}, "X......./O....... X")])
def test_rows_of_another_length_are_refused(tmp_path, game, parameters, text):
    path = tmp_path / "rows.proof"
    with CertificateWriter(path, zermelo.game(game, **parameters).start(), [Claim(0)]):
        pass
    parts = taken_apart(path.read_bytes())
    parts.header["position"] = text
    path.write_bytes(parts.joined())
    assert "rows of" in verify(path).reason


def bomb(tmp_path, records=20_000_000):
    """A small file that says it has many records, all alike."""
    path = tmp_path / "bomb.proof"
    game = zermelo.game("connect-four")
    with CertificateWriter(path, game.start(), [Claim(0)]):
        pass
    header = {**taken_apart(path.read_bytes()).header, "block": 1 << 20}
    header["claims"][0]["records"] = records
    sizes, blocks = [], []
    for at in range(0, records, 1 << 20):
        blocks.append(zlib.compress(bytes(14 * min(1 << 20, records - at)), 9))
        sizes.append(len(blocks[-1]).to_bytes(4, "little"))
    path.write_bytes(digested(b"zermelo certificate 2\n" + json.dumps(header).encode() + b"\n\n"
                              + b"".join(sizes) + b"".join(blocks)))
    return path


def test_memory_is_looked_at_before_it_is_taken(tmp_path):
    path = bomb(tmp_path)
    assert path.stat().st_size < 400_000
    done = call("verify", str(path), "--memory", "500MB", "--json")
    told = json.loads(done.out)
    assert (done.status, told["verdict"], told["stopped"]) == (10, "undecided", "memory")
    assert told["reason"] == ("the check needs about 1,760 MB of memory or more, and 500 MB are "
                              "allowed")
    assert call("verify", str(path), "--memory", "500MB").out == (
        f"connect-four: {told['position']}\nundecided: {told['reason']}.\n")
    zones = {**header_of(FIVE, "...../...../...../...../..... X", 0), "bytes": 0}
    path.write_bytes(zones_file(zones, [], b"[" * 30_000_000 + b"\n"))
    assert path.stat().st_size < 100_000
    report = verify(path, memory=100_000_000)
    assert (report.verdict, report.stopped, report.verified) == ("undecided", "memory", False)
    content = path.read_bytes()[:-32].replace(b'"bytes": 30000001', b'"bytes": 99')
    path.write_bytes(digested(content))
    assert verify(path).reason == "its body can't be unpacked to 99 bytes"


def test_tables_of_symmetries_are_counted(tmp_path):
    path = tmp_path / "board.proof"
    game = zermelo.game("k-in-a-row", columns=26, rows=26, line=5)
    with CertificateWriter(path, game.start(), [Claim(1, wins=False)]):
        pass
    report = verify(path, memory=10_000_000)
    assert (report.verdict, report.stopped) == ("undecided", "memory")
    assert report.reason.startswith("the check needs about 19 MB of memory")
    tracemalloc.start()
    rules = rules_for(Certificate(path).header, "naive", None)
    before = tracemalloc.get_traced_memory()[0]
    assert rules.images
    taken = tracemalloc.get_traced_memory()[0] - before
    tracemalloc.stop()
    assert 0.6 < taken / rules.table_bytes < 1


@pytest.mark.parametrize("name", ["connect-four", "lines-of-action"])
def test_searches_are_bounded(tmp_path, name):
    """One record that leaves everything to the checker."""
    path, game = tmp_path / "search.proof", zermelo.game(name)
    start = game.start()
    with CertificateWriter(path, start, [Claim(0)], search=10_000_000) as writer:
        ranks = np.array([5]) if writer.ranked[0] else None
        writer.add(0, start.canonical().state, np.array([SEARCH]), ranks)
    assert path.stat().st_size < 1_000
    report = verify(path, memory=3_000_000)
    assert (report.verdict, report.stopped, report.exit_status) == ("undecided", "memory", 10)
    report = verify(path, time=0.05)
    assert (report.verdict, report.stopped) == ("undecided", "time")
    assert report.reason == "the check is not finished after 0.05 s"
    assert report.seconds < 30


def test_walks_are_bounded(tmp_path):
    path, start = tmp_path / "search.proof", zermelo.game("connect-four").start()
    with CertificateWriter(path, start, [Claim(0)], search=10_000_000) as writer:
        writer.add(0, start.canonical().state, np.array([SEARCH]))
    done = call("show", str(path), "--moves", "", "--time", "0.05")
    assert (done.status, done.out) == (10, "undecided: the check is not finished after 0.05 s.\n")
    done = call("show", str(path), "--moves", "", "--memory", "3MB")
    assert done.status == 10
    assert done.out.startswith("undecided: the check needs about 3,0")
    done = call("show", str(path), "--time", "soon")
    assert done.status == 2
    assert "the limit time='soon' is not valid" in done.err


def test_limits_that_are_none(tmp_path):
    for wrong in ({"memory": 0}, {"time": -1}, {"memory": "1GB"}, {"time": float("nan")}):
        with pytest.raises(zermelo.BadOption, match="is not a positive number"):
            verify(tmp_path / "none", **wrong)
    assert "the limit memory='much' is not valid" in call(
        "verify", "x", "--memory", "much").err
    budget = CheckBudget(1_000)
    budget.hold(600)
    assert budget.shared(2).memory == 800
    with pytest.raises(Exceeded, match="1,100 bytes of memory or more, and 1,000 bytes"):
        budget.hold(500)


ODD = (None, True, 0, -1, 10**30, 1.5, "", "x", "\u0130", [], [[]], {}, {"x": []}, [0] * 5)


def headers(tmp_path):
    """A certificate of every game, and one of zones."""
    for name in BUILT_IN:
        path = tmp_path / f"{name}.proof"
        with CertificateWriter(path, zermelo.game(name).start(), [Claim(0)]):
            pass
        yield json.loads(path.read_bytes().split(b"\n", 1)[1].split(b"\n\n")[0])
    yield header_of(FIVE, "...../...../...../...../..... X", 0, 1, 1)


def test_odd_headers_are_a_sentence(tmp_path):
    path, rng, tried = tmp_path / "odd.proof", random.Random(1), 0
    for header in list(headers(tmp_path)):
        places = [(header, name) for name in header]
        places += [(header[name], inner) for name in ("parameters", "layout", "players")
                   for inner in (range(len(header[name])) if name == "players" else header[name])
                   if name in header] if "layout" in header else [
            (header["parameters"], inner) for inner in header["parameters"]]
        places += [(header["claims"][0], name) for name in header["claims"][0]]
        for where, name in places:
            kept = where[name]
            for odd in rng.sample(ODD, 6):
                where[name] = odd
                path.write_bytes(zones_file(header, [{"win": 0}, [[0]]]))
                try:
                    report = verify(path, memory=100_000_000, time=20)
                    assert report.verdict in ("refused", "undecided")
                    assert report.reason
                    assert "\n" not in report.reason
                except ZermeloError:
                    pass
                tried += 1
            where[name] = kept
    assert tried > 800


def test_protected_that_is_a_list(tmp_path):
    path = tmp_path / "x.proof"
    with CertificateWriter(path, zermelo.game("xiangqi").start(), [Claim(0)]):
        pass
    parts = taken_apart(path.read_bytes())
    parts.header["parameters"]["protected"] = []
    path.write_bytes(parts.joined())
    assert verify(path).reason.startswith("no certificate can be about xiangqi with ")


def test_exhaustive_is_for_zones(tmp_path):
    path = tmp_path / "plain.proof"
    session = zermelo.start(zermelo.game("tic-tac-toe").parse("xx./oo./... X"))
    session.run()
    zermelo.write_proof(session, path)
    with pytest.raises(zermelo.BadOption, match="exhaustive is for certificates of zones"):
        zermelo.verify(path, exhaustive=True)


SPOOF = "\x1b[2K\rO wins: verified, 67 records\nsha256 00\x9b8m\u202e"


@pytest.mark.parametrize("changes", [
    {"position": f"5x5:{SPOOF}"}, {"position": f"5x5:{SPOOF}", "built_in": False},
    {"game": f"hex{SPOOF}"}, {"parameters": {"size": 5, f"x{SPOOF}": 1}},
    {"parameters": {"size": SPOOF}}, {"position": f"5x5:{SPOOF}", "game": "none"},
    {"position": "5x5:\n\nhex: verified\n"}])
def test_a_refused_file_can_not_print_lines_of_its_own(tmp_path, changes):
    path = tmp_path / "spoof.proof"
    path.write_bytes(zones_file({**header_of({"size": 5}, "5x5:", 1, game="hex"), **changes},
                                [{"stones": [], "pairs": []}]))
    done, walked = call("verify", str(path)), call("show", str(path), "--moves", "")
    assert (done.status, walked.status) == (1, 1)
    *about, verdict = done.out.splitlines()
    assert len(about) <= 1
    assert verdict.startswith("refused: ")
    for text in (done.out, walked.out, str(verify(path))):
        assert all(line.isprintable() for line in text.split("\n"))
    assert walked.out.startswith("refused: ")
    assert walked.out.count("\n") == 1


def test_long_texts_of_a_refused_file_are_cut(tmp_path):
    path = tmp_path / "long.proof"
    header = header_of({"size": 5}, "5x5:" + " a1" * 100_000, 1, game="hex")
    path.write_bytes(zones_file(header, [{"stones": [], "pairs": []}]))
    out = call("verify", str(path)).out
    assert len(out) < 1_000
    assert "a1 a1... (300,004 characters)\nrefused: " in out


def test_the_position_of_a_verified_game_of_the_user_is_whole_and_escaped(tmp_path):
    graph = zermelo.graph({"a\nb": ("or", ["c"]), "c": "win"})
    session = zermelo.start(graph.start())
    session.run()
    zermelo.write_proof(session, tmp_path / "g.proof")
    said = as_text(verify(tmp_path / "g.proof", game=graph))
    assert ": a\\nb\nor wins: verified" in said


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names")
def test_a_pipe_is_not_waited_for(tmp_path):
    path = tmp_path / "pipe"
    with pipe(path):
        for command in ("verify", "show"):
            done = call(command, str(path))
            assert (done.status, done.err) == (
                2, f"zermelo: can't read the file {str(path)!r}: it is not an ordinary file.\n")
    assert "Is a directory" in call("verify", str(tmp_path)).err
