"""Exact values of small positions by exhaustive search: the rules and nothing else.

Compiled like a game's own rules, so that thousands of positions can be held against what the game
claims to know about them.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from zermelo.core.board import moves_array, states_array
from zermelo.core.rules import DRAW, FIRST_WINS, ONGOING, Rules
from zermelo.core.watched import State
from zermelo.kernel.jit import kernel

UNSETTLED = 2
DEEPEST = 64
NEXT, COUNT, LOW, HIGH, MOVER = 0, 1, 2, 3, 4  # columns of `frames`


class Values:
    """Values of positions of one game, for the first player: 1, 0 or -1; None beyond a budget."""

    def __init__(self, rules: Rules) -> None:
        levels = min(DEEPEST, rules.max_length + 2)
        self.rules, self.spent = rules, 0
        self.states = states_array(rules, levels)
        self.lists = np.zeros((levels, len(moves_array(rules))), np.int32)
        self.frames = np.zeros((levels, 5), np.int64)
        self.run = kernel(search_of(rules))

    def value(self, state: State, budget: int) -> int | None:
        """The value of ``state``, by looking at no more than ``budget`` positions."""
        self.states[0] = state[0]
        with np.errstate(all="ignore"):
            value, seen = self.run(
                self.rules.data, self.states, self.lists, self.frames, budget)
        self.spent += int(seen)
        return None if value == UNSETTLED else int(value)


def search_of(rules: Rules) -> Any:
    """``search(g, states, lists, frames, budget) -> (value, positions seen)``: alpha-beta."""
    moves, play, mover, outcome = rules.moves, rules.play, rules.mover, rules.outcome

    def enter(g, states, lists, frames, level):
        """The value of the state at ``level`` if the game is over, else UNSETTLED."""
        s = states[level]
        end = outcome(g, s)
        if end == DRAW:
            return 0
        if end != ONGOING:
            return 1 if end == FIRST_WINS else -1
        n, side = moves(g, s, lists[level]), mover(g, s)
        if n == 0:
            return 2 * side - 1
        frames[level, NEXT], frames[level, COUNT], frames[level, MOVER] = 0, n, side
        return UNSETTLED

    def search(g, states, lists, frames, budget):
        level, seen = 0, 1
        frames[0, LOW], frames[0, HIGH] = -1, 1
        value = enter(g, states, lists, frames, 0)
        while True:
            low, high, i = frames[level, LOW], frames[level, HIGH], frames[level, NEXT]
            if value == UNSETTLED and (low >= high or i == frames[level, COUNT]):
                value = low if frames[level, MOVER] == 0 else high
            if value != UNSETTLED:
                if level == 0:
                    return value, seen
                level -= 1
                if frames[level, MOVER] == 0:
                    frames[level, LOW] = max(frames[level, LOW], value)
                else:
                    frames[level, HIGH] = min(frames[level, HIGH], value)
                value = UNSETTLED
                continue
            if seen >= budget or level + 1 == len(frames):
                return UNSETTLED, seen
            frames[level, NEXT] = i + 1
            play(g, states[level], lists[level, i], states[level + 1])
            level, seen = level + 1, seen + 1
            frames[level, LOW], frames[level, HIGH] = low, high
            value = enter(g, states, lists, frames, level)

    return search
