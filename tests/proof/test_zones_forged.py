"""No certificate of zones proves what is not true: thousands of them against brute force."""

import random

import pytest
from brute import BruteForce
from certificates import text_only
from forged_zones import (
    Maker,
    header_of,
    mutated,
    random_parameters,
    random_text,
    zones_file,
)
from naive.k_in_a_row import NaiveKInARow

import zermelo
from zermelo.proof.budget import CheckBudget
from zermelo.proof.header import Refused
from zermelo.proof.rules.k_in_a_row import InARowRules
from zermelo.proof.zones import threats as checks
from zermelo.proof.zones.threats import ZoneChecker


def accepted(rules, root, winner, body, exhaustive=False):
    """Whether the checker takes it."""
    try:
        ZoneChecker(rules, root, winner, body, CheckBudget(), exhaustive).run()
    except Refused:
        return False
    return True


def is_won(parameters, text, winner):
    """By brute force over the slow twin."""
    twin = NaiveKInARow(**parameters)
    state = twin.from_position(text_only(text))
    return twin.outcome(state) is None and BruteForce(twin).for_player(state, winner) == 1


def attack(count, seed):
    """Makes ``count`` certificates; how many were accepted, by either check, and of which sort."""
    rng, made, found = random.Random(seed), 0, {"attack": 0, "defence": 0, "exhaustive": 0}
    while made < count:
        parameters = random_parameters(rng)
        winner = rng.randrange(2)
        text = random_text(parameters, rng, winner)
        rules = InARowRules(parameters, False)
        try:
            root = rules.read(text)
        except Refused:
            continue
        body = Maker(rules, winner).everything(root) if root[1] != rules.squares else None
        if body is None:
            continue
        bodies = [body, *(mutated(body, rng) for _ in range(3))]
        for one in bodies:
            made += 1
            ways = [w for w in (False, True) if accepted(rules, root, winner, one, w)]
            if ways:
                found["attack" if root[2] == winner else "defence"] += 1
                found["exhaustive"] += True in ways
                assert is_won(parameters, text, winner), (parameters, text, winner, one)
    return found


def test_nothing_false_is_accepted():
    found = attack(4_000, 1)
    assert min(found.values()) >= 100, found


@pytest.mark.full
@pytest.mark.parametrize("seed", range(2, 12))
def test_nothing_false_is_accepted_in_many_more(seed):
    found = attack(20_000, seed)
    assert min(found.values()) >= 500, found


def test_a_checker_without_one_of_its_arguments_is_taken_in(monkeypatch):
    """The forgeries are good enough: without the lines of the other side some would pass."""
    def careless(self, node, left):
        return []

    monkeypatch.setattr(checks.ZoneChecker, "_needed", careless)
    with pytest.raises(AssertionError):
        attack(2_000, 1)


THREE = {"columns": 18, "rows": 1, "line": 2, "stones": 2, "first": 3, "overline": "no-win"}
PAIRS_OF_PAIRS = "XXX..XXX..XXX..XXX X3"


def test_three_stones_in_a_turn_are_refused(tmp_path):
    """Two stones can't stop what three can; the position is a draw."""
    assert not is_won(THREE, PAIRS_OF_PAIRS, 1)
    path = tmp_path / "three.proof"
    row = {"null": 0, "seconds": {}, "wins": [], "nodes": []}
    for parameters, text in ((THREE, PAIRS_OF_PAIRS), ({**THREE, "stones": 3}, PAIRS_OF_PAIRS),
                             ({**THREE, "stones": 3}, PAIRS_OF_PAIRS.replace("X3", "X1"))):
        path.write_bytes(zones_file(header_of(parameters, text, 1, wins=1), [row, [[3, 4]]]))
        for exhaustive in (False, True):
            report = zermelo.verify(path, exhaustive=exhaustive)
            assert report.verdict == "refused"
            assert report.reason == "a turn has 3 stones, and zones are for turns of one or two"


def test_nothing_to_prove(tmp_path):
    """Positions that are over, and boards that fill up."""
    path = tmp_path / "over.proof"
    three = {"columns": 3, "rows": 3, "line": 3, "stones": 1, "first": 1, "overline": "wins"}
    for text, reason in (("XXX/OO./... O", "the game is over, and there is nothing to prove"),
                         ("XOX/XOO/OXX O", "the game is over, and there is nothing to prove")):
        path.write_bytes(zones_file(header_of(three, text, 0, wins=1), [{"win": 0}, [[5]]]))
        assert zermelo.verify(path).reason == reason
    path.write_bytes(zones_file(header_of(three, "XOX/XOO/OX. X", 0, nodes=2, wins=1), [
        {"turn": [8], "then": 1}, {"null": 0, "seconds": {}, "wins": [], "nodes": []}, [[8]]]))
    assert zermelo.verify(path).reason == (
        "X wins: node 1: the board is full, and the game a draw")
    header = header_of(three, "XX./OO./... X", 0, nodes=0)
    path.write_bytes(zones_file(header, [], b"\n"))
    assert zermelo.verify(path).reason.startswith("nodes is '0', not 1 to ")
