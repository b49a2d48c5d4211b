"""Certificates that are right: every kind of claim and game, longest lines, searches, samples."""

import random
import signal
from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from certificates import (
    FOUR,
    Chase,
    NaiveGraph,
    Truth,
    add,
    strategy,
    taken_apart,
    twin_of,
    value_claims,
    write,
)
from test_proof_mutations import SUBJECTS

import zermelo
from zermelo.proof import SEARCH, CertificateWriter, Claim, verify
from zermelo.proof import check as checking
from zermelo.proof import workers as pools
from zermelo.proof.check import Checker
from zermelo.proof.pack import packer_for
from zermelo.workers.signals import interrupts_deferred

NAMES = [name for name, (game, *_) in SUBJECTS.items() if isinstance(game, str)]


def position_of(name):
    """The position of a subject that is a built-in game."""
    game, parameters, text = SUBJECTS[name]
    return zermelo.game(game, **parameters).parse(text)


def longest(position, found, claim):
    """The most moves that a game lasts if the prover plays as in ``found``."""

    @cache
    def lasts(position):
        if position.outcome is not None:
            return 0
        if position.mover == claim.prover:
            folded = position.canonical()
            return 1 + lasts(folded.play_code(found[folded][0]))
        return 1 + max(lasts(position.play_code(code)) for code in position.codes())

    return lasts(position)


@pytest.mark.parametrize("name", NAMES)
def test_values_of_the_built_in_games(name, tmp_path):
    """The value of a position as one claim or two; with the longest line, known for all of them."""
    position, path = position_of(name), tmp_path / "a.proof"
    twin, claims, found = twin_of(position.game), value_claims(position), []
    with CertificateWriter(path, position, claims) as writer:
        for i, claim in enumerate(claims):
            found.append(strategy(position, Truth(twin, claim), random.Random(1)))
            add(writer, i, found[-1])
    report = verify(path)
    assert (report.verdict, report.reason, report.rules) == ("verified", "", "naive")
    assert report.exit_status == 0
    assert [each.claim for each in report.claims] == [
        claim.words(position.game.players) for claim in claims]
    assert [claim.longest for claim in report.claims] == [
        longest(position, some, claim) for some, claim in zip(found, claims, strict=True)]
    assert report.records == writer.records == sum(len(some) for some in found)
    assert report.digest == writer.digest
    assert report.positions > report.records


def test_the_layouts_are_small():
    """At most 16 bytes a record on boards."""
    for name, parameters, size in [
            ("connect-four", {}, 14), ("connect-four", {"columns": 8, "rows": 7}, 16),
            ("othello", {}, 16), ("othello", {"size": 4}, 12), ("hex", {"size": 8}, 16),
            ("hex", {"size": 5}, 8), ("tic-tac-toe", {}, 4), ("p-game", {}, 20)]:
        packer = packer_for(zermelo.game(name, **parameters))
        keys = packer.keys(np.zeros(1, packer.dtype), 0)
        assert packer.records(keys, np.array([SEARCH], np.int32)).shape == (1, size)


NODES = {"r": ("or", ["a", "b"]), "a": ("and", ["r", "w"]), "b": ("and", ["c", "w"]),
         "c": ("or", ["b", "w"]), "w": "win"}


def test_a_graph(tmp_path):
    position = zermelo.graph(NODES).start()
    write(tmp_path / "a.proof", position, [Claim(0)], twin=NaiveGraph(NODES))
    report = verify(tmp_path / "a.proof", game=position.game)
    assert report.verified, report.reason
    assert report.rules == "the game's own"
    assert [claim.longest for claim in report.claims] == [4 - 1]
    assert report.root == position.diagram


class Turned(Chase):
    """On a ring, turned until the first player stands on cell 0."""

    def define(self):
        def canonical(g, s, t):
            t.a, t.b, t.turn, t.left = 0, (s.b - s.a) % g.cells, s.turn, s.left
            return 0

        return replace(super().define(), canonical=canonical,
                       move_image=lambda g, k, move: move)


