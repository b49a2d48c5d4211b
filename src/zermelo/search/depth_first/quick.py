"""Quick searches: plain depth-first search of positions near the end of the game.

A game may bring one of its own, ``endgame``. That is asked for positions with some more plies
to go: it is made for nothing else, and much faster.
"""

from collections.abc import Callable
from typing import Any

from zermelo.compiler.jit import outlined
from zermelo.core.rules import Rules
from zermelo.search.common.rules import ending_of, legal_of
from zermelo.search.reasons import LOST, UNKNOWN, WON

Function = Callable[..., Any]
MORE_PLIES = 5
NEXT, COUNT, DECISIVE = 0, 1, 2  # columns of `quick_places`


def quick_plies(rules: Rules, plies: int) -> int:
    """How many plies to go are few enough, where the option says ``plies``."""
    return plies + MORE_PLIES if plies > 0 and has_endgame(rules) else plies


def has_endgame(rules: Rules) -> bool:
    """Whether the game's own search can stand in; it tries all moves, not just candidates."""
    return rules.endgame is not None and rules.candidates is None


def endgame_quick_of(rules: Rules) -> Function:
    """``quick`` by the game's own search."""
    endgame = rules.endgame

    def quick(g, stack, s):
        control = stack.control[0]
        reached, seen = endgame(g, s, control.attacker, control.threshold, stack.space)
        control.settled += seen
        return WON if reached else LOST

    return outlined(quick)


def quick_of(rules: Rules) -> Function:
    """``quick(g, stack, s) -> status``: plain depth-first search to the end of the game.

    Pre-condition: an acyclic game, ``s`` not settled by ``ending``. UNKNOWN if the game turns out
    to last longer than ``stack.quick_states``.
    """
    if has_endgame(rules):
        return endgame_quick_of(rules)
    play, mover = rules.play, rules.mover
    ending, legal = ending_of(rules), legal_of(rules)

    def look_around(g, stack, level):
        """The status of the state at ``level``, or UNKNOWN and its moves."""
        control, s = stack.control[0], stack.quick_states[level]
        control.settled += 1
        status = ending(g, control, s) if level > 0 else UNKNOWN
        if status == UNKNOWN:
            stack.quick_places[level, NEXT] = 0
            stack.quick_places[level, COUNT] = legal(g, control, s, stack.quick_moves[level])
            attacker_moves = mover(g, s) == control.attacker
            stack.quick_places[level, DECISIVE] = WON if attacker_moves else LOST
        return status

    def quick(g, stack, s):
        places, states, lists = stack.quick_places, stack.quick_states, stack.quick_moves
        states[0] = s
        level, status = 0, look_around(g, stack, 0)
        while True:
            if status == UNKNOWN:
                i = places[level, NEXT]
                if i == places[level, COUNT]:
                    status = WON + LOST - places[level, DECISIVE]
                elif level + 1 == len(states):
                    return UNKNOWN
                else:
                    places[level, NEXT] = i + 1
                    play(g, states[level], lists[level, i], states[level + 1])
                    level += 1
                    status = look_around(g, stack, level)
                    continue
            if level == 0:
                return status
            level -= 1
            if status != places[level, DECISIVE]:
                status = UNKNOWN

    return outlined(quick)
