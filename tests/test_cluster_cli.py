"""``zermelo solve --workers``; the workers run in this process, except on the page of the docs."""

from functools import partial

import pytest
from command import call, loads

from zermelo.cluster.budgets import Budgets
from zermelo.cluster.crew import Inline
from zermelo.cluster.session import Distributed
from zermelo.errors import BadOption, ProofFailure

WORDS = ["solve", "hex", "start", "-g", "size=3", "--workers", "2"]


@pytest.fixture(autouse=True)
def _inline(monkeypatch):
    monkeypatch.setattr("zermelo.cluster.session.LocalCrew", Inline)


def test_an_answer_and_its_certificate(tmp_path):
    proof = tmp_path / "hex.proof"
    done = call(*WORDS, "--proof", str(proof), "--deterministic")
    assert done.status == 0
    assert "wins: proved" in done.out
    assert f"certificate {proof}: " in done.out
    answer = loads(call(*WORDS, "--json", "--proof", str(proof)).out)
    assert (answer["value"], answer["workers"], answer["proof"]["verified"]) == ("win", 2, True)


def test_a_journal_says_how_to_go_on(monkeypatch, tmp_path):
    small = partial(Budgets, opening=8, first=8, least=8, most=16)
    monkeypatch.setattr("zermelo.cluster.session.Budgets", small)
    words = [*WORDS, "-s", "df-pn", "--plain", "--journal", str(tmp_path / "journal")]
    done = call(*words, "--nodes", "1", "--proof", str(tmp_path / "hex.proof"))
    assert done.status == 10
    assert f"to go on: zermelo {' '.join(words)} --nodes 1" in done.err
    assert "no certificate: nothing is proved" in done.err
    assert call(*words).status == 0


def test_a_certificate_that_cant_be_written(monkeypatch, tmp_path):
    def fail(*ignored, **options):
        raise error

    monkeypatch.setattr(Distributed, "write_proof", fail)
    error = BadOption("no.")
    done = call(*WORDS, "--proof", str(tmp_path / "hex.proof"))
    assert done.status == 2
    assert "wins: proved" in done.out
    error = ProofFailure("then the answer is in doubt")
    with pytest.raises(ProofFailure):
        call(*WORDS, "--proof", str(tmp_path / "hex.proof"))
