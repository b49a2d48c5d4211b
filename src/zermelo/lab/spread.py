"""How sure a column is: the interval of its number, where it has one.

Counts of jobs have none: they are what was run. A share of them, a mean, a median and a per cent of
another arm have the intervals of ``study.intervals``.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from zermelo.lab import columns
from zermelo.lab.entries import Entries, Entry
from zermelo.lab.study.intervals import (
    Interval,
    mean_of,
    mean_of_ratios,
    median_of,
    ratio_of_means,
    ratio_of_samples,
    share,
)

OF_NUMBERS = {"mean": mean_of, "par2": mean_of, "median": median_of}


def interval(column: str, results: Entries, entries: Sequence[Entry], set: str | None = None,
             among: Sequence[str] = ()) -> Interval | None:
    """The number in ``column`` with its bounds; None where it has none."""
    done = [entry for entry in entries if entry.row is not None]
    if columns.told_apart(column, results, done, set):
        return None
    if column in columns.SHARES:
        some, whole = (columns.value(word, results, done) for word in columns.SHARES[column])
        return share(some or 0, whole or 0)
    if (pair := columns.PAIRED.fullmatch(column)) is not None:
        if pair[1] != "ratio":
            return None
        return mean_of_ratios(columns.concluded_by_both(pair[2], done,
                                                        results.select(pair[3], set)))
    words = columns.WORDS.fullmatch(column)
    if words is None or words[1] not in OF_NUMBERS:
        return None
    numbers = columns.numbers_of(words, results, done, among)
    if words[4] is None:
        return OF_NUMBERS[words[1]](numbers)
    others = results.select(words[4], set)
    if words[3] == "both" and words[1] != "median":
        return ratio_of_means(columns.concluded_by_both(words[2], done, others))
    base = columns.numbers_of(words, results, [e for e in others if e.row is not None], among)
    if not base or not (median(base) if words[1] == "median" else sum(base)):
        return None
    return ratio_of_samples(numbers, base, median=words[1] == "median")
