"""Attacks on relevance zones: replies they leave out, boards that fill up, forged certificates."""

import random
from itertools import combinations

import numpy as np
import pytest
from forged_zones import header_of, zones_file

import zermelo
from zermelo import BadPosition, Value, Zones
from zermelo.core.rules import EMPTY
from zermelo.games.k_in_a_row.rules import Shape, lines_of
from zermelo.search.zones.game import ZoneGraph
from zermelo.search.zones.generator import ZoneGenerator

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


@pytest.mark.quick_cases("(6, 6, 5, 2, False)")
@pytest.mark.parametrize("board", BOARDS, ids=str)
def test_replies_that_zones_leave_out_lose_to_threats(board):
    columns, rows, line, stones, exactly = board
    lines, rng, seen = lines_of(Shape(columns, rows, line, stones, 1, exactly)), random.Random(4), 0
    generator = ZoneGenerator(lines, 0, Zones(eager=False, effort=20_000))
    for n in range(400):
        owners, left = crowded(lines, rng, 0), 1 + n % stones
        null, (replies, _) = generator.win(owners, stones), generator.replies(owners, left)
        if replies is None or null is None or null.turns == 1:
            continue
        tried = {tuple(sorted(turn)) for turn in replies}
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


def test_the_last_square_of_the_board_can_be_taken(monkeypatch, tmp_path):
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    position = FOUR.parse(LAST_ROW)  # X takes two squares of the row, O the last: a draw
    result = zermelo.solve(position, "df-pn", goal="win", candidates=True, plain=True)
    assert (result.value, result.stopped) == (Value.UNKNOWN, "candidates")
    full = position.play("b1", "c1")
    lines = FOUR.rules.lines
    owners, left = lines.read(full.state[0])
    assert (left, int((owners == EMPTY).sum())) == (2, 1)
    graph = ZoneGraph(lines, 0, Zones(), owners, 1, left)
    assert graph.open(graph.root).turns == [(15,)]
    path = tmp_path / "forged.proof"
    defence = {"null": 0, "seconds": {}, "wins": [[15, 0]], "nodes": []}
    path.write_bytes(zones_file(header_of(dict(FOUR.values), LAST_ROW, 0, 2, 1), [
        {"turn": [13, 14], "then": 1}, defence, [[15]]]))
    for exhaustive in (False, True):
        assert zermelo.verify(path, exhaustive=exhaustive).reason == (
            "X wins: node 1: the reply (15,): the turn (15,) of win 0 is not legal")
