"""df-pn with dynamic widening (Yoshizoe 2008), the FDFPN of the Hex solvers (Henderson 2010).

A sum over all children shows more about how many moves there are than about how hard a proof is:
where there are many, most never matter. Dynamic widening lets only the best

    j = base + ceil(factor x live),    at least 2 of 2 or more,

of a node's ``live`` unsolved children count. At an OR node

    pn = min pn(c)        dn = sum dn(c) over the best j

and at an AND node the same with pn and dn exchanged. The best are those with the least number by
which the mover compares, phi in ``df_pn``; or, as in the Hex solvers, the first of the game's order
of moves, and then no other is searched. Where a child is refuted the next one moves up, so nothing
is left out in the end: the window holds what counts at present.

Thresholds are those of df-pn, with the sum over the children that count.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from zermelo.core.rules import Function, Rules
from zermelo.search.base import option
from zermelo.search.depth_first.df_pn import ProofNumbers, backup_for, df_pn_plan, numbers_of
from zermelo.search.depth_first.plan import Plan
from zermelo.search.depth_first.table import INF
from zermelo.search.reasons import UNKNOWN


def window(o, live):
    """j: how many of ``live`` unsolved children count."""
    return min(live, max(2, o.base + np.int64(np.ceil(o.factor * live))))


def up_to(children, first, count, attacker_moves, bound):
    """The number of unsolved children whose phi is at most ``bound``."""
    found = 0
    for k in range(first, first + count):
        if children[k].status == UNKNOWN:
            phi, _ = numbers_of(children[k], attacker_moves)
            found += phi <= bound
    return found


def smallest(children, first, count, attacker_moves, j):
    """The j-th smallest phi of at least j unsolved children, by halving the range it lies in."""
    low, high = INF, 0
    for k in range(first, first + count):
        if children[k].status == UNKNOWN:
            phi, _ = numbers_of(children[k], attacker_moves)
            low, high = min(low, phi), max(high, phi)
    while low < high:
        middle = (low + high) // 2
        if up_to(children, first, count, attacker_moves, middle) >= j:
            high = middle
        else:
            low = middle + 1
    return low


def backup_of(by_numbers: bool) -> Function:
    """Return ``backup`` over the j children with the least phi, or the first j in order. Of those
    that have just the j-th phi the first ones count, as many as fit."""

    def backup(o, children, first, count, attacker_moves):
        live = up_to(children, first, count, attacker_moves, INF)
        j = window(o, live)
        bound, room = INF, j
        if by_numbers and j < live:
            bound = smallest(children, first, count, attacker_moves, j)
            room -= up_to(children, first, count, attacker_moves, bound - 1)
        best, phi_1, phi_2, delta_best, delta_sum = -1, INF, INF, 0, 0
        for k in range(first, first + count):
            if children[k].status != UNKNOWN:
                continue
            phi, delta = numbers_of(children[k], attacker_moves)
            if phi == bound or bound == INF:
                room -= 1
                if room < 0:
                    continue
            elif phi > bound:
                continue
            delta_sum += delta
            if phi < phi_1:
                best, phi_2, phi_1, delta_best = k, phi_1, phi, delta
            elif phi < phi_2:
                phi_2 = phi
        delta_total = min(delta_sum, INF - 1)
        others = delta_sum - delta_best
        return backup_for(attacker_moves, phi_1, delta_total, best, phi_2, others, live)

    return backup


@dataclass(frozen=True)
class WideningDFPN(ProofNumbers):
    """Depth-first proof-number search with dynamic widening."""

    id: ClassVar[str] = "widening-df-pn"
    title: ClassVar[str] = "df-pn whose sums have the best children only"
    paper: ClassVar[str] = "Yoshizoe 2008; Henderson 2010"

    base: int = option(1, "how many children count in any case", low=0, high=1 << 20)
    factor: float = option(0.25, "which part of the unsolved children counts besides; 1 is df-pn",
                           low=0, high=1)
    best: str = option("numbers", "which children are the best: those with the best numbers, or "
                       "the first in the game's order of moves", choices=("numbers", "order"))
    epsilon: float = option(0.25, "how far to search a child beyond the second best one", low=0)

    def plan(self, rules: Rules) -> Plan:
        """Sums over a window, unit leaves.

        A sum falls where a child leaves the window. What falls, and may be forgotten, could go
        round in circles, so visits are stubborn once the table has lost entries.
        """
        return df_pn_plan(backup=backup_of(self.best == "numbers"), stubborn=self.factor < 1,
                          late=not rules.cyclic)
