"""Proof-number search (Allis, van der Meulen, van den Herik 1994; Song 2019, section 2.1.3).

The proof number pn of a node is the least number of leaves that must be proved to prove it, dn the
same for disproving. At OR nodes pn is the minimum over the children and dn the sum; at AND nodes
the reverse. The next leaf to expand is reached by following the least pn at OR nodes and the least
dn at AND nodes, the leftmost among equals.
"""

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from zermelo.core.rules import Rules
from zermelo.search.base import option
from zermelo.search.best_first.plan import Function, Plan
from zermelo.search.best_first.search import BestFirst
from zermelo.search.reasons import UNKNOWN, WON

INF = 4_294_967_295


def proof_number(value: int) -> int | str:
    """A proof number for people and JSON."""
    return "inf" if value == INF else int(value)


def numbers_of(number: Any, infinity: float, most: float) -> tuple[Function, Function]:
    """``settle`` and ``minimum_and_sum`` for proof numbers of a type.

    ``infinity`` means solved; a sum stays below it, at ``most``.
    """
    zero = number(0)

    def settle(o, nodes, n):
        """Proved: (0, inf). Disproved: (inf, 0)."""
        nodes[n].pn = zero if nodes[n].status == WON else infinity
        nodes[n].dn = infinity if nodes[n].status == WON else zero

    def minimum_and_sum(nodes, n, attacker_moves):
        """(pn, dn, leftmost child with the minimum) from the children."""
        first = nodes[n].first
        best, least, total = first, infinity, zero
        if attacker_moves:
            for c in range(first, first + nodes[n].count):
                pn = number(nodes[c].pn)
                total += number(nodes[c].dn)
                if pn < least:
                    best, least = c, pn
            return least, min(total, most), best
        for c in range(first, first + nodes[n].count):
            dn = number(nodes[c].dn)
            total += number(nodes[c].pn)
            if dn < least:
                best, least = c, dn
        return min(total, most), least, best

    return settle, minimum_and_sum


settle, minimum_and_sum = numbers_of(np.int64, INF, INF - 1)


def evaluate(g, o, tree, n, s, depth):
    """One leaf to prove, one to disprove."""
    tree.nodes[n].pn = 1
    tree.nodes[n].dn = 1
    tree.nodes[n].best = n


def select(o, nodes, n, attacker_moves):
    """The leftmost child with least pn (OR) or least dn (AND), as the last backup found it."""
    return nodes[n].best


def changed_numbers(nodes, n, pn, dn):
    """Write pn and dn; whether that changed anything."""
    if pn == nodes[n].pn and dn == nodes[n].dn:
        return False
    nodes[n].pn = pn
    nodes[n].dn = dn
    return True


def backup(o, nodes, n, leaf, attacker_moves):
    """Minimum and sum; unchanged numbers end the backup."""
    if nodes[n].status != UNKNOWN:
        settle(o, nodes, n)
        return True
    pn, dn, best = minimum_and_sum(nodes, n, attacker_moves)
    nodes[n].best = best
    return changed_numbers(nodes, n, pn, dn)


def select_deepest(o, nodes, n, attacker_moves):
    """Among children with the least number the one whose most-proving leaf is deepest."""
    first = nodes[n].first
    best, least, deepest = first, INF, -1
    for c in range(first, first + nodes[n].count):
        number = np.int64(nodes[c].pn) if attacker_moves else np.int64(nodes[c].dn)
        if number < least or (number == least and number < INF and nodes[c].deepest > deepest):
            best, least, deepest = c, number, np.int64(nodes[c].deepest)
    return best


def evaluate_deepest(g, o, tree, n, s, depth):
    """As ``evaluate``; a leaf is its own most-proving leaf."""
    tree.nodes[n].pn = 1
    tree.nodes[n].dn = 1
    tree.nodes[n].deepest = depth


def backup_with(follow: Function) -> Function:
    """``backup`` of a search with a number of its own beside pn and dn.

    ``follow(o, nodes, n, attacker_moves) -> changed`` takes that number over from the child that
    would be selected.
    """

    def backup(o, nodes, n, leaf, attacker_moves):
        if nodes[n].status != UNKNOWN:
            settle(o, nodes, n)
            return True
        pn, dn, _ = minimum_and_sum(nodes, n, attacker_moves)
        changed = changed_numbers(nodes, n, pn, dn)
        return follow(o, nodes, n, attacker_moves) or changed

    return backup


def follow_deepest(o, nodes, n, attacker_moves):
    """The depth of the most-proving leaf."""
    deepest = nodes[select_deepest(o, nodes, n, attacker_moves)].deepest
    if deepest == nodes[n].deepest:
        return False
    nodes[n].deepest = deepest
    return True


LEFT = Plan(select=select, evaluate=evaluate, settle=settle, backup=backup)


@dataclass(frozen=True)
class ProofNumbers(BestFirst):
    """What PN, PN2 and DeepPN share: the numbers and how they are shown."""

    numbers: ClassVar[list[tuple[str, str]]] = [("pn", "u4"), ("dn", "u4")]
    follows: ClassVar[str] = "the least pn where {me} moves and the least dn where {you} does"

    def show(self, node: Any) -> dict[str, Any]:
        """The node's proof and disproof number."""
        return {"pn": proof_number(node["pn"]), "dn": proof_number(node["dn"])}


@dataclass(frozen=True)
class PN(ProofNumbers):
    """Proof-number search."""

    id: ClassVar[str] = "pn"
    title: ClassVar[str] = "proof-number search"
    paper: ClassVar[str] = "Song 2019, 2.1.3 and 2.1.6"

    tie: str = option("left", "which of equal children to follow", choices=("left", "deepest"))

    def node_numbers(self) -> list[tuple[str, str]]:
        """The child to follow, or, where it breaks ties, the depth of the most-proving leaf."""
        return [*self.numbers, ("best" if self.tie == "left" else "deepest", "i4")]

    def plan(self, rules: Rules) -> Plan:
        """PN's functions, by tie-break."""
        if self.tie == "left":
            return replace(LEFT, shuffle=self.shuffle)
        return Plan(select_deepest, evaluate_deepest, settle, backup_with(follow_deepest),
                    shuffle=self.shuffle)
