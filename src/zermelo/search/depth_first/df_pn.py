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

Both kinds of node are one to the code below, under Nagai's names: ``phi`` is the number by which
the mover of the node compares its children, pn at OR and dn at AND nodes, and ``delta`` the number
that adds up. They are the child's numbers as the *node's* mover sees them, whoever moves in the
child: players need not alternate. (Where they do, Nagai's phi(c), as the child's mover sees it, is
the delta here.)
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zermelo.core.rules import Function, Rules
from zermelo.search.base import option
from zermelo.search.depth_first.expand import unit_leaf
from zermelo.search.depth_first.plan import Backup, Plan
from zermelo.search.depth_first.run import DepthFirst
from zermelo.search.depth_first.table import INF
from zermelo.search.reasons import UNKNOWN

AUTO, ON, OFF = ZONES = ("auto", "on", "off")
ZONES_HELP = ("leave out replies on which a proof does not depend, if the game says what a win "
              "depends on; auto: where both players' wins have zones")


def wants_zones(zones: str, rules: Rules) -> bool:
    """Whether a search with this option has zones in a game."""
    return rules.dependence is not None and (
        zones == ON or (zones == AUTO and rules.dependence.rival is None))


class Options(NamedTuple):
    """What the compiled parts read."""

    epsilon: float


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


def backup_of(total: Function, most: float = INF, cap: float = INF - 1) -> Function:
    """``backup`` for proof numbers: the least phi, and ``total(o, delta_sum, delta_max, unsolved)``
    of the deltas, which is their sum in df-pn, but at most ``cap``.

    ``second`` is phi_2, ``most`` if there is one unsolved child only; ``others`` the sum of the
    deltas of all but the best child.
    """
    nothing = type(most)(0)

    def backup(o, children, first, count, attacker_moves):
        best, phi_1, phi_2, delta_best = -1, most, most, nothing
        delta_sum, delta_max, unsolved = nothing, nothing, 0
        for k in range(first, first + count):
            if children[k].status == UNKNOWN:
                phi, delta = numbers_of(children[k], attacker_moves)
                unsolved += 1
                delta_sum += delta
                delta_max = max(delta_max, delta)
                if phi < phi_1:
                    best, phi_2, phi_1, delta_best = k, phi_1, phi, delta
                elif phi < phi_2:
                    phi_2 = phi
        delta_total = min(total(o, delta_sum, delta_max, unsolved), cap)
        others = delta_sum - delta_best
        return backup_for(attacker_moves, phi_1, delta_total, best, phi_2, others, unsolved)

    return backup


def thresholds_of(share: Function) -> Function:
    """``thresholds`` for proof numbers; ``share(o, th_delta, others, unsolved)`` is what the total
    of the deltas leaves to the best child, th_delta - others in df-pn."""

    def th_delta_of(o, th_delta, delta, backup):
        """At least one more than the child has, or nothing would be done there."""
        left = th_delta if th_delta >= INF else share(o, th_delta, backup.others, backup.unsolved)
        return max(left, delta + 1)

    def thresholds(o, frame, child, backup, attacker_moves):
        if attacker_moves:
            return (th_phi_of(o, frame.th_pn, backup.second),
                    th_delta_of(o, frame.th_dn, child.dn, backup))
        return (th_delta_of(o, frame.th_pn, child.pn, backup),
                th_phi_of(o, frame.th_dn, backup.second))

    return thresholds


def th_phi_of(o, th_phi, phi_2):
    """min(th_phi, max(phi_2 + 1, ceil(phi_2 (1 + epsilon))))."""
    if phi_2 >= INF - 1:
        return th_phi
    relaxed = np.int64(np.ceil(phi_2 * (1.0 + o.epsilon)))
    return min(th_phi, max(phi_2 + 1, relaxed))


def sum_total(o, delta_sum, delta_max, unsolved):
    """The sum."""
    return delta_sum


def sum_share(o, th_delta, others, unsolved):
    """What the sum leaves: the other children's deltas are taken off."""
    return th_delta - others


def reached(o, frame, pn, dn):
    """pn >= th_pn or dn >= th_dn."""
    return pn >= frame.th_pn or dn >= frame.th_dn


def virtual(child, th_pn, th_dn, attacker_moves):
    """As if the child had just failed: the number by which it was chosen is at its threshold."""
    if attacker_moves:
        return min(th_pn, INF - 1), child.dn
    return child.pn, min(th_dn, INF - 1)


@dataclass(frozen=True)
class ProofNumbers(DepthFirst):
    """What all depth-first proof-number searches share."""

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

    def data(self, rules: Rules, plain: bool) -> Options:
        """The options."""
        return Options(float(self.epsilon))

    def plan(self, rules: Rules) -> Plan:
        """Sums, unit leaves."""
        return Plan(unit_leaf, backup_of(sum_total), thresholds_of(sum_share), reached, virtual,
                    top=(INF, INF), zones=wants_zones(self.zones, rules))
