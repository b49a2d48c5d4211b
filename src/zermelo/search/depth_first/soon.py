"""Short wins: what a proof is made of where there are any, so that it stays small.

A search asks who wins, and any win will do: one that the game foresees may last as long as the
board has squares. For a certificate a win within a few plies is worth looking for. It is looked for
within one ply, then within three, and so on, as long as few positions have to be looked at.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.core.rules import FIRST_WINS, ONGOING, Rules
from zermelo.kernel.bits import ZERO, word
from zermelo.kernel.jit import outlined
from zermelo.search.common.rules import legal_of
from zermelo.search.common.table import state_hash

Function = Callable[..., Any]
NONE = -(1 << 40)  # no move, as in ``strategy``
NEXT, COUNT, MINE = 0, 1, 2  # columns of `quick_places`
MOST_WORK = 1 << 17  # for one answer: positions times the most moves of any
PLY_BITS, PLY_MASK = 8, word(255)
REMEMBERED = 3  # plies from which on it pays to remember


def soon_of(rules: Rules) -> Function:
    """``soon(g, stack, strategy, s) -> move``: one with which the prover wins soon, or NONE.

    The replies tried are those that count (``forced``): the move wins in any case, and where it is
    not followed by a win within as many plies, the other side has played worse. Pre-condition: an
    acyclic game; the prover moves at ``s``.
    """
    play, mover, outcome = rules.play, rules.mover, rules.outcome
    legal, most_looks = legal_of(rules), max(MOST_WORK // rules.max_moves, 1)

    def place(stack, strategy, level):
        """Where the state at ``level`` belongs in ``strategy.short``, and its hash."""
        width = len(stack.folded_words)
        stack.folded[0] = stack.quick_states[level]
        hash = state_hash(stack.folded_words, 0, width)
        return np.int64(hash & word(len(strategy.short) - 1)), hash

    def known(stack, strategy, level, left):
        """1 if the prover wins within ``left`` plies, 0 if not; -1 if that is not remembered."""
        at, hash = place(stack, strategy, level)
        if strategy.short[at, 0] != hash:
            return -1
        enough = np.int64(strategy.short[at, 1] & PLY_MASK)
        too_few = np.int64(strategy.short[at, 1] >> PLY_BITS)
        if enough > 0 and enough <= left:
            return 1
        return 0 if too_few >= left else -1

    def note(stack, strategy, level, left, won):
        at, hash = place(stack, strategy, level)
        if strategy.short[at, 0] != hash:
            strategy.short[at, 0], strategy.short[at, 1] = hash, ZERO
        enough = strategy.short[at, 1] & PLY_MASK
        too_few = strategy.short[at, 1] >> PLY_BITS
        if won:
            enough = word(left)
        else:
            too_few = word(left)
        strategy.short[at, 1] = enough | (too_few << PLY_BITS)

    def look(g, stack, strategy, level, left):
        """1, 0 or -1 as above, in the last case with the moves to try."""
        s, prover = stack.quick_states[level], strategy.control[0].prover
        end = outcome(g, s)
        if end != ONGOING:
            return 1 if end == FIRST_WINS + prover else 0
        if left == 0:
            return 0
        mine = mover(g, s) == prover
        if left >= REMEMBERED:
            answer = known(stack, strategy, level, left)
            if answer >= 0:
                return answer
        n = legal(g, stack.control[0], s, stack.quick_moves[level])
        stack.quick_places[level, NEXT] = 0
        stack.quick_places[level, COUNT] = n
        stack.quick_places[level, MINE] = 1 if mine else 0
        return -1

    def within(g, stack, strategy, plies, most):
        """(1 if the prover wins the state at level 0 within ``plies``, 0 if not, -1 if it would
        take more than ``most`` looks; looks)."""
        states, places, lists = stack.quick_states, stack.quick_places, stack.quick_moves
        level, looks, answer = 0, 1, look(g, stack, strategy, 0, plies)
        while True:
            if answer < 0:
                i = places[level, NEXT]
                if i < places[level, COUNT]:
                    if looks >= most:
                        return -1, looks
                    places[level, NEXT] = i + 1
                    play(g, states[level], lists[level, i], states[level + 1])
                    level += 1
                    looks += 1
                    answer = look(g, stack, strategy, level, plies - level)
                    continue
                answer = 1 - places[level, MINE]
                if plies - level >= REMEMBERED:
                    note(stack, strategy, level, plies - level, answer == 1)
            if level == 0:
                return answer, looks
            level -= 1
            if answer == places[level, MINE]:
                if plies - level >= REMEMBERED:
                    note(stack, strategy, level, plies - level, answer == 1)
            else:
                answer = -1

    def soon(g, stack, strategy, s):
        control, n_levels = strategy.control[0], len(stack.quick_states)
        if control.credit <= 0:
            return NONE
        total = 0
        for plies in range(0, n_levels - 2, 2):  # the last move is the prover's
            n = legal(g, stack.control[0], s, stack.quick_moves[n_levels - 1])
            for i in range(n):
                move = stack.quick_moves[n_levels - 1, i]
                play(g, s, move, stack.quick_states[0])
                answer, looks = within(g, stack, strategy, plies, most_looks - total)
                total += looks
                if answer == 1:
                    return np.int64(move)
                if answer < 0 or total >= most_looks:
                    control.credit -= total
                    return NONE
        control.credit -= total
        return NONE

    return outlined(soon)
