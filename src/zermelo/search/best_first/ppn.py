"""Searches with chances: PPN, product propagation, and Monte-Carlo proof-number search.

*PPN*, probability-based proof-number search (Song 2019, chapter 5; Primanita et al. 2020, 3.1-3.2):
p is the chance that a node will be proved, with the children as independent events:

    OR:  p = 1 - (1 - p_1) ... (1 - p_k)        AND:  p = p_1 ... p_k

A leaf's p is its playout win rate, kept away from 0 and 1 by theta. The search follows the largest
p at OR nodes and the smallest at AND nodes. With ``pr`` it also stops when the root's p is within
pr of 0 or 1: that is a conclusion at a precision, not a proof.

p and q = 1 - p are stored apart and computed without subtraction, so that a p of 1 - 1e-40 and one
of 1 - 1e-50 still differ; children are compared by p, then by q.

*Product propagation* (Slagle and Bursky 1968; Saffidine and Cazenave 2013) has the same rules with
every unsolved leaf at p = 1/2, and no playouts.

*MCPN*, Monte-Carlo proof-number search (Saito et al. 2006; Song 2019, section 2.3.2): PN-search
whose leaves start from playouts: with win rate R of the attacker, pn = 1 - R and dn = R, kept away
from 0 and 1 by theta. Sums and minima as in PN.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from zermelo.core.rules import Rules
from zermelo.search.base import option
from zermelo.search.best_first.evaluated import Valued
from zermelo.search.best_first.plan import Function, Plan
from zermelo.search.best_first.pn import changed_numbers, numbers_of
from zermelo.search.best_first.search import BestFirst
from zermelo.search.common.rules import away_from_0_and_1, chance_away, playout_wins_of
from zermelo.search.reasons import LOST, UNKNOWN, WON

TINY = 1e-300


def settle(o, nodes, n):
    """Write p = 1 for a proved node, p = 0 for a disproved one, exactly."""
    nodes[n].p = 1.0 if nodes[n].status == WON else 0.0
    nodes[n].q = 0.0 if nodes[n].status == WON else 1.0


def select(o, nodes, n, attacker_moves):
    """Return the leftmost unsolved child with largest p (OR) or smallest p (AND)."""
    first = nodes[n].first
    best, p, q = -1, 0.0, 0.0
    for c in range(first, first + nodes[n].count):
        if nodes[c].status == UNKNOWN:
            more = nodes[c].p > p or (nodes[c].p == p and nodes[c].q < q)
            less = nodes[c].p < p or (nodes[c].p == p and nodes[c].q > q)
            if best < 0 or (more if attacker_moves else less):
                best, p, q = c, nodes[c].p, nodes[c].q
    return best


def backup(o, nodes, n, leaf, attacker_moves):
    """Apply the rules for independent events, p and q each by sums and products of positive
    numbers."""
    if nodes[n].status != UNKNOWN:
        settle(o, nodes, n)
        return True
    first = nodes[n].first
    all_fail, some = 1.0, 0.0  # OR: the product of the q, and p; AND: of the p, and q
    for c in range(first, first + nodes[n].count):
        if attacker_moves:
            some += nodes[c].p * all_fail
            all_fail *= nodes[c].q
        else:
            some += nodes[c].q * all_fail
            all_fail *= nodes[c].p
    some, all_fail = max(some, TINY), max(all_fail, TINY)
    p, q = (some, all_fail) if attacker_moves else (all_fail, some)
    if p == nodes[n].p and q == nodes[n].q:
        return False
    nodes[n].p = p
    nodes[n].q = q
    return True


def arrived(o, nodes):
    """Return True if the root's p is within pr of 0 or of 1."""
    return nodes[0].p <= o.pr or nodes[0].q <= o.pr


def even(nodes, n):
    """Write that a node is as likely to be won as not."""
    nodes[n].p = 0.5
    nodes[n].q = 0.5


@dataclass(frozen=True)
class Probabilities(BestFirst):
    """The numbers that PPN and PP share, and how they are shown."""

    numbers: ClassVar[list[tuple[str, str]]] = [("p", "f8"), ("q", "f8")]
    follows: ClassVar[str] = "the largest p where {me} moves and the smallest where {you} does"

    def show(self, node: Any) -> dict[str, Any]:
        """Return the node's probability, and its distance from 1 where p alone would hide it."""
        return {"p": float(node["p"]), "q": float(node["q"])}


