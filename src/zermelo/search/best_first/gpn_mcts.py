"""GPN-MCTS (Kowalski, Soemers, Kosakowski, Winands 2025; arXiv 2506.13249).

PN-MCTS with both players in mind. Each has a proof number of its own, for winning: the least over
the children where it moves, and the sum where its opponent does. There is no disproof number. The
search follows the largest

    v + sqrt(C ln(n_p + 1) / n) + C_pn t

as ``pn_mcts`` does, v being the mean result of the mover's games, a draw in the middle, and t made
from the proof number of the player who moves.

It is joined with score bounds: a node is known to be worth at least ``low`` and at most ``high`` to
the attacker (-1, 0 or 1), by logic, and a child is left out if its value is known, or if it can't
be better for its parent's mover than what that player has already.

    does the attacker win?     pn          wins      status    (low = 1, or high < 1)
    does the other player?     their_pn    losses    other     (high = -1, or low > -1)

As with MOPNS, the other player's question goes on with the same tree (see ``two_questions``).
"""

from dataclasses import dataclass
from math import sqrt
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zermelo.core.board import playout_of
from zermelo.core.rules import FIRST_WINS, SECOND_WINS, Rules
from zermelo.kernel.rng import ln, start_counter
from zermelo.search.base import Task, option
from zermelo.search.best_first.mcts import largest_of
from zermelo.search.best_first.plan import Plan
from zermelo.search.best_first.pn import INF, proof_number
from zermelo.search.best_first.pn_mcts import MOST, TERMS, term_of, visited
from zermelo.search.best_first.pool import NOBODY
from zermelo.search.best_first.search import BestFirst
from zermelo.search.best_first.two_questions import OTHER, TwoQuestionsRun, linked_other_verdict
from zermelo.search.reasons import LOST, UNKNOWN, WON


class Options(NamedTuple):
    """What the compiled parts read; ``both``: draws and losses are to be told apart."""

    C: float
    C_pn: float
    term: int
    playouts: int
    both: bool


def low(nodes, n):
    """What the attacker gets at least."""
    if nodes[n].status == WON:
        return 1
    return 0 if nodes[n].other == LOST else -1


def high(nodes, n):
    """What the attacker gets at most."""
    if nodes[n].other == WON:
        return -1
    return 0 if nodes[n].status == LOST else 1


def matters(o, nodes, n, c, attacker_moves):
    """Whether child ``c`` can still change what is known of ``n``."""
    if not o.both:
        return nodes[c].status == UNKNOWN
    least, most = low(nodes, c), high(nodes, c)
    if least == most:
        return False
    return most > low(nodes, n) if attacker_moves else least < high(nodes, n)


def own_number(nodes, c, attacker_moves):
    """The proof number of the player who chooses."""
    return np.int64(nodes[c].pn) if attacker_moves else np.int64(nodes[c].their_pn)


child_term = term_of(own_number)


def bound(o, nodes, n, c, attacker_moves):
    """What the search follows the largest of."""
    points = np.float64(nodes[c].wins) - np.float64(nodes[c].losses)
    result = points / (np.float64(nodes[c].visits) * o.playouts)
    explored = sqrt(o.C * ln(np.int64(nodes[n].visits) + 1) / nodes[c].visits)
    easy = child_term(o, nodes, n, c, attacker_moves)
    return (result if attacker_moves else -result) + explored + o.C_pn * easy


def select(o, nodes, n, attacker_moves):
    """The leftmost best child of those that matter."""
    best, most, c = NOBODY, -np.inf, nodes[n].first
    while c != NOBODY:
        if matters(o, nodes, n, c, attacker_moves):
            found = bound(o, nodes, n, c, attacker_moves)
            if found > most:
                best, most = c, found
        c = nodes[c].next
    return best


def proof_numbers(nodes, n, attacker_moves):
    """(pn, their_pn) from the children; those not made yet have 1."""
    missing = np.int64(nodes[n].count) - np.int64(nodes[n].made)
    least, total = np.int64(1) if missing else np.int64(INF), missing
    c = nodes[n].first
    while c != NOBODY:
        pn, their_pn = np.int64(nodes[c].pn), np.int64(nodes[c].their_pn)
        least = min(least, pn if attacker_moves else their_pn)
        total += their_pn if attacker_moves else pn
        c = nodes[c].next
    total = min(total, np.int64(MOST))
    return (least, total) if attacker_moves else (total, least)


def settled_or(status, number):
    """A proof number, or what a status says about it."""
    if status == UNKNOWN:
        return number
    return np.int64(0) if status == WON else np.int64(INF)


def write(nodes, n, pn, their_pn):
    """The numbers of ``n``, by what is proved and by its children."""
    nodes[n].pn = settled_or(nodes[n].status, pn)
    nodes[n].their_pn = settled_or(nodes[n].other, their_pn)


def settle(o, nodes, n):
    """A game that one player won counts like games that all end that way."""
    won = nodes[n].status == WON
    nodes[n].other = LOST if won else WON
    nodes[n].visits, nodes[n].wins = 1, o.playouts if won else 0
    nodes[n].losses = 0 if won else o.playouts
    write(nodes, n, np.int64(1), np.int64(1))


def drawn(o, nodes, n):
    """A draw."""
    nodes[n].other, nodes[n].visits, nodes[n].wins, nodes[n].losses = LOST, 1, 0, 0
    write(nodes, n, np.int64(1), np.int64(1))


def backup(o, nodes, n, leaf, attacker_moves):
    """One more iteration through ``n``, with the games of ``leaf``; then the proof numbers."""
    nodes[n].visits += 1
    nodes[n].wins += nodes[leaf].wins
    nodes[n].losses += nodes[leaf].losses
    nodes[n].other = linked_other_verdict(nodes, n, attacker_moves)
    pn, their_pn = proof_numbers(nodes, n, attacker_moves)
    write(nodes, n, pn, their_pn)
    return True


@dataclass(frozen=True)
class GPNMCTS(BestFirst):
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
        """Children one by one; results and proof numbers along the path."""
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

        return Plan(select, evaluate, settle, backup, drawn=drawn, linked=True,
                    choose=largest_of(visited, False), shuffle=self.shuffle)

    def task_data(self, task: Task) -> tuple[Any, ...]:
        """All options are data, and whether both questions count."""
        return Options(self.C, self.C_pn, TERMS.index(self.term), self.playouts, task.exact)

    def start(self, task: Task) -> TwoQuestionsRun:
        """A new run, or the other question on an earlier run's tree."""
        self.check_task(task)
        return TwoQuestionsRun(self, task)

    def show(self, node: Any) -> dict[str, Any]:
        """Iterations through the node, the attacker's mean result, and both proof numbers."""
        visits = int(node["visits"])
        points = int(node["wins"]) - int(node["losses"])
        return {"visits": visits, "result": points / (visits * self.playouts) if visits else None,
                "pn": proof_number(node["pn"]), "their_pn": proof_number(node["their_pn"])}
