"""What can go wrong with a certificate shouts; it is never a result."""

import hashlib
from dataclasses import replace

import numpy as np
import pytest

import zermelo
from zermelo.core.explicit_graph import Graph
from zermelo.proof import CertificateWriter, Claim
from zermelo.search.depth_first import proofs
from zermelo.search.reasons import LOST, WON
from zermelo.solving import certify

GAME = zermelo.game("connect-four", columns=4, rows=4)


def solved(text="12121"):
    session = zermelo.start(GAME.parse(text), goal="win")
    assert session.run(zermelo.Limits(memory="1MB")).value == "not-win"
    return session


def check_refused(path, reason, **options):
    report = zermelo.verify(path, **options)
    assert report.verdict == "refused"
    assert reason in report.reason


def test_nothing_to_prove(tmp_path):
    session = zermelo.start(GAME.start())
    with pytest.raises(zermelo.BadOption, match="no proof to write: the value is unknown"):
        zermelo.write_proof(session, tmp_path / "proof")
    assert not (tmp_path / "proof").exists()


class RepeaterLoses(Graph):
    """Whoever moves to a node of the path has lost."""

    def define(self):
        rules = super().define()
        mover = rules.mover

        def repeat(g, path, i, n):
            return zermelo.SECOND_WINS - mover(g, path[n - 1])

        return replace(rules, repeat=repeat)


ROUND = {"n0": ("or", ["n1"]), "n1": ("or", ["n0"])}


def test_a_rule_of_its_own_for_repetitions(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    game = RepeaterLoses(ROUND, "n0")
    session = zermelo.start(game.start())
    assert session.run().value == "loss"
    for refused in (zermelo.write_proof, certify.check_in_advance):
        with pytest.raises(zermelo.BadOption, match="its own rule for repetitions"):
            refused(session, tmp_path / "proof")
    path = tmp_path / "made.proof"
    with CertificateWriter(path, game.start(), [Claim(1, wins=False)]) as writer:
        for name in ROUND:
            position = game.parse(name)
            writer.add(0, position.state, np.array(position.codes()))
    check_refused(path, "its own rule for repetitions", game=game)


@pytest.mark.parametrize("nodes", [
    ROUND, {"n0": ("or", ["n1", "d"]), "n1": ("or", ["n0", "n2"]), "n2": ("and", ["n0", "d"]),
            "d": "draw"}], ids=["alone", "with the prover"])
def test_a_player_who_goes_round_without_the_prover(tmp_path, monkeypatch, nodes):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    session = zermelo.start(zermelo.graph(nodes, root="n0").start())
    assert session.run().value == "draw"
    assert zermelo.write_proof(session, tmp_path / "proof").report.verified


def test_the_position_is_written_in_full(tmp_path):
    """Without the number of stones left the library and the checker could differ about it."""
    game = zermelo.game("k-in-a-row", columns=4, rows=3, line=3, stones=2, first=1)
    position = game.parse("X.../.O../.... O1")
    session = zermelo.start(position)
    session.run()
    path = tmp_path / "proof"
    assert zermelo.write_proof(session, path).report.verified
    whole = path.read_bytes()[:-32]
    data = whole.replace(b' O1"', b' O"')
    assert len(data) == len(whole) - 1
    path.write_bytes(data + hashlib.sha256(data).digest())
    check_refused(path, "how many stones are left")


def test_what_can_not_be_written_is_refused_before_the_search(tmp_path):
    session = zermelo.start(GAME.start())
    with pytest.raises(zermelo.BadCertificate, match="can't write the certificate"):
        certify.check_in_advance(session, tmp_path / "nowhere" / "proof")
    certify.check_in_advance(session, tmp_path / "proof")
    assert not list(tmp_path.iterdir())


def test_a_certificate_that_is_refused(tmp_path, monkeypatch):
    session = solved()
    right = certify.proof_of(session, Claim(session.player, wins=False), memory=1 << 20)

    def wrong(*rest):
        for states, moves, ranks in right.records(0):
            yield states[1:], moves[1:], ranks[1:]

    monkeypatch.setattr(certify, "proof_of", lambda *_, **__: replace(right, records=wrong))
    with pytest.raises(zermelo.ProofFailure, match="failed verification"):
        zermelo.write_proof(session, tmp_path / "proof")


def test_two_searches_that_disagree():
    question = solved().runs[0]
    with pytest.raises(zermelo.ProofFailure, match="two searches disagree"):
        certify._solved(question, WON)
    assert certify._solved(question, LOST) is question


def test_a_status_that_does_not_come_out_again():
    question = solved().runs[0]
    lost = GAME.parse("...O.O.X.O.XXX.O X")  # there the attacker wins
    with pytest.raises(zermelo.ProofFailure, match="was not proved when it was searched again"):
        proofs.proved_move(question, lost.state[0], 0)



def test_a_proof_that_runs_into_a_wrong_end(monkeypatch):
    session = zermelo.start(GAME.parse("121314"), goal="win")  # 1 wins at once
    assert session.run(zermelo.Limits(memory="1MB")).value == "win"
    question = session.runs[0]
    monkeypatch.setitem(vars(question.parts), "extract", lambda *rest: proofs.BROKEN)
    with pytest.raises(zermelo.ProofFailure, match="a finished game that it does not allow"):
        list(proofs.records(question, 0))
