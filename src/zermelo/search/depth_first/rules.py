"""The rules as a question sees them: finished games as a status, moves to try, quick searches.

Here a finished game becomes a proof status, and nowhere else in this wing.
"""

from collections.abc import Callable
from typing import Any

from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, Rules
from zermelo.kernel.jit import outlined
from zermelo.search.common.status import LOST, UNKNOWN, WON

Function = Callable[..., Any]
NEXT, COUNT, DECISIVE = 0, 1, 2  # columns of `places`


def ending_of(rules: Rules, plain: bool) -> Function:
    """``ending(g, control, s)``: WON or LOST for a finished or settled position, else UNKNOWN."""
    outcome, scored = rules.outcome, rules.score is not None
    score = rules.score if scored else rules.outcome
    knows = rules.cannot_win is not None and not plain
    cannot_win = rules.cannot_win if knows else rules.outcome

    def ending(g, control, s):
        end = outcome(g, s)
        attacker, threshold = control.attacker, control.threshold
        if end != ONGOING:
            if threshold == 1 or not scored:
                return WON if end == FIRST_WINS + attacker else LOST
            gained = score(g, s) if attacker == 0 else -score(g, s)
            return WON if gained >= threshold else LOST
        if knows:
            if threshold >= 1:
                if cannot_win(g, s, attacker):
                    return LOST
            elif cannot_win(g, s, 1 - attacker):
                return WON
        return UNKNOWN

    return ending


def no_candidates(g, s, side, out):
    """``candidates`` of a question without them; never called."""
    return 0


def moves_of(rules: Rules, plain: bool) -> Function:
    """``usual(g, s, out) -> n``: the forced moves where the game knows of any, else all."""
    moves, narrowed = rules.moves, rules.forced is not None and not plain
    forced = rules.forced if narrowed else rules.moves

    def usual(g, s, out):
        n = 0
        if narrowed:
            n = forced(g, s, out)
        if n == 0:
            n = moves(g, s, out)
        return n

    return usual


def legal_of(rules: Rules, plain: bool) -> Function:
    """``legal(g, control, s, out) -> n``: the moves to try; with candidates the attacker may have
    none, which is LOST as any node without children."""
    usual, mover = moves_of(rules, plain), rules.mover
    chosen = rules.candidates is not None
    candidates = rules.candidates or no_candidates

    def legal(g, control, s, out):
        if chosen and mover(g, s) == control.attacker:
            return candidates(g, s, control.attacker, out)
        return usual(g, s, out)

    return legal


def quick_of(rules: Rules, plain: bool) -> Function:
    """``quick(g, stack, s) -> status``: plain depth-first search to the end of the game.

    Pre-condition: an acyclic game, ``s`` not settled by ``ending``. UNKNOWN if the game turns out
    to last longer than ``stack.ladder``.
    """
    play, mover = rules.play, rules.mover
    ending, legal = ending_of(rules, plain), legal_of(rules, plain)

    def look_around(g, stack, level):
        """The status of the state at ``level``, or UNKNOWN and its moves."""
        control, s = stack.control[0], stack.ladder[level]
        control.settled += 1
        status = ending(g, control, s) if level > 0 else UNKNOWN
        if status == UNKNOWN:
            stack.places[level, NEXT] = 0
            stack.places[level, COUNT] = legal(g, control, s, stack.lists[level])
            attacker_moves = mover(g, s) == control.attacker
            stack.places[level, DECISIVE] = WON if attacker_moves else LOST
        return status

    def quick(g, stack, s):
        places, ladder, lists = stack.places, stack.ladder, stack.lists
        ladder[0] = s
        level, status = 0, look_around(g, stack, 0)
        while True:
            if status == UNKNOWN:
                i = places[level, NEXT]
                if i == places[level, COUNT]:
                    status = WON + LOST - places[level, DECISIVE]
                elif level + 1 == len(ladder):
                    return UNKNOWN
                else:
                    places[level, NEXT] = i + 1
                    play(g, ladder[level], lists[level, i], ladder[level + 1])
                    level += 1
                    status = look_around(g, stack, level)
                    continue
            if level == 0:
                return status
            level -= 1
            if status != places[level, DECISIVE]:
                status = UNKNOWN

    return outlined(quick)


def repetition_of(rules: Rules) -> Function:
    """``repetition(g, stack, depth, i, key) -> (outcome, depth of the state repeated)``.

    Does child ``i`` of the node at ``depth`` repeat a state of the path? Whole states are compared.
    """
    own_rule = rules.repeat is not None
    repeat = rules.repeat if own_rule else rules.outcome

    def repetition(g, stack, depth, i, key):
        width = len(stack.nursery_words) // len(stack.nursery)
        for at in range(depth, -1, -1):
            if stack.keys[at] == key:
                same = True
                for w in range(width):
                    same &= stack.words[at * width + w] == stack.nursery_words[i * width + w]
                if same and own_rule:
                    stack.states[depth + 1] = stack.nursery[i]
                    return repeat(g, stack.states, at, depth + 1), at
                if same:
                    return DRAW, at
        return ONGOING, 0

    return repetition
