"""df-PPN: probability-based proof numbers, depth first.

The papers leave it as future work. A node's p is PPN's; it is searched as long as p stays inside an
interval (lo, hi), which is exactly as long as PPN would go on below it:

    OR:   lo_c = max(p_2, 1 - (1 - lo) / Q)    hi_c = 1 - (1 - hi) / Q     Q: product of the other q
    AND:  hi_c = min(p_2, hi / P)              lo_c = lo / P               P: product of the other p

p_2 is the second child in order. The bounds are rounded towards leaving: a node left too early is
chosen again by its parent, a node left too late would be a mistake. Every visit makes at least one
expansion, so that leaving early costs time only. In a tree, and with a table that loses nothing,
df-PPN expands the leaves of PPN in PPN's order.

``epsilon`` relaxes the side of p_2, as 1 + epsilon does for df-pn: fewer returns, another order.
Once the table has lost entries, a child must use twice as many visits each time it is chosen anew,
or forgetting could send the search round in circles.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from zermelo.core.rules import Rules
from zermelo.search.base import option
from zermelo.search.common.playouts import away_from_0_and_1, playout_wins_of
from zermelo.search.common.status import UNKNOWN
from zermelo.search.depth_first.plan import Function, Plan
from zermelo.search.depth_first.search import DepthFirst

TINY = 1e-300
SLACK = 4e-16  # of 1 - x, in absolute terms
EARLY = 1e-14  # relative


class Options(NamedTuple):
    """What the compiled parts read."""

    theta: float
    playouts: int
    epsilon: float


def leaf_of(rules: Rules) -> Function:
    """``leaf`` for probabilities: the attacker's share of playouts, as in PPN."""
    playout_wins = playout_wins_of(rules)

    def leaf(g, o, stack, s, attacker_moves, depth):
        wins = playout_wins(g, stack, s, o.playouts)
        losses = o.playouts - wins
        return away_from_0_and_1(wins, losses, o), away_from_0_and_1(losses, wins, o)

    return leaf


def combine(o, kids, first, count, attacker_moves):
    """p and q by the rules for independent events; x is p_2, y the product of the others."""
    best, p, q = -1, 0.0, 0.0
    all_fail, some = 1.0, 0.0
    for k in range(first, first + count):
        if kids[k].status != UNKNOWN:
            continue  # p is 0 at an OR node and 1 at an AND node: no change
        a, b = kids[k].a, kids[k].b
        if attacker_moves:
            some += a * all_fail
            all_fail *= b
            better = a > p or (a == p and b < q)
        else:
            some += b * all_fail
            all_fail *= a
            better = a < p or (a == p and b > q)
        if best < 0 or better:
            best, p, q = k, a, b
    second, others = -1.0 if attacker_moves else 2.0, 1.0
    for k in range(first, first + count):
        if kids[k].status == UNKNOWN and k != best:
            if attacker_moves:
                second = max(second, kids[k].a)
                others *= kids[k].b
            else:
                second = min(second, kids[k].a)
                others *= kids[k].a
    some, all_fail = max(some, TINY), max(all_fail, TINY)
    if attacker_moves:
        return some, all_fail, best, second, others, 0
    return all_fail, some, best, second, others, 0


def bounds(o, frame, kid, a, b, x, y, z, attacker_moves):
    """The interval of the child; y may have run down to 0, then nothing is lost by leaving."""
    lo, hi = frame.t1, frame.t2
    others = max(y, TINY)
    if attacker_moves:
        low = 1.0 - (1.0 - lo) / others + SLACK / others + EARLY
        high = 1.0 - (1.0 - hi) / others - SLACK / others - EARLY
        return max(x / (1.0 + o.epsilon), low), high
    high = hi / others * (1.0 - EARLY)
    low = lo / others * (1.0 + EARLY)
    return low, min(x * (1.0 + o.epsilon), high)


def outside(o, frame, a, b):
    """p is not strictly inside the interval."""
    return a <= frame.t1 or a >= frame.t2


def virtual(kid, t1, t2, attacker_moves):
    """As if the child had just got out of its interval on the side of p_2."""
    p = max(min(t1, kid.a), TINY) if attacker_moves else min(max(t2, kid.a), 1.0)
    return p, max(1.0 - p, TINY)


@dataclass(frozen=True)
class DFPPN(DepthFirst):
    """Depth-first probability-based proof-number search."""

    id: ClassVar[str] = "df-ppn"
    title: ClassVar[str] = "depth-first probability-based proof-number search"
    paper: ClassVar[str] = "future work of Song 2019 and Primanita et al. 2020"

    theta: float = option(0.01, "p of a leaf whose playouts were all lost", low=1e-12, high=0.5)
    playouts: int = option(60, "random games a leaf", low=1, high=1 << 20)
    epsilon: float = option(0.0, "how far beyond the second child", low=0, kw_only=True)

    def data(self, rules: Rules, plain: bool) -> Options:
        """The options."""
        return Options(float(self.theta), int(self.playouts), float(self.epsilon))

    def show(self, a: Any, b: Any) -> dict[str, Any]:
        """The probability of a proof."""
        return {"p": float(a), "q": float(b)}

    def show_solved(self, won: bool) -> dict[str, Any]:
        """The numbers of a solved node."""
        return {"p": 1.0, "q": 0.0} if won else {"p": 0.0, "q": 1.0}

    def plan(self, rules: Rules, plain: bool) -> Plan:
        """PPN's numbers with intervals."""
        return Plan(leaf_of(rules), combine, bounds, outside, virtual, top=(-1.0, 2.0),
                    number="f8", stubborn=True)
