"""Deep df-pn (Song 2019, 3.2): leaves near the root count for more, which draws the search deeper.

    phi = delta = E^(D - depth)   of an unsolved leaf with depth < D, else 1

E = 1 or D <= 1 is df-pn, E = 0 plain depth-first search. Since a leaf's numbers depend on the depth
at which it was made, the table tells depths apart.

The published grid reaches 20^15, where whole numbers of 26 bits would all be the same. So where a
leaf counts more than SMALL, the numbers are float64: exact up to 2^53, beyond that to 16 digits, in
which two children still compare as they should, and a threshold is at least the next larger number.
Larger than LARGEST, where sums might run out of float64, is refused. No number proves anything.
"""

from dataclasses import dataclass
from math import log10
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zermelo.core.rules import Rules
from zermelo.errors import BadOption
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
from zermelo.search.depth_first.expand import unit_leaf
from zermelo.search.depth_first.plan import Plan
from zermelo.search.depth_first.table import INF

SMALL = 1 << 10  # the largest leaf in whole numbers: 65,000 of them add up to 26 bits
LARGEST = 1e150
BOUNDLESS, CAP = 1e308, 1e300  # no threshold at all; the largest sum
NEXT = 2.0**-52


class Options(NamedTuple):
    """What the compiled parts read."""

    epsilon: float
    E: int
    D: int


def deep_leaf(g, o, stack, s, attacker_moves, depth):
    """E to the power of the plies that are missing to D; at most SMALL."""
    number = 1
    for _ in range(depth, o.D):
        number *= o.E
    return number, number


def large_leaf(g, o, stack, s, attacker_moves, depth):
    """The same in float64."""
    number = 1.0
    for _ in range(depth, o.D):
        number *= o.E
    return number, number


def next_above(number):
    """One more, or the next float64 where one more makes no difference."""
    return number + max(1.0, number * NEXT)


def large_thresholds(o, frame, child, backup, attacker_moves):
    """df-pn's thresholds in float64; a child is left when it has at least a little more."""
    th_phi, th_delta = frame.th_dn, frame.th_pn
    delta = child.pn
    if attacker_moves:
        th_phi, th_delta, delta = frame.th_pn, frame.th_dn, child.dn
    if backup.second < CAP:
        relaxed = np.ceil(backup.second * (1.0 + o.epsilon))
        th_phi = min(th_phi, max(next_above(backup.second), relaxed))
    left = th_delta if th_delta >= BOUNDLESS else th_delta - backup.others
    th_delta = max(left, next_above(delta))
    if attacker_moves:
        return th_phi, th_delta
    return th_delta, th_phi


def large_virtual(child, th_pn, th_dn, attacker_moves):
    """As if the child had just failed."""
    if attacker_moves:
        return min(th_pn, CAP), child.dn
    return child.pn, min(th_dn, CAP)


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

    def check(self) -> None:
        """Leaves have to be numbers that float64 can add up."""
        if self._digits > log10(LARGEST):
            raise BadOption(f"{self.id}: E={self.E} with D={self.D} makes leaves of {self.E}^"
                            f"{self.D - 1}, a number of {int(self._digits) + 1} digits; E^(D - 1) "
                            f"may be at most {LARGEST:g}.")

    @property
    def _digits(self) -> float:
        """The logarithm of the largest leaf; the root is not a leaf."""
        return max(self.D - 1, 0) * log10(max(self.E, 1))

    @property
    def large(self) -> bool:
        """Whether its numbers have to be float64."""
        return self._digits > log10(SMALL)

    def data(self, rules: Rules, plain: bool) -> Options:
        """The options."""
        return Options(float(self.epsilon), int(self.E), int(self.D))

    def plan(self, rules: Rules) -> Plan:
        """df-pn with deep leaves. The root is not a leaf: D <= 1 makes all leaves 1."""
        flat = self.E == 1 or self.D <= 1
        if self.large:
            return Plan(large_leaf, backup_of(sum_total, BOUNDLESS, CAP), large_thresholds, reached,
                        large_virtual, top=(BOUNDLESS, BOUNDLESS), number="f8", by_depth=True)
        return Plan(unit_leaf if flat else deep_leaf, backup_of(sum_total),
                    thresholds_of(sum_share), reached, virtual, top=(INF, INF), by_depth=not flat)

    def show_thresholds(self, th_pn: Any, th_dn: Any) -> dict[str, Any]:
        """The numbers at which a node is left."""
        if not self.large:
            return super().show_thresholds(th_pn, th_dn)
        pn, dn = ("inf" if number >= BOUNDLESS else int(number) for number in (th_pn, th_dn))
        return {"pn": pn, "dn": dn}
