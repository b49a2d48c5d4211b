"""Expected work search (Randall, Müller, Wei, Hayward 2024; arXiv 2405.05594).

Every node has WR, the chance that the player to move wins, and two estimates of the work that is
left: EW_win to show that it does, EW_loss to show that it does not. A loss takes all children, a
win takes them in order until one of them is lost, and child i is reached only if all before it
turned out to be won:

    EW_loss(n) = sum EW_win(c_i)                                   (1)
    EW_win(n)  = sum EW_loss(c_i) WR(c_1) ... WR(c_{i-1})          (2)

over unsolved children. EW_win is least if they are ordered by EW_loss(c) / (1 - WR(c)), the rule
(3); the search always follows the first. A leaf's WR comes from random games, counted as 1 win in
2 games before the first, and its EW is the number of moves there were to choose from along them.

Here all three numbers are the attacker's, so that players need not take turns: ``wins`` and
``visits`` count games for the attacker, ``ew_win`` is the work to prove that it wins and
``ew_loss`` the work to prove that it does not. Where the attacker moves, (1) and (2) are as they
stand; where the other player does, they change places.

The unsolved children of a node hang together in the order of (3): ``best`` is the first of them,
``after`` leads from one to the next. Only the one that was followed can have to change its place.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, SECOND_WINS, Rules
from zermelo.kernel.rng import below, start_counter
from zermelo.search.base import option
from zermelo.search.best_first.plan import NO_NODE, Function, Plan
from zermelo.search.best_first.search import BestFirst
from zermelo.search.reasons import UNKNOWN, WON


def good_chance(o, nodes, c, attacker_moves):
    """Return 1 - WR(c): the chance that child ``c`` is what its parent's mover wants."""
    if not o.rates:
        return 1.0
    rate = nodes[c].wins / nodes[c].visits
    return rate if attacker_moves else 1.0 - rate


def cost(o, nodes, c, attacker_moves):
    """Return, for rule (3), the work on child ``c`` for each success that it promises."""
    work = nodes[c].ew_win if attacker_moves else nodes[c].ew_loss
    return work / good_chance(o, nodes, c, attacker_moves)


def insert(o, nodes, n, c, attacker_moves):
    """Put child ``c`` where it belongs in the order of ``n``'s children, the left one of equals
    first."""
    mine = cost(o, nodes, c, attacker_moves)
    before, here = NO_NODE, nodes[n].best
    while here != NO_NODE:
        other = cost(o, nodes, here, attacker_moves)
        if mine < other or (mine == other and c < here):
            break
        before, here = here, nodes[here].after
    nodes[c].after = here
    if before == NO_NODE:
        nodes[n].best = c
    else:
        nodes[before].after = c


def reorder(o, nodes, n, leaf, attacker_moves):
    """Order ``n``'s unsolved children: a new order if ``leaf`` is among them, else the old
    one with the child that was followed in its new place."""
    first, count = nodes[n].first, nodes[n].count
    if first <= leaf < first + count:
        nodes[n].best = NO_NODE
        for c in range(first, first + count):
            if nodes[c].status == UNKNOWN:
                insert(o, nodes, n, c, attacker_moves)
        return
    followed = nodes[n].best
    nodes[n].best = nodes[followed].after
    if nodes[followed].status == UNKNOWN:
        insert(o, nodes, n, followed, attacker_moves)


def count_games(o, nodes, n):
    """Count all games below ``n``: its own and those of its children, without their first 1 in
    2."""
    first = nodes[n].first
    wins, visits = 1 + np.int64(nodes[n].own), 2 + o.playouts
    for c in range(first, first + nodes[n].count):
        wins += nodes[c].wins - 1
        visits += nodes[c].visits - 2
    nodes[n].wins = wins
    nodes[n].visits = visits


def no_work(nodes, n):
    """Write that a solved node leaves nothing to do, and that the other result is out of reach."""
    won = nodes[n].status == WON
    nodes[n].ew_win = 0.0 if won else np.inf
    nodes[n].ew_loss = np.inf if won else 0.0


def settle(o, nodes, n):
    """Write the numbers of a finished game: no random games are played from it."""
    nodes[n].wins, nodes[n].visits, nodes[n].own = 1, 2, 0
    nodes[n].best, nodes[n].after = NO_NODE, NO_NODE
    no_work(nodes, n)