@dataclass(frozen=True)
class PPN(Valued, Probabilities):
    """Probability-based proof-number search."""

    id: ClassVar[str] = "ppn"
    title: ClassVar[str] = "probability-based proof-number search"
    paper: ClassVar[str] = "Song 2019, 5.2; Primanita et al. 2020"

    theta: float = option(0.01, "distance of an unsolved leaf from 0 and 1", low=1e-12, high=0.5)
    pr: float | None = option(None, "stop when p is this close to 0 or 1", low=1e-300, high=0.5)
    playouts: int = option(60, "random games per leaf", low=1, high=1_000_000)

    def plan(self, rules: Rules) -> Plan:
        """Return a plan of the probability rules with playouts as evaluation."""
        playout_wins: Function = playout_wins_of(rules)

        def evaluate(g, o, tree, n, s, depth):
            wins = playout_wins(g, tree, s, o.playouts)
            losses = o.playouts - wins
            tree.nodes[n].p = away_from_0_and_1(wins, losses, o)
            tree.nodes[n].q = away_from_0_and_1(losses, wins, o)

        return Plan(select, evaluate, settle, backup, arrived, shuffle=self.shuffle)

    def unvalued(self) -> Function:
        """Return the function that writes 1/2."""
        return even

    def of_chance(self, p: float, q: float) -> dict[str, float]:
        """Return a leaf's p and q as after playouts: theta instead of 0, 1 - theta instead of 1."""
        return {"p": chance_away(p, q, self.theta), "q": chance_away(q, p, self.theta)}

    def virtual(self, numbers: dict[str, float], visits: int,
                attacker_moves: bool) -> dict[str, float]:
        """Return chances that make a node less likely to be what the mover wants."""
        p, q = numbers["p"], numbers["q"]
        if attacker_moves:
            p = p / (1 + visits)
            return {"p": p, "q": 1.0 - p}
        q = q / (1 + visits)
        return {"p": 1.0 - q, "q": q}

    def leaning(self, root: Any) -> int:
        """Return the nearer result, where the compiled test ``arrived`` holds."""
        if self.pr is None or min(root["p"], root["q"]) > self.pr:
            return UNKNOWN
        return WON if root["p"] > root["q"] else LOST


def evaluate(g, o, tree, n, s, depth):
    """Write that a leaf is as likely to be won as not."""
    even(tree.nodes, n)


@dataclass(frozen=True)
class PP(Probabilities):
    """Product propagation."""

    id: ClassVar[str] = "pp"
    title: ClassVar[str] = "product propagation"
    paper: ClassVar[str] = "Saffidine and Cazenave 2013"

    def plan(self, rules: Rules) -> Plan:
        """Return a plan of the probability rules with a constant evaluation."""
        return Plan(select, evaluate, settle, backup, shuffle=self.shuffle)


settle_numbers, minimum_and_sum = numbers_of(np.float64, np.inf, float(np.finfo(np.float64).max))


def select_least(o, nodes, n, attacker_moves):
    """Return the leftmost child with least pn (OR) or least dn (AND); a solved one has infinity
    there."""
    _, _, best = minimum_and_sum(nodes, n, attacker_moves)
    return best


def backup_sums(o, nodes, n, leaf, attacker_moves):
    """Write minimum and sum, as in PN."""
    if nodes[n].status != UNKNOWN:
        settle_numbers(o, nodes, n)
        return True
    pn, dn, _ = minimum_and_sum(nodes, n, attacker_moves)
    return changed_numbers(nodes, n, pn, dn)


def even_numbers(nodes, n):
    """Write that a node is as likely to be won as not."""
    nodes[n].pn = 0.5
    nodes[n].dn = 0.5


@dataclass(frozen=True)
class MCPN(Valued):
    """Proof-number search with playouts at the leaves."""

    id: ClassVar[str] = "mcpn"
    title: ClassVar[str] = "Monte-Carlo proof-number search"
    paper: ClassVar[str] = "Song 2019, 2.3.2"
    numbers: ClassVar[list[tuple[str, str]]] = [("pn", "f8"), ("dn", "f8")]
    follows: ClassVar[str] = "the least pn where {me} moves and the least dn where {you} does"

    theta: float = option(0.01, "distance of an unsolved leaf from 0 and 1", low=1e-12, high=0.5)
    playouts: int = option(60, "random games per leaf", low=1, high=1_000_000)

    def plan(self, rules: Rules) -> Plan:
        """Return a plan of PN on real numbers with playouts as evaluation."""
        playout_wins = playout_wins_of(rules)

        def evaluate(g, o, tree, n, s, depth):
            wins = playout_wins(g, tree, s, o.playouts)
            losses = o.playouts - wins
            tree.nodes[n].pn = away_from_0_and_1(losses, wins, o)
            tree.nodes[n].dn = away_from_0_and_1(wins, losses, o)

        return Plan(select_least, evaluate, settle_numbers, backup_sums, shuffle=self.shuffle)

    def unvalued(self) -> Function:
        """Return the function that writes 1/2."""
        return even_numbers

    def of_chance(self, p: float, q: float) -> dict[str, float]:
        """Return a leaf's numbers as after playouts: theta instead of 0, 1 - theta instead of 1."""
        return {"pn": chance_away(q, p, self.theta), "dn": chance_away(p, q, self.theta)}

    def virtual(self, numbers: dict[str, float], visits: int,
                attacker_moves: bool) -> dict[str, float]:
        """Return numbers with more work for the mover."""
        pn, dn = numbers["pn"], numbers["dn"]
        return {"pn": pn * (1 + visits), "dn": dn} if attacker_moves else (
            {"pn": pn, "dn": dn * (1 + visits)})

    def show(self, node: Any) -> dict[str, Any]:
        """Return the node's numbers."""
        pn, dn = float(node["pn"]), float(node["dn"])
        return {"pn": "inf" if pn == np.inf else pn, "dn": "inf" if dn == np.inf else dn}
