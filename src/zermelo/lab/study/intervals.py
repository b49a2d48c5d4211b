"""How sure a number is: intervals, the sign test, and what they say about a bound.

All intervals are of 95 %. A share has Wilson's; a mean, a median or a ratio that of a bootstrap, in
which positions are drawn with replacement 2,000 times, always from the same seed, so that a report
that is made again says the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, sqrt
from typing import Any, NamedTuple

import numpy as np

RESAMPLINGS, SEED = 2_000, 2019
NORMAL_95 = 1.959964
LEAST = 20  # fewer positions than this bear no verdict
UNDECIDED = "undecided"
Verdict = bool | str | None  # True, False, UNDECIDED, or None: not run


class Interval(NamedTuple):
    """A number, and the bounds between which it lies with 95 %; ``many``: of how many things."""

    value: float
    low: float
    high: float
    many: int

    def text(self, unit: str = " %") -> str:
        """For people."""
        largest = max(map(abs, self[:3]))
        digits = 0 if abs(self.value) >= 20 else 1 if largest >= 1 else 3
        value, low, high = (f"{number:,.{digits}f}" for number in self[:3])
        return f"{value}{unit} ({low} to {high})"


def share(some: int, whole: int) -> Interval | None:
    """A share in per cent, with Wilson's interval; None of nothing."""
    if not whole:
        return None
    z, part = NORMAL_95, some / whole
    middle = (part + z * z / (2 * whole)) / (1 + z * z / whole)
    half = z * sqrt(part * (1 - part) / whole + z * z / (4 * whole * whole)) / (1 + z * z / whole)
    low = 0.0 if some == 0 else middle - half
    high = 1.0 if some == whole else middle + half
    return Interval(100.0 * part, 100.0 * low, 100.0 * high, whole)


def mean_of(numbers: Sequence[float]) -> Interval | None:
    """The mean."""
    return _bootstrap(np.asarray(numbers, float), lambda drawn: drawn.mean(axis=-1))


def median_of(numbers: Sequence[float]) -> Interval | None:
    """The median."""
    return _bootstrap(np.asarray(numbers, float), lambda drawn: np.median(drawn, axis=-1))


def ratio_of_means(pairs: Sequence[tuple[float, float]]) -> Interval | None:
    """The mean of the first in per cent of the mean of the second, over positions that have both;
    a position is drawn with both of its numbers."""
    table = np.asarray(pairs, float).reshape(-1, 2)
    if not table.size or not table[:, 1].all():
        return None
    picked = _picks(len(table))
    ratios = 100.0 * table[picked, 0].sum(axis=1) / table[picked, 1].sum(axis=1)
    whole = 100.0 * table[:, 0].sum() / table[:, 1].sum()
    return _between(float(whole), ratios, len(table))


def mean_of_ratios(pairs: Sequence[tuple[float, float]]) -> Interval | None:
    """The mean of the first in per cent of the second, position by position."""
    return mean_of([100.0 * one / other for one, other in pairs if other])


def ratio_of_samples(one: Sequence[float], other: Sequence[float],
                     median: bool = False) -> Interval | None:
    """The mean, or the median, of one sample in per cent of that of another; runs that have nothing
    to do with each other, so that each is drawn for itself."""
    if not one or not other:
        return None
    of = np.median if median else np.mean
    first, second = np.asarray(one, float), np.asarray(other, float)
    ratios = 100.0 * of(first[_picks(len(first))], axis=1) \
        / of(second[_picks(len(second), SEED + 1)], axis=1)
    return _between(float(100.0 * of(first) / of(second)), ratios, min(len(first), len(second)))


def sign_test(fewer: int, more: int) -> float:
    """How likely a coin falls at least as unevenly: two-sided."""
    n = fewer + more
    tail: float = sum(comb(n, k) for k in range(min(fewer, more) + 1)) / 2**n
    return min(1.0, 2 * tail)


def inside(found: Interval | None, low: float, high: float) -> Verdict:
    """Whether the number lies within bounds: yes if its interval does, no if it has nothing in
    common with them, else undecided."""
    if found is None:
        return None
    if found.many < LEAST:
        return UNDECIDED
    if low <= found.low and found.high <= high:
        return True
    return False if found.high < low or found.low > high else UNDECIDED


def above(found: Interval | None, bound: float) -> Verdict:
    """Whether it is larger than the bound."""
    return inside(found, bound, float("inf"))


def below(found: Interval | None, bound: float) -> Verdict:
    """Whether it is smaller than the bound."""
    return inside(found, float("-inf"), bound)


def agrees(found: Interval, published: Interval) -> Verdict:
    """Whether two samples could be of one kind: yes if the published number lies in the interval
    found, no if the two intervals are apart, else undecided."""
    if found.many < LEAST:
        return UNDECIDED
    if found.low <= published.value <= found.high:
        return True
    apart = found.high < published.low or found.low > published.high
    return False if apart else UNDECIDED


def ahead(wins: int, losses: int, chance: float = 0.05) -> Verdict:
    """Whether one is ahead of the other on more positions, by the sign test."""
    if sign_test(wins, losses) >= chance:
        return UNDECIDED
    return wins > losses


def all_of(verdicts: Sequence[Verdict]) -> Verdict:
    """Refuted if one is; else not run, or undecided, if one is; else it holds."""
    for word in (False, None, UNDECIDED):
        if word in verdicts:
            return word
    return True


def _picks(count: int, seed: int = SEED) -> Any:
    """Which of ``count`` things are drawn, in as many draws, in each resampling."""
    return np.random.default_rng(seed).integers(0, count, (RESAMPLINGS, count))


def _bootstrap(numbers: Any, statistic: Any) -> Interval | None:
    if not numbers.size:
        return None
    return _between(float(statistic(numbers)), statistic(numbers[_picks(len(numbers))]),
                    len(numbers))


def _between(value: float, drawn: Any, count: int) -> Interval:
    low, high = np.quantile(drawn, (0.025, 0.975))
    return Interval(value, float(low), float(high), count)
