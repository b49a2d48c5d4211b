"""Monte-Carlo proof-number search (Saito et al. 2006; Song 2019, section 2.3.2).

PN-search whose leaves start from playouts: with win rate R of the attacker, pn = 1 - R and dn = R,
kept away from 0 and 1 by theta. Sums and minima as in PN.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zermelo.core.rules import Rules
from zermelo.search.base import option
from zermelo.search.best_first.plan import Plan
from zermelo.search.best_first.search import BestFirst
from zermelo.search.common.playouts import away_from_0_and_1, playout_wins_of
from zermelo.search.common.status import UNKNOWN, WON


class Options(NamedTuple):
    """What the compiled parts read."""

    theta: float
    playouts: int


def settle(o, nodes, n):
    """Proved: (0, inf). Disproved: (inf, 0)."""
    nodes[n].pn = 0.0 if nodes[n].status == WON else np.inf
    nodes[n].dn = np.inf if nodes[n].status == WON else 0.0


def select(o, nodes, n, attacker_moves):
    """The leftmost unsolved child with least pn (OR) or least dn (AND)."""
    first = nodes[n].first
    best, least = first, np.inf
    for c in range(first, first + nodes[n].count):
        if nodes[c].status == UNKNOWN:
            number = nodes[c].pn if attacker_moves else nodes[c].dn
            if number < least:
                best, least = c, number
    return best


def backup(o, nodes, n, leaf, attacker_moves):
    """Minimum and sum; solved children are 0 in the sum and infinite in the minimum."""
    if nodes[n].status != UNKNOWN:
        settle(o, nodes, n)
        return True
    first = nodes[n].first
    least, total = np.inf, 0.0
    for c in range(first, first + nodes[n].count):
        small, large = nodes[c].pn, nodes[c].dn
        if not attacker_moves:
            small, large = large, small
        least = min(least, small)
        total += large
    pn, dn = (least, total) if attacker_moves else (total, least)
    if pn == nodes[n].pn and dn == nodes[n].dn:
        return False
    nodes[n].pn = pn
    nodes[n].dn = dn
    return True


@dataclass(frozen=True)
class MCPN(BestFirst):
    """Proof-number search with playouts at the leaves."""

    id: ClassVar[str] = "mcpn"
    title: ClassVar[str] = "Monte-Carlo proof-number search"
    paper: ClassVar[str] = "Song 2019, 2.3.2"
    numbers: ClassVar[list[tuple[str, str]]] = [("pn", "f8"), ("dn", "f8")]

    theta: float = option(0.01, "distance of an unsolved leaf from 0 and 1", low=1e-12, high=0.5)
    playouts: int = option(60, "random games per leaf", low=1, high=1_000_000)

    def plan(self, rules: Rules) -> Plan:
        """PN on real numbers with playouts as evaluation."""
        playout_wins = playout_wins_of(rules)

        def evaluate(g, o, tree, n, s, depth):
            wins = playout_wins(g, tree, s, o.playouts)
            losses = o.playouts - wins
            tree.nodes[n].pn = away_from_0_and_1(losses, wins, o)
            tree.nodes[n].dn = away_from_0_and_1(wins, losses, o)

        return Plan(select, evaluate, settle, backup, shuffle=self.shuffle)

    def data(self) -> tuple[Any, ...]:
        """Both options are data."""
        return Options(self.theta, self.playouts)

    def show(self, node: Any) -> dict[str, Any]:
        """The node's numbers."""
        pn, dn = float(node["pn"]), float(node["dn"])
        return {"pn": "inf" if pn == np.inf else pn, "dn": "inf" if dn == np.inf else dn}
