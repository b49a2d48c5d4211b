"""Tests of what papers claim: each returns a verdict and the measured numbers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from zermelo.lab import columns
from zermelo.lab.experiment import PaperClaim
from zermelo.lab.results import Results

Test = Callable[[Results], tuple[bool | None, str]]
HOLDS, FAILS, OPEN = "holds", "does not hold", "not judged"


@dataclass(frozen=True)
class Judged:
    """A claim, what became of it and the numbers behind that."""

    text: str
    source: str
    verdict: str
    measured: str


def equals(column: str, number: float, arm: str | None = None, set: str | None = None) -> Test:
    """The column is exactly this number."""
    def test(results: Results) -> tuple[bool | None, str]:
        own = results.number(column, arm, set)
        if own is None or not results.finished(*([arm] if arm else [])):
            return None, f"so far {columns.text(own)}"
        return own == number, f"measured {columns.text(own)}, published {columns.text(number)}"

    return test


def ordered(column: str, arms: Sequence[str], set: str | None = None) -> Test:
    """The column does not fall from the first of these arms to the last."""
    def test(results: Results) -> tuple[bool | None, str]:
        numbers = [results.number(column, arm, set) for arm in arms]
        told = ", ".join(f"{arm} {columns.text(number)}"
                         for arm, number in zip(arms, numbers, strict=True))
        if None in numbers or not results.finished(*arms):
            return None, told
        return numbers == sorted(numbers), told

    return test


def none_false(*arms: str) -> Test:
    """No conclusion of these arms is false, and all of them could be judged."""
    def test(results: Results) -> tuple[bool | None, str]:
        counts = {word: sum(results.number(word, arm) or 0 for arm in arms)
                  for word in ("false", "known", "not judged")}
        told = f"{counts['false']} false of {counts['known']} known, " \
               f"{counts['not judged']} not judged"
        if counts["false"]:
            return False, told
        settled = counts["known"] and results.finished(*arms) and not counts["not judged"]
        return (True if settled else None), told

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
    word = OPEN if verdict is None else HOLDS if verdict else FAILS
    return Judged(claim.text, claim.source, word, "; ".join(reasons))
