"""A rule that picks a search from features of a position: a list of one to three conditions.

    if branching < 3.5: mcts; else if transpositions > 40: df-pn; else weak-df-pn

It is learned on some positions: greedily, each condition is the one that saves most, measured by
the mean logarithm of what the picked searches take (twice the limit where they conclude nothing),
so that a position that takes a millisecond counts as much as one that takes a second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

MOST_CONDITIONS = 3
LEAST_SAVED = 0.02  # of the mean log10: about a twentieth
LEAST_SHARE = 0.05  # of the positions, on both sides of a condition
QUANTILES = tuple(q / 10 for q in range(1, 10))


@dataclass(frozen=True)
class Condition:
    """If a feature is less than, or at least, a bound, take this search."""

    feature: str
    below: bool
    bound: float
    arm: str

    def holds(self, features: Mapping[str, Any]) -> Any:
        """For one position, or for many at once."""
        number = features[self.feature]
        return number < self.bound if self.below else number >= self.bound

    def __str__(self) -> str:
        return f"{self.feature} {'<' if self.below else '>='} {self.bound:.3g}: {self.arm}"


@dataclass(frozen=True)
class Rule:
    """The first condition that holds picks; ``otherwise`` where none does."""

    conditions: tuple[Condition, ...]
    otherwise: str

    def pick(self, features: Mapping[str, float]) -> str:
        """The search for a position with these features."""
        for condition in self.conditions:
            if condition.holds(features):
                return condition.arm
        return self.otherwise

    def __str__(self) -> str:
        return "; else ".join([*(f"if {one}" for one in self.conditions), self.otherwise])


def learn(features: Mapping[str, Any], costs: Any, arms: Sequence[str],
          most: int = MOST_CONDITIONS) -> Rule:
    """The rule for positions with these features (an array each) and these costs,
    ``costs[position, arm]``, all of them finite."""
    logs = np.log10(np.asarray(costs, float))
    left = np.arange(len(logs))
    conditions: list[Condition] = []
    while len(conditions) < most:
        found = _best_condition(features, logs, left, arms)
        if found is None or found[0] < LEAST_SAVED * len(logs):
            break
        conditions.append(found[1])
        left = left[~found[2]]
    return Rule(tuple(conditions), arms[int(logs[left].sum(axis=0).argmin())])


def _best_condition(features: Mapping[str, Any], logs: Any, left: Any,
                    arms: Sequence[str]) -> tuple[float, Condition, Any] | None:
    """What it saves, the condition, and on which of the positions that are left it holds."""
    least = max(2, round(LEAST_SHARE * len(logs)))
    whole = logs[left].sum(axis=0).min()
    best: tuple[float, Condition, Any] | None = None
    for name in features:
        numbers = np.asarray(features[name], float)[left]
        for bound in np.unique(np.quantile(numbers, QUANTILES)):
            under = numbers < bound
            if not least <= under.sum() <= len(left) - least:
                continue
            sums = [logs[left[side]].sum(axis=0) for side in (under, ~under)]
            saved = float(whole - sum(some.min() for some in sums))
            if best is None or saved > best[0] + 1e-9:
                # The smaller side becomes the condition; the list goes on with the larger one.
                below = bool(under.sum() <= len(left) / 2)
                arm = arms[int(sums[0 if below else 1].argmin())]
                best = saved, Condition(name, below, float(bound), arm), under if below else ~under
    return best


def picked_costs(rule: Rule, features: Mapping[str, Any], costs: Any, arms: Sequence[str]) -> Any:
    """What the picked searches took, position by position."""
    table = np.asarray(costs, float)
    chosen = [arms.index(rule.pick({name: float(features[name][at]) for name in features}))
              for at in range(len(table))]
    return table[np.arange(len(table)), chosen] if len(table) else np.zeros(0)
