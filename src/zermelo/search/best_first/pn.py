"""Proof-number search: PN (Allis, van der Meulen, van den Herik 1994; Song 2019, section 2.1.3).

The proof number pn of a node is the least number of leaves that must be proved to prove it, dn the
same for disproving. At OR nodes pn is the minimum over the children and dn the sum; at AND nodes
the reverse. The next leaf to expand is reached by following the least pn at OR nodes and the least
dn at AND nodes, the leftmost among equals.

*DeepPN*, deep proof-number search (Ishitobi et al. 2015; Song 2019, section 2.1.6, eq. 2.1-2.4).
PN-search jumps between subtrees of equal promise. DeepPN mixes in depth: a node's ``deep`` is 1 /
depth of the leaf that its selection leads to, and the child followed is the one with least

    DPN = (1 - 1 / (delta + 1)) R + deep (1 - R),

where delta is the number that PN would compare. R = 1 is PN-search, R = 0 a depth-first search. The
paper of 2015 has 1 - 1 / delta instead, which puts a child with delta = 1 further ahead of others:
``formula="2015"``. Both are 1 - 1 / (delta + shift), with a shift of 1 or 0.

*PN2* is a proof-number search whose leaves are expanded by a second one (Allis 1994; Breuker 1998).
When the first level has x nodes, a leaf is expanded by a PN search of its own with at most

    y = min(x f(x), N - x),    f(x) = 1 / (1 + exp((a - x) / b))

nodes, of which only the root's children stay. So the tree kept is small for what was searched.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from zermelo.core.rules import Rules
from zermelo.errors import BadOption
from zermelo.kernel.rng import exp
from zermelo.search.base import option
from zermelo.search.best_first.plan import Function, Plan
from zermelo.search.best_first.search import BestFirst
from zermelo.search.reasons import UNKNOWN, WON

INF = 4_294_967_295
BUDGET = 50_000_000  # nodes in all, with which the defaults of a, b and N were published


def proof_number(value: int) -> int | str:
    """Return a proof number for people and JSON."""
    return "inf" if value == INF else int(value)


def numbers_of(number: Any, infinity: float, most: float) -> tuple[Function, Function]:
    """``settle`` and ``minimum_and_sum`` for proof numbers of a type.

    ``infinity`` means solved; a sum stays below it, at ``most``.
    """
    zero = number(0)

    def settle(o, nodes, n):
        """Write (0, inf) for a proved node, (inf, 0) for a disproved one."""
        nodes[n].pn = zero if nodes[n].status == WON else infinity
        nodes[n].dn = infinity if nodes[n].status == WON else zero

    def minimum_and_sum(nodes, n, attacker_moves):
        """Return (pn, dn, leftmost child with the minimum) from the children."""
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
    """Write one leaf to prove, one to disprove."""
    tree.nodes[n].pn = 1
    tree.nodes[n].dn = 1
    tree.nodes[n].best = n


def select(o, nodes, n, attacker_moves):
    """Return the leftmost child with least pn (OR) or least dn (AND), as the last backup found
    it."""
    return nodes[n].best


def changed_numbers(nodes, n, pn, dn):
    """Write pn and dn; return True if that changed anything."""
    if pn == nodes[n].pn and dn == nodes[n].dn:
        return False
    nodes[n].pn = pn
    nodes[n].dn = dn
    return True


def backup(o, nodes, n, leaf, attacker_moves):
    """Write minimum and sum; unchanged numbers end the backup."""
    if nodes[n].status != UNKNOWN:
        settle(o, nodes, n)
        return True
    pn, dn, best = minimum_and_sum(nodes, n, attacker_moves)
    nodes[n].best = best
    return changed_numbers(nodes, n, pn, dn)


def select_deepest(o, nodes, n, attacker_moves):
    """Return, of the children with the least number, the one whose most-proving leaf is deepest."""
    first = nodes[n].first
    best, least, deepest = first, INF, -1
    for c in range(first, first + nodes[n].count):
        number = np.int64(nodes[c].pn) if attacker_moves else np.int64(nodes[c].dn)
        if number < least or (number == least and number < INF and nodes[c].deepest > deepest):
            best, least, deepest = c, number, np.int64(nodes[c].deepest)
    return best


def evaluate_deepest(g, o, tree, n, s, depth):
    """Write one leaf to prove, one to disprove; a leaf is its own most-proving leaf."""
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
    """Take over the depth of the most-proving leaf."""
    deepest = nodes[select_deepest(o, nodes, n, attacker_moves)].deepest
    if deepest == nodes[n].deepest:
        return False
    nodes[n].deepest = deepest
    return True


LEFT = Plan(select=select, evaluate=evaluate, settle=settle, backup=backup)


@dataclass(frozen=True)
class ProofNumbers(BestFirst):
    """The numbers that PN, PN2 and DeepPN share, and how they are shown."""

    numbers: ClassVar[list[tuple[str, str]]] = [("pn", "u4"), ("dn", "u4")]
    follows: ClassVar[str] = "the least pn where {me} moves and the least dn where {you} does"

    def show(self, node: Any) -> dict[str, Any]:
        """Return the node's proof and disproof number."""
        return {"pn": proof_number(node["pn"]), "dn": proof_number(node["dn"])}


