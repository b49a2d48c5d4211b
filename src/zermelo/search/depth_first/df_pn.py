"""df-pn (Nagai 2002; Song 2019, 2.1.4 and the appendix), with the 1 + epsilon rule (3.3.5).

The numbers are those of PN; the search is depth first. At an OR node

    pn = min pn(c)        dn = sum dn(c)

over the unsolved children c. The child with the least pn is searched until its pn exceeds that of
the second best child, pn_2, or until the node's own thresholds are met:

    th_pn(c) = min(th_pn, max(pn_2 + 1, ceil(pn_2 (1 + epsilon))))
    th_dn(c) = th_dn - (sum dn - dn(c))

and at AND nodes the same with pn and dn exchanged. epsilon = 0 is Nagai's df-pn, whose bound is
pn_2 + 1; the 1 + epsilon rule (Pawlewicz & Lew 2006) stays longer with a child and returns to it
less often.

``thresholds_of`` below makes the thresholds, ``backup_of`` the node's numbers. Both kinds of node
are one to them, under Nagai's names: ``phi`` is the number by which the mover of the node compares
its children, pn at OR and dn at AND nodes, and ``delta`` the number that adds up. They are the
child's numbers as the *node's* mover sees them, no matter who moves in the child: players need not
alternate. (Where they do, Nagai's phi(c), as the child's mover sees it, is the delta here.)
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from zermelo.core.rules import Function, Rules
from zermelo.search.base import option
from zermelo.search.depth_first.driver import unit_leaf
from zermelo.search.depth_first.plan import Backup, Plan
from zermelo.search.depth_first.run import DepthFirst
from zermelo.search.depth_first.table import INF
from zermelo.search.reasons import UNKNOWN

AUTO, ON, OFF = ZONES = ("auto", "on", "off")
ZONES_HELP = ("leave out replies on which a proof does not depend, if the game says what a win "
              "depends on; auto: where both players' wins have zones")


def wants_zones(zones: str, rules: Rules) -> bool:
    """Return True if a search with this option has zones in a game."""
    return rules.dependence is not None and (
        zones == ON or (zones == AUTO and rules.dependence.rival is None))


def numbers_of(child, attacker_moves):
    """(phi, delta) of a child, as the node's mover sees them."""
    if attacker_moves:
        return child.pn, child.dn
    return child.dn, child.pn


def backup_for(attacker_moves, phi, delta, best, second, others, unsolved):
    """A Backup by phi and delta, which are pn and dn where the attacker moves."""
    if attacker_moves:
        return Backup(phi, delta, best, second, others, unsolved)
    return Backup(delta, phi, best, second, others, unsolved)


def backup_of(total: Function, inf: float = INF, cap: float = INF - 1,
              by_delta: bool = False) -> Function:
    """Return ``backup`` for proof numbers: the least phi, and, at most ``cap``, the ``total(o,
    delta_sum, delta_max, unsolved)`` of the deltas, which is their sum in df-pn.

    ``second`` is phi_2, ``inf`` if there is one unsolved child only; ``others`` the sum of the
    deltas of all but the best child. ``by_delta``: of equal phi, the least delta is best.
    """
    nothing = type(inf)(0)

    def backup(o, children, first, count, attacker_moves):
        best, phi_1, phi_2, delta_best = -1, inf, inf, nothing
        delta_sum, delta_max, unsolved = nothing, nothing, 0
        for k in range(first, first + count):
            if children[k].status == UNKNOWN:
                phi, delta = numbers_of(children[k], attacker_moves)
                unsolved += 1
                delta_sum += delta
                delta_max = max(delta_max, delta)
                if phi < phi_1 or (by_delta and phi == phi_1 and delta < delta_best):
                    best, phi_2, phi_1, delta_best = k, phi_1, phi, delta
                elif phi < phi_2:
                    phi_2 = phi
        delta_total = min(total(o, delta_sum, delta_max, unsolved), cap)
        others = delta_sum - delta_best
        return backup_for(attacker_moves, phi_1, delta_total, best, phi_2, others, unsolved)

    return backup


def one_more(number):
    """The next larger number."""
    return number + 1