def select(o, nodes, n, attacker_moves):
    """Return the first child of the order."""
    return nodes[n].best


def backup(o, nodes, n, leaf, attacker_moves):
    """Count the games, order the children, and work out (1) and (2)."""
    count_games(o, nodes, n)
    if nodes[n].status != UNKNOWN:
        no_work(nodes, n)
        return True
    reorder(o, nodes, n, leaf, attacker_moves)
    one, every, reached = 0.0, 0.0, 1.0
    c = nodes[n].best
    while c != NO_NODE:
        one += reached * (nodes[c].ew_win if attacker_moves else nodes[c].ew_loss)
        every += nodes[c].ew_loss if attacker_moves else nodes[c].ew_win
        reached *= 1.0 - good_chance(o, nodes, c, attacker_moves)
        c = nodes[c].after
    nodes[n].ew_win = one if attacker_moves else every
    nodes[n].ew_loss = every if attacker_moves else one
    return True


def counted_playout_of(rules: Rules) -> Function:
    """``playout(g, s, rng, scratch) -> (end, choices)``: a random game, and how many moves there
    were to choose from, in all its positions together."""
    if rules.counted_playout is not None:
        return rules.counted_playout
    moves, play, mover = rules.moves, rules.play, rules.mover
    outcome, longest = rules.outcome, rules.max_length

    def playout(g, s, rng, scratch):
        states, out = scratch.states, scratch.moves
        states[0] = s
        now, choices = 0, 0
        for _ in range(longest):
            end = outcome(g, states[now])
            if end != ONGOING:
                return end, choices
            n = moves(g, states[now], out)
            if n < 1:
                return SECOND_WINS - mover(g, states[now]), choices
            choices += n
            play(g, states[now], out[below(rng, n)], states[1 - now])
            now = 1 - now
        end = outcome(g, states[now])
        return end if end != ONGOING else DRAW, choices

    return playout


@dataclass(frozen=True)
class EWS(BestFirst):
    """Expected work search."""

    id: ClassVar[str] = "ews"
    title: ClassVar[str] = "expected work search"
    paper: ClassVar[str] = "Randall et al. 2024"
    numbers: ClassVar[list[tuple[str, str]]] = [
        ("ew_win", "f8"), ("ew_loss", "f8"), ("wins", "i8"), ("visits", "i8"), ("own", "i4"),
        ("best", "i4"), ("after", "i4")]
    follows: ClassVar[str] = ("the least ew_win / wr where {me} moves and the least "
                              "ew_loss / (1 - wr) where {you} does")

    playouts: int = option(1, "random games per leaf", low=1, high=1_000_000)
    rates: bool = option(True, "weigh work by the chance that it succeeds")

    def plan(self, rules: Rules) -> Plan:
        """Return a plan of the order by work and chance, with random games as evaluation."""
        playout, stream = counted_playout_of(rules), rules.stream or rules.key

        def evaluate(g, o, tree, n, s, depth):
            nodes, control, rng = tree.nodes, tree.control[0], tree.scratch.rng
            rng[0] = start_counter(control.seed, stream(g, s))
            wins, work = 0, 0
            for _ in range(o.playouts):
                end, choices = playout(g, s, rng, tree.scratch)
                wins += end == FIRST_WINS + control.attacker
                work += choices
            nodes[n].own, nodes[n].wins, nodes[n].visits = wins, 1 + wins, 2 + o.playouts
            nodes[n].ew_win = nodes[n].ew_loss = max(1.0, work / o.playouts)
            nodes[n].best, nodes[n].after = NO_NODE, NO_NODE

        return Plan(select, evaluate, settle, backup, shuffle=self.shuffle)

    def show(self, node: Any) -> dict[str, Any]:
        """Return the attacker's chance, and the work to prove that it wins and that it does not."""
        status = int(node["status"])
        rate = int(node["wins"]) / int(node["visits"])
        if status != UNKNOWN:
            rate = 1.0 if status == WON else 0.0
        return {"wr": rate, "ew_win": work(node["ew_win"]), "ew_loss": work(node["ew_loss"])}


def work(number: float) -> float | str:
    """Return expected work for people and JSON."""
    return "inf" if number == np.inf else float(number)
