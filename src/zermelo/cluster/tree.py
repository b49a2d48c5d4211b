"""The master's tree: the top of a proof-number search, whose leaves are searched by workers.

Selection goes from the root to the child that is nearest to a proof (or a disproof), as everywhere
in proof-number search; a child below which workers are busy counts as further away, the more of
them there are, so that the next one goes elsewhere (virtual values). On the way down a job gets
thresholds, as in df-pn: beyond them another leaf would be the better one.

The tree knows no game. What it is made of are reports, so that it can be made again from a journal
that has them all. Status comes from finished games, by way of the workers' reports and the AND/OR
rules; no number can set it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import ceil
from typing import Any, NamedTuple

from zermelo.core.rules import Rules
from zermelo.errors import BadOption
from zermelo.search.base import Search
from zermelo.search.common.rules import PATH_FREE
from zermelo.search.depth_first.df_pn import DFPN, sum_share, sum_total
from zermelo.search.depth_first.table import INF, reading
from zermelo.search.depth_first.weak_df_pn import BACKUPS, WeakDFPN
from zermelo.search.reasons import LOST, UNKNOWN, WON

BUSY = 1.0  # how much further away a worker below makes a child
AWAY = 2.0  # the same for what another worker has in its table
EPSILON = 0.25  # how far to go beyond the second best child

Question = tuple[int, int]  # player and threshold
Message = dict[str, Any]  # an order to a worker, or its answer
Facts = dict[str, dict[Question, int]]  # status by key and question
NOBODY = -1
MOST = 1 << 40  # of what is counted: the sum of a million reports is still a number of SQLite


class ChildReport(NamedTuple):
    """A child of a leaf, as a worker knows it. ``key``: what tells its position from others."""

    move: int
    status: int
    pn: int
    dn: int
    key: str


class LeafReport(NamedTuple):
    """A worker's result about a leaf.

    spent     it has used the whole budget, so that the leaf is to be expanded
    children  the moves that the search tries there, while the leaf is not solved
    length    how many plies the proof lasts, as far as that is known
    """

    status: int
    pn: int
    dn: int
    visits: int
    expansions: int
    length: int
    spent: bool
    attacker_moves: bool
    key: str
    seconds: float
    children: tuple[ChildReport, ...] = ()

    @classmethod
    def of(cls, row: Any) -> LeafReport:
        """Return the report that JSON made a list of; ValueError or TypeError if it is none."""
        report = cls._make([*row[:-1], tuple(map(ChildReport._make, row[-1]))])
        kinds = [[type(fact) for fact in each] for each in (report, *report.children)]
        numbers = [*report[:6], report.seconds, *(n for each in report.children for n in each[1:4])]
        if kinds != [[*[int] * 6, bool, bool, str, float, tuple],
                     *[[*[int] * 4, str]] * len(report.children)] or not all(
                0 <= number <= MOST for number in numbers) or max(
                report.status, *(each.status for each in report.children), 0) > LOST:
            raise ValueError("a field of another kind, or out of range")
        if report.status == UNKNOWN and not report.children:
            raise ValueError("an open position without moves")
        return report


@dataclass(frozen=True)
class SumRule:
    """The rule of the workers' search by which the numbers of children add up."""

    total: Callable[..., Any]
    share: Callable[..., Any]
    options: Any = None


def rule_of(search: Search, rules: Rules, plain: bool) -> SumRule:
    """Return the rule of a search; BadOption if workers can't run it."""
    if type(search) is DFPN:
        return SumRule(sum_total, sum_share, search.data(rules, plain))
    if type(search) is WeakDFPN:
        return SumRule(*BACKUPS[search.backup], search.data(rules, plain))
    raise BadOption(f"workers can't run {search.id}; with workers, searches are df-pn and "
                    "weak-df-pn.")


class TreeNode:
    """A position of the tree; a leaf has no ``children`` (None).

    status, anchor  the value, and the depth of the uppermost node of the path that it rests on,
                    by a repetition; PATH_FREE for none
    flying, free    the number of leaves below that are being searched, and that could be
    home            the worker that knows most about a leaf, or NOBODY
    visits          spent on a leaf so far
    """

    __slots__ = ("anchor", "attacker_moves", "children", "depth", "dn", "flying", "free", "home",
                 "key", "length", "move", "parent", "pn", "status", "visits")

    def __init__(self, parent: TreeNode | None, move: int, pn: int, dn: int, key: str) -> None:
        self.parent, self.move, self.pn, self.dn, self.key = parent, move, pn, dn, key
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.children: list[TreeNode] | None = None
        self.attacker_moves = False
        self.status, self.anchor, self.length = UNKNOWN, PATH_FREE, 0
        self.flying, self.free, self.visits, self.home = 0, 1, 0, NOBODY

    @property
    def path(self) -> tuple[int, ...]:
        """The moves that lead to it."""
        moves, node = [], self
        while node.parent is not None:
            moves.append(node.move)
            node = node.parent
        return tuple(reversed(moves))

    @property
    def pointless(self) -> bool:
        """Return True if it is solved, or something above it is."""
        node: TreeNode | None = self
        while node is not None:
            if node.status != UNKNOWN:
                return True
            node = node.parent
        return False

    def in_flight(self) -> Iterator[TreeNode]:
        """The leaves below that are being searched."""
        if self.children is None:
            if self.flying:
                yield self
            return
        for child in self.children:
            if child.flying:
                yield from child.in_flight()


