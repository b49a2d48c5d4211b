"""Principal variation search (Marsland 1983; Reinefeld's NegaScout 1983): the paper's "Classic".

The first move of a node is searched with the window of the node, the others with a null window:
are they any better? One that is, and does not refute the node at once, is searched again with the
whole window. With ``first="null"`` the first move is probed like the others.
"""

from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from zermelo.core.rules import Rules
from zermelo.search.base import option
from zermelo.search.minimax.plan import DONE, FULL, PROBE, Plan
from zermelo.search.minimax.score import INF, UNIT
from zermelo.search.minimax.search import Common, Minimax


class Options(NamedTuple):
    """What the compiled parts read."""

    common: Common
    null: bool


def begin(o, counter, kind, alpha):
    """A null window; where no value can be below it, or for the first move, the whole window."""
    if alpha == -INF or (counter == 1 and not o.null):
        return FULL, UNIT
    return PROBE, UNIT


def again(o, step, dec, value, alpha, beta):
    """With the whole window, where the value lies in it."""
    if step == PROBE and alpha < value < beta:
        return FULL, UNIT
    return DONE, dec


@dataclass(frozen=True)
class PVS(Minimax):
    """Principal variation search."""

    id: ClassVar[str] = "pvs"
    title: ClassVar[str] = "principal variation search, iterative deepening"
    paper: ClassVar[str] = "Winands & Björnsson, \"Classic\"; Marsland 1983, Reinefeld 1983"

    first: str = option("open", "the window for a node's first move", choices=("open", "null"))

    def plan(self) -> Plan:
        """Null windows, one ply."""
        return Plan(begin, again)

    def data(self, rules: Rules, seed: int) -> Options:
        """The options."""
        return Options(self.common(rules, seed), self.first == "null")
