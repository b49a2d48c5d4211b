"""Thinking about a move: to prove what can be proved, and to look ahead where it can't.

Two searches take turns: the one that proves, and PVS, which looks ahead with the game's evaluation.
Whatever comes first ends it: a proof, the budget, or the client. At any moment there is an answer.
Where nodes or the depth are limited, turns are counted in nodes, so that the answer is always the
same; else in seconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from typing import Any

from zermelo.core.position import Position
from zermelo.engine.clock import Budget
from zermelo.playing.guess import BY_EVALUATION
from zermelo.search.base import Search
from zermelo.search.common.status import LOST, UNKNOWN
from zermelo.solving.result import Limits, Result, Value
from zermelo.solving.session import Session

# Nodes of a turn: small ones first, so that a small budget is shared too. A proof search does more
# for a node.
PROOF_NODES, LOOK_NODES, SMALLEST = 1_000, 5_000, 10
TURN_SECONDS = 0.1
TELL = 0.5  # seconds between two reports
PAUSE = 0.02
Between = Callable[[], None]


@dataclass(frozen=True)
class Settings:
    """How to think, whatever the position."""

    search: Search | None = None  # the usual one of the game
    memory: int = 256_000_000
    seed: int = 0
    plain: bool = False
    threads: int = 1


@dataclass(frozen=True)
class Answer:
    """What is known now. ``value`` and ``length`` where that is proved; ``points`` and ``depth`` by
    looking ahead; both for the player to move. ``line`` begins with ``move``."""

    move: str | None = None
    value: Value = Value.UNKNOWN
    length: int | None = None
    points: int | None = None
    depth: int | None = None
    line: list[str] = field(default_factory=list)
    nodes: int = 0
    seconds: float = 0.0
    score: tuple[int, int] | None = None

    @property
    def proved(self) -> bool:
        """Whether the value is proved."""
        return self.value in (Value.WIN, Value.DRAW, Value.LOSS)


class Thinking:
    """About the move to play in ``position``; of the moves in ``only``, if these are given."""

    def __init__(self, position: Position, settings: Settings, budget: Budget, *,
                 only: Collection[str] | None = None, goal: str = "value") -> None:
        self.position, self.settings, self.budget = position, settings, budget
        self.goal = goal
        moves = position.moves()
        self.allowed = moves if only is None else [move for move in moves if move in only]
        ahead = position.game.rules.evaluate is not None and not settings.plain
        # A proof is about all moves: it says little about some of them.
        self.whole = len(self.allowed) == len(moves)
        self.prover = self._session(None, goal) if self.whole or not ahead else None
        self.looker = self._session(BY_EVALUATION, "value") if ahead else None
        self.stopping, self.rounds = False, 0
        self.began, self.told = time.perf_counter(), 0.0

    def _session(self, search: str | None, goal: str) -> Session:
        found = self.settings.search if search is None else search
        threads = self.settings.threads if search is None else 1
        return Session(self.position, found, goal=goal, seed=self.settings.seed,
                       plain=self.settings.plain, threads=threads)

    @property
    def sessions(self) -> list[Session]:
        """Those that take turns."""
        return [session for session in (self.looker, self.prover) if session is not None]

    @property
    def memory(self) -> int:
        """What each of them may use, in bytes."""
        return self.settings.memory // len(self.sessions)

    def prepare(self) -> None:
        """Compile or load what is needed; that is no thinking."""
        for session in self.sessions:
            session.prepare(Limits(memory=self.memory))

    def run(self, between: Between, tell: Callable[[Answer], None]) -> Answer:
        """Think until the budget is met; ``between`` may call ``stop`` or change the budget."""
        if self.position.outcome is not None or not self.allowed:
            return Answer()
        self.prepare()
        self.start_clock()
        at_work = list(self.sessions)
        while not self.stopping and not self._enough(at_work):
            self.rounds += 1
            for session in list(at_work):
                self._turn(session, between, tell)
                if session.stopped not in ("nodes", "time", "interrupted"):
                    at_work.remove(session)
                if self.stopping or self._met():
                    break
        while self.budget.forever and not self.stopping:  # all is said, but nobody asked yet
            between()
            time.sleep(PAUSE)
        return self.answer()

    def start_clock(self) -> None:
        """The budget counts from now on."""
        self.began = time.perf_counter()

    def stop(self) -> None:
        """Come back soon, with what there is."""
        self.stopping = True
        for session in self.sessions:
            session.cancel()

    def _turn(self, session: Session, between: Between, tell: Callable[[Answer], None]) -> None:
        """Let one search go on for a while."""
        def rest() -> None:
            between()
            if time.perf_counter() - self.told >= TELL and self.seconds >= TELL:
                self.told = time.perf_counter()
                tell(self.answer())

        session.cancelled = False
        session.advance(self._share(session), between=rest)
        if session.stopped == "interrupted" and not self.stopping:
            raise KeyboardInterrupt  # the session has kept it for itself

    def _share(self, session: Session) -> Limits:
        """Up to where a search may go in its turn."""
        nodes, seconds = None, self._left
        if self.budget.nodes is not None or self.budget.depth is not None:
            most = PROOF_NODES if session is self.prover else LOOK_NODES
            nodes = min(most, most // SMALLEST * self.rounds)
            if self.budget.nodes is not None:
                nodes = max(1, min(nodes, self.budget.nodes - self.nodes))
            nodes += session.answer.nodes
        else:
            seconds = TURN_SECONDS if seconds is None else min(seconds, TURN_SECONDS)
        if seconds is not None:
            seconds = session.seconds + max(seconds, 1e-3)
        return Limits(nodes=nodes, time=seconds, memory=self.memory)

    @property
    def seconds(self) -> float:
        """Since the clock was started."""
        return time.perf_counter() - self.began

    @property
    def nodes(self) -> int:
        """Of all searches."""
        return sum(session.answer.nodes for session in self.sessions)

    @property
    def _left(self) -> float | None:
        return None if self.budget.seconds is None else self.budget.seconds - self.seconds

    def _met(self) -> bool:
        """Whether the budget is used up."""
        budget, left = self.budget, self._left
        if budget.forever:
            return False
        if (left is not None and left <= 0) or (
                budget.nodes is not None and self.nodes >= budget.nodes):
            return True
        return budget.depth is not None and (self._looked().get("depth") or 0) >= budget.depth

    def _enough(self, at_work: list[Session]) -> bool:
        """Whether all is said, or nothing more can be found out."""
        if not at_work or self._met() or self._settled() is not None:
            return True
        # An only move needs no thought, but then nothing is known about it.
        return len(self.allowed) == 1 and not self.budget.forever and self.budget.depth is None

    def _settled(self) -> Result | None:
        """A proof, if there is one."""
        for session in self.sessions if self.whole else ():
            # PVS knows who wins, but not by how much.
            told = session is self.prover or self.goal == "value"
            if told and session.runs and session.stopped == "solved":
                result = session.result(moves=False)
                if result.proved:
                    return result
        return None

    def _looked(self) -> dict[str, Any]:
        """What PVS says about the position as a whole."""
        if self.looker is None or not self.looker.runs:
            return {}
        return self.looker.runs[-1].numbers()

    def answer(self) -> Answer:
        """What is known now."""
        facts: dict[str, Any] = {"nodes": self.nodes, "seconds": max(self.seconds, 0.0)}
        found = self._settled()
        if found is not None:
            length = len(found.line) or None
            move = found.move if found.move in self.allowed else self._guess()
            return Answer(move, found.value, length, line=found.line, score=found.score, **facts)
        looked, move = self._looked(), self._guess()
        points = looked.get("estimate")
        return Answer(move, points=points if isinstance(points, int) else None,
                      depth=looked.get("depth"), line=[] if move is None else [move], **facts)

    def _guess(self) -> str | None:
        """The most promising of the moves that are not known to lose."""
        lost = self._losing()
        left = [move for move in self.allowed if move not in lost] or self.allowed
        liked = [name for session in (self.looker, self.prover) if session is not None
                 for name in self._liked(session)]
        return next((name for name in liked if name in left), left[0] if left else None)

    def _losing(self) -> set[str]:
        known: set[str] = set()
        for session in self.sessions:
            if session.runs and session.player == self.position.mover:
                known |= {row.move for row in session.answer.moves()
                          if row.proved and row.value == Value.LOSS}
        return known

    def _liked(self, session: Session) -> list[str]:
        """The move that a search would play, and where it has points for others, the best ones."""
        names: list[str] = []
        for run in reversed(session.runs):
            chosen = run.chosen()
            if chosen is not None:
                names.append(session.answer.move_name(chosen))
        if session is self.looker and session.runs:
            rows = [(row[2].get("points"), session.answer.move_name(row[0]))
                    for row in session.runs[-1].moves() if row[1] in (UNKNOWN, LOST)]
            scored = [(points, name) for points, name in rows if isinstance(points, int)]
            names += [name for _, name in sorted(scored, key=lambda row: -row[0])]
        return names
