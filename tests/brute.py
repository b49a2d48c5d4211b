"""Exact values by exhaustive search over a naive twin: the yardstick of every search."""

import random
from functools import cache

VALUES = {1: "win", 0: "draw", -1: "loss"}


class BruteForce:
    """Values of states of one naive game, from the side of the player to move: 1, 0 or -1."""

    def __init__(self, naive) -> None:
        self.naive, self.value = naive, cache(self._value)

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


def random_game(game, seed, plies=None):
    """The positions of a random game, from its start to its end or through so many plies."""
    chance, found = random.Random(seed), [game.start()]
    while found[-1].outcome is None and (plies is None or len(found) <= plies):
        found.append(found[-1].play_code(chance.choice(found[-1].codes())))
    return found


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


class Scores:
    """Final scores of a naive Othello for the player to move; empty squares are the winner's."""

    def __init__(self, naive) -> None:
        self.naive, self.score = naive, cache(self._score)

    def _score(self, state) -> int:
        if self.naive.outcome(state) is not None:
            board, player = state
            mine, theirs = board.count("XO"[player]), board.count("OX"[player])
            empty = board.count("-")
            return mine - theirs + (empty if mine > theirs else -empty if mine < theirs else 0)
        return max(-self.score(self.naive.play(state, move)) for move in self.naive.moves(state))


class Shortest:
    """``win(state)``: who wins on a naive game, and the length of a shortest win; or None."""

    def __init__(self, naive) -> None:
        self.naive, self.win = naive, cache(self._win)

    def _win(self, state):
        end, mover = self.naive.outcome(state), self.naive.mover(state)
        if end is not None:
            return None if end == "draw" else (("first", "second").index(end), 0)
        wins = [self.win(self.naive.play(state, move)) for move in self.naive.moves(state)]
        mine = [plies for winner, plies in filter(None, wins) if winner == mover]
        if mine:
            return mover, 1 + min(mine)
        if None in wins:
            return None
        return 1 - mover, 1 + max(plies for _, plies in wins)