def test_a_users_game_with_symmetries(tmp_path, without_jit):
    path, game = tmp_path / "a.proof", Turned(cells=5, ring=1)
    write(path, game.start().play("1"), [Claim(0, False)])
    report = verify(path, game=game)
    assert (report.verdict, report.reason, report.header.folded) == ("verified", "", True)


@pytest.mark.parametrize(("parameters", "claims", "longest"), [
    ({}, [Claim(0)], 7), ({"cells": 6, "steps": 2}, [Claim(0)], 9),
    ({"cells": 5, "ring": 1}, [Claim(0, False), Claim(1, False)], None),
    ({"cells": 2}, [Claim(0)], 0), ({}, [Claim(1, False)], None)])
def test_a_game_with_cycles(parameters, claims, longest, tmp_path):
    """A win carries ranks; that a player does not win needs none."""
    path = tmp_path / "a.proof"
    write(path, Chase(**parameters).start(), claims)
    for game in (Chase, Chase(**parameters)):
        report = verify(path, game=game)
        assert report.verified, report.reason
    assert {claim["ranked"] for claim in taken_apart(path.read_bytes()).header["claims"]} == {
        claims[0].wins}
    if longest != 0:
        assert [claim.longest for claim in report.claims] == [longest] * len(claims)


def test_a_game_that_is_over_needs_no_record(tmp_path):
    game, path = zermelo.game("connect-four", **FOUR), tmp_path / "a.proof"
    over = game.parse("1213141")
    with CertificateWriter(path, over, [Claim(0), Claim(1, wins=False)]):
        pass
    report = verify(path)
    assert report.verified
    assert [(claim.records, claim.longest) for claim in report.claims] == [(0, 0), (0, 0)]


# --- search ---


def searched(tmp_path, position, claims, few, **options):
    """A certificate that leaves positions to a search where ``few`` says so."""
    write(tmp_path / "a.proof", position, claims, searches=few, **options)
    return verify(tmp_path / "a.proof", game=Chase if isinstance(position.game, Chase) else None)


@pytest.mark.long_cases("two stones a turn")
@pytest.mark.parametrize("name", NAMES)
def test_searches_take_the_place_of_records(name, tmp_path):
    """Some positions are left to the checker; what comes after them needs no record."""
    position = position_of(name)
    claims, rng = value_claims(position), random.Random(2)
    report = searched(tmp_path, position, claims, lambda state: rng.random() < 0.4)
    assert report.verified, report.reason
    assert 0 < sum(claim.searched for claim in report.claims) < report.records


def test_all_by_search(tmp_path):
    """One record is enough, if the limit is; the longest line is then that of the search."""
    position = zermelo.game("connect-four", **FOUR).parse(".....OX.OXX.OXO. X")
    claims = [Claim(1, wins=False)]
    report = searched(tmp_path, position, claims, lambda state: True, search=10_000)
    assert report.verified, report.reason
    assert [(claim.records, claim.searched) for claim in report.claims] == [(1, 1)]
    assert report.claims[0].longest == 8
    assert 10 < report.positions < 100


def test_a_search_in_a_game_with_cycles(tmp_path):
    for parameters, claims in (({}, [Claim(0)]), ({"ring": 1}, [Claim(0, wins=False)])):
        for few in (lambda state: True, lambda state: state[3] == 1 and state[0] > 0):
            report = searched(tmp_path, Chase(**parameters).start(), claims, few)
            assert report.verified, report.reason


def test_the_last_square_is_searched(tmp_path):
    """With one empty square a record can't tell a pass from a search, and is searched."""
    position = zermelo.game("othello", size=4).parse("OOOOOOOOOOOOXOO- O")
    assert position.moves() == ["pass"]
    write(tmp_path / "a.proof", position, [Claim(1), Claim(0, wins=False)])
    report = verify(tmp_path / "a.proof")
    assert report.verified, report.reason
    assert [(c.records, c.searched, c.longest) for c in report.claims] == [(1, 1, 2)] * 2


# --- workers, samples, progress ---


