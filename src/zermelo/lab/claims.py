"""Tests of what papers claim: each returns a verdict and the measured numbers.

A verdict is *holds*, *does not hold*, *undecided*, where the numbers are there and their interval
lies on both sides of the bound, or *not judged*, where they are not there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from zermelo.lab import columns
from zermelo.lab.experiment import PaperClaim
from zermelo.lab.results import Results
from zermelo.lab.series import wrong_at
from zermelo.lab.statistics import (
    UNDECIDED,
    Interval,
    Verdict,
    ahead,
    all_of,
    below,
    bootstrapped,
    mean_of,
    share,
    sign_test,
)

Test = Callable[[Results], tuple[Verdict, str]]
HOLDS, FAILS, OPEN = "holds", "does not hold", "not judged"


@dataclass(frozen=True)
class Judged:
    """A claim, its test, what became of it and the numbers behind that."""

    text: str
    source: str
    verdict: str
    measured: str
    rule: str = ""


def equals(column: str, number: float, arm: str | None = None, set: str | None = None) -> Test:
    """The column is exactly this number."""
    def test(results: Results) -> tuple[Verdict, str]:
        own = results.number(column, arm, set)
        if own is None or not results.finished(*([arm] if arm else [])):
            return None, f"so far {columns.text(own)}"
        return own == number, f"measured {columns.text(own)}, published {columns.text(number)}"

    return test


def ordered(column: str, arms: Sequence[str], set: str | None = None) -> Test:
    """The column does not fall from the first of these arms to the last."""
    def test(results: Results) -> tuple[Verdict, str]:
        numbers = [results.number(column, arm, set) for arm in arms]
        told = ", ".join(f"{arm} {columns.text(number)}"
                         for arm, number in zip(arms, numbers, strict=True))
        if None in numbers or not results.finished(*arms):
            return None, told
        return numbers == sorted(numbers), told

    return test


def none_false(*arms: str) -> Test:
    """No conclusion of these arms is false, and all of them could be judged."""
    def test(results: Results) -> tuple[Verdict, str]:
        counts = {word: sum(results.number(word, arm) or 0 for arm in arms)
                  for word in ("false", "known", "not judged")}
        told = f"{counts['false']} false of {counts['known']} known, " \
               f"{counts['not judged']} not judged"
        if (rate := share(counts["false"], counts["known"])) is not None:
            told += f"; {rate.text()} false"
        if counts["false"]:
            return False, told
        settled = counts["known"] and results.finished(*arms) and not counts["not judged"]
        return (True if settled else None), told

    return test


def concludes_more(first: str, second: str, sets: Sequence[str] = (),
                   nodes: tuple[float, float] | None = None) -> Test:
    """The first arm concludes positions that the second does not more often than the other way
    round, by the sign test; ``nodes``: within so many each; ``sets``: on these, or on all."""
    def test(results: Results) -> tuple[Verdict, str]:
        limits = nodes or (float("inf"), float("inf"))
        done = [{(e.cell.set, e.cell.id, e.cell.seed) for e in results.select(arm)
                 if (not sets or e.cell.set in sets)
                 and e.row and e.row["concluded"] and e.row["nodes"] <= limit}
                for arm, limit in zip((first, second), limits, strict=True)]
        alone, others = len(done[0] - done[1]), len(done[1] - done[0])
        told = (f"{first} {len(done[0])}, {second} {len(done[1])}; alone {alone} to {others}, "
                f"p = {sign_test(alone, others):.2g}")
        if not results.finished(first, second) or not results.select(first):
            return None, told
        return ahead(alone, others), told

    return test


def all_hold(*tests: Test) -> Test:
    """All of these."""
    def test(results: Results) -> tuple[Verdict, str]:
        found = [one(results) for one in tests]
        return all_of([verdict for verdict, _ in found]), "; ".join(
            told for _, told in found if told)

    return test


def judged(results: Results, claim: PaperClaim) -> Judged:
    """The verdict on ``claim``."""
    found: Any = claim.test(results)
    verdict, measured = found if isinstance(found, tuple) else (found, "")
    reasons = [measured] if measured else []
    if claim.full_only and not results.plan.full:
        verdict = None
        reasons.append("a claim about the published sizes (--full)")
    if results.plan.changes:
        verdict = None
        reasons.append("the experiment was changed with --set")
    word = OPEN if verdict is None else verdict if verdict == UNDECIDED else \
        HOLDS if verdict else FAILS
    return Judged(claim.text, claim.source, word, "; ".join(reasons), claim.rule)


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
    """Sum of all rises of the columns' means, from column to column."""
    return float(np.maximum(np.diff(table.mean(axis=0)), 0.0).sum())


def _short(name: str) -> str:
    return name.removesuffix(", traced")
