"""df-PPN: probability-based proof numbers, depth first.

The papers leave it as future work. A node's p is PPN's; it is searched as long as p stays inside an
interval (lo, hi), which is exactly as long as PPN would go on below it:

    OR:   lo_c = max(p_2, 1 - (1 - lo) / Q)    hi_c = 1 - (1 - hi) / Q     Q: product of the other q
    AND:  hi_c = min(p_2, hi / P)              lo_c = lo / P               P: product of the other p

p_2 is the second child in order. In the driver's arrays p stands in the place of pn, q in that of
dn, lo and hi in those of th_pn and th_dn. The bounds are rounded towards leaving: a node left too
early is chosen again by its parent, a node left too late would be a mistake. Every visit makes at
least one expansion, so that leaving early costs time only. In a tree, and with a table that loses
nothing, df-PPN expands the leaves of PPN in PPN's order.

``epsilon`` relaxes the side of p_2, as 1 + epsilon does for df-pn: fewer returns, another order.
Once the table has lost entries, a child must use twice as many visits each time it is chosen again,
or forgetting could send the search round in circles.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from zermelo.core.rules import Function, Rules
from zermelo.search.base import option
from zermelo.search.common.rules import away_from_0_and_1, playout_wins_of
from zermelo.search.depth_first.plan import Backup, Plan
from zermelo.search.depth_first.run import DepthFirst
from zermelo.search.reasons import UNKNOWN

TINY = 1e-300
SLACK = 4e-16  # of 1 - x, in absolute terms
EARLY = 1e-14  # relative


def leaf_of(rules: Rules) -> Function:
    """Return ``leaf`` for probabilities: the attacker's share of playouts, as in PPN."""
    playout_wins = playout_wins_of(rules)

    def leaf(g, o, stack, s, attacker_moves, depth):
        wins = playout_wins(g, stack, s, o.playouts)
        losses = o.playouts - wins
        return away_from_0_and_1(wins, losses, o), away_from_0_and_1(losses, wins, o)

    return leaf


def backup(o, children, first, count, attacker_moves):
    """p and q by the rules for independent events.

    ``second`` is p_2, ``others`` the product of the other children's q (OR) or p (AND).
    """
    best, best_p, best_q = -1, 0.0, 0.0
    none, some = 1.0, 0.0  # OR: all children fail, one does not; AND: all are won, one is not
    for k in range(first, first + count):
        if children[k].status != UNKNOWN:
            continue  # p is 0 at an OR node and 1 at an AND node: no change
        p, q = children[k].pn, children[k].dn
        if attacker_moves:
            some += p * none
            none *= q
            better = p > best_p or (p == best_p and q < best_q)
        else:
            some += q * none
            none *= p
            better = p < best_p or (p == best_p and q > best_q)
        if best < 0 or better:
            best, best_p, best_q = k, p, q
    p_2, others, unsolved = -1.0 if attacker_moves else 2.0, 1.0, 1
    for k in range(first, first + count):
        if children[k].status == UNKNOWN and k != best:
            unsolved += 1
            if attacker_moves:
                p_2 = max(p_2, children[k].pn)
                others *= children[k].dn
            else:
                p_2 = min(p_2, children[k].pn)
                others *= children[k].pn
    some, none = max(some, TINY), max(none, TINY)
    if attacker_moves:
        return Backup(some, none, best, p_2, others, unsolved)
    return Backup(none, some, best, p_2, others, unsolved)


def thresholds(o, frame, child, backup, attacker_moves):
    """The interval (lo, hi) of the child; the product of the others may have run down to 0, then
    nothing is lost by leaving."""
    lo, hi, p_2 = frame.th_pn, frame.th_dn, backup.second
    others = max(backup.others, TINY)
    if attacker_moves:
        low = 1.0 - (1.0 - lo) / others + SLACK / others + EARLY
        high = 1.0 - (1.0 - hi) / others - SLACK / others - EARLY
        return max(p_2 / (1.0 + o.epsilon), low), high
    high = hi / others * (1.0 - EARLY)
    low = lo / others * (1.0 + EARLY)
    return low, min(p_2 * (1.0 + o.epsilon), high)


def reached(o, frame, p, q):
    """p is not strictly inside the interval."""
    return p <= frame.th_pn or p >= frame.th_dn


def virtual(child, lo, hi, attacker_moves):
    """The numbers of a child as if it had just left its interval on the side of p_2."""
    p = max(min(lo, child.pn), TINY) if attacker_moves else min(max(hi, child.pn), 1.0)
    return p, max(1.0 - p, TINY)


def losing(p, q, attacker_moves):
    """The mover's chance is the smaller one."""
    return p < q if attacker_moves else q < p


@dataclass(frozen=True)
class DFPPN(DepthFirst):
    """Depth-first probability-based proof-number search."""

    id: ClassVar[str] = "df-ppn"
    title: ClassVar[str] = "depth-first probability-based proof-number search"
    paper: ClassVar[str] = "future work of Song 2019 and Primanita et al. 2020"
    follows: ClassVar[str] = ("the largest p where {me} moves and the smallest where {you} does, "
                              "and stays below a node as long as its p is inside an interval")

    theta: float = option(0.01, "p of a leaf whose playouts were all lost", low=1e-12, high=0.5)
    playouts: int = option(60, "random games per leaf", low=1, high=1 << 20)
    epsilon: float = option(0.0, "how far to search a child beyond the second best one", low=0,
                            kw_only=True)

    def show(self, p: Any, q: Any) -> dict[str, Any]:
        """The probability of a proof."""
        return {"p": float(p), "q": float(q)}

    def show_solved(self, won: bool) -> dict[str, Any]:
        """The numbers of a solved node."""
        return {"p": 1.0, "q": 0.0} if won else {"p": 0.0, "q": 1.0}

    def show_thresholds(self, th_pn: Any, th_dn: Any) -> dict[str, Any]:
        """The interval of p inside which a node is searched."""
        return {"lo": float(th_pn), "hi": float(th_dn)}

    def plan(self, rules: Rules) -> Plan:
        """PPN's numbers with intervals."""
        return Plan(leaf_of(rules), backup, thresholds, reached, virtual, top=(-1.0, 2.0),
                    losing=losing, number="f8", stubborn=True)
