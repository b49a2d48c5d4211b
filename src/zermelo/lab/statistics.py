"""Intervals, the sign test, and verdicts about a bound, by SciPy.

All intervals are of 95 %. A share has Wilson's; a mean, a median or a ratio the percentiles of a
bootstrap of 2,000 resamplings of the positions, always from the same seed, so that a report that
is made again says the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

__all__ = ["LEAST", "UNDECIDED", "Interval", "Verdict", "above", "agrees", "ahead", "all_of",
           "below", "bootstrapped", "inside", "mean_of", "mean_of_ratios", "median_of",
           "ratio_of_means", "ratio_of_samples", "share", "sign_test"]

RESAMPLINGS, SEED = 2_000, 2019
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
    from scipy.stats import binomtest

    found = binomtest(some, whole).proportion_ci(method="wilson")
    return Interval(100.0 * some / whole, 100.0 * found.low, 100.0 * found.high, whole)


def mean_of(numbers: Sequence[float]) -> Interval | None:
    """The mean."""
    return _bootstrap(np.mean, numbers)


def median_of(numbers: Sequence[float]) -> Interval | None:
    """The median."""
    return _bootstrap(np.median, numbers)


def ratio_of_means(pairs: Sequence[tuple[float, float]]) -> Interval | None:
    """The mean of the first in per cent of the mean of the second, over positions that have both;
    a position is drawn with both of its numbers."""
    table = np.asarray(pairs, float).reshape(-1, 2)
    if not table[:, 1].all():
        return None
    return _bootstrap(lambda one, other, axis: 100.0 * one.sum(axis) / other.sum(axis), *table.T)


def mean_of_ratios(pairs: Sequence[tuple[float, float]]) -> Interval | None:
    """The mean of the first in per cent of the second, position by position."""
    return mean_of([100.0 * one / other for one, other in pairs if other])


def ratio_of_samples(one: Sequence[float], other: Sequence[float],
                     median: bool = False) -> Interval | None:
    """The mean, or the median, of one sample in per cent of that of another; the samples have
    nothing to do with each other, so each is drawn by itself."""
    if not one or not other:
        return None
    of = np.median if median else np.mean
    ratios = 100.0 * _resampled(of, [one], SEED) / _resampled(of, [other], SEED + 1)
    return _between(100.0 * of(one) / of(other), ratios, min(len(one), len(other)))


def bootstrapped(statistic: Callable[[Any], float], many: int) -> Interval | None:
    """A number that ``statistic`` makes of the places of ``many`` things, such as rows of a
    table."""
    return _bootstrap(lambda places, axis: np.apply_along_axis(statistic, axis, places),
                      range(many))


def sign_test(fewer: int, more: int) -> float:
    """The two-sided p-value of the sign test: of a coin that falls at least as unevenly."""
    from scipy.stats import binomtest

    return float(binomtest(fewer, fewer + more).pvalue) if fewer + more else 1.0


def inside(found: Interval | None, low: float, high: float) -> Verdict:
    """Compare a number with bounds: yes if its interval lies within them, no if the two have
    nothing in common, else undecided."""
    if found is None:
        return None
    if found.many < LEAST:
        return UNDECIDED
    if low <= found.low and found.high <= high:
        return True
    return False if found.high < low or found.low > high else UNDECIDED


def above(found: Interval | None, bound: float) -> Verdict:
    """Test that a number lies above a bound."""
    return inside(found, bound, float("inf"))


def below(found: Interval | None, bound: float) -> Verdict:
    """Test that a number lies below a bound."""
    return inside(found, float("-inf"), bound)


def agrees(found: Interval, published: Interval) -> Verdict:
    """Compare two samples: yes if the published number lies in the interval found, no if the two
    intervals are apart, else undecided."""
    if found.many < LEAST:
        return UNDECIDED
    if found.low <= published.value <= found.high:
        return True
    apart = found.high < published.low or found.low > published.high
    return False if apart else UNDECIDED


def ahead(wins: int, losses: int, chance: float = 0.05) -> Verdict:
    """Test by signs that one search is ahead on more positions than the other."""
    if sign_test(wins, losses) >= chance:
        return UNDECIDED
    return wins > losses


def all_of(verdicts: Sequence[Verdict]) -> Verdict:
    """Refuted if one is; else not run, or undecided, if one is; else it holds."""
    for word in (False, None, UNDECIDED):
        if word in verdicts:
            return word
    return True


def _bootstrap(statistic: Callable[..., Any], *samples: Any) -> Interval | None:
    """``statistic`` of paired samples with its interval; None of nothing."""
    arrays = [np.asarray(sample) for sample in samples]
    many = len(arrays[0])
    if not many:
        return None
    return _between(statistic(*arrays, axis=0), _resampled(statistic, arrays, SEED), many)


def _resampled(statistic: Callable[..., Any], samples: Sequence[Any], seed: int) -> Any:
    """``statistic`` in each resampling of paired samples; one observation is always itself."""
    from scipy.stats import bootstrap

    if len(samples[0]) < 2:
        return np.full(RESAMPLINGS, statistic(*map(np.asarray, samples), axis=0))
    found = bootstrap(tuple(samples), statistic, paired=True, vectorized=True, axis=0,
                      n_resamples=RESAMPLINGS, method="percentile",
                      rng=np.random.default_rng(seed))
    return found.bootstrap_distribution


def _between(value: Any, drawn: Any, many: int) -> Interval:
    low, high = np.quantile(drawn, (0.025, 0.975))
    return Interval(float(value), float(low), float(high), many)
