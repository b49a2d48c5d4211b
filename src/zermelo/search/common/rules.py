"""The rules as a run sees them: finished games as a status, and the moves to try.

Whether a run is plain, so that nothing but the rules counts, stands in its ``control``: one kernel
serves both kinds of run.
"""

from collections.abc import Callable
from typing import Any

from zermelo.core.rules import FIRST_WINS, ONGOING, Rules
from zermelo.search.common.status import LOST, UNKNOWN, WON
from zermelo.search.reasons import NEVER

Function = Callable[..., Any]


def ending_of(rules: Rules) -> Function:
    """``ending(g, control, s)``: WON or LOST for a finished or settled position, else UNKNOWN.

    What a game foresees says nothing about how soon a win comes, nor about points.
    """
    outcome, scored = rules.outcome, rules.score is not None
    score = rules.score if scored else rules.outcome
    knows = rules.cannot_win is not None
    cannot_win = rules.cannot_win if knows else rules.outcome
    foresees = rules.foreseen is not None and not scored
    foreseen = rules.foreseen if foresees else rules.outcome

    def ending(g, control, s):
        end = outcome(g, s)
        attacker, threshold = control.attacker, control.threshold
        if end != ONGOING:
            if threshold == 1 or not scored:
                return WON if end == FIRST_WINS + attacker else LOST
            gained = score(g, s) if attacker == 0 else -score(g, s)
            return WON if gained >= threshold else LOST
        if foresees and control.plain == 0:
            sight = foreseen(g, s, attacker)
            if sight < 0 or (sight > 0 and control.horizon == NEVER):
                return WON if sight > 0 else LOST
        elif knows and control.plain == 0:
            if threshold >= 1:
                if cannot_win(g, s, attacker):
                    return LOST
            elif cannot_win(g, s, 1 - attacker):
                return WON
        return UNKNOWN

    return ending


def ahead_of(rules: Rules) -> Function:
    """``ahead(g, s, stop, counted)`` of a game, or nothing."""
    return rules.ahead or nothing_ahead


def nothing_ahead(g, s, stop, counted):
    """``ahead`` of a game that plays its moves one by one."""


def no_candidates(g, s, side, out):
    """``candidates`` of a run without them; never called."""
    return 0


def moves_of(rules: Rules) -> Function:
    """``usual(g, control, s, out) -> n``: the forced moves where the game knows any, else all."""
    moves, narrowed = rules.moves, rules.forced is not None
    forced = rules.forced if narrowed else rules.moves

    def usual(g, control, s, out):
        n = 0
        if narrowed and control.plain == 0:
            n = forced(g, s, out)
        if n == 0:
            n = moves(g, s, out)
        return n

    return usual


def legal_of(rules: Rules) -> Function:
    """``legal(g, control, s, out) -> n``: the moves to try; with candidates the attacker may have
    none, which is LOST as any node without children."""
    usual, mover = moves_of(rules), rules.mover
    chosen = rules.candidates is not None
    candidates = rules.candidates or no_candidates

    def legal(g, control, s, out):
        if chosen and mover(g, s) == control.attacker:
            return candidates(g, s, control.attacker, out)
        return usual(g, control, s, out)

    return legal
