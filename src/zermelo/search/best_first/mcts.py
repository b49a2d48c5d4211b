"""Monte-Carlo tree search with a solver: MCTS, UCT, and UCT with proof numbers.

*MCTS and UCT* (Winands et al. 2008; Song 2019, 2.2.3 and 5.3.2): one child is created per
iteration, the unexpanded ones first, and played out. A node's value v is the mean win rate of the
attacker over all playouts below it, its negative where the opponent chooses. The MCTS solver
follows the largest v; the UCT solver the largest

    v + sqrt(C ln(n_p + 1) / n_i),

with n the number of iterations through the parent and the child. Solved children are skipped. The
move that would be played is the one with the largest v + A / sqrt(n). Draws count as not a win.
With ``whole``, of ours, an iteration creates all children of a leaf, as PN and PPN do, and a node's
playouts give way to those of its children.

*PN-MCTS* (Kowalski, Doe, Winands, Górski, Soemers 2024; arXiv 2303.09449): the tree is that of UCT,
and every node has a proof and a disproof number as well, by the rules of PN. Where all children
have been tried, the search follows the unsolved one with the largest

    v + sqrt(C ln(n_p + 1) / n) + C_pn t,

v the mean result of the mover's games, from -1 to 1, and t how easy the child looks to prove for
the mover: with its pn where the attacker moves, and its dn where the other player does, as x,

    rank:  1 - r / k        r the rank of x among the k children, from 1, the same for equals
    sum:   1 - x / sum      of all that are finite
    max:   1 - x / largest  of all that are finite

The move that would be played is the one with the most visits. Solved children are skipped. A child
that has not been made yet counts as a leaf of PN, with pn = dn = 1.

*GPN-MCTS* (Kowalski, Soemers, Kosakowski, Winands 2025; arXiv 2506.13249) is PN-MCTS with both
players in mind. Each has a proof number of its own, for winning: the least over the children where
it moves, and the sum where its opponent does. There is no disproof number; t is made from the proof
number of the player who moves, and v counts a draw in the middle. It is joined with
score bounds: a node is known to be worth at least ``low`` and at most ``high`` to the attacker (-1,
0 or 1), by logic, and a child is left out if its value is known, or if it can't be better for its
parent's mover than what that player has already.

    does the attacker win?     pn          wins      status    (low = 1, or high < 1)
    does the other player?     their_pn    losses    other     (high = -1, or low > -1)

As with MOPNS, the other player's question goes on with the same tree (see ``mopns``).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any, ClassVar

import numpy as np

from zermelo.core.board import playout_of
from zermelo.core.rules import FIRST_WINS, SECOND_WINS, Rules
from zermelo.kernel.rng import ln, start_counter
from zermelo.search.base import option
from zermelo.search.best_first.mopns import OTHER, BothSides, other_verdict_of
from zermelo.search.best_first.plan import NO_NODE, Function, Plan
from zermelo.search.best_first.pn import INF, proof_number
from zermelo.search.best_first.search import BestFirst
from zermelo.search.common.rules import playout_wins_of
from zermelo.search.reasons import LOST, UNKNOWN, WON

TERMS = ("rank", "sum", "max")
RANK, SUM = 0, 1
MOST = INF - 1  # of an unsolved node


def value(o, nodes, c, attacker_moves):
    """Return the mean win rate, from the side of the player who chooses."""
    mean = np.float64(nodes[c].wins) / (np.float64(nodes[c].visits) * o.playouts)
    return mean if attacker_moves else -mean


def bound(o, nodes, n, c, attacker_moves):
    """Return the number that UCT follows the largest of; with C = 0, MCTS."""
    weight = o.C * ln(np.int64(nodes[n].visits) + 1)
    return value(o, nodes, c, attacker_moves) + sqrt(weight / nodes[c].visits)


def promise(o, nodes, n, c, attacker_moves):
    """Return the number that the move to play has the largest of."""
    return value(o, nodes, c, attacker_moves) + o.A / sqrt(nodes[c].visits)


def largest_of(measure: Function, whole: bool) -> Function:
    """``largest(o, nodes, n, attacker_moves)``: the leftmost best unsolved child."""

    def largest(o, nodes, n, attacker_moves):
        best, most = NO_NODE, -np.inf
        c, end = nodes[n].first, nodes[n].first + nodes[n].count
        while c != (end if whole else NO_NODE):
            if nodes[c].status == UNKNOWN:
                found = measure(o, nodes, n, c, attacker_moves)
                if found > most:
                    best, most = c, found
            c = c + 1 if whole else nodes[c].next
        return best

    return largest


def settle(o, nodes, n):
    """Count a finished game like playouts that all end that way."""
    nodes[n].visits = 1
    nodes[n].wins = o.playouts if nodes[n].status == WON else 0


def backup(o, nodes, n, leaf, attacker_moves):
    """Count one more iteration through ``n``, with the playouts of ``leaf``."""
    nodes[n].visits += 1
    nodes[n].wins += nodes[leaf].wins
    return True


def pool(o, nodes, n, leaf, attacker_moves):
    """Add up the playouts of all children."""
    first = nodes[n].first
    visits, wins = nodes[first].visits, nodes[first].wins
    for c in range(first + 1, first + nodes[n].count):
        visits += nodes[c].visits
        wins += nodes[c].wins
    nodes[n].visits, nodes[n].wins = visits, wins
    return True


@dataclass(frozen=True)
class Simulations(BestFirst):
    """The parts that MCTS and UCT share."""

    numbers: ClassVar[list[tuple[str, str]]] = [("wins", "u8"), ("visits", "u4")]
    paper: ClassVar[str] = "Song 2019, 2.2.3 and 5.3.2"
    follows: ClassVar[str] = "the largest win rate for the player who moves"

    whole: bool = option(False, "create all children of a leaf at once", kw_only=True)

    def plan(self, rules: Rules) -> Plan:
        """Return a plan of children one by one, or all at once; statistics along the path."""
        playout_wins = playout_wins_of(rules)

        def evaluate(g, o, tree, n, s, depth):
            tree.nodes[n].visits = 1 if depth > 0 else 0
            tree.nodes[n].wins = playout_wins(g, tree, s, o.playouts) if depth > 0 else 0

        return Plan(largest_of(bound, self.whole), evaluate, settle, pool if self.whole else backup,
                    choose=largest_of(promise, self.whole), linked=not self.whole,
                    shuffle=self.shuffle)

    def show(self, node: Any) -> dict[str, Any]:
        """Return the iterations through the node and the attacker's mean win rate."""
        visits, playouts = int(node["visits"]), self.data().playouts
        rate = int(node["wins"]) / (visits * playouts) if visits else None
        return {"visits": visits, "rate": rate}


