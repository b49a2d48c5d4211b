"""Product propagation (Slagle and Bursky 1968; Saffidine and Cazenave 2013).

PPN's rules for independent events with every unsolved leaf at p = 1/2, and no playouts.
"""

from dataclasses import dataclass
from typing import ClassVar

from zermelo.core.rules import Rules
from zermelo.search.best_first.plan import Plan
from zermelo.search.best_first.ppn import Probabilities, backup, even, select, settle


def evaluate(g, o, tree, n, s, depth):
    """A leaf is as likely to be won as not."""
    even(tree.nodes, n)


@dataclass(frozen=True)
class PP(Probabilities):
    """Product propagation."""

    id: ClassVar[str] = "pp"
    title: ClassVar[str] = "product propagation"
    paper: ClassVar[str] = "Saffidine and Cazenave 2013"

    def plan(self, rules: Rules) -> Plan:
        """The probability rules with a constant evaluation."""
        return Plan(select, evaluate, settle, backup, shuffle=self.shuffle)
