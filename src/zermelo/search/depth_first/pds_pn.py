"""PDS-PN (Winands, Uiterwijk, van den Herik 2002): PDS over a second level of PN search.

PDS (Nagai 1998) is depth first with two thresholds: a node is left when it is solved, or when pn
and dn have *both* reached theirs. The child c to be searched is the one with the least pn at an OR
node, of equal ones that with the least dn; with pn, dn, th_pn and th_dn of the node,

    th_pn(c) = pn(c) + 1,  th_dn(c) = dn(c)    if pn < th_pn and (pn(c) <= dn(c) or dn >= th_dn)
    th_pn(c) = pn(c),  th_dn(c) = dn(c) + 1    else:

a child that looks like a proof is given more room to be proved, any other to be disproved, as far
as the node itself has room. The root begins with th_pn = th_dn = 1; whenever both are reached the
smaller of its numbers gets one more.

A node that is entered for the first time is looked at by a PN search of its own, see
``second_level``, of at most

    y = min(x f(x), N - x) nodes,    f(x) = 1 / (1 + exp((a - x) / b)),

where the first level has x nodes. Of its tree nothing stays but what it says about the node.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np

from zermelo.core.rules import Rules
from zermelo.kernel.portable_math import exp
from zermelo.search.base import option
from zermelo.search.depth_first.df_pn import ProofNumbers, backup_for, numbers_of, virtual
from zermelo.search.depth_first.driver import verdict
from zermelo.search.depth_first.expand import unit_leaf
from zermelo.search.depth_first.plan import Function, Plan
from zermelo.search.depth_first.second_level import FIELDS, second_level_of
from zermelo.search.depth_first.table import INF
from zermelo.search.reasons import UNKNOWN


class Options(NamedTuple):
    """What the compiled parts read."""

    a: float
    b: float
    N: int
    epsilon: float


def backup(o, children, first, count, attacker_moves):
    """The least phi, of equal ones that with the least delta; the sum of the deltas."""
    best, phi_1, phi_2, delta_best = -1, INF, INF, 0
    delta_sum, unsolved = 0, 0
    for k in range(first, first + count):
        if children[k].status == UNKNOWN:
            phi, delta = numbers_of(children[k], attacker_moves)
            unsolved += 1
            delta_sum += delta
            if phi < phi_1 or (phi == phi_1 and delta < delta_best):
                best, phi_2, phi_1, delta_best = k, phi_1, phi, delta
            elif phi < phi_2:
                phi_2 = phi
    delta_total = min(delta_sum, INF - 1)
    others = delta_sum - delta_best
    return backup_for(attacker_moves, phi_1, delta_total, best, phi_2, others, unsolved)


def more(o, number):
    """number + 1, or number (1 + epsilon) if that is more."""
    return min(max(number + 1, np.int64(np.ceil(number * (1.0 + o.epsilon)))), INF)


def thresholds(o, frame, child, backup, attacker_moves):
    """Room for a proof or for a disproof, never for both."""
    if backup.pn < frame.th_pn and (child.pn <= child.dn or backup.dn >= frame.th_dn):
        return more(o, child.pn), child.dn
    return child.pn, more(o, child.dn)


def reached(o, frame, pn, dn):
    """Both thresholds."""
    return pn >= frame.th_pn and dn >= frame.th_dn


def adjust(o, frame, control, depth, pn, dn):
    """The root is not left: it gets more room instead."""
    if depth == 0 and pn >= frame.th_pn and dn >= frame.th_dn:
        frame.th_pn, frame.th_dn = pn, dn
        if pn <= dn:
            frame.th_pn = more(o, pn)
        else:
            frame.th_dn = more(o, dn)


def second_limit(o, control):
    """y, for x first-level nodes; a second search makes one expansion at least."""
    x = control.expansions - control.settled
    f = 1.0 / (1.0 + exp((o.a - x) / o.b))
    return max(np.int64(min(x * f, np.float64(o.N - x))), 1)


def entered_of(rules: Rules, plan: Plan, expand: Function) -> Function:
    """``entered``: the second level."""
    return second_level_of(rules, plan, expand, verdict, second_limit)


def room_of(rules: Rules) -> Function:
    """``room``: for the tree of the second level, whose last expansion may go beyond the limit."""
    most_moves = rules.max_moves

    def room(o, control):
        return second_limit(o, control) + 2 * most_moves

    return room


@dataclass(frozen=True)
class PDSPN(ProofNumbers):
    """Two levels: proof-number and disproof-number search, and proof-number search."""

    id: ClassVar[str] = "pds-pn"
    title: ClassVar[str] = "depth-first PDS over a second level of PN"
    paper: ClassVar[str] = "Winands, Uiterwijk and van den Herik 2002"
    follows: ClassVar[str] = ("the least pn where {me} moves and the least dn where {you} does, "
                              "and stays below a node until both thresholds are reached")

    a: float = option(450_000.0, "first-level size at which f = 1/2", low=1, high=1e12)
    b: float = option(300_000.0, "how gradually f rises", low=1, high=1e12)
    N: int = option(1_000_000, "nodes of both levels together", low=2, high=100_000_000)
    epsilon: float = option(0.0, "thresholds grow by this part, and by 1 at least; 0 is PDS", low=0)

    def data(self, rules: Rules, plain: bool) -> Options:
        """The options."""
        return Options(float(self.a), float(self.b), int(self.N), float(self.epsilon))

    def plan(self, rules: Rules) -> Plan:
        """PDS, and PN below each new node."""
        return Plan(unit_leaf, backup, thresholds, reached, virtual, top=(1, 1), stubborn=True,
                    late=not rules.cyclic, entered=entered_of, adjust=adjust, room=room_of(rules),
                    child_fields=FIELDS)
