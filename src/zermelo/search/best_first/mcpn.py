"""Monte-Carlo proof-number search (Saito et al. 2006; Song 2019, section 2.3.2).

PN-search whose leaves start from playouts: with win rate R of the attacker, pn = 1 - R and dn = R,
kept away from 0 and 1 by theta. Sums and minima as in PN.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zermelo.core.rules import Rules
from zermelo.search.base import Task, option
from zermelo.search.best_first.evaluated import EvaluatedRun
from zermelo.search.best_first.plan import Function, Plan
from zermelo.search.best_first.pn import changed_numbers, numbers_of
from zermelo.search.best_first.run import Run
from zermelo.search.best_first.search import BestFirst
from zermelo.search.common.rules import away_from_0_and_1, chance_away, playout_wins_of
from zermelo.search.reasons import UNKNOWN


class Options(NamedTuple):
    """What the compiled parts read."""

    theta: float
    playouts: int


settle, minimum_and_sum = numbers_of(np.float64, np.inf, float(np.finfo(np.float64).max))


def select(o, nodes, n, attacker_moves):
    """The leftmost child with least pn (OR) or least dn (AND); a solved one has infinity there."""
    _, _, best = minimum_and_sum(nodes, n, attacker_moves)
    return best


def backup(o, nodes, n, leaf, attacker_moves):
    """Minimum and sum, as in PN."""
    if nodes[n].status != UNKNOWN:
        settle(o, nodes, n)
        return True
    pn, dn, _ = minimum_and_sum(nodes, n, attacker_moves)
    return changed_numbers(nodes, n, pn, dn)


def even(nodes, n):
    """As likely to be won as not."""
    nodes[n].pn = 0.5
    nodes[n].dn = 0.5


@dataclass(frozen=True)
class MCPN(BestFirst):
    """Proof-number search with playouts at the leaves."""

    id: ClassVar[str] = "mcpn"
    title: ClassVar[str] = "Monte-Carlo proof-number search"
    paper: ClassVar[str] = "Song 2019, 2.3.2"
    takes_values: ClassVar[bool] = True
    numbers: ClassVar[list[tuple[str, str]]] = [("pn", "f8"), ("dn", "f8")]
    follows: ClassVar[str] = "the least pn where {me} moves and the least dn where {you} does"

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

    def start(self, task: Task) -> Run:
        """A new run, with leaves valued by playouts or from outside."""
        if task.evaluate_many is None:
            return super().start(task)
        self.check_task(task)
        return EvaluatedRun(self, task)

    def unvalued(self) -> Function:
        """As likely as not."""
        return even

    def of_chance(self, p: float, q: float) -> dict[str, float]:
        """As after playouts: theta instead of 0, 1 - theta instead of 1."""
        return {"pn": chance_away(q, p, self.theta), "dn": chance_away(p, q, self.theta)}

    def virtual(self, numbers: dict[str, float], visits: int,
                attacker_moves: bool) -> dict[str, float]:
        """More work for the mover."""
        pn, dn = numbers["pn"], numbers["dn"]
        return {"pn": pn * (1 + visits), "dn": dn} if attacker_moves else (
            {"pn": pn, "dn": dn * (1 + visits)})

    def show(self, node: Any) -> dict[str, Any]:
        """The node's numbers."""
        pn, dn = float(node["pn"]), float(node["dn"])
        return {"pn": "inf" if pn == np.inf else pn, "dn": "inf" if dn == np.inf else dn}
