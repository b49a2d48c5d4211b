"""Enhanced realization probability search (Winands & Björnsson, section 3 and Fig. 1).

RPS with two changes. The first m moves take at most t plies of the depth (enhancement 1). A move
that turns out better than the best so far is searched again halfway between its own depth and the
full one, if that takes more than delta off the depth, and only if it is still better searched at
the full depth (enhancement 2).
"""

from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

import numpy as np

from zermelo.core.rules import Rules
from zermelo.search.base import option
from zermelo.search.minimax.plan import DONE, FULL, HALFWAY, PROBE, Plan
from zermelo.search.minimax.rps import (
    HELP_C,
    HELP_MINFP,
    LEAST_MINFP,
    MOST_MINFP,
    USUAL_C,
    USUAL_MINFP,
    check_base,
    fractional_plies,
    units,
)
from zermelo.search.minimax.score import INF
from zermelo.search.minimax.search import Common, Minimax, probabilities_of


class Options(NamedTuple):
    """What the compiled parts read: depths in units."""

    common: Common
    FP: np.ndarray[Any, Any]
    minFP: int
    t: int
    m: int
    delta: int


def begin(o, counter, kind, alpha):
    """The preliminary search, with enhancement 1. At alpha = -INF it could not fail: left out."""
    if alpha == -INF:
        return FULL, o.minFP
    dec = o.FP[kind]
    if dec > o.t and counter <= o.m:
        dec = max(o.t, o.minFP)
    return PROBE, dec


def again(o, step, dec, value, alpha, beta):
    """The re-searches: halfway (enhancement 2), then full.

    One that would only find once more what refutes the node is left out.
    """
    if step == FULL or value <= alpha or (value >= beta and dec == o.minFP):
        return DONE, dec
    if step == PROBE:
        halfway = (o.minFP + dec) // 2
        if halfway > o.delta:
            return HALFWAY, halfway
    return FULL, o.minFP


@dataclass(frozen=True)
class ERPS(Minimax):
    """Enhanced realization probability search."""

    id: ClassVar[str] = "erps"
    title: ClassVar[str] = "enhanced realization probability search"
    paper: ClassVar[str] = "Winands & Björnsson, 3 and Fig. 1"

    t: float = option(1.0, "the most plies that one of the first m moves takes", low=0)
    m: int = option(5, "how many moves are first", low=0)
    delta: float = option(1.5, "a search halfway must take more plies than this", low=0)
    C: float = option(USUAL_C, HELP_C)
    minFP: float = option(USUAL_MINFP, HELP_MINFP, low=LEAST_MINFP, high=MOST_MINFP)

    def check(self) -> None:
        """C lies strictly between 0 and 1."""
        check_base(self.id, self.C)

    def plan(self) -> Plan:
        """Null windows first, reduced by FP."""
        return Plan(begin, again)

    def data(self, rules: Rules, seed: int) -> Options:
        """The options."""
        chances = probabilities_of(rules, self.probabilities)
        return Options(self.common(rules, seed), fractional_plies(chances, self.C, self.minFP),
                       units(self.minFP), units(self.t), min(self.m, 1 << 30), units(self.delta))
