"""Hints: what each move of a position is worth, in discs, deeper and deeper, until it is proved."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from zermelo.core.position import Position
from zermelo.engine.clock import Budget
from zermelo.engine.thinking import PROOF_NODES, Between, Settings
from zermelo.playing.guess import BY_EVALUATION
from zermelo.solving.result import Limits, Value
from zermelo.solving.session import Session
from zermelo.solving.values import Values

LOOK_NODES = 500  # of a turn
POINTS_OF_A_DISC = 16  # near the end of a game, where discs are all that counts
SURE = {Value.WIN: 1.0, Value.DRAW: 0.0, Value.LOSS: -1.0}  # where the rules know no score
DEEPEST = 60


def discs(points: int) -> float:
    """An evaluation in discs."""
    return points / POINTS_OF_A_DISC


@dataclass(frozen=True)
class Hint:
    """What a move is worth to the player who makes it."""

    worth: float
    depth: int
    exact: bool
    line: list[str] = field(default_factory=list)


class Hints:
    """Looks ahead after every move, and tries to prove the values of all; by turns."""

    def __init__(self, position: Position, settings: Settings, budget: Budget, goal: str) -> None:
        self.position, self.budget = position, budget
        self.values = Values(position, settings.search, goal=goal, seed=settings.seed,
                             plain=settings.plain)
        after = {move: position.play(move) for move in position.moves()}
        self.sessions = {move: Session(child, BY_EVALUATION, seed=settings.seed)
                         for move, child in after.items()
                         if child.outcome is None and not settings.plain}
        self.memory = settings.memory // (len(self.sessions) + 1)
        self.stopping = False
        self.began = time.perf_counter()

    def stop(self) -> None:
        """Come back soon, with what there is."""
        self.stopping = True
        self.values.cancel()
        for session in self.sessions.values():
            session.cancel()

    @property
    def seconds(self) -> float:
        """Since it began."""
        return time.perf_counter() - self.began

    @property
    def nodes(self) -> int:
        """Of all searches."""
        return self.values.nodes + sum(each.answer.nodes for each in self.sessions.values())

    def run(self, between: Between, tell: Callable[[list[Hint]], None]) -> list[Hint]:
        """Search until the budget is met, and tell what is known after every round."""
        for session in self.sessions.values():
            session.prepare(Limits(memory=self.memory))
        self.began = time.perf_counter()
        for depth in range(1, (self.budget.depth or DEEPEST) + 1):
            for session in self.sessions.values():
                self._look(session, max(depth - 1, 1), between)
            self._prove(between)
            if self.stopping or self._met() or self.values.over:
                break
            tell(self.known())
        return self.known()

    def _met(self) -> bool:
        budget = self.budget
        return (budget.seconds is not None and self.seconds >= budget.seconds) or (
            budget.nodes is not None and self.nodes >= budget.nodes)

    def _limits(self, nodes: int, seconds: float) -> Limits:
        left = self.budget.seconds
        return Limits(nodes, None if left is None else max(1e-3, seconds + left - self.seconds),
                      self.memory)

    def _look(self, session: Session, depth: int, between: Between) -> None:
        """Look ahead after one move until ``depth`` is reached."""
        while not self.stopping and not self._met() and _depth(session) < depth and (
                session.stopped in ("nodes", "time", "interrupted")):
            nodes = session.answer.nodes + LOOK_NODES
            session.advance(self._limits(nodes, session.seconds), between=between)
            if session.stopped == "interrupted" and not self.stopping:
                raise KeyboardInterrupt  # the session has kept it for itself

    def _prove(self, between: Between) -> None:
        """Let the proofs of all moves go on for a while."""
        if self.stopping or self._met():
            return
        nodes = self.values.nodes + PROOF_NODES * len(self.values.moves)
        self.values.run(self._limits(nodes, self.values.seconds), between=between)
        if self.values.stopped == "interrupted" and not self.stopping:
            raise KeyboardInterrupt

    def known(self) -> list[Hint]:
        """What is known of each move, the best one first."""
        found = []
        for worth in self.values.moves:
            session = self.sessions.get(worth.move)
            if worth.settled and worth.proved:
                exact = worth.score if worth.score is not None else SURE.get(worth.value, 0.0)
                found.append(Hint(float(exact), len(worth.line), True, worth.line))
            elif session is not None and session.runs:
                points = session.runs[-1].numbers().get("estimate")
                if isinstance(points, int):
                    found.append(Hint(-discs(points), _depth(session) + 1, False, [worth.move]))
        return sorted(found, key=lambda hint: -hint.worth)


def _depth(session: Session) -> int:
    """How far a search has looked ahead."""
    return (session.runs[-1].numbers().get("depth") or 0) if session.runs else 0
