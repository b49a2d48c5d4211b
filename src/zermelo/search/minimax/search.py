"""The minimax searches: alpha-beta, PVS, RPS and ERPS.

They differ in how a move is searched first and whether it is searched again (``begin`` and
``again`` of their plans): with which window, and how much of the depth it takes, in units.

*Alpha-beta* (Knuth & Moore 1975), fail-soft, with iterative deepening and a table, searches every
move one ply less deep with the window of the node.

*Principal variation search* (Marsland 1983; Reinefeld's NegaScout 1983), the paper's "Classic":
the first move of a node is searched with the window of the node, the others with a null window: are
they any better? One that is, and does not refute the node at once, is searched again with the whole
window. With ``first="null"`` the first move is probed like the others.

*Realization probability search* (Tsuruoka, Yokoyama & Chikayama 2002; Winands & Björnsson, 2): a
move takes not one ply of the depth but FP = log P / log C plies, where P is the probability that a
move of its category is played. Likely moves are searched deeper than unlikely ones. Every move is
first searched so, with a null window; one that is better than the best so far is searched again,
taking only minFP of the depth. Where a game has no categories, or no probabilities for them, FP is
1.

*Enhanced* RPS (Winands & Björnsson, section 3 and Fig. 1) has two changes. The first m moves take
at most t plies of the depth (enhancement 1). A move that turns out better than the best so far is
searched again halfway between its own depth and the full one, if that takes more than delta off the
depth, and only if it is still better searched at the full depth (enhancement 2).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from zermelo.core.reading import read_probabilities
from zermelo.core.rules import MOST_POINTS, Rules
from zermelo.errors import BadOption
from zermelo.kernel.bits import mix, word
from zermelo.kernel.rng import GAMMA
from zermelo.search.base import Search, Task, option
from zermelo.search.minimax.driver import LIKELY
from zermelo.search.minimax.plan import DONE, FULL, HALFWAY, INF, PROBE, UNIT, Plan
from zermelo.search.minimax.run import Run

if TYPE_CHECKING:
    from zermelo.core.game import Game

THE_GAMES, NO_PROBABILITIES = "game", "none"
WINDOWS = ("open", "null")
NULL = 1  # its place
LARGEST = 64  # plies that a move can take, so that no probability is too small for a number
MOST_UNITS, MOST_MOVES = 1 << 40, 1 << 30
# The paper gives neither C nor minFP: these are ours, tuned on Lines of Action.
USUAL_C, USUAL_MINFP = 0.4, 1.0
LEAST_MINFP, MOST_MINFP = 1 / 16, 16
HELP_C = "the probability of a move that takes one ply, between 0 and 1"
HELP_MINFP = "the least part of a ply that a move takes"
HELP_FLOOR = "FP is at least minFP; without, likely moves are extended, by up to 15/16 of a ply"


def probabilities_of(rules: Rules, file: str) -> tuple[float, ...]:
    """Return the probability of each category: as in ``file``, or those that come with the game.
    Without any, all moves are alike."""
    if file == NO_PROBABILITIES:
        return ()
    if file == THE_GAMES:
        return rules.probabilities
    return read_probabilities(file, rules.category_names)


@dataclass(frozen=True)
class Minimax(Search):
    """A search to a depth, then to a greater one; unfinished games are evaluated."""

    keeps: ClassVar[str] = "table"
    plan: ClassVar[Plan]  # the parts of the search

    deeper: bool = option(True, "let the table answer for shallower searches too; false: a value "
                          "is that of a search to just this depth", kw_only=True)
    noise: int = option(0, "change evaluations at random by up to this many points, the same for "
                        "each seed and position", low=0, high=MOST_POINTS, kw_only=True)

    probabilities: str = option(THE_GAMES, "a file with the probabilities of categories of moves; "
                                "game: those that come with the game; none: all moves are alike",
                                kw_only=True, file_unless=(THE_GAMES, NO_PROBABILITIES))

    def check_files(self, game: Game) -> None:
        """Raise BadOption where the file of probabilities does not fit ``game``."""
        probabilities_of(game.rules, self.probabilities)

    def data(self, rules: Rules, seed: int) -> Any:
        """Return the options that the compiled parts read: those of the search, with

        likely  how early the moves of each category are tried where their history is the same
        salt    the seed, mixed, for the noise
        FP      the units of depth that a move of each category takes, for RPS and ERPS
        """
        chances = probabilities_of(rules, self.probabilities)
        likely = [int(p * (LIKELY - 1)) for p in chances or (0.0,)]
        return self.packed(likely=np.array(likely, np.int64), salt=mix(word(seed) ^ GAMMA),
                           **self.depths(chances))

    def depths(self, chances: tuple[float, ...]) -> dict[str, Any]:
        """Return what the compiled parts read about depths, in units, by name."""
        return {}

    def start(self, task: Task) -> Run:
        """Begin a run."""
        return Run(self, task)


def whole_window(o, counter, kind, alpha):
    """``begin`` of alpha-beta: the whole window, one ply."""
    return FULL, UNIT


def never_again(o, step, dec, value, alpha, beta):
    """``again`` of alpha-beta: once is enough."""
    return DONE, dec


@dataclass(frozen=True)
class AlphaBeta(Minimax):
    """Alpha-beta search."""

    id: ClassVar[str] = "alpha-beta"
    title: ClassVar[str] = "alpha-beta, iterative deepening"
    paper: ClassVar[str] = "Knuth & Moore 1975"
    plan: ClassVar[Plan] = Plan(whole_window, never_again)


def null_window(o, counter, kind, alpha):
    """``begin`` of PVS: a null window; where no value can be below it, or for the first move, the
    whole window."""
    if alpha == -INF or (counter == 1 and o.first != NULL):
        return FULL, UNIT
    return PROBE, UNIT


def again_inside(o, step, dec, value, alpha, beta):
    """``again`` of PVS: with the whole window, where the value lies in it."""
    if step == PROBE and alpha < value < beta:
        return FULL, UNIT
    return DONE, dec


@dataclass(frozen=True)
class PVS(Minimax):
    """Principal variation search."""

    id: ClassVar[str] = "pvs"
    title: ClassVar[str] = "principal variation search, iterative deepening"
    paper: ClassVar[str] = "Winands & Björnsson, \"Classic\"; Marsland 1983, Reinefeld 1983"
    plan: ClassVar[Plan] = Plan(null_window, again_inside)

    first: str = option("open", "the window for a node's first move", choices=WINDOWS)


def units(plies: float) -> int:
    """Return a depth as a whole number of units."""
    return int(min(round(plies * UNIT), MOST_UNITS)) if plies < math.inf else MOST_UNITS


def realized(o, counter, kind, alpha):
    """``begin`` of RPS: a null window. At alpha = -INF it could not fail: left out."""
    if alpha == -INF:
        return FULL, o.minFP
    return PROBE, o.FP[kind]


def again_deeper(o, step, dec, value, alpha, beta):
    """``again`` of RPS, unless it would only find once more what refutes the node."""
    least = min(dec, o.minFP)  # what was extended is not searched again less deep
    if step == FULL or value <= alpha or (value >= beta and dec == least):
        return DONE, dec
    return FULL, least


def check_C(search: RPS | ERPS) -> None:
    """Raise BadOption unless C lies strictly between 0 and 1."""
    if not 0.0 < search.C < 1.0:
        raise BadOption(f"{search.id}: C={search.C:g} is not valid; it is a number above 0 and "
                        "below 1.")


def fractional_plies(search: RPS | ERPS, chances: tuple[float, ...]) -> dict[str, Any]:
    """Return minFP, and the FP of each category by eq. 2, at least minFP or, without a floor, as
    little as a search that ends can bear, in units."""
    least = units(search.minFP)
    if not chances:
        return {"FP": np.array([max(UNIT, least)], np.int64), "minFP": least}
    plies = [LARGEST if p <= 0 else math.log(p) / math.log(search.C) for p in chances]
    floor = search.minFP if search.floor else LEAST_MINFP
    FP = [units(min(max(fp, floor), LARGEST)) for fp in plies]
    return {"FP": np.array(FP, np.int64), "minFP": least}


@dataclass(frozen=True)
class RPS(Minimax):
    """Realization probability search."""

    id: ClassVar[str] = "rps"
    title: ClassVar[str] = "realization probability search"
    paper: ClassVar[str] = "Winands & Björnsson, 2; Tsuruoka et al. 2002"
    plan: ClassVar[Plan] = Plan(realized, again_deeper)

    C: float = option(USUAL_C, HELP_C)
    minFP: float = option(USUAL_MINFP, HELP_MINFP, low=LEAST_MINFP, high=MOST_MINFP)
    floor: bool = option(True, HELP_FLOOR, implied=True)

    check = check_C
    depths = fractional_plies


def realized_first(o, counter, kind, alpha):
    """``begin`` of ERPS: that of RPS with enhancement 1."""
    step, dec = realized(o, counter, kind, alpha)
    if step == PROBE and dec > o.t and counter <= o.m:
        dec = max(o.t, o.minFP)
    return step, dec


def again_halfway(o, step, dec, value, alpha, beta):
    """``again`` of ERPS: halfway (enhancement 2), then as in RPS."""
    next_step, full = again_deeper(o, step, dec, value, alpha, beta)
    halfway = (o.minFP + dec) // 2
    if next_step == FULL and step == PROBE and halfway > o.delta:
        return HALFWAY, halfway
    return next_step, full


@dataclass(frozen=True)
class ERPS(Minimax):
    """Enhanced realization probability search."""

    id: ClassVar[str] = "erps"
    title: ClassVar[str] = "enhanced realization probability search"
    paper: ClassVar[str] = "Winands & Björnsson, 3 and Fig. 1"
    plan: ClassVar[Plan] = Plan(realized_first, again_halfway)

    t: float = option(1.0, "the most plies that one of the first m moves takes", low=0)
    m: int = option(5, "how many moves are first", low=0)
    delta: float = option(1.5, "a search halfway must take more plies than this", low=0)
    C: float = option(USUAL_C, HELP_C)
    minFP: float = option(USUAL_MINFP, HELP_MINFP, low=LEAST_MINFP, high=MOST_MINFP)
    floor: bool = option(True, HELP_FLOOR, implied=True)

    check = check_C

    def depths(self, chances: tuple[float, ...]) -> dict[str, Any]:
        """Return what RPS reads, with t and delta in units."""
        return {**fractional_plies(self, chances), "t": units(self.t), "delta": units(self.delta),
                "m": min(self.m, MOST_MOVES)}
