"""What a search by workers refuses."""

import json
import pickle
import sqlite3
import sys
from dataclasses import asdict, replace
from pathlib import Path

import pytest
from cases import cases
from command import call
from crews import distributed
from plain_games import Nim

import zermelo
from zermelo.cluster.journal import Journal
from zermelo.cluster.session import asked_in
from zermelo.cluster.tree import ChildReport, LeafReport, MasterTree, SumRule
from zermelo.cluster.worker import Setup, Worker
from zermelo.errors import BadGame, BadOption
from zermelo.search import code
from zermelo.search.depth_first.df_pn import sum_share, sum_total
from zermelo.search.reasons import LOST, UNKNOWN, WON
from zermelo.solving.result import Limits

EXAMPLES = Path(__file__).parents[2] / "examples"


def hex3():
    return zermelo.game("hex", size=3).start()


@pytest.mark.parametrize(("options", "sentence"), [
    ({"goal": "shortest"}, "goal='shortest' can't be asked for with workers"),
    ({"search": "pn"}, "workers can't run pn; with workers, searches are df-pn and weak-df-pn"),
    ({"workers": 0}, "workers='0' is not a whole number from 1 to 4,096"),
    ({"backend": "cloud"}, "there is no backend 'cloud'; backends: local, ray, inline"),
])
def test_options(options, sentence):
    with pytest.raises(BadOption, match=sentence):
        zermelo.solve_distributed(hex3(), **options)


def test_games_that_cant_be_shared():
    with pytest.raises(BadOption, match="xiangqi has its own rule for repetitions"):
        zermelo.solve_distributed(zermelo.game(
            "xiangqi", repetition="perpetual-check-loses").start())

    with pytest.raises(BadOption, match="compiled games only"):
        zermelo.solve_distributed(zermelo.game(Nim).start())


def test_journals(tmp_path):
    path = tmp_path / "journal"
    with pytest.raises(BadOption, match="there is no journal"):
        zermelo.resume_journal(path)
    Journal(path).close()
    with pytest.raises(BadOption, match="is empty; if it is a copy, 'journal-wal' belongs to it"):
        zermelo.resume_journal(path)
    with distributed(hex3(), journal=path) as solver:
        assert solver.run(Limits(nodes=5)).stopped == "nodes"
        with pytest.raises(BadOption, match="another master is working with it"):
            distributed(hex3(), journal=path)
    with pytest.raises(BadOption, match="something else: search is 'df-pn' there and 'weak-df-pn'"):
        distributed(hex3(), None, journal=path)
    with sqlite3.connect(path) as db:
        db.execute("update about set mark = 'zermelo journal 0'")
    db.close()
    with pytest.raises(BadOption, match=r"by Zermelo '.*', whose journals this version can't"):
        distributed(hex3(), journal=path)
    path.write_bytes(b"no database at all, whatever it is called" * 100)
    with pytest.raises(BadOption, match="can't be used"):
        distributed(hex3(), journal=path)


def test_a_name_that_is_too_long_for_sqlite(tmp_path):
    path = tmp_path / ("a" * 200) / ("b" * 200) / ("c" * 200)
    path.mkdir(parents=True)
    with pytest.raises(BadOption, match="can't be used: unable to open database file"):
        distributed(hex3(), journal=path / "journal")


def test_there_must_be_something_to_certify(tmp_path):
    with distributed(hex3()) as solver, pytest.raises(BadOption, match="no proof to write"):
        solver.write_proof(tmp_path / "a.proof")
    position = cases("othello 4x4")[77][0]
    with distributed(position, None, plain=False, goal="score") as solver:
        solver.run()
        del solver.trees[0]
        del solver.subgoals[0]
        with pytest.raises(BadOption, match="ask for goal='value'"):
            solver.write_proof(tmp_path / "a.proof")


def test_other_code():
    setup = Setup.of(hex3(), zermelo.DFPN(), plain=True, seed=0, memory=1 << 20)
    with pytest.raises(BadGame, match="a worker has other code than the master"):
        replace(setup, package="0").make()


