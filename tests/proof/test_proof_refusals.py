"""Proofs that do not hold: where and why; other people's games; options; OpenSpiel."""

import os
import sys
from dataclasses import replace

import numpy as np
import pytest
from certificates import FOUR, Chase, NaiveGraph, refused, taken_apart, write

import zermelo
from zermelo.errors import BadCertificate, BadOption
from zermelo.games.registry import BUILT_IN
from zermelo.proof import SEARCH, CertificateWriter, Claim, verify
from zermelo.proof import check as checking
from zermelo.proof import workers as pools

GAME = zermelo.game("connect-four", **FOUR)
ROOT = ".........OX..XOX O"


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    """A small certificate."""
    path = tmp_path_factory.mktemp("proof") / "a.proof"
    write(path, GAME.parse(ROOT), [Claim(1)])
    return path.read_bytes()


def one_record_refused(tmp_path, position, claim, move, game=None, rank=None, **options):
    """Why a certificate with one record, for the root, is refused."""
    path = tmp_path / "one.proof"
    ranks = None if rank is None else np.array([rank])
    with CertificateWriter(path, position, [claim], **options) as writer:
        writer.add(0, position.canonical().state, np.array([move]), ranks)
    return refused(tmp_path, path.read_bytes(), game=game)


def test_records_that_are_not_sorted(content, tmp_path):
    parts = taken_apart(content)
    parts.records[0][3:5] = parts.records[0][4:2:-1]
    assert "record 5 of the claim 'O wins' does not come after" in refused(
        tmp_path, parts.joined())
    parts.records[0][3] = parts.records[0][4]
    assert "does not come after the one before it" in refused(tmp_path, parts.joined())


def test_where_it_fails(tmp_path):
    """The record, its position, the moves from there and the reason."""
    reason = one_record_refused(tmp_path, GAME.parse("1212124"), Claim(1), 0)
    assert reason == ("O wins: record 1 of 1, ....XO..XO..XO.X O, after 1 2: there is no record "
                      "for the position then")
    path = tmp_path / "none.proof"
    with CertificateWriter(path, GAME.parse(ROOT), [Claim(1)]):
        pass
    assert refused(tmp_path, path.read_bytes()) == (
        f"O wins: the root, {ROOT}: there is no record for the position then")


def test_a_false_search(tmp_path):
    draw = GAME.parse(".....OX.OXX.OXO. X")
    assert "shows that the claim is false" in one_record_refused(tmp_path, draw, Claim(0), SEARCH)
    message = one_record_refused(tmp_path, draw, Claim(1, wins=False), SEARCH, search=10)
    assert message.endswith("a search of 10 positions does not settle it")
    ring = Chase(ring=1).start()
    assert "shows that the claim is false" in one_record_refused(
        tmp_path, ring, Claim(0), SEARCH, Chase, rank=5)
    assert "does not settle it" in one_record_refused(
        tmp_path, ring, Claim(0), SEARCH, Chase, rank=5, search=10)


def test_games_that_end_otherwise(tmp_path):
    board = zermelo.game("tic-tac-toe").parse("XX./OO./... X")
    reason = one_record_refused(tmp_path, board, Claim(0), 8)
    assert reason.endswith("after c1 c2: the game ends with a win for O")
    full = zermelo.game("tic-tac-toe").parse("XOX/XOO/O.X X")
    assert "ends in a draw" in one_record_refused(tmp_path, full, Claim(0), 7)


def test_a_win_in_a_game_with_cycles_needs_ranks(tmp_path):
    path = tmp_path / "a.proof"
    position = Chase().start()
    with CertificateWriter(path, position, [Claim(0)], ranked=False):
        pass
    assert "needs ranks" in refused(tmp_path, path.read_bytes(), game=Chase)
    write(path, position, [Claim(0)])
    parts = taken_apart(path.read_bytes())
    parts.records[0] = [row[:-4] + (5).to_bytes(4, "little") for row in parts.records[0]]
    assert "the rank of the next record is not lower" in refused(
        tmp_path, parts.joined(), game=Chase)