@dataclass(frozen=True)
class MCTS(Simulations):
    """The pure Monte-Carlo tree search solver: no exploration term."""

    id: ClassVar[str] = "mcts"
    title: ClassVar[str] = "Monte-Carlo tree search solver"

    playouts: int = option(10, "random games per leaf", low=1, high=1_000_000)
    A: float = option(1.0, "weight of few visits in the final choice", low=0, high=1e6)

    def data(self) -> Any:
        """Return UCT's options with C = 0."""
        return self.packed(C=0.0)


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


def bound_with(result: Function, number: Function) -> Function:
    """``bound(o, nodes, n, c, attacker_moves)``: the number that PN-MCTS follows the largest of.

    ``result(o, nodes, c)`` is the mean result of the attacker's games below a child,
    ``number(nodes, c, attacker_moves)`` its proof number for the player who moves at ``n``.
    """

    def term(o, nodes, n, c, attacker_moves):
        """Return how easy child ``c`` of ``n`` looks to prove."""
        x = number(nodes, c, attacker_moves)
        if x == INF:
            return 0.0
        rank, total, largest = 1, np.int64(0), np.int64(0)
        d = nodes[n].first
        while d != NO_NODE:
            y = number(nodes, d, attacker_moves)
            if y < INF:
                rank += y < x
                total += y
                largest = max(largest, y)
            d = nodes[d].next
        if o.term == RANK:
            return 1.0 - rank / np.int64(nodes[n].count)
        return 1.0 - x / (total if o.term == SUM else largest)

    def bound(o, nodes, n, c, attacker_moves):
        mean = result(o, nodes, c)
        explored = sqrt(o.C * ln(np.int64(nodes[n].visits) + 1) / nodes[c].visits)
        easy = term(o, nodes, n, c, attacker_moves)
        return (mean if attacker_moves else -mean) + explored + o.C_pn * easy

    return bound


