"""Repetitions: does a position repeat one of the path that leads to it?"""

from collections.abc import Callable
from typing import Any

from zermelo.core.rules import DRAW, ONGOING, Rules

Function = Callable[..., Any]
PATH_FREE = 1 << 30  # the `anchor` of a status that holds on every path


def repetition_of(rules: Rules) -> Function:
    """``repetition(g, path, words, last, key, states, others, i) -> (outcome, at)``.

    Is state number ``i`` of ``states``, whose key is ``key``, the same as one of the path's first
    ``last`` + 1? ``path`` has their ``states`` and ``keys``; ``words`` and ``others`` are the bytes
    of both kinds of states, in words of one width. Whole states are compared, the latest first.
    ``at`` is the place of the state that is repeated; a repetition is a draw, or whatever the
    game's own rule says, and ONGOING means that there is none.
    """
    own_rule = rules.repeat is not None
    repeat = rules.repeat if own_rule else rules.outcome

    def repetition(g, path, words, last, key, states, others, i):
        width = len(others) // len(states)
        for at in range(last, -1, -1):
            if path.keys[at] == key:
                same = True
                for w in range(width):
                    same &= words[at * width + w] == others[i * width + w]
                if same and own_rule:
                    path.states[last + 1] = states[i]
                    return repeat(g, path.states, at, last + 1), at
                if same:
                    return DRAW, at
        return ONGOING, 0

    return repetition
