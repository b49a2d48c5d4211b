"""df-pn (Nagai 2002; Song 2019, 2.1.4 and the appendix), with the 1 + epsilon rule (3.3.5).

The numbers are those of PN; the search is depth first. A child at an OR node is searched until its
pn exceeds the second best child's, or the node's own thresholds are met:

    th_pn(c) = min(th_pn, max(pn_2 + 1, ceil(pn_2 (1 + epsilon))))
    th_dn(c) = th_dn - (sum of dn - dn(c))

and at AND nodes the same with pn and dn exchanged. epsilon = 0 is Nagai's df-pn; a larger one stays
longer with a child and returns to it less often.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zermelo.core.rules import Rules
from zermelo.search.base import option
from zermelo.search.common.status import UNKNOWN
from zermelo.search.depth_first.leaves import unit_leaf
from zermelo.search.depth_first.plan import Function, Plan
from zermelo.search.depth_first.search import DepthFirst
from zermelo.search.depth_first.table import INF


class Options(NamedTuple):
    """What the compiled parts read."""

    epsilon: float


def combine_of(total: Function) -> Function:
    """``combine`` for proof numbers, with ``total(o, sum, most, n)`` in place of the sum.

    x is the second least of the numbers that are compared (INF if there is one child only), y what
    the children's other numbers come to without the best one, z how many unsolved children there
    are.
    """

    def combine(o, kids, first, count, attacker_moves):
        best, least, second, other = -1, INF, INF, 0
        added, most, n = 0, 0, 0
        for k in range(first, first + count):
            if kids[k].status == UNKNOWN:
                pn, dn = kids[k].a, kids[k].b
                if not attacker_moves:
                    pn, dn = dn, pn
                n += 1
                added += dn
                most = max(most, dn)
                if pn < least:
                    best, second, least, other = k, least, pn, dn
                elif pn < second:
                    second = pn
        sums = min(total(o, added, most, n), INF - 1)
        if attacker_moves:
            return least, sums, best, second, added - other, n
        return sums, least, best, second, added - other, n

    return combine


def plain_sum(o, added, most, n):
    """The sum of the children's numbers."""
    return added


def outside(o, frame, a, b):
    """A threshold is reached."""
    return a >= frame.t1 or b >= frame.t2


def least_threshold(o, threshold, second):
    """The child may take what the node may, up to a little more than the second best child."""
    if second >= INF - 1:
        return threshold
    relaxed = np.int64(np.ceil(second * (1.0 + o.epsilon)))
    return min(threshold, max(second + 1, relaxed))


def bounds_of(rest: Function) -> Function:
    """``bounds`` for proof numbers; ``rest(o, threshold, others, n)`` is what the sum leaves."""

    def bounds(o, frame, kid, a, b, x, y, z, attacker_moves):
        if attacker_moves:
            t2 = frame.t2 if frame.t2 >= INF else rest(o, frame.t2, y, z)
            return least_threshold(o, frame.t1, x), max(t2, kid.b + 1)
        t1 = frame.t1 if frame.t1 >= INF else rest(o, frame.t1, y, z)
        return max(t1, kid.a + 1), least_threshold(o, frame.t2, x)

    return bounds


def sum_leaves(o, threshold, others, n):
    """The sum rule: the other children's numbers are taken off."""
    return threshold - others


def virtual(kid, t1, t2, attacker_moves):
    """As if the child had just failed: the number by which it was chosen is at its threshold."""
    if attacker_moves:
        return min(t1, INF - 1), kid.b
    return kid.a, min(t2, INF - 1)


@dataclass(frozen=True)
class ProofNumbers(DepthFirst):
    """What all depth-first proof-number searches share."""

    def show(self, a: Any, b: Any) -> dict[str, Any]:
        """The proof and the disproof number."""
        return {"pn": int(a), "dn": int(b)}

    def show_solved(self, won: bool) -> dict[str, Any]:
        """The numbers of a solved node."""
        return {"pn": 0, "dn": "inf"} if won else {"pn": "inf", "dn": 0}


@dataclass(frozen=True)
class DFPN(ProofNumbers):
    """Depth-first proof-number search."""

    id: ClassVar[str] = "df-pn"
    title: ClassVar[str] = "depth-first proof-number search, 1 + epsilon"
    paper: ClassVar[str] = "Song 2019, 2.1.4 and 3.3.5; Nagai 2002"

    epsilon: float = option(0.25, "how far beyond the second best child; 0 is Nagai's df-pn", low=0)

    def data(self, rules: Rules, plain: bool) -> Options:
        """The options."""
        return Options(float(self.epsilon))

    def plan(self, rules: Rules, plain: bool) -> Plan:
        """Sums, unit leaves."""
        return Plan(unit_leaf, combine_of(plain_sum), bounds_of(sum_leaves), outside, virtual,
                    top=(INF, INF))
