"""What can go wrong with a certificate shouts; it is never a result."""

import pytest

import zermelo
from zermelo import certify
from zermelo.kernel.pool import LOST, WON
from zermelo.search.depth_first import extract

GAME = zermelo.game("connect-four", columns=4, rows=4)


def solved(text="12121"):
    session = zermelo.start(GAME.parse(text), goal="win")
    assert session.run(zermelo.Limits(memory="1MB")).value == "not-win"
    return session


def test_nothing_to_prove(tmp_path):
    session = zermelo.start(GAME.start())
    with pytest.raises(zermelo.BadOption, match="no proof to write: the value is unknown"):
        zermelo.write_proof(session, tmp_path / "proof")
    assert not (tmp_path / "proof").exists()


def test_a_certificate_that_is_refused(tmp_path, monkeypatch):
    session = solved()
    right = certify.records

    def wrong(question, *rest):
        for states, moves, ranks in right(question, 0, None):
            yield states[1:], moves[1:], ranks[1:]

    monkeypatch.setattr(certify, "records", wrong)
    with pytest.raises(zermelo.ProofFailure, match="does not stand up to its check"):
        zermelo.write_proof(session, tmp_path / "proof")


def test_two_searches_that_disagree():
    question = solved().questions[0]
    with pytest.raises(zermelo.ProofFailure, match="two searches disagree"):
        certify._solved(question, WON)
    assert certify._solved(question, LOST) is question


def test_a_status_that_does_not_come_out_again():
    question = solved().questions[0]
    with pytest.raises(zermelo.ProofFailure, match="did not come out again"):
        extract._searched(question, question.position.state[0], 0, WON)


def test_a_proof_that_runs_into_a_wrong_end(monkeypatch):
    session = zermelo.start(GAME.parse("121314"), goal="win")  # 1 wins at once
    assert session.run(zermelo.Limits(memory="1MB")).value == "win"
    question = session.questions[0]
    monkeypatch.setattr(extract, "extract_of", lambda *rest: lambda *more: extract.BROKEN)
    with pytest.raises(zermelo.ProofFailure, match="a finished game that it does not allow"):
        list(extract.records(question, 0))
