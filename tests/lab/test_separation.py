"""Which numbers tell positions apart: areas, overlap and thresholds against counting pairs."""

import random
from itertools import product

import pytest

from zermelo.lab.watching import (
    best_cut,
    difference_of_areas,
    error_of_three,
    matched_area,
    overlap,
    roc_area,
)


def by_pairs(worse, better):
    """The area by its definition."""
    pairs = [1.0 if b > a else 0.5 if b == a else 0.0 for a, b in product(worse, better)]
    return sum(pairs) / len(pairs)


def drawn(chance, most):
    return [chance.randrange(most) for _ in range(chance.randrange(1, 12))]


@pytest.mark.parametrize("seed", range(60))
def test_the_area_counts_pairs(seed):
    chance = random.Random(seed)
    worse, better = drawn(chance, 9), drawn(chance, 9)
    assert roc_area(worse, better) == pytest.approx(by_pairs(worse, better))
    assert roc_area(better, worse) == pytest.approx(1 - by_pairs(worse, better))


@pytest.mark.parametrize("seed", range(30))
def test_matched_pairs_are_those_with_near_companions(seed):
    chance = random.Random(seed)
    worse, better = ([(x, chance.randrange(6)) for x in drawn(chance, 9)] for _ in range(2))
    near = [(a, b) for (a, m), (b, n) in product(worse, better) if abs(m - n) <= 1]
    area, pairs = matched_area(worse, better, 1)
    assert pairs == len(near)
    if near:
        right = sum(1.0 if b > a else 0.5 if b == a else 0.0 for a, b in near)
        assert area == pytest.approx(right / len(near))
    everything, all_pairs = matched_area(worse, better, 100)
    numbers = [x for x, _ in worse], [x for x, _ in better]
    assert all_pairs == len(worse) * len(better)
    assert everything == pytest.approx(roc_area(*numbers))


def test_matched_pairs_may_be_none():
    assert matched_area([(1.0, 0.0)], [(2.0, 9.0)], 2) == (None, 0)


def test_overlap_is_where_both_kinds_lie():
    assert overlap([1, 2, 3], [4, 5]) == 0
    assert overlap([1, 2, 4], [3, 5, 6]) == pytest.approx(2 / 6)
    assert overlap([1, 9], [1, 9]) == 1


def test_nothing_to_compare_has_no_number():
    assert roc_area([], [1.0]) is None
    assert overlap([1.0], []) is None
    assert error_of_three([1.0], [2.0, 3.0], [4.0, 5.0]) is None


@pytest.mark.parametrize("seed", range(30))
def test_no_other_threshold_has_fewer_errors(seed):
    chance = random.Random(seed)
    worse, better = drawn(chance, 9), drawn(chance, 9)

    def error(cut):
        return (sum(x >= cut for x in worse) / len(worse)
                + sum(x < cut for x in better) / len(better))

    least = min(error(cut / 2) for cut in range(-2, 22))
    # Above all numbers nothing is called better: half wrong, as below all of them.
    assert error(best_cut(worse, better)) == pytest.approx(least)


def test_thresholds_are_tested_on_the_other_half():
    """Every second number is where the chosen thresholds do not put it."""
    assert error_of_three([0, 0, 1, 1], [5, 5, 6, 6], [9, 9, 8, 8]) == 0
    assert error_of_three([0, 9, 0, 9], [5, 5, 5, 5], [9, 0, 9, 0]) == pytest.approx(2 / 3)
    assert error_of_three([0, 5], [5, 0], [9, 9]) == pytest.approx(2 / 3)


def test_a_gap_moves_no_position_to_the_other_half():
    """Without the gap's place the 9 of the lost would choose the thresholds, not be tested."""
    lost, drawn, won = [0, 9, None, 9, 0, 9], [5, 5, 5, 5], [9, 9, 9, 9]
    assert error_of_three(lost, drawn, won) == pytest.approx(1 / 3)
    assert error_of_three([0, None, 0], drawn, won) is None
    assert error_of_three([None, 0, None, 1], drawn, won) is None


def test_bounds_of_a_difference_of_areas():
    """By one number all is clear, by the other nothing; the order within a kind does not matter."""
    worse, better = list(range(20)), list(range(20, 40))
    clear, blind = (worse, better), ([1] * 20, [1] * 20)
    assert difference_of_areas(clear, blind) == (0.5, 0.5)
    assert difference_of_areas(blind, clear) == (-0.5, -0.5)
    assert difference_of_areas(clear, clear) == (0, 0)


def test_bounds_of_a_difference_are_about_the_same_positions():
    """Two numbers that differ in a pair of positions: drawn anew, the difference is never below 0,
    and it is 0 where one of the two is not drawn."""
    worse, better = [0.0] * 10, [1.0] * 10
    low, high = difference_of_areas((worse, better), ([2.0, *worse[1:]], better))
    assert low == 0 < 0.1 < high <= 0.4
    assert difference_of_areas((worse, better), ([2.0, *worse[1:]], better)) == (low, high)
    assert difference_of_areas((worse, better), ([2.0] * 10, better))[0] == 1


def test_bounds_hold_in_nineteen_of_twenty_samples():
    """The true difference of two areas, known by a large sample, is mostly within the bounds."""
    chance, inside = random.Random(5), 0

    def sample(n):
        hidden = [[chance.gauss(mean, 1) for _ in range(n)] for mean in (0, 1)]
        return [tuple([x + chance.gauss(0, noise) for x in kind] for kind in hidden)
                for noise in (0.5, 2)]

    one, other = sample(4_000)
    true = roc_area(*one) - roc_area(*other)
    for _ in range(20):
        low, high = difference_of_areas(*sample(30))
        inside += low <= true <= high
    assert inside >= 17
