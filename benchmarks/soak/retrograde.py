"""Who wins, and in how many plies: all positions that can come up, from the ends backwards.

It runs over the slow twins in ``tests/naive`` and shares nothing with the searches. Positions may
come again: what nobody can force to an end is a draw.
"""

from collections import defaultdict
from collections.abc import Callable
from typing import Any

WINNERS = {"first": 0, "second": 1, "draw": None}
State = Any


class TooLarge(Exception):
    """More positions can come up than were allowed."""


class Retrograde:
    """Exact values of the positions of one game, kept from call to call."""

    def __init__(self, twin: Any, most: int, kept: int = 100_000) -> None:
        self.twin, self.most, self.kept = twin, most, kept
        self.known: dict[State, tuple[int | None, int]] = {}  # the winner, and the plies to the end

    def of(self, state: State) -> tuple[int | None, int]:
        """The winner, None for a draw, and after how many plies the win is there."""
        if state not in self.known:
            if len(self.known) > max(self.kept, self.most):
                self.known.clear()
            self._work_out(state)
        return self.known[state]

    def value(self, state: State, player: int) -> int:
        """1, 0 or -1 for ``player``."""
        winner = self.of(state)[0]
        return 0 if winner is None else 1 if winner == player else -1

    def _work_out(self, root: State) -> None:
        movers, after = self._explore(root)
        before, waiting = defaultdict(list), {}
        for state, children in after.items():
            waiting[state] = len(children)
            for child in children:
                before[child].append(state)
        # Positions with a winner, by plies: the earliest are settled first.
        layers: dict[int, list[State]] = defaultdict(list)
        found: dict[State, tuple[int | None, int]] = {}
        for state in before:
            if state in self.known and self.known[state][0] is not None:
                layers[self.known[state][1]].append(state)
        for state, children in after.items():
            if not children:
                winner = self._ended(state, movers[state])
                found[state] = (winner, 0)
                if winner is not None:
                    layers[0].append(state)
        plies = 0
        while layers:
            for state in layers.pop(plies, ()):
                winner = (found.get(state) or self.known[state])[0]
                for parent in before[state]:
                    waiting[parent] -= 1
                    if parent in found:
                        continue
                    # A child that the mover wins has settled the parent; so zero: all are lost.
                    if movers[parent] == winner or waiting[parent] == 0:
                        found[parent] = (winner, plies + 1)
                        layers[plies + 1].append(parent)
            plies += 1
        for state in after:
            self.known[state] = found.get(state, (None, 0))

    def _explore(self, root: State) -> tuple[dict[State, int], dict[State, set[State]]]:
        """Who moves in each new position, and what can come next; nothing where a game is over."""
        twin = self.twin
        movers: dict[State, int] = {}
        after: dict[State, set[State]] = {}
        todo = [root]
        while todo:
            state = todo.pop()
            if state in after or state in self.known:
                continue
            if len(after) >= self.most:
                raise TooLarge
            movers[state] = twin.mover(state)
            going_on = twin.outcome(state) is None
            after[state] = {twin.play(state, m) for m in twin.moves(state)} if going_on else set()
            todo += after[state]
        return movers, after

    def _ended(self, state: State, mover: int) -> int | None:
        """Who has won a finished game; without a move the mover has lost."""
        end = self.twin.outcome(state)
        return 1 - mover if end is None else WINNERS[end]


class Scores:
    """Exact final scores of a game without cycles, from the first player's side."""

    def __init__(self, twin: Any, final: Callable[[State], int]) -> None:
        self.twin, self.final = twin, final
        self.known: dict[State, int] = {}

    def of(self, state: State) -> int:
        """The score that best play comes to."""
        if state not in self.known:
            if self.twin.outcome(state) is not None:
                self.known[state] = self.final(state)
            else:
                scores = [self.of(self.twin.play(state, m)) for m in self.twin.moves(state)]
                self.known[state] = max(scores) if self.twin.mover(state) == 0 else min(scores)
        return self.known[state]
