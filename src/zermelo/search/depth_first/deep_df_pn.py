"""Deep df-pn (Song 2019, 3.2): leaves near the root count for more, which draws the search deeper.

    phi = delta = E^(D - depth)   of an unsolved leaf with depth < D, else 1

E = 1 or D <= 1 is df-pn, E = 0 plain depth-first search. Since a leaf's numbers depend on the depth
at which it was made, the table keeps depths apart.

The published grid reaches 20^15, where whole numbers of 26 bits would all be the same. So where a
leaf counts more than SMALL, the numbers are float64: exact up to 2^53, beyond that to 16 digits, in
which two children still compare as they should, and a threshold is at least the next larger number.
Larger than LARGEST, where sums might run out of float64, is refused. No number proves anything.
"""

from dataclasses import dataclass
from math import log10
from typing import Any, ClassVar

from zermelo.core.rules import Function, Rules
from zermelo.errors import BadOption
from zermelo.search.base import option
from zermelo.search.depth_first.df_pn import ProofNumbers, df_pn_plan
from zermelo.search.depth_first.plan import Plan

SMALL = 1 << 10  # the largest leaf in whole numbers: 65,000 of them add up to 26 bits
LARGEST = 1e150
BOUNDLESS, CAP = 1e308, 1e300  # no threshold at all; the largest sum
NEXT = 2.0**-52


def leaf_of(one: float) -> Function:
    """Return ``leaf``: E to the power of the plies missing to D, in numbers like ``one``."""

    def leaf(g, o, stack, s, attacker_moves, depth):
        number = one
        for _ in range(depth, o.D):
            number *= o.E
        return number, number

    return leaf


def next_above(number):
    """One more, or the next float64 where one more makes no difference."""
    return number + max(1.0, number * NEXT)


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
        """Return True if its numbers have to be float64."""
        return self._digits > log10(SMALL)

    def plan(self, rules: Rules) -> Plan:
        """df-pn with deep leaves. The root is not a leaf: D <= 1 makes all leaves 1."""
        if self.large:
            return df_pn_plan(leaf_of(1.0), inf=BOUNDLESS, cap=CAP, above=next_above, number="f8",
                              by_depth=True)
        if self.E == 1 or self.D <= 1:
            return df_pn_plan()
        return df_pn_plan(leaf_of(1), by_depth=True)

    def show_thresholds(self, th_pn: Any, th_dn: Any) -> dict[str, Any]:
        """The numbers at which a node is left."""
        if not self.large:
            return super().show_thresholds(th_pn, th_dn)
        pn, dn = ("inf" if number >= BOUNDLESS else int(number) for number in (th_pn, th_dn))
        return {"pn": pn, "dn": dn}
