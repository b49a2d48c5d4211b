"""What the answers of a session mean: value, proof, line, moves and distance.

A session asks subgoals one after the other, and a run answers each. Here nothing is searched for,
except that a walk through a proof may have to find parts of it again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from zermelo.core.position import Position
from zermelo.search.base import Run
from zermelo.search.reasons import LOST, UNKNOWN, WON
from zermelo.solving.goals import (
    Subgoal,
    distance,
    next_subgoal,
    score_bounds,
    value_by_knowledge,
    value_of,
)
from zermelo.solving.result import MoveValue, Value

SHORT_LINE = 5  # plies: short enough


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
        """All subgoals with what is known: proved, or concluded at the precision."""
        return [subgoal.answered(self._status(subgoal, run))
                for subgoal, run in zip(self.subgoals, self.runs, strict=True)]

    def _status(self, subgoal: Subgoal, run: Run) -> int:
        status = run.status
        if status == UNKNOWN and run.arrived:
            status = WON if run.leans_to_win else LOST
        in_all = subgoal.horizon is None  # else it is about wins by candidates anyway
        return UNKNOWN if in_all and self.ran_out(status) else status

    def ran_out(self, status: int) -> bool:
        """Whether LOST only says that the candidates do not win."""
        return self.candidates and status == LOST and self.position.outcome is None

    def next_subgoal(self, asked: list[Subgoal]) -> Subgoal | None:
        """The next subgoal where all of ``asked`` are answered; None when all is said."""
        found = next_subgoal(self.goal, self.player, self.position.game.rules, asked,
                             self._proof_length(), self._mover)
        over = self.position.outcome is not None  # then the win is there already
        return None if found is not None and found.horizon is not None and over else found

    def _proof_length(self) -> int:
        """How many plies the proof of a win lasts, where the search knows it; else 0."""
        rules = self.position.game.rules
        if self.goal != "shortest" or value_by_knowledge(self.goal, rules):
            return 0
        won = [run for run, subgoal in zip(self.runs, self.subgoals, strict=True)
               if subgoal.horizon is None and run.status == WON]
        return max((run.proof_length for run in won), default=0)

    def value(self, asked: list[Subgoal] | None = None) -> tuple[Value, bool]:
        """The value for ``player`` as far as it is known, and whether it is proved."""
        value = value_of(self.asked() if asked is None else asked, self.player, self.goal)
        needed = self._grounds(value)
        return value, bool(needed) and all(run.status != UNKNOWN for run in needed)

    def complete(self, value: Value) -> bool:
        """Whether ``value`` is what the goal asks for, not only part of it."""
        return value != Value.UNKNOWN and (self.goal == "win" or value != Value.NOT_WIN)

    def settled(self, asked: list[Subgoal], value: Value) -> bool:
        """Whether all is known that the goal asks for: the value, and the score or length too."""
        if self.goal == "score":
            low, high = score_bounds(self.player, self.position.game.rules, asked)
            return low == high
        if self.goal == "shortest" and value in (Value.WIN, Value.LOSS):
            return self.distance(asked) is not None
        return self.complete(value)

    def answered(self, player: int, status: int) -> Run | None:
        """The run that asked whether ``player`` wins, if it was answered like this."""
        for run, subgoal in zip(self.runs, self.subgoals, strict=True):
            asked = (subgoal.player, subgoal.threshold, subgoal.horizon)
            if asked == (player, 1, None) and run.status == status:
                return run
        return None

    def _grounds(self, value: Value) -> list[Run]:
        """The runs that prove ``value``."""
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
        """A move that keeps the value, and a line of the proof; the line is empty without one.

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
        """The length of a shortest win, where that is asked for and settled."""
        if self.goal != "shortest":
            return None
        won = self.value(asked)[0] in (Value.WIN, Value.LOSS)
        if won and self.position.outcome is not None:
            return 0
        return distance(asked, self._mover)

    @property
    def _mover(self) -> int | None:
        """Who moves, where the game keeps lengths."""
        return self.position.mover if self.position.game.rules.keeps_length else None

    def score(self, asked: list[Subgoal]) -> tuple[int, int] | None:
        """The least and the largest score that are left, where the score is asked for."""
        if self.goal != "score":
            return None
        return score_bounds(self.player, self.position.game.rules, asked)

    def moves(self) -> list[MoveValue]:
        """Every root move with its value for ``player`` and its numbers in the last run."""
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
        """What the proofs say about every move: none does what its player can't do at all, and
        none prevents what the other player can do in any case."""
        return [subgoal.answered(run.status)
                for subgoal, run in zip(self.subgoals, self.runs, strict=True)
                if subgoal.horizon is None and not self.ran_out(run.status)
                and run.status == (LOST if subgoal.player == self.position.mover else WON)]

    def move_name(self, move: int) -> str:
        """A move of the root, by name."""
        return self.position.game.move_name(self.position, move)

    def counters(self) -> dict[str, Any]:
        """The counters of all runs together; what is to hold must hold for each."""
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
        """Those of all runs."""
        return sum(run.nodes for run in self.runs)

    @property
    def iterations(self) -> int:
        """Those of all runs."""
        return sum(run.iterations for run in self.runs)

    @property
    def bytes(self) -> int:
        """The memory in use."""
        return sum(run.bytes for run in self.runs)


def proof_line(runs: Sequence[Run]) -> list[str]:
    """The line of one run with a proof, or of the two that bound a value from both sides."""
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
