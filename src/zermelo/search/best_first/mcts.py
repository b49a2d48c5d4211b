"""The MCTS solver and the UCT solver (Winands et al. 2008; Song 2019, 2.2.3 and 5.3.2).

One child is created per iteration, the unexpanded ones first, and played out. A node's value v is
the mean win rate of the attacker over all playouts below it, its negative where the opponent
chooses. The MCTS solver follows the largest v; the UCT solver the largest

    v + sqrt(C ln(n_p + 1) / n_i),

with n the number of iterations through the parent and the child. Solved children are skipped. The
move that would be played is the one with the largest v + A / sqrt(n). Draws count as not a win.

With ``whole``, of ours, an iteration creates all children of a leaf, as PN and PPN do, and a node's
playouts give way to those of its children.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import sqrt
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zermelo.core.rules import Rules
from zermelo.kernel.rng import ln
from zermelo.search.base import option
from zermelo.search.best_first.plan import Plan
from zermelo.search.best_first.pool import NOBODY
from zermelo.search.best_first.search import BestFirst
from zermelo.search.common.rules import playout_wins_of
from zermelo.search.reasons import UNKNOWN, WON

Function = Callable[..., Any]


class Options(NamedTuple):
    """What the compiled parts read."""

    C: float
    A: float
    playouts: int


def value(o, nodes, c, attacker_moves):
    """The mean win rate, from the side of who chooses."""
    mean = np.float64(nodes[c].wins) / (np.float64(nodes[c].visits) * o.playouts)
    return mean if attacker_moves else -mean


def bound(o, nodes, n, c, attacker_moves):
    """What UCT follows the largest of; with C = 0, MCTS."""
    weight = o.C * ln(np.int64(nodes[n].visits) + 1)
    return value(o, nodes, c, attacker_moves) + sqrt(weight / nodes[c].visits)


def promise(o, nodes, n, c, attacker_moves):
    """What the move to play has the largest of."""
    return value(o, nodes, c, attacker_moves) + o.A / sqrt(nodes[c].visits)


def largest_of(measure: Function, whole: bool) -> Function:
    """``largest(o, nodes, n, attacker_moves)``: the leftmost best unsolved child."""

    def largest(o, nodes, n, attacker_moves):
        best, most = NOBODY, -np.inf
        c, end = nodes[n].first, nodes[n].first + nodes[n].count
        while c != (end if whole else NOBODY):
            if nodes[c].status == UNKNOWN:
                found = measure(o, nodes, n, c, attacker_moves)
                if found > most:
                    best, most = c, found
            c = c + 1 if whole else nodes[c].next
        return best

    return largest


def settle(o, nodes, n):
    """A finished game counts like playouts that all end that way."""
    nodes[n].visits = 1
    nodes[n].wins = o.playouts if nodes[n].status == WON else 0


def backup(o, nodes, n, leaf, attacker_moves):
    """One more iteration through ``n``, with the playouts of ``leaf``."""
    nodes[n].visits += 1
    nodes[n].wins += nodes[leaf].wins
    return True


def pool(o, nodes, n, leaf, attacker_moves):
    """The playouts of all children together."""
    first = nodes[n].first
    visits, wins = nodes[first].visits, nodes[first].wins
    for c in range(first + 1, first + nodes[n].count):
        visits += nodes[c].visits
        wins += nodes[c].wins
    nodes[n].visits, nodes[n].wins = visits, wins
    return True


@dataclass(frozen=True)
class Simulations(BestFirst):
    """What the two solvers share."""

    numbers: ClassVar[list[tuple[str, str]]] = [("wins", "u8"), ("visits", "u4")]
    paper: ClassVar[str] = "Song 2019, 2.2.3 and 5.3.2"
    follows: ClassVar[str] = "the largest win rate for the player who moves"

    whole: bool = option(False, "create all children of a leaf at once", kw_only=True)

    def plan(self, rules: Rules) -> Plan:
        """Children one by one, or all at once; statistics along the path."""
        playout_wins = playout_wins_of(rules)

        def evaluate(g, o, tree, n, s, depth):
            tree.nodes[n].visits = 1 if depth > 0 else 0
            tree.nodes[n].wins = playout_wins(g, tree, s, o.playouts) if depth > 0 else 0

        return Plan(largest_of(bound, self.whole), evaluate, settle, pool if self.whole else backup,
                    choose=largest_of(promise, self.whole), linked=not self.whole,
                    shuffle=self.shuffle)

    def show(self, node: Any) -> dict[str, Any]:
        """Iterations through the node and the attacker's mean win rate."""
        visits, playouts = int(node["visits"]), self.data()[-1]
        rate = int(node["wins"]) / (visits * playouts) if visits else None
        return {"visits": visits, "rate": rate}


@dataclass(frozen=True)
class MCTS(Simulations):
    """The pure Monte-Carlo tree search solver: no exploration term."""

    id: ClassVar[str] = "mcts"
    title: ClassVar[str] = "Monte-Carlo tree search solver"

    playouts: int = option(10, "random games per leaf", low=1, high=1_000_000)
    A: float = option(1.0, "weight of few visits in the final choice", low=0, high=1e6)

    def data(self) -> tuple[Any, ...]:
        """UCT's options with C = 0."""
        return Options(0.0, self.A, self.playouts)


@dataclass(frozen=True)
class UCT(Simulations):
    """The UCT solver."""

    id: ClassVar[str] = "uct"
    title: ClassVar[str] = "UCT solver"
    follows: ClassVar[str] = ("the largest win rate for the player who moves, raised where there "
                              "were few visits")

    C: float = option(2.0, "weight of exploration", low=0, high=1e6)
    playouts: int = option(10, "random games per leaf", low=1, high=1_000_000)
    A: float = option(1.0, "weight of few visits in the final choice", low=0, high=1e6)

    def data(self) -> tuple[Any, ...]:
        """All options are data."""
        return Options(self.C, self.A, self.playouts)
