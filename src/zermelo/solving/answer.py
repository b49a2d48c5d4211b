"""The meaning of a session's answers: value, proof, line, moves, distance; and the next question.

A session asks subgoals one after the other, and a run answers each. A subgoal (player, threshold,
horizon) asks whether the player gets at least the threshold, and within this many plies where there
is a horizon. A win is a score of at least 1. Here nothing is searched for, except that a walk
through a proof may have to find parts of it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.core.game import Game
from zermelo.core.position import Position
from zermelo.core.rules import Rules
from zermelo.errors import BadOption
from zermelo.search.base import Run
from zermelo.search.reasons import LOST, UNKNOWN, WON
from zermelo.solving.result import MoveValue, Value, goal_named

SHORT_LINE = 5  # plies: short enough


@dataclass(frozen=True)
class Subgoal:
    """A question and its answer: UNKNOWN, WON or LOST for the player."""

    player: int
    threshold: int = 1
    horizon: int | None = None
    status: int = UNKNOWN

    def answered(self, status: int) -> Subgoal:
        """Return the question with its answer."""
        return Subgoal(self.player, self.threshold, self.horizon, status)

    def in_words(self, game: Game) -> str:
        """Return the question in words."""
        name = game.players[self.player]
        if self.threshold != 1:
            return f"does {name} get {self.threshold:+d}?"
        within = "" if self.horizon is None else f" within {self.horizon} plies"
        return f"does {name} win{within}?"


def check_goal(game: Game, goal: str) -> None:
    """Raise BadOption where ``goal`` is none, or can't be asked of ``game``."""
    goal_named(goal)
    if goal == "score" and game.rules.score is None:
        raise BadOption(f"goal='score': {game.name} has no final score; valid goals are win, "
                        "value and shortest.")
    if goal == "score" and game.rules.cyclic:
        raise BadOption(f"goal='score': positions of {game.name} can repeat; valid goals are win, "
                        "value and shortest.")


def needs_the_rules_alone(goal: str, rules: Rules) -> bool:
    """Return True if the game's knowledge would spoil the answer: it keeps the value, but not the
    length of a win, unless ``keeps_length``, nor does ``forced`` keep the score."""
    return ((goal == "shortest" and not rules.keeps_length)
            or (goal == "score" and rules.forced is not None))


def value_by_knowledge(goal: str, rules: Rules) -> bool:
    """Return True if the game's knowledge is used for the value, before a length is asked for.

    Then its proof has no length to begin with, and lengths are tried from the shortest on. In a
    cyclic game wins take long, and a length to begin with is worth more.
    """
    return (goal == "shortest" and rules.forced is not None and not rules.cyclic
            and not rules.keeps_length)


