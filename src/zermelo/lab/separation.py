"""How well a number tells two kinds of positions apart. Larger numbers are those of the better."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from itertools import pairwise

Numbers = Sequence[float]


def roc_area(worse: Numbers, better: Numbers) -> float | None:
    """How often a number of the better is the larger of a pair, ties as halves: 1 always, 0.5 as
    often as not."""
    if not worse or not better:
        return None
    ranked = sorted(worse)
    wins = sum(bisect_left(ranked, x) + bisect_right(ranked, x) for x in better)
    return wins / (2 * len(worse) * len(better))


def matched_area(worse: Sequence[tuple[float, float]], better: Sequence[tuple[float, float]],
                 within: float) -> tuple[float | None, int]:
    """The same over the pairs whose companions, second in each tuple, differ by at most
    ``within``; and how many pairs these are."""
    pairs = [(x > y) + 0.5 * (x == y) for x, a in better for y, b in worse if abs(a - b) <= within]
    return (sum(pairs) / len(pairs) if pairs else None), len(pairs)


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


def error_of_three(lost: Numbers, drawn: Numbers, won: Numbers) -> float | None:
    """The share taken for another kind, the mean of the three kinds, on every second number; the
    two thresholds are those of the other half."""
    kinds = (lost, drawn, won)
    if any(len(kind) < 2 for kind in kinds):
        return None
    chosen = [kind[::2] for kind in kinds]
    cuts = sorted((best_cut(chosen[0], chosen[1]), best_cut(chosen[1], chosen[2])))
    wrong = [sum(bisect_right(cuts, x) != which for x in kind[1::2]) / len(kind[1::2])
             for which, kind in enumerate(kinds)]
    return sum(wrong) / len(wrong)
