"""Attacks on relevance zones: replies they leave out, boards that fill up, forged certificates."""

import random
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest

import zermelo
from zermelo import BadPosition, Value, Zones
from zermelo.core.winning_lines import EMPTY
from zermelo.games.k_in_a_row.shape import Shape
from zermelo.games.k_in_a_row.winning_lines import lines_of
from zermelo.search.zones.certificate import Certificate, certificate_of
from zermelo.search.zones.check import check_certificate
from zermelo.search.zones.generator import ZoneGenerator
from zermelo.search.zones.graph import Graph

# columns, rows, line, stones a turn, exactly; the defender's stones stand in one line
BOARDS = [(6, 6, 5, 2, False), (7, 7, 6, 2, False), (6, 6, 5, 2, True), (7, 6, 4, 1, False)]


def crowded(lines, rng, attacker):
    """Random stones without a line; many of the defender's in one row."""
    while True:
        owners = np.full(lines.squares, EMPTY, np.int8)
        row = rng.choice(lines.sets.tolist())
        owners[rng.sample(row, rng.randint(0, len(row) - 1))] = 1 - attacker
        free = np.flatnonzero(owners == EMPTY).tolist()
        stones = rng.sample(free, rng.randint(6, len(free) // 2))
        owners[stones] = attacker
        owners[stones[: len(stones) // 3]] = 1 - attacker
        held = owners[lines.sets]
        if not any((held == side).all(1).any() for side in (0, 1)):
            return owners


@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_replies_that_zones_leave_out_lose_to_threats(board):
    columns, rows, line, stones, exactly = board
    lines, rng, seen = lines_of(Shape(columns, rows, line, stones, 1, exactly)), random.Random(4), 0
    generator = ZoneGenerator(lines, 0, Zones(eager=False, effort=20_000))
    for n in range(400):
        owners, left = crowded(lines, rng, 0), 1 + n % stones
        null, replies = generator.win(owners, stones), generator.replies(owners, left)
        if replies.open is None or null is None or null.turns == 1:
            continue
        tried = {tuple(sorted(turn)) for turn in replies.open}
        empty = np.flatnonzero(owners == EMPTY).tolist()
        others = [turn for turn in combinations(empty, left) if turn not in tried]
        for turn in rng.sample(others, min(len(others), 100)):
            after = owners.copy()
            after[list(turn)] = 1
            assert generator.win(after, stones) is not None, (owners.tolist(), turn)
        seen += 1
    assert seen >= 10


def nearly_full(game, rng, attacker):
    """A position with 2 to 14 empty squares in which the other side moves; None where the stones
    can't stand so."""
    columns, cells = game["columns"], game["columns"] * game["rows"]
    stones = cells - rng.randint(2, 14)
    own = (stones + rng.randint(-2, 6)) // 2
    marks = ["XO"[attacker]] * own + ["OX"[attacker]] * (stones - own) + ["."] * (cells - stones)
    rng.shuffle(marks)
    rows = ["".join(marks[i : i + columns]) for i in range(0, cells, columns)]
    try:
        return game.parse("/".join(rows) + f" {'OX'[attacker]}{rng.randint(1, game['stones'])}")
    except BadPosition:
        return None


@pytest.mark.full
def test_wins_against_a_defender_who_moves_are_wins():
    game = zermelo.game("k-in-a-row", columns=6, rows=5, line=4, stones=2)
    rng, found = random.Random(8), 0
    for n in range(3_000):
        position = nearly_full(game, rng, n % 2)
        if position is None or position.outcome is not None:
            continue
        session = zermelo.start(position, "df-pn", goal="win", player=n % 2, candidates=True)
        if session.run(zermelo.Limits(nodes=20_000, memory="4MB")).value == Value.WIN:
            found += 1
            value = zermelo.solve(position, "weak-df-pn", memory="64MB").value
            assert value == Value.LOSS, position.text
    assert found >= 150


FOUR = zermelo.game("k-in-a-row", columns=4, rows=4, line=4, stones=2)
LAST_ROW = "XXOO/OOXX/XXOO/X... X2"


def test_the_last_square_of_the_board_can_be_taken(monkeypatch):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    position = FOUR.parse(LAST_ROW)  # X takes two squares of the row, O the last: a draw
    result = zermelo.solve(position, "df-pn", goal="win", candidates=True, plain=True)
    assert (result.value, result.stopped) == (Value.UNKNOWN, "candidates")
    full = position.play("b1", "c1")
    lines = FOUR.rules.lines
    owners, left = lines.read(full.state[0])
    assert (left, int((owners == EMPTY).sum())) == (2, 1)
    graph = Graph(lines, 0, Zones(), owners, 1, left)
    assert graph.open(graph.root).turns == [(15,)]
    forged = Certificate(FOUR.name, FOUR.changed, LAST_ROW, 0, Zones(), [
        {"turn": [13, 14], "then": 1}, {"zone": [15], "replies": [], "seconds": {}}])
    for exhaustive in (False, True):
        report = check_certificate(forged, position, exhaustive)
        assert report.reason == "node 1: the reply (15,) has no answer"


def without(certificate, number, at):
    """The certificate without one reply of a node, and without what only that leads to."""
    nodes = [dict(row) for row in certificate.nodes]
    nodes[number]["replies"] = [r for i, r in enumerate(nodes[number]["replies"]) if i != at]
    places, order = {0: 0}, [0]
    for old in order:  # grows on the way
        then = [nodes[old].get("then")] + [reply[-1] for reply in nodes[old].get("replies", ())]
        for child in then:
            if child is not None and child not in places:
                places[child] = len(order)
                order.append(child)
    kept = [dict(nodes[old]) for old in order]
    for row in kept:
        if row.get("then") is not None:
            row["then"] = places[row["then"]]
        if "replies" in row:
            row["replies"] = [[*turn, places[then]] for *turn, then in row["replies"]]
    return replace(certificate, nodes=kept)


def proof_of(game, text):
    position = game.parse(text)
    session = zermelo.start(position, "df-pn", goal="win", candidates=True, plain=True)
    assert session.run().value == Value.WIN
    return certificate_of(session.runs[0]), position


def test_a_certificate_without_one_of_its_replies():
    game = zermelo.game("k-in-a-row", columns=8, rows=8, line=5)
    certificate, position = proof_of(
        game, "......../......../...O..../....XX../...X..../......../......../........ X")
    replies = [(number, at) for number, row in enumerate(certificate.nodes)
               for at in range(len(row.get("replies", ())))]
    assert len(replies) > 20
    for number, at in replies:
        report = check_certificate(without(certificate, number, at), position)
        assert "has no answer" in report.reason


def test_a_certificate_whose_zones_lack_a_square():
    # The middle of the board after 7 stones of game 6597 of lzy-wj/Nebula-Zero-Connect6 (MIT).
    game = zermelo.game("connect6", columns=10, rows=10)
    certificate, position = proof_of(game, "d4 e2f4 e5f6 c3f3")
    attack, defence = certificate.nodes
    assert len(defence["seconds"]) == 2
    for s, second in defence["seconds"].items():
        for square in second:
            less = {**defence["seconds"], s: [t for t in second if t != square]}
            forged = replace(certificate, nodes=[attack, {**defence, "seconds": less}])
            reason = check_certificate(forged, position).reason
            assert f"the zone of a stone on {s} lacks [{square}]" in reason
