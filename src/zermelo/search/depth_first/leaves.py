"""First numbers of a position that no search has seen yet."""

from collections.abc import Callable
from typing import Any

from zermelo.core.rules import Rules
from zermelo.search.common.playouts import playout_wins_of
from zermelo.search.common.rules import legal_of

Function = Callable[..., Any]


def unit_leaf(g, o, stack, s, attacker_moves, depth):
    """One leaf to prove, one to disprove."""
    return 1, 1


def mobility_leaf_of(rules: Rules) -> Function:
    """One move to find for the side that moves, all of them to answer for the other.

    A game's own ``estimate`` stands in for that, unless plain.
    """
    legal = legal_of(rules)
    knows = rules.estimate is not None
    estimate = rules.estimate if knows else rules.outcome

    def mobility_leaf(g, o, stack, s, attacker_moves, depth):
        if knows and stack.control[0].plain == 0:
            phi, delta = estimate(g, s)
        else:
            phi, delta = 1, max(legal(g, stack.control[0], s, stack.scratch.moves), 1)
        if attacker_moves:
            return phi, delta
        return delta, phi

    return mobility_leaf


def playout_leaf_of(rules: Rules, weight: int) -> Function:
    """1 + (1 - R) weight to prove, 1 + R weight to disprove, R the attacker's share of playouts."""
    playout_wins = playout_wins_of(rules)

    def playout_leaf(g, o, stack, s, attacker_moves, depth):
        wins = playout_wins(g, stack, s, o.playouts)
        return 1 + (o.playouts - wins) * weight // o.playouts, 1 + wins * weight // o.playouts

    return playout_leaf
