"""A node of the master's tree, and the rule by which its numbers come from its children."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from zermelo.core.rules import Rules
from zermelo.errors import BadOption
from zermelo.search.base import Search
from zermelo.search.common.repetition import PATH_FREE
from zermelo.search.common.status import UNKNOWN
from zermelo.search.depth_first.df_pn import DFPN, sum_share, sum_total
from zermelo.search.depth_first.weak_df_pn import BACKUPS, WeakDFPN

NOBODY = -1


@dataclass(frozen=True)
class Rule:
    """How the numbers of children add up: as in the workers' search, whose numbers they are."""

    total: Callable[..., Any]
    share: Callable[..., Any]
    options: Any = None


def rule_of(search: Search, rules: Rules, plain: bool) -> Rule:
    """The rule of a search; BadOption if workers can't run it."""
    if type(search) is DFPN:
        return Rule(sum_total, sum_share, search.data(rules, plain))
    if type(search) is WeakDFPN:
        return Rule(*BACKUPS[search.backup], search.data(rules, plain))
    raise BadOption(f"workers can't run {search.id}; with workers, searches are df-pn and "
                    "weak-df-pn.")


class Node:
    """A position of the tree; a leaf has no ``children`` (None).

    status, anchor  what is proved, and the depth of the uppermost node of the path that this rests
                    on, by a repetition; PATH_FREE for none
    flying, free    how many leaves below are being searched, and how many could be
    home            the worker that knows most about a leaf; NOBODY
    visits          what a leaf was worth so far
    row             the number of the result that solved it, in the journal; 0 for none
    """

    __slots__ = ("anchor", "attacker_moves", "children", "depth", "dn", "flying", "free", "home",
                 "key", "length", "move", "parent", "pn", "row", "status", "visits")

    def __init__(self, parent: Node | None, move: int, pn: int, dn: int, key: str) -> None:
        self.parent, self.move, self.pn, self.dn, self.key = parent, move, pn, dn, key
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.children: list[Node] | None = None
        self.attacker_moves = False
        self.status, self.anchor, self.length = UNKNOWN, PATH_FREE, 0
        self.flying, self.free, self.visits, self.home, self.row = 0, 1, 0, NOBODY, 0

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
        """Whether it is solved, or something above it is."""
        node: Node | None = self
        while node is not None:
            if node.status != UNKNOWN:
                return True
            node = node.parent
        return False

    def in_flight(self) -> Iterator[Node]:
        """The leaves below that are being searched."""
        if self.children is None:
            if self.flying:
                yield self
            return
        for child in self.children:
            if child.flying:
                yield from child.in_flight()
