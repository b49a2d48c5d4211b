"""``zermelo show`` as it is called: what it prints, what it asks, its status."""

import io
import json
import os
import pty
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from certificates import FOUR, Chase, NaiveGraph, taken_apart, write
from command import call, loads

import zermelo
from zermelo.cli import certificates as command
from zermelo.cli import run
from zermelo.proof import Claim
from zermelo.proof.show import ProofWalk

CHASE = f"{Path(__file__).parents[1] / 'certificates.py'}:Chase"


@pytest.fixture(scope="module")
def directory(tmp_path_factory):
    """``four``: O wins, O to move; ``draw``: two claims; ``xo``: X wins, some by search."""
    directory = tmp_path_factory.mktemp("show")
    game = zermelo.game("connect-four", **FOUR)
    write(directory / "four", game.parse(".........OX..XOX O"), [Claim(1)])
    write(directory / "draw", game.parse(".....OX.OXX.OXO. X"), [Claim(0, False), Claim(1, False)])
    write(directory / "xo", zermelo.game("tic-tac-toe").parse("a1 a3"), [Claim(0)],
          searches=lambda state: True)
    write(directory / "chase", Chase().start(), [Claim(0)])
    write(directory / "ring", Chase(ring=1).start(), [Claim(0, False)])
    return directory


@pytest.fixture
def ask(directory, monkeypatch):
    """The command as on a terminal, with these lines typed."""

    def ask(name, *lines, words=()):
        monkeypatch.setattr(command, "_is_terminal", lambda: True)
        return call("show", str(directory / name), *words, stdin="\n".join(lines).encode())

    return ask


def test_the_root_and_the_first_level(directory):
    done = call("show", str(directory / "four"))
    assert (done.status, done.err) == (0, "")
    lines = done.out.splitlines()
    assert lines[0] == "connect-four columns=4 rows=4: .........OX..XOX O"
    assert lines[1] == "O wins; O has a move for everything"
    assert lines[2] == f"shown, not verified: run zermelo verify {directory / 'four'}"
    assert lines[4:9] == [". . . .", ". . . .", ". O X .", ". X O X", "1 2 3 4"]
    assert lines[10].startswith("O plays ")
    at = lines.index("X to move, 4 replies:")
    assert [line[:4] for line in lines[at + 1 :]] == ["  1 ", "  2 ", "  3 ", "  4 "]
    assert all("O plays" in line for line in lines[at + 1 :])


def test_following_replies(directory):
    """The same from an option and from a pipe; then to the end of the line."""
    path = str(directory / "four")
    done = call("show", path, "--moves", "1")
    assert done.status == 0
    assert "X plays 1\nO plays" in done.out
    assert "\nline: " in done.out
    assert call("show", path, stdin=b"# a comment\n1\n").out == done.out
    assert call("show", path, "--moves", "2 back 3 start 1 quit 4").out == done.out
    replies = []
    while True:
        found = loads(call("show", path, "--moves", " ".join(replies), "--json").out)
        assert found["verified"] is False
        if not found["replies"]:
            break
        replies.append(found["replies"][0]["move"])
    assert (found["end"], found["to_move"]) == ("O has won", None)
    done = call("show", path, "--moves", " ".join(replies))
    assert done.out.endswith("the game is over: O has won, as claimed\n")
    done = call("show", path, "--moves", " ".join([*replies, "1"]))
    assert (done.status, done.out) == (2, "")
    assert done.err == "zermelo: '1': the game is over, there is no reply.\n"


def test_two_claims(directory):
    path = str(directory / "draw")
    done = call("show", path)
    assert "X does not win; O has a move for everything (--claim 2: O does not win)" in done.out
    done = call("show", path, "--claim", "2")
    assert "O does not win; X has a move for everything (--claim 1: X does not win)" in done.out
    assert "O to move" in done.out


def test_moves_by_search_are_marked(directory):
    done = call("show", str(directory / "xo"), "--moves", "1")
    assert "(by search)" in done.out
    assert "  1  b3  " in call("show", str(directory / "xo")).out  # numbers, where no name is one


