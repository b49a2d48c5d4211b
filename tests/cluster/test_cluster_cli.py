"""``zermelo solve --workers``; the workers run in this process, except on the page of the docs."""

import json
import os
import sqlite3
import zlib
from contextlib import closing, suppress
from functools import partial
from pathlib import Path

import pytest
from command import call, loads
from crews import Inline, kind_of, sending, with_one

import zermelo
from zermelo.cluster.journal import Journal
from zermelo.cluster.master import HANDFUL, Budgets
from zermelo.cluster.session import Distributed, asked_in
from zermelo.errors import BadCertificate, BadOption, ProofFailure, ZermeloError
from zermelo.jobs.store import Store

WORDS = ["solve", "hex", "start", "-g", "size=3", "--workers", "2"]


@pytest.fixture(autouse=True)
def _inline(monkeypatch):
    monkeypatch.setattr("zermelo.cluster.session.local_crew", Inline)


def test_an_answer_and_its_certificate(tmp_path):
    proof = tmp_path / "hex.proof"
    done = call(*WORDS, "--proof", str(proof), "--deterministic")
    assert done.status == 0
    assert "wins: proved" in done.out
    assert f"certificate {proof}: " in done.out
    done = call(*WORDS)
    assert done.status == 12
    assert "X wins, by the workers' word; --proof makes it certain\n" in done.out
    answer = loads(call(*WORDS, "--json").out)
    assert [answer[name] for name in ("value", "proved", "concluded", "by")] == [
        "win", False, True, "workers"]
    answer = loads(call(*WORDS, "--json", "--proof", str(proof)).out)
    assert (answer["value"], answer["proved"], answer["workers"], answer["proof"]["verified"]) == (
        "win", True, 2, True)
    assert "by" not in answer


def test_a_journal_says_how_to_go_on(monkeypatch, tmp_path):
    small = partial(Budgets, opening=8, first=8, least=8, most=16)
    monkeypatch.setattr("zermelo.cluster.session.Budgets", small)
    words = [*WORDS, "-s", "df-pn", "--plain", "--journal", str(tmp_path / "journal")]
    done = call(*words, "--nodes", "1", "--proof", str(tmp_path / "hex.proof"))
    assert done.status == 10
    assert f"to go on: zermelo {' '.join(words)} --proof {tmp_path / 'hex.proof'}\n" in done.err
    assert "no certificate: nothing is proved" in done.err
    assert call(*words).status == 12


@pytest.mark.parametrize(("name", "why"), [
    ("fifo", "it is a device, a FIFO or a socket, not a file"),
    ("/dev/null", "it is a device, a FIFO or a socket, not a file"),
    ("directory", "directory"),
    ("nowhere/journal", "no such directory"),
])
def test_journals_that_are_no_files(name, why, monkeypatch, tmp_path):
    monkeypatch.setattr("zermelo.cluster.session.local_crew", None)  # no worker has to begin
    os.mkfifo(tmp_path / "fifo")
    (tmp_path / "directory").mkdir()
    before, path = sorted(tmp_path.iterdir()), tmp_path / name
    done = call(*WORDS, "--journal", str(path))
    assert (done.status, done.out) == (2, "")
    assert done.err.startswith(f"zermelo: the journal '{path}' can't be used: ")
    assert why in done.err
    assert sorted(tmp_path.iterdir()) == before
    if "nowhere" not in name:
        again = call("resume", str(path))  # it must not wait for a FIFO
        assert again.status == 2
        assert why in again.err


def test_threads_are_advised_on_one_machine(monkeypatch, tmp_path):
    advice = "threads share a table"
    done = call(*WORDS)
    assert done.err.startswith("zermelo: on one machine, --threads 2 or --workers 1 --threads 2 is "
                               "usually faster than --workers 2: ")
    journal = ["--journal", str(tmp_path / "journal")]
    assert "on one machine, --workers 1 --threads 2 is" in call(*WORDS, *journal).err
    monkeypatch.setattr("zermelo.cluster.session.ray_crew", lambda setup, workers, *_: Inline(
        setup, workers))
    for more in (["--quiet"], ["--json"], ["--deterministic"], ["--threads", "2"],
                 ["--cluster", "local"], ["--workers", "1"]):
        done = call(*WORDS, *more)
        assert (done.status, advice in done.err) == (12, False), more


