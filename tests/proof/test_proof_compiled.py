"""The compiled checker against the plain one: the same rules, the same reports."""

import random
import time

import numpy as np
import pytest
from certificates import taken_apart, value_claims, write
from mutants import mutants
from test_proof_mutations import SUBJECTS, roots_near
from test_proof_rules import header_of

import zermelo
from zermelo.errors import BadOption
from zermelo.proof import SEARCH, CertificateWriter, Claim, verify
from zermelo.proof import compiled as check
from zermelo.proof.check import Checker
from zermelo.proof.compiled import CompiledChecker, compiled_rules
from zermelo.proof.header import PASS
from zermelo.proof.read import Certificate, RecordTable, load
from zermelo.proof.rules import rules_for

GAMES = [
    ("connect-four", {}), ("connect-four", {"columns": 4, "rows": 4}),
    ("connect-four", {"columns": 5, "rows": 4, "line": 3}),
    ("connect-four", {"columns": 8, "rows": 7, "line": 5}), ("hex", {"size": 3}),
    ("hex", {"size": 8}), ("othello", {}), ("othello", {"size": 4}),
    ("othello", {"size": 6, "no_move": "loses"}),
]
CHECKED = ["connect-four 4x4, a win", "connect-four 4x4, a draw", "connect-four 7x6", "hex",
           "othello 4x4", "othello 6x6", "othello 8x8"]


@pytest.mark.parametrize(("name", "parameters"), GAMES)
def test_the_rules_are_those_of_the_plain_checker(name, parameters):
    game = zermelo.game(name, **parameters)
    plain = rules_for(header_of(game), "naive", None)
    t, (sound, end, places, play, fold), passes = compiled_rules(plain)
    rng = random.Random(f"{name} {parameters}")
    looked = 0
    for _ in range(6):
        state = plain.read(game.start().text)
        while True:
            own, taken, turn = np.uint64(state[0]), np.uint64(state[1]), state[2]
            looked += 1
            ended = plain.end(state)
            assert end(t, own, taken, turn) == (-1 if ended is None else ended)
            assert sound(t, own, taken)
            assert tuple(map(int, fold(t, own, taken, turn))) == plain.fold(state)
            if ended is not None:
                break
            moves = plain.moves(state)
            squares = [move for move in moves if move != PASS]
            assert int(places(t, own, taken)) == sum(1 << square for square in squares)
            assert passes or PASS not in moves
            for square in squares:
                after = play(t, own, taken, square)
                assert tuple(map(int, after)) == plain.play(state, square)[:2]
            if not moves:
                break
            state = plain.play(state, rng.choice(moves))
    assert looked > 20


def test_a_stone_in_the_air_is_not_sound():
    plain = rules_for(header_of(zermelo.game("connect-four")), "naive", None)
    t, (sound, *_), _ = compiled_rules(plain)
    assert not sound(t, np.uint64(0), np.uint64(2))


@pytest.fixture
def written(tmp_path):
    """Writes the certificate of a subject, with searches left to the checker if asked to."""
    def write_one(name, **options):
        kind, parameters, text = SUBJECTS[name]
        position = zermelo.game(kind, **parameters).parse(text)
        path = tmp_path / "a.proof"
        write(path, position, value_claims(position), **options)
        return path, position
    return write_one


def seen(report):
    """What a report says, but for the time and the name of the rules."""
    found = [report.verdict, report.reason, report.diagram]
    return [*found, report.positions, report.claims] if report.verified else found


@pytest.mark.quick_cases("connect-four 4x4, a win", "hex")
@pytest.mark.parametrize("name", CHECKED)
def test_changed_certificates_get_the_same_reports(written, name):
    path, position = written(name)
    parts = taken_apart(path.read_bytes())
    verdicts = []
    sound = ("as it was", parts)
    for _, changed in [sound, *mutants(parts, roots_near(position), 60, seed=2)]:
        path.write_bytes(changed.joined())
        plain, compiled = verify(path), verify(path, rules="compiled")
        assert seen(plain) == seen(compiled), changed
        verdicts.append(compiled.verdict)
    assert verdicts[0] == "verified"
    assert verdicts.count("refused") > 20