def test_games_with_cycles(directory):
    path = str(directory / "chase")
    done = call("show", path)
    assert done.status == 2
    assert "--game" in done.err
    done = call("show", path, "--game", CHASE, "--moves", "0")
    assert done.status == 0
    assert "first plays 1 (rank 7)" not in done.out
    assert "second plays 0\nfirst plays 1 (rank " in done.out
    assert "first plays 1 (rank 7)" in call("show", path, "--game", CHASE).out
    # On a ring the chase never ends.
    words = ("show", str(directory / "ring"), "--game", CHASE, "--moves")
    seen, replies = False, []
    while not seen:
        replies.append("0")
        assert len(replies) < 20
        seen = "which is not a win for first" in call(*words, " ".join(replies)).out


def test_a_game_of_one_s_own_with_several_moves_in_a_turn(tmp_path):
    write(tmp_path / "a", Chase(steps=2).start(), [Claim(0)])
    done = call("show", str(tmp_path / "a"), "--game", CHASE)
    assert done.out.count("first plays") == 2
    assert "second moves again" in done.out


def test_the_time_begins_anew_with_every_line(ask, monkeypatch):
    begun = []
    monkeypatch.setattr("zermelo.proof.budget.CheckBudget.restart", lambda budget: (
        begun.append(budget.time), setattr(budget, "ends", float("inf"))))
    assert ask("four", "1", "", "back", "quit", words=("--time", "7")).status == 0
    assert begun == [7.0] * 4  # at first, and for each line that says something


def test_many_replies_are_listed_in_short(directory, monkeypatch):
    monkeypatch.setattr(command, "LISTED", 2)
    assert call("show", str(directory / "four")).out.splitlines()[-1] == "  and 2 more: 3 4"


def test_a_conversation(ask):
    done = ask("four", "1", "", "9", "back", "back", "nonsense here", "START", "2", "quit", "3")
    assert (done.status, done.err) == (0, "")
    scenes = done.out.split(command.PROMPT)
    assert len(scenes) == 10  # nothing is asked after quit
    assert "X plays 1" in scenes[1]
    assert scenes[2] == ""
    assert "'9' is not a reply here; replies: 1, " in scenes[3]
    assert scenes[4].startswith("\nO plays ")
    assert scenes[5] == "'back': this is where the walk begins.\n"
    assert scenes[6] == "'nonsense' is not a reply here; replies: 1, 2, 3, 4.\n"
    assert scenes[7] == scenes[4]
    assert "X plays 2" in scenes[8]
    assert scenes[9] == ""
    assert ask("four").out.endswith(f"{command.PROMPT}\n")  # the end of input is a quit