@pytest.fixture(scope="module")
def larger(tmp_path_factory):
    """A draw with some hundreds of records."""
    path = tmp_path_factory.mktemp("proof") / "larger.proof"
    position = zermelo.game("connect-four", **FOUR).parse("........X..OX.XO O")
    write(path, position, value_claims(position))
    return path


def test_workers_find_the_same(larger, monkeypatch):
    alone = verify(larger)
    for size, method in ((20, "fork"), (100, "spawn")):
        monkeypatch.setattr(pools, "BATCH", size)
        monkeypatch.setattr(pools, "start_method", lambda method=method: method)
        together = verify(larger, workers=2)
        assert together.verified
        assert (together.positions, together.claims) == (alone.positions, alone.claims)


def test_workers_find_the_same_failure(larger, tmp_path, monkeypatch):
    monkeypatch.setattr(pools, "BATCH", 20)
    parts = taken_apart(larger.read_bytes())
    del parts.records[1][len(parts.records[1]) // 2]
    (tmp_path / "a.proof").write_bytes(parts.joined())
    alone, together = (verify(tmp_path / "a.proof", workers=n) for n in (1, 2))
    assert alone.verdict == together.verdict == "refused"
    assert alone.reason == together.reason
    assert "there is no record for the position then" in alone.reason


def test_an_interrupt_waits_until_a_process_is_started(monkeypatch):
    usual, began = signal.getsignal(signal.SIGINT), []

    def start():
        with interrupts_deferred():
            signal.raise_signal(signal.SIGINT)
            began.append(True)

    with pytest.raises(KeyboardInterrupt):
        start()
    assert began
    assert signal.getsignal(signal.SIGINT) is usual
    monkeypatch.setattr(signal, "getsignal", lambda number: signal.SIG_IGN)
    with interrupts_deferred():  # nobody listens: nothing is to be held
        assert signal.signal(signal.SIGINT, usual) is usual


def test_a_user_s_game_can_have_workers(tmp_path, monkeypatch):
    monkeypatch.setattr(pools, "BATCH", 2)
    write(tmp_path / "a.proof", Chase().start(), [Claim(0)])
    for method in ("fork", "spawn"):
        monkeypatch.setattr(pools, "start_method", lambda method=method: method)
        assert verify(tmp_path / "a.proof", game=Chase, workers=2).verified


def test_a_sample_is_never_called_verified(larger, monkeypatch):
    seen = []
    monkeypatch.setattr(Checker, "follow", lambda self, place, number, *rest:
                        seen.append((self.claim, number)) or 0)
    total = verify(larger).records
    everything = sorted(seen, key=str)
    seen.clear()
    report = verify(larger, sample=10, seed=3)
    assert (report.verdict, report.verified, report.exit_status) == ("sample", False, 10)
    assert sum(claim.checked for claim in report.claims) == len(set(seen)) == 10
    assert {claim.longest for claim in report.claims} == {None}
    again = list(seen)
    seen.clear()
    verify(larger, sample=10, seed=3)
    assert seen == again
    seen.clear()
    verify(larger, sample=10, seed=4)
    assert seen != again
    seen.clear()
    report = verify(larger, sample=10 * total)
    assert report.verdict == "sample"
    assert sorted(seen, key=str) == everything


def test_a_sample_looks_at_the_root(larger, tmp_path):
    parts = taken_apart(larger.read_bytes())
    parts.header["position"] = "." * 16 + " X"
    (tmp_path / "a.proof").write_bytes(parts.joined())
    assert verify(tmp_path / "a.proof", sample=1).verdict == "refused"


def test_records_are_looked_up_in_pieces(larger, monkeypatch):
    whole = verify(larger)
    monkeypatch.setattr(checking, "MOST_WANTED", 10)
    assert verify(larger).claims == whole.claims
    assert verify(larger).verified


def test_progress_is_told(larger, monkeypatch):
    monkeypatch.setattr(pools, "BATCH", 50)
    told = []
    report = verify(larger, progress=lambda *numbers: told.append(numbers))
    assert told == sorted(told)
    assert told[-1] == (report.records, report.records, report.positions)
    assert len(told) > 10