ROUND = {"r": ("or", ["a", "w"]), "a": ("and", ["b", "c"]), "b": ("and", ["a", "w"]),
         "c": ("and", ["w"]), "w": "win"}


def test_the_other_side_can_go_round_for_ever(tmp_path):
    graph = zermelo.graph(ROUND)
    move = graph.numbers["a"]
    reason = one_record_refused(tmp_path, graph.start(), Claim(0), move, graph, rank=1)
    assert reason.endswith("the other side can go round for ever")
    # That is no win for the AND player: the OR player, as prover, may let it happen.
    path = tmp_path / "a.proof"
    write(path, graph.start(), [Claim(1, wins=False)], twin=NaiveGraph(ROUND))
    assert verify(path, game=graph).verified


def test_too_much_between_two_moves(tmp_path, monkeypatch):
    monkeypatch.setattr(checking, "MOST_BETWEEN", 3)
    game = zermelo.game("k-in-a-row", columns=4, rows=3, stones=2)
    reason = one_record_refused(tmp_path, game.parse("b2 a1"), Claim(1), 1)
    assert "more than 3 positions before the prover moves again" in reason


def test_a_record_for_the_other_side(tmp_path):
    path = tmp_path / "a.proof"
    write(path, Chase().start(), [Claim(0)])
    parts = taken_apart(path.read_bytes())
    parts.records[0][0] = parts.records[0][0][:16] + (1).to_bytes(4, "little") \
        + parts.records[0][0][20:]
    assert "the other side moves there" in refused(tmp_path, parts.joined(), game=Chase)


def test_a_record_of_a_finished_game(content, tmp_path):
    parts = taken_apart(content)
    won = bytes([0, 0, 0b1111, 0, 0, 0])  # a column of the other side's stones
    parts.records[0].insert(0, won)
    assert "the game is over there" in refused(tmp_path, parts.joined())


def test_a_move_that_is_not_legal(tmp_path):
    path = tmp_path / "a.proof"
    write(path, Chase().start(), [Claim(0)])
    parts = taken_apart(path.read_bytes())
    row = parts.records[0][0]
    parts.records[0][0] = row[:24] + (9).to_bytes(4, "little") + row[28:]
    assert "after 9: that move is not legal there" in refused(tmp_path, parts.joined(), game=Chase)


# --- other people's games ---


def test_a_game_that_is_not_built_in_must_be_named(tmp_path):
    path = tmp_path / "a.proof"
    write(path, Chase().start(), [Claim(0)])
    with pytest.raises(BadCertificate, match="--game"):
        verify(path)
    with pytest.raises(BadCertificate, match="about the game 'chase', not about 'graph'"):
        verify(path, game=zermelo.graph(ROUND))
    with pytest.raises(BadOption, match="OpenSpiel has no game 'chase'"):
        verify(path, game=Chase, rules="open-spiel")
    with pytest.raises(BadOption, match="rules='compiled' is for built-in games, not for 'chase'"):
        verify(path, game=Chase, rules="compiled")
    content = path.read_bytes()
    assert "not with" in refused(tmp_path, content, game=Chase(cells=6))
    parts = taken_apart(content)
    for changes, message in (({"parameters": {"cells": 99}}, "out of range"),
                             ({"folded": True}, "has no symmetries"),
                             ({"position": "7 7 7"}, "can't be read"),
                             ({"layout": {"kind": "fields", "fields": [["a", "<i8", 1]]}},
                              "layout")):
        changed = taken_apart(content)
        changed.header.update(changes)
        changed.records = [[] for _ in parts.records]
        assert message in refused(tmp_path, changed.joined(), game=Chase)


class Moody(Chase):
    """A game whose rules can't stand some states."""

    name = "moody"

    def define(self):
        rules = super().define()
        usual = rules.outcome

        def outcome(g, s):
            if s.a > 50:
                return [][s.a]
            return 9 if s.a > 40 else usual(g, s)

        return replace(rules, outcome=outcome)


