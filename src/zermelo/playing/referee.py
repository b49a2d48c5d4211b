"""Referee: when a game that is played is over, by the rules and by what came before."""

from __future__ import annotations

from collections import Counter

import numpy as np

from zermelo.core.position import Position
from zermelo.core.rules import OUTCOMES

END, REPETITION, LENGTH = "end", "repetition", "length"


class Referee:
    """Watches one game. ``longest``: a draw after this many moves, the opening included."""

    def __init__(self, start: Position, longest: int | None = None) -> None:
        self.rules = start.game.rules
        self.longest = self.rules.max_length if longest is None else longest
        self.way, self.met = [start.origin], Counter([start.origin])
        for code in start.played:
            self.see(self.way[-1].play_code(code))

    def see(self, position: Position) -> None:
        """``position`` has come up."""
        self.way.append(position)
        if self.rules.cyclic:
            self.met[position] += 1

    def verdict(self) -> tuple[str, str] | None:
        """The outcome and why, or None while the game goes on."""
        now = self.way[-1]
        if now.outcome is not None:
            return now.outcome, END
        if self.rules.cyclic and self.met[now] > 1:
            repeated = self._repetition(now)
            if repeated is not None:
                return repeated, REPETITION
        if len(self.way) > self.longest:
            return "draw", LENGTH
        return None

    def _repetition(self, now: Position) -> str | None:
        """A draw when it has come up often enough; a game's own rule is asked every time."""
        if self.rules.repeat is None:
            return "draw" if self.met[now] >= now.game.draw_at else None
        last = len(self.way) - 1
        before = max(i for i in range(last) if self.way[i] == now)
        path = np.concatenate([position.state for position in self.way])
        return OUTCOMES[now.game.board.repeat(path, before, last)]
