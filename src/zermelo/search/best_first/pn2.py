"""PN2: a proof-number search whose leaves are expanded by a second one (Allis 1994; Breuker 1998).

When the first level has x nodes, a leaf is expanded by a PN search of its own with at most

    y = min(x f(x), N - x),    f(x) = 1 / (1 + exp((a - x) / b))

nodes, of which only the root's children stay. So the tree kept is small for what was searched.
"""

from dataclasses import dataclass, replace
from typing import ClassVar, NamedTuple

import numpy as np

from zermelo.core.rules import Rules
from zermelo.kernel.rng import exp
from zermelo.search.base import option
from zermelo.search.best_first.plan import Plan
from zermelo.search.best_first.pn import LEFT, PN, ProofNumbers

BUDGET = 50_000_000  # nodes in all, with which the defaults of a, b and N were published


class Options(NamedTuple):
    """What the compiled parts read."""

    a: float
    b: float
    N: int


def growth(o, size):
    """x f(x) for x = ``size``, which rises with x and is less than x."""
    return size * (1.0 / (1.0 + exp((o.a - size) / o.b)))


def nested_limit(o, size):
    """y for a first level of ``size`` nodes; the driver makes at least one expansion."""
    return np.int64(min(growth(o, size), np.float64(o.N - size)))


@dataclass(frozen=True)
class PN2(ProofNumbers):
    """Two-level proof-number search."""

    id: ClassVar[str] = "pn2"
    title: ClassVar[str] = "two-level proof-number search"
    paper: ClassVar[str] = "Breuker 1998"

    numbers: ClassVar[list[tuple[str, str]]] = [*ProofNumbers.numbers, ("best", "i4")]

    a: float = option(1_800_000.0, "first-level size at which f = 1/2", low=1, high=1e12)
    b: float = option(240_000.0, "how gradually f rises", low=1, high=1e12)
    N: int = option(1_000_000, "nodes of both levels together", low=2, high=1_000_000_000)

    @classmethod
    def within(cls, nodes: int) -> "PN2":
        """PN2 for a limit of so many nodes: a, b and N are published for one of BUDGET, and with
        less than that the second level would hardly ever begin."""
        share, usual = nodes / BUDGET, cls()
        return cls(a=max(usual.a * share, 1.0), b=max(usual.b * share, 1.0),
                   N=max(int(usual.N * share), 2))

    def plan(self, rules: Rules) -> Plan:
        """PN on both levels."""
        second = replace(LEFT, shuffle=self.shuffle)
        return replace(second, nested=second, nested_limit=nested_limit)

    def nested_nodes(self, size: int) -> int:
        """The largest y up to x = ``size``: min(x f(x), N - x) <= N / 2."""
        return int(min(growth(self.data(), size), self.N // 2))

    def again(self) -> PN:
        """Only the children of a second-level search are kept: PN finds the rest again."""
        return PN()

    def data(self) -> Options:
        """All options are data."""
        return Options(self.a, self.b, self.N)
