"""Walks through certificates of zones."""

import json

import pytest
from command import call
from forged_zones import header_of, taken_apart, zones_file

import zermelo
from zermelo.proof.header import Refused
from zermelo.proof.show import RECORD, THREATS, ProofWalk, certificate_branch

GAME = zermelo.game("k-in-a-row", columns=8, rows=8, line=5)
TWO_TWOS = "......../......../......../....XX../...X..../...X..../......../........ X"


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    """The certificate of a quiet move."""
    found = tmp_path_factory.mktemp("zones") / "win.proof"
    session = zermelo.start(GAME.parse(TWO_TWOS), "df-pn", goal="win", candidates=True, plain=True)
    session.run()
    zermelo.write_proof(session, found)
    return found


def test_a_walk(path):
    done = call("show", str(path), "--moves", "")
    assert done.status == 0
    lines = done.out.splitlines()
    assert lines[0] == f"k-in-a-row columns=8 rows=8 line=5: {TWO_TWOS}"
    assert lines[1] == "X wins; X has a move for everything"
    count = next(line for line in lines if line.startswith("O to move, 59 replies, of which "))
    assert count.endswith(" need an answer of their own:")
    assert any("(by threats)" in line for line in lines)
    far = call("show", str(path), "--moves", "a1")  # a reply far from everything
    assert far.status == 0
    assert "X plays " in far.out
    told = json.loads(call("show", str(path), "--moves", "a1", "--json").out)
    assert (told["kind"], told["root"], told["verified"]) == ("zones", TWO_TWOS, False)


def test_every_first_reply_loses_in_the_walk(path):
    walk = ProofWalk(path)
    node = walk.settled(walk.root)
    for move in node.moves:
        at = walk.settled(node.after(move))
        while at.end is None:  # any reply, then the next
            at = walk.settled(at.after(at.moves[0]))
        assert at.end == 0


@pytest.mark.parametrize("format", ["sgf", "dot", "json", "svg"])
def test_exports(path, format):
    done = call("show", str(path), "--export", "-", "--format", format, "--most", "200")
    assert done.status == 0
    assert "k-in-a-row columns=8 rows=8 line=5: X wins" in done.out or format == "json"
    assert "positions" in done.err


def test_branches(path):
    walk = ProofWalk(path)
    root = certificate_branch(walk)
    assert (root["answer"]["source"], root["claim"], root["prover"]) == (RECORD, "X wins", "X")
    replies = certificate_branch(walk, [root["answer"]["move"]])["children"]
    assert len(replies) == 59
    assert 0 < sum(child["considered"] for child in replies) < 59
    assert THREATS in {certificate_branch(walk, child["path"])["answer"]["source"]
                       for child in replies[::7]}


def test_walks_that_make_no_sense(path, tmp_path):
    header, rows = taken_apart(path.read_bytes())
    wrong = tmp_path / "wrong.proof"

    def walk(changed, head=header):
        wrong.write_bytes(zones_file(head, changed))
        found = ProofWalk(wrong)
        return found, found.settled(found.root)

    with pytest.raises(Refused, match="the turn of the certificate is not legal"):
        walk([{**rows[0], "turn": [28]}, *rows[1:]])
    forgets = [rows[0], {**rows[1], "wins": [], "seconds": {}}, *rows[2:]]
    found, node = walk(forgets)
    with pytest.raises(Refused, match="there is no answer to "):
        [found.settled(node.after(move)) for move in node.moves]
    plain = header_of(dict(GAME.values), TWO_TWOS, 0, 1, 1)
    found, node = walk([{"win": 0}, [[0]]], plain)
    with pytest.raises(Refused, match="the certificate has no turn there"):
        found.settled(node.after(1))
    with pytest.raises(Refused, match="a turn has 3 stones"):
        walk([{"win": 0}, [[0]]], {**plain, "parameters": {**dict(GAME.values), "stones": 3},
                                   "position": TWO_TWOS.replace(". X", "O X3")})
