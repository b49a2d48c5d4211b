"""Tests of what papers claim: each returns a verdict and the measured numbers.

A verdict is *holds*, *does not hold*, *undecided*, where the numbers are there and their interval
lies on both sides of the bound, or *not judged*, where they are not there.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.lab import columns
from zermelo.lab.experiment import PaperClaim
from zermelo.lab.results import Results
from zermelo.lab.study.intervals import UNDECIDED, Verdict, ahead, all_of, share, sign_test

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


def several(*tests: Test) -> Test:
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
