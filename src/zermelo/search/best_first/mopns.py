"""Multiple-outcome proof-number search (Saffidine and Cazenave 2012): win, draw, loss in one tree.

For each outcome o there are two numbers: G(o), the leaves that must be proved to show that the
attacker gets at least o, and S(o), those to show that it gets at most o. G(loss) and S(win) are 0,
so that four are left. G is the minimum over the children where the attacker moves and the sum where
the other player does; S the reverse. The effort to show that the value is o is G(o) + S(o).

Each descent aims at the outcome with the least effort at the root, among those that are better
than what the attacker is known to get (the attracting outcome), and at the next worse one for the
other player: it follows the least G(o) where the attacker moves and the least S of the outcome
below o where the other does.

A node keeps the numbers of two questions, and what is proved of each:

    does the attacker win?      pn = G(win)           dn = S(draw)          status
    does the other player?      their_pn = S(loss)    their_dn = G(draw)    other

A run answers the one for its attacker. If the session goes on with the other player's, its run goes
on with the same tree (see ``two_questions``).
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zermelo.core.rules import Rules
from zermelo.search.base import Task
from zermelo.search.best_first.plan import Plan
from zermelo.search.best_first.pn import INF, proof_number
from zermelo.search.best_first.search import BestFirst
from zermelo.search.best_first.two_questions import OTHER, TwoQuestionsRun, other_verdict
from zermelo.search.reasons import LOST, UNKNOWN, WON


class Options(NamedTuple):
    """What the compiled parts read: whether both questions count."""

    both: bool


def aims_at_draw(o, nodes):
    """Whether a draw is the attracting outcome: G(draw) + S(draw) < G(win), and it is not known
    that the attacker gets that much."""
    if not o.both or nodes[0].other != UNKNOWN:
        return False
    return np.int64(nodes[0].their_dn) + np.int64(nodes[0].dn) < np.int64(nodes[0].pn)


def select(o, nodes, n, attacker_moves):
    """The leftmost child with the least G of the outcome aimed at, where the attacker moves, or the
    least S of the one below it."""
    draw = aims_at_draw(o, nodes)
    first = nodes[n].first
    best, least = first, np.int64(INF)
    for c in range(first, first + nodes[n].count):
        if draw:
            number = np.int64(nodes[c].their_dn if attacker_moves else nodes[c].their_pn)
        else:
            number = np.int64(nodes[c].pn if attacker_moves else nodes[c].dn)
        if number < least:
            best, least = c, number
    return best


def evaluate(g, o, tree, n, s, depth):
    """One leaf each."""
    nodes = tree.nodes
    nodes[n].pn, nodes[n].dn, nodes[n].their_pn, nodes[n].their_dn = 1, 1, 1, 1
    nodes[n].other = UNKNOWN


def settled_or(status, pn, dn):
    """(pn, dn), or what a status says about them: proved (0, inf), disproved (inf, 0)."""
    if status == WON:
        return np.int64(0), np.int64(INF)
    if status == LOST:
        return np.int64(INF), np.int64(0)
    return min(pn, np.int64(INF - 1)), min(dn, np.int64(INF - 1))


def write(nodes, n, pn, dn, their_pn, their_dn):
    """The numbers of ``n`` by what is proved and by its children; whether they changed."""
    pn, dn = settled_or(nodes[n].status, pn, dn)
    their_pn, their_dn = settled_or(nodes[n].other, their_pn, their_dn)
    changed = (pn != nodes[n].pn or dn != nodes[n].dn or their_pn != nodes[n].their_pn
               or their_dn != nodes[n].their_dn)
    nodes[n].pn, nodes[n].dn = pn, dn
    nodes[n].their_pn, nodes[n].their_dn = their_pn, their_dn
    return changed


def settle(o, nodes, n):
    """A game that one player won."""
    nodes[n].other = LOST if nodes[n].status == WON else WON
    write(nodes, n, np.int64(1), np.int64(1), np.int64(1), np.int64(1))


def drawn(o, nodes, n):
    """A draw: neither player won."""
    nodes[n].other = LOST
    write(nodes, n, np.int64(1), np.int64(1), np.int64(1), np.int64(1))


def backup(o, nodes, n, leaf, attacker_moves):
    """Minimum and sum, for both questions; unchanged numbers end the backup."""
    nodes[n].other = other_verdict(nodes, n, attacker_moves)
    first = nodes[n].first
    least, their_least = np.int64(INF), np.int64(INF)
    total, their_total = np.int64(0), np.int64(0)
    for c in range(first, first + nodes[n].count):
        if attacker_moves:
            least = min(least, np.int64(nodes[c].pn))
            total += np.int64(nodes[c].dn)
            their_least = min(their_least, np.int64(nodes[c].their_dn))
            their_total += np.int64(nodes[c].their_pn)
        else:
            least = min(least, np.int64(nodes[c].dn))
            total += np.int64(nodes[c].pn)
            their_least = min(their_least, np.int64(nodes[c].their_pn))
            their_total += np.int64(nodes[c].their_dn)
    if attacker_moves:
        return write(nodes, n, least, total, their_total, their_least)
    return write(nodes, n, total, least, their_least, their_total)


@dataclass(frozen=True)
class MOPNS(BestFirst):
    """Multiple-outcome proof-number search."""

    id: ClassVar[str] = "mopns"
    title: ClassVar[str] = "multiple-outcome proof-number search"
    paper: ClassVar[str] = "Saffidine and Cazenave 2012"
    numbers: ClassVar[list[tuple[str, str]]] = [
        *OTHER, ("pn", "u4"), ("dn", "u4"), ("their_pn", "u4"), ("their_dn", "u4")]
    mirrored: ClassVar[dict[str, str]] = {"pn": "their_pn", "dn": "their_dn"}
    follows: ClassVar[str] = ("the least G of the outcome that it aims at where {me} moves and the "
                              "least S of the one below where {you} does")

    def plan(self, rules: Rules) -> Plan:
        """PN's two numbers, twice."""
        return Plan(select, evaluate, settle, backup, drawn=drawn, shuffle=self.shuffle)

    def task_data(self, task: Task) -> tuple[Any, ...]:
        """What the compiled parts read for a question."""
        return Options(task.exact)

    def start(self, task: Task) -> TwoQuestionsRun:
        """A new run, or the other question on an earlier run's tree."""
        self.check_task(task)
        return TwoQuestionsRun(self, task)

    def show(self, node: Any) -> dict[str, Any]:
        """The four numbers that are not 0 from the start."""
        return {"G_win": proof_number(node["pn"]), "S_draw": proof_number(node["dn"]),
                "G_draw": proof_number(node["their_dn"]), "S_loss": proof_number(node["their_pn"])}
