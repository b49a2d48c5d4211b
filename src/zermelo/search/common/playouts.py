"""Monte-Carlo evaluation: random games from a leaf, won by the attacker or not.

They are a pure function of (seed, key of the position), see ``kernel.rng``. Draws are not wins.
"""

from collections.abc import Callable
from typing import Any

from zermelo.core.board import playouts_of
from zermelo.core.rules import FIRST_WINS, Rules
from zermelo.kernel.rng import start_counter

Function = Callable[..., Any]


def playout_wins_of(rules: Rules) -> Function:
    """``playout_wins(g, tree, s, n)``: how many of ``n`` playouts the attacker wins.

    ``tree`` is whatever a wing works on: it has ``control`` and ``scratch``.
    """
    playouts, stream = playouts_of(rules), rules.stream or rules.key

    def playout_wins(g, tree, s, n):
        control, rng = tree.control[0], tree.scratch.rng
        rng[0] = start_counter(control.seed, stream(g, s))
        return playouts(g, s, rng, n, FIRST_WINS + control.attacker, tree.scratch)

    return playout_wins


def away_from_0_and_1(hits, misses, o):
    """The share of hits; theta instead of 0, and 1 - theta instead of 1."""
    if hits == 0:
        return o.theta
    if misses == 0:
        return 1.0 - o.theta
    return hits / o.playouts


def chance_away(p: float, q: float, theta: float) -> float:
    """The same for a chance p, with q beside it that it is not so."""
    return theta if p == 0 else 1.0 - theta if q == 0 else p
