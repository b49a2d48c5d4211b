"""A game's rules, callable from Python on one position at a time; and the generic playout.

``Board`` holds the small entry points that ``Position`` needs, each compiled when it is first
needed. Searches never come here: they call the rules' functions from their own kernels.
"""

from collections.abc import Callable
from functools import cache
from typing import Any, NamedTuple, cast

import numpy as np

from zermelo.compiler.jit import MORE, jit_enabled, kernel, rules_that_compile
from zermelo.core.rules import DRAW, ONGOING, SECOND_WINS, Rules
from zermelo.errors import BadGame
from zermelo.kernel.bits import bare
from zermelo.kernel.rng import below

States = np.ndarray[Any, Any]
LANES = 64


class Scratch(NamedTuple):
    """Working space of playouts: two states, a list of moves, a counter (see ``rng``), and eight
    rows of words for games that play many side by side."""

    states: States
    moves: np.ndarray[Any, Any]
    rng: np.ndarray[Any, Any]
    lanes: np.ndarray[Any, Any]


def states_array(rules: Rules, n: int) -> States:
    """``n`` zeroed states whose fields read ``s.name`` in compiled code and in plain Python."""
    return records(rules.dtype, n)


def records(dtype: np.dtype[Any], n: int) -> States:
    """``n`` zeroed records, likewise."""
    found: States = np.zeros(n, dtype)
    return found if jit_enabled() else found.view(np.recarray)


def longer(array: Any, length: int) -> Any:
    """A copy with zeros behind, up to this length."""
    found = np.zeros((length, *array.shape[1:]), array.dtype).view(type(array))
    found[: len(array)] = array
    return found


def moves_array(rules: Rules) -> np.ndarray[Any, Any]:
    """Room for the moves of a position, and as much again to notice a game that writes too many."""
    return np.zeros(2 * rules.max_moves + 64, np.int32)


def scratch_for(rules: Rules) -> Scratch:
    """Working space for the playouts of one leaf."""
    counter, lanes = np.zeros(1, np.uint64), np.zeros((8, LANES), np.uint64)
    return Scratch(states_array(rules, 2), moves_array(rules), counter, lanes)


def playout_of(rules: Rules) -> Any:
    """``playout(g, s, rng, scratch)`` of a game: its own, or uniformly random legal moves."""
    if rules.playout is not None:
        return rules.playout
    moves, play, mover = rules.moves, rules.play, rules.mover
    outcome, longest = rules.outcome, rules.max_length

    def playout(g, s, rng, scratch):
        states, out = scratch.states, scratch.moves
        states[0] = s
        now = 0
        for _ in range(longest):
            end = outcome(g, states[now])
            if end != ONGOING:
                return end
            n = moves(g, states[now], out)
            if n < 1:
                return SECOND_WINS - mover(g, states[now])
            play(g, states[now], out[below(rng, n)], states[1 - now])
            now = 1 - now
        end = outcome(g, states[now])
        return end if end != ONGOING else DRAW

    return playout


def playouts_of(rules: Rules) -> Any:
    """``playouts(g, s, rng, n, won, scratch)`` of a game: its own, or one after the other."""
    if rules.playouts is not None:
        return rules.playouts
    playout = playout_of(rules)

    def playouts(g, s, rng, n, won, scratch):
        wins = 0
        for _ in range(n):
            wins += playout(g, s, rng, scratch) == won
        return wins

    return playouts


