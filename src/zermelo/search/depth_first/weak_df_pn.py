"""Weak df-pn (Ueda et al. 2008; Song 2019, chapter 3): the largest child instead of the sum.

Where children lead to the same positions by different orders of moves, a sum counts them again and
again. The weak number, dn at OR and pn at AND nodes (delta, as ``df_pn`` calls it), takes the
largest child's and adds a little for the others; beside it stands what a child's threshold is then:

    max + unsolved - 1        th - (unsolved - 1)               the paper's rule
    max + (sum - max) / k     th - (sum of the others) / k      between that and the sum
    max                       th                                nothing

With leaves that count moves (``leaf="mobility"``) this is the search that solves most.
"""

from dataclasses import dataclass
from typing import Any, ClassVar

from zermelo.core.rules import Function, Rules
from zermelo.search.base import option
from zermelo.search.depth_first.df_pn import (
    AUTO,
    ZONES,
    ZONES_HELP,
    ProofNumbers,
    df_pn_plan,
    sum_share,
    sum_total,
    wants_zones,
)
from zermelo.search.depth_first.driver import mobility_leaf_of, playout_leaf_of, unit_leaf
from zermelo.search.depth_first.plan import Plan

PLAYOUT_WEIGHT = 10
# A share is rounded down. Where all leaves look alike, a large divisor leaves nothing of it, and
# the numbers tell nothing any more; where leaves differ it finds proofs sooner (docs).
# A game that foresees who wins has its leaves decided where the numbers would hardly grow.
K_FORESEEING, K_KNOWING, K_PLAIN = 3, 8, 2
QUICK_FORESEEING, QUICK = 10, 7  # what is foreseen cuts quick searches short


def unsolved_total(o, delta_sum, delta_max, unsolved):
    """max + unsolved - 1."""
    return delta_max + unsolved - 1


def unsolved_share(o, th_delta, others, unsolved):
    """The part of a threshold that ``unsolved_total`` leaves to a child."""
    return th_delta - (unsolved - 1)


def fraction_total(o, delta_sum, delta_max, unsolved):
    """max + (sum - max) / k."""
    return delta_max + (delta_sum - delta_max) // o.k


def fraction_share(o, th_delta, others, unsolved):
    """The part of a threshold that ``fraction_total`` leaves to a child."""
    return th_delta - others // o.k


def max_total(o, delta_sum, delta_max, unsolved):
    """max."""
    return delta_max


def max_share(o, th_delta, others, unsolved):
    """The part of a threshold that ``max_total`` leaves to a child: all of it."""
    return th_delta


BACKUPS: dict[str, tuple[Function, Function]] = {
    "max+unsolved-1": (unsolved_total, unsolved_share),
    "max+(sum-max)/k": (fraction_total, fraction_share),
    "max": (max_total, max_share),
    "sum": (sum_total, sum_share),
}


@dataclass(frozen=True)
class WeakDFPN(ProofNumbers):
    """Depth-first proof-number search with weak proof numbers."""

    id: ClassVar[str] = "weak-df-pn"
    title: ClassVar[str] = "df-pn with the largest child instead of the sum"
    paper: ClassVar[str] = "Song 2019, 3.3; Ueda et al. 2008"

    epsilon: float = option(0.1, "how far to search a child beyond the second best one", low=0)
    backup: str = option("max+(sum-max)/k", "how children add up", choices=tuple(BACKUPS))
    k: int = option(0, "the divisor of max+(sum-max)/k; 0: 3 if the game foresees who wins, 8 if "
                    "it knows other things beyond its rules, else 2", low=0, high=1 << 20)
    leaf: str = option("mobility", "a new position's numbers",
                       choices=("unit", "mobility", "playouts"))
    playouts: int = option(10, "games played for leaf=playouts", low=1, high=1 << 20)
    quick: int = option(-1, "with at most this many plies to go, settle by plain depth-first "
                        "search; -1: 10 if the game foresees who wins, else 7", low=-1, high=16)
    fold: int = option(10, "down to this depth in plies, symmetric positions count as one", low=0,
                       high=1 << 20)
    zones: str = option(AUTO, ZONES_HELP, choices=ZONES)

    def data(self, rules: Rules, plain: bool) -> Any:
        """Return the options; the divisor suits what is known about leaves."""
        knows = not plain and (rules.estimate is not None or rules.forced is not None)
        foresees = not plain and rules.foreseen is not None
        k = self.k or (K_FORESEEING if foresees else K_KNOWING if knows else K_PLAIN)
        return super().data(rules, plain)._replace(k=k)

    def plan(self, rules: Rules) -> Plan:
        """The chosen backup and leaves."""
        total, share = BACKUPS[self.backup]
        usual = QUICK if rules.foreseen is None else QUICK_FORESEEING
        leaf: Any = unit_leaf
        if self.leaf == "mobility":
            leaf = mobility_leaf_of(rules)
        elif self.leaf == "playouts":
            leaf = playout_leaf_of(rules, PLAYOUT_WEIGHT)
        return df_pn_plan(leaf, total, share, quick=self.quick if self.quick >= 0 else usual,
                          fold=self.fold, zones=wants_zones(self.zones, rules),
                          counts_moves=self.leaf == "mobility")
