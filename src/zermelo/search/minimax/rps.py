"""Realization probability search (Tsuruoka, Yokoyama & Chikayama 2002; Winands & Björnsson, 2).

A move takes not one ply of the depth but FP = log P / log C plies, P being the probability that a
move of its category is played. Likely moves are searched deeper than unlikely ones. Every move is
first searched so, with a null window; one that is better than the best so far is searched again,
taking only minFP of the depth.

Where a game has no categories, or no probabilities for them, FP is 1.
"""

import math
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zermelo.core.rules import Rules
from zermelo.errors import BadOption
from zermelo.search.base import option
from zermelo.search.minimax.plan import DONE, FULL, PROBE, Plan
from zermelo.search.minimax.score import INF, UNIT
from zermelo.search.minimax.search import Common, Minimax, probabilities_of

LARGEST = 64  # plies that a move can take, so that no probability is too small for a number
MOST_UNITS = 1 << 40
# The paper gives neither C nor minFP: these are ours, tuned on Lines of Action.
USUAL_C, USUAL_MINFP = 0.4, 1.0
LEAST_MINFP, MOST_MINFP = 1 / 16, 16
HELP_C = "the probability of a move that takes one ply, between 0 and 1"
HELP_MINFP = "the least part of a ply that a move takes"


class Options(NamedTuple):
    """What the compiled parts read: depths in units."""

    common: Common
    FP: np.ndarray[Any, Any]
    minFP: int


def begin(o, counter, kind, alpha):
    """The preliminary search: a null window. At alpha = -INF it could not fail: left out."""
    if alpha == -INF:
        return FULL, o.minFP
    return PROBE, o.FP[kind]


def again(o, step, dec, value, alpha, beta):
    """The re-search, unless it would only find once more what refutes the node."""
    if step == FULL or value <= alpha or (value >= beta and dec == o.minFP):
        return DONE, dec
    return FULL, o.minFP


def check_base(owner: str, C: float) -> None:
    """C lies strictly between 0 and 1."""
    if not 0.0 < C < 1.0:
        raise BadOption(f"{owner}: C={C:g} is not valid; it is a number above 0 and below 1.")


def units(plies: float) -> int:
    """A depth as a whole number of units."""
    return int(min(round(plies * UNIT), MOST_UNITS)) if plies < math.inf else MOST_UNITS


def fractional_plies(chances: tuple[float, ...], C: float, minFP: float) -> np.ndarray[Any, Any]:
    """FP of each category by eq. 2, in units; at least minFP."""
    if not chances:
        return np.array([max(UNIT, units(minFP))], np.int64)
    plies = [LARGEST if p <= 0 else math.log(p) / math.log(C) for p in chances]
    return np.array([units(min(max(fp, minFP), LARGEST)) for fp in plies], np.int64)


@dataclass(frozen=True)
class RPS(Minimax):
    """Realization probability search."""

    id: ClassVar[str] = "rps"
    title: ClassVar[str] = "realization probability search"
    paper: ClassVar[str] = "Winands & Björnsson, 2; Tsuruoka et al. 2002"

    C: float = option(USUAL_C, HELP_C)
    minFP: float = option(USUAL_MINFP, HELP_MINFP, low=LEAST_MINFP, high=MOST_MINFP)

    def check(self) -> None:
        """C lies strictly between 0 and 1."""
        check_base(self.id, self.C)

    def plan(self) -> Plan:
        """Null windows first, reduced by FP."""
        return Plan(begin, again)

    def data(self, rules: Rules, seed: int) -> tuple[Any, ...]:
        """The options."""
        chances = probabilities_of(rules, self.probabilities)
        return Options(self.common(rules, seed), fractional_plies(chances, self.C, self.minFP),
                       units(self.minFP))
