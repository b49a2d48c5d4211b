"""Alpha-beta (Knuth & Moore 1975), fail-soft, with iterative deepening and a table.

Every move is searched one ply less deep with the window of the node.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from zermelo.core.rules import Rules
from zermelo.search.minimax.plan import DONE, FULL, Plan
from zermelo.search.minimax.score import UNIT
from zermelo.search.minimax.search import Common, Minimax


class Options(NamedTuple):
    """What the compiled parts read."""

    common: Common


def begin(o, counter, kind, alpha):
    """The whole window, one ply."""
    return FULL, UNIT


def again(o, step, dec, value, alpha, beta):
    """Once is enough."""
    return DONE, dec


@dataclass(frozen=True)
class AlphaBeta(Minimax):
    """Alpha-beta search."""

    id: ClassVar[str] = "alpha-beta"
    title: ClassVar[str] = "alpha-beta, iterative deepening"
    paper: ClassVar[str] = "Knuth & Moore 1975"

    def plan(self) -> Plan:
        """Whole windows."""
        return Plan(begin, again)

    def data(self, rules: Rules, seed: int) -> Options:
        """The options."""
        return Options(self.common(rules, seed))
