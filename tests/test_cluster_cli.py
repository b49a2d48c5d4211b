"""``zermelo solve --workers``; the workers run in this process, except on the page of the docs."""

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest
from command import call, loads

import zermelo
from zermelo.cluster.budgets import HANDFUL, Budgets
from zermelo.cluster.crew import Inline
from zermelo.cluster.journal import Journal
from zermelo.cluster.session import Distributed
from zermelo.cluster.solve import asked_in
from zermelo.errors import BadOption, ProofFailure
from zermelo.jobs.store import Store

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


def test_resume_goes_on_with_a_journal(monkeypatch, tmp_path):
    small = partial(Budgets, opening=8, first=8, least=8, most=16)
    monkeypatch.setattr("zermelo.cluster.session.Budgets", small)
    journal, proof = str(tmp_path / "journal"), str(tmp_path / "hex.proof")
    assert call(*WORDS, "-s", "df-pn", "--plain", "--goal", "win", "--journal", journal,
                "--nodes", "20").status == 10
    done = call("resume", journal, "--nodes", "40")  # limits are totals
    assert done.status == 10
    assert f"to go on: zermelo resume {journal} --nodes 40" in done.err
    opened = Journal(journal)
    visits = opened.visits
    opened.close()
    assert 40 <= visits < 40 + HANDFUL
    answer = loads(call("resume", journal, "--workers", "3", "--proof", proof, "--json").out)
    assert (answer["value"], answer["workers"], answer["proof"]["verified"]) == ("win", 3, True)
    assert answer["nodes"] > visits
    again = loads(call("resume", journal, "--json").out)
    assert again["nodes"] == answer["nodes"]  # all is known


def test_what_resume_refuses(tmp_path):
    journal = tmp_path / "journal"
    call(*WORDS, "--journal", str(journal))
    done = call("resume", str(journal), "--every", "5s")
    assert (done.status, done.err) == (2, "zermelo: --every is for a checkpoint, and a journal is "
                                          "written all the time.\n")
    (tmp_path / "checkpoint").write_bytes(b"zermelo checkpoint 2\n")
    for option in (["--workers", "2"], ["--cluster", "local"], ["--deterministic"]):
        done = call("resume", str(tmp_path / "checkpoint"), *option)
        assert done.status == 2
        assert f"{option[0]} is for the journal of several workers" in done.err
    Store(tmp_path / "store").close()
    before = (tmp_path / "store").read_bytes()
    done = call("resume", str(tmp_path / "store"))
    assert (done.status, "it is a file of something else" in done.err) == (2, True)
    assert (tmp_path / "store").read_bytes() == before
    for change, sentence in [
            ("update results set report = 'x' where row = 1", "is damaged: result 1 can't be read"),
            ("update about set facts = json_set(facts, '$.code', 'x')", "by other code: Zermelo"),
            ("update about set facts = json_remove(facts, '$.options')", "it has no options"),
            ("update about set facts = '{'", "is damaged: what it is about can't be read")]:
        with closing(sqlite3.connect(journal)) as db:
            db.execute(change)
            db.commit()
        done = call("resume", str(journal))
        assert (done.status, sentence in done.err) == (2, True), done.err


def test_a_journal_of_a_game_of_ones_own(tmp_path):
    own = tmp_path / "chomp.py"
    own.write_text((Path(__file__).parents[1] / "examples" / "chomp.py").read_text())
    position = zermelo.game(f"{own}:Chomp").start()
    journal = tmp_path / "journal"
    Distributed(position, "df-pn", journal=journal).close()
    done = call("resume", str(journal))
    assert done.status == 2
    assert "a game that is not built in; it has to be given, as FILE.py:Class" in done.err
    copy = tmp_path / "moved.py"
    own.rename(copy)
    found, search, facts = asked_in(journal, f"{copy}:Chomp")
    assert (found.text, search.id, facts["goal"]) == (position.text, "df-pn", "value")
    with Distributed(found, search, journal=journal, seed=facts["seed"], plain=facts["plain"]):
        pass  # it is about the same


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