def next_subgoal(goal: str, player: int, rules: Rules, asked: list[Subgoal],
                 proof: int = 0, mover: int | None = None) -> Subgoal | None:
    """Return what to ask after ``asked``, all answered; None at the end.

    ``proof``: the plies of the proof of the win, if known. ``mover``: the player to move, where
    the game keeps lengths.
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
    """Return the next horizon: first one ply less than the proof, which is often the shortest. Then
    half way between too few and enough; without a proof's length, one more each time.

    Where ``mover`` is given the winner makes the last move, and the proof, with what the game knows
    in it, bounds no length: then two more each time."""
    too_few, enough = _horizons(asked, mover)
    if mover is not None:
        return too_few + 2
    if enough is None:
        return max(too_few + 1, proof - 1)
    return (too_few + enough) // 2


def _horizons(asked: list[Subgoal], mover: int | None) -> tuple[int, int | None]:
    """Return the most plies that do not suffice for a win, and the fewest that do."""
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
    """Return the least and the largest score of ``player`` that the answers leave."""
    most, step = rules.max_score, rules.score_step
    low, high = -most, most
    for each in asked:
        if each.player == player and each.status == WON:  # the least possible score from there on
            low = max(low, most - (most - each.threshold) // step * step)
        elif each.player == player and each.status == LOST:
            high = min(high, most - -(-(most - each.threshold + 1) // step) * step)
    return low, high


def distance(asked: list[Subgoal], mover: int | None = None) -> int | None:
    """Return the length of a shortest win, if settled; ``mover`` as in ``next_horizon``."""
    too_few, enough = _horizons(asked, mover)
    step = 1 if mover is None else 2
    return enough if enough is not None and enough == too_few + step else None


def value_of(asked: list[Subgoal], player: int, goal: str) -> Value:
    """Return the value for ``player`` from answers; a score above 0 is a win."""
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


@dataclass(frozen=True)
class Answer:
    """The subgoals of a goal so far, the run of each, and what follows for ``player``.

    With ``candidates`` a run that fails has not shown anything: it ran out of them.
    """

    position: Position
    player: int
    goal: str
    candidates: bool
    subgoals: list[Subgoal] = field(default_factory=list)
    runs: list[Run] = field(default_factory=list)

    def asked(self) -> list[Subgoal]:
        """Return all subgoals with their answers: proved, or concluded at the precision."""
        return [subgoal.answered(self._status(subgoal, run))
                for subgoal, run in zip(self.subgoals, self.runs, strict=True)]

    def _status(self, subgoal: Subgoal, run: Run) -> int:
        status = run.status
        if status == UNKNOWN:
            status = run.leaning
        in_all = subgoal.horizon is None  # else it is about wins by candidates anyway
        return UNKNOWN if in_all and self.ran_out(status) else status

    def ran_out(self, status: int) -> bool:
        """Return True if LOST only means that the candidates do not win."""
        return self.candidates and status == LOST and self.position.outcome is None

    def next_subgoal(self, asked: list[Subgoal]) -> Subgoal | None:
        """Return the next subgoal where all of ``asked`` are answered; None at the end."""
        found = next_subgoal(self.goal, self.player, self.position.game.rules, asked,
                             self._proof_length(), self._mover)
        over = self.position.outcome is not None  # then the win is there already
        return None if found is not None and found.horizon is not None and over else found

    def _proof_length(self) -> int:
        """Return the plies of the proof of a win, where the search knows them; else 0."""
        rules = self.position.game.rules
        if self.goal != "shortest" or value_by_knowledge(self.goal, rules):
            return 0
        won = [run for run, subgoal in zip(self.runs, self.subgoals, strict=True)
               if subgoal.horizon is None and run.status == WON]
        return max((run.proof_length for run in won), default=0)

    def value(self, asked: list[Subgoal] | None = None) -> tuple[Value, bool]:
        """Return the value for ``player`` as far as it is known, and True if it is proved."""
        value = value_of(self.asked() if asked is None else asked, self.player, self.goal)
        needed = self._grounds(value)
        return value, bool(needed) and all(run.status != UNKNOWN for run in needed)

    def complete(self, value: Value) -> bool:
        """Return True if ``value`` is what the goal asks for, not only part of it."""
        return value != Value.UNKNOWN and (self.goal == "win" or value != Value.NOT_WIN)

    def settled(self, asked: list[Subgoal], value: Value) -> bool:
        """Return True if all is known that the goal asks for: value, and score or length."""
        if self.goal == "score":
            low, high = score_bounds(self.player, self.position.game.rules, asked)
            return low == high
        if self.goal == "shortest" and value in (Value.WIN, Value.LOSS):
            return self.distance(asked) is not None
        return self.complete(value)

    def answered(self, player: int, status: int) -> Run | None:
        """Return the run for the win of ``player``, if its answer is ``status``."""
        for run, subgoal in zip(self.runs, self.subgoals, strict=True):
            asked = (subgoal.player, subgoal.threshold, subgoal.horizon)
            if asked == (player, 1, None) and run.status == status:
                return run
        return None

    def _grounds(self, value: Value) -> list[Run]:
        """Return the runs that prove ``value``."""
        open_end = [(run, subgoal) for run, subgoal in zip(self.runs, self.subgoals, strict=True)
                    if subgoal.horizon is None]
        if self.goal == "score" and value != Value.UNKNOWN:
            won = [(subgoal.threshold, at, run) for at, (run, subgoal) in enumerate(open_end)
                   if run.status == WON]
            lost = [(-subgoal.threshold, at, run) for at, (run, subgoal) in enumerate(open_end)
                    if run.status == LOST]
            return [max(group)[2] for group in (won, lost) if group]
        mine = [run for run, subgoal in open_end if subgoal.player == self.player]
        theirs = [run for run, subgoal in open_end if subgoal.player != self.player]
        return {Value.WIN: mine, Value.NOT_WIN: mine, Value.LOSS: theirs,
                Value.DRAW: mine + theirs}.get(value, [])

    def move_and_line(self, asked: list[Subgoal]) -> tuple[str | None, list[str]]:
        """Return a move that keeps the value, and a line of the proof, or an empty one.

        Walking through a table fills it: while there is more to ask, nothing may change.
        """
        value, proved = self.value(asked)
        if not self.complete(value):
            return None, []
        said = asked[-1].status != UNKNOWN and self.next_subgoal(asked) is None
        if not (proved and said):
            return self._favourite(value), []
        line = self._line(value)
        return (line[0] if line else None), line

    def _line(self, value: Value) -> list[str]:
        if value == Value.NOT_WIN:
            return []
        within = [(subgoal.horizon, at) for at, subgoal in enumerate(self.subgoals)
                  if subgoal.horizon is not None and self.runs[at].status == WON]
        if within:
            return proof_line([self.runs[min(within)[1]]])
        grounds = self._grounds(value)
        line = proof_line(grounds)
        if len(line) > SHORT_LINE and len(grounds) == 1:
            sooner = grounds[0].proof().sooner
            better = None if sooner is None else sooner(len(line))
            line = line if better is None else proof_line([better])
        return line

    def _favourite(self, value: Value) -> str | None:
        if self.goal == "win" and value != Value.WIN:
            return None
        asked, mover = self._grounds(value) or self.runs, self.position.mover
        mine = [run for run in asked if run.status == (WON if run.attacker == mover else LOST)]
        chosen = (mine or asked)[-1].chosen()
        return None if chosen is None else self.move_name(chosen)

    def distance(self, asked: list[Subgoal]) -> int | None:
        """Return the length of a shortest win, where that is asked for and settled."""
        if self.goal != "shortest":
            return None
        won = self.value(asked)[0] in (Value.WIN, Value.LOSS)
        if won and self.position.outcome is not None:
            return 0
        return distance(asked, self._mover)

    @property
    def _mover(self) -> int | None:
        """The player to move, where the game keeps lengths."""
        return self.position.mover if self.position.game.rules.keeps_length else None

    def score(self, asked: list[Subgoal]) -> tuple[int, int] | None:
        """Return the least and the largest score that are left, where the score is asked for."""
        if self.goal != "score":
            return None
        return score_bounds(self.player, self.position.game.rules, asked)

    def moves(self) -> list[MoveValue]:
        """Return every root move with its value for ``player`` and its numbers in the last run."""
        found: dict[int, list[Subgoal]] = {}
        shown: dict[int, dict[str, Any]] = {}
        for subgoal, run in zip(self.subgoals, self.runs, strict=True):
            for code, status, numbers in run.moves():
                if subgoal.horizon is None and not self.ran_out(status):
                    found.setdefault(code, []).append(subgoal.answered(status))
                shown[code] = numbers
        of_all = self._of_all_moves()
        rows = []
        for code in self.position.codes():
            value = value_of(found.get(code, []) + of_all, self.player, self.goal)
            rows.append(MoveValue(self.move_name(code), value, value != Value.UNKNOWN,
                                  shown.get(code, {})))
        return rows

    def _of_all_moves(self) -> list[Subgoal]:
        """Return what the proofs imply for every move: it does not reach what its player can't
        reach, and does not prevent what the other player reaches in any case."""
        return [subgoal.answered(run.status)
                for subgoal, run in zip(self.subgoals, self.runs, strict=True)
                if subgoal.horizon is None and not self.ran_out(run.status)
                and run.status == (LOST if subgoal.player == self.position.mover else WON)]

    def move_name(self, move: int) -> str:
        """Return the name of a move of the root."""
        return self.position.game.move_name(self.position, move)

    def counters(self) -> dict[str, Any]:
        """Return the counters of all runs together; a flag is True if it is for each."""
        total: dict[str, Any] = {}
        for run in self.runs:
            for name, count in run.counters.items():
                if isinstance(count, bool):
                    total[name] = total.get(name, True) and count
                else:
                    total[name] = total.get(name, 0) + count
        return total

    @property
    def nodes(self) -> int:
        """The total of all runs."""
        return sum(run.nodes for run in self.runs)

    @property
    def iterations(self) -> int:
        """The total of all runs."""
        return sum(run.iterations for run in self.runs)

    @property
    def bytes(self) -> int:
        """The memory in use."""
        return sum(run.bytes for run in self.runs)


def proof_line(runs: Sequence[Run]) -> list[str]:
    """Return the line of a run with a proof, or of two that bound a value from both sides."""
    walks = [run.walk() for run in runs]
    position, line, seen = runs[0].position, [], set()
    cyclic = position.game.rules.cyclic
    while position.outcome is None and not (cyclic and position in seen):
        if cyclic:
            seen.add(position)
        leads = (walk for run, walk in zip(runs, walks, strict=True)
                 if _prover(run) == position.mover)
        move = next(leads, walks[0]).best()
        if move is None:
            break
        line.append(position.game.move_name(position, move))
        position = position.play_code(move)
        if not all(walk.follow(move, position) for walk in walks):
            break
    return line


def _prover(run: Run) -> int:
    """Return the player whose claim is proved: the attacker if it wins, else the other."""
    return run.attacker if run.status == WON else 1 - run.attacker
