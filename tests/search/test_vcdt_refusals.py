"""What VCDT, its pictures and its certificates refuse; and which search is the default."""

import pytest
from command import call

import zermelo
from zermelo import VCDT, BadOption, BadPosition
from zermelo.search.registry import default_search
from zermelo.search.threats import extract

TWO = ("j10 i9m10 h12j12 k9j9 m9h9 h11i10 i11g12 g13i12 j13k8 j14k13 l12i8 j7j8 k11l10 n8i13 "
       "l11l13 l14l8 m11n11 j11o11 m12k14 o10j15 n12o12 p12k12")
SIX = zermelo.game("connect6")
SMALL = zermelo.game("k-in-a-row", columns=6, rows=5, line=4, stones=2)


def test_which_search_is_the_default():
    assert default_search(SIX) == default_search(zermelo.game("gomoku")) == "vcdt"
    assert default_search(SMALL) == default_search(zermelo.game("hex")) == "weak-df-pn"
    many = zermelo.game("k-in-a-row", columns=9, rows=9, line=8, stones=5)
    assert default_search(many) == "weak-df-pn"
    with pytest.raises(BadOption, match="vcdt: k-in-a-row has 5 stones per turn; at most 4 are"):
        zermelo.solve(many.start(), "vcdt")
    with pytest.raises(BadOption, match="othello has no lines; use another search"):
        zermelo.start(zermelo.game("othello").start(), VCDT())
    done = call("solve", "hex", "-s", "vcdt")
    assert (done.status, done.out) == (2, "")
    with pytest.raises(BadOption, match="can be asked for win and value only"):
        zermelo.solve(SIX.start(), "vcdt", goal="shortest")


def test_game_records_are_written_and_read():
    game = zermelo.game("k-in-a-row", columns=6, rows=5, line=4, stones=2)
    position = game.parse("a1 b2c2 d4")
    assert game.sgf(position) == "(;FF[4]EV[k-in-a-row]SZ[6:5];B[a1];W[b2c2];B[d4])"
    assert game.parse(game.sgf(position)) == position
    with pytest.raises(BadPosition, match="was set up, not reached by moves"):
        game.sgf(game.parse(position.text))
    with pytest.raises(BadOption, match="othello: games are not written as SGF"):
        zermelo.game("othello").sgf(zermelo.game("othello").start())


def test_pictures_that_cannot_be_written(tmp_path):
    done = call("solve", "connect6", TWO, "--svg", str(tmp_path / "no" / "a.svg"))
    assert (done.status, done.out) == (2, "")
    assert "there is no such directory" in done.err
    done = call("solve", "connect6", TWO, "--svg", str(tmp_path))
    assert done.status == 2
    assert "can't write" in done.err


def test_certificates_that_are_too_large(tmp_path, monkeypatch):
    game = zermelo.game("k-in-a-row", columns=6, rows=5, line=4, stones=3)  # too many for zones
    session = zermelo.start(game.parse("e1"), "vcdt", goal="win")
    assert session.run().root == {"turns": 2}
    monkeypatch.setattr(extract, "MOST_RECORDS", 10)
    with pytest.raises(BadOption, match=r"every reply after each of 1 turns; at most 10 are "
                       r"written\. A later position of the line has fewer"):
        zermelo.write_proof(session, tmp_path / "proof")