@pytest.mark.quick_cases("connect-four 4x4, a win", "hex")
@pytest.mark.parametrize("name", CHECKED)
def test_nothing_is_left_to_the_plain_checker_that_is_right(written, monkeypatch, name):
    rng = random.Random(name)
    path, _ = written(name, searches=lambda state: rng.random() < 0.3, search=5_000)
    expected = verify(path)
    assert expected.claims[0].searched > 0
    monkeypatch.setattr(Checker, "batch", None)
    assert seen(verify(path, rules="compiled")) == seen(expected)


def test_samples_and_several_processes(written, monkeypatch):
    monkeypatch.setattr("zermelo.proof.workers.BATCH", 10)
    path, _ = written("hex")
    plain = verify(path)
    both = verify(path, rules="compiled", workers=2)
    assert (seen(both), both.rules) == (seen(plain), "compiled")
    sample = verify(path, rules="compiled", sample=5, seed=3)
    assert (sample.verdict, sample.claims) == ("sample", verify(path, sample=5, seed=3).claims)


def test_ranks_are_looked_at_by_the_plain_checker():
    rules = rules_for(header_of(zermelo.game("hex", size=3)), "naive", None)
    rows = np.zeros((1, 4), np.uint8)
    table = RecordTable(rows, rules.keys(rows).view("S4").ravel(), np.ones(1, np.int64),
                  np.empty(0, np.int32), np.arange(1), [(0, 1)])
    kinds = []
    for kind in (Checker, CompiledChecker):
        with pytest.raises(Exception, match="not legal") as info:
            kind(rules, Claim(0), table, 10).batch(np.arange(1))
        kinds.append(info.value.args)
    assert kinds[0] == kinds[1]


@pytest.mark.parametrize(("name", "parameters"), [("tic-tac-toe", {}), ("hex", {"size": 9})])
def test_other_games_are_refused(tmp_path, name, parameters):
    position = zermelo.game(name, **parameters).start()
    with zermelo.proof.CertificateWriter(tmp_path / "a.proof", position, [Claim(0)]):
        pass
    with pytest.raises(BadOption, match="connect-four, hex and othello on boards of at most 64"):
        verify(tmp_path / "a.proof", rules="compiled")


def searches(path, count=60):
    """A certificate of Connect Four in which every record is left to the checker."""
    start, rng, found = zermelo.game("connect-four").start(), random.Random(1), {}
    while len(found) < count:
        position = start
        for _ in range(6):
            position = position.play(rng.choice(position.moves()))
        found[position.canonical().text] = position.canonical()
    with CertificateWriter(path, start, [Claim(0)], search=300_000) as writer:
        for position in found.values():
            writer.add(0, position.state, np.array([SEARCH]))
    return path


def test_many_searches_are_done_a_few_at_a_time(tmp_path, monkeypatch):
    path, calls = searches(tmp_path / "many.proof"), []

    def kernel(tables, words, numbers, *_):
        calls.append(list(numbers))
        time.sleep(0.02)
        return 0

    monkeypatch.setattr(check, "check_kernel", lambda *_: kernel)
    verify(path, rules="compiled")
    assert sorted(number for some in calls for number in some) == list(range(60))
    assert max(map(len, calls)) == 1_000_000 // 300_000 + 1
    calls.clear()
    report = verify(path, rules="compiled", time=0.1)
    assert (report.verdict, report.stopped) == ("undecided", "time")
    assert len(calls) < 8


def test_records_without_searches_are_done_at_once(written):
    path, _ = written("connect-four 4x4, a win", search=900_000)
    calls = []
    rules = rules_for(Certificate(path).header, "naive", None)
    checker = CompiledChecker(rules, Claim(0), load(Certificate(path), 0, rules), 900_000)
    checker._some = lambda numbers: calls.append(len(numbers))
    checker.batch(np.arange(len(checker.table.keys)))
    assert calls == [len(checker.table.keys)]