@dataclass(frozen=True)
class PN(ProofNumbers):
    """Proof-number search."""

    id: ClassVar[str] = "pn"
    title: ClassVar[str] = "proof-number search"
    paper: ClassVar[str] = "Song 2019, 2.1.3 and 2.1.6"

    tie: str = option("left", "which of equal children to follow", choices=("left", "deepest"))

    def node_numbers(self) -> list[tuple[str, str]]:
        """Return the fields, with the child to follow, or, to break ties, the depth of the
        most-proving leaf."""
        return [*self.numbers, ("best" if self.tie == "left" else "deepest", "i4")]

    def plan(self, rules: Rules) -> Plan:
        """Return PN's functions, by tie-break."""
        if self.tie == "left":
            return replace(LEFT, shuffle=self.shuffle)
        return Plan(select_deepest, evaluate_deepest, settle, backup_with(follow_deepest),
                    shuffle=self.shuffle)


def evaluate_deep(g, o, tree, n, s, depth):
    """Write unit numbers; deep = 1 / depth (eq. 2.1), with 1 for the root itself."""
    tree.nodes[n].pn = 1
    tree.nodes[n].dn = 1
    tree.nodes[n].deep = 1.0 / max(depth, 1)


def select_deep(o, nodes, n, attacker_moves):
    """Return the leftmost unsolved child with least DPN (eq. 2.3, 2.4)."""
    first = nodes[n].first
    best, least = first, np.inf
    for c in range(first, first + nodes[n].count):
        if nodes[c].status == UNKNOWN:
            delta = np.float64(nodes[c].pn) if attacker_moves else np.float64(nodes[c].dn)
            dpn = (1.0 - 1.0 / (delta + o.shift)) * o.R + nodes[c].deep * (1.0 - o.R)
            if dpn < least:
                best, least = c, dpn
    return best


def follow_deep(o, nodes, n, attacker_moves):
    """Take over deep from the child that would be selected (eq. 2.2)."""
    deep = nodes[select_deep(o, nodes, n, attacker_moves)].deep
    if deep == nodes[n].deep:
        return False
    nodes[n].deep = deep
    return True


@dataclass(frozen=True)
class DeepPN(ProofNumbers):
    """Proof-number search that prefers to stay deep."""

    id: ClassVar[str] = "deep-pn"
    title: ClassVar[str] = "deep proof-number search"
    paper: ClassVar[str] = "Song 2019, 2.1.6"
    numbers: ClassVar[list[tuple[str, str]]] = [*ProofNumbers.numbers, ("deep", "f8")]
    follows: ClassVar[str] = ("the least mix of proof number and nearness to the root, with pn "
                              "where {me} moves and dn where {you} does")

    R: float = option(0.65, "1 is PN-search, 0 is depth-first", low=0, high=1)
    formula: str = option("2019", "1 - 1/(delta + 1), as in the thesis, or 1 - 1/delta, as in 2015",
                          choices=("2019", "2015"))
    one_order: bool = option(False, "with shuffle, one order of all moves for the whole search",
                             kw_only=True, implied=True)

    def check(self) -> None:
        """Raise BadOption for one random order without a random order."""
        if self.one_order and not self.shuffle:
            raise BadOption("deep-pn: one_order=true says what order shuffle draws; give "
                            "shuffle=true too.")

    def plan(self, rules: Rules) -> Plan:
        """Return a plan of PN with another order among children."""
        return Plan(select_deep, evaluate_deep, settle, backup_with(follow_deep),
                    shuffle=self.shuffle, one_order=self.one_order)

    def data(self) -> Any:
        """Return R and the shift; a sweep over them compiles once."""
        return self.packed(shift=1.0 if self.formula == "2019" else 0.0)

    def show(self, node: Any) -> dict[str, Any]:
        """Return the node's numbers; a solved one leads to no leaf, so that it has no depth."""
        deep = float(node["deep"]) if int(node["status"]) == UNKNOWN else None
        return {**super().show(node), "deep": deep}


def growth(o, size):
    """Return x f(x) for x = ``size``, which rises with x and is less than x."""
    return size * (1.0 / (1.0 + exp((o.a - size) / o.b)))


def nested_limit(o, size):
    """Return y for a first level of ``size`` nodes; the driver makes at least one expansion."""
    return np.int64(min(growth(o, size), np.float64(o.N - size)))


@dataclass(frozen=True)
class PN2(ProofNumbers):
    """Two-level proof-number search."""

    id: ClassVar[str] = "pn2"
    title: ClassVar[str] = "two-level proof-number search"
    paper: ClassVar[str] = "Breuker 1998"

    numbers: ClassVar[list[tuple[str, str]]] = [*ProofNumbers.numbers, ("best", "i4")]

    a: float = option(1_800_000.0, "first-level size at which f = 1/2", low=1, high=1e12)
    b: float = option(240_000.0, "how gradually f rises", low=1, high=1e12)
    N: int = option(1_000_000, "nodes of both levels together", low=2, high=1_000_000_000)

    @classmethod
    def within(cls, nodes: int) -> PN2:
        """Return PN2 for a limit of nodes: a, b and N are published for one of BUDGET, and with
        less than that the second level would hardly ever begin."""
        share, usual = nodes / BUDGET, cls()
        return cls(a=max(usual.a * share, 1.0), b=max(usual.b * share, 1.0),
                   N=max(int(usual.N * share), 2))

    def plan(self, rules: Rules) -> Plan:
        """Return a plan of PN on both levels."""
        second = replace(LEFT, shuffle=self.shuffle)
        return replace(second, nested=second, nested_limit=nested_limit)

    def nested_nodes(self, size: int) -> int:
        """Return the largest y up to x = ``size``: min(x f(x), N - x) <= N / 2."""
        return int(min(growth(self, size), self.N // 2))

    def again(self) -> PN:
        """Return PN: it finds again what is below the children of a second-level search."""
        return PN()