@pytest.mark.parametrize("changed", ["chomp_words", "chomp_more"])
def test_a_journal_whose_game_has_other_neighbours(changed, tmp_path, monkeypatch):
    """They are files of the game as much as the one that is named."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    own, journal = tmp_path / "chomp.py", tmp_path / "journal"
    own.write_text("import chomp_words\n" + (EXAMPLES / "chomp.py").read_text())
    (tmp_path / "chomp_words.py").write_text(
        "try:\n    import chomp_more\nexcept SyntaxError:\n    pass\n")
    (tmp_path / "chomp_more.py").write_text("1 +\n")
    try:
        with distributed(zermelo.game(f"{own}:Chomp").start(), journal=journal):
            pass
        assert asked_in(journal, f"{own}:Chomp")[2]["goal"] == "value"
        (tmp_path / f"{changed}.py").write_text("WORDS = (1,)\n")
        code._file_digest.cache_clear()  # as in another process
        code._combined.cache_clear()
        with pytest.raises(BadOption, match=r"was written by other code: .* other rules of chomp"):
            asked_in(journal, f"{own}:Chomp")
        with pytest.raises(BadOption, match="was written by other code"):
            distributed(zermelo.game(f"{own}:Chomp").start(), journal=journal)
    finally:
        sys.modules.pop("chomp_words", None)


def test_own_games_are_shipped(tmp_path):
    source = EXAMPLES / "chomp.py"
    own = tmp_path / "chomp.py"
    own.write_text("import chomp_words\n" + source.read_text())
    beside = tmp_path / "chomp_words.py"
    beside.write_text("WORDS = ()\n")
    position = zermelo.game(f"{own}:Chomp").start()
    setup = Setup.of(position, zermelo.DFPN(), plain=True, seed=0, memory=1 << 20)
    assert setup.make()[0].text == position.text
    own.unlink()  # another machine has none of them
    beside.unlink()
    sys.path.remove(str(tmp_path))
    del sys.modules["chomp_words"]
    copy, _ = setup.make()
    assert copy.text == position.text
    assert sys.modules["chomp_words"].__file__ != str(beside)


def test_no_code_of_a_journal_is_run(tmp_path):
    own = tmp_path / "trap.py"
    own.write_text("raise SystemExit('the code of the journal was run')\n")
    setup = Setup.of(hex3(), zermelo.DFPN(), plain=True, seed=0, memory=1 << 20)
    facts = asdict(replace(setup, game=f"{own}:Chomp", files={str(own): own.read_text()}))
    journal = Journal(tmp_path / "journal")
    journal.begin({**facts, "goal": "value"})
    journal.close()
    with pytest.raises(BadOption, match="a game that is not built in; it has to be given"):
        zermelo.resume_journal(tmp_path / "journal")
    given = tmp_path / "mine.py"
    given.write_text((Path(__file__).parents[2] / "examples" / "chomp.py").read_text())
    with pytest.raises(zermelo.ZermeloError):  # the position is one of Hex
        zermelo.resume_journal(tmp_path / "journal", game=f"{given}:Chomp")


CHILD = ChildReport(1, UNKNOWN, 1, 1, "a")
REPORT = LeafReport(UNKNOWN, 1, 1, 5, 5, 0, True, True, "k", 0.0, (CHILD,))


@pytest.mark.parametrize("changes", [
    {"pn": -1}, {"dn": "many"}, {"children": 1}, {"children": []}, {"children": [1]},
    {"seconds": None}, {"visits": True}, {"children": [[1, 0, 1 << 63, 1, "a"]]},
])
def test_reports_that_make_no_sense(changes):
    assert LeafReport.of(json.loads(json.dumps(REPORT))) == REPORT
    with pytest.raises((ValueError, TypeError)):
        LeafReport.of(REPORT._replace(**changes))


def test_errors_of_a_worker_are_answers():
    worker = Worker(Setup.of(hex3(), zermelo.DFPN(), plain=True, seed=0, memory=1 << 20))
    order = {"kind": "search", "order": 1, "path": [99], "attacker": 0, "threshold": 1,
             "visits": 1, "th_pn": 9, "th_dn": 9}
    for sentence in ("move code '99' is not legal", "TypeError"):
        assert sentence in pickle.loads(worker.answer(pickle.dumps(order)))["error"]
        worker.at = None


def test_repetitions_are_no_progress():
    """A position that comes again is lost to the attacker, on this path and on no other."""
    def report(key, *children, attacker=True):
        return LeafReport(UNKNOWN, 1, 1, 1, 1, 0, True, attacker, key, 0.0, tuple(
            ChildReport(number, UNKNOWN, 1, 1, child) for number, child in enumerate(children)))

    tree = MasterTree(SumRule(sum_total, sum_share), (0, 1), cyclic=True)
    tree.take(tree.root, report("root", "a", "b"))
    a, b = tree.root.children
    tree.take(a, report("a", "root", attacker=False))
    assert (a.status, a.anchor) == (LOST, 0)
    assert "a" not in tree.facts
    tree.take(b, report("b", "a", attacker=False))
    assert b.status == UNKNOWN
    tree.take(b.children[0], report("a", "root"))
    assert (tree.status, tree.root.anchor) == (LOST, 1 << 30)
    assert tree.facts["root"] == {(0, 1): LOST}


def test_a_result_about_a_leaf_that_is_gone_is_counted_and_known():
    tree = MasterTree(SumRule(sum_total, sum_share), (0, 1))
    solved = REPORT._replace(status=WON, children=(), key="a")
    tree.replay((1, 2), solved)
    assert tree.find((1, 2)) is None
    assert tree.visits == solved.visits > 0  # it was paid for
    tree.replay((), REPORT)
    assert tree.status == WON


@pytest.mark.parametrize(("words", "sentence"), [
    (["--journal", "x"], "--journal needs --workers"),
    (["--journal", ""], "--journal needs --workers"),
    (["--workers", "2", "--threads", "2", "--deterministic"], "threads never do the same work "
     "twice, and with --deterministic (rounds=True) it is to be the same; give each worker"),
    (["--workers", "2", "--trace", "5"], "--trace does not go with --workers"),
    (["--workers", "2", "--threads", "0"], "threads='0' is not a whole number from 1 to "),
    (["--workers", "two"], "--workers 'two' is not a whole number"),
])
def test_commands(words, sentence):
    done = call("solve", "hex", "start", "-g", "size=3", *words)
    assert done.status == 2
    assert sentence in done.err