def least_and_sum_of(number: Function) -> Function:
    """``least_and_sum(nodes, n, attacker_moves)``: the least number for the player who moves, and
    the sum of those for the other, of the children of ``n``; those not made yet have 1."""

    def least_and_sum(nodes, n, attacker_moves):
        missing = np.int64(nodes[n].count) - np.int64(nodes[n].made)
        least, total = np.int64(1) if missing else np.int64(INF), missing
        c = nodes[n].first
        while c != NO_NODE:
            least = min(least, number(nodes, c, attacker_moves))
            total += number(nodes, c, not attacker_moves)
            c = nodes[c].next
        return least, min(total, np.int64(MOST))

    return least_and_sum


def pn_or_dn(nodes, c, attacker_moves):
    """Return pn for the attacker, dn for the other player."""
    return np.int64(nodes[c].pn) if attacker_moves else np.int64(nodes[c].dn)


least_and_sum = least_and_sum_of(pn_or_dn)


def mean_of_wins(o, nodes, c):
    """Return the mean result of the attacker, from -1 to 1; a draw is no win."""
    return 2.0 * (np.float64(nodes[c].wins) / (np.float64(nodes[c].visits) * o.playouts)) - 1.0


def visited(o, nodes, n, c, attacker_moves):
    """Return the number that the move to play has the most of."""
    return np.float64(nodes[c].visits)


def proved(nodes, n):
    """Write the numbers that a solved node has."""
    won = nodes[n].status == WON
    nodes[n].pn = 0 if won else INF
    nodes[n].dn = INF if won else 0


def settle_numbers(o, nodes, n):
    """Count a finished game, and write its numbers."""
    settle(o, nodes, n)
    proved(nodes, n)


def backup_numbers(o, nodes, n, leaf, attacker_moves):
    """Count one more iteration through ``n``; then write minima and sums."""
    backup(o, nodes, n, leaf, attacker_moves)
    if nodes[n].status != UNKNOWN:
        proved(nodes, n)
        return True
    least, total = least_and_sum(nodes, n, attacker_moves)
    nodes[n].pn = least if attacker_moves else total
    nodes[n].dn = total if attacker_moves else least
    return True


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
        """Return a plan of children one by one; statistics and proof numbers along the path."""
        playout_wins = playout_wins_of(rules)

        def evaluate(g, o, tree, n, s, depth):
            nodes = tree.nodes
            nodes[n].visits = 1 if depth > 0 else 0
            nodes[n].wins = playout_wins(g, tree, s, o.playouts) if depth > 0 else 0
            nodes[n].pn, nodes[n].dn = 1, 1

        follow = largest_of(bound_with(mean_of_wins, pn_or_dn), False)
        return Plan(follow, evaluate, settle_numbers, backup_numbers,
                    choose=largest_of(visited, False), linked=True, shuffle=self.shuffle)

    def show(self, node: Any) -> dict[str, Any]:
        """Return the iterations through the node, the attacker's mean win rate, and the proof
        numbers."""
        visits = int(node["visits"])
        rate = int(node["wins"]) / (visits * self.playouts) if visits else None
        return {"visits": visits, "rate": rate, "pn": proof_number(node["pn"]),
                "dn": proof_number(node["dn"])}


def low(nodes, n):
    """Return the least that the attacker gets."""
    if nodes[n].status == WON:
        return 1
    return 0 if nodes[n].other == LOST else -1


def high(nodes, n):
    """Return the most that the attacker gets."""
    if nodes[n].other == WON:
        return -1
    return 0 if nodes[n].status == LOST else 1


def matters(o, nodes, n, c, attacker_moves):
    """Return True if child ``c`` can still change what is known of ``n``."""
    if not o.both:
        return nodes[c].status == UNKNOWN
    least, most = low(nodes, c), high(nodes, c)
    if least == most:
        return False
    return most > low(nodes, n) if attacker_moves else least < high(nodes, n)


def own_pn(nodes, c, attacker_moves):
    """Return the proof number of a player: of the attacker, or the other one."""
    return np.int64(nodes[c].pn) if attacker_moves else np.int64(nodes[c].their_pn)


def mean_of_points(o, nodes, c):
    """Return the mean result of the attacker, from -1 to 1, a draw in the middle."""
    points = np.float64(nodes[c].wins) - np.float64(nodes[c].losses)
    return points / (np.float64(nodes[c].visits) * o.playouts)


both_bound, both_least_and_sum = bound_with(mean_of_points, own_pn), least_and_sum_of(own_pn)
proved_of_other = other_verdict_of(linked=True)


