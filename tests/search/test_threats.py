"""Threats and wins by threats against the slow way, on random small boards."""

import random
from itertools import combinations

import numpy as np
import pytest
from naive.threats import NaiveThreats

from zermelo.core.rules import EMPTY
from zermelo.games.k_in_a_row.rules import Shape, lines_of
from zermelo.search.reasons import CANDIDATES, SOLVED, WON
from zermelo.search.threats.threat_search import ThreatSearch

# columns, rows, line, stones a turn, exactly
BOARDS = [(6, 6, 4, 2, False), (7, 7, 5, 2, False), (6, 6, 5, 2, True), (7, 6, 4, 1, False),
          (5, 5, 4, 3, False), (7, 7, 6, 2, False)]
MOST = 4


def searches(board):
    columns, rows, line, stones, exactly = board
    lines = lines_of(Shape(columns, rows, line, stones, 1, exactly))
    return [ThreatSearch(lines, side, 12, True, 1 << 20) for side in (0, 1)]


def random_board(naive, rng, most_empty=None):
    """Stones of both sides without a line, about as many of each, as frozensets."""
    cells = len(naive.squares)
    while True:
        empty = rng.randint(cells // 4, most_empty or cells)
        stones = rng.sample(sorted(naive.squares), cells - empty)
        cut = len(stones) // 2 + rng.randint(-1, 1)
        own, other = frozenset(stones[: max(cut, 0)]), frozenset(stones[max(cut, 0):])
        if not naive.wins(own) and not naive.wins(other):
            return own, other


def owners_of(naive, own, other, side):
    owners = np.full(len(naive.squares), EMPTY, np.int8)
    owners[sorted(own)], owners[sorted(other)] = side, 1 - side
    return owners


def found_by(search, owners, left, most):
    """The turns to a win by threats of the side that moves, and the first of them; 0 for none."""
    search.aim(owners, search.attacker, left, most)
    reason = search.go(1 << 40)
    won = search.control["status"] == WON
    assert reason == (SOLVED if won else CANDIDATES)
    return (int(search.control["turns"]), search.turn()) if won else (0, [])


@pytest.mark.parametrize("board", BOARDS, ids=str)
@pytest.mark.parametrize(("counts", "seed"), [
    ((8, 60), 1), pytest.param((850, 0), 3, marks=pytest.mark.full)], ids=["few", "5,100 in all"])
def test_threat_counts_are_those_of_the_definition(board, counts, seed):
    """Of both sides, and the ways to stop them; some boards by the quick twin."""
    pair, seen = searches(board), set()
    for quick, count in enumerate(counts):
        rng, naive = random.Random(seed + quick), NaiveThreats(*board, quick=bool(quick))
        for n in range(count):
            own, other = random_board(naive, rng, most_empty=len(naive.squares) // 2)
            side = n % 2
            owners = owners_of(naive, own, other, side)
            for who, mine, theirs in ((side, own, other), (1 - side, other, own)):
                wanted = naive.threats(mine, theirs)
                seen.add(wanted)
                assert min(pair[0].threats(owners, who, 40), 5) == wanted, (own, other, who)
            wanted = naive.threats(own, other)
            if 1 <= wanted <= 4:
                found = [frozenset(way) for way in pair[side].stops(owners, wanted)]
                assert len(found) == len(set(found))
                assert set(found) == {frozenset(way) for way in naive.stops(own, other, wanted)}
    assert len(seen) >= 3


@pytest.mark.long_cases("15-5-(6, 6, 5, 2, True)")
@pytest.mark.parametrize("board", BOARDS, ids=str)
@pytest.mark.parametrize(("count", "seed"), [
    (15, 5), pytest.param(850, 6, marks=pytest.mark.full)])
def test_wins_are_found_and_hold_against_every_reply(board, count, seed):
    """Least numbers of turns against a search that tries every turn; wins against every reply."""
    rng, naive, pair = random.Random(seed), NaiveThreats(*board, quick=True), searches(board)
    most = MOST if board[3] < 3 else 2
    found = dict.fromkeys(range(most + 1), 0)
    for n in range(count):
        side, left, own, other = n % 2, 1, frozenset(), frozenset()
        while naive.completions(own, other, left) or not own:  # most have no win at once
            own, other = random_board(naive, rng, most_empty=len(naive.squares) // 2)
            left = rng.randint(1, board[3])
            if n % 8 == 0:
                break
        owners = owners_of(naive, own, other, side)
        turns, stones = found_by(pair[side], owners, left, most)
        assert turns == naive.turns_to_win(own, other, left, most), (own, other, left)
        found[turns] += 1
        if turns:
            beats_every_reply(naive, pair[side], own, other, (turns, stones))
        naive.completions.cache_clear()
        naive.turns_to_win.cache_clear()
    assert found[0] > 0
    if count > 100:
        assert found[1] > 0
        assert found[2] > 0 or board[3] > 2


def beats_every_reply(naive, search, own, other, win):
    """Play the win found against all that the defender can do, legal moves and nothing else."""
    turns, stones = win
    for n in range(1, len(stones) + 1):
        if naive.wins(own | set(stones[:n])):
            assert turns == 1
            return
    assert turns > 1
    own = own | set(stones)
    empty = sorted(naive.squares - own - other)
    for reply in combinations(empty, min(naive.stones, len(empty))):
        after = other | set(reply)
        assert not naive.wins(after)
        owners = owners_of(naive, own, after, search.attacker)
        again = found_by(search, owners, naive.stones, turns - 1)
        assert again[0], (own, after)
        beats_every_reply(naive, search, own, after, again)


def test_a_longer_first_turn_may_complete_a_line_that_no_other_turn_can():
    """O has more threats than three stones stop, but X has three for the empty line on the left."""
    lines = lines_of(Shape(22, 1, 3, 2, 1, False))
    owners = np.array([".XO".index(cell) for cell in "...O..OXO..OXO..OXO..O"], np.int8) - 1
    owners[owners < 0] = EMPTY
    for left, won in ((2, True), (3, False)):
        search = ThreatSearch(lines, 1, 12, True, 1 << 20)
        search.aim(owners, 0, left, 12)
        search.go(1 << 40)
        assert (search.control["status"] == WON) == won
    own = ThreatSearch(lines, 0, 12, True, 1 << 20)
    assert found_by(own, owners, 3, 12) == (1, [0, 1, 2])
