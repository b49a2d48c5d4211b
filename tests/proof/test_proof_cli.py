"""``zermelo verify`` as it is called: what it prints, its status, and an interrupt."""

import os
import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from certificates import FOUR, taken_apart, write
from command import begin, call, loads

import zermelo
from zermelo.cli import certificates as command
from zermelo.cli.certificates import _said
from zermelo.proof import Claim
from zermelo.proof import workers as pools
from zermelo.proof.check import Checked
from zermelo.solving import certify

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """O wins, X to move."""
    path = tmp_path_factory.mktemp("proof") / "a.proof"
    write(path, zermelo.game("connect-four", **FOUR).parse(".........OX..XOX O"), [Claim(1)])
    return path


def test_verified(path):
    done = call("verify", str(path))
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[:4] == [". . . .", ". . . .", ". O X .", ". X O X"]
    assert lines[5] == "connect-four columns=4 rows=4: .........OX..XOX O"
    assert lines[6].startswith("O wins: verified, 82 records, longest line ")
    assert lines[7].endswith("rules: naive")
    assert lines[8] == f"sha256 {path.read_bytes()[-32:].hex()}"


def test_json(path):
    done = call("verify", str(path), "--json", "--workers", "2")
    found = loads(done.out)
    assert done.status == 0
    assert (found["verdict"], found["game"]) == ("verified", "connect-four")
    assert found["parameters"] == {**FOUR, "line": 4}
    assert [claim["claim"] for claim in found["claims"]] == ["O wins"]
    assert found["positions"] > found["records"] == found["claims"][0]["checked"] == 82
    assert found["digest"] == path.read_bytes()[-32:].hex()
    assert found["search"] == 1_000


def test_a_sample(path):
    done = call("verify", str(path), "--sample", "10", "--seed", "4")
    assert done.status == 10
    assert "O wins: a sample, not a proof: 10 of 82 records are right" in done.out
    assert "verified" not in done.out
    assert loads(call("verify", str(path), "--sample", "10", "--json").out)["verdict"] == "sample"


def test_refused(path, tmp_path):
    parts = taken_apart(path.read_bytes())
    del parts.records[0][40]
    bad = tmp_path / "bad.proof"
    bad.write_bytes(parts.joined())
    done = call("verify", str(bad))
    assert (done.status, done.err) == (1, "")
    about, first, empty, *picture = done.out.splitlines()
    assert about == "connect-four columns=4 rows=4: .........OX..XOX O"
    assert first.startswith("refused: O wins: record ")
    assert first.endswith("there is no record for the position then.")
    assert (empty, len(picture)) == ("", 4)
    found = loads(call("verify", str(bad), "--json").out)
    assert (found["verdict"], found["reason"]) == ("refused", first[9:-1])
    bad.write_bytes(path.read_bytes()[:-1])
    done = call("verify", str(bad))
    assert (done.status, len(done.out.splitlines())) == (1, 1)
    assert loads(call("verify", str(bad), "--json").out)["game"] is None


def test_searched_records_are_mentioned(tmp_path):
    position = zermelo.game("connect-four", **FOUR).parse(".....OX.OXX.OXO. X")
    write(tmp_path / "a.proof", position, [Claim(0, wins=False)], searches=lambda state: True)
    done = call("verify", str(tmp_path / "a.proof"))
    assert " of them searched with up to 1,000 positions" in done.out


@pytest.mark.parametrize(("words", "message"), [
    (["nothing.proof"], "can't read the file"), ([__file__], "not a certificate"),
    (["{path}", "--workers", "x"], "--workers 'x'"), (["{path}", "--sample", "0"], "sample='0'"),
    (["{path}", "--rules", "mine"], "no rules 'mine'"), (["{path}", "--seed", "x"], "--seed 'x'"),
    (["{path}", "--game", "nothing.py:Game"], "can't read the file"), ([], "argument")])
def test_bad_usage(path, words, message):
    done = call("verify", *(word.format(path=path) for word in words))
    assert (done.status, done.out) == (2, "")
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_a_user_s_game(tmp_path):
    """The file is named by the user, never taken from the certificate."""
    chomp, proof = f"{EXAMPLES / 'chomp.py'}:Chomp", tmp_path / "chomp.proof"
    session = zermelo.start(zermelo.game(chomp).parse("4x3"))
    session.run()
    zermelo.write_proof(session, proof)
    done = call("verify", str(proof))
    assert done.status == 2
    assert "--game" in done.err
    done = call("verify", str(proof), "--game", chomp)
    assert (done.status, done.err) == (0, "")
    assert "rules: the game's own" in done.out


def test_progress(path, monkeypatch):
    monkeypatch.setattr("zermelo.cli.terminal.IN_LOG", 0.0)
    monkeypatch.setattr(pools, "BATCH", 10)
    done = call("verify", str(path))
    assert "82 of 82 records" in done.err
    assert call("verify", str(path), "--quiet").err == ""
    assert call("verify", str(path), "--json").err == ""


