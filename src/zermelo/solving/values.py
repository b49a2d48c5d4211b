"""Values: the worth of every move of a position, easy moves first.

Each move has a session of its own, which is continued as long as there is room for it; else it
begins again. Round after round those that are not settled may search twice as much as before, so
that no hard move is in the way of an easy one. Where a search keeps a table that serves any
position, all sessions share one. The value of the position follows from those of its moves.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from zermelo.core.position import Position
from zermelo.errors import BadOption, quoted
from zermelo.search.base import Run, Search
from zermelo.solving.analysis import MoveAnalysis, check_asked, known_of, rank_of, row_of
from zermelo.solving.result import Goal, Limits, Progress, Value, question_record
from zermelo.solving.session import PROGRESS_SECONDS, Between, ProgressCallback, Session

FIRST_EFFORT, GROWTH = 500, 2  # nodes for each move
LEAST_TIME = 1e-3  # seconds
PARTS, MANY = 8, 64  # of the memory that one session may have at least; moves
STATUSES = {Value.WIN: "won", Value.DRAW: "lost", Value.LOSS: "lost", Value.NOT_WIN: "lost"}
TIRED = ("nodes", "time", "interrupted")  # more effort might help


class Values:
    """The values of all moves of ``position``, as they become known.

    ``goal="score"`` asks for the final score that each leads to, ``"shortest"`` for the length of
    each win or loss. ``run`` goes on until all is settled or a limit is met; with larger limits it
    goes on where it was.
    """

    def __init__(self, position: Position, search: Search | str | None = None, *,
                 goal: Goal = "value", seed: int = 0, plain: bool = False) -> None:
        check_asked("values", goal)
        self.whole = Session(position, search, goal=goal, seed=seed, plain=plain)
        self.position, self.search, self.goal = position, self.whole.search, goal
        self._given = None if search is None else self.search
        self.seed, self.plain = seed, plain
        rules = position.game.rules
        # By a rule of its own for repetitions a value depends on what came before; and a table
        # remembers a few questions only, but there are many about scores.
        own_rule = rules.cyclic and rules.repeat is not None
        self._sharing = self.search.shares and not own_rule and goal != "score"
        self._table: Run | None = None
        self._work = [MoveWork(name, MoveWorth(name, Value.UNKNOWN, False, False, "interrupted",
                                            [name], 0, goal=goal)) for name in position.moves()]
        self._effort, self._at = FIRST_EFFORT, 0  # nodes for each, and whose turn it is
        self.stopped = "interrupted" if self._work else "solved"
        self.cancelled = False
        self._now: MoveWork | None = None
        self._told = 0.0  # when progress was reported last

    def _begin(self, work: MoveWork) -> Session:
        session = Session(self.position.play(work.name), self._given, goal=self.goal,
                          seed=self.seed, plain=self.plain, player=self.whole.player)
        session.shares = self._table
        return session

    def run(self, limits: Limits | None = None, progress: ProgressCallback | None = None,
            changed: Callable[[MoveWorth], None] | None = None,
            between: Between | None = None) -> Values:
        """Search until every move is settled or a limit, a total over all runs, is met.

        ``changed`` is called with a move whenever something new is known about it; ``progress`` and
        ``between`` are as for a session.
        """
        limits = Limits() if limits is None else limits
        if not isinstance(limits, Limits):
            raise BadOption(f"run needs Limits, such as Limits(nodes=1000), not {quoted(limits)}.")
        memory = limits.memory_bytes
        for work in self._work:  # a larger limit may help where the last one was met
            if work.stopped == "memory":
                work.stopped = "nodes"

        def rest() -> None:
            if between is not None:
                between()
            if progress is not None and time.monotonic() - self._told >= PROGRESS_SECONDS:
                self._told = time.monotonic()
                progress(self.progress(limits))

        while (reason := self._reason(limits)) is None:
            following = self._next()
            if following is None:
                self._effort, self._at = GROWTH * self._effort, 0
                continue
            self._ask(following, limits, memory, rest, changed)
        self.stopped, self.cancelled = reason, False
        return self

    def _next(self) -> MoveWork | None:
        """Return the next move in this round that may search on."""
        while self._at < len(self._work):
            work = self._work[self._at]
            if work.open and work.reached < self._effort:
                return work
            self._at += 1
        return None

    def _reason(self, limits: Limits) -> str | None:
        """Return the reason to stop; None while there is something to do."""
        if not any(work.open for work in self._work):
            return next((work.worth.stopped for work in self._work if not work.worth.settled),
                        "solved")
        if self.cancelled:
            return "interrupted"
        if limits.nodes is not None and self.nodes >= limits.nodes:
            return "nodes"
        return "time" if limits.time is not None and self.seconds >= limits.time else None

    def _ask(self, work: MoveWork, limits: Limits, memory: int, rest: Between,
             changed: Callable[[MoveWorth], None] | None) -> None:
        """Let one move search on, up to the effort of this round."""
        session, self._now = work.session or self._begin(work), work
        work.session = session
        nodes, seconds = self._effort, None
        if limits.nodes is not None:
            nodes = min(nodes, session.answer.nodes + limits.nodes - self.nodes)
        if limits.time is not None:
            seconds = session.seconds + max(LEAST_TIME, limits.time - self.seconds)
        share = memory if self._sharing else memory // min(PARTS, len(self._work))
        session.advance(Limits(nodes=nodes, time=seconds, memory=share), between=rest)
        if self._table is None and self._sharing and session.search == self.search:
            self._table = session.runs[0]
        work.stopped, work.reached = session.stopped, session.answer.nodes
        self.cancelled |= session.stopped == "interrupted"
        before, work.worth = work.worth, self._worth(work)
        if not work.open or not self._room(memory, share):
            work.drop()
        if changed is not None and work.worth != before:
            changed(work.worth)

    def _room(self, memory: int, share: int) -> bool:
        """Return True if there is memory for all sessions and one more."""
        if self._sharing:  # beside the table they are small
            return len(self._work) <= MANY
        return sum(each.session.answer.bytes for each in self._work if each.session) <= (
            memory - share)

    def _worth(self, work: MoveWork) -> MoveWorth:
        assert work.session is not None
        result = work.session.result(moves=False)
        work.stopped = result.stopped
        row = row_of(work.name, self.goal, result)
        question = work.session.in_words(work.session.subgoals[-1])
        return MoveWorth(**{**vars(row), "nodes": work.used.nodes, "numbers": result.root,
                            "question": question})

    def cancel(self) -> None:
        """Make ``run``, in another thread or in ``between``, return within a slice."""
        self.cancelled = True
        session = self._now.session if self._now is not None else None
        if session is not None:
            session.cancel()

    @property
    def moves(self) -> list[MoveWorth]:
        """The analysis of each move so far, in the game's order."""
        return [work.worth for work in self._work]

    @property
    def known(self) -> dict[str, Any]:
        """The conclusion for the position: value, proved, concluded, stopped, score, length."""
        found = known_of(self.whole, sorted(self.moves, key=rank_of))
        if found["value"] == Value.UNKNOWN:
            found["stopped"] = self.stopped
        return found

    @property
    def line(self) -> list[str]:
        """The main line, once the value of the position is proved."""
        best = min(self.moves, key=rank_of, default=None)
        return best.line if best is not None and self.known["proved"] else []

    @property
    def nodes(self) -> int:
        """The nodes of all moves."""
        return sum(work.used.nodes for work in self._work)

    @property
    def seconds(self) -> float:
        """The seconds of searching, for all moves."""
        return sum(work.used.seconds for work in self._work)

    @property
    def compile_seconds(self) -> float:
        """The seconds of compiling, for all moves."""
        return sum(work.used.compile_seconds for work in self._work)

    @property
    def settled(self) -> tuple[int, int]:
        """The number of settled moves, and of all."""
        return sum(worth.settled for worth in self.moves), len(self._work)

    @property
    def over(self) -> bool:
        """True if running on is of no use."""
        return not any(work.open for work in self._work)

    def progress(self, limits: Limits | None = None) -> Progress:
        """Return the state of the search, with the numbers of every move."""
        nodes, seconds = self.nodes, self.seconds
        session = self._now.session if self._now else None
        now = session.progress() if session and session.runs else None
        used = [work.session.answer.bytes for work in self._work if work.session]
        name = self._now.name if self._now else ""
        root = now.root if now else {}
        return Progress(
            question=f"after {name}: {now.question}" if now else "", nodes=nodes,
            iterations=sum(work.used.iterations for work in self._work), seconds=seconds,
            nodes_per_second=nodes / max(seconds, 1e-9),
            bytes=max(used, default=0) if self._sharing else sum(used), root=root,
            moves={work.name: work.worth.numbers for work in self._work}, settled=self.settled,
            path=[(name, root), *now.path] if now else [],
            statuses={work.name: STATUSES.get(work.worth.value, "unknown")
                      if work.worth.proved else "unknown" for work in self._work},
            fill=now.fill if now else None, limits=limits or Limits(),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the position and all its moves, for JSON."""
        known = self.known
        numbers = {"score": {"score": known["score"]}, "shortest": {"length": known["length"]}}
        line = self.line
        return {
            **question_record(self),
            "value": str(known["value"]), **numbers.get(self.goal, {}),
            "proved": known["proved"], "concluded": known["concluded"], "stopped": self.stopped,
            "move": line[0] if line else None, "line": line, "nodes": self.nodes,
            "seconds": round(self.seconds, 6), "compile_seconds": round(self.compile_seconds, 6),
            "settled": list(self.settled), "over": self.over,
            "moves": [worth.to_dict() for worth in self.moves],
        }


@dataclass(frozen=True)
class MoveWorth(MoveAnalysis):
    """A move with its value, as in an analysis, and the numbers of its search so far.

    ``question`` is what these are about: whether its player wins or, where that is known, whether
    the other one does, and so on.
    """

    numbers: dict[str, Any] = field(default_factory=dict)
    question: str = ""

    @property
    def settled(self) -> bool:
        """True if all that was asked about it is known."""
        return self.stopped in ("solved", "precision")

    def to_dict(self) -> dict[str, Any]:
        """Return the move for JSON."""
        return {**super().to_dict(), "numbers": self.numbers, "question": self.question,
                "settled": self.settled}


class Spent(NamedTuple):
    """The effort of searching."""

    nodes: int = 0
    iterations: int = 0
    seconds: float = 0.0
    compile_seconds: float = 0.0

    def and_by(self, session: Session) -> Spent:
        """Return it together with what a session used."""
        answer = session.answer
        return Spent(self.nodes + answer.nodes, self.iterations + answer.iterations,
                     self.seconds + session.seconds,
                     self.compile_seconds + session.compile_seconds)


@dataclass
class MoveWork:
    """A move while it is being valued.

    ``session`` is None before the first one, and where there was no room to keep it; ``reached`` is
    how far the last one came, in nodes, ``spent`` what those that are gone have used.
    """

    name: str
    worth: MoveWorth
    session: Session | None = None
    stopped: str = "interrupted"
    reached: int = 0
    spent: Spent = field(default_factory=Spent)

    @property
    def open(self) -> bool:
        """True if more effort might help."""
        return self.stopped in TIRED

    @property
    def used(self) -> Spent:
        """The effort of all its sessions."""
        return self.spent if self.session is None else self.spent.and_by(self.session)

    def drop(self) -> None:
        """Forget the session."""
        self.spent, self.session = self.used, None
