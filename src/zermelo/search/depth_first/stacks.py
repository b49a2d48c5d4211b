"""Making the arrays that a run works on, and keeping some of them for the next run.

On an easy position making them takes longer than the search.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from zermelo.compiler.arguments import hold
from zermelo.compiler.jit import jit_enabled
from zermelo.core.board import moves_array, scratch_for, states_array
from zermelo.core.dependence import MOST_THREATS
from zermelo.core.rules import Rules
from zermelo.search.common.rules import first_path
from zermelo.search.common.table import words_of
from zermelo.search.depth_first.plan import CONTROL, Plan, Stack, child_dtype, frame_dtype
from zermelo.search.reasons import NEVER

FIRST_PATH, FIRST_CHILDREN = 256, 4_096
FEWEST_LEVELS = 16
MOST_PATTERNS = 2_048
MOST_KEPT = 4
MOST_KEPT_BYTES = 1 << 22


@lru_cache(256)
def control_for(attacker: int, threshold: int, horizon: int | None, threads: int, plain: bool,
                fold: int, quick: int, seed: int) -> Any:
    """The ``control`` with which a stack begins, as the question is put."""
    control = np.zeros(1, CONTROL)
    control["attacker"], control["threshold"], control["threads"] = attacker, threshold, threads
    control["horizon"] = NEVER if horizon is None else horizon
    control["plain"], control["fold"], control["quick"] = plain, fold, quick
    control["seed"] = np.uint64(seed & (2**64 - 1))
    return control[0]


class Stacks:
    """The stacks of a search on a game; those that were given back lie ready."""

    def __init__(self, rules: Rules, plan: Plan) -> None:
        self.rules, self.plan = rules, plan
        self.free: list[Stack] = []

    def take(self) -> Stack:
        """One as new, of the first length; what it is about is to be written to its ``control``."""
        try:
            stack = self.free.pop()
        except IndexError:
            return self.make(first_path(self.rules, FIRST_PATH))
        if not jit_enabled():  # those that lie ready are for compiled code
            return self.make(first_path(self.rules, FIRST_PATH))
        stack.root[:], stack.stop[0], stack.scratch.rng[0] = 0, 0, 0
        stack.notes[:], stack.learned[:] = 0, 0
        if self.plan.child_fields:
            stack.children[:] = 0
        return stack

    def give_back(self, stack: Stack) -> None:
        """Keep a stack that nobody uses any more, unless it has grown or remembers something."""
        whole = (len(stack.frames) == first_path(self.rules, FIRST_PATH)
                 and len(stack.children) == self._first_children
                 and not isinstance(stack.frames, np.recarray))  # made for plain Python
        size = stack.children.nbytes + stack.frames.nbytes + stack.states.nbytes
        if (whole and jit_enabled() and self.rules.endgame is None and size <= MOST_KEPT_BYTES
                and len(self.free) < MOST_KEPT):
            hold(stack)
            self.free.append(stack)

    @property
    def _first_children(self) -> int:
        return max(FIRST_CHILDREN, 4 * self.rules.max_moves)

    @property
    def first_bytes(self) -> int:
        """The memory that the children of a new stack take."""
        kind = child_dtype(self.plan.number, self.plan.child_fields)
        return self._first_children * kind.itemsize

    def make(self, path_length: int) -> Stack:
        """A new one."""
        rules, number = self.rules, self.plan.number
        states = states_array(rules, path_length)
        child_states = states_array(rules, rules.max_moves)
        folded, levels = states_array(rules, 1), max(2 * (self.plan.quick or 0) + 4, FEWEST_LEVELS)
        control = np.zeros(1, CONTROL)
        frames = np.zeros(path_length, frame_dtype(number, self.plan.frame_fields))
        children = np.zeros(self._first_children, child_dtype(number, self.plan.child_fields))
        if not jit_enabled():
            control, frames, children = (x.view(np.recarray) for x in (control, frames, children))
        moves = moves_array(rules)
        return Stack(
            frames=frames, children=children, states=states, keys=np.zeros(len(states), np.uint64),
            words=words_of(states), child_states=child_states,
            child_words=words_of(child_states),
            folded=folded, folded_words=words_of(folded), moves=moves,
            quick_states=states_array(rules, levels),
            quick_moves=np.zeros((levels, len(moves)), np.int32),
            quick_places=np.zeros((levels, 3), np.int32),
            space=np.zeros(rules.endgame_space, np.uint64),
            notes=np.zeros(self.plan.notes, np.uint64), scratch=scratch_for(rules),
            patterns=np.zeros((2, 2, MOST_PATTERNS if self.plan.zones else 1, 2), np.uint64),
            learned=np.zeros((2, 2), np.int64),
            threats=np.zeros(MOST_THREATS, np.uint64),
            forced=np.zeros((FEWEST_LEVELS, 2), np.uint64),
            readings=np.zeros((16, 4), np.uint8), root=np.zeros(2, number),
            stop=np.zeros(1, np.uint8), control=control,
        )

    def longer(self, stack: Stack, length: int) -> Stack:
        """One with twice the room for children, and for a path of ``length``; what is in
        ``stack`` is in it too."""
        def more(array: Any, copy: Any) -> Any:
            copy[: len(array)] = array
            return copy

        children = more(stack.children, np.zeros(2 * len(stack.children), stack.children.dtype))
        children = children if jit_enabled() else children.view(np.recarray)
        if length == len(stack.frames):
            return stack._replace(children=children)
        frames = more(stack.frames, np.zeros(length, stack.frames.dtype))
        frames = frames if jit_enabled() else frames.view(np.recarray)
        states = more(stack.states, states_array(self.rules, length))
        return stack._replace(
            children=children, frames=frames, states=states, words=words_of(states),
            keys=more(stack.keys, np.zeros(length, np.uint64)),
        )
