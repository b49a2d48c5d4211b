"""Place: what is known about one position of a record, and what to ask about it next.

Worth is counted as in scores: at least 1 is a win, 0 a draw. Where the final score is not asked for
it is 1, 0 or -1. All questions have the form of a ``Subgoal``: does a player get at least this?
"""

from __future__ import annotations

from zermelo.core.position import Position
from zermelo.search.base import Run
from zermelo.search.common.status import LOST, UNKNOWN, WON
from zermelo.solving.goals import Subgoal
from zermelo.solving.result import Value

OUTCOMES = {"first": 1, "second": -1, "draw": 0}
LONG = 1 << 30  # plies: no length is known


class Bounds:
    """What something is worth to one player at least and at most; proved."""

    def __init__(self, most: int, step: int = 1) -> None:
        self.low, self.high, self.most, self.step = -most, most, most, step

    @property
    def exact(self) -> bool:
        """Whether the worth is known."""
        return self.low == self.high

    def seen_by(self, sign: int) -> tuple[int, int]:
        """As they are (1), or for the other player (-1)."""
        return (self.low, self.high) if sign == 1 else (-self.high, -self.low)

    def narrow(self, sign: int, low: int, high: int) -> None:
        """It is worth at least ``low`` and at most ``high`` to the player (1) or the other (-1)."""
        low, high = (low, high) if sign == 1 else (-high, -low)
        self.low, self.high = max(self.low, low), min(self.high, high)
        assert self.low <= self.high, "contradictory proofs"

    def learn(self, sign: int, threshold: int, status: int) -> None:
        """The player (1) or the other (-1) gets at least ``threshold`` (WON), or does not (LOST).

        Scores go by steps: between two of them there is none.
        """
        if status == WON:
            least = self.most - (self.most - threshold) // self.step * self.step
            self.narrow(sign, least, self.most)
        elif status == LOST:
            over = -(-(self.most - threshold + 1) // self.step) * self.step
            self.narrow(sign, -self.most, self.most - over)


def value_in(low: int, high: int) -> Value:
    """The value of what is worth ``low`` to ``high``, as far as that tells."""
    if low > 0:
        return Value.WIN
    if high < 0:
        return Value.LOSS
    if high <= 0:
        return Value.DRAW if low >= 0 else Value.NOT_WIN
    return Value.UNKNOWN


class Place:
    """A position of the record: its worth and, for ``goal`` shortest, how long a win takes."""

    def __init__(self, position: Position, move: str | None, goal: str) -> None:
        rules = position.game.rules
        most, step = (rules.max_score, rules.score_step) if goal == "score" else (1, 1)
        self.position, self.move, self.goal = position, move, goal
        self.mover = position.mover
        self.worth, self.guess = Bounds(most, step), Bounds(most, step)  # for the side to move
        self.played = -most  # what the move played is worth at least
        self.moves = {name: Bounds(most, step) for name in position.moves()}
        self.fewest, self.longest = 1, LONG  # plies to the win
        self.proof = 0  # plies that a proof of it lasts, which is not a bound
        self.stopped, self.nodes = "interrupted", 0
        self.given_up: set[tuple[str, Subgoal]] = set()
        if position.outcome is not None:
            self._finish(OUTCOMES[position.outcome])

    def _finish(self, outcome: int) -> None:
        first = outcome
        if self.goal == "score":
            first = int(self.position.game.board.score(self.position.state))
        worth = first if self.mover == 0 else -first
        self.worth.narrow(1, worth, worth)
        self.fewest = self.longest = 0

    def sign(self, player: int) -> int:
        """1 if ``player`` is to move here, else -1."""
        return 1 if player == self.mover else -1

    @property
    def winner(self) -> int | None:
        """Who is proved to win."""
        if self.worth.low > 0:
            return self.mover
        return 1 - self.mover if self.worth.high < 0 else None

    @property
    def length(self) -> int | None:
        """The plies that the win takes, if that is asked for and known."""
        asked = self.goal == "shortest" and self.winner is not None
        return self.longest if asked and self.fewest == self.longest else None

    @property
    def settled(self) -> bool:
        """Whether all that the goal asks for is proved."""
        lasting = self.goal == "shortest" and self.winner is not None
        return self.worth.exact and (not lasting or self.length is not None)

    def believed(self) -> tuple[int, int]:
        """The bounds, and what was concluded within them."""
        low = max(self.worth.low, self.guess.low)
        high = min(self.worth.high, self.guess.high)
        return (low, high) if low <= high else (self.worth.low, self.worth.high)

    def question(self) -> Subgoal | None:
        """What to ask next about the position; None if there is nothing (more) to ask."""
        return next((each for each in self._questions() if ("", each) not in self.given_up), None)

    def _questions(self) -> list[Subgoal]:
        low, high = self.believed()
        if low < high:
            return self._thresholds(low, high)
        if self.settled or not self.worth.exact or self.winner is None:
            return []
        # One ply less than a known win, or than the proof: if that is too few, all is said.
        within = (self.longest if self.longest < LONG else self.proof) - 1
        return [Subgoal(self.winner, 1, max(within, self.fewest))]

    def _thresholds(self, low: int, high: int) -> list[Subgoal]:
        if self.goal != "score":
            mine, theirs = Subgoal(self.mover), Subgoal(1 - self.mover)
            return ([mine] if high == 1 else []) + ([theirs] if low == -1 else [])
        step = self.worth.step
        if low == self.played > -self.worth.most:
            threshold = low + step  # was there anything better?
        elif low < 1 <= high:
            threshold = 1
        else:
            threshold = low + ((high - low) // step + 1) // 2 * step
        return [Subgoal(self.mover, threshold)]

    def learn(self, asked: Subgoal, run: Run) -> None:
        """Take over what a run has found out."""
        status = run.status
        if asked.horizon is not None:
            if status == WON:
                self.longest = min(self.longest, asked.horizon)
            elif status == LOST:
                self.fewest = max(self.fewest, asked.horizon + 1)
            return
        sign = self.sign(asked.player)
        self.worth.learn(sign, asked.threshold, status)
        if status == UNKNOWN and run.arrived:
            self._conclude(sign, asked.threshold, WON if run.leans_to_win else LOST)
        for code, known, _ in run.moves():
            name = self.position.game.move_name(self.position, code)
            if name in self.moves:
                self.moves[name].learn(sign, asked.threshold, known)
        if status == WON:
            self.proof = run.proof_length

    def _conclude(self, sign: int, threshold: int, status: int) -> None:
        """Conclusions may contradict each other: then the last one stands."""
        last = Bounds(self.worth.most, self.worth.step)
        last.learn(sign, threshold, status)
        if max(last.low, self.guess.low) <= min(last.high, self.guess.high):
            last.narrow(1, self.guess.low, self.guess.high)
        self.guess = last

    def keeps(self, move: str) -> bool | None:
        """Whether ``move`` keeps the worth of the position."""
        bounds = self.moves[move]
        if bounds.low >= self.worth.high:
            return True
        return False if bounds.high < self.worth.low else None

    def best(self) -> tuple[str, ...]:
        """The moves that are known to keep the worth, in the game's order."""
        return tuple(move for move in self.moves if self.keeps(move))

    def unsettled(self) -> tuple[str, ...]:
        """The moves, other than the one played, about which that is not known."""
        return tuple(move for move in self.moves
                     if move != self.move and self.keeps(move) is None)

    def question_of(self, move: str) -> Subgoal | None:
        """What to ask after ``move`` to see whether it keeps the worth; None if that is no use."""
        worth = self.worth.low
        asked = Subgoal(self.mover, worth)
        if self.goal != "score" and worth == 0:
            asked = Subgoal(1 - self.mover)  # it does unless the other player then wins
        return None if (move, asked) in self.given_up else asked

    def value(self, sign: int) -> Value:
        """The value for the side to move (1) or the other (-1): proved, or concluded."""
        low, high = self.believed()
        return value_in(low, high) if sign == 1 else value_in(-high, -low)