def test_a_terminal(directory):
    """A real one: it asks, takes a reply, and leaves."""
    main, other = pty.openpty()
    code = "import sys; from zermelo.cli import run; sys.exit(run(sys.argv[1:]))"
    running = subprocess.Popen([sys.executable, "-c", code, "show", str(directory / "four")],
                               stdin=other, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    os.close(other)
    os.write(main, b"1\nquit\n")
    out, err = running.communicate(timeout=60)
    os.close(main)
    assert (running.returncode, err) == (0, b"")
    assert out.count(command.PROMPT.encode()) == 2
    assert b"X plays 1\n" in out


def test_no_standard_input_at_all(directory, monkeypatch):
    monkeypatch.setattr(sys, "stdin", None)
    with redirect_stdout(io.StringIO()) as out:
        assert run(["show", str(directory / "four")]) == 0
    assert "X to move, 4 replies:" in out.getvalue()


def test_replies_that_are_no_text(directory):
    done = call("show", str(directory / "four"), stdin=b"\xff\xfe")
    assert done.status == 2
    assert "not a text in UTF-8" in done.err


def test_a_move_called_like_a_command(tmp_path):
    """The game comes first."""
    nodes = {"r": ("and", ["back", "quit"]), "back": "win", "quit": "win"}
    position = zermelo.graph(nodes).start()
    write(tmp_path / "a", position, [Claim(0)], twin=NaiveGraph(nodes))
    tour = command._Tour(ProofWalk(tmp_path / "a", game=position.game))
    assert tour.follow("quit")
    assert tour.at.played == ["quit"]
    assert tour.follow("back")  # no reply any more: the command
    assert tour.at.played == []


# --- exports ---


@pytest.mark.parametrize("kind", ["sgf", "dot", "json", "svg"])
def test_exports(kind, directory, tmp_path):
    target = tmp_path / f"tree.{kind.upper()}"
    claim = ("show", str(directory / "draw"), "--claim", "2")
    words = (*claim, "--export", str(target))
    done = call(*words)
    assert (done.status, done.err) == (0, "")
    first, second = done.out.splitlines()
    assert first.startswith(f"{target}: ")
    assert first.endswith(" positions, to the end of every line")
    assert second.startswith("shown, not verified: ")
    content = target.read_text()
    assert content[0] == {"sgf": "(", "dot": "/", "json": "{", "svg": "<"}[kind]
    printed = call(*claim, "--export", "-", "--format", kind)
    assert printed.out == content
    assert printed.err.splitlines()[1] == second
    done = call(*words, "--plies", "3", "--most", "20")
    assert "cut: at " in done.out
    assert "(--plies 3, --most 20)" in done.out
    assert target.read_text() != content
    assert list(tmp_path.iterdir()) == [target]


def test_an_export_from_further_down(directory, tmp_path):
    target = tmp_path / "tree.json"
    call("show", str(directory / "draw"), "--moves", "1", "--export", str(target))
    found = json.loads(target.read_text())
    assert found["line"][0] == "1"
    assert len(found["line"]) == 2
    assert found["tree"]["role"] == "defender"
    assert found["tree"]["position"] != found["root"]


@pytest.mark.parametrize(("words", "message"), [
    (["nothing"], "can't read the file"), ([__file__], "not a certificate"),
    (["{four}", "--claim", "2"], "claim '2' is out of range"),
    (["{four}", "--claim", "x"], "--claim 'x'"),
    (["{four}", "--moves", "1 9"], "'9' is not a reply here"),
    (["{four}", "--moves", "back"], "this is where the walk begins"),
    (["{four}", "--export", "tree.png"], "--export 'tree.png' is not a known format; formats: sgf"),
    (["{four}", "--export", "tree", "--format", "gif"], "--format 'gif' is not a known format"),
    (["{four}", "--format", "svg"], "belongs to --export"),
    (["{four}", "--export", "{four}/tree.svg"], "can't write the file"),
    (["{four}", "--export", "a\0b.svg"], "can't write the file"),
    (["{four}", "--export", "t.svg", "--plies", "-1"], "plies '-1' is out of range"),
    (["{four}", "--export", "t.svg", "--most", "0"], "most '0' is out of range"),
    (["{four}", "--export", "t.svg", "--most", "x"], "--most 'x'"),
    (["{four}", "--game", "nothing.py:Game"], "can't read the file"), ([], "argument")])
def test_bad_usage(directory, words, message):
    done = call("show", *(word.format(four=directory / "four") for word in words))
    assert (done.status, done.out) == (2, "")
    assert message in done.err
    assert len(done.err.splitlines()) == 1


def test_a_broken_certificate_is_refused(directory, tmp_path):
    bad, target = tmp_path / "bad", tmp_path / "tree.sgf"
    content = (directory / "four").read_bytes()
    bad.write_bytes(content[:-1])
    done = call("show", str(bad))
    assert (done.status, done.err) == (1, "")
    assert done.out.startswith("refused: the digest")
    parts = taken_apart(content)
    del parts.records[0][40]
    bad.write_bytes(parts.joined())
    done = call("show", str(bad), "--export", str(target))
    assert (done.status, done.err) == (1, "")
    assert done.out.startswith("refused: O wins: after ")
    assert not target.exists()
