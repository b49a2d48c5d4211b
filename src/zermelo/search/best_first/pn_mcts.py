"""PN-MCTS (Kowalski, Doe, Winands, Górski, Soemers 2024; arXiv 2303.09449): UCT with proof numbers.

The tree is that of UCT, and every node has a proof and a disproof number as well, by the rules of
PN. Where all children have been tried, the search follows the unsolved one with the largest

    v + sqrt(C ln(n_p + 1) / n) + C_pn t,

v the mean result of the mover's games, from -1 to 1, and t how easy the child looks to prove for
the mover: with its pn where the attacker moves, and its dn where the other player does, as x,

    rank:  1 - r / k        r the rank of x among the k children, from 1, the same for equals
    sum:   1 - x / sum      of all that are finite
    max:   1 - x / largest  of all that are finite

The move that would be played is the one with the most visits. Solved children are skipped. A child
that has not been made yet counts as a leaf of PN, with pn = dn = 1.
"""

from dataclasses import dataclass
from math import sqrt
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zermelo.core.rules import Rules
from zermelo.kernel.rng import ln
from zermelo.search.base import option
from zermelo.search.best_first.mcts import backup as count_games
from zermelo.search.best_first.mcts import largest_of
from zermelo.search.best_first.mcts import settle as count_game
from zermelo.search.best_first.plan import Function, Plan
from zermelo.search.best_first.pn import INF, proof_number
from zermelo.search.best_first.pool import NOBODY
from zermelo.search.best_first.search import BestFirst
from zermelo.search.common.rules import playout_wins_of
from zermelo.search.reasons import UNKNOWN, WON

TERMS = ("rank", "sum", "max")
RANK, SUM = 0, 1
MOST = INF - 1  # of an unsolved node


class Options(NamedTuple):
    """What the compiled parts read; ``term`` is a place in TERMS."""

    C: float
    C_pn: float
    term: int
    playouts: int


def term_of(number: Function) -> Function:
    """``term(o, nodes, n, c, attacker_moves)``: how easy child ``c`` of ``n`` looks to prove.

    ``number(nodes, c, attacker_moves)`` is the proof number for who moves at ``n``.
    """

    def term(o, nodes, n, c, attacker_moves):
        x = number(nodes, c, attacker_moves)
        if x == INF:
            return 0.0
        rank, total, largest = 1, np.int64(0), np.int64(0)
        d = nodes[n].first
        while d != NOBODY:
            y = number(nodes, d, attacker_moves)
            if y < INF:
                rank += y < x
                total += y
                largest = max(largest, y)
            d = nodes[d].next
        if o.term == RANK:
            return 1.0 - rank / np.int64(nodes[n].count)
        return 1.0 - x / (total if o.term == SUM else largest)

    return term


def proof_number_of(nodes, c, attacker_moves):
    """pn for the attacker, dn for the other player."""
    return np.int64(nodes[c].pn) if attacker_moves else np.int64(nodes[c].dn)


def least_and_sum(nodes, n):
    """(least pn, sum of pn, least dn, sum of dn) of the children; those not made yet have 1."""
    missing = np.int64(nodes[n].count) - np.int64(nodes[n].made)
    least_pn, least_dn = (np.int64(1), np.int64(1)) if missing else (np.int64(INF), np.int64(INF))
    sum_pn, sum_dn = missing, missing
    c = nodes[n].first
    while c != NOBODY:
        pn, dn = np.int64(nodes[c].pn), np.int64(nodes[c].dn)
        least_pn, least_dn = min(least_pn, pn), min(least_dn, dn)
        sum_pn, sum_dn = sum_pn + pn, sum_dn + dn
        c = nodes[c].next
    return least_pn, min(sum_pn, np.int64(MOST)), least_dn, min(sum_dn, np.int64(MOST))


def proved(nodes, n):
    """The numbers that a solved node has."""
    won = nodes[n].status == WON
    nodes[n].pn = 0 if won else INF
    nodes[n].dn = INF if won else 0


def settle(o, nodes, n):
    """A finished game."""
    count_game(o, nodes, n)
    proved(nodes, n)


def backup(o, nodes, n, leaf, attacker_moves):
    """One more iteration through ``n``; then minima and sums."""
    count_games(o, nodes, n, leaf, attacker_moves)
    if nodes[n].status != UNKNOWN:
        proved(nodes, n)
        return True
    least_pn, sum_pn, least_dn, sum_dn = least_and_sum(nodes, n)
    nodes[n].pn = least_pn if attacker_moves else sum_pn
    nodes[n].dn = sum_dn if attacker_moves else least_dn
    return True


child_term = term_of(proof_number_of)


def bound(o, nodes, n, c, attacker_moves):
    """What the search follows the largest of."""
    rate = np.float64(nodes[c].wins) / (np.float64(nodes[c].visits) * o.playouts)
    result = 2.0 * rate - 1.0
    explored = sqrt(o.C * ln(np.int64(nodes[n].visits) + 1) / nodes[c].visits)
    easy = child_term(o, nodes, n, c, attacker_moves)
    return (result if attacker_moves else -result) + explored + o.C_pn * easy


def visited(o, nodes, n, c, attacker_moves):
    """What the move to play has the most of."""
    return np.float64(nodes[c].visits)


@dataclass(frozen=True)
class PNMCTS(BestFirst):
    """UCT with a proof-number term."""

    id: ClassVar[str] = "pn-mcts"
    title: ClassVar[str] = "proof-number Monte-Carlo tree search"
    paper: ClassVar[str] = "Kowalski et al. 2024"
    numbers: ClassVar[list[tuple[str, str]]] = [
        ("wins", "u8"), ("visits", "u4"), ("pn", "u4"), ("dn", "u4")]
    follows: ClassVar[str] = ("the best results for the player who moves, raised where there were "
                              "few visits and where the fewest leaves are left to prove")

    term: str = option("rank", "how proof numbers count", choices=TERMS)
    C_pn: float = option(1.0, "weight of proof numbers", low=0, high=1e6)
    C: float = option(2.0, "weight of exploration", low=0, high=1e6)
    playouts: int = option(1, "random games per leaf", low=1, high=1_000_000)

    def plan(self, rules: Rules) -> Plan:
        """Children one by one; statistics and proof numbers along the path."""
        playout_wins = playout_wins_of(rules)

        def evaluate(g, o, tree, n, s, depth):
            nodes = tree.nodes
            nodes[n].visits = 1 if depth > 0 else 0
            nodes[n].wins = playout_wins(g, tree, s, o.playouts) if depth > 0 else 0
            nodes[n].pn, nodes[n].dn = 1, 1

        return Plan(largest_of(bound, False), evaluate, settle, backup,
                    choose=largest_of(visited, False), linked=True, shuffle=self.shuffle)

    def data(self) -> tuple[Any, ...]:
        """All options are data."""
        return Options(self.C, self.C_pn, TERMS.index(self.term), self.playouts)

    def show(self, node: Any) -> dict[str, Any]:
        """Iterations through the node, the attacker's mean win rate, and the proof numbers."""
        visits = int(node["visits"])
        rate = int(node["wins"]) / (visits * self.playouts) if visits else None
        return {"visits": visits, "rate": rate, "pn": proof_number(node["pn"]),
                "dn": proof_number(node["dn"])}
