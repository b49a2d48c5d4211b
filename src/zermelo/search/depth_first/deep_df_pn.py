"""Deep df-pn (Song 2019, 3.2): leaves near the root count for more, which draws the search deeper.

    phi = delta = E^(D - depth)   of an unsolved leaf with depth < D, else 1

E = 1 or D <= 1 is df-pn, E = 0 plain depth-first search. The published grid reaches 20^15: numbers
saturate, and neither a saturated number nor a zero proves anything. Since a leaf's numbers depend
on the depth at which it was made, the table tells depths apart.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from zermelo.core.rules import Rules
from zermelo.search.base import option
from zermelo.search.depth_first.df_pn import (
    ProofNumbers,
    backup_of,
    reached,
    sum_share,
    sum_total,
    thresholds_of,
    virtual,
)
from zermelo.search.depth_first.leaves import unit_leaf
from zermelo.search.depth_first.plan import Plan
from zermelo.search.depth_first.table import INF


class Options(NamedTuple):
    """What the compiled parts read."""

    epsilon: float
    E: int
    D: int


def deep_leaf(g, o, stack, s, attacker_moves, depth):
    """E to the power of the plies that are missing to D."""
    number = 1
    for _ in range(depth, o.D):
        number = min(number * o.E, INF - 1)
    return number, number


@dataclass(frozen=True)
class DeepDFPN(ProofNumbers):
    """Deep depth-first proof-number search."""

    id: ClassVar[str] = "deep-df-pn"
    title: ClassVar[str] = "df-pn whose leaves count for more near the root"
    paper: ClassVar[str] = "Song 2019, 3.2"

    E: int = option(2, "the base; 1 is df-pn, 0 depth-first search", low=0, high=1 << 20)
    D: int = option(2, "the depth from which on a leaf counts 1", low=0, high=1 << 10)
    epsilon: float = option(0.0, "how far to search a child beyond the second best one", low=0,
                            kw_only=True)

    def data(self, rules: Rules, plain: bool) -> Options:
        """The options."""
        return Options(float(self.epsilon), int(self.E), int(self.D))

    def plan(self, rules: Rules) -> Plan:
        """df-pn with deep leaves. The root is not a leaf: D <= 1 makes all leaves 1."""
        flat = self.E == 1 or self.D <= 1
        return Plan(unit_leaf if flat else deep_leaf, backup_of(sum_total),
                    thresholds_of(sum_share), reached, virtual, top=(INF, INF), by_depth=not flat)