class Board:
    """The entry points of one game's rules."""

    def __init__(self, rules: Rules, name: str,
                 look_first: Callable[[States], None] | None = None) -> None:
        self.rules, self.name = rules, name
        self._look_first = look_first if jit_enabled() else None  # before a rule runs compiled

    def describe(self, state: States) -> tuple[int, int, list[int]]:
        """Outcome, mover and legal moves of ``state``."""
        out = moves_array(self.rules)
        outcome, mover, n = self._call("describe", self._place(state), out)
        if not (0 <= outcome <= DRAW and 0 <= mover <= 1 and 0 <= n <= self.rules.max_moves):
            raise BadGame(
                f"{self.name}: outcome {outcome}, mover {mover} or {n} moves (max_moves "
                f"{self.rules.max_moves}) is out of range; {MORE}."
            )
        return int(outcome), int(mover), out[:n].tolist()

    def step(self, state: States, move: int) -> States:
        """The state after ``move``."""
        states = self._place(state, 2)
        self._call("step", states, move)
        return self._plain(states[1:2])

    def ask(self, function: Callable[..., Any], state: States, *side: int) -> Any:
        """Return ``function(g, s)``, or ``function(g, s, side)``, of the game, compiled."""
        run = self._asked(function, len(side))
        with rules_that_compile(self.name, run):
            return run(self.rules.data, self._place(state), *side)

    def key(self, state: States) -> int:
        """The key of ``state``."""
        return int(self.ask(self.rules.key, state))

    def canonical(self, state: States) -> tuple[States, int]:
        """The representative of ``state`` and the symmetry that leads to it."""
        states = self._place(state, 2)
        symmetry = int(self._call("canonical", states))
        return self._plain(states[1:2]), symmetry

    def move_image(self, symmetry: int, move: int) -> int:
        """A move of the representative as a move of the state it represents."""
        return int(self._call("move_image", symmetry, move))

    def playout(self, state: States, seed: int, n: int) -> list[int]:
        """Return how many of ``n`` playouts end ONGOING (never), FIRST_WINS, SECOND_WINS, DRAW."""
        counts = np.zeros(4, np.int64)
        states, scratch = self._place(state, 2), scratch_for(self.rules)
        self._call("playout", states, np.uint64(seed), scratch, n, counts)
        return [int(count) for count in counts]

    def forced(self, state: States) -> list[int]:
        """The moves that are enough to know the value: all, where the game knows no better."""
        if self.rules.forced is not None:
            out = moves_array(self.rules)
            n = self._call("forced", self._place(state), out)
            if n > 0:
                return [int(code) for code in out[:n]]
        return self.describe(state)[2]

    def score(self, state: States) -> int:
        """The final score of a finished game, from the first player's side."""
        return int(self.ask(cast(Callable[..., Any], self.rules.score), state))

    def evaluate(self, state: States) -> int:
        """Return how good an ongoing position looks for the player to move, in points."""
        return int(self.ask(cast(Callable[..., Any], self.rules.evaluate), state))

    def categories(self, state: States) -> list[int]:
        """The category of each legal move."""
        moves, out = moves_array(self.rules), moves_array(self.rules)
        n = self._call("categories", self._place(state), moves, out)
        return [int(kind) for kind in out[:n]]

    def repeat(self, path: States, earlier: int, now: int) -> int:
        """The outcome by the game's own rule when state ``now`` of a path equals an earlier one."""
        states = states_array(self.rules, len(path))
        states[:] = path
        return int(self._call("repeat", states, earlier, now))

    def perft(self, state: States, depth: int) -> int:
        """The number of move sequences of length ``depth``."""
        if depth <= 0:
            return 1
        states = self._place(state, depth + 1)
        # An array of one row is of another kind: the kernel would be compiled for it again.
        lists = np.zeros((max(depth, 2), len(moves_array(self.rules))), np.int32)
        todo = np.zeros(depth, np.int64)
        return int(self._call("perft", states, lists, todo, self.rules.max_moves))

    def _call(self, name: str, *arguments: Any) -> Any:
        run = self._kernel(name)
        with rules_that_compile(self.name, run):
            return run(self.rules.data, *arguments)

    def _place(self, state: States, n: int = 1) -> States:
        if self._look_first is not None:
            look, self._look_first = self._look_first, None
            try:
                look(state)
            except BadGame:
                self._look_first = look
                raise
        states = states_array(self.rules, n)
        states[0] = state[0]
        return states

    def _plain(self, states: States) -> States:
        # np.array(states) would leave chance bytes in the padding, which equality compares.
        plain = np.zeros(len(states), self.rules.dtype)
        plain[:] = states
        return plain

    @cache  # noqa: B019 (boards are kept for the life of the process)
    def _asked(self, function: Callable[..., Any], sides: int) -> Any:
        def on_state(g, states):
            return function(g, states[0])

        def on_side(g, states, side):
            return function(g, states[0], side)

        return kernel(on_side if sides else on_state)

    @cache  # noqa: B019 (boards are kept for the life of the process)
    def _kernel(self, name: str) -> Any:
        rules = self.rules
        moves, play, mover, outcome = rules.moves, rules.play, rules.mover, rules.outcome

        def describe(g, states, out):
            s = states[0]
            end = outcome(g, s)
            n = moves(g, s, out) if end == ONGOING else 0
            if end == ONGOING and n == 0:
                end = SECOND_WINS - mover(g, s)
            return end, mover(g, s), n

        def step(g, states, move):
            play(g, states[0], move, states[1])

        def perft(g, states, lists, todo, most_moves):
            g, states, lists, todo = bare(g), bare(states), bare(lists), bare(todo)
            count, d = 0, 0
            todo[0] = moves(g, states[0], lists[0]) if outcome(g, states[0]) == ONGOING else 0
            while d >= 0:
                if todo[d] > most_moves:
                    return -1
                if d == len(todo) - 1:
                    count += todo[d]
                    todo[d] = 0
                if todo[d] == 0:
                    d -= 1
                    continue
                todo[d] -= 1
                play(g, states[d], lists[d][todo[d]], states[d + 1])
                if outcome(g, states[d + 1]) == ONGOING:
                    d += 1
                    todo[d] = moves(g, states[d], lists[d])
            return count

        known: dict[str, Any] = {"describe": describe, "step": step, "perft": perft}
        return kernel(known[name] if name in known else _further_kernel(rules, name))


def _further_kernel(rules: Rules, name: str) -> Any:
    """The entry points that a search-only user never compiles."""
    canonical, move_image, playout = rules.canonical, rules.move_image, playout_of(rules)
    moves, categories, repeat = rules.moves, rules.categories, rules.repeat
    forced = rules.forced

    def narrow(g, states, out):
        return forced(g, states[0], out)

    def again(g, states, earlier, now):
        return repeat(g, states, earlier, now)

    def sort_out(g, states, codes, out):
        n = moves(g, states[0], codes)
        categories(g, states[0], codes, n, out)
        return n

    def fold(g, states):
        return canonical(g, states[0], states[1])

    def unfold(g, symmetry, move):
        return move_image(g, symmetry, move)

    def play_out(g, states, seed, scratch, n, counts):
        from_counter = scratch.rng
        from_counter[0] = seed
        for _ in range(n):
            states[1] = states[0]
            counts[playout(g, states[1], from_counter, scratch)] += 1

    return {"canonical": fold, "move_image": unfold, "playout": play_out, "categories": sort_out,
            "forced": narrow, "repeat": again}[name]
