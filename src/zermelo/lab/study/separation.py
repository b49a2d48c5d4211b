"""How well a number tells two kinds of positions apart. Larger numbers are those of the better."""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

Numbers = Sequence[float]
Gapped = Sequence[float | None]  # None where a position has no number
RESAMPLINGS, LEFT_OUT = 2_000, 0.025  # of a bootstrap, and the share beyond each bound


def roc_area(worse: Numbers, better: Numbers) -> float | None:
    """How often a number of the better is the larger of a pair, ties as halves: 1 always, 0.5 as
    often as not."""
    if not worse or not better:
        return None
    from scipy.stats import mannwhitneyu

    wins = mannwhitneyu(better, worse, method="asymptotic").statistic
    return float(wins) / (len(worse) * len(better))


def matched_area(worse: Sequence[tuple[float, float]], better: Sequence[tuple[float, float]],
                 within: float) -> tuple[float | None, int]:
    """The same over the pairs whose companions, second in each tuple, differ by at most
    ``within``; and how many pairs these are."""
    pairs = [(x > y) + 0.5 * (x == y) for x, a in better for y, b in worse if abs(a - b) <= within]
    return (sum(pairs) / len(pairs) if pairs else None), len(pairs)


def difference_of_areas(one: tuple[Numbers, Numbers], other: tuple[Numbers, Numbers],
                        seed: int = 0) -> tuple[float, float]:
    """Bounds, 95 %, of the area by one number less that by another on the same positions.

    Both are given for the worse and for the better positions, in the same order. A paired
    bootstrap: positions of each kind are drawn with replacement, again and again.
    """
    difference, chance, found = _pairs(*one) - _pairs(*other), random.Random(seed), []
    for _ in range(RESAMPLINGS):
        rows, columns = (_times(chance, count) for count in difference.shape)
        found.append(float(rows @ difference @ columns) / difference.size)
    found.sort()
    at = round(LEFT_OUT * RESAMPLINGS)
    return found[at], found[-1 - at]


def _pairs(worse: Numbers, better: Numbers) -> Any:
    """1 where a number of the better, in its row, is larger than one of the worse; 0.5 if equal."""
    rows, columns = np.array(better)[:, None], np.array(worse)[None, :]
    return (rows > columns) + 0.5 * (rows == columns)


def _times(chance: random.Random, count: int) -> Any:
    """How often each of ``count`` things is drawn, in as many draws."""
    return np.bincount(chance.choices(range(count), k=count), minlength=count)


def overlap(worse: Numbers, better: Numbers) -> float | None:
    """The share of all numbers that lie where both kinds have some: between the least of the better
    and the largest of the worse."""
    if not worse or not better:
        return None
    low, high = min(better), max(worse)
    both = [*worse, *better]
    return sum(low <= x <= high for x in both) / len(both)


def best_cut(worse: Numbers, better: Numbers) -> float:
    """The threshold with the smallest error, the mean of both kinds'; of several, the middle one.

    From it on, a number is taken for one of the better.
    """
    values = sorted({*worse, *better})
    cuts = [values[0], *((a + b) / 2 for a, b in pairwise(values))]
    errors = [_error(worse, better, cut) for cut in cuts]
    best = [cut for cut, error in zip(cuts, errors, strict=True) if error == min(errors)]
    return best[len(best) // 2]


def _error(worse: Numbers, better: Numbers, cut: float) -> float:
    return (sum(x >= cut for x in worse) / len(worse)
            + sum(x < cut for x in better) / len(better)) / 2


def error_of_three(lost: Gapped, drawn: Gapped, won: Gapped) -> float | None:
    """The share taken for another kind, the mean of the three kinds, on every second position; the
    two thresholds are those of the other half.

    Positions without a number count as positions, so that the halves are the same for all numbers.
    """
    chosen, tested = ([[x for x in kind[first::2] if x is not None]
                       for kind in (lost, drawn, won)] for first in (0, 1))
    if not all((*chosen, *tested)):
        return None
    cuts = sorted((best_cut(chosen[0], chosen[1]), best_cut(chosen[1], chosen[2])))
    wrong = [sum(bisect_right(cuts, x) != which for x in kind) / len(kind)
             for which, kind in enumerate(tested)]
    return sum(wrong) / len(wrong)
