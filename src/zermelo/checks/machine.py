"""The rules as machine code, behind the same methods as ``watched``; and what the compiler says."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from zermelo.core.board import states_array
from zermelo.core.rules import Rules
from zermelo.core.watched import State, Wrong
from zermelo.kernel.compile_errors import core_of
from zermelo.kernel.jit import jit_enabled, kernel

SLACK = 4_096


class Machine:
    """The rules of a game as compiled functions on whole states."""

    how = " in compiled code" if jit_enabled() else ""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.out = np.zeros(2 * rules.max_moves + SLACK, np.int32)
        self._kernels: dict[str, Any] = {}

    def call(self, part: str, *arguments: Any) -> Any:
        """One function of the rules; what the compiler refuses becomes ``Wrong``."""
        if part not in self._kernels:
            self._kernels[part] = kernel(entry_of(self.rules, part))
        try:
            with np.errstate(all="ignore"):
                return self._kernels[part](self.rules.data, *arguments)
        except Exception as error:
            if jit_enabled() and not self._kernels[part].nopython_signatures:
                raise Wrong(part, f"{part} does not compile: {core_of(error)}.") from None
            raise Wrong(part, f"{part} raises {type(error).__name__}{self.how}: {error}, at "
                              "{at}.") from None

    def result_type(self, part: str) -> str:
        """The type that the compiled function returns, such as ``uint64``."""
        signatures = getattr(self._kernels[part], "nopython_signatures", ())
        return str(signatures[0].return_type) if signatures else ""

    def outcome(self, state: State) -> Any:
        """What the rule returns."""
        return self.call("outcome", self._place(state, 1))

    def mover(self, state: State) -> Any:
        """What the rule returns."""
        return self.call("mover", self._place(state, 1))

    def key(self, state: State) -> Any:
        """The key modulo 2**64."""
        key = self.call("key", self._place(state, 1))
        return key if not isinstance(key, int | np.integer) else int(key) % (1 << 64)

    def moves(self, state: State, part: str = "moves") -> tuple[Any, list[int | None]]:
        """What ``moves``, ``forced`` or ``candidates`` returns, and the list as written."""
        side = (self.mover(state),) if part == "candidates" else ()
        n = self.call(part, self._place(state, 1), *side, self.out)
        used = min(int(n), len(self.out)) if isinstance(n, int | np.integer) else 0
        return n, self.out[: max(used, 0)].tolist()

    def step(self, state: State, move: int, junk: int) -> State:
        """The successor, written over a state full of ``junk`` bytes."""
        states = self._place(state, 2, junk)
        self.call("play", states, move)
        if any(states[name][:1].tobytes() != state[name].tobytes() for name in state.dtype.names):
            raise Wrong("play", "play changes s, which must stay as it is, at {at}.")
        return np.array(states[1:2])

    def canonical(self, state: State, junk: int) -> tuple[State, Any]:
        """The representative, written over ``junk``, and which symmetry leads to it."""
        states = self._place(state, 2, junk)
        k = self.call("canonical", states)
        return np.array(states[1:2]), k

    def move_image(self, k: int, move: int) -> Any:
        """What the rule returns."""
        return self.call("move_image", k, move)

    def known(self, part: str, state: State, *more: int) -> Any:
        """What ``estimate``, ``cannot_win``, ``foreseen``, ``remaining``, ``finish``, ``evaluate``
        or ``score`` returns."""
        return self.call(part, self._place(state, 1), *more)

    def categories(self, state: State, codes: list[int]) -> list[int]:
        """The category of each move; -1 where none is written."""
        moves, out = np.zeros(len(self.out), np.int32), np.full(len(self.out), -1, np.int32)
        moves[: len(codes)] = codes
        self.call("categories", self._place(state, 1), moves, len(codes), out)
        return [int(kind) for kind in out[: len(codes)]]

    def repeat(self, path: list[State], i: int) -> Any:
        """What the rule says of a path whose last state is that at ``i`` again."""
        states = states_array(self.rules, len(path))
        for place, state in enumerate(path):
            states[place] = state[0]
        return self.call("repeat", states, i, len(path) - 1)

    def _place(self, state: State, n: int, junk: int = 0) -> State:
        states = states_array(self.rules, n)
        states.view(np.uint8)[:] = junk
        states[0] = state[0]
        return states


def entry_of(rules: Rules, part: str) -> Callable[..., Any]:
    """A function on arrays of states that calls one part of the rules."""
    rule: Any = getattr(rules, part)

    def on_state(g, states):
        return rule(g, states[0])

    def on_list(g, states, out):
        return rule(g, states[0], out)

    def on_side(g, states, side):
        return rule(g, states[0], side)

    def on_side_and_list(g, states, side, out):
        return rule(g, states[0], side, out)

    def on_pair(g, states, move):
        rule(g, states[0], move, states[1])

    def on_image(g, states):
        return rule(g, states[0], states[1])

    def on_moves(g, states, moves, n, out):
        rule(g, states[0], moves, n, out)

    def on_numbers(g, *numbers):
        return rule(g, *numbers)

    entries: dict[str, Callable[..., Any]] = {
        "moves": on_list, "forced": on_list, "captures": on_list, "play": on_pair,
        "canonical": on_image,
        "move_image": on_numbers, "repeat": on_numbers, "cannot_win": on_side,
        "foreseen": on_side, "categories": on_moves,
        "candidates": on_side_and_list,
    }
    return entries.get(part, on_state)
