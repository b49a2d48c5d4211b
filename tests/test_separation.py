"""Which numbers tell positions apart: areas, overlap and thresholds against counting pairs."""

import random
from itertools import product

import pytest

from zermelo.lab.separation import best_cut, error_of_three, matched_area, overlap, roc_area


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
