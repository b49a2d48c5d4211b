"""Hex with the swap rule: records that have one, the rule against the slow twin, certificates."""

import random

import pytest
from brute import VALUES, BruteForce
from naive.hex import NaiveHex

import zermelo
from zermelo.errors import BadMove, BadOption
from zermelo.game_records.record import read_record
from zermelo.games.hex.game import Hex
from zermelo.games.hex.text import cell_name, stones
from zermelo.proof.header import Refused
from zermelo.proof.rules.hex import HexRules

# SOURCE: littlegolem.net, game 1139802, of which these are the first moves.
GOLEM = ("(;FF[4]EV[hex.ch.23.1.1]PB[one]PW[two]SZ[13]RE[W]GC[ game #1139802]"
         "SO[http://www.littlegolem.com];W[mf];B[swap];W[kj];B[ie];W[resign])")


def test_a_record_of_little_golem_with_its_swap():
    position = Hex().parse(GOLEM)
    assert (position.game.values, position.notation) == (
        {"size": 13, "swap": "yes"}, "SGF, Little Golem")
    x, o = stones(position)
    names = [[cell_name(13, i) for i in range(169) if bits >> i & 1] for bits in (x, o)]
    assert names == [["k10"], ["i5", "f13"]]  # m6 mirrored
    assert position.to_move == "X"
    record = read_record(Hex(), GOLEM)
    assert record.moves == ["m6", "swap", "k10", "i5"]
    assert [one.mover for one in record.positions] == [0, 1, 0, 1, 0]


def test_swaps_in_all_notations():
    for text in ("3x3: a2 swap c3", "a2 swap-pieces c3", "#3c1,a2:sc3", ".O./.../..X O",
                 ";B[a2];W[swap-pieces];B[c3]", ";W[ab];B[swap];W[cc]"):
        for game in (Hex(size=3), Hex(size=3, swap="yes")):
            position = game.parse(text)
            assert (stones(position), position.mover) == ((1 << 8, 1 << 1), 1), text
    for text in ("a2 swap-sides c3", "#3c1,a2:Sc3", ";B[a2];W[swap-sides];W[c3]"):
        for game in (Hex(size=3), Hex(size=3, swap="yes")):
            position = game.parse(text)
            assert (stones(position), position.mover) == ((1 << 3, 1 << 8), 0), text
            assert position.game["swap"] == "no"


def test_the_record_of_a_swap_is_written_and_read_again():
    game = Hex(size=3, swap="yes")
    position = game.start().play("a2", "swap", "c3")
    assert game.sgf(position) == "(;FF[4]GM[11]SZ[3];B[a2];W[swap-pieces];B[c3])"
    assert game.parse(game.sgf(position)) == position
    assert position.play("b2").text == ".O./.O./..X X"


@pytest.mark.parametrize("size", [2, 3, 9])
def test_the_swap_rule_against_the_twin(size):
    game, twin = Hex(size=size, swap="yes"), NaiveHex(size, "yes")
    for seed in range(6):
        chance, position, state = random.Random(seed), game.start(), twin.start()
        names = []
        while position.outcome is None:
            assert position.moves() == twin.moves(state)
            assert ("swap" in position.moves()) == (len(names) == 1)
            name = "swap" if len(names) == 1 and seed % 2 else chance.choice(twin.moves(state))
            position, state, names = position.play(name), twin.play(state, name), [*names, name]
            assert twin.from_position(position) == state
            assert game.parse(position.text) == position
        assert position.outcome == twin.outcome(state)


def test_values_with_the_swap_rule_are_those_of_brute_force():
    brute = BruteForce(NaiveHex(3, "yes"))
    game = Hex(size=3, swap="yes")
    assert brute.value(brute.naive.start()) == -1  # with best play the second player wins
    assert zermelo.solve(game.start()).value == "loss"
    for first in ("a1", "b2", "a3", "b1"):
        position = game.start().play(first)
        for after in (position, position.play("swap"), position.play("c3")):
            state = brute.naive.from_position(after)
            for plain in (False, True):
                found = zermelo.solve(after, plain=plain)
                assert found.value == VALUES[brute.value(state)], (first, after.text)


def test_a_certificate_is_refused_where_a_swap_is_open():
    game = Hex(size=3, swap="yes")
    for text in ("start", "b2"):
        with pytest.raises(BadOption, match="a certificate can't hold a swap"):
            game.check_certificate(game.parse(text))
    game.check_certificate(game.parse("b2 swap"))


@pytest.mark.long
def test_no_certificate_holds_a_swap(tmp_path):
    game = Hex(size=3, swap="yes")
    for text in ("start", "b2"):
        session = zermelo.Session(game.parse(text))
        session.run(zermelo.Limits())
        with pytest.raises(BadOption, match="a certificate can't hold a swap"):
            zermelo.write_proof(session, tmp_path / "x.proof")
    session = zermelo.Session(game.parse("b2 swap"))
    session.run(zermelo.Limits())
    zermelo.write_proof(session, tmp_path / "x.proof")
    assert zermelo.verify(tmp_path / "x.proof").verified


def test_moves_that_are_no_swap():
    start = Hex(size=3, swap="yes").start()
    with pytest.raises(BadMove, match="a swap is the answer to the first stone"):
        start.play("swap")
    with pytest.raises(BadMove, match="that changes who plays which colour"):
        start.play("a1", "swap-sides")
    with pytest.raises(BadMove, match="there is no swap in this game of Hex; with swap=yes"):
        Hex(size=3).start().play("a1", "swap")


def test_the_checker_knows_where_a_swap_may_come():
    rules = HexRules({"size": 3, "swap": "yes"}, False)
    for text in ("3x3:", "3x3: a1", "X../.../... O"):
        with pytest.raises(Refused, match="a swap may still come"):
            rules.read(text)
    assert rules.read("O../.../... X") == (0, 1, 0)
    with pytest.raises(Refused, match="swap is 'maybe', not yes or no"):
        HexRules({"size": 3, "swap": "maybe"}, False)
    assert HexRules({"size": 3, "swap": "no"}, False).read("3x3: a1") == (0, 1, 1)
