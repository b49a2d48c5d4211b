"""Goals: which subgoals answer them, one after the other.

A subgoal (player, threshold, horizon) asks whether the player gets at least the threshold, and
within this many plies where there is a horizon. A win is a score of at least 1.
"""

from __future__ import annotations

from dataclasses import dataclass

from zermelo.core.game import Game
from zermelo.core.rules import Rules
from zermelo.errors import BadOption, quoted
from zermelo.search.reasons import LOST, UNKNOWN, WON
from zermelo.solving.result import Value

GOALS = ("win", "value", "score", "shortest")


@dataclass(frozen=True)
class Subgoal:
    """What is asked, and what is known about it: UNKNOWN, WON or LOST for the player."""

    player: int
    threshold: int = 1
    horizon: int | None = None
    status: int = UNKNOWN

    def answered(self, status: int) -> Subgoal:
        """The same with what is known about it."""
        return Subgoal(self.player, self.threshold, self.horizon, status)


def check_goal(game: Game, goal: str) -> None:
    """Raise BadOption where ``goal`` is none, or can't be asked of ``game``."""
    if goal not in GOALS:
        raise BadOption(f"goal={quoted(goal)} is not one of {', '.join(GOALS)}.")
    if goal == "score" and game.rules.score is None:
        raise BadOption(f"goal='score': {game.name} has no final score; valid goals are win, "
                        "value and shortest.")
    if goal == "score" and game.rules.cyclic:
        raise BadOption(f"goal='score': positions of {game.name} can repeat; valid goals are win, "
                        "value and shortest.")


def needs_the_rules_alone(goal: str, rules: Rules) -> bool:
    """Whether what a game knows would spoil the answer: it keeps the value, but not the length of a
    win, unless the game says so, nor does ``forced`` keep the score."""
    return ((goal == "shortest" and not rules.keeps_length)
            or (goal == "score" and rules.forced is not None))


def value_by_knowledge(goal: str, rules: Rules) -> bool:
    """Whether, before a length is asked for, the value is found with what the game knows.

    Then its proof says nothing about lengths, so that they are tried from the shortest on. In a
    cyclic game wins take long, and a length to begin with is worth more.
    """
    return (goal == "shortest" and rules.forced is not None and not rules.cyclic
            and not rules.keeps_length)


def next_subgoal(goal: str, player: int, rules: Rules, asked: list[Subgoal],
                 proof: int = 0, mover: int | None = None) -> Subgoal | None:
    """What to ask after ``asked``, all answered; None when all is said.

    ``proof``: how many plies the proof of the win lasts, if that is known. ``mover``: who moves,
    where the game keeps lengths.
    """
    if not asked:
        return Subgoal(player)
    if goal == "score":
        low, high = score_bounds(player, rules, asked)
        if low == high:
            return None
        steps = (high - low) // rules.score_step
        return Subgoal(player, low + (steps + 1) // 2 * rules.score_step)
    if goal == "win":
        return None
    if asked[0].status == LOST and len(asked) == 1:
        return Subgoal(1 - player)
    if goal == "value":
        return None
    winner = next((each.player for each in asked
                   if each.status == WON and each.horizon is None), None)
    if winner is None or distance(asked, mover) is not None:
        return None
    return Subgoal(winner, 1, next_horizon(asked, proof, mover))


def next_horizon(asked: list[Subgoal], proof: int, mover: int | None) -> int:
    """First one ply less than the proof: often it is as short as can be. Then half way between what
    is too few and what is enough; without a proof's length, one more each time.

    Where ``mover`` is given the winner makes the last move, and the proof, with what the game knows
    in it, says nothing about lengths: then two more each time."""
    too_few, enough = _horizons(asked, mover)
    if mover is not None:
        return too_few + 2
    if enough is None:
        return max(too_few + 1, proof - 1)
    return (too_few + enough) // 2


def _horizons(asked: list[Subgoal], mover: int | None) -> tuple[int, int | None]:
    """The most plies within which there is no win, and the fewest within which there is one."""
    limited = [each for each in asked if each.horizon is not None]
    least = 0
    if mover is not None:  # as many plies before the winner's first move
        winner = next((each.player for each in asked
                       if each.status == WON and each.horizon is None), mover)
        least = -1 if winner == mover else 0
    too_few = max((each.horizon or 0 for each in limited if each.status == LOST), default=least)
    enough = [each.horizon for each in limited if each.horizon and each.status == WON]
    return too_few, min(enough, default=None)


def score_bounds(player: int, rules: Rules, asked: list[Subgoal]) -> tuple[int, int]:
    """The least and the largest score of ``player`` that the answers leave."""
    most, step = rules.max_score, rules.score_step
    low, high = -most, most
    for each in asked:
        if each.player == player and each.status == WON:  # the least possible score from there on
            low = max(low, most - (most - each.threshold) // step * step)
        elif each.player == player and each.status == LOST:
            high = min(high, most - -(-(most - each.threshold + 1) // step) * step)
    return low, high


def distance(asked: list[Subgoal], mover: int | None = None) -> int | None:
    """The length of a shortest win, if that is settled; ``mover`` as in ``next_horizon``."""
    too_few, enough = _horizons(asked, mover)
    step = 1 if mover is None else 2
    return enough if enough is not None and enough == too_few + step else None


def value_of(asked: list[Subgoal], player: int, goal: str) -> Value:
    """The value for ``player`` from answers; a score above 0 is a win."""
    low = high = None
    for each in asked:
        if each.horizon is not None or each.status == UNKNOWN:
            continue
        mine, won = each.player == player, each.status == WON
        if mine == won:  # a bound from below: the score is at least this
            bound = each.threshold if mine else 1 - each.threshold
            low = bound if low is None else max(low, bound)
        else:
            bound = each.threshold - 1 if mine else -each.threshold
            high = bound if high is None else min(high, bound)
    if low is not None and low >= 1:
        return Value.WIN
    if goal != "win" and high is not None and high <= -1:
        return Value.LOSS
    if high is not None and high <= 0:
        return Value.DRAW if goal != "win" and low is not None and low >= 0 else Value.NOT_WIN
    return Value.UNKNOWN