def test_progress_on_a_terminal(monkeypatch, capsys):
    """One line, rewritten and wiped in the end."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr("zermelo.cli.terminal.ON_TERMINAL", 0.0)
    live = command.CheckLive(False)
    live(1, 10, 100)
    live(2, 10, 200)
    live.close()
    shown = "2 of 10 records, 200 positions"
    assert capsys.readouterr().err == f"\r1{shown[1:15]}, 100 positions\r{shown}\r{' ' * 30}\r"


SLOW = """
import sys, time
from zermelo.proof import check, workers
usual = check.Checker.follow
def slow(self, *rest):
    time.sleep(0.05)
    return usual(self, *rest)
check.Checker.follow, workers.BATCH = slow, 5
import zermelo.cli.app, zermelo.proof.run  # what the command would import first
from zermelo.cli import run
print("ready", flush=True)
sys.exit(run(sys.argv[1:]))
"""


@pytest.mark.quick_cases("2")
@pytest.mark.parametrize("workers", ["1", "2"])
def test_an_interrupt_leaves_nothing_behind(path, workers, tmp_path):
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    running = begin(
        [sys.executable, "-c", SLOW, "verify", str(path), "--workers", workers],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment)
    assert running.stdout.readline() == "ready\n"
    time.sleep(1)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert (running.returncode, out, err) == (130, "", "zermelo: interrupted.\n")
    assert not list(tmp_path.iterdir())


ENDLESS = SLOW.replace("0.05", "60")


def ended(group):
    """Whether no process of the group is left, now or soon."""
    until = time.monotonic() + 5
    while time.monotonic() < until:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


@pytest.mark.quick_cases("2")
@pytest.mark.skipif(sys.platform == "win32", reason="sends a signal")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_workers_in_the_midst_of_a_batch_are_not_waited_for(path, number, tmp_path):
    running = begin(
        [sys.executable, "-c", ENDLESS, "verify", str(path), "--workers", "2"],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
        env={**os.environ, "TMPDIR": str(tmp_path)})
    assert running.stdout.readline() == "ready\n"
    time.sleep(1)
    if number == signal.SIGINT:  # a terminal sends it to all
        os.killpg(running.pid, number)
    else:
        running.send_signal(number)
    out, err = running.communicate(timeout=30)
    assert ended(running.pid)
    if number != signal.SIGKILL:
        assert (running.returncode, out, err) == (130, "", "zermelo: interrupted.\n")
        assert not list(tmp_path.iterdir())


def test_one_of_a_kind_is_singular(tmp_path):
    """One record, one move, one claim; and of zones one node with one win at its end."""
    position = zermelo.game("tic-tac-toe").parse("a1 b1 a2 b2")
    session = zermelo.start(position, "df-pn", goal="win")
    result = session.run()
    written = zermelo.write_proof(session, tmp_path / "a.proof", search=0)
    said = call("verify", str(tmp_path / "a.proof")).out
    assert "X wins: verified, 1 record, longest line 1 move\n" in said
    assert "a sample, not a proof: 1 of 1 record is right" in call(
        "verify", str(tmp_path / "a.proof"), "--sample", "9").out
    for text in (said, str(written), str(written.report), str(result)):
        assert not re.search(r"\b1 \w+s\b(?<! wins)(?<! is)", text), text


def test_one_win_at_one_end():
    claim = Checked("X wins", 1, 1, wins=1)
    report = SimpleNamespace(verdict="verified", exhaustive=False)
    assert _said(claim, report, None) == ("verified, 1 node, 1 win at its end; every reply is "
                                          "answered or provably irrelevant")
    several = replace(claim, records=2, wins=0)
    assert "2 nodes, 0 wins at their ends;" in _said(several, report, None)


SOLVE = ("solve", "connect-four", "1212", "-g", "columns=4", "-g", "rows=4", "-s", "df-pn",
         "--goal", "win", "--plain")


@pytest.mark.parametrize(("error", "status"), [
    (zermelo.BadCertificate("the disk is full."), 2), (KeyboardInterrupt(), 130)])
@pytest.mark.parametrize("json", [False, True])
def test_an_answer_is_kept_if_its_certificate_can_not_be_written(
        tmp_path, monkeypatch, error, status, json):
    def fail(*arguments, **options):
        raise error

    monkeypatch.setattr(certify, "write_proof", fail)
    done = call(*SOLVE, "--proof", str(tmp_path / "a.proof"), *(["--json"] if json else []))
    assert done.status == status
    if json:
        found = loads(done.out)
        assert (found["proved"], found["proof"]) == (True, None)
    else:
        assert "proved" in done.out


def test_a_proof_that_fails_its_check_is_no_answer(tmp_path, monkeypatch):
    def fail(*arguments, **options):
        raise zermelo.ProofFailure("it does not stand up.")

    monkeypatch.setattr(certify, "write_proof", fail)
    done = call(*SOLVE, "--proof", str(tmp_path / "a.proof"))
    assert (done.status, "proved" in done.out) == (4, False)
    assert done.err.endswith("ProofFailure: it does not stand up.\n")