def thresholds_of(share: Function, inf: float = INF, cap: float = INF - 1,
                  above: Function = one_more) -> Function:
    """Return ``thresholds`` for proof numbers: those of the child that is searched next.

    ``share(o, th_delta, others, unsolved)`` is the part of the node's delta threshold that is left
    to the best child, th_delta - others in df-pn. ``inf`` stands for no threshold.
    """
    whole = np.int64 if inf == INF else np.float64

    def th_phi_of(o, th_phi, phi_2):
        """min(th_phi, max(phi_2 + 1, ceil(phi_2 (1 + epsilon))))."""
        if phi_2 >= cap:
            return th_phi
        return min(th_phi, max(above(phi_2), whole(np.ceil(phi_2 * (1.0 + o.epsilon)))))

    def th_delta_of(o, th_delta, delta, backup):
        """The part that is left, but more than the child has, or the search would stand still."""
        left = th_delta if th_delta >= inf else share(o, th_delta, backup.others, backup.unsolved)
        return max(left, above(delta))

    def thresholds(o, frame, child, backup, attacker_moves):
        if attacker_moves:
            return (th_phi_of(o, frame.th_pn, backup.second),
                    th_delta_of(o, frame.th_dn, child.dn, backup))
        return (th_delta_of(o, frame.th_pn, child.pn, backup),
                th_phi_of(o, frame.th_dn, backup.second))

    return thresholds


def sum_total(o, delta_sum, delta_max, unsolved):
    """The sum."""
    return delta_sum


def sum_share(o, th_delta, others, unsolved):
    """The part of a threshold that the sum leaves: less the other children's deltas."""
    return th_delta - others


def reached(o, frame, pn, dn):
    """pn >= th_pn or dn >= th_dn."""
    return pn >= frame.th_pn or dn >= frame.th_dn


def virtual_of(cap: float) -> Function:
    """Return ``virtual``: the numbers of a child as if it had just failed, so that the one by which
    it was chosen is at its threshold."""

    def virtual(child, th_pn, th_dn, attacker_moves):
        if attacker_moves:
            return min(th_pn, cap), child.dn
        return child.pn, min(th_dn, cap)

    return virtual


virtual = virtual_of(INF - 1)


def df_pn_plan(leaf: Function = unit_leaf, total: Function = sum_total,
               share: Function = sum_share, inf: float = INF, cap: float = INF - 1,
               above: Function = one_more, **more: Any) -> Plan:
    """Return df-pn's plan with other leaves, sums or numbers; ``more`` are other parts of it."""
    plan = Plan(leaf, backup_of(total, inf, cap), thresholds_of(share, inf, cap, above), reached,
                virtual_of(cap), top=(inf, inf))
    return replace(plan, **more)


@dataclass(frozen=True)
class ProofNumbers(DepthFirst):
    """A depth-first search by proof numbers, shown as pn and dn."""

    def show(self, pn: Any, dn: Any) -> dict[str, Any]:
        """The proof and the disproof number."""
        return {"pn": int(pn), "dn": int(dn)}

    def show_solved(self, won: bool) -> dict[str, Any]:
        """The numbers of a solved node."""
        return {"pn": 0, "dn": "inf"} if won else {"pn": "inf", "dn": 0}

    def show_thresholds(self, th_pn: Any, th_dn: Any) -> dict[str, Any]:
        """The numbers at which a node is left."""
        pn, dn = ("inf" if number >= INF else int(number) for number in (th_pn, th_dn))
        return {"pn": pn, "dn": dn}


@dataclass(frozen=True)
class DFPN(ProofNumbers):
    """Depth-first proof-number search."""

    id: ClassVar[str] = "df-pn"
    title: ClassVar[str] = "depth-first proof-number search, 1 + epsilon"
    paper: ClassVar[str] = "Song 2019, 2.1.4 and 3.3.5; Nagai 2002"

    epsilon: float = option(0.25, "how far to search a child beyond the second best one; 0 is "
                            "Nagai's df-pn", low=0)
    zones: str = option(AUTO, ZONES_HELP, choices=ZONES)

    def plan(self, rules: Rules) -> Plan:
        """Return sums and unit leaves."""
        return df_pn_plan(zones=wants_zones(self.zones, rules))