def test_who_has_half_an_answer_is_told_how_to_go_on(tmp_path):
    journal = str(tmp_path / "journal")
    words = ["solve", "connect-four", "start", "-g", "columns=4", "-g", "rows=4", "--workers", "1"]
    half = loads(call(*words, "--goal", "win", "--json").out)["nodes"]
    done = call(*words, f"--nodes={half}", "--time", "1h", "--journal", journal, "--json")
    assert (done.status, loads(done.out)["partial"]) == (10, True)
    assert done.err == (f"zermelo: what was found is kept; to go on: zermelo {' '.join(words)} "
                        f"--time 1h --journal {journal} --json\n")


def test_a_full_disk_leaves_what_was_found(monkeypatch, tmp_path):
    monkeypatch.setattr("zermelo.cluster.session.Budgets",
                        partial(Budgets, opening=8, first=8, least=8, most=16))
    monkeypatch.setattr("zermelo.cluster.session.Journal", SmallDisk)
    words = [*WORDS, "-s", "df-pn", "--plain", "--journal", str(tmp_path / "journal")]
    done = call(*words, "--proof", str(tmp_path / "hex.proof"))
    assert done.status == 3
    assert "unknown: " in done.out
    assert "can't be written any more: database or disk is full; what is in it is kept" in done.err
    monkeypatch.undo()
    monkeypatch.setattr("zermelo.cluster.session.local_crew", Inline)
    assert call(*words).status == 12


class SmallDisk(Journal):
    """A journal that is soon full."""

    def begin(self, facts):
        super().begin(facts)
        pages, = self.db.execute("pragma page_count").fetchone()
        self.db.execute(f"pragma max_page_count = {pages + 2}")


@pytest.mark.parametrize("words", [[], ["--plain"]])
def test_a_best_guess_as_without_workers(monkeypatch, tmp_path, words):
    monkeypatch.setattr("zermelo.cluster.session.Budgets",
                        partial(Budgets, opening=8, first=8, least=8, most=16))
    asked = ["solve", "connect-four", "44", "-s", "df-pn", "--nodes", "2000", *words]
    alone, many = (call(*asked, *further) for further in ([], ["--workers", "1"]))
    by = "most promising to df-pn" if words else "pvs to depth"
    assert [by in done.out.partition("best guess: ")[2] for done in (alone, many)] == [True, True]
    alone, many = (loads(call(*asked, "--json", *further).out)
                   for further in ([], ["--workers", "1"]))
    assert words or alone["guess"] == many["guess"]
    assert set(many["guess"]) == {"move", "by", "depth", "only"}
    solved = loads(call(*WORDS, "--json").out)
    assert solved["guess"] is None


def test_resume_goes_on_with_a_journal(monkeypatch, tmp_path):
    small = partial(Budgets, opening=8, first=8, least=8, most=16)
    monkeypatch.setattr("zermelo.cluster.session.Budgets", small)
    journal, proof = str(tmp_path / "journal"), str(tmp_path / "hex.proof")
    assert call(*WORDS, "-s", "df-pn", "--plain", "--goal", "win", "--journal", journal,
                "--nodes", "20").status == 10
    done = call("resume", journal, "--nodes", "40")  # limits are totals
    assert done.status == 10
    assert f"to go on: zermelo resume {journal}\n" in done.err  # with that limit it could not
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
            ("update about set facts = json_remove(facts, '$.goal')",
             "is damaged: what it is about can't be read"),
            ("update about set facts = '[1]'", "is damaged: what it is about can't be read"),
            ("update about set facts = '{'", "is damaged: what it is about can't be read")]:
        with closing(sqlite3.connect(journal)) as db:
            db.execute(change)
            db.commit()
        done = call("resume", str(journal))
        assert (done.status, sentence in done.err) == (2, True), done.err
        if "remove" not in change:  # the same by the other way
            assert call(*WORDS, "--journal", str(journal)).err == done.err


