"""Wins by threats are certified as such: small files that the checker of zones follows."""

import random

import pytest
from command import call

import zermelo
from zermelo import VCDT
from zermelo.lab.experiment import data_file
from zermelo.proof import verify
from zermelo.proof.header import ZONES
from zermelo.proof.read import Certificate
from zermelo.proof.show import ProofWalk

SIX = zermelo.game("connect6")
SET = data_file("connect6/zone-wins.txt").parent
SEVEN = "j10 j9j8 k8l9 j7k7 i9l7 j6i8 j5l8"
ANYWHERE = "j10 l12m11 i11k9 n10k13 j14o9 n9j13"
SMALL = [
    {"columns": 6, "rows": 5, "line": 4, "stones": 2},
    {"columns": 5, "rows": 5, "line": 4},
    {"columns": 7, "rows": 6, "line": 5, "overline": "no-win"},
]


def certified(position, path, search="vcdt"):
    """What was written about ``position``, and the result; None if threats do not win."""
    session = zermelo.start(position, search)
    result = session.run()
    return (zermelo.write_proof(session, path), result) if result.proved else None


def positions_of_the_set(count):
    """Positions of the set after the winner's turn and two stones far away: the winner's threats
    are all still there."""
    rows = [line.split("\t") for line in (SET / "zone-wins.txt").read_text().splitlines()[1:]]
    for name, _, _, _, moves in rows[:count]:
        walk = ProofWalk(SET / "proofs" / f"{name}.proof")
        node = walk.settled(walk.root)
        position = SIX.parse(moves).play(*node.played)
        assert position.mover != walk.claim.prover
        yield position.play(*[corner for corner in ("a1", "s1", "a19", "s19")
                              if corner in position.moves()][:2]), walk.prover


def test_positions_of_the_set(tmp_path):
    path, lengths = tmp_path / "proof", set()
    for position, winner in positions_of_the_set(12):
        written, result = certified(position, path)
        assert (position.to_move, result.value) == (winner, "win")
        assert (written.records, written.report.verified) == (1, True)
        assert Certificate(path).header.kind == ZONES
        assert verify(path).verified
        lengths.add(result.root["turns"])
    assert len(lengths) > 2


@pytest.mark.parametrize(("text", "search", "turns"), [
    (SEVEN, VCDT(), 7), (ANYWHERE, VCDT(), 6), (ANYWHERE, VCDT(free="anywhere"), 5)])
def test_long_wins(text, search, turns, tmp_path):
    """Records would be tens of millions."""
    written, result = certified(SIX.parse(text), tmp_path / "proof", search)
    assert result.root == {"turns": turns}
    assert (written.records, written.report.verified) == (1, True)
    assert written.bytes < 2_000
    assert verify(tmp_path / "proof", exhaustive=True).verified


@pytest.mark.quick_cases("{'columns': 6, 'rows': 5, 'line': 4, 'stones': 2}")
@pytest.mark.parametrize("parameters", SMALL, ids=str)
def test_wins_and_losses_on_small_boards(parameters, tmp_path):
    """A loss is a node of the other side: no reply stops the threats. The exhaustive check plays
    every one."""
    game, rng, seen = zermelo.game("k-in-a-row", **parameters), random.Random(3), {}
    cells = parameters["columns"] * parameters["rows"]
    for _ in range(300):
        position = game.start()
        for _ in range(rng.randint(4, cells - 2)):
            if position.outcome is None:
                position = position.play(rng.choice(position.moves()))
        done = certified(position, tmp_path / "proof") if position.outcome is None else None
        kind = (str(done[1].value), done[1].root["turns"]) if done is not None else None
        if kind is None or seen.get(kind, 0) == 5:
            continue
        seen[kind] = seen.get(kind, 0) + 1
        written, result = done
        assert written.records == 1
        claim = written.report.claims[0].claim
        loser = position.to_move if result.value == "loss" else None
        assert claim == f"{'XO'[position.mover ^ (loser is not None)]} wins"
        assert verify(tmp_path / "proof", exhaustive=True).verified
    assert {value for value, _ in seen} == {"win", "loss"}
    over = zermelo.start(result.last, "vcdt")
    over.run()
    assert zermelo.write_proof(over, tmp_path / "over").records == 0
    assert max(turns for _, turns in seen) > 1


def test_it_can_be_shown_and_checked_from_the_command_line(tmp_path):
    path = str(tmp_path / "proof")
    done = call("solve", "connect6", SEVEN, "--proof", path, "-q")
    assert done.status == 0
    assert f"certificate {path}: 1 node, " in done.out
    assert call("verify", path).status == 0
    node = ProofWalk(path).root
    assert node.answer.source == "threats"
    done = call("show", path, "--export", str(tmp_path / "tree.svg"))
    assert done.status == 0


def test_three_stones_a_turn_are_answered_by_records(tmp_path):
    game = zermelo.game("k-in-a-row", columns=5, rows=4, line=4, stones=3)
    position = game.parse("a2 c1")
    written, _ = certified(position, tmp_path / "proof")
    assert Certificate(tmp_path / "proof").header.kind != ZONES
    assert written.report.verified
