"""Error rates tree by tree, so that their differences have intervals."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from zermelo.lab.report.series import wrong_at
from zermelo.lab.results import Results
from zermelo.lab.study.intervals import (
    UNDECIDED,
    Interval,
    Verdict,
    all_of,
    below,
    bootstrapped,
    mean_of,
)

STEPS = 100  # at how many numbers of iterations moves are looked at, evenly spaced


def wrong_moves(results: Results, arm: str, set: str, most: float) -> dict[str, list[bool]]:
    """By tree: whether the chosen move is wrong, at STEPS numbers of iterations up to ``most``."""
    grid = [most * (step + 1) / STEPS for step in range(STEPS)]
    found = {}
    for entry in results.select(arm, set):
        if entry.row is not None and entry.known is not None and (
                entry.known != "win" or entry.good_moves is not None):
            samples = [(sample["iterations"] / entry.unit, sample["move"])
                       for sample in entry.row["trace"]]
            found[entry.cell.id] = [wrong_at(entry, samples, x) for x in grid]
    return found


def difference(results: Results, one: str, other: str, set: str, most: float) -> Interval | None:
    """The error rate of one search less that of another, in per cent, over the first iterations;
    trees are drawn with both."""
    first, second = (wrong_moves(results, arm, set, most) for arm in (one, other))
    both = [id for id in first if id in second]
    return mean_of([100.0 * (sum(first[id]) - sum(second[id])) / STEPS for id in both])


def least_errors(order: Sequence[Sequence[str]], set: str, windows: Sequence[float]) -> Any:
    """Each of a group errs less than each of the next, over every window."""
    def test(results: Results) -> tuple[Verdict, str]:
        names = [name for group in order for name in group]
        if not results.finished(*names) or not results.select(names[0], set):
            return None, ""
        verdicts: list[Verdict] = []
        told = []
        for most in windows:
            parts = []
            for better, worse in pairwise(order):
                for one in better:
                    for other in worse:
                        found = difference(results, one, other, set, most)
                        verdicts.append(below(found, 0))
                        if found is not None:
                            parts.append(f"{_short(one)} less {_short(other)} {found.text()}")
            told.append(f"first {most:,.0f}: " + ", ".join(parts))
        return all_of(verdicts), "; ".join(told)

    return test


def waves_more(one: str, other: str, set: str, most: float) -> Any:
    """The error rate of one search rises more, all rises taken together, than that of another."""
    def test(results: Results) -> tuple[Verdict, str]:
        curves = [wrong_moves(results, arm, set, most) for arm in (one, other)]
        both = [id for id in curves[0] if id in curves[1]]
        if not both or not results.finished(one, other):
            return None, ""
        tables = [np.array([curve[id] for id in both], float) for curve in curves]
        found = bootstrapped(lambda places: rises(tables[0][places]) - rises(tables[1][places]),
                             len(both))
        assert found is not None
        told = (f"sum of all rises: {_short(one)} {rises(tables[0]):.2f}, {_short(other)} "
                f"{rises(tables[1]):.2f}; difference {found.low:.2f} to {found.high:.2f}")
        return (True if found.low > 0 else False if found.high < 0 else UNDECIDED), told

    return test


def rises(table: Any) -> float:
    """How far the mean over the rows rises in all, from column to column."""
    return float(np.maximum(np.diff(table.mean(axis=0)), 0.0).sum())


def _short(name: str) -> str:
    return name.removesuffix(", traced")