@pytest.mark.parametrize(("column", "forged"), [
    ("path", "[[1]]"), ("path", "5"), ("path", "[true]"),
    ("report", zlib.compress(b"[" * 100_000)),
])
def test_results_that_are_forged(tmp_path, column, forged):
    call(*WORDS, "--journal", str(tmp_path / "journal"))
    with closing(sqlite3.connect(tmp_path / "journal")) as db:
        assert db.execute("select count(*) from results where row = 1").fetchone() == (1,)
        db.execute(f"update results set {column} = ? where row = 1", (forged,))
        db.commit()
    done = call("resume", str(tmp_path / "journal"))
    assert (done.status, "is damaged: result 1 can't be read" in done.err) == (2, True), done.err


def test_facts_of_any_kind(monkeypatch, tmp_path):
    """Whatever a journal says that it is about, it is taken or refused in a sentence."""
    monkeypatch.setattr(Distributed, "run", None)
    Distributed(zermelo.game("hex", size=3).start(), journal=tmp_path / "journal").close()
    journal = Journal(tmp_path / "journal")
    facts = journal.facts()
    journal.close()
    for name in facts:
        for value in ("x", "", 7, -1, 1e9, True, None, [], {}, {"size": "x"}, {"size": [1]},
                      {"no": 1}, {"": {}}):
            with closing(sqlite3.connect(tmp_path / "journal")) as db:
                db.execute("update about set facts = ?", (json.dumps({**facts, name: value}),))
                db.commit()
            with suppress(ZermeloError):
                asked_in(tmp_path / "journal")


def test_tables_that_cant_be_read(tmp_path):
    journal = Journal(tmp_path / "journal")
    for name in ("notes", "results", "about"):
        journal.db.execute(f"drop table {name}")
    for ask, what in ((journal.read_time, "how long it was searched"),
                      (journal.line, "the line of its answer"),
                      (journal.count, "its list of results"),
                      (lambda: list(journal.read(0)), "its list of results"),
                      (journal.facts, "what it is about")):
        with pytest.raises(BadOption, match=f"is damaged: {what} can't be read"):
            ask()
    journal.close()


def test_a_journal_whose_list_of_tables_is_damaged_is_refused_and_not_locked(tmp_path):
    """SQLite quotes what it can't read, as bytes that are no text."""
    Journal(tmp_path / "journal").close()
    whole = (tmp_path / "journal").read_bytes()
    at = whole.index(b"create table results") if b"create table results" in whole else \
        whole.index(b"CREATE TABLE results")
    for _ in range(2):
        (tmp_path / "journal").write_bytes(whole[:at] + b"\xc2\xe9" + whole[at + 2 :])
        with pytest.raises(BadOption, match=r"journal' can't be used: (?!another)"):
            Journal(tmp_path / "journal")
    (tmp_path / "journal").write_bytes(whole)
    Journal(tmp_path / "journal").close()


def test_a_journal_of_a_game_of_ones_own(tmp_path):
    own = tmp_path / "chomp.py"
    own.write_text((Path(__file__).parents[2] / "examples" / "chomp.py").read_text())
    position = zermelo.game(f"{own}:Chomp").start()
    journal = tmp_path / "journal"
    Distributed(position, "df-pn", journal=journal).close()
    done = call("resume", str(journal))
    assert done.status == 2
    assert "a game that is not built in; it has to be given, as FILE.py:Class" in done.err
    for other in ("connect-four", "loa", f"{own}:Chess"):
        done = call("resume", other, str(journal))
        assert (done.status, done.err) == (2, (f"zermelo: the journal '{journal}' is about "
                                               f"'{own}:Chomp', not about '{other}'.\n"))
    copy = tmp_path / "moved.py"
    own.rename(copy)
    found, search, facts = asked_in(journal, f"{copy}:Chomp")
    assert (found.text, search.id, facts["goal"]) == (position.text, "df-pn", "value")
    with Distributed(found, search, journal=journal, seed=facts["seed"], plain=facts["plain"]):
        pass  # it is about the same


def test_a_certificate_without_a_place_is_refused_before_the_search(monkeypatch, tmp_path):
    def search(*ignored):
        raise AssertionError("it was searched first")

    monkeypatch.setattr(Distributed, "run", search)
    nowhere = str(tmp_path / "no" / "hex.proof")
    done = call(*WORDS, "--proof", nowhere)
    assert (done.status, done.out) == (2, "")
    assert f"can't write the certificate {nowhere!r}: there is no such directory" in done.err
    with pytest.raises(BadCertificate, match="can't write the certificate"):
        zermelo.solve_distributed(zermelo.game("hex", size=3).start(), proof=nowhere)


