"""Deep proof-number search (Ishitobi et al. 2015; Song 2019, section 2.1.6, eq. 2.1-2.4).

PN-search jumps between subtrees of equal promise. DeepPN mixes in depth: a node's ``deep`` is 1 /
depth of the leaf that its selection leads to, and the child followed is the one with least

    DPN = (1 - 1 / (delta + 1)) R + deep (1 - R),

where delta is the number that PN would compare. R = 1 is PN-search, R = 0 a depth-first search. The
paper of 2015 has 1 - 1 / delta instead, which puts a child with delta = 1 further ahead of others:
``formula="2015"``. Both are 1 - 1 / (delta + shift), with a shift of 1 or 0.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zermelo.core.rules import Rules
from zermelo.search.base import option
from zermelo.search.best_first.plan import Plan
from zermelo.search.best_first.pn import ProofNumbers, backup_with, settle
from zermelo.search.reasons import UNKNOWN


class Options(NamedTuple):
    """What the compiled parts read."""

    R: float
    shift: float


def evaluate(g, o, tree, n, s, depth):
    """Unit numbers; deep = 1 / depth (eq. 2.1), with 1 for the root itself."""
    tree.nodes[n].pn = 1
    tree.nodes[n].dn = 1
    tree.nodes[n].deep = 1.0 / max(depth, 1)


def select(o, nodes, n, attacker_moves):
    """The leftmost unsolved child with least DPN (eq. 2.3, 2.4)."""
    first = nodes[n].first
    best, least = first, np.inf
    for c in range(first, first + nodes[n].count):
        if nodes[c].status == UNKNOWN:
            delta = np.float64(nodes[c].pn) if attacker_moves else np.float64(nodes[c].dn)
            dpn = (1.0 - 1.0 / (delta + o.shift)) * o.R + nodes[c].deep * (1.0 - o.R)
            if dpn < least:
                best, least = c, dpn
    return best


def follow(o, nodes, n, attacker_moves):
    """Deep from the child that would be selected (eq. 2.2)."""
    deep = nodes[select(o, nodes, n, attacker_moves)].deep
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

    def plan(self, rules: Rules) -> Plan:
        """PN with another order among children."""
        return Plan(select, evaluate, settle, backup_with(follow), shuffle=self.shuffle)

    def data(self) -> tuple[Any, ...]:
        """R and the formula are data: a sweep over them compiles once."""
        return Options(self.R, 1.0 if self.formula == "2019" else 0.0)

    def show(self, node: Any) -> dict[str, Any]:
        """The node's numbers; a solved one leads to no leaf, so that it has no depth."""
        deep = float(node["deep"]) if int(node["status"]) == UNKNOWN else None
        return {**super().show(node), "deep": deep}