def select_both(o, nodes, n, attacker_moves):
    """Return the leftmost best child of those that matter."""
    best, most, c = NO_NODE, -np.inf, nodes[n].first
    while c != NO_NODE:
        if matters(o, nodes, n, c, attacker_moves):
            found = both_bound(o, nodes, n, c, attacker_moves)
            if found > most:
                best, most = c, found
        c = nodes[c].next
    return best


def settled_or(status, number):
    """Return a proof number, or what a status says about it."""
    if status == UNKNOWN:
        return number
    return np.int64(0) if status == WON else np.int64(INF)


def write_both(nodes, n, pn, their_pn):
    """Write the numbers of ``n``, by what is proved and by its children."""
    nodes[n].pn = settled_or(nodes[n].status, pn)
    nodes[n].their_pn = settled_or(nodes[n].other, their_pn)


def settle_both(o, nodes, n):
    """Count a game that one player won like games that all end that way."""
    won = nodes[n].status == WON
    nodes[n].other = LOST if won else WON
    nodes[n].visits, nodes[n].wins = 1, o.playouts if won else 0
    nodes[n].losses = 0 if won else o.playouts
    write_both(nodes, n, np.int64(1), np.int64(1))


def drawn_both(o, nodes, n):
    """Count a draw."""
    nodes[n].other, nodes[n].visits, nodes[n].wins, nodes[n].losses = LOST, 1, 0, 0
    write_both(nodes, n, np.int64(1), np.int64(1))


def backup_both(o, nodes, n, leaf, attacker_moves):
    """Count one more iteration through ``n``, with the games of ``leaf``; then the proof
    numbers."""
    nodes[n].visits += 1
    nodes[n].wins += nodes[leaf].wins
    nodes[n].losses += nodes[leaf].losses
    nodes[n].other = proved_of_other(nodes, n, attacker_moves)
    least, total = both_least_and_sum(nodes, n, attacker_moves)
    write_both(nodes, n, least if attacker_moves else total, total if attacker_moves else least)
    return True


@dataclass(frozen=True)
class GPNMCTS(BothSides):
    """PN-MCTS with a proof number for each player, and bounds."""

    id: ClassVar[str] = "gpn-mcts"
    title: ClassVar[str] = "generalized proof-number Monte-Carlo tree search"
    paper: ClassVar[str] = "Kowalski et al. 2025"
    numbers: ClassVar[list[tuple[str, str]]] = [
        *OTHER, ("wins", "u8"), ("losses", "u8"), ("visits", "u4"), ("pn", "u4"),
        ("their_pn", "u4")]
    mirrored: ClassVar[dict[str, str]] = {"wins": "losses", "pn": "their_pn"}
    follows: ClassVar[str] = ("the best results for the player who moves, raised where there were "
                              "few visits and where it has the fewest leaves left to prove")

    term: str = option("rank", "how proof numbers count", choices=TERMS)
    C_pn: float = option(1.0, "weight of proof numbers", low=0, high=1e6)
    C: float = option(2.0, "weight of exploration", low=0, high=1e6)
    playouts: int = option(1, "random games per leaf", low=1, high=1_000_000)

    def plan(self, rules: Rules) -> Plan:
        """Return a plan of children one by one; results and proof numbers along the path."""
        playout, stream = playout_of(rules), rules.stream or rules.key

        def evaluate(g, o, tree, n, s, depth):
            nodes, control, rng = tree.nodes, tree.control[0], tree.scratch.rng
            rng[0] = start_counter(control.seed, stream(g, s))
            wins, losses = 0, 0
            for _ in range(o.playouts if depth > 0 else 0):
                end = playout(g, s, rng, tree.scratch)
                wins += end == FIRST_WINS + control.attacker
                losses += end == SECOND_WINS - control.attacker
            nodes[n].visits = 1 if depth > 0 else 0
            nodes[n].wins, nodes[n].losses = wins, losses
            nodes[n].pn, nodes[n].their_pn, nodes[n].other = 1, 1, UNKNOWN

        return Plan(select_both, evaluate, settle_both, backup_both, drawn=drawn_both, linked=True,
                    choose=largest_of(visited, False), shuffle=self.shuffle)

    def show(self, node: Any) -> dict[str, Any]:
        """Return the iterations through the node, the attacker's mean result, and both proof
        numbers."""
        visits = int(node["visits"])
        points = int(node["wins"]) - int(node["losses"])
        return {"visits": visits, "result": points / (visits * self.playouts) if visits else None,
                "pn": proof_number(node["pn"]), "their_pn": proof_number(node["their_pn"])}
