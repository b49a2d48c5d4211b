"""Exact values by exhaustive search over a naive twin: the yardstick of every search."""

import random

VALUES = {1: "win", 0: "draw", -1: "loss"}


class BruteForce:
    """Values of states of one naive game, from the side of the player to move: 1, 0 or -1."""

    def __init__(self, naive) -> None:
        self.naive = naive
        self.known = {}

    def value(self, state) -> int:
        if state not in self.known:
            self.known[state] = self._value(state)
        return self.known[state]

    def _value(self, state) -> int:
        naive, mover = self.naive, self.naive.mover(state)
        end = naive.outcome(state)
        if end is not None:
            return {"draw": 0, "first": 1 - 2 * mover, "second": 2 * mover - 1}[end]
        best = -1
        for move in naive.moves(state):
            child = naive.play(state, move)
            best = max(best, self.for_player(child, mover))
            if best == 1:
                break
        return best

    def for_player(self, state, player: int) -> int:
        """The value from the side of ``player``, whoever moves."""
        value = self.value(state)
        return value if self.naive.mover(state) == player else -value


def random_positions(game, count: int, shortest: int, longest: int, seed: int):
    """``count`` positions after ``shortest`` to ``longest`` random moves, finished or not."""
    rng = random.Random(seed)
    positions = []
    while len(positions) < count:
        position = game.start()
        for _ in range(rng.randint(shortest, longest)):
            moves = position.moves()
            if not moves:
                break
            position = position.play(rng.choice(moves))
        positions.append(position)
    return positions