def test_rules_that_fail(tmp_path):
    path = tmp_path / "a.proof"
    position = Moody().start()
    for cell, message in ((60, "outcome: IndexError"), (45, r"outcome 9")):
        with CertificateWriter(path, position, [Claim(0)]) as writer:
            state = np.zeros(1, position.game.rules.dtype)
            state["a"] = cell
            writer.add(0, state, np.zeros(1, np.int32), np.ones(1))
        assert message in refused(tmp_path, path.read_bytes(), game=Moody)


def test_a_position_of_another_tree(tmp_path):
    class Trees(type(zermelo.game("p-game"))):
        name = "trees"

    path = tmp_path / "a.proof"
    with CertificateWriter(path, Trees(depth=1).start(), [Claim(0)]):
        pass
    parts = taken_apart(path.read_bytes())
    parts.header["position"] = "b=2,d=1,range=127,seed=9,generator=1"
    assert "is one of another game" in refused(tmp_path, parts.joined(), game=Trees)


def test_options_out_of_range(content, tmp_path):
    path = tmp_path / "a.proof"
    path.write_bytes(content)
    for options, message in (({"workers": 0}, "workers='0'"), ({"workers": 10**6}, "1 to 256"),
                             ({"workers": "2"}, "workers"), ({"sample": 0}, "sample='0'"),
                             ({"rules": "mine"}, "naive, compiled, open-spiel"),
                             ({"game": GAME}, "built-in")):
        with pytest.raises(BadOption, match=message):
            verify(path, **options)


def test_open_spiel_may_be_missing(content, tmp_path, monkeypatch):
    path = tmp_path / "a.proof"
    path.write_bytes(content)
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    with pytest.raises(BadOption, match="pip install"):
        verify(path, rules="open-spiel")


def test_open_spiel_does_not_have_every_game(tmp_path):
    pytest.importorskip("pyspiel")
    played_on = "OpenSpiel can't set up a position of {}, only play on from the start of a game"
    two = "OpenSpiel has no such game with more than one stone in a turn"
    reasons = {
        ("p-game",): "OpenSpiel has no P-game",
        ("othello",): played_on.format("Othello"),
        ("lines-of-action",): played_on.format("Lines of Action"),
        ("xiangqi",): played_on.format("Xiangqi"),
        ("connect6",): two, ("k-in-a-row", "stones", 2): two, ("k-in-a-row", "first", 2): two,
        ("gomoku", "overline", "no-win"): "a longer line wins too, and here overline is no-win",
    }
    assert {name for name, *_ in reasons} | {"connect-four", "hex", "tic-tac-toe"} == set(BUILT_IN)
    for (name, *changed), reason in reasons.items():
        game = zermelo.game(name, **dict([changed] if changed else []))
        with CertificateWriter(tmp_path / "a.proof", game.start(), [Claim(0)]):
            pass
        with pytest.raises(BadOption, match=f"{reason}; use the naive rules."):
            verify(tmp_path / "a.proof", rules="open-spiel")


def test_open_spiel_checks_too(content, tmp_path):
    pytest.importorskip("pyspiel")
    path = tmp_path / "a.proof"
    path.write_bytes(content)
    naive, theirs = verify(path), verify(path, rules="open-spiel")
    assert (theirs.verdict, theirs.rules) == ("verified", "OpenSpiel")
    assert (theirs.positions, theirs.claims) == (naive.positions, naive.claims)
    parts = taken_apart(content)
    del parts.records[0][5]
    assert "no record" in refused(tmp_path, parts.joined(), rules="open-spiel")
    # A root that OpenSpiel can't set up, since X has a stone too many.
    odd = GAME.parse("............X... X")
    with CertificateWriter(path, odd, [Claim(1, wins=False)]):
        pass
    assert "can't set up" in refused(tmp_path, path.read_bytes(), rules="open-spiel")


def _dies(self, numbers):
    os._exit(1)


def test_a_worker_that_dies(content, tmp_path, monkeypatch):
    monkeypatch.setattr(pools, "BATCH", 5)
    monkeypatch.setattr(checking.Checker, "batch", _dies)
    path = tmp_path / "a.proof"
    path.write_bytes(content)
    with pytest.raises(BadCertificate, match="was killed"):
        verify(path, workers=2)