@pytest.mark.parametrize("name", ["", ":memory:", "a\0b"])
def test_a_journal_needs_the_name_of_a_file(name):
    done = call(*WORDS, "--journal", name)
    assert (done.status, done.out) == (2, "")
    assert done.err == f"zermelo: the journal {name!r} can't be used: it has to have the name of " \
                       "a file.\n"


def test_a_certificate_that_cant_be_written(monkeypatch, tmp_path):
    def fail(*ignored, **options):
        raise error

    monkeypatch.setattr(Distributed, "write_proof", fail)
    error = BadOption("no.")
    done = call(*WORDS, "--proof", str(tmp_path / "hex.proof"))
    assert done.status == 2
    assert "wins, by the workers' word" in done.out
    error = ProofFailure("the answer does not stand.")
    done = call(*WORDS, "--proof", str(tmp_path / "hex.proof"))
    assert (done.status, done.out) == (1, "")
    assert "zermelo: the answer does not stand.\n" in done.err


ENDING = "OXOX-OOXXOO-XXXO X"  # a board of Othello with two empty squares


def test_a_certificate_of_a_score_says_what_it_is_about(tmp_path):
    """The winner only: by a plain search the score is proved, by workers it is their word."""
    proof = str(tmp_path / "a.proof")
    words = ["solve", "othello", ENDING, "-g", "size=4", "--goal", "score"]
    plain = call(*words, "--proof", proof)
    many = call(*words, "--workers", "1", "--proof", proof)
    for done in (plain, many):
        assert "; it proves who wins, not the score\n" in done.out
    assert (plain.status, many.status) == (0, 12)
    assert ": proved\nscore " in plain.out
    assert ": proved, the score by the workers' word\nscore " in many.out
    one, other = (loads(call(*words, *more, "--proof", proof, "--json").out)
                  for more in ([], ["--workers", "1"]))
    assert one["proof"]["certifies"] == other["proof"]["certifies"] == "value"
    assert (one["proved"], one.get("by"), other["proved"], other["by"]) == (
        True, None, True, "workers")
    assert one["score"] == other["score"] is not None
    done = call("solve", "tic-tac-toe", "XX.OO....", "--goal", "shortest", "--proof", proof)
    assert "; it proves who wins, not the length\n" in done.out


def test_a_time_limit_holds_while_proofs_are_collected(monkeypatch, tmp_path):
    """The answer is printed, and how to go on; there is no certificate."""
    class Slow(Inline):
        def finished(self, seconds):
            if any(kind_of(order) == "prove" for order in self.orders.values()):
                return []  # it is at it for ever
            return super().finished(seconds)

    monkeypatch.setattr("zermelo.cluster.session.local_crew", Slow)
    proof, journal = tmp_path / "a.proof", tmp_path / "journal"
    words = [*WORDS, "--proof", str(proof), "--journal", str(journal)]
    done = call(*words, "--time", "3")
    assert done.status == 12
    assert "X wins, by the workers' word" in done.out
    assert f"to go on: zermelo {' '.join(words)}\n" in done.err
    assert (f"no certificate: the time limit came before all proofs for the certificate '{proof}' "
            "were there\n") in done.err
    assert not list(tmp_path.glob("a.proof*"))
    result = zermelo.solve_distributed(zermelo.game("hex", size=3).start(), time=3, proof=proof,
                                       plain=True)
    assert (result.value, result.by, result.stopped) == ("win", "workers", "time")
    monkeypatch.setattr("zermelo.cluster.session.local_crew", Inline)
    assert call(*words).status == 0


def test_trouble_with_a_worker_is_reported_at_once(monkeypatch):
    monkeypatch.setattr("zermelo.cluster.session.local_crew",
                        with_one(sending({"error": "out of memory"}, good=0)))
    done = call(*WORDS)
    assert done.status == 12
    assert ("zermelo: worker 0: it reported out of memory; another one takes its place\n"
            in done.err), done.err