class Chosen(NamedTuple):
    """A leaf to search, and where to stop."""

    leaf: TreeNode
    th_pn: int
    th_dn: int


class MasterTree:
    """The tree that answers if a player gets at least a threshold; ``question`` has both.

    ``facts`` is the table of proved positions, which the trees of several questions share.
    """

    def __init__(self, rule: SumRule, question: Question, facts: Facts | None = None,
                 cyclic: bool = False) -> None:
        self.rule, self.question, self.cyclic = rule, question, cyclic
        self.facts: Facts = {} if facts is None else facts
        self.root = TreeNode(None, 0, 1, 1, "")
        self.nodes = 1
        self.visits = self.expansions = 0
        self.same: dict[str, list[TreeNode]] = {}  # open nodes by key
        self.proved: dict[str, TreeNode] = {}  # solved nodes with what proves them, by key

    @property
    def status(self) -> int:
        """The status of the root."""
        return self.root.status

    def choose(self, worker: int = NOBODY) -> Chosen | None:
        """Return the leaf that ``worker`` should search next; None if all are being searched."""
        node, th_pn, th_dn = self.root, INF, INF
        if not node.free:
            return None
        while node.children is not None:
            best, least, other, delta_sum, unsolved = None, 1e300, INF, 0, 0
            best_phi = best_delta = INF
            attacker = node.attacker_moves
            for child in node.children:
                if child.status != UNKNOWN:
                    continue
                phi, delta = (child.pn, child.dn) if attacker else (child.dn, child.pn)
                unsolved += 1
                delta_sum += delta
                far = (phi + 1) * (1 + BUSY * child.flying) if child.free else 2e300
                if child.home != worker and child.home != NOBODY:
                    far *= AWAY
                if far < least:
                    if best is not None and best_phi < other:
                        other = best_phi
                    best, least, best_phi, best_delta = child, far, phi, delta
                elif phi < other:
                    other = phi
            assert best is not None
            phi, delta = best_phi, best_delta
            th_phi, th_delta = (th_pn, th_dn) if attacker else (th_dn, th_pn)
            # Where the best child is busy, another one gets a little room of its own.
            room = max(other, phi)
            th_phi = th_phi if other >= INF else min(th_phi, max(room + 1,
                                                                 ceil(room * (1 + EPSILON))))
            if th_delta < INF:
                th_delta = max(delta + 1, self.rule.share(
                    self.rule.options, th_delta, delta_sum - delta, unsolved))
            th_phi = max(th_phi, phi + 1)
            th_pn, th_dn = (th_phi, th_delta) if attacker else (th_delta, th_phi)
            node = best
        return Chosen(node, th_pn, th_dn)

    def begin(self, leaf: TreeNode) -> None:
        """Note that ``leaf`` is being searched."""
        leaf.flying, leaf.free = 1, 0
        above = leaf.parent
        while above is not None:  # nothing else changes by it
            above.flying, above.free = above.flying + 1, above.free - 1
            above = above.parent

    def give_up(self, leaf: TreeNode) -> None:
        """Note that ``leaf`` is no longer being searched, without a result."""
        if leaf.flying:
            leaf.flying, leaf.free = 0, 1 if leaf.status == UNKNOWN else 0
            self._up(leaf.parent)

    def take(self, leaf: TreeNode, report: LeafReport, worker: int = NOBODY) -> list[TreeNode]:
        """Take in a report about ``leaf``. Returns the leaves whose searches have become pointless
        by it."""
        self._count(report)
        leaf.flying, leaf.visits, leaf.home = 0, leaf.visits + report.visits, worker
        leaf.free = 1 if leaf.status == UNKNOWN else 0
        if leaf.pointless or leaf.children is not None:
            self._learn(report)
            return []
        leaf.key = report.key
        if report.status != UNKNOWN:
            leaf.length = report.length
            return self._settle(leaf, report.status)
        leaf.pn, leaf.dn = max(report.pn, 1), max(report.dn, 1)
        if report.spent:
            return self._expand(leaf, report)
        self._up(leaf.parent)
        return []

    def replay(self, path: tuple[int, ...], report: LeafReport) -> None:
        """Take in a result of the journal, whose leaf may have been pruned."""
        leaf = self.find(path)
        if leaf is None:
            self._count(report)
            self._learn(report)
        else:
            self.take(leaf, report)

    def _count(self, report: LeafReport) -> None:
        self.visits += report.visits
        self.expansions += report.expansions

    def find(self, path: tuple[int, ...]) -> TreeNode | None:
        """The node that ``path`` leads to, if it is in the tree."""
        node = self.root
        for move in path:
            following = next((child for child in node.children or () if child.move == move), None)
            if following is None:
                return None
            node = following
        return node

    def _learn(self, report: LeafReport) -> None:
        """Keep the statuses in a report, wherever its leaf is."""
        everything: list[LeafReport | ChildReport] = [report, *report.children]
        for found in everything:
            if found.status != UNKNOWN:
                self.facts.setdefault(found.key, {})[self.question] = found.status

    def _known(self, key: str) -> int:
        """The status of a position that follows from the facts."""
        for earlier, status in self.facts.get(key, {}).items():
            known = reading(earlier, self.question, status)
            if known != UNKNOWN:
                return known
        return UNKNOWN

    def _expand(self, leaf: TreeNode, report: LeafReport) -> list[TreeNode]:
        leaf.attacker_moves = report.attacker_moves
        leaf.children = [self._child(leaf, child) for child in report.children]
        self.nodes += len(leaf.children)
        for child in leaf.children:
            if child.status == UNKNOWN:
                self.same.setdefault(child.key, []).append(child)
        return self._up(leaf)

    def _child(self, leaf: TreeNode, given: ChildReport) -> TreeNode:
        child = TreeNode(leaf, given.move, max(given.pn, 1), max(given.dn, 1), given.key)
        child.home, child.status = leaf.home, given.status
        if child.status == UNKNOWN:
            child.status = self._known(given.key)
        if child.status == UNKNOWN and self.cyclic:
            above: TreeNode | None = leaf
            while above is not None and above.key != given.key:
                above = above.parent
            if above is not None:  # a repetition gets no nearer to a win
                child.status, child.anchor = LOST, above.depth
        if child.status != UNKNOWN:
            child.free = 0
            if child.anchor == PATH_FREE:
                self.facts.setdefault(child.key, {})[self.question] = child.status
        return child

    def _settle(self, leaf: TreeNode, status: int) -> list[TreeNode]:
        leaf.status = status
        leaf.free = 0
        self._prove(leaf)
        pointless = self._up(leaf.parent)
        return pointless + self._settle_same(leaf)

    def _settle_same(self, solved: TreeNode) -> list[TreeNode]:
        """Settle the same position elsewhere in the tree."""
        pointless = []
        for twin in self.same.pop(solved.key, ()):
            if twin is not solved and twin.status == UNKNOWN and not twin.pointless:
                pointless += list(twin.in_flight())
                twin.status, twin.length, twin.children = solved.status, solved.length, None
                twin.free = twin.flying = 0
                pointless += self._up(twin.parent)
        return pointless

    def _prove(self, node: TreeNode) -> None:
        if node.key and node.anchor == PATH_FREE:
            self.facts.setdefault(node.key, {})[self.question] = node.status
            if node.children is not None:
                self.proved.setdefault(node.key, node)

    def _up(self, node: TreeNode | None) -> list[TreeNode]:
        """Update ``node`` and all above it, as far as numbers or statuses change; return the leaves
        whose searches have become pointless."""
        pointless: list[TreeNode] = []
        first = node  # its parent may know it by what it was before
        while node is not None and node.status == UNKNOWN:
            before = (node.pn, node.dn, node.flying, node.free)
            self._back_up(node)
            if node.status != UNKNOWN:
                pointless += list(node.in_flight())
                node.flying = node.free = 0
                self._prune(node)
                self._prove(node)
                if node.anchor == PATH_FREE and node.key in self.same:
                    pointless += self._settle_same(node)
            elif before == (node.pn, node.dn, node.flying, node.free) and node is not first:
                break
            node = node.parent
        return pointless

    def _back_up(self, node: TreeNode) -> None:
        attacker = node.attacker_moves
        decisive = WON if attacker else LOST
        least, total, largest, unsolved, flying, free = INF, 0, 0, 0, 0, 0
        found, anchor, length = UNKNOWN, PATH_FREE, 0
        for child in node.children or ():
            if child.status == UNKNOWN:
                phi, delta = (child.pn, child.dn) if attacker else (child.dn, child.pn)
                unsolved += 1
                total += delta
                largest = delta if delta > largest else largest
                least = phi if phi < least else least
                flying += child.flying
                free += child.free
            elif child.status == decisive:
                better = found != decisive or child.anchor > anchor or (
                    child.anchor == anchor and child.length < length)
                if better:
                    found, anchor, length = decisive, child.anchor, child.length
            elif found != decisive:
                anchor, length = min(anchor, child.anchor), max(length, child.length)
        node.flying, node.free = flying, free
        if found == decisive or not unsolved:
            node.status = decisive if found == decisive else WON + LOST - decisive
            node.anchor = PATH_FREE if anchor >= node.depth else anchor
            node.length = length + 1
            return
        delta = min(self.rule.total(self.rule.options, total, largest, unsolved), INF - 1)
        node.pn, node.dn = (least, delta) if attacker else (delta, least)

    def _prune(self, node: TreeNode) -> None:
        """Keep of a solved node what proves it; of the root all, for the results of its moves."""
        assert node.children is not None
        decisive = WON if node.attacker_moves else LOST
        if node.parent is None or node.status != decisive:
            return
        kept = next(child for child in node.children if child.status == decisive
                    and (child.anchor == node.anchor or child.anchor >= node.depth)
                    and child.length == node.length - 1)
        node.children = [kept]
